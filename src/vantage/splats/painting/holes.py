"""The insides of the holes in walls: their sides through the thickness of a wall, and the floor of doorways."""

from __future__ import annotations

import math

import numpy as np

from vantage.scenes.spec.spec import ObjectSpec, Opening
from vantage.splats.painting.pieces import Neighbours, Plan, place_in
from vantage.splats.painting.samples import Array
from vantage.splats.painting.sheets import Sheet, graded_cells, pitched_cells

_CELL = 0.05  # m: largest cell


def thresholds(floor: ObjectSpec, near: Neighbours, at: int, plan: Plan) -> None:
    """The floor in doorways up to the middle of the wall, where the floor itself does not reach under it."""
    top = max(part.center[2] + 0.5 * part.size[2] for part in floor.parts)
    for opening in near.spec.openings:
        if floor.room not in opening.rooms or opening.low[2] > floor.position[2] + top + 0.01:
            continue
        low, high = (np.subtract(corner, floor.position)[:2] for corner in (opening.low, opening.high))
        if any(
            (np.abs(0.5 * (low + high) - part.center[:2]) < 0.5 * np.asarray(part.size[:2])).all()
            for part in floor.parts
        ):
            continue
        columns, rows = (pitched_cells(0.0, float(length), _CELL) for length in high - low)
        corner = (float(low[0]), float(low[1]), top)
        plan.sheets.append(
            Sheet(at, corner, (float(high[0] - low[0]), 0.0, 0.0), (0.0, float(high[1] - low[1]), 0.0), columns, rows)
        )


def reveals(wall: ObjectSpec, near: Neighbours, at: int, plan: Plan) -> None:
    """The sides of the holes in a wall, through its thickness, where no frame hides them."""
    back = min(part.center[0] - 0.5 * part.size[0] for part in wall.parts)
    front = max(part.center[0] + 0.5 * part.size[0] for part in wall.parts)
    left = min(part.center[1] - 0.5 * part.size[1] for part in wall.parts)
    right = max(part.center[1] + 0.5 * part.size[1] for part in wall.parts)
    frames = {thing.instance_id: thing for thing in near.around(wall)}
    for opening in near.spec.openings:
        low, high = _in_frame(opening, wall)
        if not (low[0] < 0.5 * (back + front) < high[0] and left - 1e-6 < low[1] and high[1] < right + 1e-6):
            continue
        frame = frames.get(opening.instance)
        for axis, sign in ((1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)):
            if axis == 2 and sign > 0 and low[2] < 0.01:
                continue  # the threshold belongs to the floor
            if frame is None or not _is_framed(frame, wall, low, high, axis, sign, 0.5 * (back + front)):
                plan.sheets.append(_reveal(at, (back, front), low, high, axis, sign))


def _reveal(at: int, span: tuple[float, float], low: Array, high: Array, axis: int, sign: float) -> Sheet:
    """The side of a hole at its lower (sign 1) or upper end of an axis, facing into the hole."""
    other = 3 - axis
    corner = [span[0], 0.0, 0.0]
    corner[axis], corner[other] = (low if sign > 0 else high)[axis], low[other]
    across, along = [span[1] - span[0], 0.0, 0.0], [0.0, 0.0, 0.0]
    along[other] = float(high[other] - low[other])
    u, v = (across, along) if np.cross(across, along)[axis] * sign > 0 else (along, across)
    columns, rows = (
        graded_cells(round(across[0], 9), _CELL) if edge is across else pitched_cells(0.0, along[other], _CELL)
        for edge in (u, v)
    )
    x, y, z = (float(value) for value in corner)
    return Sheet(at, (x, y, z), (u[0], u[1], u[2]), (v[0], v[1], v[2]), columns, rows)


def _is_framed(
    frame: ObjectSpec, wall: ObjectSpec, low: Array, high: Array, axis: int, sign: float, middle: float
) -> bool:
    """Whether a part of what fills a hole lies against one of its sides."""
    x, y, z, yaw = place_in(frame, wall)
    spot = 0.5 * (low + high)
    spot[0], spot[axis] = middle, (low if sign > 0 else high)[axis] + sign * 0.01
    c, s = math.cos(yaw), math.sin(yaw)
    dx, dy = spot[0] - x, spot[1] - y
    local = np.array([c * dx + s * dy, c * dy - s * dx, spot[2] - z])
    return any((np.abs(local - part.center) <= 0.5 * np.asarray(part.size) + 1e-6).all() for part in frame.parts)


def _in_frame(opening: Opening, wall: ObjectSpec) -> tuple[Array, Array]:
    """Corners (3,) of an opening in the frame of a wall, m."""
    c, s = math.cos(wall.yaw), math.sin(wall.yaw)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    corners = np.array([opening.low, opening.high]) - wall.position
    turned = corners @ turn.T
    return turned.min(axis=0), turned.max(axis=0)
