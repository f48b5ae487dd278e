"""Text on the fronts of objects: words in lines, and ink just in front of a plain plate.

Letters are made to be read from half a metre and not from three: 1.9 cm are 18 pixels at 0.5 m of a camera with a focal
length of 467 pixels, and 3 pixels at 3 m. At 2.5 cm, every fourth word could still be read from 3 m.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vantage.errors import SceneError
from vantage.scenes.looks.glyphs import HEIGHT, glyph
from vantage.scenes.spec import Color, Part
from vantage.spatial import Matrix, rotation_matrix

Vector = tuple[float, float, float]
LARGEST = 0.019  # m: height of the largest letters
FINE = 0.006  # m: largest cell of a plate behind its print
_MARGIN = 0.005  # m around the words
_LIFT = 0.0025  # m: of the ink before its plate
PEN = 0.115  # width of a stroke in heights of a letter
_DAB = 2.0  # length of a piece of a stroke in widths of the pen
_FRONT = 0.85  # rad to each side of its front over which a round object is printed
_DARK_INK: Color = (0.07, 0.07, 0.09)
_LIGHT_INK: Color = (0.97, 0.96, 0.93)

_GAP, _SPACE = 1.5, 2.6  # between two letters, and the width of a blank
_LEADING = 1.55  # from line to line, in heights of a letter
_NARROWEST = 0.72  # to which letters may be condensed
_MOST_WORDS = 6  # whose breaks into lines are all tried


def text_layout(part: Part) -> TextLayout:
    """How the words of a part are set on its front.

    Raises:
        SceneError: a letter is unknown.
    """
    width, height = part.size[1], part.size[0 if part.print_face == "z+" else 2]
    if _is_round(part):
        width = min(width, _FRONT * part.size[1])
    free = [max(side - 2 * _MARGIN, _MARGIN) for side in (width, height)]
    return lay_out(part.text, free[0], free[1], part.letter or LARGEST)


@dataclass(frozen=True)
class Spot:
    """A place on the face of a part that bears print, in the frame of its object.

    Attributes:
        middle: of the ink, just before the face, m.
        right, up, normal: unit vectors along the lines, across them, and out of the face.
    """

    middle: Vector
    right: Vector
    up: Vector
    normal: Vector


def print_spot(part: Part, right: float, up: float, lift: float = _LIFT) -> Spot:
    """The place right of and above the middle of the words on a part, ``lift`` before its face, m."""
    if part.is_turned:
        return _turned(print_spot(replace(part, rotation=(0.0, 0.0, 0.0)), right, up, lift), part)
    x, y, z = part.center
    if part.print_face == "z+":  # read by somebody before the object, who looks towards its -x axis
        middle = (x - up, y + right, z + 0.5 * part.size[2] + lift)
        return Spot(middle, (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    if not _is_round(part):
        middle = (x + 0.5 * part.size[0] + lift, y + right, z + up)
        return Spot(middle, (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    radius = 0.5 * part.size[1] + lift
    angle = right / radius
    c, s = math.cos(angle), math.sin(angle)
    return Spot((x + radius * c, y + radius * s, z + up), (-s, c, 0.0), (0.0, 0.0, 1.0), (c, s, 0.0))


def _turned(spot: Spot, part: Part) -> Spot:
    turn = rotation_matrix(part.rotation)
    center = np.asarray(part.center)
    middle = center + turn @ (np.asarray(spot.middle) - center)
    return Spot(_vector(middle), *(_vector(turn @ np.asarray(way)) for way in (spot.right, spot.up, spot.normal)))


def _vector(values: Matrix) -> Vector:
    x, y, z = values.tolist()
    return x, y, z


def ink_color(part: Part) -> Color:
    """Dark on light parts, light on dark ones."""
    r, g, b = part.rgb
    return _DARK_INK if 0.30 * r + 0.59 * g + 0.11 * b > 0.4 else _LIGHT_INK


class InkStroke(NamedTuple):
    """A short straight line of ink: its middle, the unit vectors along it and off its face, and its extents, m."""

    middle: Vector
    along: Vector
    normal: Vector
    length: float
    width: float


def text_strokes(part: Part, setting: TextLayout) -> Iterator[InkStroke]:
    """The strokes of the words on a part, in the frame of its object."""
    pen = PEN * setting.height
    for line in setting.strokes():
        for (x0, y0), (x1, y1) in itertools.pairwise(line):
            length = math.hypot(x1 - x0, y1 - y0)
            dabs = max(1, math.ceil(length / (_DAB * pen)))
            for k in range(dabs):
                share = (k + 0.5) / dabs
                spot = print_spot(part, x0 + share * (x1 - x0), y0 + share * (y1 - y0))
                a, b = (x1 - x0) / length, (y1 - y0) / length
                x, y, z = (a * right + b * up for right, up in zip(spot.right, spot.up, strict=True))
                yield InkStroke(spot.middle, (x, y, z), spot.normal, max(length / dabs, 0.8 * pen), pen)


def _is_round(part: Part) -> bool:
    return part.shape != "box" and part.axis == "z"


@lru_cache(maxsize=128)
def _width(character: str) -> float:
    return max(x for line in glyph(character) for x, _ in line)


def _line_width(words: str) -> float:
    """In units of the glyphs."""
    return sum(_SPACE if letter == " " else _width(letter) + _GAP for letter in words) - _GAP


@dataclass(frozen=True)
class TextLayout:
    """Words as they are set on a label.

    Attributes:
        lines: from the top.
        height: of a letter, m.
        narrow: factor by which letters are condensed.
    """

    lines: tuple[str, ...]
    height: float
    narrow: float

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the words, m."""
        width = max(_line_width(line) for line in self.lines) * self.narrow * self.height / HEIGHT
        return width, self.height * (1.0 + _LEADING * (len(self.lines) - 1))

    def strokes(self) -> Iterator[list[tuple[float, float]]]:
        """Lines of the pen, m, right and up from the middle of the words."""
        unit = self.height / HEIGHT
        for row, line in enumerate(self.lines):
            x = -0.5 * _line_width(line)
            y = 0.5 * self.extent[1] - self.height * (1.0 + _LEADING * row)
            for letter in line:
                if letter == " ":
                    x += _SPACE
                    continue
                for stroke in glyph(letter):
                    yield [((x + across) * self.narrow * unit, y + up * unit) for across, up in stroke]
                x += _width(letter) + _GAP


