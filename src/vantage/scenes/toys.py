"""Builders of devices, toys and what people carry: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.design import (
    DARK,
    PAPER,
    STEEL,
    Design,
    Style,
    ball,
    box,
    disc,
    panel,
    rod,
)
from vantage.scenes.palette import COLORS, blend, shade
from vantage.scenes.spec import Color


def laptop(style: Style, rng: np.random.Generator) -> Design:
    """An open laptop, its keys to the front."""
    return Design(
        (
            box(0.02, 0, 0, 0.23, 0.33, 0.018, style.rgb),
            box(0.035, 0, 0.018, 0.12, 0.29, 0.002, shade(style.rgb, 0.55), "keys"),
            box(-0.10, 0, 0.0, 0.012, 0.33, 0.235, style.rgb),
            panel(-0.0925, 0, 0.028, 0.30, 0.19, (0.16, 0.30, 0.46), "screen"),
        )
    )


def television(style: Style, rng: np.random.Generator) -> Design:
    """A flat screen on a foot."""
    return Design(
        (
            box(0, 0, 0, 0.18, 0.32, 0.015, style.rgb),
            box(-0.01, 0, 0.015, 0.03, 0.06, 0.06, style.rgb),
            box(0, 0, 0.07, 0.04, 0.80, 0.46, style.rgb),
            panel(0.0205, 0, 0.082, 0.776, 0.436, (0.05, 0.06, 0.08), "dark screen"),
        )
    )


def sports_ball(style: Style, rng: np.random.Generator) -> Design:
    """A ball with a seam."""
    return Design((ball(0, 0, 0, 0.21, 0.21, 0.21, style.rgb, "ball"),))


def robot(style: Style, rng: np.random.Generator) -> Design:
    """A toy robot."""
    eye: Color = (0.98, 0.95, 0.70)
    return Design(
        (
            *(box(0.005, sy * 0.028, 0, 0.055, 0.036, 0.05, shade(style.rgb, 0.85)) for sy in (-1, 1)),
            box(0, 0, 0.05, 0.07, 0.105, 0.085, style.rgb),
            box(0.036, 0, 0.075, 0.002, 0.06, 0.035, STEEL, "metal"),
            *(box(0, sy * 0.066, 0.06, 0.03, 0.024, 0.065, shade(style.rgb, 0.85)) for sy in (-1, 1)),
            disc(0, 0, 0.135, 0.03, 0.012, STEEL, "metal"),
            box(0, 0, 0.147, 0.065, 0.08, 0.058, style.rgb),
            *(rod("x", (0.034, sy * 0.02, 0.180), 0.020, 0.004, eye, "light") for sy in (-1, 1)),
            disc(0, 0, 0.205, 0.005, 0.03, STEEL, "metal"),
            ball(0, 0, 0.233, 0.014, 0.014, 0.014, COLORS["red"], "plastic"),
        )
    )


def bear(style: Style, rng: np.random.Generator) -> Design:
    """A sitting toy bear."""
    light = blend(style.rgb, PAPER, 0.4)
    return Design(
        (
            ball(0, 0, 0, 0.14, 0.15, 0.16, style.rgb),
            ball(0.052, 0, 0.035, 0.045, 0.09, 0.09, light),
            *(ball(0.075, sy * 0.055, 0, 0.11, 0.058, 0.06, style.rgb) for sy in (-1, 1)),
            *(ball(0.03, sy * 0.082, 0.07, 0.055, 0.05, 0.09, style.rgb) for sy in (-1, 1)),
            ball(0.01, 0, 0.135, 0.115, 0.12, 0.105, style.rgb),
            *(ball(0.0, sy * 0.048, 0.215, 0.03, 0.042, 0.042, style.rgb) for sy in (-1, 1)),
            ball(0.052, 0, 0.155, 0.04, 0.05, 0.042, light),
            ball(0.070, 0, 0.178, 0.012, 0.018, 0.014, DARK, "plastic"),
            *(ball(0.056, sy * 0.026, 0.198, 0.012, 0.012, 0.012, DARK, "plastic") for sy in (-1, 1)),
        )
    )


def car(style: Style, rng: np.random.Generator) -> Design:
    """A toy car, driving to the front."""
    glass: Color = (0.62, 0.76, 0.86)
    return Design(
        (
            box(0, 0, 0.016, 0.20, 0.09, 0.036, style.rgb),
            box(-0.015, 0, 0.052, 0.10, 0.078, 0.032, style.rgb),
            box(0.036, 0, 0.054, 0.002, 0.066, 0.024, glass, "glass"),
            box(-0.066, 0, 0.054, 0.002, 0.066, 0.024, glass, "glass"),
            *(box(-0.015, sy * 0.0395, 0.056, 0.082, 0.001, 0.022, glass, "glass") for sy in (-1, 1)),
            *(
                rod("y", (sx * 0.062, sy * 0.043, 0.019), 0.038, 0.016, DARK, "plastic")
                for sx in (-1, 1)
                for sy in (-1, 1)
            ),
            *(box(0.1005, sy * 0.028, 0.030, 0.002, 0.018, 0.012, (1.0, 0.95, 0.7), "light") for sy in (-1, 1)),
        )
    )


def hat(style: Style, rng: np.random.Generator) -> Design:
    """A hat with a band."""
    return Design(
        (
            disc(0, 0, 0, 0.30, 0.010, style.rgb),
            disc(0, 0, 0.010, 0.17, 0.11, style.rgb, "", (), ends=(1.0, 0.82)),
            disc(0, 0, 0.012, 0.174, 0.025, shade(style.rgb, 0.5), "", ("z-", "z+")),
        )
    )


def globe(style: Style, rng: np.random.Generator) -> Design:
    """A globe on a foot."""
    return Design(
        (
            disc(0, 0, 0, 0.12, 0.018, shade(style.rgb, 0.7), "metal"),
            disc(0, 0, 0.018, 0.02, 0.05, STEEL, "metal"),
            ball(0, 0, 0.06, 0.20, 0.20, 0.20, style.rgb, "globe"),
            disc(0, 0, 0.255, 0.016, 0.018, STEEL, "metal"),
        )
    )


def radio(style: Style, rng: np.random.Generator) -> Design:
    """A radio with a loudspeaker, two knobs and an aerial."""
    return Design(
        (
            box(0, 0, 0, 0.08, 0.26, 0.15, style.rgb),
            rod("x", (0.0415, 0.06, 0.078), 0.115, 0.003, shade(style.rgb, 0.5), "mesh"),
            box(0.0415, -0.065, 0.10, 0.003, 0.08, 0.022, PAPER, "paper"),
            *(rod("x", (0.046, -0.065 + sy * 0.026, 0.045), 0.032, 0.012, STEEL, "metal") for sy in (-1, 1)),
            disc(-0.02, -0.11, 0.15, 0.006, 0.16, STEEL, "metal"),
        )
    )


def suitcase(style: Style, rng: np.random.Generator) -> Design:
    """A suitcase that lies flat."""
    return Design(
        (
            box(0, 0, 0, 0.36, 0.54, 0.18, style.rgb),
            *(box(0, sy * 0.16, 0.0, 0.366, 0.035, 0.183, shade(style.rgb, 0.6)) for sy in (-1, 1)),
            *(box(0.20, sy * 0.06, 0.08, 0.04, 0.016, 0.022, DARK) for sy in (-1, 1)),
            box(0.22, 0, 0.08, 0.016, 0.136, 0.022, DARK),
        )
    )


def drum(style: Style, rng: np.random.Generator) -> Design:
    """A drum with bright skins."""
    return Design(
        (
            disc(0, 0, 0, 0.29, 0.025, shade(style.rgb, 0.65), "metal"),
            disc(0, 0, 0.025, 0.28, 0.17, style.rgb),
            disc(0, 0, 0.195, 0.29, 0.025, shade(style.rgb, 0.65), "metal"),
            disc(0, 0, 0.22, 0.27, 0.003, blend(PAPER, style.rgb, 0.75), "paper"),
        )
    )
