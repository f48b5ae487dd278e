import dataclasses
import math

import numpy as np
import pytest
from small_home import BATHROOM, KITCHEN, small_home

from vantage.scenes.generator.object_models import design_model
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.synthesis.from_spec import cloud_from_spec

CAMERA = Intrinsics.from_fov(320, 240, 1.2)
SPEC = small_home()
ROOM = {obj.instance_id: obj.room for obj in SPEC.objects}


@pytest.fixture(scope="module")
def cloud():
    return cloud_from_spec(SPEC)


def seen_rooms(view):
    rooms = np.array([ROOM.get(k, 0) for k in range(max(ROOM) + 1)])
    return rooms[view.instances]


def looks(x, y, z=1.3):
    return [Viewpoint(x, y, z, 0.25 * math.pi * k, pitch) for k in range(8) for pitch in (-0.5, 0.3)]


def render(cloud, viewpoints):
    return CpuRenderer(2).render_batch(cloud, [each.T_world_camera_optical() for each in viewpoints], CAMERA)


def test_rooms_are_closed_on_all_sides(cloud):
    for view in render(cloud, looks(-1.5, -0.6)) + render(cloud, looks(1.0, 0.6)):
        assert np.percentile(view.alpha, 1) > 0.95
        assert view.alpha.min() > 0.5


def test_the_next_room_is_seen_through_the_doorway_and_not_through_the_wall(cloud):
    through = render(cloud, [Viewpoint(-1.5, 0.0, 1.2, 0.0, 0.0)])[0]
    assert (seen_rooms(through) == BATHROOM).mean() > 0.2
    walled = small_home(doorway=False)
    for view in render(cloud_from_spec(walled), looks(-1.0, -0.5)):
        assert (seen_rooms(view) == BATHROOM).mean() < 1e-4
    for view in render(cloud_from_spec(walled), looks(1.0, -0.5)):
        assert (seen_rooms(view) == KITCHEN).mean() < 1e-4


def test_light_from_the_next_room_does_not_come_through_a_wall():
    walled = small_home(doorway=False)
    red = dataclasses.replace(
        walled,
        objects=tuple(
            dataclasses.replace(
                obj, parts=tuple(dataclasses.replace(part, rgb=(1.0, 0.0, 0.0), look="paint") for part in obj.parts)
            )
            if obj.is_structure and obj.room == BATHROOM
            else obj
            for obj in walled.objects
        ),
    )
    pose = [Viewpoint(-0.6, 0.0, 1.2, 0.0, 0.0), Viewpoint(-1.5, 1.2, 1.2, -0.9, 0.0)]
    plain, tinted = (render(cloud_from_spec(spec), pose) for spec in (walled, red))
    for a, b in zip(plain, tinted, strict=True):
        assert np.abs(a.rgb.astype(int) - b.rgb).mean() < 2.0


def test_depth_is_that_of_the_walls_and_of_the_floor_in_the_doorway(cloud):
    ahead, down = render(cloud, [Viewpoint(-1.05, -1.0, 1.2, 0.0, 0.0), Viewpoint(0.0, 0.0, 1.0, 0.0, -math.pi / 2)])
    assert ahead.depth[120, 160] == pytest.approx(1.0, abs=0.03)
    assert down.depth[120, 160] == pytest.approx(1.0, abs=0.03)
    assert down.instances[120, 160] in (KITCHEN, BATHROOM)  # a floor


def test_bathrooms_are_tiled_to_above_the_middle(cloud):
    wall = next(obj for obj in SPEC.objects if obj.label == "wall" and obj.room == BATHROOM)
    of_wall = cloud.select(cloud.instances == wall.instance_id)
    low = of_wall.base_colors()[(of_wall.means[:, 2] > 0.3) & (of_wall.means[:, 2] < 1.4)].mean(axis=0)
    high = of_wall.base_colors()[of_wall.means[:, 2] > 1.7].mean(axis=0)
    assert low[2] / low[0] > high[2] / high[0] + 0.05  # white below a warm tint


