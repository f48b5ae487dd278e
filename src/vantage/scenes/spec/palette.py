"""The fixed words for colors and materials."""

from __future__ import annotations

import math

from vantage.scenes.spec.spec import Color

COLORS: dict[str, Color] = {
    "red": (0.80, 0.09, 0.10),
    "green": (0.13, 0.56, 0.22),
    "blue": (0.11, 0.27, 0.78),
    "yellow": (0.96, 0.82, 0.10),
    "orange": (0.97, 0.49, 0.06),
    "purple": (0.49, 0.17, 0.64),
    "pink": (0.96, 0.55, 0.70),
    "brown": (0.44, 0.27, 0.14),
    "black": (0.09, 0.09, 0.10),
    "white": (0.94, 0.93, 0.90),
    "gray": (0.53, 0.54, 0.55),
}

MATERIALS = ("wood", "metal", "plastic", "ceramic", "glass", "fabric", "leather", "paper")


def nearest_color(rgb: Color) -> str:
    """The word for a color (0..1) as a person would say it of an object that is partly in the shade.

    Light and shade scale a color. So each word stands for its color at 0.6 to 1.1 of its brightness, and the nearest
    one by Euclidean distance wins, with a small penalty for a brightness other than 1.
    """
    return min(COLORS, key=lambda word: _shaded_distance(COLORS[word], rgb))


def _shaded_distance(reference: Color, rgb: Color) -> float:
    along = sum(a * b for a, b in zip(reference, rgb, strict=True)) / sum(a * a for a in reference)
    factor = min(1.1, max(0.6, along))
    return math.dist([factor * channel for channel in reference], rgb) + 0.15 * abs(1.0 - factor)


def shade(rgb: Color, factor: float) -> Color:
    """A darker (factor < 1) or lighter tone of the same color."""
    r, g, b = (min(1.0, max(0.0, channel * factor)) for channel in rgb)
    return r, g, b


def blend(first: Color, second: Color, share: float) -> Color:
    """``share`` of the second color mixed into the first."""
    r, g, b = (a + share * (z - a) for a, z in zip(first, second, strict=True))
    return r, g, b
