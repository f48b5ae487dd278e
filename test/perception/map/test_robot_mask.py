"""Views without the robot's own arm and what it holds."""

from dataclasses import replace

import numpy as np
from box_world import LENS, BoxWorld

from vantage.perception.map.placement import Box
from vantage.perception.map.robot_mask import without_robot
from vantage.spatial import Viewpoint
from vantage.types import Link, Posture, Touch

HERE = Viewpoint(0.0, 0.0, 1.2, 0.0, 0.0)


def at(x, y, z):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def view(with_ids=True, posture=None):
    world = BoxWorld()
    world.add(3, "wall", (3.0, -2.0, 0.0), (3.1, 2.0, 2.4))
    world.add(7, "mug", (0.75, -0.05, 1.1), (0.85, 0.05, 1.2))
    world.boxes.append((0, (0.5, 0.1, 1.0), (0.6, 0.15, 1.1)))
    touch = Touch(at(0.8, 0.0, 1.15), np.zeros(3), np.zeros(3), 0.05, True)
    seen = replace(world.observe(HERE, LENS), touch=touch, posture=posture)
    return seen if with_ids else replace(seen, instances=None)


def test_a_view_of_a_world_without_an_arm_is_left_alone():
    seen = replace(view(), touch=None)
    assert without_robot(seen, Box(7, "mug", (0.7, -0.1, 1.0), (0.9, 0.1, 1.3))) is seen


def test_with_ids_the_robot_has_none():
    seen = view()
    left = without_robot(seen)
    assert np.isnan(left.depth[seen.instances == 0]).all()
    assert np.array_equal(left.depth[seen.instances != 0], seen.depth[seen.instances != 0])


def test_what_is_held_is_left_out_too():
    seen = view()
    known = without_robot(seen, Box(7, "mug", (0.75, -0.05, 1.1), (0.85, 0.05, 1.2)))
    assert np.isnan(known.depth[seen.instances == 7]).all()
    nameless = without_robot(seen, Box(-4, "mug", (0.75, -0.05, 1.1), (0.85, 0.05, 1.2)))
    assert np.isnan(nameless.depth[seen.instances == 7]).all()
    assert not np.isnan(nameless.depth[seen.instances == 3]).any()


def test_without_ids_it_is_what_is_near_the_links():
    links = (
        Link("map", "base", at(0.2, 0.1, 0.0)),
        Link("base", "arm", at(0.2, 0.0, 1.0)),
        Link("arm", "hand", at(0.3, 0.0, 0.1)),
    )
    seen = view(posture=Posture({}, links))
    ids = seen.instances
    left = without_robot(replace(seen, instances=None))
    assert np.isnan(left.depth[ids == 0]).mean() > 0.5
    assert not np.isnan(left.depth[ids == 3]).any()


def test_without_ids_and_posture_nothing_is_left_out():
    seen = view(with_ids=False)
    assert without_robot(seen) is seen
