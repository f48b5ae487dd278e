import dataclasses
import math

import numpy as np
from small_home import CABINET, small_home

from vantage.scenes.geometry.design import box, hinge
from vantage.scenes.geometry.movement import moved, posed
from vantage.scenes.looks.coats import coat_of
from vantage.scenes.looks.lettering import print_spot
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec, object_bounds
from vantage.spatial import rotation_matrix
from vantage.splats.synthesis.from_spec import cloud_from_spec

BOARD = Part("box", (0.0, 0.0, 0.3), (0.03, 0.4, 0.5), (0.7, 0.5, 0.3), look="wood", name="door")
KNOB = Part("ellipsoid", (0.03, 0.15, 0.3), (0.04, 0.04, 0.04), (0.2, 0.2, 0.2), name="door")
BODY = Part("box", (-0.3, 0.0, 0.3), (0.3, 0.4, 0.5), (0.7, 0.7, 0.7))
JOINT = hinge("door", (0.0, 0.0, -1.0), (0.015, -0.2, 0.0), math.pi)


def scene(*parts, joints=()):
    obj = ObjectSpec(1, "cabinet", "brown", "wood", (0.2, 0.1, 0.8), 0.4, parts, joints=tuple(joints))
    return SceneSpec("lone", 0, 1, (-2.0, -2.0, 0.0), (2.0, 2.0, 2.5), (obj,))


def ajar(angle):
    parts = (BODY, *(moved(part, JOINT, angle) for part in (BOARD, KNOB)))
    return scene(*parts, joints=(dataclasses.replace(JOINT, position=angle),))


def test_gaussians_of_a_door_ajar_lie_on_its_primitives_and_face_away_from_them():
    spec = ajar(0.7)
    cloud = cloud_from_spec(spec)
    low, high = object_bounds(spec.objects[0])
    assert (cloud.means >= np.array(low) - 4e-3).all()
    assert (cloud.means <= np.array(high) + 4e-3).all()
    obj = spec.objects[0]
    turn = rotation_matrix((0.0, 0.0, obj.yaw)) @ rotation_matrix(obj.parts[1].rotation)
    center = rotation_matrix((0.0, 0.0, obj.yaw)) @ obj.parts[1].center + obj.position
    doors = cloud.parts == 2
    local = (cloud.means[doors].astype(np.float64) - center) @ turn
    normals = cloud.rotations()[doors][:, :, 2] @ turn
    shares = np.abs(local) / (0.5 * np.array(BOARD.size))
    inside = (shares <= 1.001).all(axis=1) & (shares.max(axis=1) > 0.999)
    assert inside.sum() > 300
    assert (local[inside] * normals[inside]).sum(axis=1).min() > 0.0
    assert np.abs(normals[inside]).max(axis=1).min() > 0.999
    assert (~inside).sum() > 20  # the knob


def test_a_door_looks_the_same_at_all_angles():
    counts = [int((cloud_from_spec(ajar(angle)).parts == 2).sum()) for angle in (0.3, 0.9, 1.2)]
    assert max(counts) < 1.2 * min(counts)


def test_texture_and_print_go_with_their_part():
    printed = dataclasses.replace(BOARD, text="SALT")
    angle = 0.6
    there = moved(printed, JOINT, angle)
    turn = rotation_matrix((0.0, 0.0, -angle))
    places = np.random.default_rng(0).uniform(-0.5, 0.5, (200, 3)) * BOARD.size
    before, after = scene(printed).objects[0], scene(there).objects[0]
    shut = coat_of(before, 0).colors(places + printed.center)
    swung = coat_of(after, 0).colors(places @ turn.T + there.center)
    assert swung.std() > 0.01
    straight = dataclasses.replace(after, parts=(dataclasses.replace(there, rotation=(0.0, 0.0, 0.0)),))
    np.testing.assert_allclose(swung, coat_of(straight, 0).colors(places + there.center), atol=1e-6)
    assert shut.shape == swung.shape
    spot, flat = print_spot(there, 0.05, 0.02), print_spot(printed, 0.05, 0.02)
    np.testing.assert_allclose(spot.normal, turn @ flat.normal, atol=1e-12)
    np.testing.assert_allclose(np.subtract(spot.middle, there.center), turn @ np.subtract(flat.middle, printed.center))


def test_a_home_with_doors_ajar_becomes_a_cloud():
    spec = small_home()
    joints = {(obj.instance_id, joint.part): 0.4 * joint.high for obj in spec.objects for joint in obj.joints}
    assert joints
    wide = posed(spec, joints)
    assert any(part.is_turned for obj in wide.objects for part in obj.parts)
    cloud = cloud_from_spec(wide)
    for obj in (each for each in wide.objects if not each.is_structure):
        means = cloud.means[cloud.instances == obj.instance_id].astype(np.float64)
        low, high = object_bounds(obj)
        assert (means >= np.asarray(low) - 4e-3).all(), obj.label
        assert (means <= np.asarray(high) + 4e-3).all(), obj.label
    assert (cloud.instances == CABINET).sum() > 20


def test_a_turned_board_does_not_hide_what_its_box_would():
    floor = box(0.0, 0.0, -0.1, 2.0, 2.0, 0.1, (0.5, 0.5, 0.5))
    leaning = dataclasses.replace(box(0.0, 0.0, 0.1, 0.4, 0.4, 0.02, (1.0, 0.0, 0.0)), rotation=(0.0, 0.7, 0.0))
    cloud, plain = cloud_from_spec(scene(floor, leaning)), cloud_from_spec(scene(floor))
    top = (cloud.means[:, 2] > 0.799) & (cloud.means[:, 2] < 0.801)
    assert top.sum() >= ((plain.means[:, 2] > 0.799) & (plain.means[:, 2] < 0.801)).sum() * 0.7
