"""What a renderer of Gaussian clouds takes and gives."""

from __future__ import annotations

from collections.abc import Sequence
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
        instances: (H, W) int32: the id with the largest summed weight, 0 where nothing (or nothing named) is seen;
            the smaller id of equals.
        classes: (H, W) int32: the class with the largest summed weight, in the same way; None unless asked for.
    """

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32]
    alpha: NDArray[np.float32]
    instances: NDArray[np.int32]
    classes: NDArray[np.int32] | None = None


@runtime_checkable
class Renderer(Protocol):
    """Draws clouds; usable from several threads at once.

    The rules are gsplat's: 0.3 pixels^2 are added to the diagonal of the projected covariance, alpha is capped at
    0.999, alpha below 1/255 is skipped, Gaussians are blended by the depth of their centres, ties by their index, and
    a pixel stops before its transmittance would fall to 1e-4 or less.
    """

    @property
    def name(self) -> str:
        """As in the setting ``world.renderer``."""
        ...

    def prepare(self, cloud: GaussianCloud) -> None:
        """Do now what the first rendering of a cloud would do."""
        ...

    def render(
        self,
        cloud: GaussianCloud,
        T_world_camera_optical: Matrix,
        intrinsics: Intrinsics,
        *,
        background: Rgb = BLACK,
        near: float = NEAR,
        far: float = FAR,
        classes: NDArray[np.int32] | None = None,
    ) -> RenderedView:
        """What a pinhole camera at a pose (4, 4) sees of a cloud in the world frame.

        ``background`` is in 0..1; Gaussians whose centres lie nearer than ``near`` or farther than ``far`` (m) along
        the optical axis are not drawn. ``classes`` (M,) is the class of each instance id, 0 for ids of M and more.
        """
        ...

    def render_batch(
        self,
        cloud: GaussianCloud,
        poses: Sequence[Matrix] | NDArray[np.float64],
        intrinsics: Intrinsics,
        *,
        background: Rgb = BLACK,
        near: float = NEAR,
        far: float = FAR,
        classes: NDArray[np.int32] | None = None,
    ) -> list[RenderedView]:
        """What cameras at several poses see; the same as ``render`` for one after the other."""
        ...

    def close(self) -> None:
        """Release threads and device memory; a later rendering takes them anew."""
        ...
