"""The privileged perceiver on drawn boxes: where objects are, what is told of them, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest
from box_world import BoxWorld
from drawn_room import CABINET, empty_room

from vantage.errors import VantageError
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.perception.protocol import Perceiver
from vantage.registry import PERCEIVERS
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import InstanceLabel

AHEAD = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)


def scene():
    world = BoxWorld()
    world.add(1, "wall", (4.0, -3.0, 0.0), (4.1, 3.0, 2.5))
    world.add(7, "box", (2.0, -0.2, 0.8), (2.4, 0.2, 1.2), "red", "paper", ("closed",))
    return world


def test_is_a_registered_perceiver():
    perceiver = PERCEIVERS.create("privileged")
    assert isinstance(perceiver, Perceiver)
    assert perceiver.name == "privileged"


def test_locates_the_visible_face_and_tells_its_attributes():
    found = {d.label: d for d in PrivilegedPerceiver(20).perceive(scene().observe(AHEAD))}
    box = found["box"]
    assert (box.instance_id, box.color, box.material, box.states) == (7, "red", "paper", ("closed",))
    np.testing.assert_allclose(box.center, (2.0, 0.0, 1.0), atol=0.02)
    np.testing.assert_allclose(box.bounds_min, (2.0, -0.2, 0.8), atol=0.03)
    np.testing.assert_allclose(box.bounds_max, (2.0, 0.2, 1.2), atol=0.03)
    assert not box.truncated
    assert found["wall"].truncated


def test_box_and_pixels_agree_with_the_id_image():
    observation = scene().observe(AHEAD)
    found = next(d for d in PrivilegedPerceiver(20).perceive(observation) if d.instance_id == 7)
    rows, columns = np.nonzero(observation.instances == 7)
    assert found.pixels == rows.size
    x, y, width, height = found.box
    assert (x, y, x + width - 1, y + height - 1) == (columns.min(), rows.min(), columns.max(), rows.max())


def test_mixed_depth_on_the_silhouette_does_not_move_the_bounds():
    observation = scene().observe(AHEAD)
    ids, depth = observation.instances, observation.depth.copy()
    box = ids == 7
    border = box & ~(np.roll(box, 1, 0) & np.roll(box, -1, 0) & np.roll(box, 1, 1) & np.roll(box, -1, 1))
    depth[border] = 3.0  # between the box at 2 m and the wall at 4 m, as an expected depth is
    found = next(d for d in PrivilegedPerceiver(20).perceive(replace(observation, depth=depth)) if d.instance_id == 7)
    assert found.bounds_max[0] < 2.05


def test_few_pixels_give_a_label_without_attributes_and_fewer_give_nothing():
    observation = scene().observe(AHEAD)
    pixels = int((observation.instances == 7).sum())
    noticed = {d.instance_id: d for d in PrivilegedPerceiver(pixels - 1).perceive(observation)}
    assert (noticed[7].label, noticed[7].color, noticed[7].material, noticed[7].states) == ("box", "", "", ())
    assert 7 not in {d.instance_id for d in PrivilegedPerceiver(pixels + 1).perceive(observation)}


def test_confidence_grows_with_pixels():
    world = scene()
    perceiver = PrivilegedPerceiver(20)
    confidences = []
    for x in (-3.0, -1.0, 1.0):
        seen = perceiver.perceive(world.observe(replace(AHEAD, x=x)))
        confidences.append(next(d.confidence for d in seen if d.instance_id == 7))
    assert confidences == sorted(confidences)
    assert 0.5 <= confidences[0] < confidences[-1] < 1.0


def test_pixels_without_depth_and_ids_without_legend_are_left_out():
    observation = scene().observe(AHEAD)
    depth = observation.depth.copy()
    depth[observation.instances == 7] = np.nan
    assert {d.instance_id for d in PrivilegedPerceiver(20).perceive(replace(observation, depth=depth))} == {1}
    legend = {1: observation.legend[1]}
    assert {d.instance_id for d in PrivilegedPerceiver(20).perceive(replace(observation, legend=legend))} == {1}


def test_negative_and_huge_ids_are_told_apart():
    observation = scene().observe(AHEAD)
    ids = observation.instances.copy()
    ids[ids == 7] = 7 + 65536
    legend = dict(observation.legend)
    legend[7 + 65536] = replace(legend[7], instance_id=7 + 65536)
    found = PrivilegedPerceiver(20).perceive(replace(observation, instances=ids, legend=legend))
    assert {d.instance_id for d in found} == {1, 7 + 65536}


def test_an_empty_view_shows_nothing():
    assert PrivilegedPerceiver(20).perceive(BoxWorld().observe(AHEAD)) == ()


@pytest.mark.parametrize("part", ["instances", "legend", "depth"])
def test_says_what_an_observation_lacks(part):
    with pytest.raises(VantageError, match="privileged perceiver needs"):
        PrivilegedPerceiver().perceive(replace(scene().observe(AHEAD), **{part: None}))


def test_refuses_images_of_different_sizes():
    observation = scene().observe(AHEAD)
    with pytest.raises(VantageError, match="must have the size"):
        PrivilegedPerceiver().perceive(replace(observation, depth=observation.depth[:-1]))


def test_refuses_a_useless_threshold():
    with pytest.raises(VantageError, match="min_pixels"):
        PrivilegedPerceiver(0)


def with_handle():
    world = empty_room()
    world.legend[1_000_001] = InstanceLabel(1_000_001, "handle", "grey", part_of=CABINET)
    world.boxes.append((1_000_001, (3.7, 0.45, 0.54), (3.9, 0.48, 0.58)))
    return world.observe(Viewpoint(3.8, 2.0, 1.3, -np.pi / 2, -0.5))


def test_a_handle_belongs_to_what_it_is_on_and_is_located_besides():
    view = with_handle()
    found = PrivilegedPerceiver(60).perceive(view)
    assert [item.label for item in found].count("handle") == 1
    handle = found[-1]
    assert (handle.instance_id, handle.part_of) == (1_000_001, CABINET)
    np.testing.assert_allclose(handle.center, (3.8, 0.48, 0.56), atol=0.03)
    cabinet = next(item for item in found if item.instance_id == CABINET)
    ids = view.instances
    assert cabinet.pixels == np.count_nonzero((ids == CABINET) | (ids == 1_000_001))


def test_fewer_pixels_of_depth_than_of_color_show_the_same():
    world = empty_room()
    at = Viewpoint(3.8, 2.0, 1.3, -np.pi / 2, -0.5)
    whole = PrivilegedPerceiver(60).perceive(world.observe(at))
    fine, coarse = world.observe(at), world.observe(at, Intrinsics.from_fov(160, 120, 1.2))
    halved = replace(
        fine, depth=coarse.depth, instances=coarse.instances, depth_intrinsics=Intrinsics.from_fov(160, 120, 1.2)
    )
    found = PrivilegedPerceiver(60).perceive(halved)
    assert {item.instance_id for item in found} == {item.instance_id for item in whole}
    for item in whole:
        other = next(each for each in found if each.instance_id == item.instance_id)
        assert other.pixels == pytest.approx(item.pixels, rel=0.1)
        np.testing.assert_allclose(other.box, item.box, atol=3)
        np.testing.assert_allclose(other.bounds_min, item.bounds_min, atol=0.08)


def test_ids_and_depth_of_another_size_than_their_camera_are_refused():
    view = with_handle()
    with pytest.raises(VantageError, match="must have the size"):
        PrivilegedPerceiver(60).perceive(replace(view, depth_intrinsics=Intrinsics.from_fov(160, 120, 1.2)))
