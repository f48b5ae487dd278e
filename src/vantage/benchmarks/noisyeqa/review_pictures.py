"""The goal pictures of a pair as HTML: what the questions are about and the places that they name are outlined.

Outlines lie over the pictures, so that a page can hide them.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2

from vantage.benchmarks.labelling.claimed_places import claimed_contents, claimed_places, goal_truth
from vantage.benchmarks.labelling.projection import box_in_image
from vantage.benchmarks.sets.episodes_io import EpisodeSet
from vantage.benchmarks.sets.noisy_pairs import Half, Pair
from vantage.config import CameraSettings
from vantage.errors import FormatError
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.spatial import Intrinsics
from vantage.types import NoiseType

_WIDTH = 440  # of a picture, pixels
_QUALITY = 82
_STYLES = {"about": "about", "place": "place", "there": "also there"}
_LETTERS = 15  # height of those in a picture, pixels of the picture as it was taken, for one of 640 columns
_TAKEN = 640


@dataclass(frozen=True)
class _Outline:
    """A thing to be outlined: ``about`` for what a question is about, ``place``, or ``there`` for what is at that."""

    thing: GraphNode
    style: str


@dataclass(frozen=True)
class Figure:
    """One picture of a pair."""

    half: Half
    caption: str
    outlines: tuple[_Outline, ...]

    def html(self, episode_set: EpisodeSet) -> str:
        """
        Raises:
            FormatError: the picture cannot be shown.
        """
        path = episode_set.goal_image(self.half.episode.episode_id)
        image = cv2.imread(str(path)) if path.is_file() else None
        if image is None:
            return f"<figure><figcaption>{_text(self.caption)}: no picture</figcaption></figure>"
        rows, columns = image.shape[:2]
        height = round(rows * _WIDTH / columns)
        done, data = cv2.imencode(
            ".jpg",
            cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA),
            [cv2.IMWRITE_JPEG_QUALITY, _QUALITY],
        )
        if not done:
            raise FormatError(f"{path} cannot be shown; make the set again")
        source = base64.b64encode(data.tobytes()).decode()
        fov = float(episode_set.info.settings.get("camera.horizontal_fov", CameraSettings().horizontal_fov))
        drawn = dict(self._drawn(Intrinsics.from_fov(columns, rows, fov)))
        told = "".join(f"; {_told(style, drawn)}" for style in _STYLES if any(o.style == style for o in drawn))
        return (
            f'<figure><div class="picture"><img src="data:image/jpeg;base64,{source}" width="{_WIDTH}" '
            f'height="{height}" alt="{_text(self.caption)}"><svg viewBox="0 0 {columns} {rows}" aria-hidden="true">'
            f"{''.join(drawn.values())}</svg></div><figcaption>{_text(self.caption + told)}</figcaption></figure>"
        )

    def _drawn(self, intrinsics: Intrinsics) -> Iterator[tuple[_Outline, str]]:
        """The outlines that fall on the picture, as SVG."""
        viewpoint = self.half.truth.goal
        if viewpoint is None:
            return
        letters = _LETTERS * intrinsics.width / _TAKEN
        for outline in self.outlines:
            box = box_in_image(outline.thing.bounds_min, outline.thing.bounds_max, viewpoint, intrinsics)
            if box is None:
                continue
            left, top, right, bottom = box
            frame = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"'
            at = f'x="{left + 0.2 * letters:.1f}" y="{max(top, letters) - 0.25 * letters:.1f}"'
            yield (
                outline,
                f'<g class="{outline.style}"><rect class="under" {frame}/><rect {frame}/>'
                f'<text {at} font-size="{letters:.1f}">{_text(outline.thing.label)}</text></g>',
            )


def figures_of(pair: Pair, graph: SceneGraph) -> tuple[Figure, ...]:
    """The pictures of a pair: one where both questions are judged from one viewpoint.

    Raises:
        FormatError: a program of the gold data cannot be read.
    """
    noisy, clean = pair.noisy, pair.clean
    about = [_Outline(graph.node(key), "about") for key in clean.gold.target_instances]
    named = [*goal_truth(noisy.gold, clean.gold).target_instances, *noisy.gold.target_instances]
    named += [place.instance_id for place in claimed_places(noisy.gold, clean.gold, graph)]
    places = [
        _Outline(graph.node(key), "place") for key in dict.fromkeys(named) if key not in clean.gold.target_instances
    ]
    if noisy.gold.noise_type != NoiseType.LATENT:
        near = _in_sight(places, about)
        if noisy.truth.goal == clean.truth.goal:
            return (Figure(noisy, "From where both are judged", (*near, *about)),)
        return (
            Figure(noisy, "Where the noisy one is judged", (*near, *about)),
            Figure(clean, "Where the twin is judged", (*near, *about)),
        )
    there = [_Outline(node, "there") for node in claimed_contents(noisy.gold, clean.gold, graph)]
    looked_at = places[:1]
    there = [item for item in there if item.thing.instance_id not in {place.thing.instance_id for place in places}]
    missed = Figure(
        noisy,
        f"Where {noisy.gold.false_claim.removeprefix('there is ')} would be",
        (*_in_sight(places, looked_at), *_in_sight(there, looked_at)),
    )
    return missed, Figure(clean, "Where the twin is judged", tuple(about))


def _in_sight(outlines: Sequence[_Outline], beside: Sequence[_Outline]) -> list[_Outline]:
    """Those in the rooms of others; a wall is between the rest and the camera."""
    rooms = {outline.thing.room for outline in beside}
    return [outline for outline in outlines if outline.thing.room in rooms]


def _told(style: str, drawn: dict[_Outline, str]) -> str:
    names = [f"{item.thing.label} {item.thing.instance_id}" for item in drawn if item.style == style]
    return f"{_STYLES[style]}: {', '.join(names)}"


def _text(value: str) -> str:
    return html.escape(value, quote=True)
