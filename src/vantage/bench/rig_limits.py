"""Random commands to rigs in simulated time: what they may never do, however odd they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from vantage.config import Settings
from vantage.decoding import Section
from vantage.errors import EpisodeError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Command, Episode, Phase, Question, Status, StepResult
from vantage.worlds.rig import Assembly, assemble, load_rig, rig_file
from vantage.worlds.rig.drivers import DriverState
from vantage.worlds.rig.kinematics import PRISMATIC

RIGS = {"gantry": "", "room": "room", "arm": "arm_robot"}  # files by name
_SHARES = {"gantry": 0.5, "room": 0.475, "arm": 0.025}  # of the commands; the inverse of an arm takes far longer
_SOURCE = "bench"
_EPISODE = 200  # commands, after which the next start is drawn
_STARTS = 50  # that are tried, for many are barred
_ALLOWED = 0.2  # of the commands allow an unwind
_SLACK = 1e-6  # rad


@dataclass
class CommandCount:
    """What became of random commands.

    Attributes:
        outcomes: by status.
        beyond_a_limit: that took a joint beyond its limits.
        beyond_the_turn_limit: in which a joint turned farther than one command may take it, with no unwind allowed.
        farthest_turn: of a joint in one command, rad, with no unwind allowed.
        unwinds_refused, unwinds_done: moves that needed one.
        unwinds_too_fast: in which a joint turned faster than it may.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    beyond_a_limit: int = 0
    beyond_the_turn_limit: int = 0
    farthest_turn: float = 0.0
    unwinds_refused: int = 0
    unwinds_done: int = 0
    unwinds_too_fast: int = 0

    @property
    def commands(self) -> int:
        return sum(self.outcomes.values())

    def add(self, other: CommandCount) -> None:
        self.outcomes.update(other.outcomes)
        self.farthest_turn = max(self.farthest_turn, other.farthest_turn)
        for name in ("beyond_a_limit", "beyond_the_turn_limit", *_UNWINDS):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def told(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "commands": self.commands,
            "beyond_a_limit": self.beyond_a_limit,
            "beyond_the_turn_limit": self.beyond_the_turn_limit,
            "farthest_turn": round(self.farthest_turn, 6),
            **{name: getattr(self, name) for name in _UNWINDS},
            "outcomes": dict(self.outcomes),
        }


_UNWINDS = ("unwinds_refused", "unwinds_done", "unwinds_too_fast")


