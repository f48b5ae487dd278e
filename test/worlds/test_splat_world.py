"""The splat world: motion, collisions, clock, images, scenes, stop from another thread."""

from __future__ import annotations

import dataclasses
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from small_room import BOX_ID

from vantage.config import Settings
from vantage.errors import ConfigError, EpisodeError, SceneError, WorldError
from vantage.registry import WORLDS
from vantage.spatial import Viewpoint
from vantage.splats.cloud import GaussianCloud
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.scene_file import save_scene
from vantage.types import Command, Episode, Status, StepResult
from vantage.worlds.protocol import World
from vantage.worlds.splat import SplatWorld


class Counting(CpuRenderer):
    """Counts what it draws, and can be made to wait in the middle of a picture."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.drawn = 0
        self.entered = threading.Event()
        self.proceed = threading.Event()
        self.proceed.set()

    def render(self, *args: object, **options: object):  # type: ignore[no-untyped-def, override]
        self.drawn += 1
        self.entered.set()
        assert self.proceed.wait(10)
        return super().render(*args, **options)  # type: ignore[arg-type]


class Driver:
    def __init__(self, world: SplatWorld, episode: Episode) -> None:
        self.world, self.episode, self.sequence = world, episode, 0
        self.here = world.reset(episode, 0).viewpoint

    def go(self, **changes: float) -> StepResult:
        self.sequence += 1
        target = dataclasses.replace(self.here, **changes)
        result = self.world.step(Command(target, "", None, self.episode.episode_id, "test", self.sequence))
        self.here = result.reached
        return result


@pytest.fixture
def world(settings: Settings) -> SplatWorld:
    return SplatWorld(settings)


def test_is_the_registered_world(settings: Settings) -> None:
    world = WORLDS.create("splat", settings)
    assert isinstance(world, World)
    assert world.info.name == "splat"


def test_sees_the_box_with_its_colour_depth_and_name(world: SplatWorld, episode: Episode) -> None:
    seen = world.reset(episode, 0)
    middle = (36, 48)
    assert seen.instances is not None
    assert seen.depth is not None
    assert seen.legend is not None
    assert seen.instances[middle] == BOX_ID
    assert seen.legend[BOX_ID].label == "box"
    assert seen.depth[middle] == pytest.approx(1.2, abs=0.1)
    assert seen.rgb[middle] == pytest.approx(np.array([0.8, 0.1, 0.1]) * 255, abs=6)
    assert np.isfinite(seen.depth).all()  # a closed room has no holes


def test_haze_has_a_colour_but_no_depth_and_no_name(tmp_path: Path, settings: Settings) -> None:
    haze = one_gaussian(opacity=0.4)
    solid = one_gaussian(opacity=0.9)
    for name, cloud in (("haze", haze), ("solid", solid)):
        save_scene(tmp_path / name, None, None, cloud, bounds=((-1, -1, -1), (4, 1, 1)))
    world = SplatWorld(settings.with_values({"world.scenes": str(tmp_path)}, "test"))
    middle = (36, 48)
    for name, is_seen in (("haze", False), ("solid", True)):
        seen = world.reset(Episode("e", "test", name, Viewpoint(0, 0, 0, 0, 0), (), 5), 0)
        assert seen.depth is not None
        assert seen.instances is not None
        assert seen.rgb[middle].max() > 30
        assert np.isfinite(seen.depth[middle]) == is_seen
        assert seen.instances[middle] == (5 if is_seen else 0)


def one_gaussian(opacity: float) -> GaussianCloud:
    """White, 3 m ahead of the origin, of instance 5."""
    return GaussianCloud(
        np.array([[3.0, 0, 0]]),
        np.array([[0.3, 0.3, 0.3]]),
        np.array([[1.0, 0, 0, 0]]),
        np.array([opacity]),
        np.full((1, 1, 3), 1.7),
        np.array([5]),
    )


def test_moves_and_turns(world: SplatWorld, episode: Episode) -> None:
    drive = Driver(world, episode)
    assert drive.go(y=1.2).status == Status.DONE
    assert drive.here == dataclasses.replace(episode.start, y=1.2)
    result = drive.go(yaw=0.5, pitch=-0.2, z=1.1)
    assert result.status == Status.DONE
    assert result.reason == ""
    assert result.observation.viewpoint == Viewpoint(1.0, 1.2, 1.1, 0.5, -0.2)


def test_walking_into_the_box_stays_in_place_and_says_so(world: SplatWorld, episode: Episode) -> None:
    drive = Driver(world, episode)
    results = [drive.go(x=drive.here.x + 0.25) for _ in range(4)] + [drive.go(x=drive.here.x + 0.5)]
    assert [r.status for r in results[:3]] == [Status.DONE] * 3
    assert drive.here.x == 1.75  # 2.2 minus a voxel of the surface, minus the radius of the body
    assert results[-1].status == Status.COLLIDED
    assert results[-1].reason == "collision; remained at the same position"
    assert drive.go(yaw=0.3).status == Status.DONE


def test_flies_around_the_box(world: SplatWorld, episode: Episode) -> None:
    drive = Driver(world, episode)
    for _ in range(3):
        assert drive.go(y=drive.here.y - 0.25).status == Status.DONE
    for _ in range(8):
        assert drive.go(x=drive.here.x + 0.25).status == Status.DONE
    assert drive.go(yaw=0.9).status == Status.DONE


def test_a_scene_without_names_can_be_flown_through(tmp_path: Path, settings: Settings, scenes: Path) -> None:
    (tmp_path / "bare.ply").write_bytes((scenes / "room" / "cloud.ply").read_bytes())
    world = SplatWorld(settings.with_values({"world.scenes": str(tmp_path)}, "test"))
    start = Viewpoint(1.75, 1.5, 0.8, 0.0, 0.0)
    drive = Driver(world, Episode("e", "test", "bare", start, (), 5))
    result = drive.go(x=2.2)
    assert result.status == Status.COLLIDED
    assert result.reason == "collision; remained at the same position"
    assert result.observation.legend == {}


def test_limits_are_the_bounds_less_the_body(world: SplatWorld, episode: Episode) -> None:
    assert world.info.limits.bounds_max[0] == np.inf
    drive = Driver(world, episode)
    limits = world.info.limits
    assert limits.bounds_min == pytest.approx((0.15, 0.15, 0.15))
    assert limits.bounds_max == pytest.approx((3.85, 2.85, 2.35))
    result = drive.go(z=0.1)
    assert result.status == Status.REJECTED
    assert "z = 0.100 m is outside" in result.reason


def test_time_is_that_of_the_motion(world: SplatWorld, episode: Episode) -> None:
    first = world.reset(episode, 0).stamp
    second = world.observe().stamp
    assert second - first == 1_000_000
    drive = Driver(world, episode)
    start = world.observe().stamp
    stamps = [drive.go(y=1.25).observation.stamp, drive.go(yaw=0.75).observation.stamp]
    stamps += [drive.go().observation.stamp, drive.go(pitch=9.0).observation.stamp]
    steps = np.diff([start, *stamps])
    assert steps.tolist() == [500_000_000, 500_000_000, 20_000_000, 20_000_000]
    assert world.reset(episode, 0).stamp > stamps[-1]


def test_turning_past_half_a_turn_takes_the_short_way(world: SplatWorld, episode: Episode) -> None:
    start = dataclasses.replace(episode.start, yaw=3.0)
    drive = Driver(world, dataclasses.replace(episode, start=start))
    before = world.observe().stamp
    result = drive.go(yaw=-3.0)
    assert result.status == Status.DONE
    assert result.observation.stamp - before == pytest.approx((2 * np.pi - 6.0) / 1.5 * 1e9, abs=2)


def test_a_pose_is_drawn_once_and_nobody_can_paint_over_it(settings: Settings, episode: Episode) -> None:
    renderer = Counting()
    world = SplatWorld(settings, renderer)
    drive = Driver(world, episode)
    first, again = world.observe(), world.observe()
    assert renderer.drawn == 1
    assert first.rgb is again.rgb
    assert first.stamp < again.stamp
    with pytest.raises(ValueError, match="read-only"):
        first.rgb[0, 0] = 0
    drive.go(yaw=0.2)
    drive.go(yaw=5.0)
    world.observe()
    assert renderer.drawn == 2


def test_at_most_two_scenes_are_kept(world: SplatWorld, episode: Episode) -> None:
    first = world.place("room")
    assert world.place("room") is first
    world.place("second")
    world.place("third")
    assert world.place("room") is not first
    world.reset(episode, 0)
    assert world.scene is world.place("room").scene
    assert world.occupancy is world.place("room").occupancy


def test_another_scene_has_other_images(settings: Settings, episode: Episode) -> None:
    renderer = Counting()
    world = SplatWorld(settings, renderer)
    world.reset(episode, 0)
    world.reset(dataclasses.replace(episode, scene="second"), 0)
    assert renderer.drawn == 2


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"x": 5.0}, "cannot start in scene 'room': x = 5.000 m is outside"),
        ({"pitch": 1.3}, "pitch = 1.300 rad is outside"),
        ({"y": np.nan}, "is not finite"),
        ({"x": 2.5}, "touches the box; choose another start"),
    ],
)
def test_impossible_starts(world: SplatWorld, episode: Episode, change: dict[str, float], complaint: str) -> None:
    bad = dataclasses.replace(episode, episode_id="bad", start=dataclasses.replace(episode.start, **change))
    drive = Driver(world, episode)
    with pytest.raises(EpisodeError, match=complaint):
        world.reset(bad, 0)
    assert drive.go(yaw=0.1).status == Status.DONE  # the episode before goes on


def test_unknown_scene(world: SplatWorld, episode: Episode) -> None:
    with pytest.raises(EpisodeError, match=r"episode 'e1' cannot be run: unknown scene 'rom'.*did you mean 'room'"):
        world.reset(dataclasses.replace(episode, scene="rom"), 0)


def test_no_scenes_at_all(settings: Settings, episode: Episode) -> None:
    with pytest.raises(ConfigError, match=r"set world\.scenes"):
        SplatWorld(settings.with_values({"world.scenes": ""}, "test")).reset(episode, 0)


def test_a_body_larger_than_the_scene(settings: Settings, episode: Episode) -> None:
    with pytest.raises(SceneError, match="no room for a body of radius"):
        SplatWorld(settings.with_values({"world.body_radius": 1.6}, "test")).reset(episode, 0)


def test_without_instances(settings: Settings, episode: Episode) -> None:
    world = SplatWorld(settings.with_values({"world.instances": "false"}, "test"))
    seen = world.reset(episode, 0)
    assert seen.instances is None
    assert seen.legend is None
    assert "instances" not in world.info.senses


def test_stop_while_a_step_renders(settings: Settings, episode: Episode) -> None:
    renderer = Counting()
    world = SplatWorld(settings, renderer)
    drive = Driver(world, episode)
    renderer.proceed.clear()
    renderer.entered.clear()
    results: list[StepResult] = []
    walker = threading.Thread(target=lambda: results.extend([drive.go(yaw=0.2), drive.go(yaw=0.4)]))
    walker.start()
    assert renderer.entered.wait(10)
    world.stop("the button was pressed")  # returns although the step is not over
    renderer.proceed.set()
    walker.join(10)
    assert [r.status for r in results] == [Status.DONE, Status.STOPPED]
    assert "the button was pressed" in results[1].reason
    assert results[1].reached.yaw == 0.2
    world.clear_stop()
    assert drive.go(yaw=0.4).status == Status.DONE


def test_before_reset_and_after_close(settings: Settings, episode: Episode) -> None:
    world = SplatWorld(settings)
    for use in (world.observe, lambda: world.step(Command()), lambda: world.scene, lambda: world.occupancy):
        with pytest.raises(WorldError, match="reset it first"):
            use()
    world.reset(episode, 0)
    world.close()
    world.close()
    for use in (world.observe, lambda: world.step(Command()), lambda: world.reset(episode, 0), lambda: world.scene,
                lambda: world.place("room")):  # fmt: skip
        with pytest.raises(WorldError, match="is closed"):
            use()
    world.stop("late")
    world.clear_stop()


CAPTURES = {
    "plant": ("plant/plant.splat", "a houseplant in a white pot"),
    "tarot": ("tarot/academic_tarot_cards.splat", "a box of tarot cards on a dotted plate"),
}


@pytest.mark.parametrize("name", sorted(CAPTURES))
def test_flies_around_a_real_capture(data_folder: Path, tmp_path: Path, name: str) -> None:
    file, shows = CAPTURES[name]
    if not (data_folder / "splats" / file).is_file():
        pytest.skip(f"{file} is absent")
    text = f"""
        name: {name}
        cloud: {data_folder / "splats" / file}
        T_world_cloud: {{up: -y, position: [0.0, 0.0, 0.5]}}
        bounds: {{min: [-1.75, -1.75, 0.0], max: [1.75, 1.75, 2.0]}}
        start: {{position: [1.25, 0.0, 0.75], yaw: 3.141592653589793, pitch: -0.2}}
        shows: {shows}
    """
    (tmp_path / f"{name}.yaml").write_text(text)
    settings = Settings().with_values(
        {"world.scenes": str(tmp_path), "camera.width": 160, "camera.height": 120}, "test"
    )
    world = SplatWorld(settings)
    start = world.place(name).scene.start
    assert start is not None
    seen = world.reset(Episode("flight", "test", name, start, (), 40), 0)
    middle = seen.rgb[40:80, 60:100].reshape(-1, 3).mean(axis=0)
    assert middle.max() > 40  # the object is in the middle of the picture
    below, above = np.isfinite(seen.depth[100:]).mean(), np.isfinite(seen.depth[:10]).mean()
    assert below > above  # it stands on its foot
    driver = Driver(world, Episode("flight", "test", name, start, (), 40))
    assert [driver.go(y=driver.here.y + 0.25).status for _ in range(4)] == [Status.DONE] * 4
    driver = Driver(world, Episode("flight", "test", name, start, (), 40))
    statuses = [driver.go(x=driver.here.x - 0.25).status for _ in range(5)]
    assert Status.COLLIDED in statuses


def test_scene_points_are_the_splats_in_their_colours(settings: Settings, episode: Episode) -> None:
    with closing(SplatWorld(settings)) as world:
        world.reset(episode, 0)
        points, colors = world.scene_points()
        assert points.shape == colors.shape == (len(world.scene.cloud), 3)
        in_box = (points > [2.1, 1.1, 0.3]).all(axis=1) & (points < [2.9, 1.9, 1.3]).all(axis=1)
        assert np.abs(colors[in_box].astype(int) - [204, 26, 26]).max() <= 1


def test_a_reset_does_not_move_a_stopped_camera(world: SplatWorld, episode: Episode) -> None:
    drive = Driver(world, episode)
    assert drive.go(yaw=0.3).status == Status.DONE
    world.stop("red button")
    with pytest.raises(EpisodeError, match="red button; clear the stop first"):
        world.reset(episode, 0)
    world.clear_stop()
    assert world.reset(episode, 0).viewpoint == episode.start
    world.stop("red button")
    assert world.reset(episode, 0).viewpoint == episode.start, "nothing moves, so nothing is refused"
