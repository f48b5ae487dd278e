"""On which front of a thing a handle is, as far as what was seen tells."""

from types import SimpleNamespace

import numpy as np
import pytest

from vantage.planning.skills.opening import away_from_others, first_handle, fronts_of_handle

SOUTH, WEST, UP = (0.0, -1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def fronts(low, high, bounds_min=(0.0, 0.0, 0.0), here=(-1.0, -1.0)):
    """Of a thing of 0.5 m at the origin; a robot to the south-west of it."""
    grip = SimpleNamespace(low=low, high=high, center=tuple(0.5 * (a + b) for a, b in zip(low, high, strict=True)))
    obj = SimpleNamespace(bounds_min=bounds_min, bounds_max=(0.5, 0.5, 0.6))
    return fronts_of_handle(SimpleNamespace(here=SimpleNamespace(x=here[0], y=here[1])), obj, grip)


def test_a_knob_is_on_the_side_that_it_stands_out_of_most():
    assert fronts((0.2, -0.03, 0.4), (0.23, -0.01, 0.43))[0] == SOUTH


def test_a_bar_is_on_the_side_along_which_it_runs_though_a_drawer_stands_open():
    below = (0.0, -0.35, 0.0)  # the bounds of the thing with the drawer below this handle open
    assert fronts((0.1, -0.03, 0.4), (0.22, -0.01, 0.43), below) == [SOUTH, WEST]
    assert fronts((-0.03, 0.1, 0.4), (-0.01, 0.22, 0.43), (-0.35, 0.0, 0.0)) == [WEST, SOUTH]


def test_from_amid_a_thing_the_front_is_towards_the_robot():
    (only,) = fronts((0.2, 0.2, 0.4), (0.2, 0.2, 0.4), here=(0.2, 0.1))[:1]
    assert only == pytest.approx(SOUTH)


def test_the_edge_of_a_flap_on_top_is_taken_from_above_first():
    assert fronts((0.2, 0.2, 0.59), (0.32, 0.24, 0.6))[0] == UP
    assert UP not in fronts((0.2, 0.0, 0.59), (0.32, 0.04, 0.6))  # of a lid, at the front
    assert UP not in fronts((0.2, 0.2, 0.4), (0.32, 0.24, 0.41))


@pytest.mark.parametrize(("gap", "aside"), [(0.04, (-0.03, 0.0, 0.0)), (0.3, (0.0, 0.0, 0.0))])
def test_the_hand_keeps_away_from_the_handle_beside(gap, aside):
    grips = [SimpleNamespace(key=key, center=(x, 1.0, 1.0)) for key, x in ((1, 0.0), (2, gap), (3, gap + 1.0))]
    now = SimpleNamespace(memory=SimpleNamespace(handles=grips))
    assert np.array_equal(np.round(away_from_others(now, grips[0]), 6), aside)


@pytest.mark.parametrize(
    ("shut", "way", "chosen"), [((2.0,), "open", 2), ((1.0, 2.0), "open", 1), ((2.0,), "close", 1)]
)
def test_what_is_opened_next_is_a_part_that_is_still_closed(shut, way, chosen):
    grips = [SimpleNamespace(key=int(x), center=(x, 0.0, 1.0)) for x in (1.0, 2.0)]
    inside = SimpleNamespace(shut=tuple((x, 0.0, 1.0) for x in shut))
    memory = SimpleNamespace(handles_of=lambda obj: grips, inside_of=lambda obj: inside)
    now = SimpleNamespace(memory=memory, here=SimpleNamespace(x=0.0, y=0.0))
    assert first_handle(now, None, 0, way).key == chosen
