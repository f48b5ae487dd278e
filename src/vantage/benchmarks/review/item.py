"""One item of a review page: what is told of it, and its pictures with outlines around what matters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from vantage.benchmarks.labelling import box_in_image
from vantage.html_pages import jpeg_url, render
from vantage.pictures import decode_picture
from vantage.scenes.graph import GraphNode
from vantage.spatial import Intrinsics, Viewpoint

Picture = NDArray[np.uint8]

_WIDTH = 440  # of a picture, pixels
_STYLES = {"about": "about", "place": "place", "there": "also there"}
_LETTERS = 15  # height of those in a picture, pixels of the picture as it was taken, for one of 640 columns
_TAKEN = 640


@dataclass(frozen=True)
class Outline:
    """An object to be outlined: ``about`` for what a question is about, ``place``, or ``there`` for what is at that."""

    obj: GraphNode
    style: str


@dataclass(frozen=True)
class ViewFigure:
    """One picture of an item.

    Attributes:
        take: gives the RGB picture (H, W, 3); None where there is none.
        viewpoint: from where it was taken, world frame; without it nothing is outlined.
    """

    caption: str
    take: Callable[[], Picture | None]
    viewpoint: Viewpoint | None = None
    outlines: tuple[Outline, ...] = ()

    def html(self, fov: float) -> Markup:
        """The picture with its outlines and its caption.

        Args:
            fov: horizontal field of view, rad.
        """
        image = self.take()
        if image is None:
            return Markup(render(__package__, "review_figure.html", source="", caption=self.caption))
        rows, columns = image.shape[:2]
        drawn = list(self._drawn(Intrinsics.from_fov(columns, rows, fov)))
        seen = [outline for outline, _ in drawn]
        page = render(
            __package__,
            "review_figure.html",
            source=jpeg_url(image, _WIDTH),
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

    def _drawn(self, intrinsics: Intrinsics) -> Iterator[tuple[Outline, tuple[float, float, float, float]]]:
        """The outlines that fall on the picture, with left, top, right and bottom in pixels."""
        if self.viewpoint is None:
            return
        for outline in self.outlines:
            box = box_in_image(outline.obj.bounds_min, outline.obj.bounds_max, self.viewpoint, intrinsics)
            if box is not None:
                yield outline, box


@dataclass(frozen=True)
class ReviewItem:
    """What people accept or reject as one.

    Attributes:
        group: by which the page can be sifted, such as a category.
        kind: what else stands beside its key.
        rows: names and values.
    """

    key: str
    group: str
    kind: str
    rows: tuple[tuple[str, str], ...]
    figures: tuple[ViewFigure, ...]


def picture_of(path: Path) -> Picture | None:
    """The RGB picture (H, W, 3) in a file; None where there is none that can be read."""
    image = decode_picture(path.read_bytes()) if path.is_file() else None
    return None if image is None else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)


def _told(style: str, drawn: list[Outline]) -> str:
    names = [f"{item.obj.label} {item.obj.instance_id}" for item in drawn if item.style == style]
    return f"{_STYLES[style]}: {', '.join(names)}"
