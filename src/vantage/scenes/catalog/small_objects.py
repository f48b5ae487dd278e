"""Builders of small things: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import math

import numpy as np

from vantage.scenes.geometry.design import DARK, LEAF, PAPER, STEEL, Design, Style, ball, box, disc, length, surface
from vantage.scenes.spec.palette import COLORS, blend, shade
from vantage.scenes.spec.spec import Color, Part

_BARK: Color = (0.35, 0.24, 0.14)


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
            box(0.01, 0, thick - 0.001, 0.35 * depth, 0.4 * width, 0.0025, blend(style.rgb, PAPER, 0.45), "paper"),
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
            box(0.5 * depth, 0, 0.72 * height, 0.003, thick - 0.010, 0.02, blend(style.rgb, PAPER, 0.35)),
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


def pillow(style: Style, rng: np.random.Generator) -> Design:
    """A soft pillow, lying."""
    return Design(
        (
            ball(0, 0, 0, 0.34, 0.44, 0.13, style.rgb),
            *(ball(sx * 0.082, sy * 0.110, 0.025, 0.19, 0.24, 0.08, style.rgb) for sx in (-1, 1) for sy in (-1, 1)),
        )
    )


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


def blanket(style: Style, rng: np.random.Generator) -> Design:
    """A folded blanket with stripes, lying."""
    depth, width = length(rng, 0.34, 0.42), length(rng, 0.48, 0.60)
    stripe = shade(style.rgb, 0.65)
    return Design(
        (
            *(
                box(0, 0, 0.032 * k, depth - 0.01 * (k % 2), width - 0.012 * (k % 2), 0.031, style.rgb)
                for k in range(4)
            ),
            Part("cylinder", (0.5 * depth - 0.01, 0, 0.064), (0.07, width - 0.02, 0.127), style.rgb, axis="y"),
            *(box(-0.01, k * 0.16, 0.126, depth - 0.03, 0.035, 0.004, stripe) for k in (-1, 0, 1)),
        ),
        (surface("on", "top", 0.130, depth - 0.10, width - 0.10, 0.4, x=-0.01),),
    )


def round_pillow(style: Style, rng: np.random.Generator) -> Design:
    """A round cushion with a button in its middle, lying."""
    return Design(
        (
            ball(0, 0, 0, 0.40, 0.40, 0.14, style.rgb),
            disc(0, 0, 0.055, 0.39, 0.03, shade(style.rgb, 0.85)),
            ball(0, 0, 0.128, 0.035, 0.035, 0.018, shade(style.rgb, 0.6)),
        )
    )
