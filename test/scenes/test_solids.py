import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.scenes.solids import Prism, contains, object_prisms, outlines_gap, overlap
from vantage.scenes.spec import ObjectSpec, Part


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


def test_touching_prisms_do_not_overlap_and_sunk_ones_do():
    lower = Prism(turned_square(0, 0, 0.5, 0.3), 0.0, 1.0)
    assert not overlap(lower, Prism(turned_square(0, 0, 0.2, 0.0), 1.0, 1.2), 0.003)
    assert overlap(lower, Prism(turned_square(0, 0, 0.2, 0.0), 0.95, 1.2), 0.003)
    assert not overlap(lower, Prism(turned_square(2, 0, 0.2, 0.0), 0.0, 1.0), 0.003)


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
