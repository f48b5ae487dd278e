"""What the house world shows, and how it says that nothing can be shown."""

import shutil
import threading
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from house_driver import EPISODE, Driver, house_settings
from touch_home import BLOCK, CABINET, TABLE

from vantage.errors import EpisodeError, WorldError
from vantage.registry import WORLDS
from vantage.spatial import Intrinsics
from vantage.types import Status
from vantage.worlds.conformance import check_world
from vantage.worlds.house.physics.simulation import Simulation
from vantage.worlds.house.pictures.drawing import smaller

pytestmark = pytest.mark.needs("house", "gl")


@pytest.fixture
def seeing(tmp_path):
    settings = house_settings(tmp_path)
    return replace(
        settings,
        house=replace(settings.house, pictures="all", depth_width=32, depth_height=24),
        camera=replace(settings.camera, width=64, height=48),
    )


def test_it_passes_the_conformance_checker_with_pictures(seeing):
    assert "images" in check_world(lambda: WORLDS.create("house", seeing), EPISODE)


def test_depth_and_ids_are_the_same_view_with_fewer_pixels(seeing):
    with closing(WORLDS.create("house", seeing)) as world:
        driver = Driver(world)
        driver.act("look_down", "look_down")
        seen = driver.last
        assert seen.rgb.shape == (48, 64, 3)
        assert seen.depth.shape == seen.instances.shape == (24, 32)
        assert seen.depth_intrinsics.horizontal_fov == pytest.approx(seen.intrinsics.horizontal_fov)
        assert {TABLE, BLOCK} & set(np.unique(seen.instances).tolist())
        assert seen.legend[TABLE].label == "table"


def test_states_follow_the_joints_and_handles_belong_to_things(seeing):
    with closing(WORLDS.create("house", seeing)) as world:
        driver = Driver(world)
        assert driver.last.legend[CABINET].states == ("closed",)
        handles = [label for label in driver.last.legend.values() if label.part_of == CABINET]
        assert [label.label for label in handles] == ["handle"]
        sim: Simulation = world.simulation
        sim.data.joint(f"joint/{CABINET}/drawer").qpos[0] = 0.3
        assert world.observe().legend[CABINET].states == ("open",)


def test_from_above_all_rooms_are_seen_without_ceilings(seeing):
    with closing(WORLDS.create("house", seeing)) as world:
        driver = Driver(world)
        above = world.look_from_above()
        assert TABLE in np.unique(above.instances)
        assert world.observe().viewpoint == driver.last.viewpoint


def test_pictures_for_color_alone(seeing):
    color = replace(seeing, house=replace(seeing.house, pictures="color"))
    with closing(WORLDS.create("house", color)) as world:
        driver = Driver(world)
        assert driver.last.rgb.any()
        assert driver.last.depth is None
        assert world.info.senses == {"rgb", "touch"}


def test_without_opengl_the_packages_are_named(seeing, monkeypatch):
    def nothing(*_):
        raise WorldError("the pictures of a house need OpenGL, and there is none; install libegl1")

    monkeypatch.setattr("vantage.worlds.house.pictures.cameras.make_context", nothing)
    with closing(WORLDS.create("house", seeing)) as world, pytest.raises(WorldError, match="install libegl1"):
        world.reset(EPISODE, 0)


def test_a_picture_that_hangs_ends_with_a_sentence_and_keeps_nothing_from_closing(seeing, monkeypatch):
    released = threading.Event()
    monkeypatch.setattr("vantage.worlds.house.pictures.drawing._PATIENCE", 0.1)
    monkeypatch.setattr("vantage.worlds.house.pictures.drawing._CLOSING", 0.1)
    monkeypatch.setattr("vantage.worlds.house.pictures.cameras.HouseCamera", lambda *_: released.wait())
    world = WORLDS.create("house", seeing)
    try:
        with pytest.raises(WorldError, match=r"not done after 0\.1 s; OpenGL may hang"):
            world.reset(EPISODE, 0)
        with pytest.raises(WorldError, match="an earlier one still is not done"):
            world.observe()
        world.close()
    finally:
        released.set()


def test_a_smaller_camera_sees_the_same():
    camera = Intrinsics.from_fov(800, 600, 1.2)
    small = smaller(camera, 400, 300)
    assert (small.width, small.fx, small.cy) == (400, camera.fx / 2, camera.cy / 2)
    assert smaller(Intrinsics.from_fov(64, 48, 1.2), 400, 300).width == 64


def test_the_home_of_the_episode_is_closed_though_others_were_tried_since(seeing, tmp_path):
    for name in ("second", "third"):
        shutil.copytree(tmp_path / "touch", tmp_path / name)
    world = WORLDS.create("house", seeing)
    driver = Driver(world)
    before = driver.last.rgb
    for name in ("second", "third"):
        with pytest.raises(EpisodeError, match="touches the"):
            world.reset(replace(EPISODE, scene=name, start=replace(EPISODE.start, x=1.2)), 0)
    assert np.array_equal(world.observe().rgb, before)
    assert driver.act("turn_left").status is Status.DONE
    world.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("house-pictures")]
