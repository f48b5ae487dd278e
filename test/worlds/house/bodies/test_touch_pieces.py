"""Convex pieces of primitives: how much they fill and how far they reach."""

import math

import numpy as np
import pytest

from vantage.scenes.spec import Part
from vantage.worlds.house.bodies.touch_pieces import SHEET, pieces

RGB = (0.5, 0.5, 0.5)


def spread(found):
    low = np.min([piece.center - piece.reach for piece in found], axis=0)
    high = np.max([piece.center + piece.reach for piece in found], axis=0)
    return low, high


@pytest.mark.parametrize(
    ("part", "volume"),
    [
        (Part("box", (0, 0, 0), (0.2, 0.3, 0.4), RGB), 0.024),
        (Part("ellipsoid", (0, 0, 0), (0.2, 0.2, 0.2), RGB), math.pi / 6 * 0.008),
        (Part("ellipsoid", (0, 0, 0), (0.1, 0.2, 0.3), RGB), math.pi / 6 * 0.006),
        (Part("cylinder", (0, 0, 0), (0.4, 0.1, 0.1), RGB, axis="x"), math.pi * 0.05**2 * 0.4),
        (Part("cylinder", (0, 0, 0), (0.1, 0.2, 0.3), RGB), math.pi / 4 * 0.02 * 0.3),
        (Part("cone", (0, 0, 0), (0.2, 0.2, 0.3), RGB, ends=(1.0, 0.5)), math.pi / 3 * 0.3 * 0.01 * 1.75),
    ],
)
def test_solid_primitives_keep_volume_and_size(part, volume):
    found = pieces(part)
    assert sum(piece.volume for piece in found) == pytest.approx(volume, rel=1e-6)
    low, high = spread(found)
    half = 0.5 * np.array(part.size)
    assert np.all(low >= -half - 1e-9)
    assert np.all(high <= half + 1e-9)
    assert np.all(high >= 0.95 * half)


def test_a_hollow_box_has_a_slab_for_every_face_that_is_there():
    part = Part("box", (1, 2, 3), (0.4, 0.4, 0.2), RGB, open_faces=("z+",))
    found = pieces(part)
    assert len(found) == 5
    assert not any(np.all(np.abs(piece.center - part.center) < piece.reach) for piece in found)


@pytest.mark.parametrize("ends", [(1.0, 1.0), (0.6, 1.0), (0.2, 1.0)])
@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_tube_leaves_its_inside_free_and_does_not_leak(ends, axis):
    shape = "cylinder" if ends == (1.0, 1.0) else "cone"
    part = Part(shape, (0, 0, 0), (0.3, 0.3, 0.3), RGB, (f"{axis}-", f"{axis}+"), axis, ends)
    found = pieces(part)
    assert len(found) >= 8
    k = "xyz".index(axis)
    middle = 0.15 * 0.5 * sum(ends)
    for angle in np.linspace(0, math.tau, 50):
        out = np.zeros(3)
        out[(k + 1) % 3], out[(k + 2) % 3] = math.cos(angle), math.sin(angle)
        assert any(holds(piece, radius * out) for piece in found for radius in np.linspace(0.9, 1.02, 25) * middle)
        assert not any(holds(piece, 0.8 * middle * out) for piece in found)


def holds(piece, point):
    local = piece.R_object_piece.T @ (point - piece.center)
    if piece.vertices is not None:
        half = np.abs(piece.vertices).max(axis=0)
        return bool(np.all(np.abs(local) <= half + 1e-9))
    return bool(np.all(np.abs(local) <= piece.size + 1e-9))


def test_sheets_are_thick_enough_and_grow_to_the_side_asked_for():
    part = Part("box", (0, 0, 0.0005), (0.2, 0.3, 0.001), RGB)
    low, high = spread(pieces(part, grow=(0, 0, 1)))
    assert (low[2], high[2]) == pytest.approx((0.0, SHEET))
    low, high = spread(pieces(part, grow=(0, 0, -1)))
    assert (low[2], high[2]) == pytest.approx((0.001 - SHEET, 0.001))


def test_a_turned_primitive_turns_about_its_center():
    part = Part("box", (1, 0, 0), (0.4, 0.02, 0.2), RGB, rotation=(0, 0, 0.5 * math.pi))
    (piece,) = pieces(part)
    assert piece.center == pytest.approx((1, 0, 0))
    assert piece.reach == pytest.approx((0.01, 0.2, 0.1))
