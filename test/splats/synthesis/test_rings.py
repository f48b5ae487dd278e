import math

import numpy as np
import pytest

from vantage.scenes.spec.spec import Part
from vantage.splats.synthesis.rings import part_rings, ring_samples
from vantage.splats.synthesis.samples import cross

GREY = (0.5, 0.5, 0.5)


def area(part, spacing=0.01, **words):
    samples = ring_samples(part_rings(0, part, spacing, **words))
    np.testing.assert_allclose(np.linalg.norm(samples.normals, axis=1), 1.0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(samples.tangents, axis=1), 1.0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(cross(samples.normals, samples.tangents), axis=1), 1.0, atol=1e-9)
    return float(samples.widths.prod(axis=1).sum())


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_the_cells_of_solids_add_up_to_their_surface(axis):
    r, h = 0.2, 0.5
    along = "xyz".index(axis)
    size = tuple(h if k == along else 2 * r for k in range(3))
    cylinder = Part("cylinder", (0, 0, 0), size, GREY, axis=axis)
    assert area(cylinder) == pytest.approx(2 * math.pi * r * (r + h), rel=0.01)
    cone = Part("cone", (0, 0, 0), size, GREY, axis=axis)
    assert area(cone) == pytest.approx(math.pi * r * (r + math.hypot(r, h)), rel=0.02)
    sphere = Part("ellipsoid", (0, 0, 0), (2 * r, 2 * r, 2 * r), GREY)
    assert area(sphere) == pytest.approx(4 * math.pi * r * r, rel=0.01)


def test_samples_lie_on_the_surface_and_face_away():
    part = Part("ellipsoid", (1.0, 2.0, 3.0), (0.2, 0.4, 0.6), GREY)
    samples = ring_samples(part_rings(7, part, 0.02))
    local = samples.points - part.center
    np.testing.assert_allclose(np.linalg.norm(local / (0.1, 0.2, 0.3), axis=1), 1.0, atol=1e-9)
    assert ((local * samples.normals).sum(axis=1) > 0).all()
    assert (samples.pieces == 7).all()


def test_a_hollow_round_part_has_an_inner_side():
    closed = Part("cylinder", (0, 0, 0), (0.2, 0.2, 0.3), GREY)
    open_top = Part("cylinder", (0, 0, 0), (0.2, 0.2, 0.3), GREY, ("z+",))
    inner = ring_samples(part_rings(0, open_top, 0.02))
    facing = (inner.points[:, :2] * inner.normals[:, :2]).sum(axis=1)
    assert (facing < -0.05).any()
    assert (ring_samples(part_rings(0, closed, 0.02)).normals[:, 2] > 0.9).any()
    assert not (inner.normals[:, 2] > 0.9).any()


def test_a_sleeve_hides_a_stretch_of_the_side():
    can = Part("cylinder", (0, 0, 0), (0.1, 0.1, 0.2), GREY)
    whole, rest = area(can, 0.005), area(can, 0.005, sleeves=[(-0.05, 0.05)])
    assert whole - rest == pytest.approx(math.pi * 0.1 * 0.1, rel=0.01)
    assert area(can, 0.005, sleeves=[(-0.2, 0.2)]) == pytest.approx(2 * math.pi * 0.05**2, rel=0.02)
