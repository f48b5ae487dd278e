"""How alike two pictures are: PSNR and SSIM, and what a difference in exposure alone would explain."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.splats.rendering import psnr

Picture = NDArray[np.uint8]

SMALLEST = _WINDOW = 11  # px of one side
_SIGMA = 1.5  # px
_C1, _C2 = (0.01 * 255.0) ** 2, (0.03 * 255.0) ** 2
_FLAT = 1.0  # variance of values below which a gain cannot be told


@dataclass(frozen=True)
class ImageSimilarity:
    """Two pictures of one size.

    Attributes:
        psnr: over all channels, dB; infinite for equal pictures.
        ssim: of the grey pictures, 1 for equal ones.
    """

    psnr: float
    ssim: float


def likeness(one: Picture, other: Picture) -> ImageSimilarity:
    """Of two RGB pictures (H, W, 3)."""
    return ImageSimilarity(psnr(one, other), ssim(one, other))


def ssim(one: Picture, other: Picture) -> float:
    """Mean structural similarity of the grey values of two RGB pictures (H, W, 3), with the window and constants of
    Wang et al. 2004; windows that would reach over the rim are left out.

    Raises:
        ValueError: the pictures differ in size or are smaller than a window.
    """
    if one.shape != other.shape or min(one.shape[:2]) < _WINDOW:
        raise ValueError(f"pictures of shapes {one.shape} and {other.shape} cannot be compared")
    a, b = (cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float64) for picture in (one, other))
    mean_a, mean_b = _smooth(a), _smooth(b)
    variance_a, variance_b = _smooth(a * a) - mean_a**2, _smooth(b * b) - mean_b**2
    covariance = _smooth(a * b) - mean_a * mean_b
    above = (2 * mean_a * mean_b + _C1) * (2 * covariance + _C2)
    below = (mean_a**2 + mean_b**2 + _C1) * (variance_a + variance_b + _C2)
    rim = _WINDOW // 2
    return float((above / below)[rim:-rim, rim:-rim].mean())


def _smooth(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.GaussianBlur(values, (_WINDOW, _WINDOW), _SIGMA), np.float64)


@dataclass(frozen=True)
class Exposure:
    """How bright pictures are beside others: gain and bias of red, green and blue."""

    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def apply(self, picture: Picture) -> Picture:
        """The RGB picture (H, W, 3) as the others would show it."""
        return np.asarray(np.clip(np.rint(picture * np.array(self.gain) + self.bias), 0, 255), np.uint8)


class ExposureFit:
    """The exposure that makes pictures most like others, in the sense of least squares over all pairs that were added.
    Values at the ends of the scale, where a sensor saturates, are left out."""

    def __init__(self) -> None:
        self._sums = np.zeros((5, 3))

    def add(self, picture: Picture, wanted: Picture) -> None:
        """One pair of RGB pictures (H, W, 3)."""
        for channel in range(3):
            x, y = picture[..., channel], wanted[..., channel]
            inside = (x > 0) & (x < 255) & (y > 0) & (y < 255)
            u, v = x[inside].astype(np.float64), y[inside].astype(np.float64)
            self._sums[:, channel] += np.array([len(u), u.sum(), v.sum(), u @ u, u @ v])

    def result(self) -> Exposure:
        """None at all where nothing was added."""
        count, x, y, xx, xy = self._sums
        count = np.maximum(count, 1.0)
        variance, covariance = xx / count - (x / count) ** 2, xy / count - x * y / count**2
        gain = covariance / np.maximum(variance, _FLAT)
        gain = np.where((variance > _FLAT) & (gain > 0), gain, 1.0)  # a negative picture is another picture
        (a, b, c), (d, e, f) = gain, (y - gain * x) / count
        return Exposure((float(a), float(b), float(c)), (float(d), float(e), float(f)))
