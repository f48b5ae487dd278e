"""Builders of lamps, clocks and what plays pictures and sound: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.geometry import DARK, PAPER, STEEL, TUBE, Design, Style, ball, box, disc, panel, rod
from vantage.scenes.spec import COLORS, Color, Part, shade

_BULB: Color = (1.0, 0.96, 0.82)
_UNLIT_BULB: Color = (0.80, 0.80, 0.78)


def _shade_and_bulb(style: Style, z: float, diameter: float, height: float, narrow: float) -> list[Part]:
    """A lamp shade whose lower edge is at z, and the bulb in it; where the lamp is on, light fills the shade."""
    size, bulb_z = 0.25 * diameter, z + 0.17 * height
    if "on" not in style.states:
        shell = disc(0, 0, z, diameter, height, shade(style.rgb, 0.92), "fabric", TUBE, ends=(1.0, narrow))
        return [shell, ball(0, 0, bulb_z, size, size, 1.3 * size, _UNLIT_BULB, "glass")]
    return [
        disc(0, 0, z, diameter, height, style.rgb, "glow", TUBE, ends=(1.0, narrow)),
        ball(0, 0, bulb_z, size, size, 1.3 * size, _BULB, "light"),
        disc(0, 0, z + 0.02, 0.92 * diameter, 0.004, _BULB, "light"),
        disc(0, 0, z + height - 0.025, 0.92 * narrow * diameter, 0.004, _BULB, "light"),
    ]


def floor_lamp(style: Style, rng: np.random.Generator) -> Design:
    """A standing lamp; the shade has the color."""
    pole = shade(style.rgb, 0.6)
    return Design(
        (
            disc(0, 0, 0, 0.28, 0.025, pole, "metal"),
            disc(0, 0, 0.025, 0.022, 1.20, pole, "metal"),
            *_shade_and_bulb(style, 1.20, 0.36, 0.30, 0.68),
        )
    )


def table_lamp(style: Style, rng: np.random.Generator) -> Design:
    """A small lamp; the shade has the color."""
    pole = shade(style.rgb, 0.6)
    return Design(
        (
            disc(0, 0, 0, 0.13, 0.02, pole, "metal"),
            disc(0, 0, 0.02, 0.02, 0.20, pole, "metal"),
            *_shade_and_bulb(style, 0.21, 0.24, 0.17, 0.62),
        )
    )


def lantern(style: Style, rng: np.random.Generator) -> Design:
    """A lantern with a candle between four posts under a pointed roof; the candle burns where it is on."""
    lit = "on" in style.states
    parts = [
        box(0, 0, 0, 0.15, 0.15, 0.025, style.rgb),
        *(box(sx * 0.060, sy * 0.060, 0.025, 0.016, 0.016, 0.17, style.rgb) for sx in (-1, 1) for sy in (-1, 1)),
        box(0, 0, 0.195, 0.16, 0.16, 0.018, style.rgb),
        disc(0, 0, 0.213, 0.150, 0.060, style.rgb, "", (), ends=(1.0, 0.25)),
        disc(0, 0, 0.025, 0.065, 0.090, PAPER, "skin"),
        disc(0, 0, 0.115, 0.006, 0.012, DARK),
        *(box(0, sy * 0.030, 0.270, 0.010, 0.010, 0.045, style.rgb) for sy in (-1, 1)),
        box(0, 0, 0.310, 0.010, 0.070, 0.010, style.rgb),
    ]
    if lit:
        parts.append(ball(0, 0, 0.118, 0.045, 0.045, 0.065, (1.0, 0.80, 0.30), "light"))
    return Design(tuple(parts))


def clock(style: Style, rng: np.random.Generator) -> Design:
    """A round clock that stands on a foot, its face to the front."""
    return Design(
        (
            box(0, 0, 0, 0.07, 0.11, 0.018, shade(style.rgb, 0.9)),
            rod("x", (0, 0, 0.108), 0.18, 0.05, shade(style.rgb, 0.85)),
            rod("x", (0.0265, 0, 0.108), 0.15, 0.003, style.rgb, "clock face"),
        )
    )


def alarm_clock(style: Style, rng: np.random.Generator) -> Design:
    """A small clock with two bells on top and two feet."""
    return Design(
        (
            *(disc(0, sy * 0.035, 0, 0.016, 0.022, STEEL, "metal") for sy in (-1, 1)),
            rod("x", (0, 0, 0.075), 0.115, 0.05, shade(style.rgb, 0.9)),
            rod("x", (0.0265, 0, 0.075), 0.10, 0.003, style.rgb, "clock face"),
            *(ball(0, sy * 0.038, 0.122, 0.042, 0.048, 0.034, shade(style.rgb, 0.8)) for sy in (-1, 1)),
            disc(0, 0, 0.125, 0.010, 0.030, STEEL, "metal"),
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


def square_wall_clock(style: Style, rng: np.random.Generator) -> Design:
    """A square clock that hangs with its back at x = -0.02."""
    return Design(
        (
            box(0, 0, 0, 0.04, 0.30, 0.30, shade(style.rgb, 0.85)),
            rod("x", (0.0215, 0, 0.15), 0.27, 0.003, style.rgb, "clock face"),
        )
    )


def television(style: Style, rng: np.random.Generator) -> Design:
    """A flat screen on a foot; where it is on, it shows a film."""
    color: Color
    if "on" in style.states:
        color, look = (0.30, 0.50, 0.75), "film"
    else:
        color, look = (0.05, 0.06, 0.08), "dark screen"
    return Design(
        (
            box(0, 0, 0, 0.18, 0.32, 0.015, style.rgb),
            box(-0.01, 0, 0.015, 0.03, 0.06, 0.06, style.rgb),
            box(0, 0, 0.07, 0.04, 0.80, 0.46, style.rgb),
            panel(0.0225, 0, 0.082, 0.776, 0.436, color, look),
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


def remote(style: Style, rng: np.random.Generator) -> Design:
    """A remote control, lying, with rows of buttons."""
    button = shade(style.rgb, 0.6) if style.color != "black" else (0.50, 0.50, 0.52)
    return Design(
        (
            box(0, 0, 0, 0.050, 0.175, 0.018, style.rgb),
            disc(0, 0.070, 0.017, 0.014, 0.005, COLORS["red"], "plastic"),
            disc(0, 0.030, 0.017, 0.034, 0.004, button, "plastic"),
            *(
                disc(0.014 * column, -0.008 - 0.020 * row, 0.017, 0.010, 0.004, button, "plastic")
                for column in (-1, 0, 1)
                for row in range(4)
            ),
        )
    )


def speaker(style: Style, rng: np.random.Generator) -> Design:
    """A loudspeaker with a small and a large cone."""
    ring = shade(style.rgb, 0.6) if style.color != "black" else (0.30, 0.30, 0.32)
    parts = [box(0, 0, 0, 0.19, 0.18, 0.30, style.rgb)]
    for z, size in ((0.105, 0.145), (0.235, 0.075)):
        parts += [
            rod("x", (0.096, 0, z), size, 0.006, ring, "plastic"),
            rod("x", (0.100, 0, z), 0.82 * size, 0.004, shade(DARK, 0.8), "mesh"),
            ball(0.100, 0, z - 0.17 * size, 0.012, 0.34 * size, 0.34 * size, STEEL, "metal"),
        ]
    return Design(tuple(parts))
