import math
from dataclasses import replace

import numpy as np
import pytest
from row_tables import each_row

from vantage.errors import SceneError
from vantage.scenes.catalog.catalog import CATALOG
from vantage.scenes.generator.object_models import design_model
from vantage.scenes.geometry.design import box, hinge, named, slide
from vantage.scenes.geometry.handles import handle_of
from vantage.scenes.geometry.movement import moved
from vantage.scenes.spec.spec import ObjectSpec, part_reach

MOVING = sorted(name for name in CATALOG if design_model(name, np.random.default_rng(0)).design.joints)
EDGES = {"toilet", "window", "suitcase", "box"}  # have no handles


def made(name, seed, state):
    states = [state] if any(state in axis for axis in CATALOG[name].states) else []
    return design_model(name, np.random.default_rng(seed), states=states).at(1, (0.0, 0.0, 0.0), 0.0)


def closed_bounds(obj, joint):
    parts = [moved(part, joint, joint.low - joint.position) for part in obj.parts if part.name == joint.part]
    centers, halves = np.array([part.center for part in parts]), np.array([part_reach(part) for part in parts])
    return (centers - halves).min(axis=0), (centers + halves).max(axis=0)


@each_row("name", MOVING)
@each_row("seed", [0, 1, 2])
def test_every_moving_part_of_the_catalogue_has_a_handle_at_its_front(name, seed):
    obj = made(name, seed, "closed")
    for joint in obj.joints:
        handle = handle_of(obj, joint)
        low, high = closed_bounds(obj, joint)
        out, free = np.array(handle.outward), np.array(handle.free)
        assert (np.array(handle.center) >= low - 1e-6).all()
        assert (np.array(handle.center) <= high + 1e-6).all()
        assert np.linalg.norm(out) == pytest.approx(1.0)
        lifted = joint.kind == "hinge" and abs(joint.axis[2]) < 0.5 and joint.part != "door"
        assert out == pytest.approx((0.0, 0.0, 1.0) if lifted else (1.0, 0.0, 0.0))
        assert (handle.index is None) == (name in EDGES)
        assert max(handle.size) < 0.6
        if joint.kind == "hinge":
            arm = np.array(handle.center) - joint.origin
            assert np.cross(joint.axis, arm) @ out > 0.0  # pulled outward, it opens
            assert arm @ free > 0.4 * abs((high - low) @ free)
            assert abs(free @ out) < 1e-9


@each_row("name", MOVING)
def test_the_handle_of_an_open_part_is_the_same_one_where_it_is_now(name):
    shut, wide = made(name, 4, "closed"), made(name, 4, "open")
    for before, after in zip(shut.joints, wide.joints, strict=True):
        old, new = handle_of(shut, before), handle_of(wide, after)
        assert new.index == old.index
        assert new.size == pytest.approx(old.size, abs=1e-5)
        if new.index is not None:
            assert new.center == pytest.approx(wide.parts[new.index].center, abs=1e-5)


def test_a_handle_goes_with_a_door_that_stands_ajar():
    door = named("door", (box(0, 0, 0, 0.02, 0.4, 0.6, (1, 1, 1)), box(0.02, 0.15, 0.3, 0.02, 0.02, 0.1, (0, 0, 0))))
    joint = hinge("door", (0.0, 0.0, -1.0), (0.01, -0.2, 0.0))
    angle = 0.5
    ajar = tuple(moved(part, joint, angle) for part in door)
    obj = ObjectSpec(1, "x", "", "", (0, 0, 0), 0.0, ajar, joints=(replace(joint, position=angle),))
    handle = handle_of(obj, obj.joints[0])
    assert handle.center == pytest.approx(ajar[1].center)
    assert handle.outward == pytest.approx((math.cos(angle), -math.sin(angle), 0.0))
    assert handle.free == pytest.approx((math.sin(angle), math.cos(angle), 0.0))
    assert handle.size == pytest.approx((0.02, 0.02, 0.1))


def test_a_drawer_without_a_handle_is_held_at_the_middle_of_its_front():
    drawer = named("drawer", (box(0, 0, 0, 0.3, 0.4, 0.2, (1, 1, 1)),))
    obj = ObjectSpec(1, "x", "", "", (0, 0, 0), 0.0, tuple(drawer), joints=(slide("drawer", (0, 0, 0), 0.2),))
    handle = handle_of(obj, obj.joints[0])
    assert handle.index is None
    assert handle.center == pytest.approx((0.13, 0.0, 0.1))
    assert handle.free == (0.0, 0.0, 0.0)


def test_a_joint_of_a_part_that_is_not_there_is_refused():
    obj = ObjectSpec(1, "cabinet", "", "", (0, 0, 0), 0.0, (box(0, 0, 0, 0.3, 0.4, 0.2, (1, 1, 1)),))
    with pytest.raises(SceneError, match="no part 'door'"):
        handle_of(obj, hinge("door", (0, 0, 1), (0, 0, 0)))
