import numpy as np

from vantage.scenes.generator.floor_plan import leads_to, plan_rooms
from vantage.scenes.generator.opening_plan import OUTSIDE, plan_openings
from vantage.scenes.generator.planned_rooms import PlannedRoom, outer_walls


def planned(seed, count):
    """A plan of so many rooms that has space for its doors, and its openings."""
    rng = np.random.default_rng(seed)
    while True:
        plan = plan_rooms(rng, count)
        openings = plan_openings(rng, plan) if plan else None
        if openings:
            return plan, openings


def test_openings_lie_in_the_walls_between_their_rooms():
    for count in (2, 4, 7):
        plan, openings = planned([3, count], count)
        for opening in openings:
            for index in set(opening.rooms) - {OUTSIDE}:
                room, along = plan[index], 1 - opening.axis
                assert opening.at in (room.low[opening.axis], room.high[opening.axis])
                assert room.inner_low[along] < opening.low < opening.high < room.inner_high[along]


def test_every_pair_that_must_be_joined_is():
    plan, openings = planned(4, 6)
    joined = {frozenset(opening.rooms) for opening in openings}
    assert {frozenset(pair) for pair in leads_to(plan)} <= joined


def test_private_rooms_have_doors_that_open_into_them():
    plan, openings = planned(5, 5)
    for opening in openings:
        kinds = [plan[index].label for index in opening.rooms if index != OUTSIDE]
        if opening.kind != "window" and {"bathroom", "bedroom"} & set(kinds):
            assert opening.kind == "door"
            assert kinds[0] in ("bathroom", "bedroom")


def test_most_homes_with_a_hall_are_entered_by_it():
    entered = []
    for count in range(4, 11):
        for seed in range(3):
            plan, openings = planned([seed, count], count)
            (entrance,) = (each for each in openings if OUTSIDE in each.rooms and each.kind == "door")
            entered.append(plan[max(entrance.rooms)].label)
    assert entered.count("hall") >= 0.8 * len(entered)


def test_rooms_that_do_not_touch_cannot_be_joined():
    plan = (PlannedRoom("hall", (0.0, 0.0), (3.0, 2.0)), PlannedRoom("bedroom", (5.0, 0.0), (8.0, 4.0)))
    assert plan_openings(np.random.default_rng(0), plan) is None


def test_outer_walls_have_nothing_behind_them():
    plan = (PlannedRoom("hall", (0.0, 0.0), (3.0, 2.0)), PlannedRoom("bedroom", (3.0, 0.0), (6.0, 2.0)))
    assert [(wall.axis, wall.at) for wall in outer_walls(plan, 0)] == [(0, 0.0), (1, 0.0), (1, 2.0)]