class RandomCommands:
    """One rig in simulated time that takes random commands, and what its motors do for each.

    Args:
        rig: file or name, as ``rig.file``; its scene, its camera and its arm are left out.
    """

    def __init__(self, settings: Settings, rig: str, seed: int = 0) -> None:
        description = load_rig(rig_file(rig))
        safety = replace(description.safety, room="", from_depth=False)
        camera = Section({"name": "mock"}, "bench: camera", description.path.parent)
        look = replace(description.look, settle=0.0, sharpness=0.0)
        bare = replace(description, scene="", camera=camera, camera_name="mock", safety=safety, look=look, arm=None)
        settings = replace(settings, rig=replace(settings.rig, mode="simulated", confirmed=True, dry_run=False))
        self.rig: Assembly = assemble(settings, bare)
        self.chain = description.chain
        self.count = CommandCount()
        self._most, self._speed = settings.limits.max_rotation, settings.rig.unwind_speed
        self._turning = np.array([joint.kind != PRISMATIC for joint in self.chain.joints])
        self._draw = np.random.default_rng(seed)
        self._travel = np.zeros(self.chain.size)  # of each joint in the present command
        self._fastest_far = 0.0  # rad/s, of a joint in a motion of the present command that is longer than one may be
        self._sequence = 0

    def run(self, commands: int) -> Iterator[int]:
        """Take so many commands; yields how many are taken, after each."""
        self.rig.world.connect()
        with closing(self.rig.world):
            move = self.rig.driver.move

            def watched(target: Matrix, timeout: float, turning: float = math.inf) -> DriverState:
                start, begun = self.rig.driver.state().positions, self.rig.driver.clock.now()
                try:
                    return move(target, timeout, turning)
                finally:
                    self._moved(start, 1e-9 * (self.rig.driver.clock.now() - begun))

            self.rig.driver.move = watched  # type: ignore[method-assign]
            for number in range(commands):
                if number % _EPISODE == 0:
                    self._begin()
                self._one()
                yield number + 1

    def _begin(self) -> None:
        question = Question("q1", "Look around.", Phase.EXPLORE.value)
        for _ in range(_STARTS):
            start = self._anywhere()
            try:
                self.rig.world.reset(Episode(_SOURCE, "", "", start, (question,), 10**9), 0)
            except EpisodeError:
                continue
            self._sequence = 0
            return
        raise EpisodeError(
            f"none of {_STARTS} random starts of {self.rig.description.name} is free; run the bench again"
        )

    def _one(self) -> None:
        self._sequence += 1
        allowed = bool(self._draw.random() < _ALLOWED)
        self._travel[:], self._fastest_far = 0.0, 0.0
        result = self.rig.world.step(
            Command(self._target(), "", None, _SOURCE, _SOURCE, self._sequence, allow_unwind=allowed)
        )
        self._judge(result, allowed)

    def _judge(self, result: StepResult, allowed: bool) -> None:
        count, q = self.count, self.rig.driver.state().positions
        count.outcomes[result.status.name] += 1
        steps = self.chain.resolution
        count.beyond_a_limit += bool(np.any((q < self.chain.lower - steps) | (q > self.chain.upper + steps)))
        turned = float(self._travel[self._turning].max(initial=0.0))
        far = turned > self._most + _SLACK
        if not allowed:
            count.farthest_turn = max(count.farthest_turn, turned)
            count.beyond_the_turn_limit += far
        else:
            count.unwinds_done += far and result.status == Status.DONE
            count.unwinds_too_fast += self._fastest_far > self._speed + _SLACK
        count.unwinds_refused += result.status == Status.REJECTED and "needs an unwind" in result.reason

    def _moved(self, start: Matrix, seconds: float) -> None:
        way = np.abs(self.rig.driver.state().positions - start)
        self._travel += way
        turned = float(way[self._turning].max(initial=0.0))
        if turned > self._most + _SLACK and seconds > 0.0:
            self._fastest_far = max(self._fastest_far, turned / seconds)

    def _anywhere(self) -> Viewpoint:
        """A viewpoint within reach, with the pitch that the settings allow."""
        limits = self.rig.world.info.limits
        low, high = np.maximum(self.chain.lower, -math.tau), np.minimum(self.chain.upper, math.tau)
        seen = self.chain.viewpoint(self._draw.uniform(low, high))
        return replace(seen, pitch=min(max(seen.pitch, limits.pitch_min), limits.pitch_max))

    def _target(self) -> Viewpoint:
        """Anything that somebody might ask for, from next to here to nonsense."""
        draw, here = self._draw, self.rig.machine.viewpoint
        values = np.array([here.x, here.y, here.z, here.yaw, here.pitch])
        kind = draw.integers(8)
        if kind <= 1:
            values += draw.normal(0.0, 0.1, 5)
        elif kind <= 3:
            values[3] += draw.uniform(-self._most, self._most)
        elif kind == 4:
            seen = self._anywhere()
            values = np.array([seen.x, seen.y, seen.z, seen.yaw, seen.pitch])
        elif kind == 5:
            limits, axis = self.rig.world.info.limits, draw.integers(3)
            values[axis] = (limits.bounds_min if draw.random() < 0.5 else limits.bounds_max)[axis]
            values[axis] += draw.normal(0.0, 1e-3)
        elif kind == 6:
            values[draw.integers(5)] = draw.choice([math.nan, math.inf, -math.inf, 1e300, -1e9, 10.0])
        else:
            values[3:] = draw.uniform(-7.0, 7.0, 2)
        return Viewpoint(*(float(value) for value in values))


def bench_limits(settings: Settings, commands: int, tell: Callable[[float], None]) -> dict[str, Any]:
    """Random commands over all rigs, most of them impossible: how many did what none may do.

    Args:
        tell: told the share that is done.
    """
    total, rigs, done = CommandCount(), dict[str, Any](), 0
    for seed, (name, file) in enumerate(RIGS.items()):
        walk, last = RandomCommands(settings, file, seed), seed == len(RIGS) - 1
        for taken in walk.run(commands - done if last else round(_SHARES[name] * commands)):
            tell((done + taken) / commands)
        done += walk.count.commands
        rigs[name] = walk.count.told()
        total.add(walk.count)
    return {**total.told(), "turn_limit": settings.limits.max_rotation, "rigs": rigs}
