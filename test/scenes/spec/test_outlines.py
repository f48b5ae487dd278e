import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.errors import SceneError
from vantage.scenes.spec.outlines import crosses_itself, holds, inset, points_inside, sides, signed_area

SQUARE = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))
ANGLE = ((0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0))
BOW = ((0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0))


def test_areas_have_the_sign_of_the_turn():
    assert signed_area(SQUARE) == 4.0
    assert signed_area(ANGLE) == 6.0
    assert signed_area(SQUARE[::-1]) == -4.0


def test_sides_lead_around():
    assert sides(SQUARE)[-1] == ((0.0, 2.0), (0.0, 0.0))


@pytest.mark.parametrize(
    ("x", "y", "inside"), [(0.5, 2.0, True), (2.0, 0.5, True), (2.0, 2.0, False), (-1.0, 0.5, False)]
)
def test_a_point_in_an_angle(x, y, inside):
    assert holds(ANGLE, x, y) is inside
    assert holds(ANGLE[::-1], x, y) is inside


def test_points_in_an_angle_at_once():
    x, y = np.array([0.5, 2.0]), np.array([0.5, 2.0, 5.0])
    assert points_inside(ANGLE, x[:, None], y).tolist() == [[True, True, False], [True, False, False]]


def test_sides_moved_inward_and_back():
    smaller = inset(ANGLE, 0.1)
    assert set(smaller) == {(0.1, 0.1), (3.9, 0.1), (3.9, 0.9), (0.9, 0.9), (0.9, 2.9), (0.1, 2.9)}
    assert signed_area(smaller) > 0
    assert set(inset(smaller[::-1], -0.1)) == set(ANGLE)


def test_a_narrow_place_closes_and_the_larger_part_is_left():
    dumbbell = ((0, 0), (2, 0), (2, 0.9), (3, 0.9), (3, 0), (4, 0), (4, 2), (3, 2), (3, 1), (2, 1), (2, 2), (0, 2))
    assert set(inset(dumbbell, 0.1)) == {(0.1, 0.1), (1.9, 0.1), (1.9, 1.9), (0.1, 1.9)}
    with pytest.raises(SceneError, match=r"too narrow for walls of 1\.2 m"):
        inset(SQUARE, 1.2)


def test_sides_that_cross():
    assert crosses_itself(BOW)
    assert not crosses_itself(SQUARE)
    assert not crosses_itself(ANGLE)
    assert crosses_itself(((0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (1.0, 2.0), (1.0, 0.0), (0.0, 2.0)))  # touches itself


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-math.pi, math.pi), st.floats(-1, 5), st.floats(-1, 4))
def test_turning_and_moving_changes_nothing(dx, dy, turn, x, y):
    c, s = math.cos(turn), math.sin(turn)

    def moved(px, py):
        return c * px - s * py + dx, s * px + c * py + dy

    outline = tuple(moved(*corner) for corner in ANGLE)
    assert signed_area(outline) == pytest.approx(6.0)
    assert not crosses_itself(outline)
    if all(abs(value - edge) > 1e-6 for value, edge in ((x, 0), (x, 1), (x, 4), (y, 0), (y, 1), (y, 3))):
        assert holds(outline, *moved(x, y)) == holds(ANGLE, x, y)
