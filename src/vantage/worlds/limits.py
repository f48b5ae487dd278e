"""The safety gate of every motion, whatever its source: lease, order of commands, limits and a latched stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from vantage.errors import EpisodeError
from vantage.spatial import Viewpoint
from vantage.types import ArmTarget, Cause, Command, Status
from vantage.worlds.arm_targets import ARM_PARTS, MOTION_PARTS, parts_in_words, parts_violation, unreadable
from vantage.worlds.motion_limits import MotionLimits as MotionLimits
from vantage.worlds.warrant_book import Touched, WarrantBook
from vantage.worlds.warrants import Warrant, WarrantFault

UNCONFIRMED = (
    "the first motion after connecting must be confirmed by a person: call the service confirm_motion or run "
    "vantage rig goto"
)
DRY_RUN = "dry run: all checks passed; nothing moved"


@dataclass(frozen=True)
class Refusal:
    """A command that will not be carried out, and why; ``cause`` is of a rejected one."""

    status: Status
    reason: str
    cause: Cause = Cause.NONE


@runtime_checkable
class MotionCheck(Protocol):
    """Looks at every motion of the camera before it begins."""

    def violation(self, current: Viewpoint, target: Viewpoint, allow_unwind: bool = False) -> str | None:
        """Why the motion is not allowed, in words, or None.

        Args:
            allow_unwind: whether a joint may turn further than one command may otherwise take it.
        """
        ...


@runtime_checkable
class ArmCheck(Protocol):
    """Looks at every motion of an arm before it begins."""

    def arm_violation(self, target: ArmTarget) -> str | None:
        """Why the motion is not allowed, in words, or None."""
        ...


Check = MotionCheck | ArmCheck


class SafetyGate:
    """Admits or refuses commands. Thread-safe; a stop is latched until it is cleared.

    No stop in an episode goes unnoticed by whoever commands: one that was cleared before the next command came refuses
    that command all the same, unless the command that it ended has told of it (``stop_told``).

    The first source that commands after a reset holds the lease until the next reset, unless that is one for another
    phase of the running episode. A command that passes lease and
    order uses up its sequence number, whatever becomes of it. What is wrong with a motion is told before that a dry
    run moves nothing, and that before a missing confirmation.

    No arm does anything without a warrant (``vantage.worlds.warrants``), and there is no option that lets it. Warrants
    end with the episode; a command that is admitted uses up one of those that its warrant allows.
    """

    def __init__(
        self,
        limits: MotionLimits,
        acts: frozenset[str] = frozenset({"viewpoint"}),
        checks: Sequence[Check] = (),
        confirmed: bool = True,
        dry_run: bool = False,
        arm_parts: Iterable[str] = MOTION_PARTS,
        now: Callable[[], int] | None = None,
        touched: Touched = lambda target: (),
    ) -> None:
        """A gate.

        Args:
            checks: what a world knows about its motions beyond the limits, asked in this order.
            confirmed: whether motion needs no ``confirm`` first.
            dry_run: whether every motion is checked and then refused.
            arm_parts: of ``ARM_PARTS``, those that the arm takes, where there is one.
            now: the world's clock, ns, which gives observations their stamps; where there is an arm it is needed.
            touched: the names of each thing that a command of the arm is going to touch, as far as the world knows;
                asked where a warrant names things.

        Raises:
            ValueError: there is an arm and no clock, so that no warrant would ever end.
        """
        if now is None and "arm" in acts:
            raise ValueError("the gate of an arm has no clock to tell when warrants end; give the world's as 'now'")
        self.limits = limits
        self.dry_run = dry_run
        self._acts = acts
        self._arm_parts = frozenset(arm_parts)
        self._lock = threading.Lock()
        self._checks = tuple(checks)
        self._confirmed = confirmed
        self._stop_reason: str | None = None
        self._untold = ""  # why it was stopped in this episode, until a result says so
        self._told = 0  # number of the command before which a result said so
        self._episode_id: str | None = None
        self._holder: str | None = None
        self._expected = 1
        self._warrants = WarrantBook()
        self._now, self._touched = now or (lambda: 0), touched

    @property
    def acts(self) -> frozenset[str]:
        """Of ``viewpoint`` and ``arm``, what is admitted."""
        return self._acts

    def offer(self, acts: Iterable[str], arm_parts: Iterable[str]) -> None:
        """Admit other things from now on, as in another scene; see ``__init__``."""
        with self._lock:
            self._acts, self._arm_parts = frozenset(acts), frozenset(arm_parts)

    @property
    def stop_reason(self) -> str | None:
        """Why motion is stopped, or None."""
        with self._lock:
            return self._stop_reason

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks that every motion must pass; may be exchanged at any time."""
        with self._lock:
            return self._checks

    @checks.setter
    def checks(self, checks: Sequence[Check]) -> None:
        with self._lock:
            self._checks = tuple(checks)

    @property
    def confirmed(self) -> bool:
        """Whether a person has allowed motion since connecting."""
        with self._lock:
            return self._confirmed

    def confirm(self) -> None:
        """A person allows motion."""
        with self._lock:
            self._confirmed = True

    def begin(self, episode_id: str, restored: bool = False) -> None:
        """Start an episode: nobody holds the lease, the next sequence number is 1.

        Args:
            restored: the world was put back for another phase of the episode that runs: lease and numbers run on.

        Raises:
            EpisodeError: it is restored, and another episode, or none, is running.
        """
        with self._lock:
            if restored:
                self._require_running(episode_id)
                return
            self._warrants.clear()
            self._episode_id, self._holder, self._expected = episode_id, None, 1
            self._untold, self._told = "", 0

    def require(self, episode_id: str, restored: bool) -> None:
        """What ``begin`` would refuse; for worlds to ask before anything moves.

        Raises:
            EpisodeError: as ``begin``.
        """
        with self._lock:
            if restored:
                self._require_running(episode_id)

    def _require_running(self, episode_id: str) -> None:
        if self._episode_id != episode_id:
            running = "no episode" if self._episode_id is None else f"'{self._episode_id}'"
            raise EpisodeError(
                f"no phase of episode '{episode_id}' can begin with the world restored, because {running} is running; "
                f"begin with its first phase"
            )

    def stop(self, reason: str) -> None:
        """Latch a stop; the first reason is kept."""
        with self._lock:
            if self._stop_reason is None:
                self._stop_reason = reason or "stop requested"
                self._untold = self._stop_reason if self._episode_id is not None else ""

    def clear_stop(self) -> None:
        with self._lock:
            self._stop_reason = None

    def stop_told(self) -> None:
        """The result of a command that a stop ended says so, even before the stop is latched; the next one need not."""
        with self._lock:
            self._told = self._expected

    @property
    def faults(self) -> Mapping[WarrantFault, int]:
        """How many warrants and commands of the arm were refused for want of one, by the reason."""
        return self._warrants.faults

    def grant(self, warrant: Warrant) -> None:
        """See ``World.grant``."""
        now = self._now()
        with self._lock:
            self._warrants.grant(warrant, self._episode_id, self._holder, now)

    def warrants(self) -> list[tuple[Warrant, int]]:
        """Those that may still be used, and how many commands each of them still allows."""
        return self._warrants.active(self._now())

    def holding_refusal(self, names: Iterable[str], source: str) -> str | None:
        """Why the hand may not keep what the last command took into it, in words, or None.

        Args:
            names: of that thing.
        """
        return self._warrants.holding_refusal(frozenset(names), source, self._now())

    def admit(self, command: Command, current: Viewpoint) -> Refusal | None:
        """None when the command may be carried out from ``current``."""
        with self._lock:
            refusal = self._out_of_turn(command)
            if refusal is not None:
                return refusal
            told = self._told == self._expected
            self._holder = command.source
            self._expected += 1
            untold, self._untold = self._untold, ""
            if self._stop_reason is not None:
                return Refusal(Status.STOPPED, f"stopped: {self._stop_reason}; clear the stop first")
            if untold and not told:
                return Refusal(Status.STOPPED, f"stopped: {untold}; the stop was cleared before this command came")
        return (
            self._unfit(command)
            or self._unwarranted(command)
            or self._violation(command, current)
            or self._withholding()
            or self._unwarranted(command, use=True)
        )

    def reset_violation(self, current: Viewpoint, target: Viewpoint) -> str | None:
        """Why the camera may not move straight to an episode's start, in words, or None.

        The same as for a command, but lease and order do not count, nor how far one command may go.
        """
        reason = self._stopped() or self.limits.pose_violation(target) or self._checked(current, target, True)
        return reason or self._withheld()

    def motion_refusal(self) -> str | None:
        """Why nothing may move at all, in words, or None: for motions that no viewpoint describes, such as homing."""
        return self._stopped() or self._withheld()

    def _unfit(self, command: Command) -> Refusal | None:
        """Whether a command holds no target that this world could go to, wherever it is."""
        if command.arm is None:
            return None if command.target else Refusal(Status.REJECTED, "the command holds no target", Cause.TARGET)
        if "arm" not in self._acts:
            return Refusal(Status.REJECTED, "this world has no arm", Cause.CAPABILITY)
        reason = parts_violation(command.arm, self._arm_parts)
        if reason is not None:
            return Refusal(Status.REJECTED, reason, Cause.TARGET)
        [given] = (name for name in ARM_PARTS if getattr(command.arm, name) is not None)
        if given not in self._arm_parts:
            reason = f"this arm takes {' or '.join(parts_in_words(self._arm_parts))}, not {ARM_PARTS[given]}"
            return Refusal(Status.REJECTED, reason, Cause.CAPABILITY)
        reason = unreadable(command.arm)
        return None if reason is None else Refusal(Status.REJECTED, reason, Cause.TARGET)

    def _unwarranted(self, command: Command, use: bool = False) -> Refusal | None:
        if command.arm is None:
            return None
        reason = self._warrants.refusal(command.arm, command.source, self._now(), self._touched, use)
        return None if reason is None else Refusal(Status.REJECTED, reason, Cause.UNWARRANTED)

    def _violation(self, command: Command, current: Viewpoint) -> Refusal | None:
        reason = None
        if command.target is not None:
            reason = self.limits.violation(current, command.target)
            if reason is not None:
                return Refusal(Status.REJECTED, reason, Cause.LIMIT)
            reason = self._checked(current, command.target, command.allow_unwind)
        if command.arm is not None:
            for check in self.checks:
                if reason is None and isinstance(check, ArmCheck):
                    reason = check.arm_violation(command.arm)
        return None if reason is None else Refusal(Status.REJECTED, reason, Cause.CHECK)

    def _checked(self, current: Viewpoint, target: Viewpoint, allow_unwind: bool) -> str | None:
        motions = (check for check in self.checks if isinstance(check, MotionCheck))
        reasons = (check.violation(current, target, allow_unwind) for check in motions)
        return next((reason for reason in reasons if reason is not None), None)

    def _stopped(self) -> str | None:
        reason = self.stop_reason
        return None if reason is None else f"stopped: {reason}; clear the stop first"

    def _withheld(self) -> str | None:
        """Why even a motion that nothing is wrong with may not begin."""
        if self.dry_run:
            return DRY_RUN
        return None if self.confirmed else UNCONFIRMED

    def _withholding(self) -> Refusal | None:
        reason = self._withheld()
        if reason is None:
            return None
        return Refusal(Status.REJECTED, reason, Cause.CAPABILITY if self.dry_run else Cause.UNCONFIRMED)

    def _out_of_turn(self, command: Command) -> Refusal | None:
        if self._episode_id is None:
            return Refusal(Status.REJECTED, "no episode is running; reset the world first", Cause.EPISODE)
        if command.episode_id != self._episode_id:
            reason = f"the command is for episode '{command.episode_id}', running is '{self._episode_id}'"
            return Refusal(Status.REJECTED, reason, Cause.EPISODE)
        if self._holder is not None and command.source != self._holder:
            reason = f"source '{command.source}' does not hold the lease; '{self._holder}' does"
            return Refusal(Status.REJECTED, reason, Cause.LEASE)
        if command.sequence != self._expected:
            reason = f"out of sequence: expected command {self._expected}, got {command.sequence}"
            return Refusal(Status.REJECTED, reason, Cause.ORDER)
        return None
