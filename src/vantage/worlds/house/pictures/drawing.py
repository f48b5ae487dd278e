"""Pictures of a house for a world, drawn in one thread of their own and within a deadline."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from vantage.errors import WorldError
from vantage.spatial import Intrinsics, Matrix
from vantage.worlds.house.bodies import HouseModel
from vantage.worlds.house.pictures.artist import Artist

if TYPE_CHECKING:
    import mujoco

    from vantage.worlds.house.pictures.cameras import HouseCamera

T = TypeVar("T")

_PATIENCE = 120.0  # s for a picture: with the first of a home all its textures are loaded
_CLOSING = 20.0  # s


@dataclass(frozen=True, eq=False)
class Picture:
    """What a camera sees; depth and ids (h, w) may be smaller than color (H, W, 3), or None where nobody wants them."""

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32] | None = None
    ids: NDArray[np.int32] | None = None


def smaller(camera: Intrinsics, width: int, height: int) -> Intrinsics:
    """The same view with so many pixels, or those of the camera where that has fewer."""
    width, height = min(width, camera.width), min(height, camera.height)
    across, down = width / camera.width, height / camera.height
    return Intrinsics(width, height, camera.fx * across, camera.fy * down, camera.cx * across, camera.cy * down)


class Pictures:
    """Draws one house; the OpenGL context is made with the first picture.

    Args:
        color, small: cameras of color, and of depth and ids; None for color alone.
    """

    def __init__(self, house: HouseModel, color: Intrinsics, small: Intrinsics | None) -> None:
        self._house, self._color, self._small = house, color, small
        self._artist: Artist | None = None
        self._camera: HouseCamera | None = None

    def take(self, data: mujoco.MjData, T_world_camera_optical: Matrix, ceilings: bool = True) -> Picture:
        """What the camera sees at a pose (4, 4); read-only.

        Raises:
            WorldError, UsageError: there is nothing to draw with, and the packages that bring it are named; or the
                picture takes too long.
        """

        def draw() -> Picture:
            if self._camera is None:
                from vantage.worlds.house.pictures.cameras import HouseCamera

                self._camera = HouseCamera(self._house, self._color, self._small)
            self._camera.shows_ceilings = ceilings
            rgb = self._camera.color_image(data, T_world_camera_optical)
            if self._small is None:
                return Picture(rgb)
            return Picture(rgb, *self._camera.depth_and_ids(data, T_world_camera_optical))

        picture = self._drawn(draw, _PATIENCE)
        for image in (picture.rgb, picture.depth, picture.ids):
            if image is not None:
                image.setflags(write=False)
        return picture

    def close(self) -> None:
        """Give the context back; one in which something hangs is left alone."""
        if self._artist is not None:
            if self._camera is not None:
                with suppress(WorldError):
                    self._drawn(self._camera.close, _CLOSING)
            self._artist.end(_CLOSING)
            self._artist = self._camera = None

    def _drawn(self, work: Callable[[], T], seconds: float) -> T:
        if self._artist is None:
            self._artist = Artist()
        return self._artist.do(work, seconds)
