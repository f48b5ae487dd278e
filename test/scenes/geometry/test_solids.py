import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.scenes.geometry.solids import Solid, contains, object_prisms, outlines_gap
from vantage.scenes.spec.spec import ObjectSpec, Part


def turned_square(x, y, half, yaw):
    corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * half
    c, s = math.cos(yaw), math.sin(yaw)
    return corners @ np.array([[c, s], [-s, c]]) + (x, y)


places = st.floats(-1.5, 1.5)


@given(x=places, y=places, yaw=st.floats(-4, 4), half=st.floats(0.1, 0.8))
def test_the_gap_is_symmetric_and_agrees_with_sampled_points(x, y, yaw, half):
    fixed, moved = turned_square(0, 0, 0.5, 0.0), turned_square(x, y, half, yaw)
    gap = outlines_gap(fixed, moved)
    assert gap == pytest.approx(outlines_gap(moved, fixed))
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 41)] * 2), axis=-1).reshape(-1, 2) * half
    c, s = math.cos(yaw), math.sin(yaw)
    points = grid @ np.array([[c, s], [-s, c]]) + (x, y)
    share = np.all(np.abs(points) < 0.5 - 1e-9, axis=1)
    if gap > 1e-9:
        assert not share.any()
    if share.any():
        assert gap < 1e-9


def cube(x, y, z, yaw=0.0, open_faces=()):
    part = Part("box", (0.0, 0.0, 0.5), (1.0, 1.0, 1.0), (0, 0, 0), open_faces)
    return Solid.of(ObjectSpec(1, "thing", "", "", (x, y, z), yaw, (part,)))


@pytest.mark.parametrize("yaw", [0.0, 0.3])
def test_touching_objects_do_not_enter_each_other_and_sunk_ones_do(yaw):
    lower = cube(0, 0, 0)
    assert not lower.enters(cube(0, 0, 1.0, yaw), 0.003)
    assert lower.enters(cube(0, 0, 0.95, yaw), 0.003)
    assert cube(0, 0, 0.95, yaw).enters(lower, 0.003)
    assert not lower.enters(cube(2, 0, 0, yaw), 0.003)
    assert not lower.enters(cube(0, 0, 1.002, yaw), 0.0)
    assert lower.enters(cube(0, 0, 1.002, yaw), -0.003)  # near enough to touch


def test_a_nested_object_may_be_within_a_hollow_one():
    shell = cube(0, 0, 0, open_faces=("z+",))
    inner = cube(0, 0, 0.5)
    assert shell.enters(inner, 0.003)
    assert not shell.enters(inner, 0.003, nested=True)
    assert not inner.enters(shell, 0.003, nested=True)


def test_resting_needs_the_whole_foot_on_one_level_part():
    table = cube(0, 0, 0)
    assert cube(0, 0, 1.0).rests_on(table, 0.003)
    assert not cube(0.3, 0, 1.0).rests_on(table, 0.003)
    assert not cube(0, 0, 1.01).rests_on(table, 0.003)
    assert not cube(0, 0, 1.0).rests_on(cube(0, 0, 0, open_faces=("z+",)), 0.003)


@given(x=places, y=places, yaw=st.floats(-4, 4))
def test_boxes_around_parts_hold_their_outlines(x, y, yaw):
    solid = cube(x, y, 0.0, yaw)
    outline = solid.outline(0)
    np.testing.assert_allclose(outline.min(axis=0), solid.low[0, :2], atol=1e-9)
    np.testing.assert_allclose(outline.max(axis=0), solid.high[0, :2], atol=1e-9)


def test_containment():
    outer = turned_square(0, 0, 0.5, 0.0)
    assert contains(outer, turned_square(0.1, 0, 0.3, 0.0), 0.001)
    assert not contains(outer, turned_square(0.3, 0, 0.3, 0.0), 0.001)
    assert not contains(outer, turned_square(0, 0, 0.45, math.pi / 4), 0.001)


def test_parts_become_prisms_in_the_world():
    parts = (
        Part("box", (1.0, 0.0, 0.5), (0.4, 0.2, 1.0), (0, 0, 0)),
        Part("cylinder", (0.0, 0.0, 0.1), (0.2, 0.2, 0.2), (0, 0, 0), ("z+",)),
    )
    solid, hollow = object_prisms(ObjectSpec(1, "thing", "", "", (0.0, 0.0, 2.0), math.pi / 2, parts))
    np.testing.assert_allclose(solid.outline.mean(axis=0), [0.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(np.ptp(solid.outline, axis=0), [0.2, 0.4], atol=1e-12)
    assert (solid.bottom, solid.top, solid.hollow) == (2.0, 3.0, False)
    assert hollow.hollow
    np.testing.assert_allclose(np.linalg.norm(hollow.outline, axis=1), 0.1)
