"""Rays through a map of voxels, cast by compiled code: what lies along them, and which points can be seen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vantage.jit import kernel
from vantage.perception.map import OCCUPIED, UNKNOWN
from vantage.planning.view_planning.ray_ends import OPEN, OUTSIDE

USUAL = 2.0  # m at which a voxel along a ray counts as one: rays diverge, so that farther ones stand for more space
THROUGH = 0.97  # chance that an unknown voxel does not block the view of what is behind it


@kernel
def cast(
    states: Any,
    weights: Any,
    origin: Any,
    voxel: Any,
    positions: Any,
    directions: Any,
    reach: Any,
    ends: Any,
    rows: Any,
) -> Any:
    """Expected weight of unknown voxels seen along each ray from each position, shape (positions, directions).

    What is behind unknown space may be hidden by what is in it: behind a wall not seen yet lies nothing to be seen.
    ``ends`` and ``rows``: a table of where rays ended, and its row of each position; see ``RayEnds``.
    """
    found = np.zeros((positions.shape[0], directions.shape[0]), np.float32)
    steps = int(reach / voxel)
    flat = states.ravel()
    for p in range(positions.shape[0]):
        ended = ends[rows[p]]
        x = (positions[p, 0] - origin[0]) / voxel
        y = (positions[p, 1] - origin[1]) / voxel
        z = (positions[p, 2] - origin[2]) / voxel
        for d in range(directions.shape[0]):
            end = ended[d]
            if end == OUTSIDE or (end >= 0 and flat[end] == OCCUPIED):
                continue
            total, chance, end = np.float32(0.0), np.float32(1.0), OPEN
            for s in range(1, steps):
                i = math.floor(x + directions[d, 0] * s)
                j = math.floor(y + directions[d, 1] * s)
                k = math.floor(z + directions[d, 2] * s)
                if i < 0 or j < 0 or k < 0 or i >= states.shape[0] or j >= states.shape[1] or k >= states.shape[2]:
                    end = OUTSIDE
                    break
                state = states[i, j, k]
                if state == OCCUPIED:
                    end = (i * states.shape[1] + j) * states.shape[2] + k
                    break
                if state == UNKNOWN:
                    away = s * voxel / USUAL
                    total += chance * weights[i, j, k] * np.float32(away * away)
                    chance *= np.float32(THROUGH)
            found[p, d] = total
            ended[d] = end if chance == np.float32(1.0) else OPEN
    return found


@kernel
def shown_along(rays: Any, shares: Any) -> Any:
    """The product of rays (positions, directions), of which most are worth nothing, with shares (directions, views)."""
    found = np.zeros((rays.shape[0], shares.shape[1]), np.float32)
    for p in range(rays.shape[0]):
        row = found[p]
        for d in range(rays.shape[1]):
            each = rays[p, d]
            if each != 0.0:
                for v in range(shares.shape[1]):
                    row[v] += each * shares[d, v]
    return found


@kernel
def cast_in_turn(
    states: Any,
    weights: Any,
    origin: Any,
    voxel: Any,
    positions: Any,
    directions: Any,
    inside: Any,
    reach: Any,
    cell: Any,
    full: Any,
) -> Any:
    """As ``cast`` for views one after the other, of which each has its shares ``inside`` of the directions, shape
    (views,). The more of a cell of space (edge in voxels) was shown before, up to ``full`` voxels of it, the less it
    counts.
    """
    found = np.zeros(positions.shape[0], np.float32)
    shape = states.shape[0] // cell + 1, states.shape[1] // cell + 1, states.shape[2] // cell + 1
    shown = np.zeros(shape, np.float32)
    steps = int(reach / voxel)
    for p in range(positions.shape[0]):
        x = (positions[p, 0] - origin[0]) / voxel
        y = (positions[p, 1] - origin[1]) / voxel
        z = (positions[p, 2] - origin[2]) / voxel
        for d in range(directions.shape[0]):
            if inside[p, d] <= 0.0:
                continue
            chance = inside[p, d]
            for s in range(1, steps):
                i = math.floor(x + directions[d, 0] * s)
                j = math.floor(y + directions[d, 1] * s)
                k = math.floor(z + directions[d, 2] * s)
                if i < 0 or j < 0 or k < 0 or i >= states.shape[0] or j >= states.shape[1] or k >= states.shape[2]:
                    break
                state = states[i, j, k]
                if state == OCCUPIED:
                    break
                if state == UNKNOWN:
                    away = s * voxel / USUAL
                    counted = chance * np.float32(away * away)
                    before = shown[i // cell, j // cell, k // cell]
                    if before < full:
                        found[p] += counted * weights[i, j, k] * (np.float32(1.0) - before / full)
                        shown[i // cell, j // cell, k // cell] = before + counted
                    chance *= np.float32(THROUGH)
    return found


@kernel
def is_clear(states: Any, clearance: Any, origin: Any, voxel: Any, position: Any, point: Any, slack: Any) -> Any:
    """Whether no occupied voxel lies between a position and ``slack`` m before a point; sampled twice a voxel, but for
    samples that cannot be in one by the clearance of the blocks around (``CoverageMap.clearance``)."""
    dx, dy, dz = point[0] - position[0], point[1] - position[1], point[2] - position[2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    count = int(2.0 * (length - slack) / voxel)
    s = 1
    while s <= count:
        share = 0.5 * s * voxel / length
        i = math.floor((position[0] + dx * share - origin[0]) / voxel)
        j = math.floor((position[1] + dy * share - origin[1]) / voxel)
        k = math.floor((position[2] + dz * share - origin[2]) / voxel)
        s += 1
        if 0 <= i < states.shape[0] and 0 <= j < states.shape[1] and 0 <= k < states.shape[2]:
            away = int(clearance[i >> 1, j >> 1, k >> 1])
            if away > 1:
                s += 4 * (away - 1)  # as many samples are at most half as many voxels on
            elif away == 0 and states[i, j, k] == OCCUPIED:
                return False
    return True


@kernel
def are_clear(states: Any, clearance: Any, origin: Any, voxel: Any, position: Any, points: Any, slack: Any) -> Any:
    """The same for points (N, 3), shape (N,)."""
    clear = np.zeros(len(points), np.bool_)
    for k in range(len(points)):
        clear[k] = is_clear(states, clearance, origin, voxel, position, points[k], slack)
    return clear


@kernel
def shown_worth(
    states: Any,
    clearance: Any,
    origin: Any,
    voxel: Any,
    positions: Any,
    points: Any,
    worth: Any,
    slack: Any,
    margin: Any,
    axes: Any,
    slopes: Any,
) -> Any:
    """Sum of the worth of the points that each heading shows with all that lies within ``margin`` m of them.

    ``axes``: x, y and z of the optical axes x, y and z of each heading, shape (9, headings). ``slopes``: least and
    largest x / z and y / z of the image. Shape (positions, headings).
    """
    found = np.zeros((positions.shape[0], axes.shape[1]), np.float32)
    left, right, top, bottom = slopes[0], slopes[1], slopes[2], slopes[3]
    for p in range(positions.shape[0]):
        row = found[p]
        for q in range(points.shape[0]):
            each = worth[p, q]
            if each <= 0.0 or not is_clear(states, clearance, origin, voxel, positions[p], points[q], slack):
                continue
            dx = points[q, 0] - positions[p, 0]
            dy = points[q, 1] - positions[p, 1]
            dz = points[q, 2] - positions[p, 2]
            for h in range(axes.shape[1]):  # without branches, so that several headings are looked at at once
                ahead = axes[6, h] * dx + axes[7, h] * dy + axes[8, h] * dz
                depth = max(ahead, 1e-6)
                across = (axes[0, h] * dx + axes[1, h] * dy + axes[2, h] * dz) / depth
                down = (axes[3, h] * dx + axes[4, h] * dy + axes[5, h] * dz) / depth
                edge = margin / depth
                inside = (
                    (ahead > 1e-6)
                    & (left + edge <= across)
                    & (across < right - edge)
                    & (top + edge <= down)
                    & (down < bottom - edge)
                )
                row[h] += each if inside else 0.0
    return found
