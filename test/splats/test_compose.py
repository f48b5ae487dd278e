"""Objects put into scenes: where they stand, which id they get, what the graph says, what is refused."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from plain_renderer import plain_render, random_cloud
from sampling import examples
from small_room import BOX_ID, HIGH, LOW, PILLAR_ID, small_room
from turned_rooms import table_with_box

from vantage.errors import SceneError, UsageError
from vantage.scenes.graph.graph import SceneGraph
from vantage.spatial import Intrinsics, Viewpoint, rigid, rotation_from_quaternion
from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.compose import UNNAMED, Crop, Placement, place_object, stand_object
from vantage.splats.scene import SplatScene, check_graph
from vantage.splats.upright import turning, yaw_rotation


def room(graph: bool = True) -> SplatScene:
    cloud, known = small_room()
    return SplatScene("room", cloud, known if graph else None, LOW, HIGH, 0.0, shows="a room")


def bare() -> SplatScene:
    cloud, _ = small_room()
    return dataclasses.replace(room(False), cloud=dataclasses.replace(cloud, instances=np.zeros(len(cloud))))


def obj() -> GaussianCloud:
    """A box of 0.3 x 0.2 x 0.6 units, the plate below it cut off, -y up as phone captures have it."""
    upright = Crop(low=(-9, -9, 0.02)).apply(table_with_box(noise=0.001))
    return upright.transformed(rigid(turning("-y").T, np.zeros(3)))


STANDING = Placement("lamp", (1.0, 1.0), R_upright=turning("-y"), metres_per_unit=0.5, color="red", material="steel")


def graph_of(scene: SplatScene) -> SceneGraph:
    assert scene.graph is not None
    return scene.graph


def test_a_object_stands_on_the_floor() -> None:
    before = room()
    composed = stand_object(before, obj(), STANDING)
    node = graph_of(composed).nodes[-1]
    assert (node.instance_id, node.label, node.color, node.material) == (PILLAR_ID + 1, "lamp", "red", "steel")
    assert (node.relation, node.parent) == ("", 0)
    assert node.bounds_min == pytest.approx((1 - 0.075, 1 - 0.05, 0.0), abs=0.01)
    assert node.bounds_max == pytest.approx((1 + 0.075, 1 + 0.05, 0.29), abs=0.02)
    members = composed.cloud.instances == node.instance_id
    assert members.sum() == len(obj())
    assert composed.cloud.means[members].min(axis=0) == pytest.approx(node.bounds_min, abs=0.02)
    assert np.median(composed.cloud.scales[members]) == pytest.approx(0.003)
    assert composed.shows == "a room, lamp"


def test_parts_of_the_scene_stay_and_a_placed_object_has_none() -> None:
    before, capture = room(), obj()
    parts = np.arange(len(before.cloud), dtype=np.int32) % 3
    before = dataclasses.replace(before, cloud=dataclasses.replace(before.cloud, parts=parts))
    capture = dataclasses.replace(capture, parts=np.ones(len(capture), np.int32))
    composed = stand_object(before, capture, STANDING).cloud.parts
    assert composed[: len(parts)].tolist() == parts.tolist()
    assert not composed[len(parts) :].any()


def test_the_given_scene_stays_as_it_is() -> None:
    before = room()
    key, nodes, capture = before.fingerprint, len(graph_of(before).nodes), obj()
    means = capture.means.copy()
    composed = stand_object(before, capture, STANDING)
    assert dataclasses.replace(before).fingerprint == key
    assert len(graph_of(before).nodes) == nodes
    assert np.array_equal(capture.means, means)
    assert composed.fingerprint != key
    assert np.array_equal(composed.cloud.means[: len(before.cloud)], before.cloud.means)


@settings(max_examples=examples(10), deadline=None)
@given(x=st.floats(0.5, 3.5), y=st.floats(0.5, 2.5), z=st.floats(0.1, 1.5), yaw=st.floats(-4, 4))
def test_position_and_yaw(x: float, y: float, z: float, yaw: float) -> None:
    placement = dataclasses.replace(STANDING, position=(x, y, z), yaw=yaw, metres_per_unit=1.0)
    composed = stand_object(room(), obj(), placement)
    node = graph_of(composed).nodes[-1]
    assert node.center[:2] == pytest.approx((x, y), abs=0.02)
    assert node.bounds_min[2] == pytest.approx(z, abs=0.01)
    members = composed.cloud.means[composed.cloud.instances == node.instance_id] - [x, y, z]
    turned_back = members @ yaw_rotation(yaw)
    assert np.percentile(turned_back, 99, axis=0)[:2] == pytest.approx([0.15, 0.1], abs=0.02)


def test_standing_on_a_object() -> None:
    on_box = dataclasses.replace(STANDING, position=(2.5, 1.5), on="box")
    node = graph_of(stand_object(room(), obj(), on_box)).nodes[-1]
    assert (node.relation, node.parent) == ("on", BOX_ID)
    assert node.bounds_min[2] == pytest.approx(1.2, abs=0.01)
    by_id = dataclasses.replace(on_box, on=BOX_ID)
    assert graph_of(stand_object(room(), obj(), by_id)).nodes[-1].parent == BOX_ID
    on_floor = dataclasses.replace(STANDING, on="floor")
    assert graph_of(stand_object(room(), obj(), on_floor)).nodes[-1].parent == 0


def test_several_objects_get_ids_of_their_own() -> None:
    scene = room()
    for x in (1.0, 2.0, 3.0):
        scene = stand_object(scene, obj(), dataclasses.replace(STANDING, position=(x, 0.5)))
    assert [node.instance_id for node in graph_of(scene).nodes[-3:]] == [9, 10, 11]
    assert set(scene.cloud.instances.tolist()) == set(range(1, 12))
    graph_of(scene).check()
    check_graph(graph_of(scene), scene.cloud, LOW, HIGH, "scene")


def test_a_scene_without_a_graph_gets_one() -> None:
    composed = stand_object(bare(), obj(), STANDING)
    assert [node.label for node in graph_of(composed).nodes] == ["lamp"]
    assert set(composed.cloud.instances.tolist()) == {0, 1}


def test_instances_without_a_graph_stay_and_are_unnamed() -> None:
    composed = stand_object(room(graph=False), obj(), STANDING)
    assert [node.label for node in graph_of(composed).nodes] == [UNNAMED] * 8 + ["lamp"]
    assert graph_of(composed).node(PILLAR_ID).bounds_max == pytest.approx((1.2, 2.6, 2.4))
    assert graph_of(composed).nodes[-1].instance_id == 9


def test_classes_grow_with_the_ids() -> None:
    scene = dataclasses.replace(room(graph=False), classes=np.arange(9, dtype=np.int32))
    composed = stand_object(scene, obj(), STANDING)
    assert composed.classes is not None
    assert composed.classes.tolist() == [*range(9), 0]


def test_harmonics_turn_with_the_object() -> None:
    capture = random_cloud(40, degree=3, seed=4, size=0.01, depth=(1.0, 1.2))
    capture = dataclasses.replace(capture, means=0.2 * capture.means)
    rotation = rotation_from_quaternion(0.1, 0.7, -0.3, 0.5)
    T = rigid(rotation, np.array([0.2, -0.1, 0.3]))
    empty = SplatScene("empty", GaussianCloud.empty(), None, (-9, -9, -9), (9, 9, 9), 0.0)
    wide = place_object(empty, capture, "thing", T, 1.0).cloud
    assert len(wide) == len(capture)
    lens = Intrinsics.from_fov(32, 24, 1.2)
    camera = Viewpoint(0, 0, 0, 0, 0).T_world_camera_optical()
    apart = plain_render(capture, camera, lens).rgb
    assert plain_render(wide, T @ camera, lens).rgb == pytest.approx(apart, abs=1e-4)


def test_the_degree_is_that_of_the_richer_cloud() -> None:
    rich = dataclasses.replace(obj(), sh=np.ones((len(obj()), 4, 3)))
    composed = stand_object(room(), rich, STANDING)
    assert composed.cloud.degree == 1
    assert not composed.cloud.sh[: len(room().cloud), 1:].any()


def test_haze_far_outside_is_left_out() -> None:
    capture = obj()
    capture.means[:20] += 30.0
    composed = stand_object(room(), capture, STANDING)
    assert len(composed.cloud) - len(room().cloud) == len(capture) - 20


def test_cropping() -> None:
    capture = table_with_box(noise=0.0)
    kept = Crop(low=(-1, -1, 0.01), high=(1, 1, 0.5), min_opacity=0.5).apply(capture)
    assert kept.means[:, 2].min() > 0.01
    assert kept.means[:, 2].max() < 0.5
    assert kept.opacities.min() >= 0.5
    assert len(Crop().apply(capture)) == len(capture)
    with pytest.raises(SceneError, match="nothing is left of the 'lamp' after cropping"):
        stand_object(room(), capture, dataclasses.replace(STANDING, crop=Crop(low=(5, 5, 5))))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"metres_per_unit": 20.0}, r"the 'lamp' would be .* m large, larger than the bounds of scene 'room'"),
        ({"metres_per_unit": 1e30}, r"the 'lamp' would be .*e\+29.* m large"),
        ({"metres_per_unit": 1e39}, r"the 'lamp': with 1e\+39 metres per unit .* larger than numbers reach"),
        ({"position": (90.0, 1.0)}, r"the 'lamp' would lie at .* outside the bounds of scene 'room'"),
        ({"on": "bx"}, r"scene 'room' has no 'bx' to stand on; did you mean 'box'"),
        ({"on": "wall"}, r"has 4 things called 'wall'; give one of the ids 3, 4, 5, 6"),
        ({"on": 77}, r"has no object 77"),
        ({"on": "box", "position": (1.0, 1.0)}, r"does not stand on 'box' \(id 7\)"),
        ({"on": "box", "position": (2.5, 1.5, 1.9)}, r"with its underside at 1.90 m does not stand on 'box'"),
    ],
)
def test_impossible_places(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SceneError, match=complaint):
        stand_object(room(), obj(), dataclasses.replace(STANDING, **change))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"label": ""}, "needs a label"),
        ({"metres_per_unit": 0.0}, "0.0 metres per unit"),
        ({"metres_per_unit": -1.0}, "-1.0 metres per unit"),
        ({"metres_per_unit": math.nan}, "nan metres per unit"),
        ({"T_world_object": 2.0 * np.eye(4)}, "no rigid transform"),
        ({"T_world_object": np.diag([1.0, 1.0, -1.0, 1.0])}, "no rigid transform"),
        ({"T_world_object": np.full((4, 4), math.nan)}, "no rigid transform"),
        ({"T_world_object": np.eye(3)}, "no rigid transform"),
    ],
)
def test_impossible_arguments(change: dict[str, Any], complaint: str) -> None:
    given = {"label": "lamp", "T_world_object": np.eye(4), "metres_per_unit": 1.0} | change
    with pytest.raises(UsageError, match=complaint):
        place_object(room(), obj(), **given)


def test_nothing_and_no_ids() -> None:
    with pytest.raises(SceneError, match="without Gaussians"):
        place_object(room(), GaussianCloud.empty(), "lamp", np.eye(4))
    with pytest.raises(SceneError, match=r"has no scene graph, so nothing can be 'on' 'box'"):
        stand_object(bare(), obj(), dataclasses.replace(STANDING, on="box"))
    graph_without_ids = dataclasses.replace(bare(), graph=graph_of(room()))
    with pytest.raises(SceneError, match="its cloud has no instance ids"):
        stand_object(graph_without_ids, obj(), STANDING)


def test_the_parts_are_only_put_together() -> None:
    scene, capture = room(), obj()
    composed = place_object(scene, capture, "lamp", rigid(np.eye(3), np.array([1.0, 1.0, 1.0])))
    both = concatenate([scene.cloud, capture])
    assert np.array_equal(composed.cloud.opacities, both.opacities)
