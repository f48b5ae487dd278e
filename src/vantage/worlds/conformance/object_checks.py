"""Checks of what a world promises besides whose things change kinematically."""

from __future__ import annotations

from vantage.spatial import Matrix
from vantage.types import OPEN, TAKE, ArmStep, ArmTarget, Cause, ObjectAction, Status
from vantage.worlds.conformance.trial import Check, Trial, require
from vantage.worlds.protocol import Kinematic

_NO_THING = 2**31 - 1  # instance id


def _refused(trial: Trial, target: ArmTarget, what: str, cause: Cause) -> None:
    before = _places(trial)
    told = trial.refused(None, Status.REJECTED, what, arm=target)
    require(told == cause, f"{what} was rejected for {told.name} instead of {cause.name}")
    require(_places(trial) == before, f"{what} moved something")


def _places(trial: Trial) -> tuple[dict[int, list[list[float]]], dict[tuple[int, str], float]]:
    world = trial.world
    if not isinstance(world, Kinematic):  # over ROS nobody but a judge is told
        return {}, {}
    poses: dict[int, Matrix] = dict(world.poses())
    return {key: pose.tolist() for key, pose in poses.items()}, dict(world.joint_positions())


def _no_thing(trial: Trial) -> None:
    for verb in (OPEN, TAKE):
        action = ArmTarget(object_action=ObjectAction(verb, _NO_THING))
        _refused(trial, action, f"to {verb} a thing that is not there", Cause.TARGET)
    _refused(trial, ArmTarget(object_action=ObjectAction("shake", 1)), "an unknown verb", Cause.TARGET)


def _one_target(trial: Trial) -> None:
    action = ObjectAction(OPEN, _NO_THING)
    _refused(trial, ArmTarget(handle=OPEN, object_action=action), "a command that says two things", Cause.TARGET)
    _refused(trial, ArmTarget(step=ArmStep(up=0.05)), "a step of a hand that is not there", Cause.CAPABILITY)


def _stop(trial: Trial) -> None:
    trial.world.stop("conformance")
    action = ArmTarget(object_action=ObjectAction(OPEN, _NO_THING))
    trial.refused(None, Status.STOPPED, "an action on a thing under a stop", arm=action)
    trial.world.clear_stop()


OBJECT_CHECKS: dict[str, Check] = {
    "objects_no_thing": _no_thing,
    "objects_one_target": _one_target,
    "objects_stop": _stop,
}
