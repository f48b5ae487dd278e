"""Steps of the check: connection, kinematics, confirmation, homing, start, pictures, settling, joints."""

from __future__ import annotations

import math
import threading
import time
from itertools import pairwise

import numpy as np

from vantage.errors import EpisodeError, UnreachableError, VantageError
from vantage.spatial import Matrix
from vantage.types import Status, StepResult
from vantage.worlds.rig.check.check_report import FailedError, SkipError, require
from vantage.worlds.rig.check.rig_under_test import RigUnderTest, joint_words, pose_words
from vantage.worlds.rig.kinematics import PRISMATIC, inverse

_ROUND_TRIP = 1e-9  # m or rad
_POSTURES, _LONG = 200, 3.0  # as many as that, or as take so many s
_CLOSE = 1e-6  # m: float noise
_FRAMES = 10
_REACHES = (1.0, 0.5, 0.25, 0.1, 0.02)
_REACH, _TURN = 0.05, 0.2  # m and rad by which a joint is moved
_POLL = 0.002  # s
_UNCONFIRMED = "the first motion must be confirmed by a person"


def answers(subject: RigUnderTest) -> str:
    """Controller and camera are there; nothing moves."""
    rig = subject.rig
    rig.world.connect()
    state = rig.driver.state()
    require(not state.fault, f"the controller reports: {state.fault}")
    size = rig.camera.intrinsics
    return f"{len(state.positions)} joints at {joint_words(state.positions)}; camera {size.width} x {size.height}"


def kinematics(subject: RigUnderTest) -> str:
    """Forward and inverse kinematics agree. Chains that can roll the camera hold it level, which they cannot do
    everywhere."""
    chain, worst, asked, found = subject.rig.description.chain, 0.0, 0, 0
    ends = time.monotonic() + _LONG
    for q in subject.postures(_POSTURES):
        if time.monotonic() > ends:
            break
        asked += 1
        seen = chain.viewpoint(q)
        try:
            again = chain.viewpoint(inverse.solve(chain, seen, q))
        except UnreachableError as error:
            level = abs(float(chain.T_world_camera(q)[2, 1])) < _CLOSE
            require(
                not level, f"the rig can stand with its joints at {joint_words(q)}, and no inverse is found: {error}"
            )
            continue
        found += 1
        turned = math.remainder(seen.yaw - again.yaw, math.tau) * math.cos(seen.pitch)
        worst = max(worst, seen.distance(again), abs(turned), abs(seen.pitch - again.pitch))
    require(found, f"no inverse was found for any of {asked} postures")
    require(worst <= _ROUND_TRIP, f"forward and inverse disagree by {worst:.1e} m or rad, {_ROUND_TRIP:g} are allowed")
    slanted = f"; {asked - found} others cannot hold the camera level" if found < asked else ""
    return f"forward and inverse agree within {worst:.1e} m or rad at {found} postures{slanted}"


def first_motion(subject: RigUnderTest) -> str:
    """Nothing moves before a person has allowed it."""
    rig, before = subject.rig, subject.positions()
    if rig.world.trouble != _UNCONFIRMED:
        raise SkipError("confirmed beforehand")
    start = rig.description.chain.viewpoint(subject.start(away_from=before))
    try:
        rig.world.reset(subject.episode(start), 0)
    except EpisodeError as refusal:
        require("confirm" in str(refusal), f"it was refused, but not for want of a confirmation: {refusal}")
        _require_still(subject, before)
        return f"refused: {refusal}"
    raise FailedError("the rig moved without a confirmation")


def homing(subject: RigUnderTest) -> str:
    """The reference position is found, and lies within the limits."""
    rig = subject.rig
    rig.world.confirm_motion()
    if rig.driver.state().homed:
        raise SkipError("the controller knows its position already")
    begun = subject.clock.monotonic()
    rig.machine.home()
    state, chain = rig.driver.state(), rig.description.chain
    where = joint_words(state.positions)
    require(state.homed, "it ended, but the controller still does not know its position")
    beyond = (state.positions < chain.lower - chain.resolution) | (state.positions > chain.upper + chain.resolution)
    require(not beyond.any(), f"it ended at {where}, beyond the limits")
    return f"done in {subject.clock.monotonic() - begun:.1f} s, at {where}"


def start(subject: RigUnderTest) -> str:
    """An episode begins where it should."""
    seen, chain = subject.begin(), subject.rig.description.chain
    expected, tolerance = chain.viewpoint(subject.start()), subject.rig.world.info.tolerance
    missed = seen.viewpoint.distance(expected)
    where = pose_words(seen.viewpoint)
    require(missed <= tolerance + _CLOSE, f"at {where}, {1e3 * missed:.3f} mm from where it should be")
    return f"at {where}, {1e3 * missed:.3f} mm off"


