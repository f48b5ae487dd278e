"""What moves the joints of a rig: one small protocol for controllers of any kind."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

from vantage.spatial import Matrix
from vantage.worlds.rig.clock import Clock
from vantage.worlds.rig.kinematics import Joint

QUEUE = 0.2  # s: the longest motion that may wait in a controller, so that a dead host means a standing rig

_Driver = TypeVar("_Driver", bound="Driver")


@dataclass(frozen=True, eq=False)
class DriverState:
    """What a controller says about itself.

    Attributes:
        stamp: when it was so, ns on the driver's clock.
        positions: (N,) m or rad, in the order of the joints.
        moving: whether any joint moves or has motion waiting.
        homed: whether the positions can be trusted.
        held: a stop is in force; motion is refused until ``clear``.
        fault: what is wrong, in words; empty when nothing is. A fault also refuses motion until ``clear``.
    """

    stamp: int
    positions: Matrix
    moving: bool = False
    homed: bool = True
    held: bool = False
    fault: str = ""


class Driver(ABC):
    """One controller. Methods may be called from any thread; ``move``, ``home`` and ``clear`` one at a time.

    ``notify`` is called, from any thread and at most once for each event, with a kind (one short word such as
    ``link``, ``alarm``, ``garbage``) and a sentence about everything that went wrong or was mended, so that nothing
    goes on in silence. It must not call back.
    """

    joints: tuple[Joint, ...]
    clock: Clock
    notify: Callable[[str, str], None] = staticmethod(lambda kind, sentence: None)

    @abstractmethod
    def connect(self) -> None:
        """Open the link and learn the controller's state; nothing moves.

        Raises:
            HardwareError: nothing answers, no permission, another kind of controller, or another one uses it.
        """

    @abstractmethod
    def home(self, timeout: float) -> None:
        """Find the reference position; afterwards ``state().homed`` holds.

        Raises:
            StoppedError: stopped meanwhile.
            HardwareError: it failed or took longer than ``timeout`` s; the motion was stopped.
        """

    @abstractmethod
    def move(self, target: Matrix, timeout: float, turning: float = math.inf) -> DriverState:
        """Go straight in joint space to ``target`` (N,), all joints in step, within each joint's speed and
        acceleration; returns when at rest there.

        Args:
            turning: rad/s, positive, that no joint that turns may exceed.

        Raises:
            StoppedError: a stop is in force or was requested meanwhile; at rest when raised.
            HardwareError: not homed, a fault, a place missed by more than a joint's resolution, or longer than
                ``timeout`` s; the motion was stopped.
        """

    @abstractmethod
    def state(self) -> DriverState:
        """The newest state; never waits longer than 0.5 s.

        Raises:
            HardwareError: not connected.
        """

    @abstractmethod
    def stop(self) -> None:
        """Brake at once, whatever goes on, and refuse motion until ``clear``; never raises, never waits for rest."""

    @abstractmethod
    def clear(self, timeout: float = 10.0) -> None:
        """End a stop or mend a fault as far as possible, reopening a lost link; nothing moves.

        Raises:
            HardwareError: it cannot be mended from here; says what a person has to do.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop what moves and let go; harmless when repeated."""

    def __enter__(self: _Driver) -> _Driver:
        self.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
