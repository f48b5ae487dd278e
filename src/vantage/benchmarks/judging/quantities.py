"""Quantities in answers: numbers are compared with their units, so that "2.5 m" and "about 250 centimeters" agree."""

from __future__ import annotations

import math
import re

from vantage.benchmarks.judging.answer_words import NUMBERS

_TOLERANCE = 0.02  # share of the value: roundings of conversions, not of answers
_UNITS = {
    **dict.fromkeys(("m", "meter", "metre"), ("length", 1.0)),
    **dict.fromkeys(("cm", "centimeter", "centimetre"), ("length", 0.01)),
    **dict.fromkeys(("mm", "millimeter", "millimetre"), ("length", 0.001)),
    **dict.fromkeys(("ft", "foot", "feet"), ("length", 0.3048)),
    **dict.fromkeys(("inch", "inche"), ("length", 0.0254)),
    **dict.fromkeys(("kg", "kilogram", "kilo"), ("mass", 1.0)),
    **dict.fromkeys(("g", "gram", "gramme"), ("mass", 0.001)),
    **dict.fromkeys(("lb", "pound"), ("mass", 0.45359237)),
    **dict.fromkeys(("deg", "degree", "\u00b0"), ("angle", math.pi / 180)),
    **dict.fromkeys(("l", "liter", "litre"), ("volume", 0.001)),
    **dict.fromkeys(("h", "hour"), ("time", 3600.0)),
    **dict.fromkeys(("min", "minute"), ("time", 60.0)),
    **dict.fromkeys(("second", "sec"), ("time", 1.0)),
    **dict.fromkeys(("%", "percent"), ("share", 0.01)),
}
_NAMES = "|".join(sorted(NUMBERS, key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?<![\w.])(?P<number>-?\d+(?:,\d{{3}})*(?:\.\d+)?|\b(?:{_NAMES})\b|\ban?\b(?=\s+(?:half|meter|metre|foot)))"
    r"(?P<half>\s+and\s+a\s+half)?[\s-]*(?P<unit>[a-z]+|%|\u00b0)?",
    re.IGNORECASE,
)


def quantities(text: str) -> list[tuple[float, str]]:
    """(value in SI units, dimension) of the numbers in a text; the dimension is empty for a number without a unit."""
    found = []
    for match in _QUANTITY.finditer(text):
        word = match["number"].casefold()
        if word in ("a", "an"):
            value = 1.0
        else:
            value = float(NUMBERS.get(word, word).replace(",", "")) if len(word) < 40 else math.inf
        unit = (match["unit"] or "").casefold()
        dimension, scale = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s")) or ("", 1.0)
        found.append(((value + (0.5 if match["half"] else 0.0)) * scale, dimension))
    return found


def with_unit(gold: str) -> tuple[float, str] | None:
    """The quantity that a gold answer is, where it is one number with a unit and little else."""
    found = quantities(gold)
    if len(found) != 1 or not found[0][1] or len(gold.split()) > 5:
        return None
    return found[0]


def agrees_in_quantity(text: str, gold: tuple[float, str]) -> bool:
    """Whether a text gives one quantity of the dimension, and that is the gold one."""
    value, dimension = gold
    said = {number for number, kind in quantities(text) if kind == dimension}
    return len(said) == 1 and math.isclose(said.pop(), value, rel_tol=_TOLERANCE)
