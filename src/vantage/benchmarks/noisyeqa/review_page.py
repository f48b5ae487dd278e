"""A page on which people look through the pairs of a set and accept or reject each.

One file with everything in it. Marks are kept in the browser under the set's hash and saved as a file of marks, which
``review`` reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from markupsafe import Markup

from vantage.benchmarks.labelling import box_in_image, claimed_contents, claimed_places, goal_truth
from vantage.benchmarks.noisyeqa.review import ACCEPT, REJECT, SCHEMA
from vantage.benchmarks.sets import EpisodeSet, Pair, PairMember, load_set, load_truths, pairs_of
from vantage.config import CameraSettings, RelationSettings
from vantage.errors import FormatError
from vantage.html_pages import jpeg_url, render, write_page
from vantage.questions import Truths
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.spatial import Intrinsics
from vantage.splats import load_graph
from vantage.types import NoiseType, TruthQuestion

_WIDTH = 440  # of a picture, pixels
_STYLES = {"about": "about", "place": "place", "there": "also there"}
_LETTERS = 15  # height of those in a picture, pixels of the picture as it was taken, for one of 640 columns
_TAKEN = 640


@dataclass(frozen=True)
class _Outline:
    """An object to be outlined: ``about`` for what a question is about, ``place``, or ``there`` for what is at that."""

    obj: GraphNode
    style: str


@dataclass(frozen=True)
class Figure:
    """One picture of a pair."""

    half: PairMember
    caption: str
    outlines: tuple[_Outline, ...]

    def html(self, episode_set: EpisodeSet) -> Markup:
        """The picture with its outlines and its caption.

        Raises:
            FormatError: the picture cannot be shown.
        """
        path = episode_set.goal_image(self.half.episode.episode_id)
        image = cv2.imread(str(path)) if path.is_file() else None
        if image is None:
            return Markup(render(__package__, "review_figure.html", source="", caption=self.caption))
        rows, columns = image.shape[:2]
        fov = float(episode_set.info.settings.get("camera.horizontal_fov", CameraSettings().horizontal_fov))
        drawn = list(self._drawn(Intrinsics.from_fov(columns, rows, fov)))
        seen = [outline for outline, _ in drawn]
        page = render(
            __package__,
            "review_figure.html",
            source=jpeg_url(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8), _WIDTH),
            caption=self.caption,
            told="".join(f"; {_told(style, seen)}" for style in _STYLES if any(o.style == style for o in seen)),
            width=_WIDTH,
            height=round(rows * _WIDTH / columns),
            rows=rows,
            columns=columns,
            letters=_LETTERS * columns / _TAKEN,
            outlines=[(outline.style, outline.obj.label, *box) for outline, box in drawn],
        )
        return Markup(page)

    def _drawn(self, intrinsics: Intrinsics) -> Iterator[tuple[_Outline, tuple[float, float, float, float]]]:
        """The outlines that fall on the picture, with left, top, right and bottom in pixels."""
        viewpoint = self.half.truth.goal
        if viewpoint is None:
            return
        for outline in self.outlines:
            box = box_in_image(outline.obj.bounds_min, outline.obj.bounds_max, viewpoint, intrinsics)
            if box is not None:
                yield outline, box


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
    there = [item for item in there if item.obj.instance_id not in {place.obj.instance_id for place in places}]
    missed = Figure(
        noisy,
        f"Where {noisy.gold.false_claim.removeprefix('there is ')} would be",
        (*_in_sight(places, looked_at), *_in_sight(there, looked_at)),
    )
    return missed, Figure(clean, "Where the twin is judged", tuple(about))


def _in_sight(outlines: Sequence[_Outline], beside: Sequence[_Outline]) -> list[_Outline]:
    """Those in the rooms of others; a wall is between the rest and the camera."""
    rooms = {outline.obj.room for outline in beside}
    return [outline for outline in outlines if outline.obj.room in rooms]


def _told(style: str, drawn: Sequence[_Outline]) -> str:
    names = [f"{item.obj.label} {item.obj.instance_id}" for item in drawn if item.style == style]
    return f"{_STYLES[style]}: {', '.join(names)}"


def write_review_page(folder: str | Path, path: str | Path) -> int:
    """Write the page of a set; returns the number of pairs on it.

    Raises:
        FormatError: the set cannot be read, or holds no pair.
    """
    episode_set = load_set(folder)
    pairs, _ = pairs_of(episode_set, load_truths(episode_set.folder, episode_set.episodes))
    if not pairs:
        raise FormatError(f"{folder} holds no pair of a noisy and a clean question; there is nothing to review")
    write_page(path, review_page(episode_set, pairs))
    return len(pairs)


def review_page(episode_set: EpisodeSet, pairs: dict[str, Pair]) -> str:
    """The whole page as HTML."""
    return render(
        __package__,
        "review.html",
        about={"schema": SCHEMA, "set": episode_set.info.content_hash, "name": episode_set.folder.name},
        types=list(dict.fromkeys(pair.noisy.gold.noise_type.name for pair in pairs.values())),
        accept=ACCEPT,
        reject=REJECT,
        pairs=_articles(episode_set, pairs),
    )


def _articles(episode_set: EpisodeSet, pairs: dict[str, Pair]) -> Iterator[dict[str, Any]]:
    @lru_cache(maxsize=1)
    def graph_of(scene: str) -> SceneGraph:
        return load_graph(episode_set.scene_folder(scene))

    for key, pair in pairs.items():
        graph = graph_of(pair.noisy.episode.scene)
        yield {
            "key": key,
            "type": pair.noisy.gold.noise_type.name,
            "kind": pair.noisy.gold.kind,
            "rows": _rows(pair, graph),
            "figures": [figure.html(episode_set) for figure in figures_of(pair, graph)],
        }


def _rows(pair: Pair, graph: SceneGraph) -> tuple[tuple[str, str], ...]:
    """What is told of a pair: names and values."""
    noisy, clean = pair.noisy, pair.clean
    latent = noisy.gold.noise_type == NoiseType.LATENT
    rows: tuple[tuple[str, str], ...] = (
        ("Noisy question", noisy.text),
        ("Twin", clean.text),
        ("Fact about the twin" if latent else "Fact", "; ".join(_facts(clean.gold, graph))),
        ("Falsehood", noisy.gold.false_claim),
        ("Correction", noisy.gold.correction),
        ("Corrected question", noisy.gold.corrected_question or "none: what it asks about is not there"),
        ("Answer to it", _answers(noisy.gold) or "none"),
        ("Answer to the twin", _answers(clean.gold)),
    )
    there = ", ".join(_counted(claimed_contents(noisy.gold, clean.gold, graph)))
    if latent or noisy.gold.noise_type == NoiseType.POSITION:
        rows = (*rows[:4], ("At the claimed place", there or "nothing"), *rows[4:])
    return rows


def _facts(truth: TruthQuestion, graph: SceneGraph) -> Iterator[str]:
    """What the scene graph says of the objects that the twin is about."""
    truths = Truths(graph, RelationSettings(), hidden=False)
    for target in truth.target_instances:
        node = truths.nodes[target]
        room = truths.word(node, "room")
        words = (*node.states, node.color, node.shape, node.material, node.label)
        place = truths.word(node, "place")
        where = place if not room or place == f"in the {room}" else f"{place}, in the {room}"
        yield f"{' '.join(word for word in words if word)} (id {target}) {where}"


def _counted(objects: Iterable[GraphNode]) -> Iterator[str]:
    """The kinds of objects, and how many there are of each."""
    for label, number in sorted(Counter(obj.label for obj in objects).items()):
        yield label if number == 1 else f"{label} ({number})"


def _answers(truth: TruthQuestion) -> str:
    others = f" (or {', '.join(truth.accepted)})" if truth.accepted else ""
    return truth.answer + others if truth.answer else ""
