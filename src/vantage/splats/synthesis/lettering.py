"""Text on the fronts of objects: strokes of letters, words in lines, and ink just in front of a plain plate.

Letters are made to be read from half a metre and not from three: 1.9 cm are 18 pixels at 0.5 m of a camera with a focal
length of 467 pixels, and 3 pixels at 3 m. At 2.5 cm, every fourth word could still be read from 3 m.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from vantage.errors import SceneError
from vantage.scenes.spec import Color, Part
from vantage.splats.synthesis.sheets import Stroke, Vector

Polyline = tuple[tuple[float, float], ...]

LARGEST = 0.019  # m: height of the largest letters
FINE = 0.006  # m: largest cell of a plate behind its print
INK_SPREAD = 0.5  # standard deviation of a stroke in its extents
_MARGIN = 0.005  # m around the words
_LIFT = 0.0025  # m: of the ink before its plate
_PEN = 0.115  # width of a stroke in heights of a letter
_DAB = 2.0  # length of a piece of a stroke in widths of the pen
_FRONT = 0.85  # rad to each side of its front over which a round object is printed
_DARK_INK: Color = (0.07, 0.07, 0.09)
_LIGHT_INK: Color = (0.97, 0.96, 0.93)

HEIGHT = 6.0  # of a capital, in the units of the glyphs
_GAP, _SPACE = 1.5, 2.6  # between two letters, and the width of a blank
_LEADING = 1.55  # from line to line, in heights of a letter
_NARROWEST = 0.72  # to which letters may be condensed
_MOST_WORDS = 6  # whose breaks into lines are all tried
_OVAL = "0,1.8 0,4.2 .3,5.3 1.1,5.9 2,6 2.9,5.9 3.7,5.3 4,4.2 4,1.8 3.7,.7 2.9,.1 2,0 1.1,.1 .3,.7 0,1.8"
_ARCH = "4,4.5 3.7,5.4 2.9,5.9 2,6 1.1,5.9 .3,5.3 0,4.2 0,1.8 .3,.7 1.1,.1 2,0 2.9,.1 3.7,.6 4,1.5"
_STEM_BOWL = "0,0 0,6 2.5,6 3.5,5.6 4,4.8 4,3.9 3.5,3.1 2.5,2.7 0,2.7"
_GLYPHS = {
    "A": "0,0 2.1,6 4.2,0|.8,2.1 3.4,2.1",
    "B": "0,3.2 0,6 2.4,6 3.3,5.7 3.7,5 3.7,4.2 3.3,3.5 2.4,3.2 0,3.2 0,0 2.4,0 3.5,.3 4,1.1 4,2.2 3.5,2.9 2.4,3.2",
    "C": _ARCH,
    "D": "0,0 0,6 1.8,6 3,5.7 3.8,4.8 4.1,3.8 4.1,2.2 3.8,1.2 3,.3 1.8,0 0,0",
    "E": "3.7,6 0,6 0,0 3.7,0|0,3.1 3.2,3.1",
    "F": "3.7,6 0,6 0,0|0,3 3.1,3",
    "G": _ARCH + " 4,2.8 2.4,2.8",
    "H": "0,0 0,6|4,0 4,6|0,3.1 4,3.1",
    "I": ".4,0 .4,6",
    "J": "3.2,6 3.2,1.6 2.9,.5 2.2,0 1.2,0 .4,.5 0,1.5",
    "K": "0,0 0,6|3.9,6 0,2.3|1.3,3.5 4.1,0",
    "L": "0,6 0,0 3.6,0",
    "M": "0,0 0,6 2.4,1.6 4.8,6 4.8,0",
    "N": "0,0 0,6 4,0 4,6",
    "O": _OVAL,
    "P": _STEM_BOWL,
    "Q": _OVAL + "|2.4,1.6 4.2,-.4",
    "R": _STEM_BOWL + "|2.2,2.7 4.1,0",
    "S": "3.9,4.7 3.5,5.6 2.7,6 1.4,6 .5,5.6 .1,4.7 .4,3.8 1.2,3.3 2.8,2.8 3.6,2.3 4,1.5 3.7,.6 "
    "2.8,0 1.3,0 .4,.4 0,1.3",
    "T": "0,6 4.2,6|2.1,6 2.1,0",
    "U": "0,6 0,1.8 .3,.7 1.1,.1 2,0 2.9,.1 3.7,.7 4,1.8 4,6",
    "V": "0,6 2.1,0 4.2,6",
    "W": "0,6 1.4,0 2.8,5.2 4.2,0 5.6,6",
    "X": "0,0 4.1,6|0,6 4.1,0",
    "Y": "0,6 2.1,2.9 4.2,6|2.1,2.9 2.1,0",
    "Z": "0,6 4,6 0,0 4.1,0",
    "0": "0,1.8 0,4.2 .5,5.5 1.7,6 2.9,5.5 3.4,4.2 3.4,1.8 2.9,.5 1.7,0 .5,.5 0,1.8",
    "1": "0,4.7 1.6,6 1.6,0",
    "2": ".1,4.5 .5,5.5 1.4,6 2.5,6 3.4,5.5 3.7,4.5 3.3,3.5 0,0 3.9,0",
    "3": ".1,5 .8,5.8 1.8,6 2.9,5.7 3.5,4.8 3.3,3.7 2.4,3.2 1.3,3.2|2.4,3.2 3.5,2.7 3.8,1.7 3.3,.6 2.1,0 .8,.2 0,1.1",
    "4": "3,0 3,6 0,2 4.1,2",
    "5": "3.5,6 .5,6 .2,3.3 1.2,3.7 2.3,3.7 3.3,3.1 3.7,2 3.4,.8 2.4,0 1.1,0 0,.8",
    "6": "3.3,5.4 2.3,6 1.2,5.7 .3,4.6 0,2.6 .1,1.4 .7,.3 1.9,0 3.1,.4 3.7,1.5 3.6,2.7 2.9,3.5 1.8,3.7 .7,3.2 0,2.2",
    "7": "0,6 3.9,6 1.3,0",
    "8": "1.9,3.3 .6,3.8 .2,4.8 .7,5.7 1.9,6 3.1,5.7 3.6,4.8 3.2,3.8 1.9,3.3 .5,2.7 0,1.6 .5,.4 1.9,0 3.3,.4 3.8,1.6 "
    "3.3,2.7 1.9,3.3",
    "9": ".4,.6 1.4,0 2.5,.3 3.4,1.4 3.7,3.4 3.6,4.6 3,5.7 1.8,6 .6,5.6 0,4.5 .1,3.3 .8,2.5 1.9,2.3 3,2.8 3.7,3.8",
    "-": "0,2.8 2.2,2.8",
    "+": "0,3 3.2,3|1.6,1.4 1.6,4.6",
    "/": "0,0 2.8,6",
    ".": ".3,.1 .3,.3",
    ",": ".5,.4 .1,-1",
    ":": ".3,.9 .3,1.2|.3,3.6 .3,3.9",
    "'": ".3,6 .3,4.6",
    "!": ".3,6 .3,2|.3,.1 .3,.3",
    "%": "0,0 4,6|.3,5.2 1,6 1.7,5.2 1,4.4 .3,5.2|2.3,.8 3,1.6 3.7,.8 3,0 2.3,.8",
    "&": "4.2,0 .9,4.2 .8,5.2 1.5,6 2.5,5.8 2.7,4.8 .5,2.6 0,1.5 .4,.4 1.5,0 2.8,.5 4,2.6",
}


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


def ink_color(part: Part) -> Color:
    """Dark on light parts, light on dark ones."""
    r, g, b = part.rgb
    return _DARK_INK if 0.30 * r + 0.59 * g + 0.11 * b > 0.4 else _LIGHT_INK


def text_strokes(piece: int, part: Part, setting: TextLayout) -> Iterator[Stroke]:
    """The strokes of the words on a part, in the frame of its object."""
    pen = _PEN * setting.height
    for line in setting.strokes():
        for (x0, y0), (x1, y1) in itertools.pairwise(line):
            length = math.hypot(x1 - x0, y1 - y0)
            dabs = max(1, math.ceil(length / (_DAB * pen)))
            for k in range(dabs):
                share = (k + 0.5) / dabs
                spot = print_spot(part, x0 + share * (x1 - x0), y0 + share * (y1 - y0))
                a, b = (x1 - x0) / length, (y1 - y0) / length
                x, y, z = (a * right + b * up for right, up in zip(spot.right, spot.up, strict=True))
                yield Stroke(piece, spot.middle, (x, y, z), spot.normal, max(length / dabs, 0.8 * pen), pen)


def _is_round(part: Part) -> bool:
    return part.shape != "box" and part.axis == "z"


@lru_cache(maxsize=128)
def glyph(character: str) -> tuple[Polyline, ...]:
    """The strokes of a character, 6 units high above its baseline.

    Raises:
        SceneError: there is no such letter.
    """
    drawn = _GLYPHS.get(character.upper())
    if drawn is None:
        raise SceneError(f"no letter is known for {character!r}; print A to Z, 0 to 9 and {_signs()}")
    return tuple(tuple(_place(spot) for spot in line.split()) for line in drawn.split("|"))


def _place(spot: str) -> tuple[float, float]:
    x, y = spot.split(",")
    return float(x), float(y)


def _signs() -> str:
    return " ".join(sign for sign in _GLYPHS if not sign.isalnum())


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
