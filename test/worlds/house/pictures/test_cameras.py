"""Pictures of a house: pixels where projection says, depth, ids, light, and the same as ever."""

import gc
import math
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import mujoco
import numpy as np
import pytest
from touch_home import BLOCK, CABINET, FRIDGE, touch_home

from vantage.benchmarks.labelling import Solids
from vantage.errors import UsageError, WorldError
from vantage.scenes.generator import generate_home
from vantage.scenes.spec import nearest_color
from vantage.spatial import Intrinsics, Viewpoint, apply, invert
from vantage.worlds.house import build_house
from vantage.worlds.house.pictures.cameras import HouseCamera
from vantage.worlds.house.pictures.gl import make_context

pytestmark = [pytest.mark.needs("house"), pytest.mark.needs("gl")]

GOLDEN = Path(__file__).with_name("golden_room.png")
SMALL = Intrinsics.from_fov(160, 120, 1.2)
OVER_THE_TABLE = Viewpoint.looking_at((-0.4, -0.6, 1.4), (1.2, 0.0, 0.8))


def ready(house):
    data = mujoco.MjData(house.model)
    mujoco.mj_forward(house.model, data)
    return data


@pytest.fixture(scope="module")
def room():
    house = build_house(touch_home())
    return house, ready(house)


@pytest.fixture(scope="module")
def camera(room):
    with closing(HouseCamera(room[0], SMALL)) as made:
        yield made


def ids_at(camera, data, viewpoint=OVER_THE_TABLE):
    return camera.depth_and_ids(data, viewpoint.T_world_camera_optical())[1]


@pytest.mark.parametrize(
    "intrinsics",
    [Intrinsics.from_fov(400, 300, 1.2), Intrinsics(330, 250, 300.0, 280.0, 140.3, 160.7)],
    ids=["centred", "off centre"],
)
def test_pixels_lie_where_points_are_projected(room, intrinsics):
    house, data = room
    T = OVER_THE_TABLE.T_world_camera_optical()
    with closing(HouseCamera(house, intrinsics)) as camera:
        depth, ids = camera.depth_and_ids(data, T)
    at = data.body("object/10").xpos
    corners = np.array([(x, y, z) for x in (-0.03, 0.03) for y in (-0.03, 0.03) for z in (0.0, 0.10)]) + at
    pixels = intrinsics.project(apply(invert(T), corners))
    rows, columns = np.nonzero(ids == BLOCK)
    found = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    assert np.abs(np.array(found) - [*pixels.min(axis=0), *pixels.max(axis=0)]).max() < 0.75
    middle = int(np.median(rows)), int(np.median(columns))
    back = intrinsics.backproject(np.where(ids == BLOCK, depth, np.nan))
    inside = np.abs(apply(T, back.astype(np.float64)) - at - (0, 0, 0.05)) - (0.03, 0.03, 0.05)
    assert inside.max() < 0.001
    assert ids[middle] == BLOCK


def test_ids_and_depth_are_those_of_exact_rays():
    home = generate_home(5, 2)
    house = build_house(home)
    data, solids = ready(house), Solids.from_spec(home)
    owners = {part.handle_id: part.instance for part in house.parts}
    lens = Intrinsics.from_fov(64, 48, 1.2)
    v, u = np.mgrid[0:48, 0:64]
    ways = np.stack([(u + 0.5 - lens.cx) / lens.fx, (v + 0.5 - lens.cy) / lens.fy, np.ones(u.shape)], axis=-1)
    right = rays = 0
    low, high = np.array(home.bounds_min), np.array(home.bounds_max)
    with closing(HouseCamera(house, lens)) as camera:
        for yaw in (0.3, 2.0, 4.0):
            x, y, _ = low + (0.45, 0.5, 0.0) * (high - low)
            T = Viewpoint(x, y, 1.4, yaw, -0.2).T_world_camera_optical()
            depth, ids = camera.depth_and_ids(data, T)
            ends = apply(T, 20.0 * ways.reshape(-1, 3))
            enter, leave, names = solids.crossings(T[:3, 3], ends)
            nearest = np.minimum(np.where(enter > 0, enter, np.inf), np.where(leave > 0, leave, np.inf))
            exact = names[nearest.argmin(axis=0)].reshape(ids.shape)
            same = np.vectorize(lambda each: owners.get(each, each))(ids) == exact
            right, rays = right + same.sum(), rays + same.size
            far = 20.0 * nearest.min(axis=0).reshape(ids.shape)
            assert np.nanmedian(np.abs(far - depth)[same]) < 1e-3
    assert right / rays > 0.985