def test_thin_walls_are_in_small_pieces_so_that_nothing_shines_through(cloud):
    """Pieces are drawn in the order of their middles, which large ones of two near faces do not have at a slant."""
    thin = dataclasses.replace(
        SPEC,
        objects=tuple(
            dataclasses.replace(
                obj, parts=tuple(dataclasses.replace(part, size=(0.02, *part.size[1:])) for part in obj.parts)
            )
            if obj.label == "wall"
            else obj
            for obj in SPEC.objects
        ),
    )
    walls = [obj.instance_id for obj in SPEC.objects if obj.label == "wall"]
    usual, fine = (each.scales[np.isin(each.instances, walls)].max(axis=1) for each in (cloud, cloud_from_spec(thin)))
    assert np.quantile(fine, 0.9) < 0.055 < 0.075 < np.quantile(usual, 0.9)


def test_a_floor_does_not_shine_through_what_stands_on_it():
    slab = Part("box", (0.0, 0.0, -0.05), (3.0, 3.0, 0.1), (0.9, 0.05, 0.05), ("z-",), look="boards")
    floor = ObjectSpec(1, "floor", "", "", (0.0, 0.0, 0.0), 0.0, (slab,))
    basket = design_model("basket", np.random.default_rng(0), "white").at(2, (0.0, 0.0, 0.0), 0.0, "on", 1)
    cloud = cloud_from_spec(SceneSpec("two", 0, 1, (-1.5, -1.5, 0.0), (1.5, 1.5, 2.5), (floor, basket)), 0.3)
    renderer = CpuRenderer(1)
    try:
        pose = Viewpoint.looking_at((0.6, 0.0, 1.0), (0.0, 0.0, 0.1)).T_world_camera_optical()
        view = renderer.render(cloud, pose, Intrinsics.from_fov(128, 128, 1.0))
    finally:
        renderer.close()
    mask = view.instances == 2
    inside = np.all([np.roll(mask, (4 * i, 4 * j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)], axis=0)
    assert inside.sum() > 1000
    red, green = view.rgb[inside, 0].astype(float), view.rgb[inside, 1].astype(float)
    assert (red - green).max() < 40


def painted_over(cloud, label_ids, view, camera=CAMERA):
    """How far (H, W), 0..255, Gaussians of some instances change a picture, and the instances seen without them."""
    renderer = CpuRenderer(1)
    try:
        pose = view.T_world_camera_optical()
        whole = renderer.render(cloud, pose, camera)
        bare = renderer.render(cloud.select(~np.isin(cloud.instances, label_ids)), pose, camera)
    finally:
        renderer.close()
    return np.abs(whole.rgb.astype(int) - bare.rgb).max(axis=2), bare.instances


def test_no_haze_hangs_below_a_ceiling():
    coarse = cloud_from_spec(SPEC, 0.3)
    ceilings = [obj.instance_id for obj in SPEC.objects if obj.label == "ceiling"]
    assert coarse.scales[np.isin(coarse.instances, ceilings)].max() < 0.06
    changed, seen = painted_over(coarse, ceilings, Viewpoint(-3.0, 0.0, 2.25, 0.0, 0.0))
    assert (seen[180:] > 0).all()
    assert np.percentile(changed[180:], 90) < 12


def test_a_wall_ends_in_small_gaussians_at_a_round_clock():
    slab = Part("box", (-0.05, 0.0, 1.25), (0.1, 3.0, 2.5), (0.9, 0.05, 0.05), look="wall")
    wall = ObjectSpec(1, "wall", "", "", (0.0, 0.0, 0.0), 0.0, (slab,))
    clock = design_model("wall clock", np.random.default_rng(0), "blue")
    depth = -clock.extent()[0][0]
    spec = SceneSpec(
        "two", 0, 1, (0.0, -1.5, 0.0), (3.0, 1.5, 2.5), (wall, clock.at(2, (depth, 0.0, 1.4), 0.0, "on", 1))
    )
    cloud = cloud_from_spec(spec, 0.3)
    radius = 0.5 * clock.extent()[1][2]
    wall_of = cloud.instances == 1
    away = np.hypot(cloud.means[wall_of, 1], cloud.means[wall_of, 2] - 1.4 - radius)
    assert away.min() > radius - 0.04
    assert cloud.scales[wall_of][away < radius + 0.03].max() < 0.02
