"""A small exact world with an arm: a camera on a body, before it a hand on five slides and hinges, depth and ids of
fewer pixels than the picture, one handle and one mug to lift, both far from where episodes start."""

from __future__ import annotations

import math
import threading
from dataclasses import replace

import numpy as np

from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.registry import WORLDS
from vantage.spatial import Intrinsics, Matrix, Viewpoint, rigid
from vantage.types import (
    OPEN,
    ArmStep,
    ArmTarget,
    Cause,
    Command,
    Episode,
    InstanceLabel,
    Link,
    Observation,
    Posture,
    Question,
    Status,
    StepResult,
    Touch,
)
from vantage.worlds.limits import MotionLimits, SafetyGate
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.warrants import Warrant

SCENE = "box"
START = Viewpoint(0.25, -0.5, 1.2, 0.5, -0.25)
LIMITS = {"reach": (-0.2, 0.4), "side": (-0.4, 0.4), "rise": (-0.3, 0.3), "lift": (0.0, 0.4), "wrist": (-1.5, 1.5)}
WIDEST = 0.12  # m
HANDLE, MUG, MUG_WIDTH, MUG_WEIGHT = np.array([1.5, 1.5, 0.9]), np.array([-1.5, 1.0, 0.9]), 0.08, 3.0
LEGEND = {
    1: InstanceLabel(1, "floor", "grey", "stone"),
    2: InstanceLabel(2, "cabinet", "white", "wood", ("closed",)),
    1_000_201: InstanceLabel(1_000_201, "handle", part_of=2),
}
NO_FORCE = np.zeros(3)
URDF = """<robot name="arm"><link name="map"/><link name="body"/><link name="camera_link"/>
<joint name="stand" type="fixed"><parent link="map"/><child link="body"/></joint>
<joint name="neck" type="fixed"><parent link="body"/><child link="camera_link"/></joint></robot>"""