def test_what_no_opening_shows_is_left_out_unseen(monkeypatch):
    """The same ids with and without leaving out rooms; fewer geoms with."""
    home = generate_home(1, 4)
    house = build_house(home)
    data, rng = ready(house), np.random.default_rng(0)
    low, high = np.array(home.bounds_min), np.array(home.bounds_max)
    drawn = []
    with closing(HouseCamera(house, SMALL)) as camera:
        sight = camera._sight.seen
        for _ in range(25):
            x, y, _ = rng.uniform(low, high)
            view = Viewpoint(x, y, 1.3, rng.uniform(-np.pi, np.pi), rng.uniform(-0.6, 0.3))
            pictures = []
            for rooms in (sight, lambda *_: None):
                monkeypatch.setattr(camera._sight, "seen", rooms)
                pictures.append(ids_at(camera, data, view))
                drawn.append(camera._scene.ngeom)
            np.testing.assert_array_equal(*pictures)
    assert sum(drawn[::2]) < 0.8 * sum(drawn[1::2])


def test_what_was_carried_to_another_place_is_seen_there(room, camera):
    house, data = room[0], ready(room[0])
    before = ids_at(camera, data)
    data.joint("free/10").qpos[:3] += (0.0, 0.55, 0.0)
    mujoco.mj_forward(house.model, data)
    after = ids_at(camera, data)
    assert np.nonzero(after == BLOCK)[1].mean() < np.nonzero(before == BLOCK)[1].mean() - 10


def test_handles_have_ids_of_their_own(room, camera):
    house, data = room
    cabinet = next(part for part in house.parts if part.instance == CABINET)
    at = data.site(cabinet.handle).xpos
    out = data.site(cabinet.handle).xmat.reshape(3, 3)[:, 0]
    ids = ids_at(camera, data, Viewpoint.looking_at(at + 0.5 * out, at))
    assert {CABINET, cabinet.handle_id} <= set(np.unique(ids).tolist())


@pytest.mark.parametrize("opened", [0.0, 0.7])
def test_an_edge_that_is_a_handle_has_an_id_of_its_own_wherever_it_is(opened):
    home = touch_home()
    fridge = next(obj for obj in home.objects if obj.instance_id == FRIDGE)
    objects = tuple(replace(obj, parts=obj.parts[:-1]) if obj is fridge else obj for obj in home.objects)
    house = build_house(replace(home, objects=objects))
    data = ready(house)
    door = next(part for part in house.parts if part.instance == FRIDGE)
    data.joint(door.joint).qpos[0] = opened
    mujoco.mj_forward(house.model, data)
    edge, leaf = data.site(door.handle), data.body(f"object/{FRIDGE}/door")
    assert edge.xpos == pytest.approx(leaf.xpos + leaf.xmat.reshape(3, 3) @ (0.27, -0.28, 0.8))
    out = edge.xmat.reshape(3, 3)[:, 0]
    T = Viewpoint.looking_at(edge.xpos + 0.8 * out + (0.0, 0.0, 0.1), edge.xpos).T_world_camera_optical()
    with closing(HouseCamera(house, SMALL)) as camera:
        depth, ids = camera.depth_and_ids(data, T)
        whole = camera.depth_and_ids(data, T)[1]
    np.testing.assert_array_equal(ids, whole)
    assert FRIDGE in ids
    seen = apply(T, SMALL.backproject(np.where(ids == door.handle_id, depth, np.nan)).astype(np.float64))
    local = (seen - edge.xpos) @ edge.xmat.reshape(3, 3)
    assert np.ptp(local, axis=0) == pytest.approx([0.0, 0.04, 0.12], abs=0.015)
    assert len(seen) > 100


