"""What a skill goes by: the observed scene, the observed space, what the hand feels, and the robot's own body."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from typing import Protocol

import numpy as np

from vantage.perception import Perceiver
from vantage.perception.map import CoverageMap, ObservedObject, ObservedScene
from vantage.planning.skills.body import Body, Taken
from vantage.planning.skills.floor import FloorMap, Place
from vantage.planning.skills.results import Failure, SkillResult
from vantage.spatial import Matrix, Viewpoint
from vantage.types import KGF, ArmTarget, Command, Observation, StepResult, Touch
from vantage.worlds import WorldInfo

Steps = Generator[Command, None, SkillResult]
ASSISTED, FRICTION = "assisted", "friction"

_BELOW, _ABOVE = 0.025, 2.2  # m below and above the floor that the map of space holds
_MARGIN = 0.3  # m around the limits of the camera
_RANGE = 4.5  # m up to which depth is taken in
_LARGEST = 40.0  # m: a world without bounds gets a map of so much around the first view


class Skill(Protocol):
    """A small program of commands.

    ``steps`` yields one command after the other and is resumed with the situation that each led to; it returns how it
    ended.
    """

    @property
    def name(self) -> str: ...

    def steps(self, now: Situation) -> Steps: ...


class Situation:
    """Everything that was observed in an episode, kept up to date by whoever runs skills.

    Args:
        floor: its height, m.
        voxel: edge of the voxels of the map of space, m.
        grasp: ``assisted``, where what the hand touches is held, or ``friction``, where it has to fit between fingers.
        firmest: kgf, the force of a grasp that shall hold whatever can be held; 0 for the most that the hand has.
        shared: the observed scene and space of somebody who takes in each observation, too; then that is not done here.

    Attributes:
        memory: the observed scene.
        coverage: the observed space; None before the first view.
        bumps: where the base met something that the map does not show.
        taken: how each thing was reached that was picked up last, by identity.
    """

    def __init__(
        self,
        perceiver: Perceiver,
        info: WorldInfo,
        body: Body,
        floor: float = 0.0,
        voxel: float = 0.05,
        grasp: str = ASSISTED,
        firmest: float = 0.0,
        shared: tuple[ObservedScene, CoverageMap] | None = None,
    ) -> None:
        self.perceiver, self.info, self.body = perceiver, info, body
        self.floor_level, self._voxel, self.grasp = floor, voxel, grasp
        self.firmest = firmest or body.force / KGF
        self.memory = ObservedScene(floor, getattr(perceiver, "min_pixels", 60)) if shared is None else shared[0]
        self.coverage: CoverageMap | None = None if shared is None else shared[1]
        self._is_shared = shared is not None
        self.bumps: list[Place] = []
        self.taken: dict[int, Taken] = {}
        self._observation: Observation | None = None
        self.last: StepResult | None = None
        self._floor: tuple[int, int, FloorMap] | None = None

    def take_in(self, observation: Observation, last: StepResult | None) -> None:
        """The newest observation, and the result of the command that led to it; each once.

        Raises:
            VantageError: the perceiver cannot work with it.
        """
        if self._observation is not None and observation.stamp == self._observation.stamp:
            return
        self._observation, self.last = observation, last
        if self._is_shared:
            return
        if self.coverage is None:
            self.coverage = space_of(self.info, observation.viewpoint, self.floor_level, self._voxel)
        if last is not None:
            self.memory.acted(last, self.coverage)
        self.coverage.add(observation, self.memory.held_box)
        self.memory.add(observation, self.perceiver.perceive(observation))

    @property
    def observation(self) -> Observation:
        """The newest.

        Raises:
            ValueError: nothing was taken in yet.
        """
        if self._observation is None:
            raise ValueError("nothing was observed yet; take in the first observation")
        return self._observation

    @property
    def here(self) -> Viewpoint:
        return self.observation.viewpoint

    @property
    def touch(self) -> Touch:
        """What the hand feels.

        Raises:
            ValueError: the world has no hand.
        """
        if self.observation.touch is None:
            raise ValueError(f"world '{self.info.name}' has no hand, which skills need; use one that has")
        return self.observation.touch

    def is_holding(self) -> bool:
        """Whether the hand holds something."""
        return self.touch.holds

    @property
    def floor(self) -> FloorMap:
        """The free floor as it was seen so far."""
        key = self.observation.stamp, len(self.bumps)
        if self._floor is None or self._floor[:2] != key:
            assert self.coverage is not None
            low, high = self.info.limits.bounds_min, self.info.limits.bounds_max
            made = FloorMap(
                self.coverage,
                self.body.radius,
                (self.here.x, self.here.y),
                self.floor_level,
                self.body.camera_height + 0.05,
                self.bumps,
                low[:2],
                high[:2],
            )
            self._floor = (*key, made)
        return self._floor[2]

    def get(self, key: int) -> ObservedObject | None:
        """The observed thing of an identity."""
        return self.memory.get(key)


def space_of(info: WorldInfo, here: Viewpoint, floor: float = 0.0, voxel: float = 0.05) -> CoverageMap:
    """An empty map of space as skills need it: with the floor in its lowest layer of voxels.

    Args:
        here: a viewpoint in it.
        floor: its height, m.
        voxel: edge of the voxels, m.
    """
    low, high = (list(corner) for corner in (info.limits.bounds_min, info.limits.bounds_max))
    for axis, middle in ((0, here.x), (1, here.y)):
        low[axis] = max(low[axis], middle - 0.5 * _LARGEST) - info.body_radius - _MARGIN
        high[axis] = min(high[axis], middle + 0.5 * _LARGEST) + info.body_radius + _MARGIN
    return CoverageMap((low[0], low[1], floor - _BELOW), (high[0], high[1], floor + _ABOVE), voxel, _RANGE)


def obey(now: Situation, command: Command) -> Generator[Command, None, StepResult]:
    """Give one command; returns what became of it."""
    before = now.last
    yield command
    result = now.last
    if result is None or result is before:
        raise ValueError("a skill was resumed without the result of its command; give both to the door")
    return result


def moved_hand(now: Situation, T_world_tool: Matrix) -> Generator[Command, None, StepResult]:
    """Bring the tool to a pose (4, 4)."""
    return (yield from obey(now, Command(arm=ArmTarget(T_world_tool=T_world_tool))))


def postured(now: Situation, name: str) -> Generator[Command, None, StepResult | None]:
    """Bring lift and arm to a named posture; None where they are in it."""
    if is_in_posture(now, name):
        return None
    return (yield from obey(now, Command(arm=ArmTarget(joints=dict(now.body.posture(name))))))


def is_in_posture(now: Situation, name: str) -> bool:
    """Whether lift and arm are in a named posture."""
    posture = now.observation.posture
    known = {} if posture is None else posture.joints
    return all(abs(known.get(joint, math.inf) - value) < 0.02 for joint, value in now.body.posture(name).items())


def viewpoint_towards(here: Viewpoint, point: Matrix, lowest: float, highest: float) -> Viewpoint:
    """The same place, looking at a point (3,), m, as far as the pitch may go."""
    way = np.asarray(point, np.float64) - here.position
    level = math.hypot(way[0], way[1])
    yaw = math.atan2(way[1], way[0]) if level > 0.05 else here.yaw
    pitch = min(max(math.atan2(way[2], level), lowest), highest)
    return replace(here, yaw=yaw, pitch=pitch)


def failed(failure: Failure, reason: str) -> SkillResult:
    """A result that says why."""
    return SkillResult(failure, reason)
