"""Print on the fronts of things: ink as short thin strokes just in front of a plain plate.

Letters are made to be read from half a metre and not from three: 1.9 cm are 18 pixels at 0.5 m of a camera with a focal
length of 467 pixels, and 3 pixels at 3 m. At 2.5 cm, every fourth word could still be read from 3 m.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from vantage.scenes.spec.spec import Color, Part
from vantage.splats.painting.lettering import Setting, set_words
from vantage.splats.painting.sheets import Vector
from vantage.splats.painting.strokes import Stroke

LARGEST = 0.019  # m: height of the largest letters
FINE = 0.006  # m: largest cell of a plate behind its print
INK_SPREAD = 0.5  # standard deviation of a stroke in its extents
_MARGIN = 0.005  # m around the words
_LIFT = 0.0025  # m: of the ink before its plate
_PEN = 0.115  # width of a stroke in heights of a letter
_DAB = 2.0  # length of a piece of a stroke in widths of the pen
_FRONT = 0.85  # rad to each side of its front over which a round thing is printed
_DARK_INK: Color = (0.07, 0.07, 0.09)
_LIGHT_INK: Color = (0.97, 0.96, 0.93)


def setting_of(part: Part) -> Setting:
    """How the words of a part are set on its front.

    Raises:
        SceneError: a letter is unknown.
    """
    width = part.size[1]
    if _is_round(part):
        width = min(width, _FRONT * part.size[1])
    return set_words(part.text, max(width - 2 * _MARGIN, _MARGIN), max(part.size[2] - 2 * _MARGIN, _MARGIN), LARGEST)


def ink_color(part: Part) -> Color:
    """Dark on light parts, light on dark ones."""
    r, g, b = part.rgb
    return _DARK_INK if 0.30 * r + 0.59 * g + 0.11 * b > 0.4 else _LIGHT_INK


def ink(piece: int, part: Part, setting: Setting) -> Iterator[Stroke]:
    """The strokes of the words on a part, in the frame of its thing."""
    pen = _PEN * setting.height
    for line in setting.strokes():
        for (x0, y0), (x1, y1) in itertools.pairwise(line):
            length = math.hypot(x1 - x0, y1 - y0)
            dabs = max(1, math.ceil(length / (_DAB * pen)))
            for k in range(dabs):
                share = (k + 0.5) / dabs
                middle, right, normal = _front(part, x0 + share * (x1 - x0), y0 + share * (y1 - y0))
                a, b = (x1 - x0) / length, (y1 - y0) / length
                along = (a * right[0], a * right[1], b)
                yield Stroke(piece, middle, along, normal, max(length / dabs, 0.8 * pen), pen)


def _is_round(part: Part) -> bool:
    return part.shape != "box" and part.axis == "z"


def _front(part: Part, right: float, up: float) -> tuple[Vector, Vector, Vector]:
    """A point before the front of a part, right of and above its middle (m), the direction to the right, the normal."""
    x, y, z = part.center
    if not _is_round(part):
        return (x + 0.5 * part.size[0] + _LIFT, y + right, z + up), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)
    radius = 0.5 * part.size[1] + _LIFT
    angle = right / radius
    c, s = math.cos(angle), math.sin(angle)
    return (x + radius * c, y + radius * s, z + up), (-s, c, 0.0), (c, s, 0.0)
