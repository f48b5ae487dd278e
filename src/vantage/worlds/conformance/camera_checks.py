"""Checks of what every world promises: its camera, its limits, who may command it and its stop."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from vantage.errors import EpisodeError
from vantage.spatial import Intrinsics
from vantage.types import ArmTarget, Cause, Observation, Status
from vantage.worlds.conformance.trial import SOURCE, Check, CheckFailedError, Trial, raises, require
from vantage.worlds.protocol import Described

_NUDGE = 0.05  # m
_MOST_STEPS = 100


def _info(trial: Trial) -> None:
    info = trial.world.info
    require(info.name, "the world has no name")
    require("rgb" in info.senses, f"the senses {sorted(info.senses)} lack rgb")
    require("viewpoint" in info.acts, f"the acts {sorted(info.acts)} lack viewpoint")
    require(math.isfinite(info.body_radius) and info.body_radius >= 0, f"body_radius is {info.body_radius}")
    require(info.frame, "the world frame has no name")
    require(math.isfinite(info.tolerance) and info.tolerance >= 0, f"tolerance is {info.tolerance}")
    violation = info.limits.pose_violation(trial.episode.start)
    require(violation is None, f"the limits forbid the start that reset accepted: {violation}")


def _reset_shows_start(trial: Trial) -> None:
    require(trial.same(trial.here, trial.episode.start), f"reset to {trial.episode.start} shows {trial.here}")


def _images(trial: Trial) -> None:
    senses = trial.world.info.senses
    for seen in (trial.last, trial.world.observe(), trial.world.observe()):
        shape = (seen.intrinsics.height, seen.intrinsics.width)
        require(seen.rgb.dtype == np.uint8 and seen.rgb.shape == (*shape, 3), f"rgb is {_kind(seen.rgb)}")
        if seen.depth_intrinsics is not None:
            _same_view(seen.intrinsics, seen.depth_intrinsics)
            shape = (seen.depth_intrinsics.height, seen.depth_intrinsics.width)
        for name, image, dtype in (("depth", seen.depth, np.float32), ("instances", seen.instances, np.int32)):
            require((image is not None) == (name in senses), f"{name} is promised or shown, but not both")
            if image is not None:
                require(image.dtype == dtype and image.shape == shape, f"{name} is {_kind(image)}")
        if seen.depth is not None:
            require(not (seen.depth <= 0).any() and not np.isinf(seen.depth).any(), "depth is not positive or NaN")
        require((seen.legend is not None) == ("instances" in senses), "the legend does not go with the instances")


def _same_view(color: Intrinsics, depth: Intrinsics) -> None:
    """Depth with intrinsics of its own has fewer pixels and shows what the picture shows."""
    sizes = f"the depth has {depth.width} x {depth.height} pixels, the picture {color.width} x {color.height}"
    fewer = depth.width <= color.width and depth.height <= color.height and depth != color
    require(fewer, f"{sizes}; only one of fewer has intrinsics of its own")
    wide, high = color.width / depth.width, color.height / depth.height
    scaled = np.array([wide * depth.fx, high * depth.fy, wide * depth.cx, high * depth.cy])
    off = np.abs(scaled - [color.fx, color.fy, color.cx, color.cy]).max()
    require(off <= max(wide, high), f"{sizes}, and their intrinsics differ by {off:.1f} pixels of one view")


def _kind(image: Any) -> str:
    return f"{image.dtype} of shape {image.shape}"


def _stamps_increase(trial: Trial) -> None:
    stamps = [trial.last.stamp, trial.world.observe().stamp, trial.world.observe().stamp]
    trial.last = trial.world.observe()
    stamps.append(trial.last.stamp)
    stamps.append(trial.send(trial.turned()).observation.stamp)
    stamps.append(trial.reset().stamp)
    require(all(a < b for a, b in itertools.pairwise(stamps)), f"stamps {stamps} do not strictly increase")


def _done_reaches_target(trial: Trial) -> None:
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
                require(trial.same(trial.here, target), f"a move to {target} reached {trial.here}")
                return
            outcomes.append(f"{axis}{'+' if sign > 0 else '-'} {result.status.name}")
    raise CheckFailedError(f"no move of {_NUDGE} m is possible from the start: {', '.join(outcomes)}")


def _impossible_targets(trial: Trial) -> None:
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


def _out_of_turn(trial: Trial) -> None:
    trial.out_of_turn(Cause.EPISODE, "another episode", episode_id=f"not-{trial.episode.episode_id}")
    trial.out_of_turn(Cause.ORDER, "number 2 before 1", sequence=2)
    trial.done(trial.turned(), "number 1 after commands out of turn")
    trial.out_of_turn(Cause.ORDER, "number 1 again", sequence=1)
    trial.out_of_turn(Cause.LEASE, "a source without the lease", source=f"not-{SOURCE}")
    trial.done(trial.turned(), "number 2 after commands out of turn")
    trial.reset()
    other = trial.send(trial.turned(), source=f"not-{SOURCE}")
    require(other.status == Status.DONE, f"after a reset the lease is not free: {other.status.name}: {other.reason}")


def _stop_latches(trial: Trial) -> None:
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


def _collision_keeps_pose(trial: Trial) -> None:
    stride = min(0.25, trial.world.info.limits.max_translation)
    for _ in range(_MOST_STEPS):
        target = replace(trial.here, x=trial.here.x + stride)
        result = trial.send(target)
        if result.status in (Status.COLLIDED, Status.REJECTED):
            return trial.done(trial.turned(), "a turn after the end of the way")
        require(result.status == Status.DONE, f"a step towards x+ gave {result.status.name}: {result.reason}")
    raise CheckFailedError(f"{_MOST_STEPS} steps of {stride} m towards x+ met neither an obstacle nor a limit")


def _arm_only_where_promised(trial: Trial) -> None:
    if "arm" not in trial.world.info.acts:
        trial.refused(None, Status.REJECTED, "an arm command", arm=ArmTarget(gripper_width=0.0))
        trial.done(trial.turned(), "a turn after an arm command")


def _description(trial: Trial) -> None:
    """What a world says that its robot looks like can be shown at the places of its links."""
    if not isinstance(trial.world, Described):
        return
    try:
        robot = ET.fromstring(trial.world.urdf())
    except ET.ParseError as error:
        raise CheckFailedError(f"the robot's description is no XML: {error}") from error
    require(robot.tag == "robot", f"the robot's description is a <{robot.tag}>")
    links, joints = ({item.get("name") for item in robot.findall(kind)} for kind in ("link", "joint"))
    posture = trial.last.posture
    require(posture is not None, "the robot is described, but the observation tells no posture")
    if posture is not None:
        missing = [link.child for link in posture.links if link.child not in links]
        require(not missing, f"the robot's description lacks the links {', '.join(missing)}")
        placed = {link.child for link in posture.links} | {link.parent for link in posture.links}
        astray = sorted(name or "" for name in links if name not in placed)
        require(not astray, f"no transforms lead to the links {', '.join(astray)} of the robot's description")
        require(joints, "the robot's description has no joints")


def _same_seed_same_run(trial: Trial) -> None:
    first, second = list(_short_run(trial)), list(_short_run(trial))
    for number, (a, b) in enumerate(zip(first, second, strict=True)):
        require(
            trial.same(a.viewpoint, b.viewpoint), f"observation {number} is at {a.viewpoint}, then at {b.viewpoint}"
        )
        if not trial.world.info.repeatable:
            continue  # real pictures are never the same twice
        for name in ("rgb", "depth", "instances"):
            one, other = getattr(a, name), getattr(b, name)
            equal = one is other or np.array_equal(one, other, equal_nan=name == "depth")
            require(equal, f"{name} of observation {number} differs between two runs of one seed")


def _short_run(trial: Trial) -> Iterator[Observation]:
    yield trial.reset()
    for axis, amount in (("yaw", 0.2), ("x", _NUDGE), ("y", -_NUDGE), ("yaw", 0.2)):
        yield trial.send(replace(trial.here, **{axis: getattr(trial.here, axis) + amount})).observation


def _bad_episodes(trial: Trial) -> None:
    limits, start = trial.world.info.limits, trial.episode.start
    bad = {"NaN in its start": replace(trial.episode, start=replace(start, x=math.nan))}
    if math.isfinite(limits.bounds_max[0]):
        outside = replace(start, x=limits.bounds_max[0] + 1.0)
        bad["a start outside the bounds"] = replace(trial.episode, start=outside)
    bad["an unknown scene"] = replace(trial.episode, scene=f"{trial.episode.scene}-that-does-not-exist")
    for what, episode in bad.items():
        with raises(EpisodeError, f"an episode with {what}"):
            trial.world.reset(episode, trial.seed)
    trial.reset()
    trial.done(trial.turned(), "a turn after refused episodes")


def _restored_phase(trial: Trial) -> None:
    """Where a phase is restored, the world is as at the start, and lease and numbers run on."""
    first, *_ = _short_run(trial)
    trial.last = seen = trial.world.reset(replace(trial.episode, restored=True), trial.seed)
    require(trial.same(seen.viewpoint, first.viewpoint), f"a restored phase begins at {seen.viewpoint}")
    if trial.world.info.repeatable:
        require(np.array_equal(seen.rgb, first.rgb), "a restored phase does not show what the start showed")
    trial.out_of_turn(Cause.ORDER, "number 1 again after a restored phase began", sequence=1)
    trial.out_of_turn(Cause.LEASE, "a source without the lease in a restored phase", source=f"not-{SOURCE}")
    trial.done(trial.turned(), "the next number in a restored phase")
    another = replace(trial.episode, episode_id=f"not-{trial.episode.episode_id}", restored=True)
    with raises(EpisodeError, "a restored phase of an episode that does not run"):
        trial.world.reset(another, trial.seed)
    trial.done(trial.turned(), "the next number after a restored phase of another episode was refused")


CAMERA_CHECKS: dict[str, Check] = {
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
    "description": _description,
    "same_seed_same_run": _same_seed_same_run,
    "restored_phase": _restored_phase,
    "bad_episodes": _bad_episodes,
}
