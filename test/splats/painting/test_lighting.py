import math

import numpy as np
import pytest

from vantage.scenes.generator import generate_room
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec
from vantage.splats.painting.lighting import Lighting
from vantage.splats.painting.surfaces import part_samples

UP = np.array([[0.0, 0.0, 1.0]])


def light_of(*things):
    spec = SceneSpec("dark", 0, 1, (-2.0, -2.0, 0.0), (2.0, 2.0, 2.4), things)
    points = np.concatenate(
        [np.zeros((0, 3))]
        + [part_samples(part, 0.02).points + thing.position for thing in things for part in thing.parts]
    )
    return Lighting(spec, points)


def thing(instance_id, position, part):
    return ObjectSpec(instance_id, "thing", "", "", position, 0.0, (part,))


def test_corners_and_the_floor_under_a_table_are_darker():
    table = thing(1, (0.0, 0.0, 0.0), Part("box", (0.0, 0.0, 0.4), (1.0, 1.0, 0.04), (1, 1, 1)))
    light = light_of(table)
    spots = np.array([[1.2, 1.2, 0.0], [1.99, 1.99, 0.0], [0.0, 0.0, 0.0]])
    middle, corner, under = light.shade(spots, np.repeat(UP, 3, axis=0)).mean(axis=1)
    assert corner < 0.9 * middle
    assert under < 0.95 * middle


def test_sun_falls_through_a_window_and_is_blocked():
    pane = thing(1, (-2.0, 0.0, 1.0), Part("box", (0.0, 0.0, 0.5), (0.01, 1.0, 1.0), (1, 1, 1), look="sky"))
    direction = np.array([0.80, 0.0, -0.62]) + 0.30 * np.array([0.0, 1.0, 0.0])
    target = np.array([-2.0, 0.0, 1.5]) + direction * (1.5 / 0.62)
    lit = light_of(pane).shade(target[None], UP)[0]
    beside = light_of(pane).shade(target[None] + (0.0, 1.2 if target[1] < 0 else -1.6, 0.0), UP)[0]
    assert lit.mean() > beside.mean() + 0.15
    assert lit[0] > lit[2]  # warm
    halfway = 0.5 * (np.array([-2.0, 0.0, 1.5]) + target)
    board = thing(2, tuple(halfway.tolist()), Part("box", (0.0, 0.0, 0.0), (0.5, 0.5, 0.1), (1, 1, 1)))
    assert light_of(pane, board).shade(target[None], UP)[0].mean() < lit.mean() - 0.15


def test_a_lamp_brightens_what_is_near():
    bulb = thing(1, (0.0, 0.0, 0.5), Part("ellipsoid", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1), (1, 1, 1), look="light"))
    spots = np.array([[0.3, 0.0, 0.0]])
    assert light_of(bulb).shade(spots, UP).mean() > light_of().shade(spots, UP).mean() + 0.05


def test_the_highlight_is_where_the_light_is_mirrored():
    light = light_of()
    eye, point = np.array([0.0, 0.0, 1.5]), np.array([[1.0, 0.5, 0.8]])
    half = light.key + (eye - point[0]) / np.linalg.norm(eye - point[0])
    half /= np.linalg.norm(half)
    assert light.highlight(point, half[None], np.array([20.0]))[0] == pytest.approx(1.0)
    assert light.highlight(point, -half[None], np.array([20.0]))[0] == 0.0


def test_a_room_is_neither_dark_nor_burnt_out():
    spec = generate_room(0)
    points = np.concatenate(
        [part_samples(part, 0.05).points + each.position for each in spec.objects for part in each.parts]
    )
    light = Lighting(spec, points)
    rng = np.random.default_rng(0)
    normals = rng.normal(size=(4000, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    spots = rng.uniform(np.asarray(spec.bounds_min) + 0.1, np.asarray(spec.bounds_max) - 0.1, (4000, 3))
    shade = light.shade(spots, normals)
    assert 0.75 < shade.mean() < 1.1
    assert shade.min() > 0.4
    assert not math.isnan(float(shade.sum()))