def pictures(subject: RigUnderTest) -> str:
    """The camera sends one picture after the other, and an observation can be made of them."""
    camera, clock, stamps, lags = subject.rig.camera, subject.rig.driver.clock, [], []
    stamp = max(clock.now(), camera.newest())
    for _ in range(_FRAMES):
        stamp = camera.frame_after(stamp, subject.rig.description.look.timeout).stamp
        stamps.append(stamp)
        lags.append(1e-6 * (clock.now() - stamp))
    require(all(a < b for a, b in pairwise(stamps)), f"the stamps do not increase: {stamps}")
    require(min(lags) >= 0.0, f"a picture came {-min(lags):.0f} ms before it was taken, by its stamp; check the clocks")
    rate = (_FRAMES - 1) / (1e-9 * (stamps[-1] - stamps[0]))
    seen = subject.rig.world.observe()
    return f"{rate:.0f} in a second, {max(lags):.0f} ms old when they come, mean grey {seen.rgb.mean():.0f}"


def settled(subject: RigUnderTest) -> str:
    """A picture counts only when it was taken after the motion, and the time to settle, were over."""
    subject.require_time()
    rig, results, troubles, target = subject.rig, list[StepResult](), list[str](), subject.turned()

    def send() -> None:
        try:
            results.append(subject.send(target))
        except VantageError as error:
            troubles.append(str(error))

    thread = threading.Thread(target=send, name="short move", daemon=True)
    thread.start()
    last, ends = 0, subject.clock.monotonic() + subject.patience
    while thread.is_alive() and subject.clock.monotonic() < ends:
        state = rig.driver.state()
        last = state.stamp if state.moving else last
        subject.clock.sleep(_POLL)
    require(results, troubles[0] if troubles else f"the motion did not end within {subject.patience:.0f} s")
    require(results[0].status == Status.DONE, results[0].reason)
    missed, tolerance = results[0].reached.distance(target), rig.world.info.tolerance
    require(missed <= tolerance, f"the camera ended {1e3 * missed:.3f} mm off, {1e3 * tolerance:.3f} mm are allowed")
    if not last:
        raise SkipError("the motion was over before it could be seen")
    waited, settle = 1e-9 * (results[0].observation.stamp - last), rig.description.look.settle
    words = (
        f"the picture was taken {waited:.3f} s after the rig was last seen to move, {settle:g} s are due (look.settle)"
    )
    require(waited >= settle, words)
    return f"{words}; {1e3 * missed:.3f} mm off"


def joints(subject: RigUnderTest) -> str:
    """Each joint goes somewhere and back, and is there to within a step."""
    chain, worst, still = subject.rig.description.chain, 0.0, []
    for i, joint in enumerate(chain.joints):
        home = subject.rig.driver.state().positions
        target = _nearby(subject, home, i)
        if target is None:
            still.append(f"'{joint.name}'")
            continue
        for q in (target, home):
            subject.go_to(q)
            missed = np.abs(subject.positions() - q) / chain.resolution
            j = int(np.argmax(missed))
            worst = max(worst, float(missed[j]))
            require(missed[j] <= 1.0, f"joint '{chain.joints[j].name}' ended {missed[j]:.1f} steps off its target")
    require(len(still) < chain.size, "no joint has a free way from here")
    apart = f"; no way was free for {', '.join(still)}" if still else ""
    return f"{chain.size - len(still)} joints went there and back; {worst:.2f} steps off at most{apart}"


def _nearby(subject: RigUnderTest, home: Matrix, i: int) -> Matrix | None:
    """(N,): with joint i moved, towards the middle of its travel if that is free; None where nothing is."""
    joint, (low, high) = subject.rig.description.chain.joints[i], subject.limits()
    reach = min(_REACH if joint.kind == PRISMATIC else _TURN, 0.2 * float(high[i] - low[i]))
    inwards = math.copysign(reach, 0.5 * float(low[i] + high[i]) - float(home[i]))
    for way in (sign * share * inwards for share in _REACHES for sign in (1.0, -1.0)):
        target = home.copy()
        target[i] += way
        if subject.free(home, target):
            return np.asarray(target)
    return None


def _require_still(subject: RigUnderTest, before: Matrix) -> None:
    moved = np.abs(subject.positions() - before) > subject.rig.description.chain.resolution
    require(not moved.any(), "it was refused, and yet the rig moved")
