"""What a recording did, drawn as SVG over a render: path, views, collisions, evidence, goal; hidden parts faint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Intrinsics, Viewpoint, apply, invert
from vantage.splats.rendering import RenderedView

_HIDDEN_BY = 0.12  # m in front of a point, from which on it counts as hidden
_NEAR = 0.05  # m
_LINE, _LETTER = 13, 7  # pixels of a name: its height, and the width of a letter, nearly
SIGHT = 0.35  # m, of a frustum as drawn
PATH, NOW, BUMPED, EVIDENCE, GOAL = "#ffd43b", "#ff6b6b", "#ff2d2d", "#4dabf7", "#69db7c"


class Overlay:
    """Draws points of the world, m, over what a camera at ``viewpoint`` sees."""

    def __init__(self, view: RenderedView, viewpoint: Viewpoint, camera: Intrinsics) -> None:
        self._depth, self._camera = view.depth, camera
        self._T_camera_world = invert(viewpoint.T_world_camera_optical())
        self._parts: list[str] = []

    @property
    def svg(self) -> str:
        return "".join(self._parts)

    def path(self, viewpoints: Sequence[Viewpoint]) -> None:
        """Lines between positions, one after another."""
        self._lines([(a.position, b.position) for a, b in pairwise(viewpoints)], PATH, 2.5)

    def frustum(self, viewpoint: Viewpoint, fov: float, color: str, name: str, sight: float = SIGHT) -> None:
        """Where a camera looked, with a horizontal field of view in rad, drawn ``sight`` m deep."""
        half = sight * math.tan(0.5 * fov)
        pose = viewpoint.T_world_camera_optical()
        corners = np.array([[half * x, 0.75 * half * y, sight] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        corners = apply(pose, corners)
        sides = [(viewpoint.position, corner) for corner in corners]
        self._parts.append(f"<g><title>{escape(name)}</title>")
        self._lines([*sides, *zip(corners, np.roll(corners, -1, axis=0), strict=True)], color, 1.5)
        self._parts.append("</g>")

    def mark(self, position: NDArray[np.float64], color: str, name: str) -> None:
        """A dot with a name that the mouse tells."""
        columns, rows, drawn, hidden = self._pixels(np.asarray(position, np.float64)[None])
        if drawn[0]:
            self._parts.append(
                f'<circle cx="{columns[0]:.1f}" cy="{rows[0]:.1f}" r="5" fill="{color}" stroke="#000" '
                f'opacity="{_opacity(bool(hidden[0]))}" pointer-events="all"><title>{escape(name)}</title></circle>'
            )

    def _lines(self, ends: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]], color: str, width: float) -> None:
        """Lines in pieces, of which each is seen or hidden; those of a kind are one element."""
        if not ends:
            return
        points, lengths = [], []
        for a, b in ends:
            pieces = max(1, min(12, math.ceil(float(np.linalg.norm(b - a)) / 0.1)))
            points.append(a + (b - a) * np.linspace(0.0, 1.0, pieces + 1)[:, None])
            lengths.append(pieces + 1)
        columns, rows, drawn, hidden = self._pixels(np.concatenate(points))
        ways: dict[bool, list[str]] = {False: [], True: []}
        first = 0
        for length in lengths:
            last: int | None = None  # the point at which the line so far ends
            kind = False
            for at in range(first, first + length - 1):
                if not (drawn[at] and drawn[at + 1]):
                    last = None
                    continue
                faint = bool(hidden[at] or hidden[at + 1])
                if last != at or faint != kind:
                    ways[faint].append(f"M{columns[at]:.1f} {rows[at]:.1f}")
                ways[faint].append(f"L{columns[at + 1]:.1f} {rows[at + 1]:.1f}")
                last, kind = at + 1, faint
            first += length
        for faint, way in ways.items():
            if way:
                self._parts.append(
                    f'<path d="{"".join(way)}" fill="none" stroke="{color}" stroke-width="{width}" '
                    f'opacity="{_opacity(faint)}"/>'
                )

    def _pixels(
        self, points: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Of points (N, 3): columns, rows, which are to be drawn, and which have something in front.

        Not drawn is what lies behind the camera or far outside the picture.
        """
        x, y, z = apply(self._T_camera_world, points).T
        ahead = z >= _NEAR
        z = np.where(ahead, z, 1.0)
        columns = self._camera.fx * x / z + self._camera.cx
        rows = self._camera.fy * y / z + self._camera.cy
        drawn = ahead & (columns > -2000) & (columns < 4000) & (rows > -2000) & (rows < 4000)
        height, width = self._depth.shape
        inside = drawn & (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        depth = np.full(len(points), np.inf)
        depth[inside] = self._depth[rows[inside].astype(int), columns[inside].astype(int)]
        return columns, rows, drawn, np.isfinite(depth) & (depth < z - _HIDDEN_BY)


def boxes_svg(boxes: Sequence[tuple[str, int, int, int, int]]) -> str:
    """Named boxes over a picture: label, column, row, width, height. Names that would lie over others are left out."""
    parts: list[str] = []
    named: list[tuple[int, int, int, int]] = []
    for label, x, y, width, height in sorted(
        boxes, key=lambda box: box[3] * box[4]
    ):  # names of the large can be guessed
        parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="{EVIDENCE}" '
            f'stroke-width="2"/>'
        )
        text = label[:40]
        left, top = x + 3, max(12, y + 13)
        space = left, top - _LINE, left + _LETTER * len(text), top
        if any(space[0] < b[2] and b[0] < space[2] and space[1] < b[3] and b[1] < space[3] for b in named):
            continue
        named.append(space)
        parts.append(
            f'<text x="{left}" y="{top}" font-size="13" fill="#fff" stroke="#000" stroke-width="3" '
            f'paint-order="stroke">{escape(text)}</text>'
        )
    return "".join(parts)


def _opacity(hidden: bool) -> float:
    return 0.28 if hidden else 1.0
