"""Builders of what stands in bathrooms: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import math

import numpy as np

from vantage.scenes.catalog.containers import case, lid, tub
from vantage.scenes.geometry import (
    DARK,
    GLASS,
    PAPER,
    STEEL,
    TUBE,
    WATER,
    WHITE,
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
    panel,
    rod,
    sleeve,
    surface,
)
from vantage.scenes.spec import COLORS, Part, blend, shade


def toilet(style: Style, rng: np.random.Generator) -> Design:
    """A toilet with its cistern at the back; the lid goes up."""
    seat_x, hinge_x, rim = 0.10, -0.10, 0.40
    water = Part("cylinder", (seat_x, 0, 0.30), (0.26, 0.20, 0.006), WATER, look="water")
    bowl = Part("cone", (seat_x, 0, 0.5 * (0.10 + rim)), (0.44, 0.36, rim - 0.10), style.rgb, TUBE, ends=(0.62, 1.0))
    inner = Part("cone", (seat_x, 0, 0.345), (0.36, 0.28, 0.10), shade(style.rgb, 0.96), TUBE, ends=(0.7, 1.0))
    foot = Part("cylinder", (0.04, 0, 0.10), (0.40, 0.24, 0.20), style.rgb)
    seat = shade(style.rgb, 0.97)
    parts = [
        foot,
        bowl,
        inner,
        water,
        box(-0.20, 0, 0, 0.22, 0.22, 0.38, style.rgb),
        box(-0.22, 0, 0.38, 0.19, 0.38, 0.36, style.rgb),
        box(-0.22, 0, 0.74, 0.21, 0.40, 0.03, style.rgb),
        disc(-0.22, 0, 0.77, 0.05, 0.008, STEEL, "metal"),
        Part("cone", (seat_x, 0, rim + 0.008), (0.44, 0.36, 0.016), seat, TUBE, ends=(1.0, 0.80)),
        *named("lid", (Part("cylinder", (0.115, 0, rim + 0.028), (0.43, 0.37, 0.022), style.rgb),)),
    ]
    surfaces = (surface("on", "cistern", 0.77, 0.17, 0.13, 0.6, x=-0.22, y=-0.11),)
    design = Design(tuple(parts), surfaces, (lid("lid", hinge_x, rim + 0.017),))
    return opened(design) if "open" in style.states else design


def bathtub(style: Style, rng: np.random.Generator) -> Design:
    """A bathtub with a tap at one end; a full one holds water."""
    depth, width, height, wall = 0.75, length(rng, 1.55, 1.75), 0.56, 0.06
    parts = [
        *tub(depth, width, 0, height, wall, style.rgb, floor=0.12),
        disc(0, 0.5 * width - 0.18, 0.12, 0.05, 0.003, STEEL, "metal"),
        disc(0, 0.5 * width - 0.03, height, 0.04, 0.10, STEEL, "metal"),
        rod("y", (0, 0.5 * width - 0.09, height + 0.09), 0.035, 0.16, STEEL, "metal"),
        *(disc(sx * 0.09, 0.5 * width - 0.03, height, 0.05, 0.05, STEEL, "metal") for sx in (-1, 1)),
    ]
    if "full" in style.states:
        water = box(0, 0, 0.40, depth - 2 * wall, width - 2 * wall, 0.006, WATER, "water")
        parts.append(water)
    return Design(tuple(parts))


def washbasin(style: Style, rng: np.random.Generator) -> Design:
    """A basin of ceramic on a pedestal, with a tap."""
    top, depth, width = 0.84, 0.46, length(rng, 0.54, 0.64)
    inner_depth, inner_width, low = depth - 0.14, width - 0.10, top - 0.13
    x = 0.03
    back = x - 0.5 * inner_depth + 0.5 * depth
    front = 0.5 * depth - x - 0.5 * inner_depth
    side = 0.5 * (width - inner_width)
    rise = top - low
    return Design(
        (
            disc(-0.06, 0, 0, 0.20, low - 0.02, style.rgb, "", (), ends=(1.0, 0.8)),
            box(0, 0, low - 0.02, depth, width, 0.02, style.rgb),
            box(-0.5 * (depth - back), 0, low, back, width, rise, style.rgb),
            box(0.5 * (depth - front), 0, low, front, width, rise, style.rgb),
            *(box(x, sy * 0.5 * (width - side), low, inner_depth, side, rise, style.rgb) for sy in (-1, 1)),
            disc(x, 0, low, 0.045, 0.003, STEEL, "metal"),
            disc(-0.17, 0, top, 0.045, 0.13, STEEL, "metal"),
            rod("x", (-0.11, 0, top + 0.12), 0.026, 0.13, STEEL, "metal"),
            box(-0.17, 0, top + 0.13, 0.05, 0.016, 0.012, STEEL, "metal"),
        ),
        (
            surface("in", "basin", low, inner_depth - 0.04, inner_width - 0.04, 0.24, x=x),
            surface("on", "left rim", top, 0.09, 0.5 * width - 0.06, 0.4, x=-0.175, y=-0.25 * width - 0.015),
            surface("on", "right rim", top, 0.09, 0.5 * width - 0.06, 0.4, x=-0.175, y=0.25 * width + 0.015),
        ),
    )


def towel(style: Style, rng: np.random.Generator) -> Design:
    """A towel that hangs over a bar on a wall; a dirty one has stains."""
    width, height = length(rng, 0.40, 0.55), length(rng, 0.55, 0.75)
    parts = [
        rod("y", (0, 0, height - 0.012), 0.018, width + 0.14, STEEL, "metal"),
        *(box(-0.03, sy * (0.5 * width + 0.05), height - 0.022, 0.06, 0.022, 0.022, STEEL, "metal") for sy in (-1, 1)),
        box(0.016, 0, 0, 0.014, width, height - 0.005, style.rgb),
        box(-0.016, 0, 0.16, 0.014, width, height - 0.165, shade(style.rgb, 0.93)),
        box(0, 0, height - 0.006, 0.046, width, 0.012, style.rgb),
        *(box(0.017, 0, z, 0.014, width, 0.022, shade(style.rgb, 0.72)) for z in (0.05, 0.09)),
    ]
    if "dirty" in style.states:
        parts += _stains(0.024, width, height)
    return Design(tuple(parts))


def _stains(x: float, width: float, height: float) -> list[Part]:
    spots = ((-0.22, 0.35, 0.10), (0.18, 0.55, 0.13), (0.02, 0.72, 0.07), (0.28, 0.28, 0.06), (-0.30, 0.62, 0.05))
    return [rod("x", (x, y * width, z * height), size, 0.004, (0.36, 0.25, 0.13), "soil") for y, z, size in spots]


def folded_towel(style: Style, rng: np.random.Generator) -> Design:
    """A folded towel, lying."""
    parts = [
        box(0, 0, 0.028 * k, 0.24 - 0.006 * k, 0.34 - 0.006 * k, 0.026, shade(style.rgb, 1.0 - 0.05 * (k % 2)))
        for k in range(3)
    ]
    fold = Part("cylinder", (0.117, 0, 0.041), (0.05, 0.32, 0.082), style.rgb, axis="y")
    return Design((*parts, fold), (surface("on", "top", 0.082, 0.18, 0.28, 0.3),))


def soap_dispenser(style: Style, rng: np.random.Generator) -> Design:
    """A bottle with a pump and a print."""
    return Design(
        (
            disc(0, 0, 0, 0.084, 0.135, style.rgb),
            sleeve(0.045, 0.088, 0.045, style.text),
            disc(0, 0, 0.135, 0.034, 0.018, WHITE, "plastic"),
            disc(0, 0, 0.153, 0.012, 0.035, WHITE, "plastic"),
            box(0.014, 0, 0.183, 0.058, 0.018, 0.012, WHITE, "plastic"),
        )
    )


def shampoo(style: Style, rng: np.random.Generator) -> Design:
    """A flat bottle that stands on its lid, with a print."""
    body = Part("cylinder", (0, 0, 0.125), (0.060, 0.108, 0.17), style.rgb)
    return Design(
        (
            box(0, 0, 0, 0.046, 0.070, 0.042, shade(style.rgb, 0.6)),
            body,
            box(0.012, 0, 0.080, 0.040, 0.094, 0.060, style.rgb),
            label(0.034, 0, 0.085, 0.090, 0.050, style.text),
        )
    )


def toilet_paper(style: Style, rng: np.random.Generator) -> Design:
    """A roll of paper, standing."""
    return Design(
        (
            disc(0, 0, 0, 0.115, 0.10, style.rgb, "paper"),
            disc(0, 0, 0.099, 0.044, 0.003, (0.55, 0.43, 0.30), "paper"),
            disc(0, 0, 0.100, 0.034, 0.003, DARK, "paper"),
            box(0.056, 0.012, 0.0, 0.005, 0.05, 0.10, shade(style.rgb, 0.96), "paper"),
        )
    )


def toothbrush(style: Style, rng: np.random.Generator) -> Design:
    """A toothbrush, lying."""
    return Design(
        (
            box(0, -0.025, 0, 0.015, 0.13, 0.011, style.rgb),
            box(0, 0.065, 0.002, 0.009, 0.06, 0.007, style.rgb),
            box(0, 0.082, 0.008, 0.012, 0.030, 0.013, blend(WHITE, style.rgb, 0.15), "plastic"),
        )
    )


def washing_machine(style: Style, rng: np.random.Generator) -> Design:
    """A washing machine with a round door at its front."""
    depth, width, height, board = 0.58, 0.60, 0.85, 0.02
    hole, middle, front = 0.34, 0.42, 0.5 * 0.58
    side, bottom, top = 0.5 * (width - hole), middle - 0.5 * hole, height - middle - 0.5 * hole
    drum = Part("cylinder", (0, 0, middle), (depth - 0.06, hole + 0.12, hole + 0.12), STEEL, ("x+",), "x", look="metal")
    parts = [
        *case(depth - board, width, 0.0, height, style.rgb, x=-0.5 * board),
        *(box(front - 0.5 * board, sy * 0.5 * (width - side), 0, board, side, height, style.rgb) for sy in (-1, 1)),
        box(front - 0.5 * board, 0, 0, board, hole, bottom, style.rgb),
        box(front - 0.5 * board, 0, middle + 0.5 * hole, board, hole, top, style.rgb),
        drum,
        box(0, 0, middle - 0.19, depth - 0.10, 0.22, 0.012, shade(STEEL, 0.9), "metal"),
        rod("x", (front + 0.006, 0, middle), 0.50, 0.012, shade(style.rgb, 0.9), "", (1.0, 0.66), ("x+", "x-")),
        panel(front + 0.003, -0.20, 0.73, 0.14, 0.08, shade(style.rgb, 0.85), "plastic"),
        rod("x", (front + 0.010, 0.0, 0.77), 0.065, 0.020, STEEL, "metal"),
        panel(front + 0.003, 0.18, 0.745, 0.14, 0.05, DARK, "plastic"),
        *named(
            "door",
            (
                rod("x", (front + 0.027, 0, middle), 0.40, 0.028, shade(style.rgb, 0.75)),
                rod("x", (front + 0.042, 0, middle), 0.29, 0.010, shade(GLASS, 0.5), "glass"),
                box(front + 0.045, 0.18, middle - 0.035, 0.016, 0.026, 0.07, STEEL, "metal"),
            ),
        ),
    ]
    joints = (hinge("door", (0.0, 0.0, -1.0), (front + 0.041, -0.20, middle)),)
    surfaces = (
        surface("on", "top", height, depth - 0.04, width - 0.02, 0.6),
        surface("in", "drum", middle - 0.178, depth - 0.14, 0.20, 0.30),
    )
    design = Design(tuple(parts), surfaces, joints)
    return opened(design) if "open" in style.states else design


def laundry_basket(style: Style, rng: np.random.Generator) -> Design:
    """A tall hamper; a full one is heaped with clothes."""
    height = length(rng, 0.48, 0.58)
    parts = [
        disc(0, 0, 0, 0.36, 0.015, shade(style.rgb, 0.9), "wicker"),
        disc(0, 0, 0.015, 0.42, height - 0.015, style.rgb, "wicker", TUBE, ends=(0.88, 1.0)),
        disc(0, 0, height - 0.02, 0.43, 0.02, shade(style.rgb, 0.8), "wicker", TUBE),
    ]
    if "full" in style.states:
        words = ("blue", "red", "white", "gray", "purple")
        for k, word in enumerate(words):
            angle = math.tau * k / len(words)
            x, y = round(0.085 * math.cos(angle), 4), round(0.085 * math.sin(angle), 4)
            parts.append(ball(x, y, height - 0.09, 0.20, 0.18, 0.13, shade(COLORS[word], 0.9), "fabric"))
        parts.append(ball(0, 0, height - 0.03, 0.19, 0.17, 0.11, blend(COLORS["green"], PAPER, 0.3), "fabric"))
    return Design(tuple(parts))
