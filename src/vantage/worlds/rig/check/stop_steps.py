"""Steps of the check: every stop works, whatever causes it, and within the distance that braking allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vantage.errors import WorldError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Status
from vantage.worlds.rig.cameras import PeriodicCamera
from vantage.worlds.rig.check.check_report import FailedError, SkipError, require
from vantage.worlds.rig.check.rig_under_test import IDLE, SLACK, JointSample, Motion, RigUnderTest, fastest
from vantage.worlds.rig.drivers import QUEUE
from vantage.worlds.rig.kinematics import PRISMATIC, Joint
from vantage.worlds.rig.safety import PERIOD, Watchdog

DELAY = 0.1  # s from a request until the motors brake: twice what 99 of 100 requests need at most
_GLANCE = 0.1  # s for which a motion is watched at its full speed
_STEPS = 2.0  # of a motor, by which two readings may differ at rest
_PATIENCE = 10.0  # s


def cruise(subject: RigUnderTest, motion: Motion) -> Matrix:
    """(N,): how fast each joint has gone, m/s or rad/s, once the motion has got up to speed.

    Raises:
        SkipError: it was over before.
    """
    ramps = [joint.speed / joint.acceleration for joint, way in zip(_joints(subject), motion.way, strict=True) if way]
    seen = subject.watch(max(0.2, 1.5 * max(ramps)) + _GLANCE, motion.over.is_set)
    if motion.over.is_set():
        raise SkipError(
            f"the longest motion that is free takes only {motion.seconds:.2f} s, too little to be met on the way"
        )
    return fastest(seen)


def require_halt(
    subject: RigUnderTest, speed: Matrix, asked: float, sample: JointSample, delay: float, watched: bool = True
) -> str:
    """Waits for rest and proves that it came as soon as it must: v / a and v^2 / 2a after ``delay`` s at most, in
    words.

    Args:
        speed: (N,) of each joint before, m/s or rad/s.
        asked: monotonic time from which on it should brake.
        sample: when and where the joints were seen last before or just then.
        watched: whether they can be seen all the while; else only the way counts.

    Raises:
        FailedError: it took longer or went farther.
    """
    joints = _joints(subject)
    braking = np.array([joint.acceleration for joint in joints])
    rest, place = subject.rest(_PATIENCE)
    way = np.abs(place - sample[1])
    brakes = 0.5 * speed**2 / braking
    allowed = brakes + speed * (delay + max(0.0, asked - sample[0])) + _STEPS * subject.rig.description.chain.resolution
    j = int(np.argmax(way / allowed))
    took, most = max(0.0, rest - asked), delay + float(np.max(speed / braking)) + SLACK
    gone = _length(joints[j], way[j])
    words = (
        f"at rest {f'{took:.2f} s later and {gone} on' if watched else f'{gone} beyond where it was last seen'} "
        f"(joint '{joints[j].name}' at {speed[j]:.3f} {joints[j].unit}/s brakes in {_length(joints[j], brakes[j])}"
    )
    require(way[j] <= allowed[j], f"{words}, so {_length(joints[j], allowed[j])} are allowed after {delay:g} s)")
    require(took <= most or not watched, f"{words}, so {most:.2f} s are allowed)")
    return f"{words})"


def _joints(subject: RigUnderTest) -> tuple[Joint, ...]:
    return subject.rig.description.chain.joints


def _length(joint: Joint, value: float) -> str:
    return f"{1e3 * value:.1f} {'mm' if joint.kind == PRISMATIC else 'mrad'}"


_NOTICE = 0.25  # s until the watchdog, which looks every 20 ms, has noticed something and the motors brake
_IDLE = 30.0  # s: the longest silence that is waited for
_UNPLUGGED = ("unplug", "vanish")  # what emulators call the loss of their link


def stop(subject: RigUnderTest) -> str:
    """A request brakes at once, and nothing moves until it is cleared."""
    world, words = subject.rig.world, "in simulated time a motion takes no time, so nothing was braked"
    target = subject.turned()
    if world.real_time:
        with subject.long_move() as motion:
            speed = cruise(subject, motion)
            sample, asked = subject.sample(), subject.clock.monotonic()
            world.stop("rig check")
            words = require_halt(subject, speed, asked, sample, DELAY)
        require(not motion.done, "the motion went on to its end")
    else:
        world.stop("rig check")
    _require_no_motion(subject, target)
    subject.go_on()
    target = subject.turned()
    world.stop("rig check")
    _require_no_command(subject, target)
    subject.go_on()
    return f"{words}; latched until cleared"


def heartbeat(subject: RigUnderTest) -> str:
    """Whoever commands falls silent during a motion."""
    subject.require_time()
    allowed = _allowed(subject, "heartbeat")
    subject.begin()
    subject.rig.world.heartbeat()
    return _stopped(subject, "heartbeat", allowed, one_command=True)


def idleness(subject: RigUnderTest) -> str:
    """No command comes for too long."""
    subject.require_time()
    allowed, before = _allowed(subject, IDLE), subject.newest_event()
    if allowed > _IDLE:
        raise SkipError(f"{allowed:g} s without a command are allowed, longer than this check waits")
    subject.begin()
    target = subject.turned()
    ends = subject.clock.monotonic() + allowed + SLACK
    while (event := subject.fatal_event(before, IDLE)) is None:
        late = subject.clock.monotonic() > ends
        require(not late, f"nothing happened although no command came for {allowed + SLACK:.1f} s")
        subject.clock.sleep(PERIOD)
    _require_no_command(subject, target)
    _require_no_motion(subject, target)
    subject.go_on()
    return event.sentence


def stale(subject: RigUnderTest) -> str:
    """The camera's pictures stay away during a motion."""
    subject.require_time()
    camera = subject.rig.camera
    if not isinstance(camera, PeriodicCamera):
        raise SkipError("a real camera: unplug it during a motion of `vantage rig goto` to see this")
    return _stopped(subject, "frame", _allowed(subject, "frame"), lambda: camera.inject("stale"), camera.mend)


