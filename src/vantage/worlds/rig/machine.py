"""The motors of a rig, perhaps an arm, and everything that keeps them safe. Knows nothing of pictures or worlds."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import numpy as np

from vantage.config import Settings
from vantage.errors import EpisodeError, HardwareError, StoppedError, UnreachableError, WorldError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Cause, Command, Event, Posture, Status
from vantage.worlds.events import EventLog
from vantage.worlds.limits import SafetyGate
from vantage.worlds.rig.camera import Camera
from vantage.worlds.rig.clock import VirtualClock
from vantage.worlds.rig.collision import load_room
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers import Driver
from vantage.worlds.rig.kinematics import JointSegment, Unwinding
from vantage.worlds.rig.rig_properties import links, motion_limits, tolerance
from vantage.worlds.rig.safety import EPISODE, RigSafety, Routes, Watchdog

if TYPE_CHECKING:
    from vantage.worlds.rig.arm import Arm


class RigMachine:
    """Moves, homes and stops; refuses what is not allowed. ``stop`` may be called from any thread at any time, motions
    only by whoever holds ``lock``.

    Attributes:
        lock: held during a motion, a picture and ``clear_stop``.
        safety: the checks of postures and ways; ``gate`` those of commands, which also latches stops.
        still_since: when the last motion ended, ns on the driver's clock.
        position_error: m, that the camera may miss a viewpoint by; 0 in simulated time.
        in_episode: whether an episode was begun and the rig has not been driven elsewhere since.

    Args:
        camera: opened and closed with the motors, and watched for frames that stay away.
        belongings: what ends with this machine besides, such as an emulator.
        confirmed: whether the first motion needs no person to allow it.
    """

    def __init__(
        self,
        description: RigDescription,
        driver: Driver,
        camera: Camera,
        settings: Settings,
        arm: Arm | None = None,
        belongings: ExitStack | None = None,
        confirmed: bool = True,
    ) -> None:
        self._description, self.driver, self._camera, self.arm = description, driver, camera, arm
        self._settings, self._belongings = settings, belongings or ExitStack()
        self.chain = description.chain
        self._log = EventLog(driver.clock.now)
        driver.notify = camera.notify = self.notice
        if arm is not None:
            arm.notify = self.notice
        rules = description.safety
        rooms = [load_room(settings, rules.room, description.path.parent)] if rules.room not in ("", EPISODE) else []
        self.in_episode = False
        self._deadline = min(description.motion_timeout, settings.run.step_timeout)  # s, of a command
        self._unwinding = Unwinding(
            self.chain.joints, settings.limits.max_rotation, settings.rig.unwind_speed, self._deadline
        )
        self.safety = RigSafety(self.chain, rules, self.positions, rooms, self._unwinding)
        self._routes = Routes(self.chain, self.safety, rules.park)
        acts = {"viewpoint"} | ({"arm"} if arm is not None else set())
        self.gate = SafetyGate(
            motion_limits(description, settings),
            frozenset(acts),
            checks=(self.safety,) if arm is None else (self.safety, arm),
            confirmed=confirmed,
            dry_run=settings.rig.dry_run,
            arm_parts=() if arm is None else arm.parts,
            now=driver.clock.now,
        )
        self._watchdog = Watchdog(
            description.watchdog,
            self.trip,
            frame_stamp=camera.newest,
            state_stamp=lambda: driver.state().stamp,
            clock=driver.clock,
        )
        self.lock = threading.RLock()
        self._closed = False
        self._stops = 0
        self.position_error = 0.0  # of simulated time
        self.still_since = -1

    def connect(self) -> None:
        """Open everything; nothing moves.

        Raises:
            HardwareError: something does not answer; what was opened is closed again.
        """
        with ExitStack() as opened:
            opened.enter_context(self.driver)
            opened.enter_context(self._camera)
            if self.arm is not None:
                opened.enter_context(self.arm)
            self.still_since = self.driver.clock.now()
            if self.real_time:
                self.position_error = tolerance(self.chain, self.positions())
                self._watchdog.start()
            opened.callback(self._watchdog.close)
            self._belongings.push(opened.pop_all())

    def stop(self, reason: str) -> None:
        """The motors brake at once, and nothing moves until ``clear_stop``."""
        self._stops += 1
        self.driver.stop()
        if self.arm is not None:
            self.arm.stop()
        self.gate.stop(reason)

    def clear_stop(self) -> None:
        """Let motion begin again.

        Raises:
            WorldError: what stopped it is not mended; the stop stays.
        """
        stops = self._stops  # before the wait for a motion, because a stop that comes meanwhile stays
        with self.lock:
            self.check_open()
            if self.real_time and not self._watchdog.awake:
                raise WorldError("the stop stays: the watchdog has ended; close this rig and make a new one")
            try:
                self.driver.clear()
                if self.arm is not None:
                    self.arm.clear()
            except HardwareError as error:
                raise WorldError(f"the stop stays: {error}") from error
            self.gate.clear_stop()
            if self._stops != stops:  # nothing could begin to move since then
                self.gate.stop("another stop came while one was being cleared")
                raise WorldError("the stop stays: another one came while it was being cleared; clear it again")
            self._watchdog.rearm()

    def close(self) -> None:
        """Stop, and let go of everything; harmless when repeated."""
        self.stop("the rig is closing")
        with self.lock:
            self._closed = True
            self._belongings.close()

    # Supervised -----------------------------------------------------------------------------------------------------

    @property
    def real_time(self) -> bool:
        return not isinstance(self.driver.clock, VirtualClock)

    @property
    def trouble(self) -> str:
        if self._closed:
            return "closed"
        stopped = self.gate.stop_reason
        if stopped is not None:
            return f"stopped: {stopped}"
        try:
            state = self.driver.state()
        except HardwareError as error:
            return str(error)
        if state.fault:
            return state.fault
        return "" if self.gate.confirmed else "the first motion must be confirmed by a person"

    def events(self, since: int) -> Sequence[Event]:
        return self._log.since(since)

    def heartbeat(self) -> None:
        self._watchdog.heartbeat()

    def confirm_motion(self) -> None:
        self.gate.confirm()

    # For people at the rig ------------------------------------------------------------------------------------------

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the camera is.

        Raises:
            HardwareError: not connected.
        """
        return self.chain.viewpoint(self.positions())

    def refusal(self, target: Viewpoint) -> str | None:
        """Why the camera could not go straight to a viewpoint now, in words, or None; nothing moves.

        Raises:
            HardwareError: not connected.
        """
        return self.gate.reset_violation(self.viewpoint, target)

    def unwinds(self, q: Matrix) -> bool:
        """Whether one command may go to joint positions (N,) only if it allows an unwind.

        Raises:
            HardwareError: not connected.
        """
        return self._unwinding.needed(self.positions(), q)

    def may_stand(self, q: Matrix) -> bool:
        """Whether nothing is wrong with joint positions (N,)."""
        return self.safety.posture_violation(q) is None

    def positions_at(self, target: Viewpoint) -> Matrix:
        """Joint positions (N,) that put the camera at a viewpoint.

        Raises:
            WorldError: there are none, or a limit forbids it.
        """
        violation = self.gate.limits.pose_violation(target)
        try:
            q = self.safety.target_positions(target)
        except (UnreachableError, HardwareError) as error:
            raise WorldError(f"the camera cannot go there: {error}") from error
        if violation is not None:
            raise WorldError(f"the camera cannot go there: {violation}")
        return q

    @contextmanager
    def dry_run(self) -> Iterator[None]:
        """Every motion is checked and then refused while the block runs."""
        before, self.gate.dry_run = self.gate.dry_run, True
        try:
            yield
        finally:
            self.gate.dry_run = before

    def home(self) -> None:
        """Find the reference position.

        Raises:
            WorldError: refused, stopped or failed; the message says which.
        """
        with self.lock:
            self.check_open()
            try:
                self._home("homing")
            except EpisodeError as error:
                raise WorldError(str(error)) from error
            except HardwareError as error:
                raise self.failed("homing", error) from error

    # Motion ---------------------------------------------------------------------------------------------------------

    def carry_out(self, command: Command) -> tuple[Status, str, Cause]:
        """Do a command of the episode, if it is admitted. Hardware that fails is stopped, and the reason says why."""
        self._watchdog.command()
        try:
            return self._admitted(command)
        except StoppedError as error:
            reason = f"stopped: {self.gate.stop_reason or error}; clear the stop first"
        except HardwareError as error:
            reason = str(self.failed(f"command {command.sequence}", error))
        self.gate.stop_told()
        return Status.STOPPED, reason, Cause.NONE

    def _admitted(self, command: Command) -> tuple[Status, str, Cause]:
        refusal = self.gate.admit(command, self.viewpoint)
        if refusal is not None:
            return refusal.status, refusal.reason, refusal.cause
        if command.arm is not None and self.arm is not None:
            with self._motion():
                self.arm.move(command.arm, self._deadline)
        if command.target is not None:
            begun, left = self.driver.clock.now(), self._deadline
            for leg in self.safety.way(command.target):
                self._drive(leg, left)
                left = max(0.0, self._deadline - 1e-9 * (self.driver.clock.now() - begun))
        return Status.DONE, "", Cause.NONE

    def _drive(self, leg: JointSegment, timeout: float) -> None:
        """Along the straight line in joint space that was checked."""
        if np.all(np.abs(leg.target - self.positions()) < 0.5 * self.chain.resolution):
            return
        with self._motion():
            self.driver.move(leg.target, timeout, leg.turning)

    @contextmanager
    def _motion(self) -> Iterator[None]:
        """A motion is on while the block runs; however it ends, it ends at rest."""
        try:
            with self._watchdog.motion():
                yield
        finally:
            self.still_since = self.driver.clock.now()

    def home_where_due(self, what: str) -> bool:
        """Home a rig that does not know its position, for the sake of something named in words; whether it was due.

        Raises:
            EpisodeError: refused.
            StoppedError, HardwareError: see ``Driver.home``.
        """
        if self._homed:
            return False
        self._home(what)
        return True

    def _home(self, what: str) -> None:
        if self.gate.dry_run:
            raise EpisodeError(f"{what}: the rig must be homed first, which a dry run does not do; home it without")
        refusal = self.gate.motion_refusal()
        if refusal is not None:
            raise EpisodeError(f"{what}: the rig must be homed first, and {refusal}")
        self.leave_episode()
        try:  # without the watchdog: plain Grbl says nothing while it homes, and the drivers have deadlines
            self.driver.home(self._description.motion_timeout)
            if self.arm is not None:
                self.arm.home(self._description.motion_timeout)
        finally:
            self.still_since = self.driver.clock.now()

    def drive_by_route(self, target: Matrix, what: str, allow_unwind: bool = True) -> None:
        """Straight to joint positions (N,), or around what is in the way; an unwind is slow.

        Args:
            what: is done, in words, for the refusal.

        Raises:
            EpisodeError: refused, or there is no way.
            StoppedError, HardwareError: see ``Driver.move``.
        """
        if np.all(np.abs(target - self.positions()) <= self.chain.resolution):
            return
        start = self.positions()
        way, reason = self._routes.find(start, target)
        if reason:
            raise EpisodeError(f"{what}: {reason}; choose another target")
        legs, reason = self._unwinding.to_place(start, way, allow_unwind, self._description.motion_timeout)
        if reason:
            raise EpisodeError(f"{what}: {reason}")
        refusal = self.gate.motion_refusal()  # last, because a dry run says that all else is fine
        if refusal is not None:
            raise EpisodeError(f"{what}: {refusal}")
        self.leave_episode()
        for leg in legs:
            self._drive(leg, self._description.motion_timeout)

    def begin_episode(self, episode_id: str, restored: bool = False) -> None:
        """The rig stands at the start of an episode, whose commands are admitted from now on.

        Args:
            restored: it went back there for another phase of the episode that runs.

        Raises:
            EpisodeError: it is restored, and another episode, or none, is running.
        """
        self.safety.forget_depth()
        self.gate.begin(episode_id, restored)
        self._watchdog.begin()
        self.in_episode = True

    def leave_episode(self) -> None:
        """The rig is about to go elsewhere than an episode has led it; its commands are refused from now on."""
        self.in_episode = False
        self._watchdog.end()

    def positions(self) -> Matrix:
        """(N,) of the rig's joints now, m or rad.

        Raises:
            HardwareError: not connected.
        """
        return self.driver.state().positions

    @property
    def _homed(self) -> bool:
        drivers = (self.driver, *(self.arm.drivers if self.arm is not None else ()))
        return all(driver.state().homed for driver in drivers)

    def posture(self, q: Matrix) -> Posture:
        """How the rig stands at joint positions (N,), its arm as it is now."""
        joints = {joint.name: float(value) for joint, value in zip(self.chain.joints, q, strict=True)}
        parts = links(self.chain, q)
        if self.arm is not None:
            joints |= self.arm.joints()
            parts += self.arm.links()
        return Posture(joints, tuple(parts))

    # Events and failures ----------------------------------------------------------------------------------------------

    def notice(self, kind: str, sentence: str, fatal: bool = False) -> None:
        """Record an event."""
        self._log.add(kind, sentence, fatal=fatal)

    def trip(self, kind: str, sentence: str) -> None:
        """Record a fatal event and stop because of it."""
        self._log.add(kind, sentence, fatal=True)
        self.stop(sentence)

    def failed(self, what: str, error: HardwareError) -> WorldError:
        """Latch a stop because of a failure and say so."""
        self.trip("fault", str(error))
        return WorldError(f"{what} failed and the rig was stopped: {error}")

    def check_open(self) -> None:
        """See that the rig was not closed.

        Raises:
            WorldError: it was.
        """
        if self._closed:
            raise WorldError("this rig is closed; make a new one")
