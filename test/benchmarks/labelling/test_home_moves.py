"""A home in which things were moved, and what a judge then sees."""

from dataclasses import replace

import numpy as np
import pytest

from vantage.benchmarks.labelling.home_moves import moved_home, placed
from vantage.benchmarks.labelling.raycast import Solids
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.errors import SceneError
from vantage.scenes.spec import Joint, ObjectSpec, Part, SceneSpec, object_bounds
from vantage.spatial import Intrinsics, Viewpoint, rigid, rotation_matrix
from vantage.types import Poses

MUG, CUPBOARD, WALL = 3, 4, 5
LENS = Intrinsics.from_fov(320, 240, 1.2)
HERE = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)


def box(center, size, name="body"):
    return Part("box", center, size, (0.5, 0.5, 0.5), name=name)


def home():
    mug = ObjectSpec(MUG, "mug", "red", "ceramic", (3.0, 0.0, 0.9), 0.0, (box((0.0, 0.0, 0.1), (0.1, 0.06, 0.2)),))
    door = Joint("door", "hinge", (0.0, 0.0, 1.0), (0.2, -0.3, 0.0), 0.0, 1.5, 0.0)
    cupboard = ObjectSpec(
        CUPBOARD,
        "cupboard",
        "white",
        "wood",
        (3.0, 2.0, 0.0),
        np.pi,
        (box((0.0, 0.0, 0.5), (0.38, 0.6, 1.0)), box((0.2, 0.0, 0.5), (0.02, 0.6, 1.0), "door")),
        states=("closed",),
        joints=(door,),
    )
    wall = ObjectSpec(WALL, "wall", "white", "", (2.0, -1.5, 0.0), 0.0, (box((0.0, 0.0, 1.0), (0.1, 1.0, 2.0)),))
    return SceneSpec("kitchen", 0, 1, (-1.0, -4.0, 0.0), (5.0, 4.0, 2.5), (mug, cupboard, wall))


def at(x, y, z, vector=(0.0, 0.0, 0.0)):
    return rigid(rotation_matrix(vector), np.array([x, y, z]))


def test_nothing_moved_changes_nothing():
    assert moved_home(home(), Poses()) == home()
    judge = SceneVisibility.of_home(home())
    assert judge.moved(Poses()) is judge


def test_an_upright_thing_is_elsewhere():
    (mug, *_) = moved_home(home(), Poses({MUG: at(2.5, 1.0, 0.4, (0.0, 0.0, 0.3))})).objects
    assert mug.position == (2.5, 1.0, 0.4)
    assert mug.yaw == pytest.approx(0.3)
    assert mug.parts == home().objects[0].parts


def test_a_thing_that_fell_over_lies_there():
    mug = placed(home().objects[0], at(2.5, 1.0, 0.03, (np.pi / 2, 0.0, 0.0)))
    low, high = object_bounds(mug)
    np.testing.assert_allclose(np.subtract(high, low), (0.1, 0.2, 0.06), atol=1e-6)
    (solid,) = Solids.from_spec(replace(home(), objects=(mug,)))
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    points = corners @ solid.T_world_unit[:3, :3].T + solid.T_world_unit[:3, 3]
    np.testing.assert_allclose(points.min(axis=0), low, atol=1e-6)
    np.testing.assert_allclose(points.max(axis=0), high, atol=1e-6)


def test_the_judge_sees_things_where_they_are():
    judge = SceneVisibility.of_home(home())
    assert judge.view(MUG, HERE, LENS).fraction > 0.9
    behind_the_wall = judge.moved(Poses({MUG: at(3.0, -1.8, 0.9)}))
    assert behind_the_wall.view(MUG, HERE, LENS).fraction == 0.0
    assert judge.view(MUG, HERE, LENS).fraction > 0.9


def test_a_door_that_was_opened_is_judged_open():
    judge = SceneVisibility.of_home(home())
    opened = judge.moved(Poses(joints={(CUPBOARD, "door"): 1.5003}))  # a little beyond its end
    assert judge.view(CUPBOARD, HERE, LENS).pixels != opened.view(CUPBOARD, HERE, LENS).pixels


def test_poses_of_another_home_are_refused():
    with pytest.raises(SceneError, match="no object 99"):
        moved_home(home(), Poses(joints={(99, "door"): 0.1}))
    with pytest.raises(SceneError, match="no joint 'lid'"):
        moved_home(home(), Poses(joints={(CUPBOARD, "lid"): 0.1}))
