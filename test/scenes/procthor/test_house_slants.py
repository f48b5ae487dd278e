"""Houses with slanted walls: shown with right angles, and how far off is told."""

import math

import pytest
from row_tables import each_row
from small_house import around, imported, make_house, obj, opening, room

from vantage.scenes.checks.scene_checks import check_placement
from vantage.scenes.procthor.house_slants import SlantedSides
from vantage.scenes.spec.outlines import crosses_itself, polygon, sides

SQUARE = [(0, 0), (0, 4), (4, 4), (4, 0)]
BEHIND = [(4, 0), (4, 4), (8, 4), (8, 0)]


def moved(corners, old, new):
    return [new if corner == old else corner for corner in corners]


def slanted_house(first, second, wall0="wall|1|0.00|0.00|0.00|4.00"):
    return {
        "rooms": [room(1, "Kitchen", first), room(2, "Bedroom", second)],
        "walls": [*around(1, first), *around(2, second)],
        "doors": [],
        "windows": [opening("window|1", wall0, (1, 1), (1.0, 0.9), (2.2, 2.0))],
        "objects": [obj("1|0", "Dining_Table_1", 1.5, 0.35, 1.5)],
        "metadata": {"schema": "1.0.0"},
    }


@each_row(
    "new",
    [(1.0, 3.4), (1.0, 4.6), (-0.5, 3.5), (-0.6, 4.3), (0.4, 4.0)],
)
def test_a_corner_that_is_out_of_square_is_squared_without_turning_back(new):
    outline = moved(SQUARE, (0, 4), new)
    slants = SlantedSides([outline])
    squared = slants.squared(outline)
    assert all(math.isclose(a[0], b[0]) or math.isclose(a[1], b[1]) for a, b in sides(squared))
    assert not crosses_itself(squared)
    assert abs(polygon(squared).area - polygon(outline).area) < 4.0
    assert 0 < slants.farthest_off < 1.0


def test_straight_outlines_stay_as_they_are():
    slants = SlantedSides([SQUARE, BEHIND])
    assert slants.squared(SQUARE) == SQUARE
    assert slants.farthest_off == 0.0
    assert slants.corner((0, 0), (0, 4)) is None


def test_rooms_on_both_sides_of_a_slanted_wall_touch(tmp_path):
    first, second = (moved(corners, (4, 4), (3.4, 4)) for corners in (SQUARE, BEHIND))
    found = imported(slanted_house(first, second), tmp_path)
    assert found.warnings[0] == "slanted walls are shown with right angles, up to 0.59 m from where they are"
    kitchen, bedroom = (polygon(each.outline) for each in found.spec.rooms)
    assert not kitchen.intersects(bedroom)
    assert kitchen.distance(bedroom) == pytest.approx(0.04, abs=0.001)
    assert not [fault for fault in check_placement(found.spec) if fault.kind in ("enclosure", "overlap", "opening")]


def test_a_window_in_a_slanted_wall_moves_with_the_longer_part_of_it(tmp_path):
    first = moved(SQUARE, (0, 4), (0.5, 4))
    found = imported(slanted_house(first, BEHIND, "wall|1|0.00|0.00|0.50|4.00"), tmp_path)
    (window,) = found.spec.openings
    assert window.high[1] - window.low[1] == pytest.approx(1.2, abs=0.01)
    assert not [fault for fault in check_placement(found.spec) if fault.kind in ("enclosure", "opening")]


def test_houses_with_right_angles_warn_of_nothing(tmp_path):
    assert not any("slanted" in warning for warning in imported(make_house(), tmp_path).warnings)
