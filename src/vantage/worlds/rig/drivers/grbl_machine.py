"""A Grbl controller whose axes are the joints of a rig: met when it is opened, mended when something went wrong."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from vantage.errors import HardwareError
from vantage.spatial import Matrix
from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.drivers.grbl_axes import Axes
from vantage.worlds.rig.drivers.grbl_controller import Controller
from vantage.worlds.rig.drivers.grbl_settings import introduce

_RETRY = 0.2  # s between attempts to open a port that is away


class Machine(Controller):
    """See ``Controller``.

    Attributes:
        joint_axes: which axis moves which joint.
        braking: (N,) how hard it accelerates, m/s^2 or rad/s^2; ``capacity`` of its planner, blocks; known once met.
    """

    def __init__(
        self, port: str, baud: int, axes: Axes, now: Callable[[], int], notify: Callable[[str, str], None]
    ) -> None:
        super().__init__(port, baud, now, notify)
        self.joint_axes = axes
        self.braking, self.capacity = np.array([joint.acceleration for joint in axes.joints]), 0

    @property
    def positions(self) -> Matrix:
        """(N,) m or rad, of the newest report.

        Raises:
            HardwareError: there was none.
        """
        if self.place is None:
            raise HardwareError(f"the controller on {self.port} has not told its position; connect it first")
        return self.joint_axes.positions(self.place)

    def meet(self, timeout: float, trusted: bool) -> None:
        """Open it; its position counts as known if it says that it is homed, or, where ``trusted``, if it is idle, but
        never if it has just started.

        Raises:
            HardwareError: it cannot be opened or does not fit.
        """
        self.axes = 0
        restarted = self.open(timeout)
        self.homed = False
        self._greet(timeout)
        self.homed = (trusted or bool(self.told_homed)) and self._calm and not restarted

    def mend(self, end: float) -> None:
        """Back to rest with nothing left to do, until ``end`` (monotonic s); a lost link is opened again.

        Raises:
            HardwareError: it stays as it is.
        """
        if self.link.alive:
            self.settle(max(1.0, end - time.monotonic()))
        else:
            self._reopen(end)
        if self.homed and not self._calm:
            self.ask("$X")
            self.fresh(self.silence)
        if self.fault:
            raise HardwareError(self.fault)

    @property
    def _calm(self) -> bool:
        return self.report is not None and self.report.state == "Idle"

    def _reopen(self, end: float) -> None:
        """The position is still known if the controller went on without a restart and is about where it was."""
        before, trusted = self.positions, self.homed
        self.link.close()
        while True:
            try:
                restarted = self.open(max(_RETRY, end - time.monotonic()))
                break
            except HardwareError:
                if time.monotonic() + _RETRY > end:
                    raise
                time.sleep(_RETRY)
        self._greet(max(1.0, end - time.monotonic()))
        far = np.array([joint.speed for joint in self.joint_axes.joints]) * QUEUE + self.joint_axes.tolerance
        near = bool(np.all(np.abs(self.positions - before) <= far))
        self.homed = trusted and self.homed and near and self._calm and not restarted

    def _greet(self, timeout: float) -> None:
        """Bring what was just opened to rest and see whether it fits; closed again where it does not."""
        try:
            self.capacity = self.settle(timeout).blocks
            self.braking = self.joint_axes.braking(introduce(self, self.joint_axes))
        except HardwareError:
            self.link.close()
            raise
