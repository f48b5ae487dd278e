"""Four frames on one sheet, each at its own size under its number."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

PER_SHEET = 4
_BAND = 36  # pixels above each frame, for its number
_COLUMNS = 2


def sheet(pictures: Sequence[NDArray[np.uint8]], first: int) -> NDArray[np.uint8]:
    """A sheet (2 (H + 36), 2 W, 3) uint8 RGB of up to four frames (H, W, 3) of one size, numbered from ``first``."""
    height, width = pictures[0].shape[:2]
    page = np.full(((height + _BAND) * PER_SHEET // _COLUMNS, width * _COLUMNS, 3), 255, dtype=np.uint8)
    for k, picture in enumerate(pictures):
        top, left = k // _COLUMNS * (height + _BAND), k % _COLUMNS * width
        page[top + _BAND : top + _BAND + height, left : left + width] = picture
        cv2.putText(page, str(first + k), (left + 8, top + 27), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (0, 0, 0), 2)
    return page
