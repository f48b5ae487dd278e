"""``vantage rig check``: proves on the connected rig, step by step, that it moves, sees and stops as it should."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from vantage.config import Settings
from vantage.errors import UnknownNameError, UsageError, VantageError
from vantage.registry import EMULATORS, did_you_mean
from vantage.worlds.rig.assembly import EMULATED, HARDWARE, Assembly
from vantage.worlds.rig.cameras import FAULTS as CAMERA_FAULTS
from vantage.worlds.rig.check import (
    basic_steps as basics,
    dead_host as dead_host,
    refusal_steps as refusals,
    stop_steps as stops,
)
from vantage.worlds.rig.check.check_report import FAILED, PASSED, SKIPPED, FailedError, Finding, SkipError
from vantage.worlds.rig.check.refusal_steps import obstacles
from vantage.worlds.rig.check.rig_under_test import IDLE, RigUnderTest
from vantage.worlds.rig.description import RigDescription

_SIMULATED_CAMERAS = ("mock", "splat")
_MIDST = 0.2  # s after the motion was seen to begin


def known_faults(settings: Settings, description: RigDescription) -> tuple[str, ...]:
    """What can be broken in the rig that these make, before anything of it is started."""
    faults: tuple[str, ...] = ()
    if settings.rig.mode == EMULATED and description.driver_name in EMULATORS.names():
        faults += EMULATORS.create(description.driver_name, description).faults
    if settings.rig.mode != HARDWARE or description.camera_name in _SIMULATED_CAMERAS:
        faults += CAMERA_FAULTS
    return faults


def refuse_unknown(fault: str, settings: Settings, description: RigDescription) -> None:
    """See that a fault can be injected.

    Raises:
        UsageError: nothing can be broken in this rig.
        UnknownNameError: it knows other faults.
    """
    known = known_faults(settings, description)
    if not known:
        raise UsageError("real hardware is not broken on purpose; give --emulate with --inject")
    if fault not in known:
        raise UnknownNameError(f"unknown fault '{fault}'{did_you_mean(fault, [*known])}")


def fault_step(fault: str) -> Callable[[RigUnderTest], str]:
    """The step in which a fault strikes during the longest motion; it never passes."""

    def prove(subject: RigUnderTest) -> str:
        before = subject.newest_event()
        if not subject.rig.world.real_time:
            _inject(subject, fault)
        with subject.long_move() as motion:
            motion.over.wait(_MIDST)
            if subject.rig.world.real_time:
                _inject(subject, fault)
        told = [event.sentence for event in subject.rig.world.events(before)]
        if motion.done and not told:
            raise FailedError(f"'{fault}' was put in amid a motion of {motion.seconds:.1f} s, and nobody noticed")
        if motion.words and any(sentence in motion.words for sentence in told):
            raise FailedError(motion.words)
        raise FailedError(f"{motion.words or 'the motion was done, but'}: {told[0]}" if told else motion.words)

    return prove


def _inject(subject: RigUnderTest, fault: str) -> None:
    emulator, camera = subject.rig.emulator, subject.rig.camera
    if emulator is not None and fault in emulator.faults:
        emulator.inject(fault)
    else:
        camera.inject(fault)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Step:
    """Something to be proven.

    Attributes:
        prove: returns what was found in words, or raises SkipError, FailedError or a VantageError.
        provokes: kinds of events that belong to it; any other one means that something went wrong besides.
        upsets: whether it breaks something on purpose, so that events of any kind belong to it.
        vital: whether nothing can be proven after it has failed.
    """

    name: str
    prove: Callable[[RigUnderTest], str]
    provokes: frozenset[str] = frozenset()
    upsets: bool = False
    vital: bool = False


_BUSY = frozenset({"late"})  # while this reckons, what comes from the rig waits
_ALWAYS = frozenset({IDLE})  # a rig that wants commands all the time does not get them from a check

FIRST_STEPS = (
    Step("controller and camera answer", basics.answers, vital=True),
    Step("kinematics", basics.kinematics, _BUSY, vital=True),
    Step("the first motion needs a person", basics.first_motion, vital=True),
    Step("homing", basics.homing, vital=True),
    Step("a start is reached and seen", basics.start, vital=True),
)
STEPS = (
    Step("pictures", basics.pictures),
    Step("settle, then look", basics.settled),
    Step("every joint moves to within a step", basics.joints),
    Step("limits refuse", refusals.limits),
    Step("obstacles refuse", obstacles, _BUSY),
    Step("a dry run moves nothing", refusals.dry_run),
    Step("stop brakes and latches", stops.stop),
    Step("silence of whoever commands stops", stops.heartbeat, frozenset({"heartbeat"})),
    Step("no command for too long stops", stops.idleness),
    Step("a camera that stalls stops", stops.stale, frozenset({"frame", "camera"})),
    Step("a clock that jumps stops", stops.clock),
    Step("a lost link stops", stops.link, upsets=True),
    Step("a dead host means a standing rig", dead_host.killed),
    Step("little motion waits in the controller", dead_host.waiting),
)


@dataclass
class RigCheck:
    """The check of one rig, connected here and closed at the end.

    A step that finds what it looks for fails all the same when something was noticed besides. After a failure the
    check goes on from a new start; on real hardware it does not clear a stop that nobody has seen to.

    Args:
        rig: not connected yet; its first motion must not be confirmed beforehand, or that step is skipped.
        settings: that it was put together from.
        scene: for the simulated camera, where there is one.
        inject: a fault that strikes amid the first long motion, by name; empty for none. The check then fails.
        tell: told each finding as it is made.
        steps: to be taken once the start is reached.
    """

    rig: Assembly
    settings: Settings
    scene: str = ""
    inject: str = ""
    tell: Callable[[Finding], None] = lambda finding: None
    steps: tuple[Step, ...] = STEPS
    findings: list[Finding] = field(default_factory=list)

    def run(self) -> list[Finding]:
        """All steps in order; what makes no sense after a failure is skipped."""
        subject = RigUnderTest(self.rig, self.settings, self.scene)
        strikes = (
            (Step(f"a long motion while '{self.inject}' strikes", fault_step(self.inject)),) if self.inject else ()
        )
        barred = ""
        try:
            for step in (*FIRST_STEPS, *strikes, *self.steps):
                if barred:
                    self._note(Finding(step.name, SKIPPED, barred))
                elif not self._take(step, subject) and (step.vital or not self._goes_on(subject)):
                    barred = f"not tried after '{self.findings[-1].step}' failed"
        finally:
            self.rig.world.close()
        return self.findings

    def _take(self, step: Step, subject: RigUnderTest) -> bool:
        """Whether a step did not fail."""
        begun, before = time.monotonic(), subject.newest_event()
        outcome, words = _outcome(step, subject)
        besides = [event for event in self.rig.world.events(before) if event.kind not in step.provokes | _ALWAYS]
        if outcome != FAILED and besides and not step.upsets:
            told = "; ".join(dict.fromkeys(event.sentence for event in besides))
            outcome, words = FAILED, f"{outcome}, but: {told} ({words})"
        self._note(Finding(step.name, outcome, words, time.monotonic() - begun))
        return outcome != FAILED

    def _goes_on(self, subject: RigUnderTest) -> bool:
        """After a failure: whether more can be tried."""
        world = self.rig.world
        if not subject.simulated:
            if not world.trouble:
                return True
            self._note(Finding("going on after that", FAILED, f"{world.trouble}; see to it, then run the check again"))
            return False

        def go_on(subject: RigUnderTest) -> str:
            subject.go_on()
            return "the stop was cleared and the rig moves again"

        return self._take(Step("going on after that", go_on, upsets=True), subject)

    def _note(self, finding: Finding) -> None:
        self.findings.append(finding)
        self.tell(finding)


def _outcome(step: Step, subject: RigUnderTest) -> tuple[str, str]:
    try:
        subject.make_ready()
        return PASSED, step.prove(subject)
    except SkipError as reason:
        return SKIPPED, str(reason)
    except (FailedError, VantageError) as reason:
        return FAILED, str(reason)