def clock(subject: RigUnderTest) -> str:
    """The clock jumps during a motion: a watchdog with the rig's own rules and a clock that is put forward."""
    subject.require_time()
    rig, ahead = subject.rig, 0
    rules = replace(rig.description.watchdog, frame=0.0, heartbeat=0.0, command=0.0, state=0.0)
    sentences: list[str] = []

    def trip(kind: str, sentence: str) -> None:
        sentences.append(sentence)
        rig.world.stop(sentence)

    def now() -> int:
        return rig.driver.clock.now() + ahead

    watchdog = Watchdog(rules, trip, frame_stamp=now, state_stamp=now, clock=rig.driver.clock, now=now)
    with watchdog, subject.long_move() as motion:
        speed = cruise(subject, motion)
        sample, asked = subject.sample(), subject.clock.monotonic()
        ahead = round(2e9 * rules.clock_jump)
        words = require_halt(subject, speed, asked, sample, _NOTICE)
    require(sentences, f"the clock was put forward by {2.0 * rules.clock_jump:g} s and nobody noticed")
    subject.go_on()
    return f"{sentences[0]}; {words}"


def link(subject: RigUnderTest) -> str:
    """The controller goes away during a motion: what waits in it may still be done, and no more."""
    subject.require_time()
    emulator = subject.rig.emulator
    fault = next((fault for fault in _UNPLUGGED if emulator is not None and fault in emulator.faults), "")
    if emulator is None or not fault:
        raise SkipError("not emulated: unplug the controller during a motion of `vantage rig goto` to see this")
    before = subject.newest_event()
    with subject.long_move() as motion:
        try:
            speed = cruise(subject, motion)
            emulator.inject(fault)
            words = require_halt(subject, speed, subject.clock.monotonic(), subject.sample(), QUEUE)
            require(motion.over.wait(subject.patience), "the motion did not end")
        finally:
            emulator.mend()
    require(not motion.done, "the motion ended as if nothing had happened")
    event = subject.fatal_event(before, "fault")
    require(event is not None, f"nobody was told: {motion.words}")
    subject.go_on()
    return f"{motion.words}; {words}; went on once the link was back"


def _require_no_command(subject: RigUnderTest, target: Viewpoint) -> None:
    """With a stop in force, no command of an episode is carried out."""
    latched = subject.send(target)
    require(latched.status == Status.STOPPED, f"after the stop a command was {latched.status.name}")


def _require_no_motion(subject: RigUnderTest, target: Viewpoint) -> None:
    """With a stop in force, nothing is done outside episodes either."""
    try:
        subject.go_to(subject.rig.machine.positions_at(target))
    except WorldError as error:
        require("stop" in str(error), f"after the stop a motion was refused for another reason: {error}")
    else:
        raise FailedError("after the stop a motion outside episodes was done")


def _allowed(subject: RigUnderTest, rule: str) -> float:
    """s of silence that a rule of the watchdog allows."""
    allowed: float = getattr(subject.rig.description.watchdog, rule)
    if allowed == 0.0:
        raise SkipError(f"watchdog.{rule} is 0 in the rig's file, so nobody listens")
    return allowed


def _stopped(
    subject: RigUnderTest,
    kind: str,
    allowed: float,
    breaks: Callable[[], None] = lambda: None,
    mends: Callable[[], None] = lambda: None,
    one_command: bool = False,
) -> str:
    """A silence during the longest motion is noticed after ``allowed`` s, and the rig brakes."""
    before, joints = subject.newest_event(), subject.rig.description.chain.joints
    most = allowed + _NOTICE + SLACK + max(joint.speed / joint.acceleration for joint in joints)
    try:
        with subject.long_move(one_command) as motion:
            breaks()
            begun = subject.clock.monotonic()
            rest, _ = subject.rest(subject.patience)
            motion.over.wait(subject.patience)
    finally:
        mends()
    took = rest - begun
    event = subject.fatal_event(before, kind)
    if event is None and took < allowed + SLACK and not subject.rig.world.trouble:
        stride = "; a larger limits.max_translation lets it be tried" if one_command else ""
        raise SkipError(
            f"the longest motion {'of one command' if one_command else 'that is free'} takes {took:.1f} s and "
            f"{allowed:g} s of silence are allowed (watchdog.{kind}), so it ends by itself{stride}"
        )
    require(event is not None, f"the rig went on for {took:.2f} s: {motion.words or 'the motion was done'}")
    require(not motion.done, "it was told, but the motion went on to its end")
    require(took <= most, f"at rest only after {took:.2f} s, {most:.2f} s are allowed")
    subject.go_on()
    return f"{event.sentence if event else ''}; at rest {took:.2f} s after it began"