def test_nothing_is_nan_and_without_id(room, camera):
    depth, ids = camera.depth_and_ids(room[1], Viewpoint(40.0, 0.0, 1.0, 0.0, 0.0).T_world_camera_optical())
    assert np.isnan(depth).all()
    assert not ids.any()


def test_ceilings_can_be_left_out(room, camera):
    above = Viewpoint(0.0, 0.0, 9.0, 0.0, -math.pi / 2)
    try:
        camera.shows_ceilings = False
        assert BLOCK in ids_at(camera, room[1], above)
    finally:
        camera.shows_ceilings = True
    assert BLOCK not in ids_at(camera, room[1], above)


def test_the_color_of_a_thing_has_its_word(room, camera):
    rgb = camera.color_image(room[1], OVER_THE_TABLE.T_world_camera_optical())
    ids = ids_at(camera, room[1])
    r, g, b = np.median(rgb[ids == BLOCK], axis=0) / 255
    assert nearest_color((r, g, b)) == "red"


def test_the_same_room_gives_the_same_picture(room, camera):
    rgb = camera.color_image(room[1], OVER_THE_TABLE.T_world_camera_optical())
    np.testing.assert_array_equal(rgb, camera.color_image(room[1], OVER_THE_TABLE.T_world_camera_optical()))
    golden = cv2.imread(str(GOLDEN))[..., ::-1]
    assert cv2.PSNR(rgb, np.ascontiguousarray(golden)) > 32  # dB


def test_a_part_that_was_turned_is_drawn_turned():
    home = touch_home()
    flat = next(obj for obj in home.objects if obj.instance_id == BLOCK)
    part = replace(flat.parts[0], rotation=(0.0, 0.0, math.pi / 4))
    objects = tuple(replace(obj, parts=(part,)) if obj is flat else obj for obj in home.objects)
    house = build_house(replace(home, objects=objects))
    straight = build_house(home)
    widths = []
    for each in (house, straight):
        with closing(HouseCamera(each, SMALL)) as camera:
            columns = np.nonzero(ids_at(camera, ready(each), Viewpoint(0.0, -0.25, 0.8, 0.0, 0.0)) == BLOCK)[1]
            widths.append(columns.max() - columns.min() + 1)
    assert widths[0] / widths[1] == pytest.approx(math.sqrt(2.0), rel=0.2)


def test_a_closed_camera_says_so(room):
    camera = HouseCamera(room[0], SMALL)
    camera.close()
    camera.close()
    with pytest.raises(WorldError, match="was closed"):
        camera.color_image(room[1], np.eye(4))


def test_nothing_is_said_at_the_end_of_a_program_that_forgot_to_close():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from touch_home import touch_home\n"
        "from vantage.spatial import Intrinsics\n"
        "from vantage.worlds.house import build_house\n"
        "from vantage.worlds.house.pictures.cameras import HouseCamera\n"
        "camera = HouseCamera(build_house(touch_home()), Intrinsics.from_fov(16, 12, 1.2))\n"
    )
    support = str(Path(__file__).parents[3] / "support")
    done = subprocess.run([sys.executable, "-c", code, support], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_opengl_the_packages_are_named(monkeypatch):
    def missing(kind):
        raise ImportError("no such library")

    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.setattr("vantage.worlds.house.pictures.gl._context_class", missing)
    with pytest.raises(WorldError, match=r"need OpenGL.*libegl1 libegl-mesa0 libgl1-mesa-dri"):
        make_context(8, 8)


def test_a_renderer_without_pictures_is_refused(monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", "glfw")
    with pytest.raises(UsageError, match="MUJOCO_GL is 'glfw'"):
        make_context(8, 8)
    gc.collect()
