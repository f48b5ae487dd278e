"""``vantage rig check``: proves on the connected rig, step by step, that it moves, sees and stops as it should."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from vantage.errors import EpisodeError, HardwareError, UnreachableError, VantageError, WorldError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Command, Episode, Phase, Question, Status, StepResult
from vantage.worlds.rig import inverse
from vantage.worlds.rig.assembly import Assembly
from vantage.worlds.rig.drivers.driver import QUEUE

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
_ROUND_TRIP = 1e-9  # m or rad
_POSTURES = 200
_SOURCE = "rig check"
_POLL = 0.01  # s
_SLACK = 0.15  # s that seeing the rest may take longer than the rest, on a machine with other things to do


@dataclass(frozen=True)
class Finding:
    """One step of the check: what was tried, what came of it and in words why."""

    step: str
    outcome: str
    words: str
    seconds: float = 0.0


@dataclass
class _Outcome:
    """Of a motion in a thread of its own."""

    done: bool = False
    words: str = ""


class _SkipError(Exception):
    """This rig cannot be asked this."""


class _FailedError(Exception):
    """A promise was not kept."""


def _require(condition: object, words: str) -> None:
    if not condition:
        raise _FailedError(words)


@dataclass
class RigCheck:
    """The check of one rig, connected here and closed at the end.

    Args:
        rig: not connected yet; its first motion must not be confirmed beforehand, or that step is skipped.
        scene: for the simulated camera, where there is one.
        inject: a fault that is put in once the rig is homed, by name; empty for none. The check should then fail.
        tell: told each finding as it is made.
    """

    rig: Assembly
    scene: str = ""
    inject: str = ""
    tell: Callable[[Finding], None] = lambda finding: None
    findings: list[Finding] = field(default_factory=list)

    def run(self) -> list[Finding]:
        """All steps in order; what depends on a step that failed is skipped."""
        try:
            if self._step("controller and camera answer", self._connect):
                self._prove()
        finally:
            self.rig.world.close()
        return self.findings

    def _prove(self) -> None:
        self._step("kinematics", self._kinematics)
        moves = self._step("the first motion needs a person", self._first_motion)
        moves = moves and self._step("homing", self._homing)
        if self.inject:
            self._put_in(self.inject)
        moves = moves and self._step("a start is reached and seen", self._start)
        if moves:
            self._step("pictures", self._pictures)
        for name, step in (
            ("every joint moves to within a step", self._joints),
            ("limits refuse", self._limits),
            ("forbidden boxes refuse", self._boxes),
            ("a dry run moves nothing", self._dry_run),
            ("stop brakes and latches", self._stop),
            ("little motion waits in the controller", self._queue),
            ("silence of whoever commands stops", self._heartbeat),
            ("a camera that stalls stops", self._stale),
            ("a lost link stops", self._link),
        ):
            if moves:
                self._step(name, step)
            else:
                self._note(Finding(name, SKIPPED, "the rig does not move, see above"))

    def _step(self, name: str, step: Callable[[], str]) -> bool:
        begun = time.monotonic()
        try:
            finding = Finding(name, PASSED, step())
        except _SkipError as reason:
            finding = Finding(name, SKIPPED, str(reason))
        except (_FailedError, VantageError) as reason:
            finding = Finding(name, FAILED, str(reason))
        self._note(replace(finding, seconds=time.monotonic() - begun))
        return finding.outcome != FAILED

    def _note(self, finding: Finding) -> None:
        self.findings.append(finding)
        self.tell(finding)

    def _put_in(self, fault: str) -> None:
        emulator, camera = self.rig.emulator, self.rig.camera
        if emulator is not None and fault in emulator.faults:
            emulator.inject(fault)
        else:
            camera.inject(fault)  # type: ignore[attr-defined]

    # Steps ----------------------------------------------------------------------------------------------------------

    def _connect(self) -> str:
        self.rig.world.connect()
        state = self.rig.driver.state()
        _require(not state.fault, f"the controller reports: {state.fault}")
        size = self.rig.camera.intrinsics
        return f"{len(state.positions)} joints at {_shown(state.positions)}; camera {size.width} x {size.height}"

    def _kinematics(self) -> str:
        chain, draw = self.rig.description.chain, np.random.default_rng(0)
        worst = 0.0
        for _ in range(_POSTURES):
            q = draw.uniform(chain.lower, chain.upper)
            seen = chain.viewpoint(q)
            again = chain.viewpoint(inverse.solve(chain, seen, q))
            error = max(
                seen.distance(again),
                abs(math.remainder(seen.yaw - again.yaw, math.tau)) * math.cos(seen.pitch),
                abs(seen.pitch - again.pitch),
            )
            worst = max(worst, error)
        _require(worst <= _ROUND_TRIP, f"forward and inverse kinematics disagree by {worst:.1e} m or rad")
        return f"forward and inverse agree within {worst:.1e} m or rad at {_POSTURES} postures"

    def _first_motion(self) -> str:
        if self.rig.world.trouble != "the first motion must be confirmed by a person":
            raise _SkipError("confirmed beforehand")
        try:
            self.rig.world.reset(self._episode(self._middle()), 0)
        except EpisodeError as refusal:
            _require("confirm" in str(refusal), f"it was refused, but not for want of a confirmation: {refusal}")
            return "refused until confirmed"
        raise _FailedError("the rig would have moved without a confirmation")

    def _homing(self) -> str:
        self.rig.world.confirm_motion()
        begun = time.monotonic()
        if self.rig.driver.state().homed:
            return "homed already"
        self.rig.world.home()
        return f"done in {time.monotonic() - begun:.1f} s, at {_shown(self.rig.driver.state().positions)}"

    def _start(self) -> str:
        self._sequence = 0
        start = self._middle()
        seen = self.rig.world.reset(self._episode(start), 0)
        _require(seen.viewpoint.distance(start) <= self.rig.world.info.tolerance, f"reached {seen.viewpoint}")
        return f"at {_viewpoint(seen.viewpoint)}"

    def _pictures(self) -> str:
        camera, stamps = self.rig.camera, []
        stamp = max(self.rig.driver.clock.now(), camera.newest())
        begun = time.monotonic()
        for _ in range(10):
            stamp = camera.frame_after(stamp, self.rig.description.look.timeout).stamp
            stamps.append(stamp)
        rate = len(stamps) / (time.monotonic() - begun)
        _require(all(a < b for a, b in pairwise(stamps)), f"stamps do not increase: {stamps}")
        seen = self.rig.world.observe()
        return f"{rate:.0f} frames/s, mean grey {seen.rgb.mean():.0f}"

    def _joints(self) -> str:
        chain, worst = self.rig.description.chain, 0.0
        home = self._positions()
        for i, joint in enumerate(chain.joints):
            to_middle = 0.5 * (joint.lower + joint.upper) - home[i]
            reach = min(0.05 if joint.kind == "prismatic" else 0.2, 0.2 * (joint.upper - joint.lower))
            target = home.copy()
            target[i] += math.copysign(reach, to_middle or 1.0)
            for q in (target, home):
                expected = chain.viewpoint(q)
                result = self._send(expected)
                _require(result.status == Status.DONE, f"joint '{joint.name}': {result.reason}")
                missed = np.abs(self._positions() - inverse.solve(chain, expected, q)) / chain.resolution
                worst = max(worst, float(missed.max()))
                _require(missed.max() <= 1.0, f"joint '{joint.name}' ended {missed.max():.1f} steps off its target")
        return f"each went there and back; {worst:.2f} steps off at most"

    def _limits(self) -> str:
        limits, refused = self.rig.world.info.limits, 0
        here, before = self.rig.world.viewpoint, self._positions()
        targets = [replace(here, **{name: value}) for name in ("x", "yaw") for value in (math.nan, math.inf)]
        for name, low, high in zip("xyz", limits.bounds_min, limits.bounds_max, strict=True):
            targets += [replace(here, **{name: low - 0.01}), replace(here, **{name: high + 0.01})]
        targets += [replace(here, pitch=limits.pitch_max + 0.01), replace(here, pitch=limits.pitch_min - 0.01)]
        for target in targets:
            result = self._send(target)
            _require(result.status == Status.REJECTED, f"{target} was not refused but {result.status.name}")
            _require(result.reason, f"{target} was refused without a reason")
            refused += 1
        moved = np.abs(self._positions() - before) > self.rig.description.chain.resolution
        _require(not moved.any(), "the rig moved although every target was refused")
        return f"{refused} targets beyond a limit were refused, for instance: {result.reason}"

    def _boxes(self) -> str:
        boxes = self.rig.description.safety.boxes
        if not boxes:
            raise _SkipError("the rig's file names no forbidden box")
        words = []
        for box in boxes:
            target = self._inside(np.array(box.low), np.array(box.high))
            if target is None:
                words.append(f"'{box.name}' is out of reach")
                continue
            reason = self.rig.world.refusal(target)
            _require(reason is not None, f"the rig would enter the forbidden box '{box.name}'")
            words.append(f"'{box.name}': {reason}")
        return "; ".join(words)

    def _dry_run(self) -> str:
        before = self._positions()
        with self.rig.world.dry_run():
            result = self._send(self._turned())
        _require(result.status == Status.REJECTED and "dry run" in result.reason, f"it gave {result.status.name}")
        _require(np.array_equal(self._positions(), before), "the rig moved in a dry run")
        return result.reason

    def _stop(self) -> str:
        fastest = 0.0
        with self._long_move() as outcome:
            time.sleep(0.3)
            begun = time.monotonic()
            self.rig.world.stop("rig check")
            self._rest()
            fastest = time.monotonic() - begun
        _require(not outcome.done, "the motion went on to its end")
        allowed = max(j.speed / j.acceleration for j in self.rig.description.chain.joints) + _SLACK
        _require(fastest <= allowed, f"at rest only after {fastest:.2f} s; {allowed:.2f} s are allowed")
        latched = self._send(self._turned())
        _require(latched.status == Status.STOPPED, f"after the stop a command was {latched.status.name}")
        self._go_on()
        return f"at rest {fastest:.2f} s after the request; latched until cleared"

    def _queue(self) -> str:
        longest = getattr(self.rig.emulator or self.rig.driver, "longest_queue", None)
        if longest is None:
            raise _SkipError("this driver does not tell how much motion waits")
        _require(longest <= QUEUE, f"{longest * 1e3:.0f} ms of motion waited, {QUEUE * 1e3:.0f} ms are allowed")
        return f"at most {longest * 1e3:.0f} ms of motion waited in the controller: a dead host means a standing rig"

    def _heartbeat(self) -> str:
        allowed = self.rig.description.watchdog.heartbeat
        if allowed == 0:
            raise _SkipError("watchdog.heartbeat is 0, so nobody listens for one")
        self.rig.world.heartbeat()
        words = self._watched(allowed, "heartbeat")
        self._go_on()
        return words

    def _stale(self) -> str:
        inject = getattr(self.rig.camera, "inject", None)
        if inject is None:
            raise _SkipError("a real camera: cover this by unplugging it during a motion")
        with self._broken(lambda: inject("stale"), self.rig.camera.mend):  # type: ignore[attr-defined]
            words = self._watched(self.rig.description.watchdog.frame, "frame")
        self._go_on()
        return words

    def _link(self) -> str:
        emulator = self.rig.emulator
        if emulator is None or "unplug" not in emulator.faults:
            raise _SkipError("not emulated: cover this by unplugging the controller during a motion")
        with self._broken(lambda: emulator.inject("unplug"), emulator.mend), self._long_move() as outcome:
            pass
        _require(not outcome.done, "the motion ended as if nothing had happened")
        self._go_on()
        return f"{outcome.words}; went on after the link was back and the stop cleared"

    def _go_on(self) -> None:
        """Back to the start of the episode, as a person would go on after a stop."""
        self.rig.world.clear_stop()
        self._sequence = 0
        self.rig.world.reset(self._episode(self._middle()), 0)
        again = self._send(self._turned())
        _require(again.status == Status.DONE, f"after clearing the stop: {again.reason}")

    # Means ----------------------------------------------------------------------------------------------------------

    def _watched(self, allowed: float, kind: str) -> str:
        begun = time.monotonic()
        with self._long_move() as outcome:
            pass
        seconds = time.monotonic() - begun
        if outcome.done:
            if seconds < allowed + _SLACK:
                raise _SkipError(f"the longest motion takes {seconds:.1f} s, less than the {allowed:.1f} s allowed")
            raise _FailedError(f"the motion went on for {seconds:.1f} s although the {kind} was silent")
        _require(kind in outcome.words, f"it stopped for another reason: {outcome.words}")
        return outcome.words

    @contextmanager
    def _broken(self, breaks: Callable[[], None], mends: Callable[[], None]) -> Iterator[None]:
        """Breaks something a moment after the block has begun, and mends it afterwards."""
        timer = threading.Timer(0.3, breaks)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            mends()

    @contextmanager
    def _long_move(self) -> Iterator[_Outcome]:
        """The longest motion that is free, under way while the block runs; what became of it is known afterwards."""
        target, outcome = self._far(), _Outcome()
        thread = threading.Thread(target=self._try, args=(target, outcome), name="long move", daemon=True)
        thread.start()
        try:
            yield outcome
        finally:
            thread.join(self.rig.description.motion_timeout + 10.0)
        if thread.is_alive():
            raise _FailedError("the motion neither ended nor failed within its deadline")

    def _try(self, target: Viewpoint, outcome: _Outcome) -> None:
        try:
            result = self._send(target)
            outcome.done, outcome.words = result.status == Status.DONE, result.reason
        except WorldError as error:
            outcome.words = str(error)

    def _far(self) -> Viewpoint:
        """The free target, within one command's reach, that takes longest."""
        here, limits = self.rig.world.viewpoint, self.rig.world.info.limits
        best, longest = None, 0.0
        move, turn = min(limits.max_translation, 10.0), min(limits.max_rotation, 3.0)
        options = [replace(here, **{axis: getattr(here, axis) + s * move}) for axis in "xyz" for s in (1, -1)]
        options += [replace(here, yaw=here.yaw + s * turn) for s in (1, -1)]
        speeds = np.array([joint.speed for joint in self.rig.description.chain.joints])
        for target in options:
            if self.rig.world.refusal(target) is None:
                q = inverse.solve(self.rig.description.chain, target, self._positions())
                seconds = float(np.max(np.abs(q - self._positions()) / speeds))
                if seconds > longest:
                    best, longest = target, seconds
        if best is None:
            raise _FailedError("no motion is free from here; give the rig room")
        return best

    def _rest(self) -> None:
        ends = time.monotonic() + 10.0
        while self.rig.driver.state().moving:
            if time.monotonic() > ends:
                raise _FailedError("the rig did not come to rest within 10 s of the stop")
            time.sleep(_POLL)

    def _send(self, target: Viewpoint) -> StepResult:
        self._sequence += 1
        return self.rig.world.step(Command(target, "", None, _SOURCE, _SOURCE, self._sequence))

    def _turned(self) -> Viewpoint:
        here = self.rig.world.viewpoint
        for angle in (0.1, -0.1):
            if self.rig.world.refusal(replace(here, yaw=here.yaw + angle)) is None:
                return replace(here, yaw=here.yaw + angle)
        return here

    def _middle(self) -> Viewpoint:
        """The middle of the rig's space, or its parking position above it."""
        description = self.rig.description
        q = 0.5 * (description.chain.lower + description.chain.upper)
        for i, joint in enumerate(description.chain.joints):
            q[i] = description.safety.park.get(joint.name, q[i])
        return description.chain.viewpoint(q)

    def _inside(self, low: Matrix, high: Matrix) -> Viewpoint | None:
        """A viewpoint that the joints could take with the camera in a box, or None."""
        limits, here = self.rig.world.info.limits, self.rig.world.viewpoint
        point = np.clip(here.position, low, high)
        point = np.clip(point, limits.bounds_min, limits.bounds_max)
        if not ((point >= low) & (point <= high)).all():
            return None
        target = Viewpoint(*(float(value) for value in point), here.yaw, here.pitch)
        try:
            inverse.solve(self.rig.description.chain, target, self._positions())
        except UnreachableError:
            return None
        return target

    def _positions(self) -> Matrix:
        try:
            return self.rig.driver.state().positions
        except HardwareError as error:
            raise _FailedError(str(error)) from error

    def _episode(self, start: Viewpoint) -> Episode:
        question = Question("q1", "Look around.", Phase.EXPLORE.value)
        scene = self.scene or self.rig.description.scene
        return Episode(_SOURCE, "", scene, start, (question,), 10**6)


def _shown(q: Matrix) -> str:
    return "(" + ", ".join(f"{value:.3f}" for value in q) + ")"


def _viewpoint(v: Viewpoint) -> str:
    return f"({v.x:.3f}, {v.y:.3f}, {v.z:.3f}) m, yaw {v.yaw:.3f}, pitch {v.pitch:.3f} rad"
