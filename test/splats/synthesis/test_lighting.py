import math

import numpy as np
import pytest
from small_home import small_home

from vantage.scenes.spec.room_map import rooms_of
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec
from vantage.splats.synthesis.lighting import Lighting
from vantage.splats.synthesis.voxels import SceneVoxels

UP = np.array([[0.0, 0.0, 1.0]])


def lighting_of(*objects):
    spec = SceneSpec("dark", 0, 1, (-2.0, -2.0, 0.0), (2.0, 2.0, 2.4), objects)
    return Lighting(spec, SceneVoxels(spec, np.zeros((0, 3))))


def shade(light, points, normals):
    return light.shade(points, normals, np.zeros(len(points), np.int64))


def obj(instance_id, position, part):
    return ObjectSpec(instance_id, "thing", "", "", position, 0.0, (part,))


def test_corners_and_the_floor_under_a_table_are_darker():
    table = obj(1, (0.0, 0.0, 0.0), Part("box", (0.0, 0.0, 0.4), (1.0, 1.0, 0.04), (1, 1, 1)))
    spots = np.array([[1.2, 1.2, 0.0], [1.99, 1.99, 0.0], [0.0, 0.0, 0.0]])
    middle, corner, under = shade(lighting_of(table), spots, np.repeat(UP, 3, axis=0)).mean(axis=1)
    assert corner < 0.9 * middle
    assert under < 0.95 * middle


def test_sun_falls_through_a_window_and_is_blocked():
    pane = obj(1, (-2.0, 0.0, 1.0), Part("box", (0.0, 0.0, 0.5), (0.01, 1.0, 1.0), (1, 1, 1), look="sky"))
    direction = np.array([0.80, 0.0, -0.62]) + 0.30 * np.array([0.0, 1.0, 0.0])
    target = np.array([-2.0, 0.0, 1.5]) + direction * (1.5 / 0.62)
    lit = shade(lighting_of(pane), target[None], UP)[0]
    beside = shade(lighting_of(pane), target[None] + (0.0, 1.2 if target[1] < 0 else -1.6, 0.0), UP)[0]
    assert lit.mean() > beside.mean() + 0.15
    assert lit[0] > lit[2]  # warm
    halfway = 0.5 * (np.array([-2.0, 0.0, 1.5]) + target)
    board = obj(2, tuple(halfway.tolist()), Part("box", (0.0, 0.0, 0.0), (0.5, 0.5, 0.1), (1, 1, 1)))
    assert shade(lighting_of(pane, board), target[None], UP)[0].mean() < lit.mean() - 0.15


def test_a_lamp_brightens_what_is_near_and_a_hot_plate_does_not():
    spots = np.array([[0.3, 0.0, 0.0]])
    dark = shade(lighting_of(), spots, UP).mean()
    for look, brighter in (("light", True), ("burner", False)):
        bulb = obj(1, (0.0, 0.0, 0.5), Part("ellipsoid", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1), (1, 1, 1), look=look))
        assert (shade(lighting_of(bulb), spots, UP).mean() > dark + 0.05) == brighter


def test_lamps_and_windows_light_their_own_room():
    spec = small_home()
    light = Lighting(spec, SceneVoxels(spec, np.zeros((0, 3))))
    assert [room.label for room in rooms_of(spec)] == ["kitchen", "bathroom"]
    assert light.keys[0] @ (1.0, 0.0, 0.0) < 0.0  # towards the window
    spots = np.array([[1.2, 0.0, 1.2], [1.2, 0.0, 1.2]])
    lit, other = light.shade(spots, np.repeat(UP, 2, axis=0), np.array([1, 0])).mean(axis=1)
    assert lit > other + 0.03  # the bathroom has no window, so a lamp hangs there


def test_the_highlight_is_where_the_light_is_mirrored():
    light, room = lighting_of(), np.zeros(1, np.int64)
    eye, point = np.array([0.0, 0.0, 1.5]), np.array([[1.0, 0.5, 0.8]])
    half = light.keys[0] + (eye - point[0]) / np.linalg.norm(eye - point[0])
    half /= np.linalg.norm(half)
    assert light.highlight(point, half[None], room, np.array([20.0]))[0] == pytest.approx(1.0)
    assert light.highlight(point, -half[None], room, np.array([20.0]))[0] == 0.0


def test_a_room_is_neither_dark_nor_burnt_out():
    spec = small_home()
    light = Lighting(spec, SceneVoxels(spec, np.zeros((0, 3))))
    rng = np.random.default_rng(0)
    normals = rng.normal(size=(4000, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    spots = rng.uniform((-4.0, -1.4, 0.1), (-0.1, 1.4, 2.4), (4000, 3))
    found = shade(light, spots, normals)
    assert 0.75 < found.mean() < 1.1
    assert found.min() > 0.4
    assert not math.isnan(float(found.sum()))
