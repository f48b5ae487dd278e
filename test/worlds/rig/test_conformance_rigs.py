"""Rigs put together in different ways keep every promise of a world, and whole sets run on them."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from skipping_clock import SkippingClock
from small_rig import lab_episode, rig_settings, rig_values, write_rig
from small_search import FEW, small_search_set

from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set
from vantage.cli.main import main
from vantage.config import Settings
from vantage.files import shared_folder
from vantage.recording.recordings import read_recording
from vantage.reports.scoring import score_runs
from vantage.spatial import Viewpoint
from vantage.types import Command, Episode, Status
from vantage.worlds.conformance import check_world
from vantage.worlds.rig.assembly import assemble, make_rig_world
from vantage.worlds.rig.world import RigWorld

CHECKS = {"reset_shows_start", "done_reaches_target", "stop_latches", "collision_keeps_pose", "same_seed_same_run"}
GRBL = {"name": "grbl", "port": "", "axes": {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}}


@pytest.fixture
def emulated(tmp_path: Path) -> Settings:
    """The small rig on an emulated controller, with travels so short that homing is quick."""
    chain = rig_values()["rig"]["chain"]
    limits = ([0.0, 0.4], [0.0, 0.4], [0.4, 0.8], [-1.2, 1.2], [-1.1, 1.1])
    for joint, pair in zip(chain["joints"], limits, strict=True):
        joint["limits"] = pair
    return rig_settings(write_rig(tmp_path, chain=chain, driver=GRBL), mode="emulated")


@pytest.fixture
def simulated(settings: Settings) -> Settings:
    return settings.with_values({"rig.file": "room", "rig.mode": "simulated", "world.renderer": "cpu"}, "test")


def test_a_rig_on_an_emulated_controller_conforms(emulated: Settings) -> None:
    with SkippingClock() as clock:

        def make_world() -> RigWorld:
            world = assemble(emulated, clock=clock).world
            world.connect()
            return world

        checked = check_world(make_world, lab_episode())
    assert set(checked) >= CHECKS
    assert not [thread for thread in threading.enumerate() if "grbl" in thread.name]


def test_a_rig_in_simulated_time_that_sees_splats_conforms(simulated: Settings, episode: Episode) -> None:
    checked = check_world(lambda: make_rig_world(simulated), episode)
    assert set(checked) >= CHECKS


def test_what_simulated_time_shows_is_the_same_in_every_run(simulated: Settings, episode: Episode) -> None:
    """Stamps and pictures, on a new rig each time."""
    runs = []
    for _ in range(2):
        world = make_rig_world(simulated)
        seen = [world.reset(episode, 3)]
        for number, target in enumerate((replace(episode.start, yaw=0.5), replace(episode.start, x=1.3)), start=1):
            result = world.step(Command(target, "", None, episode.episode_id, "test", number))
            assert result.status == Status.DONE
            seen.append(result.observation)
        world.close()
        runs.append(seen)
    for first, second in zip(*runs, strict=True):
        assert first.stamp == second.stamp
        assert first.viewpoint == second.viewpoint
        assert np.array_equal(first.rgb, second.rgb)
        assert np.array_equal(first.depth, second.depth, equal_nan=True)


def test_a_simulated_rig_comes_to_its_next_start_around_what_stands_between(
    simulated: Settings, episode: Episode, tmp_path: Path
) -> None:
    """The red box stands between both starts, and no parking position leads over it."""
    rig = yaml.safe_load((shared_folder("config") / "rigs" / "room.yaml").read_text(encoding="utf-8"))
    del rig["rig"]["safety"]["park"]
    (tmp_path / "rig.yaml").write_text(yaml.safe_dump(rig), encoding="utf-8")
    world = make_rig_world(simulated.with_values({"rig.file": str(tmp_path / "rig.yaml")}, "test"))
    try:
        for start in (Viewpoint(1.8, 1.5, 0.7, 0.0, 0.0), Viewpoint(3.4, 1.5, 0.7, 2.0, -0.2)) * 2:
            seen = world.reset(replace(episode, start=start), 0)
            assert seen.viewpoint.distance(start) < 1e-6
    finally:
        world.close()


@pytest.fixture(scope="module")
def search_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return load_set(small_search_set(tmp_path_factory, FEW))


def test_a_set_runs_twice_alike_on_a_rig_in_simulated_time(search_set: EpisodeSet, tmp_path: Path) -> None:
    ways = []
    for name in ("first", "second"):
        out = tmp_path / name
        arguments = ["run", "search", "--world", "rig", "--rig", "room", "--set", "rig.mode=simulated", "--seed", "5"]
        arguments += ["--episodes", str(search_set.folder), "--sample", "1"]
        assert main([*arguments, "--out", str(out), "--json"]) == 0
        table = score_runs(out)
        assert len(table.scores) == 1
        assert all(score.complete for score in table.scores), [score.incomplete_reason for score in table.scores]
        assert all(score.steps > 5 for score in table.scores)
        recordings = [read_recording(out / score.episode_id) for score in table.scores]
        ways.append(
            [
                [
                    (motion.action, motion.status, motion.reason, motion.reached, motion.observation_stamp)
                    for motion in recording.motions
                ]
                + [recording.answers]
                for recording in recordings
            ]
        )
    assert ways[0] == ways[1]
