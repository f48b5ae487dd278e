import numpy as np

from vantage.scenes.floor_plan import PlannedRoom, leads_to, plan_rooms
from vantage.scenes.openings import OUTSIDE, outer_walls, plan_openings


def test_openings_lie_in_the_walls_between_their_rooms():
    for count in (2, 4, 7):
        rng = np.random.default_rng([3, count])
        plan = plan_rooms(rng, count)
        for opening in plan_openings(rng, plan):
            for index in set(opening.rooms) - {OUTSIDE}:
                room, along = plan[index], 1 - opening.axis
                assert opening.at in (room.low[opening.axis], room.high[opening.axis])
                assert room.inner_low[along] < opening.low < opening.high < room.inner_high[along]


def test_every_pair_that_must_be_joined_is():
    rng = np.random.default_rng(4)
    plan = plan_rooms(rng, 6)
    joined = {frozenset(opening.rooms) for opening in plan_openings(rng, plan)}
    assert {frozenset(pair) for pair in leads_to(plan)} <= joined


def test_private_rooms_have_doors_that_open_into_them():
    rng = np.random.default_rng(5)
    plan = plan_rooms(rng, 5)
    for opening in plan_openings(rng, plan):
        kinds = [plan[index].label for index in opening.rooms if index != OUTSIDE]
        if opening.kind != "window" and {"bathroom", "bedroom"} & set(kinds):
            assert opening.kind == "door"
            assert kinds[0] in ("bathroom", "bedroom")


def test_rooms_that_do_not_touch_cannot_be_joined():
    plan = (PlannedRoom("hall", (0.0, 0.0), (3.0, 2.0)), PlannedRoom("bedroom", (5.0, 0.0), (8.0, 4.0)))
    assert plan_openings(np.random.default_rng(0), plan) is None


def test_outer_walls_have_nothing_behind_them():
    plan = (PlannedRoom("hall", (0.0, 0.0), (3.0, 2.0)), PlannedRoom("bedroom", (3.0, 0.0), (6.0, 2.0)))
    assert [(wall.axis, wall.at) for wall in outer_walls(plan, 0)] == [(0, 0.0), (1, 0.0), (1, 2.0)]
