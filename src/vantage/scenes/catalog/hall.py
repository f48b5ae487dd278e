"""Builders of what halls hold and people wear outside: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.geometry import (
    CUP,
    DARK,
    DIRT,
    OAK,
    STEEL,
    WHITE,
    Design,
    Style,
    ball,
    box,
    legs,
    length,
    rod,
    surface,
)
from vantage.scenes.spec import Color, Part, blend, shade

_SOLE: Color = (0.88, 0.86, 0.80)


def coat_rack(style: Style, rng: np.random.Generator) -> Design:
    """A board with pegs on a wall, under a shelf for hats."""
    width = length(rng, 0.70, 0.95)
    pegs = [0.22 * width * k for k in (-1.5, -0.5, 0.5, 1.5)]
    dark = shade(style.rgb, 0.85)
    return Design(
        (
            box(-0.11, 0, 0, 0.025, width, 0.22, style.rgb),
            box(0, 0, 0.22, 0.245, width, 0.022, style.rgb),
            *(box(-0.035, sy * (0.5 * width - 0.03), 0.11, 0.125, 0.022, 0.11, dark) for sy in (-1, 1)),
            *(rod("x", (-0.055, y, 0.07), 0.022, 0.10, STEEL, "metal") for y in pegs),
            *(ball(-0.005, y, 0.052, 0.036, 0.036, 0.036, STEEL, "metal") for y in pegs),
        ),
        (surface("on", "shelf", 0.242, 0.21, width - 0.04, 0.35, x=0.005),),
    )


def shoe_rack(style: Style, rng: np.random.Generator) -> Design:
    """A low rack with three levels for shoes."""
    depth, width, height, board = 0.32, length(rng, 0.65, 0.90), 0.60, 0.018
    levels = (0.08, 0.33)
    return Design(
        (
            *(box(0, sy * 0.5 * (width - board), 0, depth, board, height, style.rgb) for sy in (-1, 1)),
            *(box(0, 0, z, depth, width - 2 * board, board, style.rgb) for z in (*levels, height - board)),
        ),
        (
            *(
                surface("on", f"level {k + 1}", z + board, depth - 0.01, width - 2 * board - 0.02, 0.21)
                for k, z in enumerate(levels)
            ),
            surface("on", "top", height, depth, width - 0.02, 0.6),
        ),
    )


def shoe(style: Style, rng: np.random.Generator) -> Design:
    """One shoe, its toe to the front; a dirty one is muddy."""
    laces = ((-0.004, 0.094), (0.016, 0.092), (0.036, 0.086))
    parts = [
        Part("cylinder", (0.055, 0, 0.011), (0.18, 0.100, 0.022), _SOLE, look="plastic"),
        box(-0.05, 0, 0, 0.16, 0.082, 0.022, _SOLE, "plastic"),
        Part("ellipsoid", (0.035, 0, 0.050), (0.205, 0.092, 0.096), style.rgb),
        Part("cylinder", (-0.060, 0, 0.052), (0.145, 0.078, 0.060), style.rgb),
        Part("cylinder", (-0.062, 0, 0.088), (0.115, 0.070, 0.024), shade(style.rgb, 0.85), CUP),
        *(box(x, 0, z - 0.006, 0.008, 0.050, 0.008, WHITE, "fabric") for x, z in laces),
    ]
    if "dirty" in style.states:
        parts += [
            *(
                ball(x, sy * 0.036, 0.012, 0.06, 0.026, 0.034, DIRT, "soil")
                for x in (-0.09, -0.01, 0.07)
                for sy in (-1, 1)
            ),
            ball(0.105, 0, 0.012, 0.045, 0.06, 0.034, DIRT, "soil"),
        ]
    return Design(tuple(parts))


def umbrella(style: Style, rng: np.random.Generator) -> Design:
    """A closed umbrella, lying, its tip to the left (y-)."""
    thick = 0.085
    return Design(
        (
            rod("y", (0, -0.15, 0.5 * thick), thick, 0.52, style.rgb, "fabric", (0.16, 1.0)),
            rod("y", (0, 0.13, 0.5 * thick), 0.055, 0.05, shade(style.rgb, 0.8), "fabric"),
            rod("y", (0, -0.44, 0.5 * thick), 0.012, 0.07, STEEL, "metal"),
            rod("y", (0, 0.24, 0.5 * thick), 0.014, 0.20, STEEL, "metal"),
            rod("y", (0, 0.38, 0.5 * thick), 0.030, 0.12, shade(OAK, 0.7), "wood"),
            rod("x", (0.035, 0.425, 0.5 * thick), 0.030, 0.10, shade(OAK, 0.7), "wood"),
            rod("y", (0.078, 0.40, 0.5 * thick), 0.030, 0.07, shade(OAK, 0.7), "wood"),
        )
    )


def backpack(style: Style, rng: np.random.Generator) -> Design:
    """A backpack that stands, its pocket to the front."""
    dark = shade(style.rgb, 0.7)
    return Design(
        (
            box(0, 0, 0, 0.17, 0.30, 0.32, style.rgb),
            Part("cylinder", (0, 0, 0.32), (0.17, 0.30, 0.20), style.rgb, axis="x"),
            box(0.105, 0, 0.02, 0.06, 0.23, 0.19, shade(style.rgb, 0.88)),
            box(0.136, 0, 0.165, 0.004, 0.20, 0.010, DARK, "metal"),
            box(0.086, 0, 0.30, 0.004, 0.22, 0.010, DARK, "metal"),
            *(box(-0.10, sy * 0.08, 0.04, 0.03, 0.05, 0.33, dark) for sy in (-1, 1)),
            *(box(-0.02, sy * 0.02, 0.41, 0.02, 0.012, 0.045, dark) for sy in (-1, 1)),
            box(-0.02, 0, 0.45, 0.02, 0.052, 0.012, dark),
            *(box(0.01, sy * 0.165, 0.02, 0.10, 0.03, 0.14, dark) for sy in (-1, 1)),
        )
    )


def bench(style: Style, rng: np.random.Generator) -> Design:
    """A bench of three planks on two trestles."""
    depth, width, height = 0.36, length(rng, 0.95, 1.30), 0.45
    planks = (-0.125, 0.0, 0.125)
    return Design(
        (
            *(box(x, 0, height - 0.035, 0.110, width, 0.035, style.rgb) for x in planks),
            *(
                box(0, sy * (0.5 * width - 0.12), height - 0.085, depth - 0.02, 0.06, 0.05, shade(style.rgb, 0.85))
                for sy in (-1, 1)
            ),
            *legs(depth - 0.04, width - 0.18, 0.06, height - 0.085, shade(style.rgb, 0.85)),
            box(0, 0, 0.14, 0.05, width - 0.30, 0.04, shade(style.rgb, 0.85)),
        ),
        tuple(surface("on", f"plank {k + 1}", height, 0.110, width - 0.04, x=x) for k, x in enumerate(planks)),
    )


def helmet(style: Style, rng: np.random.Generator) -> Design:
    """A bicycle helmet with vents and straps, its front to x+."""
    light = blend(style.rgb, WHITE, 0.55)
    return Design(
        (
            Part("cylinder", (0, 0, 0.006), (0.270, 0.205, 0.012), DARK, look="plastic"),
            Part("cylinder", (0, 0, 0.040), (0.285, 0.218, 0.060), style.rgb),
            Part("ellipsoid", (0, 0, 0.090), (0.300, 0.230, 0.160), style.rgb),
            *(Part("ellipsoid", (0.01, y, 0.140), (0.18, 0.026, 0.064), light) for y in (-0.055, 0.0, 0.055)),
            *(Part("ellipsoid", (0.0, y, 0.140), (0.16, 0.018, 0.066), DARK) for y in (-0.028, 0.028)),
            box(0.155, 0, 0.050, 0.055, 0.13, 0.010, shade(style.rgb, 0.6)),
        )
    )
