"""Compiled lines of sight against the array form, which says where a line crosses each body."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.benchmarks.labelling.raycast import Solids
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec

SHAPES = ("box", "cylinder", "cone", "ellipsoid")
FACES = {"box": ("x-", "x+", "y-", "y+", "z-", "z+"), "cylinder": ("z-", "z+"), "cone": ("z-", "z+"), "ellipsoid": ()}


def expected(solids: Solids, origin: np.ndarray, points: np.ndarray, margin: float = 0.01) -> np.ndarray:
    """Whether a line crosses any face before its end."""
    enter, leave, _ = solids.crossings(origin, points)
    end = 1.0 - margin / np.maximum(np.linalg.norm(points - origin, axis=1), 2 * margin)
    return (((enter > 0) & (enter < end)) | ((leave > 0) & (leave < end))).any(axis=0)


def random_part(rng: np.random.Generator) -> Part:
    shape = str(rng.choice(SHAPES))
    faces = tuple(face for face in FACES[shape] if rng.random() < 0.25)
    center, size = tuple(rng.uniform(-1.0, 1.0, 3)), tuple(rng.uniform(0.05, 1.0, 3))
    ends = tuple(rng.uniform(0.0, 1.0, 2)) if shape == "cone" else (1.0, 0.0)
    return Part(shape, center, size, (1, 1, 1), open_faces=faces, ends=ends)


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(0, 2**31))
def test_any_bodies_block_what_their_crossings_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = tuple(random_part(rng) for _ in range(int(rng.integers(1, 8))))
    obj = ObjectSpec(1, "thing", "white", "wood", (0.0, 0.0, 0.0), float(rng.uniform(-3, 3)), parts)
    solids = Solids.from_spec(SceneSpec("room", 0, 1, (-3.0, -3.0, -3.0), (3.0, 3.0, 3.0), (obj,)))
    origin, points = rng.uniform(-1.5, 1.5, 3), rng.uniform(-1.5, 1.5, (200, 3))
    assert np.array_equal(solids.block(origin, points), expected(solids, origin, points))


def test_a_home_blocks_what_its_crossings_say() -> None:
    spec = generate_home(2, 2, "home")
    solids, rng = Solids.from_spec(spec), np.random.default_rng(0)
    low, high = np.array(spec.bounds_min), np.array(spec.bounds_max)
    shares = []
    for _ in range(60):
        origin, middle = rng.uniform(low, high), rng.uniform(low, high)
        points = middle + rng.normal(0.0, 0.3, (200, 3))
        blocked = solids.block(origin, points)
        assert np.array_equal(blocked, expected(solids, origin, points))
        shares.append(blocked.mean())
    assert 0.2 < np.mean(shares) < 0.95


@pytest.mark.parametrize("axis", range(3))
def test_lines_along_the_axes_are_no_exception(axis: int) -> None:
    part = Part("box", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (1, 1, 1))
    obj = ObjectSpec(1, "thing", "white", "wood", (0.0, 0.0, 0.0), 0.0, (part,))
    solids = Solids.from_spec(SceneSpec("room", 0, 1, (-3.0, -3.0, -3.0), (3.0, 3.0, 3.0), (obj,)))
    origin = np.zeros(3)
    origin[axis] = -2.0
    points = np.array([-origin, 0.5 * origin, origin])
    assert solids.block(origin, points).tolist() == [True, False, False]


def test_nothing_blocks_nothing() -> None:
    empty = Solids([])
    assert empty.block(np.zeros(3), np.ones((3, 3))).tolist() == [False] * 3
    assert empty.block(np.zeros(3), np.ones((0, 3))).tolist() == []
