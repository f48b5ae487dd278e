"""The moving half of a rig: motors, perhaps an arm, and everything that keeps them safe."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import numpy as np

from vantage.config import Settings
from vantage.errors import EpisodeError, HardwareError, UnreachableError, WorldError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Cause, Command, Event, Posture, Status
from vantage.worlds.events import EventLog
from vantage.worlds.limits import SafetyGate
from vantage.worlds.rig.camera import Camera
from vantage.worlds.rig.clock import VirtualClock
from vantage.worlds.rig.collision.collision_map import load_room
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers.driver import Driver
from vantage.worlds.rig.figures import links, motion_limits, tolerance
from vantage.worlds.rig.kinematics.unwinding import Leg, Unwinding
from vantage.worlds.rig.safety.motion_checks import EPISODE, RigSafety
from vantage.worlds.rig.safety.routes import Routes
from vantage.worlds.rig.safety.watchdog import Watchdog

if TYPE_CHECKING:
    from vantage.worlds.rig.arm import Arm


class RigMachine:
    """Moves, homes and stops; refuses what must not be. ``stop`` may be called from any thread at any time.

    Args:
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
        self._description, self._driver, self._camera, self._arm = description, driver, camera, arm
        self._settings, self._belongings = settings, belongings or ExitStack()
        self._chain = description.chain
        self._log = EventLog(driver.clock.now)
        driver.notify = camera.notify = self._notice
        if arm is not None:
            arm.notify = self._notice
        rules = description.safety
        rooms = [load_room(settings, rules.room)] if rules.room not in ("", EPISODE) else []
        self._deadline = min(description.motion_timeout, settings.run.step_timeout)  # s; nobody waits longer
        self._unwinding = Unwinding(
            self._chain.joints, settings.limits.max_rotation, settings.rig.unwind_speed, self._deadline
        )
        self._safety = RigSafety(self._chain, rules, self._positions, rooms, self._unwinding)
        self._routes = Routes(self._chain, self._safety, rules.park)
        acts = {"viewpoint"} | ({"arm"} if arm is not None else set())
        self._gate = SafetyGate(
            motion_limits(description, settings),
            frozenset(acts),
            checks=(self._safety,) if arm is None else (self._safety, arm),
            confirmed=confirmed,
            dry_run=settings.rig.dry_run,
        )
        self._watchdog = Watchdog(
            description.watchdog,
            self._trip,
            frame_stamp=camera.newest,
            state_stamp=lambda: driver.state().stamp,
            now=driver.clock.now,
        )
        self._lock = threading.RLock()
        self._closed = False
        self._stops = 0
        self._tolerance = 0.0  # of simulated time
        self._still_since = -1

    def connect(self) -> None:
        """Open everything; nothing moves.

        Raises:
            HardwareError: something does not answer; what was opened is closed again.
        """
        with ExitStack() as opened:
            opened.enter_context(self._driver)
            opened.enter_context(self._camera)
            if self._arm is not None:
                opened.enter_context(self._arm)
            self._still_since = self._driver.clock.now()
            if self.real_time:
                self._tolerance = tolerance(self._chain, self._positions())
                self._watchdog.start()
            opened.callback(self._watchdog.close)
            self._belongings.push(opened.pop_all())

    def stop(self, reason: str) -> None:
        """The motors brake at once, whoever asks, and nothing moves until ``clear_stop``."""
        self._stops += 1
        self._driver.stop()
        if self._arm is not None:
            self._arm.stop()
        self._gate.stop(reason)

    def clear_stop(self) -> None:
        """Let motion begin again.

        Raises:
            WorldError: what stopped it is not mended; the stop stays.
        """
        stops = self._stops  # before the wait for a motion, because a stop that comes meanwhile stays
        with self._lock:
            self._check_open()
            if self.real_time and not self._watchdog.awake:
                raise WorldError("the stop stays: the watchdog has ended; close this rig and make a new one")
            try:
                self._driver.clear()
                if self._arm is not None:
                    self._arm.clear()
            except HardwareError as error:
                raise WorldError(f"the stop stays: {error}") from error
            self._gate.clear_stop()
            if self._stops != stops:  # nothing could begin to move since then
                self._gate.stop("another stop came while one was being cleared")
                raise WorldError("the stop stays: another one came while it was being cleared; clear it again")
            self._watchdog.rearm()

    def close(self) -> None:
        """Stop, and let go of everything; harmless when repeated."""
        self.stop("the rig is closing")
        with self._lock:
            self._closed = True
            self._belongings.close()

    # Supervised -----------------------------------------------------------------------------------------------------

    @property
    def real_time(self) -> bool:
        return not isinstance(self._driver.clock, VirtualClock)

    @property
    def trouble(self) -> str:
        if self._closed:
            return "closed"
        stopped = self._gate.stop_reason
        if stopped is not None:
            return f"stopped: {stopped}"
        try:
            state = self._driver.state()
        except HardwareError as error:
            return str(error)
        if state.fault:
            return state.fault
        return "" if self._gate.confirmed else "the first motion must be confirmed by a person"

    def events(self, since: int) -> Sequence[Event]:
        return self._log.since(since)

    def heartbeat(self) -> None:
        self._watchdog.heartbeat()

    def confirm_motion(self) -> None:
        self._gate.confirm()

    # For people at the rig ------------------------------------------------------------------------------------------

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the camera is.

        Raises:
            HardwareError: not connected.
        """
        return self._chain.viewpoint(self._positions())

    def refusal(self, target: Viewpoint) -> str | None:
        """Why the camera could not go straight to a viewpoint now, in words, or None; nothing moves.

        Raises:
            HardwareError: not connected.
        """
        return self._gate.reset_violation(self.viewpoint, target)

    def unwinds(self, q: Matrix) -> bool:
        """Whether one command may go to joint positions (N,) only if it allows an unwind.

        Raises:
            HardwareError: not connected.
        """
        return self._unwinding.needed(self._positions(), q)

    def may_stand(self, q: Matrix) -> bool:
        """Whether nothing is wrong with joint positions (N,)."""
        return self._safety.posture_violation(q) is None

    def positions_at(self, target: Viewpoint) -> Matrix:
        """Joint positions (N,) that put the camera at a viewpoint.

        Raises:
            WorldError: there are none, or a limit forbids it.
        """
        violation = self._gate.limits.pose_violation(target)
        try:
            q = self._safety.target_positions(target)
        except (UnreachableError, HardwareError) as error:
            raise WorldError(f"the camera cannot go there: {error}") from error
        if violation is not None:
            raise WorldError(f"the camera cannot go there: {violation}")
        return q

    @contextmanager
    def dry_run(self) -> Iterator[None]:
        """Every motion is checked and then refused while the block runs."""
        before, self._gate.dry_run = self._gate.dry_run, True
        try:
            yield
        finally:
            self._gate.dry_run = before

    def home(self) -> None:
        """Find the reference position.

        Raises:
            WorldError: refused, stopped or failed; the message says which.
        """
        with self._lock:
            self._check_open()
            try:
                self._home("homing")
            except EpisodeError as error:
                raise WorldError(str(error)) from error
            except HardwareError as error:
                raise self._failed("homing", error) from error

    # Motion ---------------------------------------------------------------------------------------------------------

    def _carry_out(self, command: Command) -> tuple[Status, str, Cause]:
        refusal = self._gate.admit(command, self.viewpoint)
        if refusal is not None:
            return refusal.status, refusal.reason, refusal.cause
        if command.arm is not None and self._arm is not None:
            with self._motion():
                self._arm.move(command.arm, self._deadline)
        if command.target is not None:
            begun, left = self._driver.clock.now(), self._deadline
            for leg in self._safety.way(command.target):
                self._drive(leg, left)
                left = max(0.0, self._deadline - 1e-9 * (self._driver.clock.now() - begun))
        return Status.DONE, "", Cause.NONE

    def _drive(self, leg: Leg, timeout: float) -> None:
        """Along the straight line in joint space that was checked."""
        if np.all(np.abs(leg.target - self._positions()) < 0.5 * self._chain.resolution):
            return
        with self._motion():
            self._driver.move(leg.target, timeout, leg.turning)

    @contextmanager
    def _motion(self) -> Iterator[None]:
        """A motion is on while the block runs; however it ends, it ends at rest."""
        try:
            with self._watchdog.motion():
                yield
        finally:
            self._still_since = self._driver.clock.now()

    def _home(self, what: str) -> None:
        if self._gate.dry_run:
            raise EpisodeError(f"{what}: the rig must be homed first, which a dry run does not do; home it without")
        refusal = self._gate.motion_refusal()
        if refusal is not None:
            raise EpisodeError(f"{what}: the rig must be homed first, and {refusal}")
        self._leave_episode()
        try:  # without the watchdog: plain Grbl says nothing while it homes, and the drivers have deadlines
            self._driver.home(self._description.motion_timeout)
            if self._arm is not None:
                self._arm.home(self._description.motion_timeout)
        finally:
            self._still_since = self._driver.clock.now()

    def _drive_by_route(self, target: Matrix, what: str, allow_unwind: bool = True) -> None:
        """Straight, or around what is in the way; an unwind is slow."""
        if np.all(np.abs(target - self._positions()) <= self._chain.resolution):
            return
        start = self._positions()
        way, reason = self._routes.find(start, target)
        if reason:
            raise EpisodeError(f"{what}: {reason}; choose another target")
        legs, reason = self._unwinding.to_place(start, way, allow_unwind, self._description.motion_timeout)
        if reason:
            raise EpisodeError(f"{what}: {reason}")
        refusal = self._gate.motion_refusal()  # last, because a dry run says that all else is fine
        if refusal is not None:
            raise EpisodeError(f"{what}: {refusal}")
        self._leave_episode()
        for leg in legs:
            self._drive(leg, self._description.motion_timeout)

    def _leave_episode(self) -> None:
        """The rig is about to go elsewhere than an episode has led it."""
        self._watchdog.end()

    def _positions(self) -> Matrix:
        return self._driver.state().positions

    @property
    def _homed(self) -> bool:
        drivers = (self._driver, *(self._arm.drivers if self._arm is not None else ()))
        return all(driver.state().homed for driver in drivers)

    def _posture(self, q: Matrix) -> Posture:
        joints = {joint.name: float(value) for joint, value in zip(self._chain.joints, q, strict=True)}
        parts = links(self._chain, q)
        if self._arm is not None:
            joints |= self._arm.joints()
            parts += self._arm.links()
        return Posture(joints, tuple(parts))

    # Trouble --------------------------------------------------------------------------------------------------------

    def _notice(self, kind: str, sentence: str) -> None:
        self._log.add(kind, sentence)

    def _trip(self, kind: str, sentence: str) -> None:
        """Stop by itself."""
        self._log.add(kind, sentence, fatal=True)
        self.stop(sentence)

    def _failed(self, what: str, error: HardwareError) -> WorldError:
        """Latch a stop because of a failure and say so."""
        self._trip("fault", str(error))
        return WorldError(f"{what} failed and the rig was stopped: {error}")

    def _check_open(self) -> None:
        if self._closed:
            raise WorldError("this rig is closed; make a new one")
