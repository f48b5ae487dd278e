"""One motion: its lines are sent as the controller uses them up, and its reports are compared with what is due."""

from __future__ import annotations

import time

import numpy as np

from vantage.errors import HardwareError
from vantage.spatial import Matrix
from vantage.worlds.rig.drivers.grbl_axes import Axes
from vantage.worlds.rig.drivers.grbl_controller import ANSWER, Controller, Watch
from vantage.worlds.rig.drivers.grbl_dialect import FEED_100
from vantage.worlds.rig.drivers.grbl_stream import BRAKE, Feed, pieces
from vantage.worlds.rig.trajectory import plan

_IDLE = 4  # reports in a row: Grbl may say Idle once just before it starts with a line that it has taken
_EXACT = 0.6  # steps: rounding alone; more may mean that a last piece is still to come
_REPORT = 2.0  # s


class Motion:
    """A motion that waits to be run.

    Args:
        capacity: blocks that the controller's planner holds.
        braking: as for ``pieces``.
        following: s by which reported positions may be late.
        ended: raises what ends the motion early.
    """

    def __init__(
        self, controller: Controller, axes: Axes, capacity: int, braking: Matrix, following: float, ended: Watch
    ) -> None:
        self._controller, self._axes, self._capacity = controller, axes, capacity
        self._braking, self._following, self._ended = braking, following, ended
        self._feed: Feed | None = None
        self._seen = controller.seen

    def run(self, start: Matrix, target: Matrix) -> None:
        """From rest at ``start`` to rest at ``target``, both (N,).

        Raises:
            HardwareError: something went wrong and may still move.
        """
        controller = self._controller
        profile = plan(start, target, self._axes.joints, BRAKE)
        feed = self._feed = Feed(profile, self._axes.resolution, self._following, self._capacity)
        if controller.feed != 100:
            controller.link.write(FEED_100)
        for piece in pieces(profile, self._braking):
            while (pause := feed.pause(piece, time.monotonic())) > 0.0:
                controller.wait(self._reported, pause, self._watch)
            feed.send(piece, time.monotonic())
            controller.post(f"G21G90G93G53G1{self._axes.words(piece.goal)}F{piece.rate:.3f}")
            if not controller.answered(ANSWER, self._watch):
                self._fail("acknowledgement", "a line stays without an answer: acknowledgement lost; check the cable")
            feed.taken(piece, time.monotonic())
        self._arrive(target)

    def _arrive(self, goal: Matrix) -> None:
        """Wait until it is at rest, which must be there."""
        idle = 0
        while idle < _IDLE:
            report = self._controller.fresh(_REPORT, self._watch)
            if report is None or report.position is None:
                self._fail("silent", "the controller does not tell where the motion ended; check its power and cable")
                return
            positions = self._axes.positions(report.position)
            off = np.abs(positions - goal) / self._axes.tolerance
            idle = idle + 1 if report.state == "Idle" else 0
            if idle and np.all(off <= _EXACT):
                return
        if np.any(off > 1.0):
            worst = int(np.argmax(off))
            joint = self._axes.joints[worst]
            self._fail(
                "missed",
                f"joint '{joint.name}' came to rest at {positions[worst]:.6f} {joint.unit} instead of "
                f"{goal[worst]:.6f}; look what is in its way, then clear and home",
            )

    def _reported(self) -> bool:
        return self._controller.seen != self._seen

    def _watch(self) -> None:
        self._ended()
        if self._reported():
            self._look()

    def _look(self) -> None:
        """At a new report."""
        controller = self._controller
        with controller.news:
            report, self._seen = controller.report, controller.seen
        if report is None or report.position is None:
            return
        if report.state not in ("Run", "Idle"):
            self._fail("state", f"the controller went into state {report.state} during a motion; see to it, then clear")
        positions = self._axes.positions(report.position)
        astray = self._feed.see(positions, report.blocks, self._seen) if self._feed is not None else None
        if astray is not None:
            joint = self._axes.joints[astray]
            self._fail(
                "following",
                f"is axis {self._axes.letters[astray]} stuck? Joint '{joint.name}' is at {positions[astray]:.5f} "
                f"{joint.unit}, which is not on its way; free it, then clear",
            )

    def _fail(self, kind: str, sentence: str) -> None:
        self._controller.fail(kind, sentence)
        raise HardwareError(self._controller.fault)
