"""Homes, and hand-made objects, that several tests look at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vantage.scenes.generator.generator import generate_home
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec


@pytest.fixture(scope="session")
def rooms():
    """A dozen generated homes of one room."""
    return [generate_home(seed) for seed in range(12)]


@pytest.fixture(scope="session")
def homes():
    """A generated home of each number of rooms above one: {rooms: home}."""
    return {count: generate_home(20 + count, count) for count in range(2, 11)}


@pytest.fixture(scope="session")
def block():
    """Makes a box that stands on its base: (id, position, size, **fields)."""

    def make(instance_id, position, size, **fields):
        part = Part("box", (0.0, 0.0, 0.5 * size[2]), size, (0.8, 0.1, 0.1))
        obj = ObjectSpec(instance_id, "box", "red", "wood", position, 0.0, (part,))
        return replace(obj, **fields)

    return make


@pytest.fixture(scope="session")
def sample():
    """Makes a space of 4 x 4 x 2.5 m with the given objects in it."""

    def make(*objects):
        return SceneSpec("sample", 0, 1, (-2.0, -2.0, 0.0), (2.0, 2.0, 2.5), objects)

    return make
