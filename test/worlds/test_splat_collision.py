"""Collisions in captured scenes: a room whose wall has a hole, a closet, and the real captures of single objects."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from shell_capture import RADIUS, discs, haze, shell

from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.files import shared_folder
from vantage.spatial import Viewpoint
from vantage.splats.cloud import concatenate
from vantage.splats.scene_file import save_scene
from vantage.splats.synthesis.from_spec import make_scene
from vantage.types import Command, Episode, Status
from vantage.worlds.conformance import check_world
from vantage.worlds.splat import SplatWorld

AROUND = ((-4.0, -4.0, -3.0), (4.0, 4.0, 3.0))
HOLE = 0.5  # m, in the wall towards x
REAL = pytest.mark.needs("data")


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room with a hole, and the same room with a closet of 4.2 m3 in it."""
    folder = tmp_path_factory.mktemp("captured")
    room = concatenate([shell(HOLE), haze()])
    start = Viewpoint(-1.0, 0.0, 0.0, 0.0, 0.0)
    save_scene(folder / "room", None, None, room, bounds=AROUND, start=start)
    larger = shell(0.0).transformed(np.eye(4), 1.4)
    closet = shell(0.0).transformed(np.eye(4), 0.5)
    save_scene(
        folder / "closet", None, None, concatenate([larger, closet]), bounds=AROUND,
        start=Viewpoint(-1.8, 0.0, 0.0, 0.0, 0.0),
    )  # fmt: skip
    return folder


@pytest.fixture
def settings(captures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Settings().with_values({"world.scenes": str(captures), "camera.width": 48, "camera.height": 36}, "test")


def episode(scene: str, start: Viewpoint) -> Episode:
    return Episode(f"in-{scene}", "test", scene, start, (), 1000)


class Pilot:
    """Sends one small move after the other."""

    def __init__(self, world: SplatWorld, flight: Episode) -> None:
        self.world, self.flight, self.sequence = world, flight, 0
        self.here = world.reset(flight, 0).viewpoint

    def go(self, step: np.ndarray) -> Status:
        self.sequence += 1
        x, y, z = (float(value) for value in self.here.position + step)
        target = dataclasses.replace(self.here, x=x, y=y, z=z)
        result = self.world.step(Command(target, "", None, self.flight.episode_id, "test", self.sequence))
        self.here = result.reached
        return result.status


def test_straight_through_the_hole_the_way_ends_in_the_wall(settings: Settings) -> None:
    pilot = Pilot(SplatWorld(settings), episode("room", Viewpoint(-1.0, 0.0, 0.0, 0.0, 0.0)))
    statuses = [pilot.go(np.array([0.2, 0, 0])) for _ in range(30)]
    assert statuses[:12] == [Status.DONE] * 12
    assert Status.COLLIDED in statuses
    assert 1.6 < pilot.here.x < RADIUS + 0.2


def test_no_flight_leaves_the_room(settings: Settings) -> None:
    """Many flights that keep trying: towards the hole, around its rim, and at random."""
    world = SplatWorld(settings)
    pilot = Pilot(world, episode("room", Viewpoint(-1.0, 0.0, 0.0, 0.0, 0.0)))
    occupancy = world.occupancy
    rng = np.random.default_rng(0)
    farthest = collisions = 0.0
    here = pilot.here.position
    for _ in range(20_000):
        toward = np.array([3.0, 0, 0]) - here
        step = rng.normal(size=3) * 0.15 + 0.1 * toward / np.linalg.norm(toward)
        if occupancy.path_free(here, here + step, settings.world.body_radius):
            here = here + step
        else:
            collisions += 1
        farthest = max(farthest, float(np.linalg.norm(here)))
    assert collisions > 1000
    assert 1.8 < farthest < RADIUS + 0.25


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ((0.0, 2.0, 0.0), "touches an obstacle; choose another start, for instance at"),
        ((-2.0, 0.0, 0.0), "touches an obstacle; choose another start, for instance at"),
        ((3.0, 0.0, 0.0), "is cut off: no way leads there from the inside of the scene; choose another start, for"),
        ((0.0, 0.0, -2.6), "is cut off: no way leads there from the inside of the scene; choose another start, for"),
    ],
)
def test_starts_in_the_wall_and_outside_are_refused(
    settings: Settings, position: tuple[float, float, float], reason: str
) -> None:
    world = SplatWorld(settings)
    with pytest.raises(EpisodeError, match="a body of radius") as caught:
        world.reset(episode("room", Viewpoint(*position, 0.0, 0.0)), 0)
    message = str(caught.value)
    assert reason in message
    advised = tuple(float(value) for value in message.rpartition("at (")[2].removesuffix(") m").split(","))
    assert world.reset(episode("room", Viewpoint(*advised, 0.0, 0.0)), 0).viewpoint.position == pytest.approx(advised)


