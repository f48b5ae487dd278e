"""A robot that cannot turn where it stands drives as it stands to where there is more room."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from toy_home import LIMITS

from vantage.perception.map import FREE, OCCUPIED, CoverageMap
from vantage.planning.skills.floor import FloorMap
from vantage.planning.skills.going import at_more_room
from vantage.spatial import Viewpoint
from vantage.types import Status

CORRIDOR = [(0.0, 0.0, 1.7, 1.6), (0.0, 2.3, 1.7, 4.0)]  # 0.7 m wide along x, up to a room


def seen(filled: Any) -> CoverageMap:
    """A floor of 4 x 4 m that was seen everywhere, with things on it in some boxes (x0, y0, x1, y1), m."""
    space = CoverageMap((0.0, 0.0, -0.025), (4.0, 4.0, 1.575), 0.05)
    space._states[:, :, 0] = OCCUPIED
    space._states[:, :, 1:] = FREE
    for x0, y0, x1, y1 in filled:
        i0, j0, i1, j1 = (round(value / 0.05) for value in (x0, y0, x1, y1))
        space._states[i0:i1, j0:j1, 2:] = OCCUPIED
    return space


def went(x: float, status: Status = Status.DONE, filled: Any = CORRIDOR) -> tuple[bool, Viewpoint]:
    """Whether there was more room and it got there, and where it is then."""
    floor = FloorMap(seen(filled), 0.22, (x, 1.95))
    now: Any = SimpleNamespace(
        here=Viewpoint(x, 1.95, 1.4, 0.3, -0.5), floor=floor, last=None, info=SimpleNamespace(limits=LIMITS)
    )
    steps = at_more_room(now)
    try:
        while True:
            command = next(steps)
            if status is Status.DONE:
                now.here = command.target
            now.last = SimpleNamespace(status=status, reason="it met a wall")
    except StopIteration as stop:
        return stop.value, now.here


def test_it_leaves_a_corridor_without_turning() -> None:
    done, here = went(1.3)
    assert done
    assert here.x > 1.9
    assert here.yaw == pytest.approx(0.3)


def test_where_there_is_room_it_stays() -> None:
    assert went(2.8, filled=[]) == (False, Viewpoint(2.8, 1.95, 1.4, 0.3, -0.5))


def test_a_way_that_is_barred_is_told() -> None:
    assert not went(1.3, Status.COLLIDED)[0]
