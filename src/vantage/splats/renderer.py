"""What a renderer of Gaussian clouds takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Intrinsics, Matrix
from vantage.splats.cloud import GaussianCloud

Rgb = tuple[float, float, float]

BLACK: Rgb = (0.0, 0.0, 0.0)
NEAR = 0.01
FAR = 1000.0


@dataclass(frozen=True)
class RenderedView:
    """Images of one camera, all of its height H and width W.

    Attributes:
        rgb: (H, W, 3) uint8.
        depth: (H, W) float32: weighted mean of z in the optical frame, m; NaN where nothing is seen.
        alpha: (H, W) float32, 0..1: how much of the background is covered.
        instances: (H, W) int32: the id with the largest summed weight, 0 where nothing (or nothing named) is seen.
    """

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32]
    alpha: NDArray[np.float32]
    instances: NDArray[np.int32]


@runtime_checkable
class Renderer(Protocol):
    """Draws clouds; usable from several threads at once."""

    def render(
        self,
        cloud: GaussianCloud,
        T_world_camera_optical: Matrix,
        intrinsics: Intrinsics,
        *,
        background: Rgb = BLACK,
        near: float = NEAR,
        far: float = FAR,
    ) -> RenderedView:
        """What a pinhole camera at a pose (4, 4) sees of a cloud in the world frame.

        ``background`` is in 0..1; Gaussians whose centres lie nearer than ``near`` or farther than ``far`` (m) along
        the optical axis are not drawn.
        """
        ...
