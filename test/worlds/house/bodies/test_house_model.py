"""Homes as MuJoCo bodies: what moves, what can be picked up, what is told of each geom."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from bare_rooms import box, cabinet, room, thing

from vantage.errors import SceneError
from vantage.scenes.generator import generate_home
from vantage.scenes.geometry import estimated_mass
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


def test_ids_of_handles_are_no_ids_of_things():
    with pytest.raises(SceneError, match=r"object 1000701 .* kept for handles"):
        build_house(room(thing(HANDLE_IDS + 701, [box(0, 0, 0, 0.1, 0.1, 0.1)], (1.0, 1.0, 0.0))), appearance=False)


def test_parts_that_stand_ajar_begin_there():
    house = build_house(room(cabinet(10, position=0.12)), appearance=False, keep=False)
    data = mujoco.MjData(house.model)
    part = house.parts[0]
    mujoco.mj_forward(house.model, data)
    assert data.joint(part.joint).qpos[0] == pytest.approx(0.12)
    at = data.site(part.handle).xpos.copy()
    assert at[0] > 0.3
    data.joint(part.joint).qpos[0] = part.low
    mujoco.mj_forward(house.model, data)
    assert data.site(part.handle).xpos == pytest.approx(at - [0.12, 0.0, 0.0])


def test_what_hangs_on_a_wall_is_fixed():
    picture = thing(10, [box(0, 0, 0, 0.03, 0.4, 0.4)], (1.98, 0.0, 1.2), 1.0, relation="on", parent=2)
    assert not build_house(room(picture), appearance=False, keep=False).movable


def test_what_nobody_knows_the_mass_of_weighs_what_its_material_does():
    block = thing(10, [box(0, 0, 0, 0.1, 0.1, 0.1)], mass=0.0)
    house = build_house(room(block), appearance=False, keep=False)
    assert house.model.body(house.movable[10]).mass == pytest.approx(estimated_mass(block))
    assert estimated_mass(block) > 0.1


def test_nothing_that_is_thrown_leaves_the_home():
    things = [thing(10 + n, [box(0, 0, 0, 0.05, 0.05, 0.05)], (0.2 * n - 0.5, 0.0, 0.0), 0.2) for n in range(6)]
    house = build_house(room(*things), appearance=False, keep=False)
    data = mujoco.MjData(house.model)
    rng = np.random.default_rng(0)
    bodies = [house.model.body(name).id for name in house.movable.values()]
    for _ in range(60):
        data.xfrc_applied[bodies, :3] = rng.normal(scale=12.0, size=(len(bodies), 3))
        mujoco.mj_step(house.model, data, 10)
        assert np.isfinite(data.qpos).all()
        assert (np.abs(data.xpos[bodies, :2]) < 2.4).all()
        assert (data.xpos[bodies, 2] < 2.6).all()
    data.xfrc_applied[:] = 0.0
    mujoco.mj_step(house.model, data, 500)
    assert (data.xipos[bodies, 2] > 0.02).all()
