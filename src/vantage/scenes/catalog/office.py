"""Builders of what offices hold: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.geometry import (
    DARK,
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
    panel,
    rod,
    surface,
)
from vantage.scenes.spec import COLORS, Color, Part, shade

_LIT: Color = (0.16, 0.30, 0.46)
_UNLIT: Color = (0.05, 0.06, 0.08)
_LAMP_GREEN: Color = (0.20, 0.90, 0.35)


def office_chair(style: Style, rng: np.random.Generator) -> Design:
    """A swivel chair on a star of five castors, drawn as a cross."""
    parts = [
        *(box(0, 0, 0.07, *size, 0.03, DARK, "plastic") for size in ((0.58, 0.05), (0.05, 0.58))),
        *(ball(x, y, 0, 0.06, 0.06, 0.07, DARK, "plastic") for x, y in ((0.27, 0), (-0.27, 0), (0, 0.27), (0, -0.27))),
        disc(0, 0, 0.10, 0.05, 0.32, STEEL, "metal"),
        box(0.02, 0, 0.42, 0.48, 0.48, 0.035, DARK, "plastic"),
        box(0.02, 0, 0.455, 0.48, 0.48, 0.06, style.rgb),
        box(-0.23, 0, 0.44, 0.04, 0.08, 0.22, DARK, "plastic"),
        box(-0.21, 0, 0.58, 0.06, 0.44, 0.50, style.rgb),
        *(box(0.0, sy * 0.27, 0.66, 0.26, 0.05, 0.03, DARK, "plastic") for sy in (-1, 1)),
        *(box(-0.02, sy * 0.27, 0.44, 0.04, 0.04, 0.22, DARK, "plastic") for sy in (-1, 1)),
    ]
    return Design(tuple(parts), (surface("on", "seat", 0.515, 0.34, 0.40, x=0.05),))


def _screen(style: Style, x: float, z: float, width: float, height: float) -> Part:
    """What a screen shows: windows where it is on, nothing where it is off."""
    if "on" in style.states:
        return panel(x, 0, z, width, height, _LIT, "screen")
    return panel(x, 0, z, width, height, _UNLIT, "dark screen")


def monitor(style: Style, rng: np.random.Generator) -> Design:
    """A screen on a stand; where it is on, it shows windows."""
    return Design(
        (
            box(0, 0, 0, 0.18, 0.24, 0.012, style.rgb),
            box(-0.035, 0, 0.012, 0.025, 0.06, 0.22, style.rgb),
            box(0, 0, 0.11, 0.035, 0.56, 0.34, style.rgb),
            _screen(style, 0.0195, 0.13, 0.53, 0.305),
        )
    )


def laptop(style: Style, rng: np.random.Generator) -> Design:
    """A laptop whose lid stands up, its keys to the front; where it is on, it shows windows."""
    return Design(
        (
            box(0.02, 0, 0, 0.23, 0.33, 0.018, style.rgb),
            box(0.005, 0, 0.0165, 0.12, 0.29, 0.003, shade(style.rgb, 0.55), "keys"),
            box(0.100, 0, 0.0165, 0.05, 0.09, 0.0025, shade(style.rgb, 0.8)),
            box(-0.10, 0, 0.0, 0.012, 0.33, 0.235, style.rgb),
            _screen(style, -0.0925, 0.028, 0.30, 0.19),
        )
    )


def keyboard(style: Style, rng: np.random.Generator) -> Design:
    """A keyboard with its blocks of keys."""
    keys = shade(style.rgb, 0.72) if style.color != "black" else (0.24, 0.24, 0.26)
    return Design(
        (
            box(0, 0, 0, 0.145, 0.43, 0.016, style.rgb),
            box(0, -0.055, 0.015, 0.115, 0.30, 0.006, keys, "keys"),
            box(0, 0.155, 0.015, 0.115, 0.095, 0.006, keys, "keys"),
        )
    )


def mouse(style: Style, rng: np.random.Generator) -> Design:
    """A computer mouse with two buttons and a wheel, pointing away from its front."""
    return Design(
        (
            ball(0, 0, 0, 0.118, 0.068, 0.042, style.rgb),
            ball(0.0, 0, 0, 0.110, 0.074, 0.020, shade(style.rgb, 0.8)),
            box(-0.030, 0, 0.030, 0.045, 0.003, 0.0085, DARK),
            rod("y", (-0.026, 0, 0.036), 0.016, 0.008, STEEL, "plastic"),
        )
    )


def printer(style: Style, rng: np.random.Generator) -> Design:
    """A printer with a page coming out at its front."""
    return Design(
        (
            box(-0.02, 0, 0, 0.36, 0.44, 0.17, style.rgb),
            box(-0.04, 0, 0.17, 0.30, 0.42, 0.025, shade(style.rgb, 0.85)),
            box(0.161, 0, 0.045, 0.004, 0.33, 0.055, DARK),
            box(0.20, 0, 0.035, 0.10, 0.30, 0.010, shade(DARK, 1.8), "plastic"),
            box(0.195, 0, 0.045, 0.10, 0.21, 0.004, WHITE, "lines"),
            panel(0.163, 0.15, 0.125, 0.08, 0.03, DARK, "plastic"),
            rod("x", (0.163, -0.16, 0.14), 0.016, 0.006, _LAMP_GREEN, "plastic"),
        )
    )


def binder(style: Style, rng: np.random.Generator) -> Design:
    """A wide ring binder that stands with its printed spine to the front."""
    depth, width, height = 0.28, 0.110, 0.315
    front = 0.5 * depth
    return Design(
        (
            box(front - 0.002, 0, 0, 0.004, width, height, style.rgb),
            *(box(0, sy * 0.5 * (width - 0.004), 0, depth, 0.004, height, style.rgb) for sy in (-1, 1)),
            box(-0.01, 0, 0.004, depth - 0.030, width - 0.012, height - 0.020, PAPER, "pages"),
            label(front + 0.002, 0, 0.175, width - 0.010, 0.060, style.text),
            rod("x", (front + 0.002, 0, 0.075), 0.034, 0.005, DARK, "metal"),
        )
    )


def whiteboard(style: Style, rng: np.random.Generator) -> Design:
    """A white board on a wall with notes on it, a ledge and two pens."""
    width, height, bar = length(rng, 0.95, 1.25), length(rng, 0.65, 0.80), 0.03
    pens = ((-0.12, "blue"), (0.10, "red"))
    return Design(
        (
            box(0, 0, 0.02, 0.03, width, height, STEEL, "metal"),
            panel(0.0175, 0, 0.02 + bar, width - 2 * bar, height - 2 * bar, style.rgb, "lines"),
            box(0.035, 0, 0, 0.10, 0.55 * width, 0.015, STEEL, "metal"),
            *(rod("y", (0.05, y, 0.024), 0.018, 0.13, COLORS[word], "plastic") for y, word in pens),
            box(0.04, 0.22 * width, 0.015, 0.04, 0.11, 0.035, DARK, "fabric"),
        )
    )


def folder_tray(style: Style, rng: np.random.Generator) -> Design:
    """Two trays for letters, one above the other; full ones hold stacks of paper."""
    depth, width, wall = 0.32, 0.25, 0.005
    parts: list[Part] = []
    for z in (0.0, 0.085):
        parts += [
            box(0, 0, z, depth, width, wall, style.rgb),
            box(-0.5 * (depth - wall), 0, z + wall, wall, width, 0.05, style.rgb),
            *(box(0, sy * 0.5 * (width - wall), z + wall, depth, wall, 0.05, style.rgb) for sy in (-1, 1)),
        ]
        if "full" in style.states:
            parts += [
                box(0.005, 0, z + wall, depth - 0.02, width - 0.025, 0.034, PAPER, "pages"),
                box(0.005, 0, z + wall + 0.034, depth - 0.02, width - 0.025, 0.003, WHITE, "lines"),
            ]
    parts += [
        box(sx * 0.5 * (depth - 0.02), sy * 0.5 * (width - wall), 0.055, 0.02, wall, 0.03, style.rgb)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    return Design(tuple(parts))


def calendar(style: Style, rng: np.random.Generator) -> Design:
    """A calendar on a wall: a picture above, the month and its days below."""
    width, height = 0.32, 0.50
    return Design(
        (
            box(0, 0, 0, 0.010, width, height, style.rgb, "paper"),
            panel(0.0075, 0, 0.30, width, 0.20, style.rgb, "painting"),
            box(0.003, 0, 0.225, 0.010, width, 0.075, style.rgb, "paper"),
            label(0.0105, 0, 0.232, 0.24, 0.060, style.text),
            panel(0.0075, 0, 0.015, width - 0.04, 0.19, WHITE, "days"),
            rod("y", (0.004, 0, height - 0.006), 0.012, width - 0.04, DARK, "metal"),
        )
    )
