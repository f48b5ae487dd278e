"""A small exact world for tests of what lies between worlds and agents: an empty box, a clock, the real safety gate."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import numpy as np

from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.registry import AGENTS, WORLDS
from vantage.spatial import Intrinsics, Viewpoint, wrap_angle
from vantage.types import Command, Episode, InstanceLabel, Observation, Question, SearchView, Status, StepResult
from vantage.worlds.limits import MotionLimits, SafetyGate
from vantage.worlds.protocol import WorldInfo

SCENE = "box"
SLOW = "slow"  # action name of a command that takes SLOW_TIME unless it is stopped
SLOW_TIME = 60.0
LEGEND = {
    1: InstanceLabel(1, "floor", "grey", "stone"),
    2: InstanceLabel(2, "cup", "red", "ceramic", ("full",)),
}


class FakeWorld:
    """Each pixel tells the pose, so that a mixed-up frame is noticed. One command takes 0.1 s of simulated time."""

    def __init__(self, settings: Settings) -> None:
        limits = MotionLimits(
            (-2.0, -2.0, 0.0), (2.0, 2.0, 2.5), settings.limits.pitch_min, settings.limits.pitch_max, 0.5, 1.0
        )
        senses = {"rgb", "depth"} | ({"instances"} if settings.world.instances else set())
        self._info = WorldInfo("fake", frozenset(senses), frozenset({"viewpoint"}), 0.15, limits)
        self._intrinsics = Intrinsics.from_fov(
            settings.camera.width, settings.camera.height, settings.camera.horizontal_fov
        )
        self._gate = SafetyGate(limits)
        self._stamp = 10**9
        self._viewpoint = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
        self._interrupt = threading.Event()
        self._stepping = threading.Lock()
        self.closed = 0

    @property
    def info(self) -> WorldInfo:
        return self._info

    def reset(self, episode: Episode, seed: int) -> Observation:
        if episode.scene != SCENE:
            raise EpisodeError(
                f"episode '{episode.episode_id}' needs scene '{episode.scene}'; this world has '{SCENE}'"
            )
        reason = self._info.limits.pose_violation(episode.start)
        if reason is not None:
            raise EpisodeError(f"the start of episode '{episode.episode_id}' is not allowed: {reason}")
        self._viewpoint = episode.start
        self._gate.begin(episode.episode_id, episode.restored)
        return self.observe()

    def step(self, command: Command) -> StepResult:
        if not self._stepping.acquire(blocking=False):
            raise AssertionError("two steps at the same time")
        try:
            refusal = self._gate.admit(command, self._viewpoint)
            if refusal is not None:
                return StepResult(refusal.status, refusal.reason, command, self.observe(), refusal.cause)
            if command.action == SLOW and self._interrupt.wait(SLOW_TIME):
                self._gate.stop_told()
                return StepResult(Status.STOPPED, f"stopped: {self._gate.stop_reason}", command, self.observe())
            assert command.target is not None
            if command.target.x > 1.5:  # a wall
                return StepResult(Status.COLLIDED, "the body touches a wall", command, self.observe())
            self._viewpoint = command.target
            return StepResult(Status.DONE, "", command, self.observe())
        finally:
            self._stepping.release()

    def observe(self) -> Observation:
        self._stamp += 10**8
        height, width = self._intrinsics.height, self._intrinsics.width
        v = self._viewpoint
        rgb = np.full((height, width, 3), [int(40 * (v.x + 2.5)), int(40 * (v.y + 2.5)), int(80 * v.z)], np.uint8)
        depth = np.full((height, width), v.z, np.float32)
        depth[0, 0] = np.nan
        ids = np.ones((height, width), np.int32)
        ids[: height // 2] = 2
        instances = ids if "instances" in self._info.senses else None
        return Observation(
            self._stamp, v, self._intrinsics, rgb, depth, instances, LEGEND if instances is not None else None
        )

    def scene_points(self) -> tuple[np.ndarray, np.ndarray]:
        return np.eye(3, dtype=np.float32), np.full((3, 3), 200, np.uint8)

    def stop(self, reason: str) -> None:
        self._gate.stop(reason)
        self._interrupt.set()

    def clear_stop(self) -> None:
        self._gate.clear_stop()
        self._interrupt.clear()

    def close(self) -> None:
        self.closed += 1


def make_fake_world(settings: Settings) -> FakeWorld:
    return FakeWorld(settings)


class Pacer:
    """An agent that turns on the spot and never answers."""

    name = "pacer"
    perception = ""

    def __init__(self, settings: Settings, **_: Any) -> None:
        self._turn = settings.actions.rotation

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        pass

    def act(self, observation: Observation, last: StepResult | None) -> Command:
        here = observation.viewpoint
        return Command(replace(here, yaw=wrap_angle(here.yaw + self._turn)), "yaw+")

    def detections(self) -> tuple[()]:
        return ()

    def view(self) -> SearchView:
        return SearchView(doing="pacing")


def register() -> None:
    """Make ``fake`` a world and ``pacer`` an agent that can be named."""
    if "fake" not in WORLDS.names():
        WORLDS.register("fake", make_fake_world)
        AGENTS.register("pacer", Pacer)


def fake_episode(name: str = "episode-1", *, start: Viewpoint | None = None, max_steps: int = 20) -> Episode:
    return Episode(
        episode_id=name,
        benchmark="search",
        scene=SCENE,
        start=start or Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0),
        questions=(Question(f"{name}-q", "Is there a cup in the room?"),),
        max_steps=max_steps,
        seed=3,
    )