def test_a_start_in_a_closed_cavity_is_refused_even_where_the_body_fits(settings: Settings) -> None:
    world = SplatWorld(settings)
    with pytest.raises(EpisodeError, match="is cut off: no way leads there from the inside of the scene"):
        world.reset(episode("closet", Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)), 0)
    assert not world.place("closet").space.penetrates((0.0, 0.0, 0.0))
    assert world.reset(episode("closet", Viewpoint(0.0, -1.8, 0.0, 0.0, 0.0)), 0).viewpoint.y == -1.8


def test_a_faint_floater_is_no_obstacle(settings: Settings, tmp_path: Path) -> None:
    faint = discs([(0.0, 0.0, 0.0)], [(1, 0, 0)], 0.05, 0.05, 0.2)
    speck = discs([(1.0, 0.0, 0.0)], [(1, 0, 0)], 0.005, 0.005, 0.9)
    cloud = concatenate([shell(0.0), faint, speck])
    start = Viewpoint(-1.0, 0.0, 0.0, 0.0, 0.0)
    save_scene(tmp_path / "floating", None, None, cloud, bounds=AROUND, start=start)
    world = SplatWorld(settings.with_values({"world.scenes": str(tmp_path)}, "test"))
    pilot = Pilot(world, episode("floating", start))
    assert [pilot.go(np.array([0.25, 0, 0])) for _ in range(10)] == [Status.DONE] * 10


def test_the_captured_room_conforms(settings: Settings) -> None:
    start = Viewpoint(-1.0, 0.0, 0.0, 0.0, 0.0)
    check_world(lambda: SplatWorld(settings), episode("room", start))


def test_a_generated_room_conforms_and_stays_as_free_as_it_was(settings: Settings, tmp_path: Path) -> None:
    make_scene(3, tmp_path / "generated", density=0.3)
    settings = settings.with_values({"world.scenes": str(tmp_path)}, "test")
    world = SplatWorld(settings)
    scene, space = world.place("generated").scene, world.place("generated").space
    assert scene.start is not None
    assert space.indoors
    free = space.solid.free_centers(0.15)
    assert space.places.sum() > 0.99 * free.sum()
    assert np.array_equal(space.grid.free_centers(0.15), space.places)
    check_world(lambda: SplatWorld(settings), episode("generated", scene.start))


@REAL
@pytest.mark.parametrize("name", ["plant", "tarot"])
def test_around_the_real_captures_flights_are_as_free_as_the_bounds_allow(settings: Settings, name: str) -> None:
    settings = settings.with_values({"world.scenes": str(shared_folder("config") / "captures")}, "test")
    world = SplatWorld(settings)
    place = world.place(name)
    assert place.scene.start is not None
    assert not place.space.indoors
    assert np.array_equal(place.space.places, place.space.solid.free_centers(0.15))
    pilot = Pilot(world, episode(name, place.scene.start))
    center = np.array([0.0, 0.0, 0.75])
    for k in range(1, 49):
        angle = math.tau * k / 48
        goal = center + 1.25 * np.array([math.cos(angle), math.sin(angle), 0.0])
        assert pilot.go(goal - pilot.here.position) == Status.DONE
    inward = [pilot.go(np.array([-0.1, 0, 0])) for _ in range(12)]
    assert inward[0] == Status.DONE
    assert inward[-1] == Status.COLLIDED
    with pytest.raises(EpisodeError, match="touches an obstacle"):
        world.reset(episode(name, Viewpoint(0.0, 0.0, 0.5, 0.0, 0.0)), 0)


@REAL
@pytest.mark.parametrize("name", ["plant", "tarot"])
def test_the_real_captures_conform(settings: Settings, name: str) -> None:
    settings = settings.with_values({"world.scenes": str(shared_folder("config") / "captures")}, "test")
    world = SplatWorld(settings)
    start = world.place(name).scene.start
    world.close()
    assert start is not None
    check_world(lambda: SplatWorld(settings), episode(name, start))
