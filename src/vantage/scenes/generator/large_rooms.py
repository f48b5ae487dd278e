"""What large rooms have beside the furniture of a usual one: further groups, also away from the walls."""

from __future__ import annotations

import math
from collections.abc import Callable

from vantage.scenes.generator.object_groups import bed_corner, before, desk_corner, dining_group, seating_group
from vantage.scenes.generator.placement import FLAT, GAP, HEAD, Room
from vantage.scenes.spec import Box

_TRIES = 40
_AROUND = 0.7  # m that stay free around what stands in the middle of a room
_BEFORE_TABLE = 0.3  # m between a low table and the seats around it
_BEFORE_ISLAND = 0.06  # m between a worktop and the stools before it
_SEATS = 2  # least number around a low table


def lounge(room: Room) -> bool:
    """Armchairs around a low table in the open; False where a room has no space for it."""
    table = room.model("coffee table")
    low, high = table.extent()
    reach = max(high[0] - low[0], high[1] - low[1]) * 0.5 + 1.0
    for _ in range(_TRIES):
        empty = room.mark()
        host = _in_the_open(room, reach, lambda x, y, yaw: room.try_put(table, (x, y, 0.0), yaw))
        if host is None:
            return False
        chair = room.model("armchair", avoid=(table.style.color,))
        front, placed = chair.extent()[1][0], 0
        for ahead, aside, turn in (
            (high[0] + _BEFORE_TABLE + front, 0.0, math.pi),
            (low[0] - _BEFORE_TABLE - front, 0.0, 0.0),
            (0.0, high[1] + _BEFORE_TABLE + front, -0.5 * math.pi),
        ):
            x, y = before(room.obj(host), ahead, aside)
            placed += room.try_put(chair, (x, y, 0.0), room.obj(host).yaw + turn) is not None
        if placed >= _SEATS:
            return True
        room.undo(empty)
    return False


def island(room: Room) -> bool:
    """A worktop in the open with stools behind it; False where a room has no space for it."""
    units = room.objects("counter")
    top = room.model("counter", units[0].color if units else "")
    low, high = top.reach()
    reach = 0.5 * max(high[0] - low[0], high[1] - low[1]) + _AROUND
    host = _in_the_open(room, reach, lambda x, y, yaw: room.try_put(top, (x, y, 0.0), yaw), _AROUND)
    if host is None:
        return False
    stool = room.model("stool")
    back, aside = top.extent()[0][0] - _BEFORE_ISLAND - stool.extent()[1][0], 0.25 * (high[1] - low[1])
    for side in (-aside, aside):
        room.try_put(stool, (*before(room.obj(host), back, side), 0.0), room.obj(host).yaw, in_aisle=True)
    return True


def _in_the_open(
    room: Room, reach: float, put: Callable[[float, float, float], int | None], around: float = 0.0
) -> int | None:
    """Put something at a place ``reach`` m from the edges of a room, square to its walls."""
    if any(room.high[k] - room.low[k] <= 2 * (reach + GAP) for k in (0, 1)):
        return None
    for _ in range(_TRIES):
        x, y = (float(room.rng.uniform(room.low[k] + reach, room.high[k] - reach)) for k in (0, 1))
        area: Box = ((x - reach, y - reach, FLAT), (x + reach, y + reach, HEAD))
        if around > 0 and not room.is_free(area):
            continue
        placed = put(x, y, 0.5 * math.pi * int(room.rng.integers(4)))
        if placed is not None:
            return placed
    return None


MORE_GROUPS: dict[str, tuple[Callable[[Room], bool], ...]] = {
    "living room": (lounge, dining_group, desk_corner, seating_group),
    "bedroom": (desk_corner, lounge, bed_corner),
    "kitchen": (island, dining_group, dining_group),
    "office": (desk_corner, lounge, dining_group),
    "hall": (lounge,),
}  # by kind of room, of which large ones have some more than once


def add_groups(room: Room) -> None:
    """Put a group into a large room for each usual room that would fit beside the first, where it finds space."""
    groups = MORE_GROUPS.get(room.label, ())
    for turn in range(1, room.size):
        for k in room.rng.permutation(len(groups)).tolist()[: 1 + turn % 2]:
            empty = room.mark()
            if not groups[k](room):
                room.undo(empty)
