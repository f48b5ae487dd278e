"""Builders of small objects, toys, boxes and cases: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import math

import numpy as np

from vantage.scenes.catalog.containers import lid, tub
from vantage.scenes.geometry import (
    DARK,
    LEAF,
    PAPER,
    STEEL,
    Design,
    Style,
    ball,
    box,
    disc,
    hinge,
    label,
    length,
    named,
    opened,
    rod,
    sleeve,
    surface,
)
from vantage.scenes.spec import COLORS, Color, Part, blend, shade

_BARK: Color = (0.35, 0.24, 0.14)


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


def carton(style: Style, rng: np.random.Generator) -> Design:
    """A printed box with two flaps; closed, a strip of tape runs along their seam."""
    depth, width, height = length(rng, 0.22, 0.34), length(rng, 0.28, 0.44), length(rng, 0.18, 0.30)
    wall, flap = 0.006, 0.006
    rim = height - flap
    tape = blend(style.rgb, PAPER, 0.35)
    parts = [
        *tub(depth, width, 0, rim, wall, style.rgb, "paper"),
        label(0.5 * depth + 0.002, 0, 0.5 * height - 0.035, 0.20, 0.07, style.text),
    ]
    joints = []
    for number, side in ((1, -1), (2, 1)):
        name = f"flap {number}"
        parts += named(
            name,
            (
                box(0, side * 0.25 * width, rim, depth, 0.5 * width - 0.001, flap, style.rgb, "paper"),
                box(0, side * 0.012, rim + flap - 0.002, depth, 0.022, 0.003, tape, "paper"),
            ),
        )
        joints.append(hinge(name, (-float(side), 0.0, 0.0), (0.0, side * 0.5 * width, rim)))
    inside = surface("in", "inside", wall, depth - 0.03, width - 0.03, rim - 0.02)
    if "open" in style.states:
        return opened(Design(tuple(parts), (inside,), tuple(joints)))
    top = surface("on", "top", height, depth - 0.01, 0.5 * width - 0.05, y=0.25 * width + 0.01)
    return Design(tuple(parts), (top, inside), tuple(joints))


def hat_box(style: Style, rng: np.random.Generator) -> Design:
    """A closed round box with a lid and a print around it."""
    diameter, height = length(rng, 0.24, 0.34), length(rng, 0.14, 0.20)
    return Design(
        (
            disc(0, 0, 0, diameter, height, style.rgb, "paper"),
            sleeve(0.25 * height, diameter + 0.004, 0.06, style.text),
            disc(0, 0, 0.75 * height, diameter + 0.014, 0.25 * height, shade(style.rgb, 0.85), "paper"),
        ),
        (surface("on", "top", height, 0.66 * diameter, 0.66 * diameter, 0.4),),
    )


def suitcase(style: Style, rng: np.random.Generator) -> Design:
    """A suitcase that lies flat, with two straps and a grip at the front; its upper shell goes up."""
    depth, width, height, wall = 0.36, length(rng, 0.50, 0.62), 0.18, 0.008
    rim = 0.12
    front, strap = 0.5 * depth, shade(style.rgb, 0.6)
    parts = [
        *tub(depth, width, 0, rim, wall, style.rgb),
        *(box(front + 0.002, sy * 0.3 * width, 0, 0.006, 0.035, rim, strap) for sy in (-1, 1)),
        *(box(front + 0.02, sy * 0.06, 0.06, 0.04, 0.016, 0.022, DARK, "leather") for sy in (-1, 1)),
        box(front + 0.04, 0, 0.06, 0.016, 0.136, 0.022, DARK, "leather"),
        *named(
            "lid",
            (
                box(0, 0, height - wall, depth, width, wall, style.rgb),
                *(
                    box(sx * 0.5 * (depth - wall), 0, rim, wall, width, height - rim - wall, style.rgb)
                    for sx in (-1, 1)
                ),
                *(
                    box(0, sy * 0.5 * (width - wall), rim, depth - 2 * wall, wall, height - rim - wall, style.rgb)
                    for sy in (-1, 1)
                ),
                *(box(0.002, sy * 0.3 * width, height - 0.003, depth + 0.004, 0.035, 0.006, strap) for sy in (-1, 1)),
            ),
        ),
    ]
    joints = (lid("lid", -front, rim),)
    inside = surface("in", "inside", wall, depth - 0.04, width - 0.04, rim - 0.02)
    if "open" in style.states:
        return opened(Design(tuple(parts), (inside,), joints))
    return Design(tuple(parts), (surface("on", "top", height, depth - 0.04, 0.5 * width), inside), joints)


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
