import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.scenes.spec import Part
from vantage.splats.painting.surfaces import Cuts, graded_cells, part_samples, rectangle


@given(
    length=st.floats(0.002, 6.0),
    spacing=st.floats(0.005, 0.2),
    breaks=st.lists(st.floats(0.0, 6.0), max_size=4),
)
def test_cells_fill_the_length_without_gaps(length, spacing, breaks):
    middles, widths = graded_cells(length, spacing, Cuts(tuple(breaks), ((0.1, 0.3),)))
    assert widths.sum() == pytest.approx(length)
    assert (widths > 0).all()
    assert widths.max() <= spacing * (1 + 1e-9)
    np.testing.assert_allclose(middles[1:] - middles[:-1], 0.5 * (widths[1:] + widths[:-1]), atol=1e-9)


def test_cells_are_small_beside_edges_and_breaks():
    middles, widths = graded_cells(2.0, 0.1, Cuts((0.7,)))
    assert widths[0] == widths[-1] < 0.01
    assert widths[np.argmin(np.abs(middles - 0.7))] < 0.01
    assert widths.max() > 0.09
    fine = graded_cells(2.0, 0.1, Cuts((), ((0.5, 1.0),)))
    inside = (fine[0] > 0.5) & (fine[0] < 1.0)
    assert fine[1][inside].max() <= 0.035 + 1e-9


def test_a_rectangle_is_covered_once():
    samples = rectangle((1, 2, 3), (0.5, 0, 0), (0, 0.3, 0), 0.02)
    assert samples.widths.prod(axis=1).sum() == pytest.approx(0.15)
    np.testing.assert_allclose(samples.normals, np.broadcast_to([0.0, 0.0, 1.0], samples.points.shape))
    np.testing.assert_allclose(samples.points[:, 2], 3.0)


def area(part, spacing=0.01):
    samples = part_samples(part, spacing)
    third = np.cross(samples.normals, samples.tangents)
    np.testing.assert_allclose(np.linalg.norm(samples.normals, axis=1), 1.0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(samples.tangents, axis=1), 1.0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(third, axis=1), 1.0, atol=1e-9)
    return float(samples.widths.prod(axis=1).sum())


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_the_cells_of_solids_add_up_to_their_surface(axis):
    r, h = 0.2, 0.5
    along = "xyz".index(axis)
    size = tuple(h if k == along else 2 * r for k in range(3))
    grey = (0.5, 0.5, 0.5)
    cylinder = Part("cylinder", (0, 0, 0), size, grey, axis=axis)
    assert area(cylinder) == pytest.approx(2 * math.pi * r * (r + h), rel=0.01)
    cone = Part("cone", (0, 0, 0), size, grey, axis=axis)
    assert area(cone) == pytest.approx(math.pi * r * (r + math.hypot(r, h)), rel=0.02)
    sphere = Part("ellipsoid", (0, 0, 0), (2 * r, 2 * r, 2 * r), grey)
    assert area(sphere) == pytest.approx(4 * math.pi * r * r, rel=0.01)
    box = Part("box", (0, 0, 0), (0.1, 0.2, 0.3), grey)
    assert area(box) == pytest.approx(2 * (0.02 + 0.03 + 0.06))


def test_a_hollow_round_part_has_an_inner_side():
    closed = Part("cylinder", (0, 0, 0), (0.2, 0.2, 0.3), (0.5, 0.5, 0.5))
    open_top = Part("cylinder", (0, 0, 0), (0.2, 0.2, 0.3), (0.5, 0.5, 0.5), ("z+",))
    inner = part_samples(open_top, 0.02)
    facing = (inner.points[:, :2] * inner.normals[:, :2]).sum(axis=1)
    assert (facing < -0.05).any()
    assert (part_samples(closed, 0.02).normals[:, 2] > 0.9).any()
    assert not (inner.normals[:, 2] > 0.9).any()