def turned(angle: float) -> Matrix:
    """A rotation about x."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


AT_REST = {"reach": 0.0, "side": 0.0, "rise": 0.0, "lift": 0.1, "wrist": 0.0}


class ArmWorld:
    """Each pixel tells the pose. One command takes 0.1 s of simulated time, a motion of the arm besides 5 ms."""

    def __init__(self, settings: Settings) -> None:
        limits = MotionLimits(
            (-2.0, -2.0, 1.2), (2.0, 2.0, 1.2), settings.limits.pitch_min, settings.limits.pitch_max, 0.5, 1.0
        )
        senses = frozenset({"rgb", "depth", "instances", "touch"})
        self.info = WorldInfo("arm", senses, frozenset({"viewpoint", "arm"}), 0.15, limits)
        camera = settings.camera
        self._color = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
        self._small = Intrinsics.from_fov(camera.width // 2, camera.height // 2, camera.horizontal_fov)
        self._gate = SafetyGate(limits, self.info.acts, now=lambda: self._stamp)
        self._stamp, self._viewpoint = 10**9, START
        self._interrupt = threading.Event()
        self._rest()

    def _rest(self) -> None:
        self.joints, self.width, self.holds, self.opened = dict(AT_REST), 0.1, False, False

    def urdf(self) -> str:
        return URDF

    def reset(self, episode: Episode, seed: int) -> Observation:
        if episode.scene != SCENE:
            raise EpisodeError(f"episode '{episode.episode_id}' needs scene '{episode.scene}'; this is '{SCENE}'")
        reason = self.info.limits.pose_violation(episode.start)
        if reason is not None:
            raise EpisodeError(f"the start of episode '{episode.episode_id}' is not allowed: {reason}")
        if self._gate.stop_reason is not None and (episode.start != self._viewpoint or self.joints != AT_REST):
            raise EpisodeError(f"the world is stopped: {self._gate.stop_reason}; clear the stop first")
        self._viewpoint = episode.start
        self._rest()
        self._gate.begin(episode.episode_id, episode.restored)
        return self.observe()

    def grant(self, warrant: Warrant) -> None:
        self._gate.grant(warrant)

    def warrants(self) -> list[tuple[Warrant, int]]:
        return self._gate.warrants()

    def step(self, command: Command) -> StepResult:
        refusal = self._gate.admit(command, self._viewpoint)
        if refusal is not None:
            return StepResult(refusal.status, refusal.reason, command, self.observe(), refusal.cause)
        if command.arm is None:
            assert command.target is not None
            self._viewpoint = command.target
            return StepResult(Status.DONE, "", command, self.observe())
        if self._interrupt.wait(0.005):
            self._gate.stop_told()
            return StepResult(Status.STOPPED, f"stopped: {self._gate.stop_reason}", command, self.observe())
        reason = self._moved(command.arm)
        status, cause = (Status.REJECTED, Cause.LIMIT) if reason else (Status.DONE, Cause.NONE)
        if reason and command.arm.handle is not None:
            status, cause = Status.COLLIDED, Cause.NONE
        return StepResult(status, reason, command, self.observe(), cause)

    def _moved(self, target: ArmTarget) -> str:
        """Why the arm did not move, in words; empty where it did."""
        wanted = dict(self.joints)
        if target.joints is not None:
            wanted |= target.joints
        elif target.step is not None:
            step: ArmStep = target.step
            pairs = zip(LIMITS, (step.forward, step.left, step.up, step.height, step.roll), strict=True)
            wanted = {name: self.joints[name] + way for name, way in pairs}
        elif target.T_world_tool is not None:
            T = np.linalg.inv(self._T_world_body()) @ target.T_world_tool
            x, y, z = T[:3, 3]
            wrist = math.atan2(T[2, 1], T[1, 1])
            if not np.allclose(T[:3, :3], turned(wrist), atol=1e-6):
                return "the hand only turns about the direction in which it points"
            values = (x - 0.4, y, z - 0.8 - self.joints["lift"], self.joints["lift"], wrist)
            wanted = dict(zip(LIMITS, values, strict=True))
        elif target.gripper_width is not None:
            return self._grasped(target.gripper_width, target.gripper_force)
        else:
            if np.linalg.norm(self.T_world_tool()[:3, 3] - HANDLE) > 0.1:
                return "no handle is in the hand's reach"
            self.opened = target.handle == OPEN
        for name, value in wanted.items():
            low, high = LIMITS.get(name, (math.inf, -math.inf))
            if not low - 1e-9 <= value <= high + 1e-9:
                return f"{name} = {value:.3f} is outside the limits"
        self.joints = wanted
        return ""

    def _grasped(self, width: float, force: float) -> str:
        if not 0.0 <= width <= WIDEST or force < 0.0:
            return f"a width of {width} m with {force} N is outside the limits"
        near = np.linalg.norm(self.T_world_tool()[:3, 3] - MUG) < 0.1
        self.holds = bool(near and width < MUG_WIDTH)
        self.width = MUG_WIDTH if self.holds else width
        return ""

    def _T_world_body(self) -> Matrix:
        v = self._viewpoint
        return Viewpoint(v.x, v.y, 0.0, v.yaw, 0.0).T_world_body()

    def T_world_tool(self) -> Matrix:
        j = self.joints
        place = np.array([0.4 + j["reach"], j["side"], 0.8 + j["rise"] + j["lift"]])
        return self._T_world_body() @ rigid(turned(j["wrist"]), place)

    def observe(self) -> Observation:
        self._stamp += 10**8
        v, tool = self._viewpoint, self.T_world_tool()
        told = [int(40 * (v.x + 2.5)), int(40 * (v.y + 2.5)), int(80 * tool[2, 3])]
        rgb = np.full((self._color.height, self._color.width, 3), told, np.uint8)
        depth = np.full((self._small.height, self._small.width), v.z, np.float32)
        depth[0, 0] = np.nan
        ids = np.ones(depth.shape, np.int32)
        ids[: len(ids) // 2], ids[0, 1] = 2, 1_000_201
        force = tool[:3, :3].T @ [0.0, 0.0, -MUG_WEIGHT] if self.holds else NO_FORCE
        touch = Touch(tool, force, NO_FORCE, self.width, self.holds)
        body = Link("map", "body", self._T_world_body())
        camera = Link("body", "camera_link", np.linalg.inv(body.T_parent_child) @ v.T_world_body())
        posture = Posture({"base_x": v.x, **self.joints}, (body, camera))
        cabinet = replace(LEGEND[2], states=("open" if self.opened else "closed",))
        return Observation(
            self._stamp, v, self._color, rgb, depth, ids, LEGEND | {2: cabinet}, posture, self._small, touch
        )

    def stop(self, reason: str) -> None:
        self._gate.stop(reason)
        self._interrupt.set()

    def clear_stop(self) -> None:
        self._gate.clear_stop()
        self._interrupt.clear()

    def close(self) -> None:
        pass


def make_arm_world(settings: Settings) -> ArmWorld:
    return ArmWorld(settings)


def register() -> None:
    """Make ``arm`` a world that can be named."""
    if "arm" not in WORLDS.names():
        WORLDS.register("arm", make_arm_world)


def hall_episode(name: str = "episode-1", max_steps: int = 20) -> Episode:
    question = Question(f"{name}-q", "Is there a mug in the cabinet?")
    return Episode(name, "search", SCENE, START, (question,), max_steps, seed=3)
