"""The checker passes on a right world, and each check fails on a world that breaks just that promise."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from vantage.config import Settings
from vantage.types import Command, Episode, Observation, Status, StepResult
from vantage.worlds.conformance import ConformanceError, check_world
from vantage.worlds.protocol import World
from vantage.worlds.splat import SplatWorld, make_splat_world


def test_splat_world_conforms(settings: Settings, episode: Episode) -> None:
    names = check_world(lambda: make_splat_world(settings), episode)
    assert {"out_of_turn", "stop_latches", "collision_keeps_pose", "same_seed_same_run", "close_twice"} <= set(names)


def test_splat_world_without_instances_conforms(settings: Settings, episode: Episode) -> None:
    check_world(lambda: SplatWorld(settings.with_values({"world.instances": False}, "test")), episode)


class Spoiled(SplatWorld):
    """A splat world with one fault."""

    def __init__(self, settings: Settings, fault: str) -> None:
        super().__init__(settings)
        self.fault = fault
        self.count = 0

    def _spoil(self, seen: Observation) -> Observation:
        self.count += 1
        if self.fault == "frozen clock":
            return dataclasses.replace(seen, stamp=1)
        if self.fault == "noise":
            return dataclasses.replace(seen, rgb=np.full_like(seen.rgb, self.count % 256))
        if self.fault == "no depth":
            return dataclasses.replace(seen, depth=None)
        if self.fault == "float image":
            return dataclasses.replace(seen, rgb=seen.rgb.astype(np.float32))
        return seen

    def reset(self, episode: Episode, seed: int) -> Observation:
        if self.fault == "reset clears stop":
            self.clear_stop()
        if self.fault == "starts anywhere" and not np.isfinite(episode.start.x):
            episode = dataclasses.replace(episode, start=dataclasses.replace(episode.start, x=1.0))
        if self.fault == "starts elsewhere":
            episode = dataclasses.replace(episode, start=dataclasses.replace(episode.start, y=1.1))
        return self._spoil(super().reset(episode, seed))

    def observe(self) -> Observation:
        return self._spoil(super().observe())

    def step(self, command: Command) -> StepResult:
        if self.fault == "deaf to stop":
            self.clear_stop()
        if self.fault == "no lease":
            command = dataclasses.replace(command, source="me")
        if self.fault == "drifts" and command.target is not None:
            command = dataclasses.replace(
                command, target=dataclasses.replace(command.target, z=command.target.z + 1e-4)
            )
        result = super().step(command)
        if self.fault == "says nothing":
            result = dataclasses.replace(result, reason="")
        if self.fault == "moves when refused" and result.status == Status.REJECTED:
            seen = result.observation
            moved = dataclasses.replace(seen, viewpoint=dataclasses.replace(seen.viewpoint, x=0.5))
            result = dataclasses.replace(result, observation=moved)
        return dataclasses.replace(result, observation=self._spoil(result.observation))

    def close(self) -> None:
        if self.fault == "closes once":
            self._check_open()
        super().close()


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("frozen clock", "stamps_increase"),
        ("noise", "same_seed_same_run"),
        ("no depth", "images"),
        ("float image", "images"),
        ("reset clears stop", "stop_latches"),
        ("deaf to stop", "stop_latches"),
        ("starts anywhere", "bad_episodes"),
        ("starts elsewhere", "reset_shows_start"),
        ("no lease", "out_of_turn"),
        ("drifts", "done_reaches_target"),
        ("says nothing", "impossible_targets"),
        ("moves when refused", "impossible_targets"),
        ("closes once", "close_twice"),
    ],
)
def test_a_fault_is_found(settings: Settings, episode: Episode, fault: str, check: str) -> None:
    make: Callable[[], World] = lambda: Spoiled(settings, fault)  # noqa: E731
    with pytest.raises(ConformanceError, match=f"{check}: "):
        check_world(make, episode)


def test_the_world_is_closed_even_when_its_reset_fails(settings: Settings, episode: Episode) -> None:
    made: list[Any] = []

    def make() -> World:
        made.append(SplatWorld(settings))
        return made[0]

    with pytest.raises(ConformanceError, match="EpisodeError"):
        check_world(make, dataclasses.replace(episode, scene="nowhere"))
    with pytest.raises(Exception, match="closed"):
        made[0].observe()
