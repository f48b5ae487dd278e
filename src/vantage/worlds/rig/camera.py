"""What a rig sees with: one small protocol for cameras of any kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Intrinsics
from vantage.types import InstanceLabel
from vantage.worlds.rig.clock import Clock

_Camera = TypeVar("_Camera", bound="Camera")


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture, free of lens distortion.

    Attributes:
        stamp: when its exposure began, as well as that is known; ns on the rig's clock, increasing.
        rgb: (H, W, 3) uint8.
        depth: (H, W) float32, m along the optical axis, NaN where nothing is seen; None without a depth sensor.
        instances, legend: (H, W) int32 and what the ids stand for; only from simulated cameras.
    """

    stamp: int
    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32] | None = None
    instances: NDArray[np.int32] | None = None
    legend: Mapping[int, InstanceLabel] | None = None


class Camera(ABC):
    """One camera. ``frame_after`` and ``newest`` may be called from any thread."""

    clock: Clock
    notify: Callable[[str, str], None] = staticmethod(lambda kind, sentence: None)

    @property
    @abstractmethod
    def intrinsics(self) -> Intrinsics:
        """Of every frame; known once opened."""

    @property
    @abstractmethod
    def senses(self) -> frozenset[str]:
        """Of ``rgb``, ``depth``, ``instances``."""

    @abstractmethod
    def open(self) -> None:
        """Start the stream.

        Raises:
            HardwareError: it is missing, used by another program, not permitted, or sends nothing within 5 s.
        """

    @abstractmethod
    def frame_after(self, stamp: int, timeout: float) -> Frame:
        """The first frame whose exposure began after ``stamp`` ns.

        Raises:
            HardwareError: none came within ``timeout`` s, or the camera went away.
        """

    @abstractmethod
    def newest(self) -> int:
        """Stamp of the newest frame that came, ns; -1 before the first.

        Raises:
            HardwareError: the camera went away, and why.
        """

    @abstractmethod
    def close(self) -> None:
        """Harmless when repeated."""

    def __enter__(self: _Camera) -> _Camera:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
