"""The words on a part as a small picture, for what shows print as a texture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.looks.lettering import PEN, ink_color, text_layout
from vantage.scenes.spec import Color, Part

_MARGIN = 0.6  # around the words, in heights of a letter: what hangs below a line, and the width of the pen
_SHIFT = 6  # binary digits after the point of a drawn coordinate
_FINER = 4  # lines are drawn this much larger and averaged


@dataclass(frozen=True)
class PrintImage:
    """Ink on a part.

    Attributes:
        cover: (H, W) uint8, 0 where the part shows and 255 where there is ink; row 0 is the upper edge for a reader.
        width, height: of the picture, m; its middle is that of the words, ``print_spot(part, 0, 0)``.
        color: of the ink.
    """

    cover: NDArray[np.uint8]
    width: float
    height: float
    color: Color


def print_image(part: Part, pixels_per_m: float) -> PrintImage:
    """The words on a part; round parts have the picture bent around their front, its width is along their side.

    Raises:
        SceneError: a letter is unknown or the text is blank.
    """
    setting = text_layout(part)
    margin = _MARGIN * setting.height
    extent = [side + 2.0 * margin for side in setting.extent]
    columns, rows = (max(1, round(side * pixels_per_m)) for side in extent)
    scale = np.array([columns / extent[0], -rows / extent[1]]) * _FINER
    middle = 0.5 * _FINER * np.array([columns, rows])
    drawn = np.zeros((rows * _FINER, columns * _FINER), np.uint8)
    pen = max(1, round(PEN * setting.height * abs(float(scale[1]))))
    for line in setting.strokes():
        corners = np.round((middle + np.asarray(line) * scale - 0.5) * 2**_SHIFT).astype(np.int32)
        cv2.polylines(drawn, [corners[:, None]], False, 255, pen, cv2.LINE_AA, _SHIFT)
    cover = cv2.resize(drawn, (columns, rows), interpolation=cv2.INTER_AREA)
    return PrintImage(np.asarray(cover, np.uint8), extent[0], extent[1], ink_color(part))
