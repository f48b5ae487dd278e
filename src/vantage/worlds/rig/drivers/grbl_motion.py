"""One motion: its lines are sent as the controller uses them up, and its reports are compared with what is due."""

from __future__ import annotations

import math
import time

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.drivers.grbl_axes import Axes
from vantage.worlds.rig.drivers.grbl_controller import ANSWER
from vantage.worlds.rig.drivers.grbl_machine import Machine
from vantage.worlds.rig.drivers.grbl_stream import BRAKE, Feed, Piece, pieces
from vantage.worlds.rig.kinematics.trajectory import plan

_IDLE = 4  # reports in a row: Grbl may say Idle once just before it starts with a line that it has taken
_QUIET = 0.5 * ANSWER  # s without a report: then not one answer was lost, but all
_EXACT = 0.6  # steps: rounding alone; more may mean that a last piece is still to come


class Motion:
    """One motion from rest at ``start`` to rest at ``target``, both (N,); ``step`` does whatever is due.

    Args:
        following: as for ``Feed``.
        turning: rad/s that no joint that turns exceeds.

    Attributes:
        done: it is at rest at the target.
    """

    def __init__(
        self,
        machine: Machine,
        axes: Axes,
        start: Matrix,
        target: Matrix,
        following: float,
        turning: float = math.inf,
    ) -> None:
        self._machine, self._axes, self._target = machine, axes, target
        profile = plan(start, target, axes.joints, BRAKE, turning)
        self._feed = Feed(profile, axes.resolution, following, machine.capacity)
        self._pieces = pieces(profile, machine.braking)
        self._next: Piece | None = next(self._pieces)
        self._open: Piece | None = None
        self._since = 0.0  # monotonic s: when a piece was sent or taken last
        self._seen = machine.seen
        self._idle = 0
        self.done = False

    def step(self) -> float:
        """Send what may be sent and look at what came, in the link's thread; returns the most s until the next call.
        What is wrong becomes a fault of the machine.
        """
        machine = self._machine
        if self._over():
            return math.inf
        if machine.seen != self._seen:
            self._look()
        now = time.monotonic()
        if self._open is not None and not machine.pending:
            self._feed.taken(self._open, now)
            self._open, self._since = None, now
        if self._over() or (self._open is None and self._next is None):
            return math.inf
        if self._open is not None:
            if now - self._since > ANSWER and now - machine.seen > _QUIET:
                machine.fall_silent()
            elif now - self._since > ANSWER:
                self._fail("acknowledgement", "a line stays without an answer: acknowledgement lost; check the cable")
            return max(0.0, self._since + ANSWER - now)
        pause = self._feed.pause(self._next, now) if self._next is not None else math.inf
        if pause > 0.0:
            return pause
        return self._send(now)

    def _over(self) -> bool:
        return self.done or self._machine.braked or bool(self._machine.fault)

    def _send(self, now: float) -> float:
        piece = self._next
        assert piece is not None
        self._feed.send(piece, now)
        self._open, self._since, self._next = piece, now, next(self._pieces, None)
        self._machine.post(f"G21G90G93G53G1{self._axes.words(piece.goal)}F{piece.rate:.3f}")
        return ANSWER

    def _look(self) -> None:
        """At a new report."""
        machine = self._machine
        report, self._seen = machine.report, machine.seen
        if report is None or report.position is None or self._over():
            return
        if report.state not in ("Run", "Idle"):
            self._fail("state", f"the controller went into state {report.state} during a motion; see to it, then clear")
            return
        positions = self._axes.positions(report.position)
        astray = self._feed.see(positions, report.blocks, self._seen)
        if astray is not None:
            joint = self._axes.joints[astray]
            self._fail(
                "following",
                f"is axis {self._axes.letters[astray]} stuck? Joint '{joint.name}' is at {positions[astray]:.5f} "
                f"{joint.unit}, which is not on its way; free it, then clear",
            )
        elif self._open is None and self._next is None and machine.reported > self._since:
            self._arrive(positions, report.state == "Idle")

    def _arrive(self, positions: Matrix, idle: bool) -> None:
        """Where everything was taken, it must come to rest at the target."""
        off = np.abs(positions - self._target) / self._axes.tolerance
        self._idle = self._idle + 1 if idle else 0
        if (self._idle and np.all(off <= _EXACT)) or (self._idle >= _IDLE and np.all(off <= 1.0)):
            self.done = True
            with self._machine.news:
                self._machine.news.notify_all()
        elif self._idle >= _IDLE:
            worst = int(np.argmax(off))
            joint = self._axes.joints[worst]
            self._fail(
                "missed",
                f"joint '{joint.name}' came to rest at {positions[worst]:.6f} {joint.unit} instead of "
                f"{self._target[worst]:.6f}; look what is in its way, then clear and home",
            )

    def _fail(self, kind: str, sentence: str) -> None:
        self._machine.fail(kind, sentence)
