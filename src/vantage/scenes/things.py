"""Builders of small things: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import math

import numpy as np

from vantage.scenes.design import DARK, LEAF, PAPER, STEEL, Design, Style, ball, box, disc, rod, surface
from vantage.scenes.palette import COLORS, blend, shade
from vantage.scenes.spec import Color, Part

_HOLLOW = ("z-", "z+")
_BARK: Color = (0.35, 0.24, 0.14)


def mug(style: Style, rng: np.random.Generator) -> Design:
    """A mug with a handle to its right."""
    return Design(
        (
            disc(0, 0, 0, 0.080, 0.006, style.rgb),
            disc(0, 0, 0.006, 0.084, 0.094, style.rgb, "", ("z+",)),
            box(0, -0.058, 0.022, 0.014, 0.034, 0.012, style.rgb),
            box(0, -0.058, 0.070, 0.014, 0.034, 0.012, style.rgb),
            box(0, -0.071, 0.030, 0.014, 0.012, 0.045, style.rgb),
        )
    )


def bowl(style: Style, rng: np.random.Generator) -> Design:
    """An open bowl."""
    return Design(
        (
            disc(0, 0, 0, 0.19, 0.012, style.rgb),
            disc(0, 0, 0.012, 0.28, 0.070, style.rgb, "", _HOLLOW, ends=(0.68, 1.0)),
        ),
        (surface("in", "inside", 0.012, 0.128, 0.128, 0.3),),
    )


def plate(style: Style, rng: np.random.Generator) -> Design:
    """A flat plate with a raised rim."""
    return Design(
        (
            disc(0, 0, 0, 0.15, 0.008, style.rgb),
            disc(0, 0, 0.008, 0.24, 0.014, style.rgb, "", _HOLLOW, ends=(0.62, 1.0)),
        )
    )


def book(style: Style, rng: np.random.Generator) -> Design:
    """A closed book, lying."""
    depth, width = round(float(rng.uniform(0.15, 0.19)), 3), round(float(rng.uniform(0.21, 0.26)), 3)
    thick = round(float(rng.uniform(0.028, 0.045)), 3)
    return Design(
        (
            box(0, 0, 0, depth, width, 0.005, style.rgb),
            box(0, 0, 0.005, depth - 0.014, width - 0.014, thick - 0.010, PAPER, "pages"),
            box(0, 0, thick - 0.005, depth, width, 0.005, style.rgb),
            box(-0.5 * depth + 0.003, 0, 0.0, 0.006, width, thick, style.rgb),
            box(0.01, 0, thick, 0.35 * depth, 0.4 * width, 0.0015, blend(style.rgb, PAPER, 0.45), "paper"),
        )
    )


def standing_book(style: Style, rng: np.random.Generator) -> Design:
    """A closed book, standing with its spine to the front."""
    depth, height = round(float(rng.uniform(0.16, 0.20)), 3), round(float(rng.uniform(0.21, 0.26)), 3)
    thick = round(float(rng.uniform(0.030, 0.050)), 3)
    return Design(
        (
            box(0.5 * depth - 0.003, 0, 0, 0.006, thick, height, style.rgb),
            *(box(0, sy * 0.5 * (thick - 0.005), 0, depth, 0.005, height, style.rgb) for sy in (-1, 1)),
            box(0, 0, 0.005, depth - 0.014, thick - 0.010, height - 0.010, PAPER, "pages"),
            box(0.5 * depth + 0.0005, 0, 0.72 * height, 0.001, thick - 0.010, 0.02, blend(style.rgb, PAPER, 0.35)),
        )
    )


def bottle(style: Style, rng: np.random.Generator) -> Design:
    """A bottle with a label and a cap."""
    d = 0.076
    return Design(
        (
            disc(0, 0, 0, d, 0.17, style.rgb),
            disc(0, 0, 0.17, d, 0.045, style.rgb, "", (), ends=(1.0, 0.4)),
            disc(0, 0, 0.215, 0.4 * d, 0.045, style.rgb),
            disc(0, 0, 0.26, 0.034, 0.022, shade(style.rgb, 0.6), "plastic"),
            disc(0, 0, 0.06, d + 0.002, 0.06, blend(style.rgb, PAPER, 0.35), "paper", _HOLLOW),
        )
    )


def vase(style: Style, rng: np.random.Generator) -> Design:
    """A vase with three flowers."""
    petals: tuple[Color, ...] = (COLORS["white"], blend(COLORS["yellow"], COLORS["white"], 0.3), COLORS["pink"])
    parts = [
        disc(0, 0, 0, 0.12, 0.10, style.rgb, "", (), ends=(0.58, 1.0)),
        disc(0, 0, 0.10, 0.12, 0.09, style.rgb, "", (), ends=(1.0, 0.5)),
        disc(0, 0, 0.19, 0.085, 0.04, style.rgb, "", ("z+",), ends=(0.7, 1.0)),
    ]
    for k, petal in enumerate(petals):
        angle = math.tau * k / 3 + float(rng.uniform(0, 1))
        x, y, top = 0.016 * math.cos(angle), 0.016 * math.sin(angle), 0.27 + 0.018 * k
        parts += [
            disc(round(x, 4), round(y, 4), 0.20, 0.006, top - 0.20, LEAF, "leaf"),
            ball(round(1.4 * x, 4), round(1.4 * y, 4), top - 0.012, 0.040, 0.040, 0.030, petal, "leaf"),
        ]
    return Design(tuple(parts))


def _foliage(rng: np.random.Generator, count: int, spread: float, z: float, height: float, leaf: float) -> list[Part]:
    parts = []
    for k in range(count):
        angle, reach = 2.4 * k, spread * math.sqrt((k + 0.5) / count)
        tone = shade(LEAF, float(rng.uniform(0.80, 1.15)))
        size = leaf * float(rng.uniform(0.85, 1.1))
        parts.append(
            ball(
                round(reach * math.cos(angle), 4),
                round(reach * math.sin(angle), 4),
                round(z + height * (1 - (reach / spread) ** 2 * 0.8) - 0.5 * size, 4),
                round(size, 4),
                round(size, 4),
                round(0.8 * size, 4),
                tone,
                "leaf",
            )
        )
    return parts


def plant(style: Style, rng: np.random.Generator) -> Design:
    """A pot plant for a table."""
    pot = blend(COLORS["brown"], COLORS["orange"], 0.35)
    return Design(
        (
            disc(0, 0, 0, 0.11, 0.09, pot, "ceramic", (), ends=(0.72, 1.0)),
            disc(0, 0, 0.09, 0.10, 0.004, _BARK, "soil"),
            disc(0, 0, 0.09, 0.02, 0.07, LEAF, "leaf"),
            *_foliage(rng, 12, 0.08, 0.17, 0.10, 0.09),
        )
    )


def floor_plant(style: Style, rng: np.random.Generator) -> Design:
    """A small tree in a pot."""
    return Design(
        (
            disc(0, 0, 0, 0.32, 0.28, COLORS["gray"], "ceramic", (), ends=(0.75, 1.0)),
            disc(0, 0, 0.28, 0.30, 0.006, _BARK, "soil"),
            disc(0, 0, 0.28, 0.035, 0.50, _BARK, "wood"),
            *_foliage(rng, 24, 0.20, 0.80, 0.34, 0.21),
        )
    )


def clock(style: Style, rng: np.random.Generator) -> Design:
    """A round clock that stands on a foot, its face to the front."""
    return Design(
        (
            box(0, 0, 0, 0.07, 0.11, 0.018, shade(style.rgb, 0.9)),
            rod("x", (0, 0, 0.108), 0.18, 0.05, shade(style.rgb, 0.85)),
            rod("x", (0.0265, 0, 0.108), 0.15, 0.003, style.rgb, "clock face"),
        )
    )


def wall_clock(style: Style, rng: np.random.Generator) -> Design:
    """A round clock that hangs with its back at x = -0.02."""
    return Design(
        (
            rod("x", (0, 0, 0.16), 0.32, 0.04, shade(style.rgb, 0.85)),
            rod("x", (0.0215, 0, 0.16), 0.28, 0.003, style.rgb, "clock face"),
        )
    )


def pillow(style: Style, rng: np.random.Generator) -> Design:
    """A soft pillow, lying."""
    return Design(
        (
            ball(0, 0, 0, 0.34, 0.44, 0.13, style.rgb),
            *(ball(sx * 0.115, sy * 0.155, 0.035, 0.11, 0.13, 0.06, style.rgb) for sx in (-1, 1) for sy in (-1, 1)),
        )
    )


def _fruit(style: Style, diameter: float) -> Design:
    return Design(
        (
            ball(0, 0, 0, diameter, diameter, 0.94 * diameter, style.rgb, "skin"),
            disc(0, 0, 0.90 * diameter, 0.006, 0.014, _BARK, "wood"),
        )
    )


def apple(style: Style, rng: np.random.Generator) -> Design:
    """An apple with its stem."""
    return _fruit(style, 0.076)


def orange(style: Style, rng: np.random.Generator) -> Design:
    """An orange."""
    return _fruit(style, 0.078)


def banana(style: Style, rng: np.random.Generator) -> Design:
    """A bent banana of seven sections."""
    parts = []
    for k in range(7):
        t = (k - 3) / 3
        thick = 0.038 - 0.014 * t * t
        x, y = round(0.035 * t * t - 0.015, 4), round(0.088 * t, 4)
        parts.append(ball(x, y, 0, thick, 0.052, thick, style.rgb, "skin"))
    parts.append(ball(0.026, 0.112, 0.004, 0.012, 0.020, 0.012, _BARK, "skin"))
    return Design(tuple(parts))


def candle(style: Style, rng: np.random.Generator) -> Design:
    """A lit candle on a small dish."""
    return Design(
        (
            disc(0, 0, 0, 0.10, 0.010, STEEL, "metal"),
            disc(0, 0, 0.010, 0.062, 0.120, style.rgb, "skin"),
            disc(0, 0, 0.130, 0.004, 0.012, DARK),
            ball(0, 0, 0.138, 0.016, 0.016, 0.034, (1.0, 0.85, 0.35), "light"),
        )
    )


def carton(style: Style, rng: np.random.Generator) -> Design:
    """A closed box with a strip of tape."""
    depth, width = round(float(rng.uniform(0.18, 0.24)), 3), round(float(rng.uniform(0.24, 0.32)), 3)
    height = round(float(rng.uniform(0.14, 0.20)), 3)
    return Design(
        (
            box(0, 0, 0, depth, width, height, style.rgb, "paper"),
            box(0, 0, height, 0.045, width, 0.001, blend(style.rgb, PAPER, 0.35), "paper"),
        ),
        (surface("on", "top", height + 0.001, 0.045, width),),
    )


def teapot(style: Style, rng: np.random.Generator) -> Design:
    """A teapot, its spout to the front."""
    return Design(
        (
            disc(0, 0, 0, 0.085, 0.010, style.rgb),
            ball(0, 0, 0.006, 0.15, 0.15, 0.12, style.rgb),
            disc(0, 0, 0.120, 0.07, 0.008, shade(style.rgb, 0.9)),
            ball(0, 0, 0.127, 0.024, 0.024, 0.024, shade(style.rgb, 0.9)),
            rod("x", (0.090, 0, 0.078), 0.038, 0.065, style.rgb, "", (1.0, 0.5)),
            box(-0.095, 0, 0.092, 0.06, 0.014, 0.014, style.rgb),
            box(-0.095, 0, 0.036, 0.06, 0.014, 0.014, style.rgb),
            box(-0.118, 0, 0.036, 0.014, 0.014, 0.070, style.rgb),
        )
    )


def table_lamp(style: Style, rng: np.random.Generator) -> Design:
    """A small lamp; the shade has the color."""
    return Design(
        (
            disc(0, 0, 0, 0.13, 0.02, shade(style.rgb, 0.6), "metal"),
            disc(0, 0, 0.02, 0.02, 0.20, shade(style.rgb, 0.6), "metal"),
            disc(0, 0, 0.21, 0.24, 0.17, style.rgb, "glow", _HOLLOW, ends=(1.0, 0.62)),
            ball(0, 0, 0.24, 0.06, 0.06, 0.08, (1.0, 0.96, 0.82), "light"),
        )
    )
