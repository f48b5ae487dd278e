"""The components of a rig: arguments that factories of drivers, cameras and emulators are given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from vantage.config import Settings
from vantage.decoding import Section
from vantage.spatial import Matrix
from vantage.worlds.rig.camera import Camera
from vantage.worlds.rig.clock import Clock
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers import Driver


@dataclass(frozen=True, eq=False)
class RigParts:
    """The rig that a camera belongs to.

    Attributes:
        clock: of the rig; frames are stamped with it.
        positions: where the joints really are, (N,) m or rad; simulated cameras see from there.
    """

    settings: Settings
    description: RigDescription
    clock: Clock
    positions: Callable[[], Matrix]


class DriverFactory(Protocol):
    """Reads its section to the end (``section.done()``); the key ``name`` is read already. One that waits on any clock
    takes it as ``clock``."""

    def __call__(self, section: Section, description: RigDescription) -> Driver: ...


class CameraFactory(Protocol):
    """Reads its section to the end (``section.done()``); the key ``name`` is read already."""

    def __call__(self, section: Section, parts: RigParts) -> Camera: ...


class Emulator(ABC):
    """A controller of motors that runs here, in real time, with the faults that real ones have.

    Attributes:
        faults: names that ``inject`` takes.
    """

    faults: tuple[str, ...] = ()

    @property
    @abstractmethod
    def overrides(self) -> Mapping[str, Any]:
        """Keys of the driver's section that lead to this emulator, known once it is started."""

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def close(self) -> None:
        """Harmless when repeated."""

    @abstractmethod
    def positions(self) -> Matrix:
        """(N,): where the emulated joints really are now, m or rad; any thread."""

    @abstractmethod
    def inject(self, fault: str) -> None:
        """Break something from now on, by name.

        Raises:
            UnknownNameError: no such fault.
        """

    @abstractmethod
    def mend(self) -> None:
        """End every injected fault."""


class EmulatorFactory(Protocol):
    """One that waits on any clock takes it as ``clock``."""

    def __call__(self, description: RigDescription) -> Emulator: ...
