"""Builders of food, loose and in printed packages: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.geometry import (
    PAPER,
    STEEL,
    WHITE,
    Design,
    Style,
    ball,
    box,
    disc,
    label,
    length,
    rod,
    sleeve,
    surface,
)
from vantage.scenes.spec import COLORS, Color, blend, shade

_BARK: Color = (0.35, 0.24, 0.14)


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


def bread(style: Style, rng: np.random.Generator) -> Design:
    """A loaf with three pale cuts across."""
    crust, cut = shade(style.rgb, 1.15), (0.86, 0.68, 0.42)
    return Design(
        (
            box(0, 0, 0, 0.115, 0.235, 0.055, crust, "skin"),
            ball(0, 0, 0.002, 0.135, 0.265, 0.112, crust, "skin"),
            *(ball(0, 0.06 * k, 0.086 - 0.008 * k * k, 0.085, 0.022, 0.032, cut, "skin") for k in (-1, 0, 1)),
        )
    )


def jar(style: Style, rng: np.random.Generator) -> Design:
    """A storage jar with a print around it and a wooden lid."""
    height = length(rng, 0.14, 0.19)
    return Design(
        (
            disc(0, 0, 0, 0.120, height, style.rgb),
            sleeve(0.28 * height, 0.123, 0.055, style.text),
            disc(0, 0, height, 0.110, 0.022, (0.66, 0.47, 0.28), "wood"),
            ball(0, 0, height + 0.018, 0.028, 0.028, 0.024, (0.66, 0.47, 0.28), "wood"),
        )
    )


def can(style: Style, rng: np.random.Generator) -> Design:
    """A tin with a colored wrapper, a print on it, and rims of steel."""
    return Design(
        (
            disc(0, 0, 0, 0.100, 0.005, STEEL, "metal"),
            disc(0, 0, 0.005, 0.098, 0.105, style.rgb, "paper"),
            sleeve(0.036, 0.101, 0.040, style.text),
            disc(0, 0, 0.110, 0.100, 0.005, STEEL, "metal"),
        )
    )


def cereal_box(style: Style, rng: np.random.Generator) -> Design:
    """A tall flat box with a name above a bowl."""
    depth, width, height = 0.075, length(rng, 0.19, 0.22), length(rng, 0.27, 0.31)
    front = 0.5 * depth
    gold = blend(COLORS["yellow"], COLORS["orange"], 0.35)
    return Design(
        (
            box(0, 0, 0, depth, width, height, style.rgb),
            label(front + 0.002, 0, 0.66 * height, width - 0.03, 0.06, style.text),
            rod("x", (front + 0.001, 0, 0.30 * height), 0.115, 0.004, WHITE, "paper"),
            rod("x", (front + 0.003, 0, 0.30 * height), 0.085, 0.004, gold, "skin"),
        ),
        (surface("on", "top", height, depth, width, 0.3),),
    )


def milk_carton(style: Style, rng: np.random.Generator) -> Design:
    """A carton with a gable, a cap and a print; its lower band has the color."""
    side, height = 0.096, 0.185
    return Design(
        (
            box(0, 0, 0, side, side, height, style.rgb),
            label(0.5 * side + 0.002, 0, 0.095, side - 0.006, 0.055, style.text),
            *(box(0, 0, height + 0.012 * k, side - 0.026 * k, side, 0.012, shade(style.rgb, 1.03)) for k in range(3)),
            box(0, 0, height + 0.034, 0.008, side, 0.022, shade(style.rgb, 0.9)),
            rod("x", (0.042, 0, height + 0.014), 0.028, 0.022, shade(style.rgb, 0.55), "plastic"),
        )
    )


def bottle(style: Style, rng: np.random.Generator) -> Design:
    """A bottle with a label and a cap."""
    d = 0.080
    return Design(
        (
            disc(0, 0, 0, d, 0.17, style.rgb),
            disc(0, 0, 0.17, d, 0.045, style.rgb, "", (), ends=(1.0, 0.4)),
            disc(0, 0, 0.215, 0.4 * d, 0.045, style.rgb),
            disc(0, 0, 0.26, 0.034, 0.022, shade(style.rgb, 0.6), "plastic"),
            sleeve(0.055, d + 0.003, 0.05, style.text, blend(style.rgb, PAPER, 0.6)),
        )
    )
