"""A picture of a person's own exploration, kept small until she looks back at it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import VantageError

# Of the ways to encode a rendered picture without loss, that which takes the least time: half of the usual one.
_PNG = [
    *(cv2.IMWRITE_PNG_COMPRESSION, 1),
    *(cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE),
    *(cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP),
]


@dataclass(frozen=True)
class KeptPicture:
    """One picture, without loss.

    Attributes:
        number: of the sight that showed it first, by which it can be chosen as evidence.
        phase: in which it was taken.
        png: its bytes.
    """

    number: int
    phase: str
    png: bytes

    @staticmethod
    def of(rgb: NDArray[np.uint8], number: int, phase: str) -> KeptPicture:
        """
        Args:
            rgb: (H, W, 3) uint8.

        Raises:
            VantageError: it cannot be encoded.
        """
        done, data = cv2.imencode(".png", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), _PNG)
        if not done:
            raise VantageError(f"a picture of shape {rgb.shape} cannot be encoded as PNG; check camera.width")
        return KeptPicture(number, phase, data.tobytes())

    def rgb(self) -> NDArray[np.uint8]:
        """The picture as it was, (H, W, 3) uint8.

        Raises:
            VantageError: the bytes are no picture.
        """
        bgr = cv2.imdecode(np.frombuffer(self.png, np.uint8), cv2.IMREAD_COLOR)
        if bgr is None:
            raise VantageError(f"the picture kept of sight {self.number} is damaged; take it with KeptPicture.of")
        return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)
