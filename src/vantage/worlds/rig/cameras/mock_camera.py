"""A camera for tests: a cheap picture from which the positions of the joints can be read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vantage.decoding import Section
from vantage.spatial import Intrinsics, Matrix
from vantage.worlds.rig.camera import Frame
from vantage.worlds.rig.cameras.periodic import PeriodicCamera
from vantage.worlds.rig.cameras.splat_camera import with_noise
from vantage.worlds.rig.clock import Clock
from vantage.worlds.rig.kinematics import Chain
from vantage.worlds.rig.parts import RigParts

_DARK, _BRIGHT = 60, 190
_FIELD_OF_VIEW = 1.2  # rad


class MockCamera(PeriodicCamera):
    """Draws one bar for each joint, from the left: its length is where the joint is between its limits.

    ``noise`` is a standard deviation, grey levels.
    """

    def __init__(
        self,
        clock: Clock,
        chain: Chain,
        positions: Callable[[], Matrix],
        width: int = 160,
        height: int = 120,
        fps: float = 30.0,
        latency: float = 0.0,
        noise: float = 2.0,
    ) -> None:
        super().__init__(clock, fps, latency)
        self._chain, self._positions, self._noise = chain, positions, noise
        self._intrinsics = Intrinsics.from_fov(width, height, _FIELD_OF_VIEW)

    @property
    def intrinsics(self) -> Intrinsics:
        """See ``Camera.intrinsics``."""
        return self._intrinsics

    @property
    def senses(self) -> frozenset[str]:
        """See ``Camera.senses``."""
        return frozenset({"rgb"})

    def _take(self, number: int, stamp: int) -> Frame:
        return Frame(
            stamp, with_noise(self._bars(np.asarray(self._positions(), dtype=np.float64)), self._noise, number)
        )

    def _bars(self, positions: Matrix) -> NDArray[np.uint8]:
        width, height, joints = self._intrinsics.width, self._intrinsics.height, self._chain.size
        shares = (positions - self._chain.lower) / (self._chain.upper - self._chain.lower)
        rows = np.arange(height) * joints // height
        bright = (np.arange(width) + 0.5)[None, :] < width * shares[rows][:, None]
        grey = np.where(bright, _BRIGHT, _DARK).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)


def read_positions(image: NDArray[np.uint8], chain: Chain) -> Matrix:
    """(N,): where the joints were when a ``MockCamera`` took a picture, to about a pixel of its width."""
    height, joints = image.shape[0], chain.size
    rows = np.arange(height) * joints // height
    bright = image.mean(axis=2) > 0.5 * (_DARK + _BRIGHT)
    shares = np.array([bright[rows == joint].mean() for joint in range(joints)])
    return np.asarray(chain.lower + shares * (chain.upper - chain.lower))


def make_mock(section: Section, parts: RigParts) -> MockCamera:
    """The factory behind the registered name ``mock``.

    Raises:
        ConfigError: a key is wrong.
    """
    width, height = section.whole("width", 160, 8, 8192), section.whole("height", 120, 8, 8192)
    noise = section.number("noise", 2.0, 0.0, 20.0)
    section.done()
    return MockCamera(parts.clock, parts.description.chain, parts.positions, width, height, noise=noise)
