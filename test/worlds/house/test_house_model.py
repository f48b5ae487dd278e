"""Homes as MuJoCo bodies: what moves, what can be picked up, what is told of each geom."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from vantage.errors import SceneError
from vantage.scenes.generator import generate_home
from vantage.worlds.house import HANDLE_IDS, body_name, build_house

pytestmark = pytest.mark.needs("house")


@pytest.fixture(scope="module")
def home():
    return generate_home(3, 2)


@pytest.fixture(scope="module")
def house(home):
    return build_house(home, appearance=False)


def test_every_joint_stands_where_the_specification_has_it(home, house):
    data = mujoco.MjData(house.model)
    joints = {(obj.instance_id, joint.part): joint for obj in home.objects for joint in obj.joints}
    assert len(house.parts) == len(joints) > 0
    for part in house.parts:
        joint = joints[part.instance, part.part]
        assert data.joint(part.joint).qpos[0] == pytest.approx(joint.position)
        assert (part.low, part.high) == (joint.low, joint.high)
        assert part.handle_id > HANDLE_IDS
    assert len({part.handle_id for part in house.parts}) == len(joints)


def test_what_weighs_little_can_be_picked_up(home, house):
    objects = {obj.instance_id: obj for obj in home.objects}
    assert house.movable
    for instance, name in house.movable.items():
        body = house.model.body(name)
        assert house.model.body_subtreemass[body.id] == pytest.approx(objects[instance].mass)
        assert objects[instance].mass < 5
    heavy = [obj for obj in home.objects if obj.mass >= 5]
    assert all(house.model.body_weldid[house.model.body(body_name(obj.instance_id)).id] == 0 for obj in heavy)


def test_every_geom_tells_its_object(home, house):
    known = {obj.instance_id for obj in home.objects}
    assert set(house.instance_of_geom.tolist()) <= known
    assert len(house.instance_of_geom) == len(house.id_of_geom) == house.model.ngeom


def test_everything_stays_where_it_is_once_it_is_awake(home):
    house = build_house(home, appearance=False, asleep=False)
    data = mujoco.MjData(house.model)
    mujoco.mj_forward(house.model, data)
    before = data.xpos.copy()
    mujoco.mj_step(house.model, data, 500)
    assert np.linalg.norm(data.xpos - before, axis=1).max() < 0.01
    assert not data.tree_awake.any()


def test_a_home_that_contradicts_itself_is_refused(home):
    broken = replace(home.objects[-1], position=(math.nan, 0.0, 0.0))
    with pytest.raises(SceneError, match="finite"):
        build_house(replace(home, objects=(*home.objects[:-1], broken)), appearance=False)
