"""A controller that speaks the Grbl 1.1 dialect on a pseudo-terminal, in real time, with the faults of real ones.

Machine coordinates are joint positions in mm and degrees, less ``driver.zeros``. An axis homes at its upper end where
it lifts the camera, else at its lower one ($23), and stands at that end of its travel when done; the switch is 1 mm or
degree beyond. Soft limits ($20, $130) hold for homed axes. A feed hold does nothing while homing; only a reset ends
that. In a hold and in the door state no line is read, as in Grbl. What grblHAL adds to Grbl and is here too: reports
while homing and in every alarm, ``H:`` with the work offset and after changes, ``$HX``, ``[AXS:``, the mask $10, and
the byte 0x87 for a full report. Arcs and probing are answered with error:20; lines hold at most 79 characters without
blanks and comments.

Without hardware: ``python -m vantage.worlds.rig.emulators.grbl [--rig FILE]`` prints the port to open.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import signal
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vantage.errors import HardwareError, UnknownNameError, VantageError
from vantage.registry import did_you_mean
from vantage.spatial import Matrix
from vantage.worlds.rig.clock import Clock, SystemClock
from vantage.worlds.rig.description import RigDescription, load_rig, rig_file
from vantage.worlds.rig.emulators.grbl.axes import Axis, axes_of
from vantage.worlds.rig.emulators.grbl.controller import BLOCKS, Controller
from vantage.worlds.rig.emulators.grbl.replies import REPLY_FAULTS, Alarm
from vantage.worlds.rig.emulators.pty_link import PtyLink
from vantage.worlds.rig.parts import Emulator

_CLOSING = 5.0  # s


class GrblEmulator(Emulator):
    """One controller on one port. Its times are monotonic s of its clock.

    Args:
        seed: of what is random in its faults.
        blocks: that its planner holds.
        firmware: what it says that it is: ``Grbl`` or ``grblHAL``.
        clock: the system's where None.
    """

    faults = ("unplug", *REPLY_FAULTS, "stuck_axis", "reset", "alarm", "door")

    def __init__(
        self,
        axes: Sequence[Axis],
        seed: int = 0,
        blocks: int = BLOCKS,
        firmware: str = "Grbl",
        clock: Clock | None = None,
    ) -> None:
        self._clock = clock or SystemClock()
        self._axes = tuple(axes)
        self._moved = sorted((axis.joint, i) for i, axis in enumerate(axes) if axis.joint is not None)
        self._scale = np.array([axes[i].scale for _, i in self._moved])
        self._zeros = np.array([axes[i].zero for _, i in self._moved])
        self._controller = Controller(axes, self._clock.monotonic(), seed, blocks, firmware)
        self._lock = threading.Lock()
        self._link: PtyLink | None = None
        self._thread: threading.Thread | None = None
        self._closing = False

    @property
    def overrides(self) -> Mapping[str, Any]:
        if self._link is None:
            raise HardwareError("the emulated controller has no port yet; start it first")
        return {"port": str(self._link.path)}

    def start(self) -> None:
        """Switch it on; harmless when it is on."""
        if self._thread is None:
            self._closing = False
            self._link = PtyLink(clock=self._clock)
            self._thread = threading.Thread(target=self._serve, args=(self._link,), name="grbl emulator", daemon=True)
            self._thread.start()

    def close(self) -> None:
        if self._thread is None or self._link is None:
            return
        self._closing = True
        self._link.wake()
        self._thread.join(_CLOSING)
        self._link.close()
        self._thread = self._link = None

    def positions(self) -> Matrix:
        with self._lock:
            self._controller.advance(self._clock.monotonic())
            return self._places(self._controller.motion.mechanism.true)

    def inject(self, fault: str) -> None:
        if fault not in self.faults:
            raise UnknownNameError(f"unknown fault '{fault}' of the emulator{did_you_mean(fault, list(self.faults))}")
        if fault == "unplug":
            _ = self.overrides["port"]
            self._plug(False)
            return
        with self._lock:
            controller = self._controller
            controller.advance(self._clock.monotonic())
            if fault in REPLY_FAULTS:
                controller.replies.inject(fault)
            elif fault == "stuck_axis":
                controller.motion.stick()
            elif fault == "reset":
                controller.power_up()
            elif fault == "alarm":
                controller.raise_alarm(Alarm.HARD_LIMIT)
            else:
                controller.open_door()
        self._wake()

    def mend(self) -> None:
        with self._lock:
            self._controller.advance(self._clock.monotonic())
            self._controller.replies.mend()
            self._controller.motion.free()
            self._controller.door_open = False
        self._plug(True)

    @property
    def state(self) -> str:
        """As the controller reports it, for instance ``Hold:0``."""
        with self._lock:
            self._controller.advance(self._clock.monotonic())
            return self._controller.state

    @property
    def velocities(self) -> Matrix:
        """(N,): commanded speeds of the joints now, m/s or rad/s."""
        with self._lock:
            self._controller.advance(self._clock.monotonic())
            return self._lengths(self._controller.motion.rates())

    @property
    def extremes(self) -> tuple[Matrix, Matrix]:
        """(N,), (N,): the least and most that each joint ever reached, homing aside; m or rad."""
        with self._lock:
            self._controller.advance(self._clock.monotonic())
            mechanism = self._controller.motion.mechanism
            return self._places(mechanism.least), self._places(mechanism.most)

    @property
    def longest_queue(self) -> float:
        """The most s that motion would ever have gone on for, had the host fallen silent."""
        with self._lock:
            return self._controller.motion.longest_queue

    @property
    def rest_times(self) -> tuple[float, ...]:
        """When motions came to rest, the newest ones."""
        with self._lock:
            self._controller.advance(self._clock.monotonic())
            return tuple(self._controller.motion.rest_times)

    def received(self, byte: bytes) -> tuple[float, ...]:
        """When a real-time byte such as ``b"!"`` came, the newest ones."""
        with self._lock:
            return tuple(self._controller.received[byte[0]])

    def _lengths(self, values: Sequence[float]) -> Matrix:
        """(N,) m or rad, from one number an axis."""
        return np.asarray(np.array([values[i] for _, i in self._moved]) / self._scale)

    def _places(self, values: Sequence[float]) -> Matrix:
        return np.asarray(self._lengths(values) + self._zeros)

    def _plug(self, connected: bool) -> None:
        if self._link is not None and not self._link.plug(connected):
            raise HardwareError("the emulated controller does not serve its port any more; close it and start another")

    def _wake(self) -> None:
        if self._link is not None:
            self._link.wake()

    def _serve(self, link: PtyLink) -> None:
        controller = self._controller
        while not self._closing:
            with self._lock:
                now = self._clock.monotonic()
                controller.advance(now)
                data = controller.replies.take(now)
                due = min(controller.next_event(), controller.replies.due)
            received = link.exchange(data, None if math.isinf(due) else max(0.0, due - now))
            if received:
                with self._lock:  # in a busy process, reading may take longer than the byte took to come
                    controller.receive(received[:1], link.ready)
                    controller.receive(received[1:], self._clock.monotonic())


def make_grbl_emulator(description: RigDescription, clock: Clock | None = None) -> GrblEmulator:
    """The emulator behind the registered name ``grbl``: axes as in the rig's chain and ``driver.axes``.

    Raises:
        ConfigError: the section lacks the letters of the axes.
    """
    return GrblEmulator(axes_of(description), clock=clock)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve one controller until a signal ends it."""
    parser = argparse.ArgumentParser(prog="python -m vantage.worlds.rig.emulators.grbl", description=__doc__)
    parser.add_argument("--rig", default="", help="rig file or the name of one; default: the one in config/rig.yaml")
    chosen = parser.parse_args(arguments)
    try:
        emulator = make_grbl_emulator(load_rig(rig_file(chosen.rig)))
    except VantageError as error:
        parser.error(str(error))
    ends = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)  # a handler could come amid any wait, while this holds its lock
    with contextlib.closing(emulator):
        emulator.start()
        print(emulator.overrides["port"], flush=True)
        signal.sigwait(ends)
    return 0
