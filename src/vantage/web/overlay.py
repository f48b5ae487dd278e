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
        for a, b in pairwise(viewpoints):
            self._line(a.position, b.position, PATH, 2.5)

    def frustum(self, viewpoint: Viewpoint, fov: float, color: str, name: str, sight: float = SIGHT) -> None:
        """Where a camera looked, with a horizontal field of view in rad, drawn ``sight`` m deep."""
        half = sight * math.tan(0.5 * fov)
        pose = viewpoint.T_world_camera_optical()
        corners = np.array([[half * x, 0.75 * half * y, sight] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        corners = apply(pose, corners)
        self._parts.append(f"<g><title>{escape(name)}</title>")
        for corner, following in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            self._line(viewpoint.position, corner, color, 1.5)
            self._line(corner, following, color, 1.5)
        self._parts.append("</g>")

    def mark(self, position: NDArray[np.float64], color: str, name: str) -> None:
        """A dot with a name that the mouse tells."""
        at = self._pixel(position)
        if at is not None:
            x, y, hidden = at
            self._parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{color}" stroke="#000" opacity="{_opacity(hidden)}">'
                f"<title>{escape(name)}</title></circle>"
            )

    def _line(self, a: NDArray[np.float64], b: NDArray[np.float64], color: str, width: float) -> None:
        """In pieces, of which each is seen or hidden."""
        pieces = max(1, min(12, math.ceil(float(np.linalg.norm(b - a)) / 0.1)))
        spots = [self._pixel(a + (b - a) * share) for share in np.linspace(0.0, 1.0, pieces + 1)]
        for one, other in pairwise(spots):
            if one is not None and other is not None:
                self._parts.append(
                    f'<line x1="{one[0]:.1f}" y1="{one[1]:.1f}" x2="{other[0]:.1f}" y2="{other[1]:.1f}" '
                    f'stroke="{color}" stroke-width="{width}" opacity="{_opacity(one[2] or other[2])}"/>'
                )

    def _pixel(self, point: NDArray[np.float64]) -> tuple[float, float, bool] | None:
        """Column, row and whether something is in front; None behind the camera or far outside the picture."""
        x, y, z = (float(value) for value in apply(self._T_camera_world, np.asarray(point, np.float64)[None])[0])
        if z < _NEAR:
            return None
        u = self._camera.fx * x / z + self._camera.cx
        v = self._camera.fy * y / z + self._camera.cy
        if not (-2000 < u < 4000 and -2000 < v < 4000):
            return None
        height, width = self._depth.shape
        inside = 0 <= u < width and 0 <= v < height
        depth = float(self._depth[int(v), int(u)]) if inside else math.nan
        return u, v, math.isfinite(depth) and depth < z - _HIDDEN_BY


def boxes_svg(boxes: Sequence[tuple[str, int, int, int, int]]) -> str:
    """Named boxes over a picture: label, column, row, width, height."""
    parts = []
    for label, x, y, width, height in boxes:
        parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="{EVIDENCE}" '
            f'stroke-width="2"/>'
            f'<text x="{x + 3}" y="{max(12, y + 13)}" font-size="13" fill="#fff" stroke="#000" stroke-width="3" '
            f'paint-order="stroke">{escape(label[:40])}</text>'
        )
    return "".join(parts)


def _opacity(hidden: bool) -> float:
    return 0.28 if hidden else 1.0
