"""Homes with rooms of given areas, open plans and L-shapes."""

from collections import Counter

import numpy as np
import pytest
from row_tables import each_row

from vantage.errors import SceneError
from vantage.scenes.checks.scene_checks import check_placement
from vantage.scenes.generator.floor_plan import open_stretches, plan_rooms
from vantage.scenes.generator.generator import generate_home, shortcomings
from vantage.scenes.generator.home_layout import ROOM_KINDS, HomeForm, HomeLayout, usual_rooms
from vantage.scenes.generator.planned_rooms import PlannedRoom, shared_wall
from vantage.scenes.geometry.reachability import parted_rooms
from vantage.scenes.spec.outlines import polygon

LARGE = (10.0, 60.0)


@pytest.fixture(scope="module")
def large():
    """Homes by layout and number of rooms."""
    return {
        (layout, rooms): generate_home(17, rooms, layout=HomeLayout(LARGE, layout))
        for layout in ("closed", "open", "l-shaped")
        for rooms in (1, 2, 4)
    }


def test_rooms_have_the_areas_asked_for_and_stand_up_to_the_checks(large):
    for (_, rooms), home in large.items():
        assert len(home.rooms) == rooms
        assert shortcomings(home) == ()
        assert check_placement(home) == ()
        assert parted_rooms(home) == ()
        for room in home.rooms:
            assert 0.97 * LARGE[0] <= polygon(room.outline).area <= 1.03 * LARGE[1]


def test_open_homes_leave_walls_out_up_to_the_ceiling(large):
    for (layout, rooms), home in large.items():
        sides = [opening for opening in home.openings if opening.instance == 0]
        assert bool(sides) == (layout == "open" and rooms > 1)
        for opening in sides:
            labels = {room.label for room in home.rooms if room.room_id in opening.rooms}
            assert all(ROOM_KINDS[label].passage for label in labels)
            assert opening.high[2] == home.bounds_max[2]
            assert max(np.subtract(opening.high, opening.low)[:2]) > 2.0


def test_one_room_of_an_l_shaped_home_goes_around_a_corner(large):
    for (layout, _), home in large.items():
        corners = sorted(len(room.outline) for room in home.rooms)
        assert corners[:-1] == [4] * (len(corners) - 1)
        assert corners[-1] == (6 if layout == "l-shaped" else 4)


def test_large_rooms_hold_more_furniture_not_larger_one():
    usual, large = (generate_home(23, 1, layout=HomeLayout(area)) for area in (None, (55.0, 85.0)))
    assert usual.rooms[0].label == large.rooms[0].label
    count, more = (sum(not (obj.is_structure or obj.parent) for obj in home.objects) for home in (usual, large))
    assert more >= 1.5 * count
    sizes = [
        {part.size for obj in home.objects if obj.kind == "bookshelf" for part in obj.parts[:1]}
        for home in (usual, large)
    ]
    assert max(max(size) for size in sizes[1]) < 1.3 * max(max(size) for size in sizes[0])


def test_mixed_homes_are_drawn_by_lot_and_the_same_seed_gives_the_same_home():
    forms = Counter()
    for seed in range(40):
        form = HomeLayout(layout="mixed").form(np.random.default_rng(seed))
        forms[form.open_plan, form.notched] += 1
    assert len(forms) == 4
    mixed = HomeLayout(LARGE, "mixed")
    assert generate_home(3, 2, layout=mixed) == generate_home(3, 2, layout=mixed)


def test_what_is_asked_for_as_usual_changes_nothing():
    assert generate_home(6, 2, layout=HomeLayout()) == generate_home(6, 2)
    for label, kind in ROOM_KINDS.items():
        assert usual_rooms(label, kind.area[1], 4) == 1
        assert usual_rooms(label, 3 * kind.area[1], 4) == 3


@each_row(
    "area, layout, said",
    [
        ((2.0, 30.0), "closed", "rooms cannot have 2 to 30 m2"),
        ((10.0, 12.0), "closed", "rooms cannot have 10 to 12 m2"),
        ((40.0, 30.0), "closed", "rooms cannot have 40 to 30 m2"),
        ((10.0, 1000.0), "closed", "rooms cannot have 10 to 1000 m2"),
        ((float("nan"), 30.0), "closed", "rooms cannot have nan to 30 m2"),
        (None, "round", "there is no layout 'round' of homes; use closed, open"),
    ],
)
def test_impossible_layouts_are_refused_in_one_sentence(area, layout, said):
    with pytest.raises(SceneError) as error:
        HomeLayout(area, layout)
    assert str(error.value).startswith(said)


def test_a_room_without_a_corner_has_six_sides_and_shares_two_with_what_stands_there():
    corner = PlannedRoom("bathroom", (0.0, 0.0), (2.0, 3.0))
    around = PlannedRoom("bedroom", (0.0, 0.0), (5.0, 6.0), (corner.low, corner.high))
    assert around.area == pytest.approx(4.9 * 5.9 - 2.0 * 3.0)
    assert polygon(around.outline).area == pytest.approx(around.area)
    assert polygon(around.outline).exterior.is_ccw
    assert sum((high[0] - low[0]) * (high[1] - low[1]) for low, high in around.rectangles()) == pytest.approx(
        around.area
    )
    inward = [(side.axis, side.at, side.inward) for side in around.sides()]
    assert sorted(inward) == [(0, 0.0, 1), (0, 2.0, 1), (0, 5.0, -1), (1, 0.0, 1), (1, 3.0, 1), (1, 6.0, -1)]
    wall = shared_wall(around, corner)  # the longer one of the two
    assert (wall.axis, wall.at) == (0, 2.0)
    assert (wall.low, wall.high) == pytest.approx((0.05, 2.95))


def test_open_plans_are_planned_where_rooms_touch_for_long_enough():
    rng = np.random.default_rng(2)
    for rooms in (2, 3, 5):
        assert open_stretches(plan_rooms(rng, rooms, HomeForm(ROOM_KINDS, open_plan=True)))
    apart = (PlannedRoom("kitchen", (0.0, 0.0), (3.0, 3.0)), PlannedRoom("hall", (3.0, 1.0), (6.0, 3.0)))
    assert open_stretches(apart) == {}
