"""What was put is looked at: it is there, it is seen elsewhere, or no view shows it."""

import math

import numpy as np
import pytest
from drawn_room import TABLE, put
from skill_runs import CRATE, MUG, Run, box_of, toy_home
from toy_home import ToyHome

from vantage.perception.map import Box
from vantage.planning.skills import Failure, LookAround, Pick, WatchedPut
from vantage.planning.skills.watched_put import is_seen_there

BASKET = Box(1, "basket", (0.0, 0.0, 0.0), (0.4, 0.4, 0.3))
BENCH = Box(2, "bench", (0.0, 0.0, 0.0), (1.0, 0.4, 0.5))
SHELF_ON_WALL = Box(3, "shelf", (0.0, 0.0, 1.2), (1.0, 0.4, 1.24))
RUG = Box(4, "rug", (0.0, 0.0, 0.0), (1.0, 1.0, 0.02))
CABINET = Box(5, "cabinet", (0.0, 0.0, 1.0), (0.8, 0.4, 1.8))
ROOM = Box(6, "floor", (0.0, 0.0, -0.1), (4.0, 4.0, 0.0))


def box(x, y, bottom, top, size=0.1):
    return (x - size / 2, y - size / 2, bottom), (x + size / 2, y + size / 2, top)


@pytest.mark.parametrize(
    ("seen", "place", "relation", "there"),
    [
        (box(0.2, 0.2, 0.01, 0.06), BASKET, "in", True),
        (box(0.2, 0.2, 0.2, 0.4), BASKET, "in", True),
        (box(0.2, 0.2, 0.29, 0.34), BASKET, "in", False),  # across the rim
        (box(0.5, 0.2, 0.0, 0.05), BASKET, "in", False),  # beside it
        (box(0.2, 0.2, 0.01, 0.06, 0.6), BASKET, "in", False),  # around it
        (box(0.5, 0.2, 0.5, 0.6), BENCH, "on", True),
        (box(0.5, 0.2, 0.3, 0.4), BENCH, "on", True),  # a seat below a back
        (box(0.5, 0.2, 0.0, 0.1), BENCH, "on", False),  # under it
        (box(0.5, 0.2, 0.7, 0.8), BENCH, "on", False),  # in the air: on something that stands there
        (box(0.5, 0.2, 0.0, 0.1), SHELF_ON_WALL, "on", False),  # far below
        (box(0.5, 0.5, 0.01, 0.1), RUG, "on", True),
        (box(0.4, 0.2, 1.05, 1.2), CABINET, "in", True),
        (box(0.4, 0.2, 1.8, 1.9), CABINET, "in", False),  # on its top
        (box(0.4, -0.2, 0.0, 0.1), CABINET, "in", False),
        (box(2.0, 2.0, 0.0, 0.1), ROOM, "in", True),
        (box(5.0, 2.0, 0.0, 0.1), ROOM, "in", False),
    ],
)
def test_where_a_thing_is_seen_tells_whether_it_is_in_or_on_another(seen, place, relation, there):
    assert is_seen_there(seen, place, relation, seen[1][2] - seen[0][2], 0.0) is there


def test_what_stands_out_of_a_basket_is_in_it_by_its_height():
    tip = box(0.2, 0.2, 0.3, 0.4)  # all that shows of it
    assert is_seen_there(tip, BASKET, "in", 0.38, 0.0)
    assert not is_seen_there(tip, BASKET, "in", 0.1, 0.0)


class Rolling(ToyHome):
    """What is let go in it lands on the floor beside, as far (m) to the left as ``beside`` says, or disappears."""

    beside = 0.0

    def _drop(self):
        held, self.held = self.held, 0
        if not held:
            return
        self.world.boxes = [box for box in self.world.boxes if box[0] != held]
        if self.beside:
            x, y, _ = self.T_world_tool()[:3, 3]
            x, y = x - self.beside * math.sin(self.here.yaw), y + self.beside * math.cos(self.here.yaw)
            put(self.world, held, "mug", x, y, 0.0, "red", "ceramic", (0.08, 0.08, 0.1))


def rolling(beside):
    made = toy_home()
    made.world.boxes = [box for box in made.world.boxes if box[0] != CRATE]
    made.world.add(CRATE, "stool", (3.4, 2.6, 0.0), (3.7, 2.9, 0.6), "red", "wood")
    home = Rolling(made.world, made.movable, made.masses)
    home.beside = beside
    run = Run(home)
    assert run(LookAround()).done
    assert run(Pick(MUG)).done
    return run


def test_what_is_seen_where_it_was_put_is_done():
    run = Run(toy_home())
    assert run(LookAround()).done
    assert run(Pick(MUG)).done
    result = run(WatchedPut(CRATE))
    assert result.done, result
    assert not result.unseen
    assert run.now.memory.support_of(run.now.get(MUG)).key == CRATE


def test_what_is_seen_elsewhere_has_failed_and_is_known_to_be_there():
    run = rolling(0.4)
    result = run(WatchedPut(CRATE))
    assert result.failure is Failure.SLIPPED, result
    assert "take it up again" in result.reason
    obj, (low, _) = run.now.get(MUG), box_of(run.home, MUG)
    np.testing.assert_allclose(obj.bounds_min[:2], low[:2], atol=0.05)
    assert obj.bounds_min[2] < 0.1


def test_what_no_view_shows_is_looked_for_from_elsewhere_and_told():
    run = rolling(0.0)
    result = run(WatchedPut(CRATE))
    assert result.done, result
    assert result.unseen == "the mug was put on the stool and was not seen there; look there"
    where = {(round(c.target.x, 1), round(c.target.y, 1)) for c in run.home.commands[-8:] if c.target is not None}
    assert len(where) > 1, "from more than one place"


def test_nothing_held_is_told_as_it_was():
    run = Run(toy_home())
    assert run(LookAround()).done
    assert run(WatchedPut(TABLE)).failure is Failure.NOT_HELD
    assert run(Pick(MUG)).done
    assert run(WatchedPut(99)).failure is Failure.NOT_SEEN
