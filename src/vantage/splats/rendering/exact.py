"""Pictures as the references give them, not quantised and with every vote, and how well a renderer agrees with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.splats.rendering.renderer import RenderedView

Image = NDArray[np.float64]


@dataclass(frozen=True)
class ExactView:
    """What a reference sees.

    Attributes:
        rgb: (H, W, 3), 0 for black and 1 for white, not clipped.
        depth: (H, W), weighted mean of z in the optical frame, m; NaN where nothing is seen.
        alpha: (H, W), 0..1.
        votes: (H, W) summed weights of each instance id.
    """

    rgb: Image
    depth: Image
    alpha: Image
    votes: Mapping[int, Image] = field(default_factory=dict)

    def rgb8(self) -> NDArray[np.uint8]:
        """(H, W, 3), rounded as renderers do."""
        return np.floor(np.clip(self.rgb, 0, 1) * 255 + 0.5).astype(np.uint8)

    def instances(self) -> NDArray[np.int32]:
        """(H, W): the id with the most votes, the smaller of equals; 0 where there are none."""
        return _elected(self.votes, self.alpha.shape)

    def classes(self, table: NDArray[np.int32]) -> NDArray[np.int32]:
        """(H, W): the same for classes, where ``table`` (M,) holds the class of each id and others have class 0."""
        summed: dict[int, Image] = {}
        for name, votes in self.votes.items():
            kind = int(table[name]) if 0 <= name < len(table) else 0
            summed[kind] = summed[kind] + votes if kind in summed else votes
        return _elected(summed, self.alpha.shape)


def _elected(votes: Mapping[int, Image], shape: tuple[int, ...]) -> NDArray[np.int32]:
    if not votes:
        return np.zeros(shape, np.int32)
    names = np.array(sorted(votes))
    planes = np.stack([votes[int(name)] for name in names])
    return np.where(planes.max(axis=0) > 0, names[planes.argmax(axis=0)], 0).astype(np.int32)


def psnr(image: Any, reference: Any, peak: float = 255.0) -> float:
    """Peak signal-to-noise ratio of two images with values in 0..peak, dB; infinite where they are equal."""
    error = float(np.mean((np.asarray(image, np.float64) - np.asarray(reference, np.float64)) ** 2))
    return float("inf") if error == 0 else 10 * float(np.log10(peak**2 / error))


@dataclass(frozen=True)
class Agreement:
    """How near a renderer comes to a reference.

    Attributes:
        psnr_db: of the 8-bit images.
        same_values: share of equal 8-bit values.
        depth_p999: 99.9th percentile of the difference in depth where both see something, m; 0 where neither does.
        same_seen: share of pixels in which both see something or neither does.
        same_instances: share of pixels with the id of the exact vote.
    """

    psnr_db: float
    same_values: float
    depth_p999: float
    same_seen: float
    same_instances: float


def agreement(view: RenderedView, exact: ExactView) -> Agreement:
    """Compare two views of one camera."""
    both = np.isfinite(view.depth) & np.isfinite(exact.depth)
    gaps = np.abs(view.depth.astype(np.float64) - exact.depth)[both]
    return Agreement(
        psnr(view.rgb, exact.rgb8()),
        float((view.rgb == exact.rgb8()).mean()),
        float(np.quantile(gaps, 0.999)) if gaps.size else 0.0,
        float((np.isfinite(view.depth) == np.isfinite(exact.depth)).mean()),
        float((view.instances == exact.instances()).mean()),
    )
