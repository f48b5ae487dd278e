"""Checks of what a world with an arm promises besides: what its hand feels, and what it does and does not do."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from vantage.errors import EpisodeError
from vantage.spatial import Matrix
from vantage.types import CLOSE as SHUT, OPEN, ArmStep, ArmTarget, Cause, Observation, Status, StepResult, Touch
from vantage.worlds.conformance.trial import Check, CheckFailedError, Trial, raises, require
from vantage.worlds.warrants import WarrantError

_NEAR = 0.01  # m or rad: how well an arm on motors or in physics keeps a place
_MOVE = 0.05  # m or rad, of a joint
_STEPS = {"up": 0.05, "left": 0.05, "forward": 0.05, "height": 0.05, "roll": 0.25}  # m, and rad of the last
_FAR = 1e3  # m or rad
_STOP_AFTER, _PATIENCE = 0.05, 20.0  # s until a stop during a motion, and for it to be told


def _hand(seen: Observation) -> Touch:
    require(seen.touch is not None, "the observation tells nothing of the hand")
    assert seen.touch is not None
    return seen.touch


def _near(trial: Trial) -> float:
    return max(_NEAR, trial.world.info.tolerance)


def _apart(one: Matrix, other: Matrix) -> tuple[float, float]:
    """How far two poses (4, 4) are from each other, m and rad."""
    cosine = 0.5 * (float(np.trace(one[:3, :3].T @ other[:3, :3])) - 1.0)
    return float(np.linalg.norm(one[:3, 3] - other[:3, 3])), math.acos(max(-1.0, min(1.0, cosine)))


def _at(trial: Trial, T_world_tool: Matrix, what: str) -> None:
    way, turn = _apart(_hand(trial.last).T_world_tool, T_world_tool)
    require(max(way, turn) <= _near(trial), f"{what} left the hand {way:.4f} m and {turn:.4f} rad off its place")


def _told(trial: Trial, target: ArmTarget, what: str) -> StepResult:
    """Give a command; one that is refused or collided leaves the hand where it was."""
    before = _hand(trial.last).T_world_tool
    result = trial.send(None, arm=target)
    require("\n" not in result.reason, f"{what} was answered in more than a sentence: {result.reason}")
    _hand(trial.last)
    if result.status in (Status.REJECTED, Status.COLLIDED):
        _at(trial, before, f"{what}, {result.status.name},")
    return result


def _done(trial: Trial, target: ArmTarget, what: str) -> None:
    result = _told(trial, target, what)
    require(result.status == Status.DONE, f"{what} gave {result.status.name}: {result.reason}")


def _refused(trial: Trial, target: ArmTarget, what: str, cause: Cause | None = None) -> None:
    result = _told(trial, target, what)
    require(result.status == Status.REJECTED, f"{what} gave {result.status.name} instead of REJECTED")
    if cause is not None:
        require(result.cause == cause, f"{what} was rejected for {result.cause.name} instead of {cause.name}")


def _joints(trial: Trial) -> dict[str, float]:
    posture = trial.last.posture
    require(posture is not None and posture.joints, "the observation tells no joints")
    return dict(posture.joints) if posture is not None else {}


def _joint(trial: Trial) -> tuple[str, float, float]:
    """A joint of the arm, where it is, and where it was seen to go and come back from."""
    outcomes = []
    for name, value in _joints(trial).items():
        for there in (value + _MOVE, value - _MOVE):
            result = _told(trial, ArmTarget(joints={name: there}), f"{name} to {there:.3f}")
            if result.status == Status.DONE:
                require(abs(_joints(trial)[name] - there) <= _near(trial), f"{name} was to go to {there:.4f}")
                _done(trial, ArmTarget(joints={name: value}), f"{name} back to {value:.3f}")
                return name, value, there
            outcomes.append(f"{name} {result.reason}")
    raise CheckFailedError(f"no joint can be moved by {_MOVE} m or rad: {'; '.join(outcomes)}")


def _touch(trial: Trial) -> None:
    require("touch" in trial.world.info.senses, f"the senses {sorted(trial.world.info.senses)} lack touch")
    for seen in (trial.last, trial.world.observe()):
        hand = _hand(seen)
        T = np.asarray(hand.T_world_tool)
        require(T.shape == (4, 4) and np.isfinite(T).all(), f"the pose of the hand is {T.tolist()}")
        require(np.abs(T[:3, :3] @ T[:3, :3].T - np.eye(3)).max() < 1e-6, "the pose of the hand is not rigid")
        for name, vector in (("force", hand.force), ("torque", hand.torque)):
            require(np.shape(vector) == (3,), f"the {name} has the shape {np.shape(vector)}")
            known = np.isfinite(vector)
            require(known.all() or np.isnan(vector).all(), f"the {name} is {np.asarray(vector).tolist()}")
        require(not math.isinf(hand.gripper_width), "the gripper's width is not finite")


def _joint_targets(trial: Trial) -> None:
    before = _hand(trial.last).T_world_tool
    _joint(trial)
    _at(trial, before, "a joint that went and came back")


def _pose_targets(trial: Trial) -> None:
    name, here, there = _joint(trial)
    before = _hand(trial.last).T_world_tool
    _done(trial, ArmTarget(joints={name: there}), f"{name} to {there:.3f}")
    after = _hand(trial.last).T_world_tool
    _done(trial, ArmTarget(joints={name: here}), f"{name} to {here:.3f}")
    for T_world_tool, what in ((after, "a pose"), (before, "the pose before")):
        _done(trial, ArmTarget(T_world_tool=T_world_tool), what)
        _at(trial, T_world_tool, what)


def _widths(trial: Trial) -> None:
    width = _hand(trial.last).gripper_width
    if math.isnan(width):
        return _refused(trial, ArmTarget(gripper_width=0.01), "a width without a gripper")
    outcomes = []
    for target in (width - 0.02, width + 0.02):
        result = _told(trial, ArmTarget(gripper_width=target), f"the width {target:.3f} m")
        if result.status == Status.DONE:
            for wanted in (target, width):
                _done(trial, ArmTarget(gripper_width=wanted), f"the width {wanted:.3f} m")
                found = _hand(trial.last).gripper_width
                require(abs(found - wanted) <= _near(trial), f"the width {wanted:.3f} m became {found:.3f} m")
                require(not _hand(trial.last).holds, "the hand holds something where there is nothing")
            return None
        outcomes.append(result.reason)
    raise CheckFailedError(f"the gripper neither opens nor closes by 0.02 m: {'; '.join(outcomes)}")


def _steps(trial: Trial) -> None:
    worked, outcomes = False, []
    for name, size in _STEPS.items():
        for way in (size, -size):
            before = _hand(trial.last).T_world_tool
            result = _told(trial, ArmTarget(step=ArmStep(**{name: way})), f"a step {name} by {way}")
            if result.cause == Cause.CAPABILITY:
                return  # an arm that takes no steps says so
            if result.status == Status.DONE:
                moved, turned = _apart(_hand(trial.last).T_world_tool, before)
                should = (0.0, size) if name == "roll" else (size, 0.0)
                off = max(abs(moved - should[0]), abs(turned - should[1]))
                require(off <= _near(trial), f"a step {name} by {way} moved the hand {moved:.4f} m, {turned:.4f} rad")
                _done(trial, ArmTarget(step=ArmStep(**{name: -way})), f"a step {name} back")
                _at(trial, before, f"a step {name} forth and back")
                worked = True
                break
            outcomes.append(f"{name} {way} {result.reason}")
    require(worked, f"no step is possible from the start: {'; '.join(outcomes)}")


def _no_handle(trial: Trial) -> None:
    for what in (OPEN, SHUT):
        before = _hand(trial.last).T_world_tool
        result = _told(trial, ArmTarget(handle=what), f"{what} by a handle where there is none")
        require(result.status != Status.DONE, f"{what} by a handle where there is none gave DONE")
        _at(trial, before, f"{what} by a handle where there is none")


def _one_target(trial: Trial) -> None:
    _refused(trial, ArmTarget(), "an arm's target of nothing", Cause.TARGET)
    two = ArmTarget(joints=_joints(trial), gripper_width=0.0)
    _refused(trial, two, "an arm's target of two parts", Cause.TARGET)
    _refused(trial, replace(two, joints=None, handle=OPEN), "an arm's target of a width and a handle", Cause.TARGET)
    trial.done(trial.turned(), "a turn after refused arm commands")


def _limits(trial: Trial) -> None:
    name, value, _ = _joint(trial)
    for number in (math.nan, math.inf, value + _FAR, value - _FAR):
        _refused(trial, ArmTarget(joints={name: number}), f"{name} = {number}")
    _refused(trial, ArmTarget(joints={f"not-{name}": value}), "a joint that is not there")
    T_world_tool = np.array(_hand(trial.last).T_world_tool)
    for number in (math.nan, _FAR):
        T_world_tool[2, 3] = number
        _refused(trial, ArmTarget(T_world_tool=T_world_tool), f"a hand at z = {number} m")
    for width in (math.nan, math.inf, -1.0, _FAR):
        _refused(trial, ArmTarget(gripper_width=width), f"a width of {width} m")
    for force in (math.nan, -1.0):
        _refused(trial, ArmTarget(gripper_width=0.0, gripper_force=force), f"a force of {force} N")
    for way in (math.nan, _FAR):
        _refused(trial, ArmTarget(step=ArmStep(up=way)), f"a step up by {way} m")
    _refused(trial, ArmTarget(handle="shake"), "a handle to be shaken")
    _done(trial, ArmTarget(joints={name: value}), f"{name} = {value} after refusals")


def _stop(trial: Trial) -> None:
    name, here, there = _joint(trial)
    stop = threading.Timer(_STOP_AFTER, trial.world.stop, ("conformance check of the arm",))
    ends = time.monotonic() + _PATIENCE
    stop.daemon = True  # where stop() never returns, the program ends all the same
    stop.start()
    try:
        status = Status.DONE
        while status == Status.DONE and time.monotonic() < ends:
            here, there = there, here
            status = _told(trial, ArmTarget(joints={name: here}), "a motion during which a stop comes").status
        require(status == Status.STOPPED, f"a stop during motions of the arm was told as {status.name}")
        stop.join(_PATIENCE)
        require(not stop.is_alive(), f"stop() has not returned after {_PATIENCE:g} s")
        again = _told(trial, ArmTarget(joints={name: there}), "a motion after a stop").status
        require(again == Status.STOPPED, f"a motion of the arm after a stop gave {again.name}")
    finally:
        stop.join(_PATIENCE)
        trial.world.clear_stop()
    _done(trial, ArmTarget(joints={name: min(here, there)}), "a motion after clear_stop")
    _reset_moves_nothing(trial)


def _reset_moves_nothing(trial: Trial) -> None:
    """While a stop is latched, a reset is refused where the hand would have to move."""
    name, here, there = _joint(trial)
    _done(trial, ArmTarget(joints={name: there}), "a motion away from where the episode begins")
    before = _hand(trial.last).T_world_tool
    trial.world.stop("conformance check of the arm")
    try:
        status = _told(trial, ArmTarget(joints={name: here}), "a motion under a stop").status
        require(status == Status.STOPPED, f"a motion of the arm under a stop gave {status.name}")
        with suppress(EpisodeError):
            trial.reset()
        trial.last = trial.world.observe()
        _at(trial, before, "a reset after a stop")
    finally:
        trial.world.clear_stop()
    _done(trial, ArmTarget(joints={name: here}), "a motion after a refused reset")


def _same_seed_same_hand(trial: Trial) -> None:
    way = _joint(trial)
    first, second = list(_short_run(trial, *way)), list(_short_run(trial, *way))
    near = 1e-9 if trial.world.info.repeatable else _near(trial)
    for number, (a, b) in enumerate(zip(first, second, strict=True)):
        off = max(_apart(_hand(a).T_world_tool, _hand(b).T_world_tool))
        require(off <= max(near, 1e-7), f"the hand in observation {number} is {off} m or rad off in a second run")


def _short_run(trial: Trial, name: str, here: float, there: float) -> Iterator[Observation]:
    yield trial.reset()
    for position in (there, here):
        _done(trial, ArmTarget(joints={name: position}), f"{name} to {position:.3f}")
        yield trial.last


def _warrants(trial: Trial) -> None:
    """Nothing moves without a warrant that this episode's world took, and no longer than it allows."""
    handle, width = ArmTarget(handle=OPEN), ArmTarget(gripper_width=0.0)
    name, value, _ = _joint(trial)
    joints = ArmTarget(joints={name: value})
    trial.reset(warranted=False)
    for target in (handle, width, joints, ArmTarget(step=ArmStep(up=0.01))):
        result = _told(trial, target, "a command without a warrant")
        told = result.status == Status.REJECTED and result.cause in (Cause.UNWARRANTED, Cause.CAPABILITY)
        require(told, f"a command without a warrant gave {result.status.name} for {result.cause.name}")
    good = trial.warrant(commands=1)
    forged, foreign = replace(good, commands=2), replace(good, episode_id=f"not-{good.episode_id}")
    for warrant, what in ((forged, "a warrant that was changed"), (foreign, "a warrant of another episode")):
        with raises(WarrantError, what):
            trial.world.grant(warrant)
    _refused(trial, joints, "a command after forged warrants", Cause.UNWARRANTED)
    trial.world.grant(good)
    with raises(WarrantError, "a warrant that was granted before"):
        trial.world.grant(good)
    _done(trial, joints, "a command with a warrant")
    _refused(trial, joints, "a command more than the warrant allows", Cause.UNWARRANTED)
    trial.world.grant(trial.warrant())
    trial.last = trial.world.reset(replace(trial.episode, restored=True), trial.seed)
    _done(trial, joints, "a command in a restored phase of an episode with a warrant")
    trial.reset(warranted=False)
    _refused(trial, joints, "a command after the episode began anew", Cause.UNWARRANTED)
    trial.done(trial.turned(), "a turn without a warrant")


ARM_CHECKS: dict[str, Check] = {
    "arm_warrants": _warrants,
    "arm_touch": _touch,
    "arm_joint_targets": _joint_targets,
    "arm_pose_targets": _pose_targets,
    "arm_widths": _widths,
    "arm_steps": _steps,
    "arm_no_handle": _no_handle,
    "arm_one_target": _one_target,
    "arm_limits": _limits,
    "arm_stop": _stop,
    "arm_same_seed_same_hand": _same_seed_same_hand,
}
