"""A room of 4 x 3 x 2.5 m for tests: floor, ceiling, four walls, a red box and a green pillar, with its graph."""

from __future__ import annotations

import numpy as np

from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.splats.cloud import GaussianCloud
from vantage.splats.harmonics import C0
from vantage.types import Point

LOW: Point = (0.0, 0.0, 0.0)
HIGH: Point = (4.0, 3.0, 2.5)
SPACING = 0.06  # m
BOX_ID, PILLAR_ID = 7, 8

OBJECTS: tuple[tuple[str, Point, Point, Point], ...] = (
    ("floor", (0.7, 0.7, 0.6), (0, 0, 0), (4, 3, 0)),
    ("ceiling", (0.9, 0.9, 0.9), (0, 0, 2.5), (4, 3, 2.5)),
    ("wall", (0.6, 0.6, 0.8), (0, 0, 0), (0, 3, 2.5)),
    ("wall", (0.6, 0.8, 0.6), (4, 0, 0), (4, 3, 2.5)),
    ("wall", (0.8, 0.6, 0.6), (0, 0, 0), (4, 0, 2.5)),
    ("wall", (0.8, 0.8, 0.6), (0, 3, 0), (4, 3, 2.5)),
    ("box", (0.8, 0.1, 0.1), (2.2, 1.2, 0.0), (2.8, 1.8, 1.2)),
    ("pillar", (0.1, 0.7, 0.1), (1.0, 2.4, 0.0), (1.2, 2.6, 2.4)),
)


def _surface(low: Point, high: Point) -> np.ndarray:
    """Points (N, 3) on the surface of a box, some of whose edges may be zero."""
    lines = [np.linspace(a, b, max(1, round((b - a) / SPACING)) + 1) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 3)
    return grid[((grid == np.array(low)) | (grid == np.array(high))).any(axis=1)]


def small_room() -> tuple[GaussianCloud, SceneGraph]:
    """About 16,000 Gaussians; instance ids are 1, 2, ... in the order of ``THINGS``."""
    points, colors, ids, nodes = [], [], [], []
    for number, (label, rgb, low, high) in enumerate(OBJECTS, start=1):
        points.append(_surface(low, high))
        colors.append(np.tile(rgb, (len(points[-1]), 1)))
        ids.append(np.full(len(points[-1]), number))
        nodes.append(GraphNode(number, label, "", "", low, high))
    n = sum(len(part) for part in points)
    cloud = GaussianCloud(
        np.concatenate(points),
        np.full((n, 3), 0.6 * SPACING),
        np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)),
        np.full(n, 0.95),
        ((np.concatenate(colors) - 0.5) / C0)[:, None, :],
        np.concatenate(ids),
    )
    return cloud, SceneGraph("room", 0, LOW, HIGH, tuple(nodes))
