"""Builders of toys and instruments: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.geometry.design import (
    DARK,
    PAPER,
    STEEL,
    Design,
    Style,
    ball,
    box,
    disc,
    rod,
)
from vantage.scenes.spec.palette import COLORS, blend, shade
from vantage.scenes.spec.spec import Color, Part


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
            box(0.0355, 0, 0.075, 0.003, 0.06, 0.035, STEEL, "metal"),
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
            box(0.036, 0, 0.054, 0.003, 0.066, 0.024, glass, "glass"),
            box(-0.066, 0, 0.054, 0.003, 0.066, 0.024, glass, "glass"),
            *(box(-0.015, sy * 0.0395, 0.056, 0.082, 0.003, 0.022, glass, "glass") for sy in (-1, 1)),
            *(
                rod("y", (sx * 0.062, sy * 0.043, 0.019), 0.038, 0.016, DARK, "plastic")
                for sx in (-1, 1)
                for sy in (-1, 1)
            ),
            *(box(0.1005, sy * 0.028, 0.030, 0.003, 0.018, 0.012, (1.0, 0.95, 0.7), "light") for sy in (-1, 1)),
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


def guitar(style: Style, rng: np.random.Generator) -> Design:
    """A guitar on a low stand, its strings to the front."""
    neck, dark = (0.36, 0.22, 0.12), (0.16, 0.10, 0.07)
    return Design(
        (
            box(-0.02, 0, 0, 0.22, 0.30, 0.02, DARK, "metal"),
            box(-0.085, 0, 0.02, 0.02, 0.05, 0.46, DARK, "metal"),
            *(box(0.01, sy * 0.09, 0.02, 0.14, 0.025, 0.04, DARK, "metal") for sy in (-1, 1)),
            Part("cylinder", (0, 0, 0.24), (0.09, 0.38, 0.36), style.rgb, axis="x"),
            Part("cylinder", (0, 0, 0.43), (0.09, 0.28, 0.26), style.rgb, axis="x"),
            box(0, 0, 0.30, 0.09, 0.24, 0.14, style.rgb),
            rod("x", (0.046, 0, 0.38), 0.105, 0.004, dark, "wood"),
            box(0.050, 0, 0.20, 0.016, 0.14, 0.025, dark, "wood"),
            box(0.046, 0, 0.44, 0.024, 0.055, 0.44, neck, "wood"),
            box(0.040, 0, 0.88, 0.020, 0.080, 0.13, dark, "wood"),
            *(
                rod("y", (0.040, sy * 0.052, z), 0.018, 0.03, STEEL, "metal")
                for sy in (-1, 1)
                for z in (0.90, 0.94, 0.98)
            ),
            *(
                box(0.060, y, 0.22, 0.003, 0.003, 0.68, (0.85, 0.82, 0.70), "metal")
                for y in (-0.018, -0.006, 0.006, 0.018)
            ),
        )
    )
