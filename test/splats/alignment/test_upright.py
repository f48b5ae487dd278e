"""Turning clouds upright."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.errors import ConfigError
from vantage.spatial import quaternion
from vantage.splats.upright import (
    UP_AXES,
    axis_of,
    nearest_axis,
    turn_between,
    turning,
    upright_rotation,
    yaw_rotation,
)

directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1)


@pytest.mark.parametrize("up", UP_AXES)
def test_each_axis_is_turned_up(up: str) -> None:
    rotation = turning(up)
    assert rotation @ axis_of(up) == pytest.approx([0, 0, 1])
    assert np.linalg.det(rotation) == pytest.approx(1)
    assert nearest_axis(axis_of(up) + np.array([0.1, -0.2, 0.15])) == up


@given(directions, directions)
def test_the_turn_between_two_directions(a: tuple[float, ...], b: tuple[float, ...]) -> None:
    u, v = np.array(a) / np.linalg.norm(a), np.array(b) / np.linalg.norm(b)
    rotation = turn_between(u, v)
    assert rotation @ u == pytest.approx(v, abs=1e-6)
    assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-6)
    assert np.linalg.det(rotation) == pytest.approx(1, abs=1e-6)


def test_the_turn_to_the_opposite_direction() -> None:
    for axis in np.eye(3):
        assert turn_between(axis, -axis) @ axis == pytest.approx(-axis)


def test_what_a_file_may_say() -> None:
    assert upright_rotation(None, None, "x") == pytest.approx(np.eye(3))
    assert upright_rotation("-y", None, "x") == pytest.approx(turning("-y"))
    assert upright_rotation(None, quaternion(yaw_rotation(0.4)), "x") == pytest.approx(yaw_rotation(0.4))
    for up, rotation, complaint in (
        ("y", (0.0, 0.0, 0.0, 1.0), "not both"),
        ("up", None, "must be one of x, -x"),
        (None, (0.0, 0.0, 0.0, 2.0), "unit quaternion"),
        (None, (0.0, 0.0, 0.0, 0.0), "unit quaternion"),
    ):
        with pytest.raises(ConfigError, match=complaint):
            upright_rotation(up, rotation, "a file")
