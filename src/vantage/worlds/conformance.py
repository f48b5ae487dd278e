"""Conformance checks of a World, through its protocol alone, so that they hold for any backend."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from vantage.errors import EpisodeError, VantageError, WorldError
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import ArmTarget, Cause, Command, Episode, Observation, Status, StepResult
from vantage.worlds.protocol import World

_CLOSE = 1e-6  # m or rad
_NUDGE = 0.05  # m
_MOST_STEPS = 100
_SOURCE = "conformance"


class ConformanceError(WorldError):
    """A world breaks its protocol; the message names each failed check and why it failed."""


def check_world(make_world: Callable[[], World], episode: Episode, *, seed: int = 7) -> tuple[str, ...]:
    """Run every check on a fresh world and return the names of the checks.

    The start of ``episode`` must leave room to move by 5 cm in some direction. The world is closed afterwards, also
    when a check fails.

    Raises:
        ConformanceError: at least one check failed.
    """
    failures: list[str] = []
    names: list[str] = []
    world = make_world()
    try:
        for name, check in _CHECKS.items():
            names.append(name)
            try:
                check(_Trial(world, episode, seed))
            except _CheckFailedError as failure:
                failures.append(f"{name}: {failure}")
            except VantageError as error:
                failures.append(f"{name}: raised {type(error).__name__}: {error}")
    finally:
        world.close()
    names.append("close_twice")
    try:
        world.close()
    except VantageError as error:
        failures.append(f"close_twice: raised {type(error).__name__}: {error}")
    if failures:
        raise ConformanceError(
            f"{len(failures)} of {len(names)} conformance checks failed and must be mended: " + "; ".join(failures)
        )
    return tuple(names)


class _CheckFailedError(Exception):
    """One check failed."""


def _require(condition: Any, message: str) -> None:
    if not condition:
        raise _CheckFailedError(message)


class _Trial:
    """A world freshly reset, and the number of its next command."""

    def __init__(self, world: World, episode: Episode, seed: int) -> None:
        self.world, self.episode, self.seed = world, episode, seed
        self.world.clear_stop()
        self.reset()

    def reset(self) -> Observation:
        self.last = self.world.reset(self.episode, self.seed)
        self.next = 1
        return self.last

    @property
    def here(self) -> Viewpoint:
        return self.last.viewpoint

    def send(self, target: Viewpoint | None, **changes: Any) -> StepResult:
        """Step; the number is used up unless the command differs in who, which episode or which number."""
        command = Command(target, episode_id=self.episode.episode_id, source=_SOURCE, sequence=self.next)
        result = self.world.step(replace(command, **changes))
        before, self.last = self.last, result.observation
        _require(self.last.stamp > before.stamp, f"stamp {self.last.stamp} after {before.stamp} did not increase")
        _require(result.command.sequence == changes.get("sequence", self.next), "the result belongs to another command")
        _require(result.reason or result.status == Status.DONE, f"{result.status.name} came without a reason")
        rejected = result.status == Status.REJECTED
        _require((result.cause != Cause.NONE) == rejected, f"{result.status.name} came with cause {result.cause.name}")
        if not {"sequence", "source", "episode_id"} & set(changes):
            self.next += 1
        if result.status in (Status.COLLIDED, Status.REJECTED):  # a stop may come amid a motion
            told = f"{result.status.name} moved the camera to {self.here}: {result.reason}"
            _require(self.same(before.viewpoint, self.here), told)
        return result

    def refused(self, target: Viewpoint | None, status: Status, what: str, **changes: Any) -> Cause:
        before = self.here
        result = self.send(target, **changes)
        _require(result.status == status, f"{what} gave {result.status.name} instead of {status.name}")
        _require(self.same(before, self.here), f"{what} moved the camera to {self.here}")
        return result.cause

    def out_of_turn(self, cause: Cause, what: str, **changes: Any) -> None:
        told = self.refused(self.turned(), Status.REJECTED, what, **changes)
        _require(told == cause, f"{what} was rejected for {told.name} instead of {cause.name}")

    def turned(self) -> Viewpoint:
        """A target that is always free: a small turn to the left."""
        angle = min(0.2, 0.5 * self.world.info.limits.max_rotation)
        return replace(self.here, yaw=wrap_angle(self.here.yaw + angle))

    def done(self, target: Viewpoint, what: str) -> None:
        result = self.send(target)
        _require(result.status == Status.DONE, f"{what} gave {result.status.name}: {result.reason}")
        _require(self.same(self.here, target), f"{what} aimed at {target} and reached {self.here}")

    def same(self, a: Viewpoint, b: Viewpoint) -> bool:
        """Whether two poses are the same within the tolerance of the world."""
        close = max(_CLOSE, self.world.info.tolerance)
        angles = (wrap_angle(a.yaw - b.yaw), a.pitch - b.pitch)
        return a.distance(b) <= close and all(abs(angle) <= close for angle in angles)


def _info(trial: _Trial) -> None:
    info = trial.world.info
    _require(info.name, "the world has no name")
    _require("rgb" in info.senses, f"the senses {sorted(info.senses)} lack rgb")
    _require("viewpoint" in info.acts, f"the acts {sorted(info.acts)} lack viewpoint")
    _require(math.isfinite(info.body_radius) and info.body_radius >= 0, f"body_radius is {info.body_radius}")
    _require(info.frame, "the world frame has no name")
    _require(math.isfinite(info.tolerance) and info.tolerance >= 0, f"tolerance is {info.tolerance}")
    violation = info.limits.pose_violation(trial.episode.start)
    _require(violation is None, f"the limits forbid the start that reset accepted: {violation}")


def _reset_shows_start(trial: _Trial) -> None:
    _require(trial.same(trial.here, trial.episode.start), f"reset to {trial.episode.start} shows {trial.here}")


def _images(trial: _Trial) -> None:
    senses = trial.world.info.senses
    for seen in (trial.last, trial.world.observe(), trial.world.observe()):
        shape = (seen.intrinsics.height, seen.intrinsics.width)
        _require(seen.rgb.dtype == np.uint8 and seen.rgb.shape == (*shape, 3), f"rgb is {_kind(seen.rgb)}")
        for name, image, dtype in (("depth", seen.depth, np.float32), ("instances", seen.instances, np.int32)):
            _require((image is not None) == (name in senses), f"{name} is promised or shown, but not both")
            if image is not None:
                _require(image.dtype == dtype and image.shape == shape, f"{name} is {_kind(image)}")
        if seen.depth is not None:
            _require(not (seen.depth <= 0).any() and not np.isinf(seen.depth).any(), "depth is not positive or NaN")
        _require((seen.legend is not None) == ("instances" in senses), "the legend does not go with the instances")


def _kind(image: Any) -> str:
    return f"{image.dtype} of shape {image.shape}"


def _stamps_increase(trial: _Trial) -> None:
    stamps = [trial.last.stamp, trial.world.observe().stamp, trial.world.observe().stamp]
    trial.last = trial.world.observe()
    stamps.append(trial.last.stamp)
    stamps.append(trial.send(trial.turned()).observation.stamp)
    stamps.append(trial.reset().stamp)
    _require(all(a < b for a, b in itertools.pairwise(stamps)), f"stamps {stamps} do not strictly increase")


def _done_reaches_target(trial: _Trial) -> None:
    trial.done(trial.turned(), "a turn")
    low, high = trial.world.info.limits.pitch_min, trial.world.info.limits.pitch_max
    toward = 0.5 * (low + high) - trial.here.pitch
    step = min(0.1, trial.world.info.limits.max_rotation, abs(toward))
    trial.done(replace(trial.here, pitch=trial.here.pitch + math.copysign(step, toward)), "a tilt")
    outcomes = []
    for axis in "xyz":
        for sign in (1, -1):
            target = replace(trial.here, **{axis: getattr(trial.here, axis) + sign * _NUDGE})
            result = trial.send(target)
            if result.status == Status.DONE:
                _require(trial.same(trial.here, target), f"a move to {target} reached {trial.here}")
                return
            outcomes.append(f"{axis}{'+' if sign > 0 else '-'} {result.status.name}")
    raise _CheckFailedError(f"no move of {_NUDGE} m is possible from the start: {', '.join(outcomes)}")


def _impossible_targets(trial: _Trial) -> None:
    limits, here = trial.world.info.limits, trial.here
    for value in (math.nan, math.inf, -math.inf):
        for name in ("x", "y", "z", "yaw", "pitch"):
            trial.refused(replace(here, **{name: value}), Status.REJECTED, f"{name} = {value}")
    for name, low, high in zip("xyz", limits.bounds_min, limits.bounds_max, strict=True):
        for value in (low - 0.01, high + 0.01):
            if math.isfinite(value):
                trial.refused(replace(here, **{name: value}), Status.REJECTED, f"{name} = {value} out of bounds")
    trial.refused(replace(here, pitch=limits.pitch_max + 0.01), Status.REJECTED, "a pitch above the limit")
    trial.refused(replace(here, pitch=limits.pitch_min - 0.01), Status.REJECTED, "a pitch below the limit")
    if math.isfinite(limits.max_translation):
        far = 1.1 * limits.max_translation + 0.01
        for sign in (1, -1):
            trial.refused(replace(here, x=here.x + sign * far), Status.REJECTED, f"a move of {far} m")
    if limits.max_rotation < 3.0:
        wide = replace(here, yaw=here.yaw + limits.max_rotation + 0.05)
        trial.refused(wide, Status.REJECTED, "too wide a turn")
    trial.done(trial.turned(), "a turn after refusals")


def _out_of_turn(trial: _Trial) -> None:
    trial.out_of_turn(Cause.EPISODE, "another episode", episode_id=f"not-{trial.episode.episode_id}")
    trial.out_of_turn(Cause.ORDER, "number 2 before 1", sequence=2)
    trial.done(trial.turned(), "number 1 after commands out of turn")
    trial.out_of_turn(Cause.ORDER, "number 1 again", sequence=1)
    trial.out_of_turn(Cause.LEASE, "a source without the lease", source=f"not-{_SOURCE}")
    trial.done(trial.turned(), "number 2 after commands out of turn")
    trial.reset()
    other = trial.send(trial.turned(), source=f"not-{_SOURCE}")
    _require(other.status == Status.DONE, f"after a reset the lease is not free: {other.status.name}: {other.reason}")


def _stop_latches(trial: _Trial) -> None:
    trial.world.stop("conformance check")
    try:
        trial.refused(trial.turned(), Status.STOPPED, "a command after stop")
        trial.world.stop("another reason")
        trial.refused(trial.turned(), Status.STOPPED, "the second command after stop")
        trial.reset()
        trial.refused(trial.turned(), Status.STOPPED, "a command after stop and reset")
    finally:
        trial.world.clear_stop()
    trial.done(trial.turned(), "a command after clear_stop")


def _collision_keeps_pose(trial: _Trial) -> None:
    stride = min(0.25, trial.world.info.limits.max_translation)
    for _ in range(_MOST_STEPS):
        target = replace(trial.here, x=trial.here.x + stride)
        result = trial.send(target)
        if result.status in (Status.COLLIDED, Status.REJECTED):
            return trial.done(trial.turned(), "a turn after the end of the way")
        _require(result.status == Status.DONE, f"a step towards x+ gave {result.status.name}: {result.reason}")
    raise _CheckFailedError(f"{_MOST_STEPS} steps of {stride} m towards x+ met neither an obstacle nor a limit")


def _arm_only_where_promised(trial: _Trial) -> None:
    if "arm" not in trial.world.info.acts:
        trial.refused(None, Status.REJECTED, "an arm command", arm=ArmTarget(gripper_width=0.0))
        trial.done(trial.turned(), "a turn after an arm command")


def _same_seed_same_run(trial: _Trial) -> None:
    first, second = list(_short_run(trial)), list(_short_run(trial))
    for number, (a, b) in enumerate(zip(first, second, strict=True)):
        _require(
            trial.same(a.viewpoint, b.viewpoint), f"observation {number} is at {a.viewpoint}, then at {b.viewpoint}"
        )
        if trial.world.info.tolerance > 0:
            continue  # real pictures are never the same twice
        for name in ("rgb", "depth", "instances"):
            one, other = getattr(a, name), getattr(b, name)
            equal = one is other or np.array_equal(one, other, equal_nan=name == "depth")
            _require(equal, f"{name} of observation {number} differs between two runs of one seed")


def _short_run(trial: _Trial) -> Iterator[Observation]:
    yield trial.reset()
    for axis, amount in (("yaw", 0.2), ("x", _NUDGE), ("y", -_NUDGE), ("yaw", 0.2)):
        yield trial.send(replace(trial.here, **{axis: getattr(trial.here, axis) + amount})).observation


def _bad_episodes(trial: _Trial) -> None:
    limits, start = trial.world.info.limits, trial.episode.start
    bad = {"NaN in its start": replace(trial.episode, start=replace(start, x=math.nan))}
    if math.isfinite(limits.bounds_max[0]):
        outside = replace(start, x=limits.bounds_max[0] + 1.0)
        bad["a start outside the bounds"] = replace(trial.episode, start=outside)
    bad["an unknown scene"] = replace(trial.episode, scene=f"{trial.episode.scene}-that-does-not-exist")
    for what, episode in bad.items():
        with _raises(EpisodeError, f"an episode with {what}"):
            trial.world.reset(episode, trial.seed)
    trial.reset()
    trial.done(trial.turned(), "a turn after refused episodes")


@contextmanager
def _raises(kind: type[VantageError], what: str) -> Iterator[None]:
    try:
        yield
    except kind:
        return
    raise _CheckFailedError(f"{what} did not raise {kind.__name__}")


_CHECKS: dict[str, Callable[[_Trial], None]] = {
    "info": _info,
    "reset_shows_start": _reset_shows_start,
    "images": _images,
    "stamps_increase": _stamps_increase,
    "done_reaches_target": _done_reaches_target,
    "impossible_targets": _impossible_targets,
    "out_of_turn": _out_of_turn,
    "stop_latches": _stop_latches,
    "collision_keeps_pose": _collision_keeps_pose,
    "arm_only_where_promised": _arm_only_where_promised,
    "same_seed_same_run": _same_seed_same_run,
    "bad_episodes": _bad_episodes,
}