def lay_out(text: str, width: float, height: float, largest: float) -> TextLayout:
    """Words on a label of a width and height (m) in letters as tall as fit, though not above ``largest`` (m).

    Raises:
        SceneError: a letter is unknown or the text is blank.
    """
    words = text.upper().split()
    if not words:
        raise SceneError(f"the print {text!r} holds no words; leave it empty or name some")
    settings = []
    for lines in _breaks(words):
        widest = max(_line_width(line) for line in lines) / HEIGHT
        tall = min(largest, height / (1.0 + _LEADING * (len(lines) - 1)))
        narrow = min(1.0, max(_NARROWEST, width / (widest * tall)))
        settings.append(TextLayout(lines, min(tall, width / (widest * narrow)), narrow))
    return max(settings, key=lambda each: (round(each.height, 4), round(each.narrow, 3), -len(each.lines)))


def _breaks(words: list[str]) -> Iterator[tuple[str, ...]]:
    """All ways to break a few words into lines; of many words, lines of equal numbers."""
    if len(words) > _MOST_WORDS:
        for count in range(1, len(words) + 1):
            step = math.ceil(len(words) / count)
            yield tuple(" ".join(words[k : k + step]) for k in range(0, len(words), step))
        return
    for count in range(len(words)):
        for cuts in itertools.combinations(range(1, len(words)), count):
            ends = (0, *cuts, len(words))
            yield tuple(" ".join(words[a:b]) for a, b in itertools.pairwise(ends))
