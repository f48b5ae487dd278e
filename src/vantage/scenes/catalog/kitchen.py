"""Builders of kitchen furniture and machines: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.catalog.containers import behind, case, drawer, flap, leaf, with_compartments
from vantage.scenes.geometry import (
    DARK,
    GLASS,
    OAK,
    STEEL,
    TUBE,
    Design,
    Style,
    box,
    disc,
    length,
    named,
    opened,
    panel,
    rod,
    surface,
)
from vantage.scenes.spec import Color, Part, shade

_HOT: Color = (0.95, 0.25, 0.06)
_PLATE: Color = (0.26, 0.26, 0.28)
_INSIDE: Color = (0.86, 0.88, 0.89)
_STONE: Color = (0.34, 0.34, 0.36)
_DISPLAY: Color = (0.30, 0.85, 0.60)

_DEPTH, _HEIGHT, _WORKTOP = 0.60, 0.90, 0.04  # m, of everything that stands in a row in a kitchen


def fridge(style: Style, rng: np.random.Generator) -> Design:
    """A tall fridge with a freezer above; one of its two doors opens."""
    depth, width, height, door = 0.64, 0.62, length(rng, 1.60, 1.80), 0.05
    body, split = depth - door, height - 0.50
    x, front = -0.5 * door, 0.5 * depth
    levels = [0.085 + k * (split - 0.12) / 3 for k in range(3)]
    parts = [
        box(x - 0.02, 0, 0, body - 0.06, width - 0.06, 0.05, DARK),
        *case(body, width, 0.05, split, _INSIDE, x=x, board=0.035),
        *case(body, width, split, height, _INSIDE, x=x, board=0.035),
        *(box(x, sy * (0.5 * width + 0.001), 0.05, body, 0.004, height - 0.05, style.rgb) for sy in (-1, 1)),
        box(x, 0, height - 0.001, body, width, 0.004, style.rgb),
        *(box(x + 0.01, 0, z - 0.012, body - 0.08, width - 0.07, 0.012, GLASS, "glass") for z in levels[1:]),
    ]
    gap, free, wide = levels[1] - levels[0] - 0.03, body - 0.12, width - 0.12
    cold = [surface("in", f"level {k}", z, free, wide, gap, x=x) for k, z in enumerate(levels)]
    frozen = [surface("in", "freezer", split + 0.035, free, wide, 0.38, x=x)]
    compartments = []
    for name, low, high, inside in (
        ("door 1", 0.055, split - 0.004, cold),
        ("door 2", split + 0.004, height, frozen),
    ):
        panels, joint = leaf(name, front, (-0.5 * width, 0.5 * width), (low, high), style.rgb, -1, thickness=door)
        grip = box(front + 0.02, 0.5 * width - 0.04, 0.5 * (low + high) - 0.12, 0.04, 0.022, 0.24, STEEL, "metal")
        compartments.append(behind(([panels[0], *named(name, (grip,))], joint), inside))
    top = surface("on", "top", height + 0.003, body - 0.02, width - 0.02, 0.4, x=x)
    return with_compartments(style, rng, parts, compartments, (top,))


def stove(style: Style, rng: np.random.Generator) -> Design:
    """A stove with four plates above an oven; where it is on, two plates are red-hot."""
    width, front, door = 0.60, 0.5 * _DEPTH, 0.04
    body = _DEPTH - door
    x = -0.5 * door
    parts = [
        box(x, 0, 0, body - 0.06, width - 0.04, 0.10, DARK),
        *case(body, width, 0.10, 0.78, shade(style.rgb, 0.9), x=x, board=0.03),
        box(0, 0, 0.78, _DEPTH, width, _HEIGHT - 0.79, style.rgb),
        box(0, 0, _HEIGHT - 0.01, _DEPTH, width, 0.01, DARK, "glass"),
        box(x + 0.02, 0, 0.40, body - 0.06, width - 0.06, 0.008, STEEL, "metal"),
        *(rod("x", (front + 0.012, y, 0.835), 0.045, 0.024, DARK, "plastic") for y in (-0.22, -0.11, 0.11, 0.22)),
        panel(front + 0.002, 0, 0.815, 0.10, 0.04, _DISPLAY if "on" in style.states else DARK, "plastic"),
        *named(
            "door",
            (
                box(front - 0.5 * door, 0, 0.12, door, width - 0.01, 0.65, style.rgb),
                box(front + 0.002, 0, 0.22, 0.006, width - 0.16, 0.34, DARK, "glass"),
                rod("y", (front + 0.035, 0, 0.69), 0.022, width - 0.14, STEEL, "metal"),
                *(box(front + 0.015, sy * 0.20, 0.68, 0.03, 0.016, 0.02, STEEL, "metal") for sy in (-1, 1)),
            ),
        ),
    ]
    hot = int(rng.integers(2))
    for k, (px, py, size) in enumerate(
        ((-0.13, -0.14, 0.19), (-0.13, 0.14, 0.16), (0.13, -0.14, 0.16), (0.13, 0.14, 0.19))
    ):
        glows = "on" in style.states and k % 2 == hot
        color, look = (_HOT, "burner") if glows else (_PLATE, "metal")
        parts.append(disc(px, py, _HEIGHT, size, 0.002, color, look))
    surfaces = (
        surface("on", "top", _HEIGHT + 0.002, _DEPTH - 0.04, width - 0.02, 0.6),
        surface("in", "oven", 0.408, body - 0.16, width - 0.14, 0.28, x=x + 0.02),
    )
    design = Design(tuple(parts), surfaces, (flap("door", front, 0.12),))
    return opened(design) if "open" in style.states else design


def _base(style: Style, width: float, top: float) -> list[Part]:
    """Plinth and case of a unit under a worktop, open to the front."""
    return [
        box(-0.03, 0, 0, _DEPTH - 0.10, width, 0.10, DARK),
        *case(_DEPTH - 0.04, width, 0.10, top, shade(style.rgb, 0.92), x=-0.02),
    ]


def counter(style: Style, rng: np.random.Generator) -> Design:
    """A kitchen unit with a cupboard and three drawers under a worktop; one of them opens."""
    half, front, top = 0.5 * length(rng, 1.00, 1.30), 0.5 * _DEPTH, _HEIGHT - _WORKTOP
    parts = [
        *_base(style, 2 * half, top),
        box(-0.02, 0, 0.12, _DEPTH - 0.06, 0.02, top - 0.14, shade(style.rgb, 0.92)),
        box(0, 0, top, _DEPTH, 2 * half, _WORKTOP, _STONE, "ceramic"),
    ]
    door = leaf("door", front, (-half, -0.003), (0.105, top - 0.004), style.rgb, -1)
    inside = surface("in", "cupboard", 0.12, _DEPTH - 0.12, half - 0.08, 0.6, x=-0.02, y=-0.5 * half)
    pitch, wood = (top - 0.105) / 3, shade(OAK, 1.3)
    drawers = [
        drawer(
            f"drawer {k + 1}",
            front,
            0.5 * half,
            0.105 + (2 - k) * pitch,
            _DEPTH - 0.06,
            half - 0.006,
            pitch - 0.006,
            style.rgb,
            wood,
        )
        for k in range(3)
    ]
    on_top = surface("on", "top", _HEIGHT, _DEPTH - 0.04, 2 * half - 0.02, 0.5)
    return with_compartments(style, rng, parts, [behind(door, (inside,)), *drawers], (on_top,))


def kitchen_sink(style: Style, rng: np.random.Generator) -> Design:
    """A basin of steel with a tap, set into a worktop on a kitchen unit."""
    width, top, front = 1.00, _HEIGHT - _WORKTOP, 0.5 * _DEPTH
    deep, basin_depth, basin_width, y = 0.17, 0.40, 0.46, -0.20
    low, back = _HEIGHT - deep, 0.5 * (_DEPTH - basin_depth)
    side = 0.5 * width + y - 0.5 * basin_width
    parts = [
        *_base(style, width, top - 0.14),
        *(box(-0.02, sy * (0.5 * width - 0.01), top - 0.14, _DEPTH - 0.04, 0.02, 0.14, style.rgb) for sy in (-1, 1)),
        box(-front + 0.01, 0, top - 0.14, 0.02, width - 0.04, 0.14, style.rgb),
        *(
            box(front - 0.01, sy * 0.25 * width, 0.105, 0.02, 0.5 * width - 0.006, top - 0.11, style.rgb)
            for sy in (-1, 1)
        ),
        *(box(front + 0.01, sy * 0.07, 0.62, 0.02, 0.016, 0.14, STEEL, "metal") for sy in (-1, 1)),
        *(box(sx * (front - 0.5 * back), 0, top, back, width, _WORKTOP, _STONE, "ceramic") for sx in (-1, 1)),
        box(0, -0.5 * width + 0.5 * side, top, basin_depth, side, _WORKTOP, _STONE, "ceramic"),
        box(
            0,
            0.5 * (y + 0.5 * basin_width + 0.5 * width),
            top,
            basin_depth,
            0.5 * width - y - 0.5 * basin_width,
            _WORKTOP,
            _STONE,
            "ceramic",
        ),
        box(0, y, low, basin_depth, basin_width, 0.01, STEEL, "metal"),
        box(0, y, low + 0.01, basin_depth, basin_width, deep - 0.008, shade(STEEL, 1.1), "metal", TUBE),
        disc(0, y, low + 0.01, 0.05, 0.003, DARK),
        disc(-0.24, y, _HEIGHT, 0.05, 0.02, STEEL, "metal"),
        disc(-0.24, y, _HEIGHT, 0.026, 0.26, STEEL, "metal"),
        rod("x", (-0.16, y, _HEIGHT + 0.25), 0.024, 0.18, STEEL, "metal"),
        disc(-0.08, y, _HEIGHT + 0.205, 0.022, 0.05, STEEL, "metal"),
        box(-0.24, y + 0.05, _HEIGHT + 0.06, 0.016, 0.07, 0.016, STEEL, "metal"),
    ]
    free = 0.5 * width - y - 0.5 * basin_width
    return Design(
        tuple(parts),
        (
            surface("on", "top", _HEIGHT, _DEPTH - 0.04, free - 0.03, 0.5, y=0.5 * (width - free)),
            surface("in", "basin", low + 0.01, basin_depth - 0.04, basin_width - 0.04, 0.3, y=y),
        ),
    )


def dishwasher(style: Style, rng: np.random.Generator) -> Design:
    """A dishwasher with two racks; its door comes down to the front."""
    width, height, door, front = 0.60, 0.86, 0.04, 0.5 * _DEPTH
    body, x = _DEPTH - door, -0.5 * door
    wire = (0.80, 0.82, 0.85)
    parts = [
        box(x, 0, 0, body - 0.06, width - 0.02, 0.10, DARK),
        *case(body, width, 0.10, height - 0.02, shade(STEEL, 1.15), "metal", x=x),
        *(box(x, sy * (0.5 * width + 0.001), 0.10, body, 0.004, height - 0.12, style.rgb) for sy in (-1, 1)),
        box(0, 0, height - 0.02, _DEPTH, width, 0.02, style.rgb),
    ]
    for z in (0.20, 0.50):
        parts += [
            box(x, 0, z, body - 0.06, width - 0.08, 0.006, wire, "metal"),
            *(box(x, sy * 0.24, z, body - 0.06, 0.006, 0.07, wire, "metal") for sy in (-1, 1)),
            box(x + 0.5 * body - 0.035, 0, z, 0.006, width - 0.08, 0.07, wire, "metal"),
        ]
    parts += named(
        "door",
        (
            box(front - 0.5 * door, 0, 0.105, door, width - 0.006, height - 0.13, style.rgb),
            panel(front + 0.003, 0, height - 0.115, width - 0.006, 0.085, shade(DARK, 1.6), "plastic"),
            panel(front + 0.006, 0.18, height - 0.09, 0.10, 0.03, _DISPLAY, "plastic"),
            box(front + 0.012, 0, height - 0.15, 0.024, 0.36, 0.022, STEEL, "metal"),
        ),
    )
    racks = [
        surface("in", f"rack {k + 1}", z + 0.006, body - 0.10, width - 0.16, 0.26, x=x)
        for k, z in enumerate((0.20, 0.50))
    ]
    top = surface("on", "top", height, _DEPTH - 0.02, width - 0.02, 0.5)
    design = Design(tuple(parts), (top, *racks), (flap("door", front, 0.105),))
    return opened(design) if "open" in style.states else design


def microwave(style: Style, rng: np.random.Generator) -> Design:
    """A microwave with a turntable; its door opens to the left."""
    depth, width, height, door, split = 0.36, 0.48, 0.28, 0.03, 0.11
    body, x, front = depth - door, -0.5 * door, 0.5 * depth
    left, right = -0.5 * width, 0.5 * width
    parts = [
        *case(body, split - left, 0.0, height, style.rgb, x=x, y=0.5 * (left + split)),
        box(0, 0.5 * (split + right), 0, depth, right - split, height, style.rgb),
        panel(front + 0.003, 0.5 * (split + right), 0.02, right - split - 0.02, height - 0.04, DARK, "plastic"),
        panel(front + 0.006, 0.5 * (split + right), 0.20, 0.09, 0.035, _DISPLAY, "plastic"),
        panel(front + 0.006, 0.5 * (split + right), 0.05, 0.09, 0.12, (0.45, 0.46, 0.48), "keys"),
        disc(x, 0.5 * (left + split), 0.02, 0.25, 0.008, GLASS, "glass"),
    ]
    panels, joint = leaf("door", front, (left, split - 0.004), (0.004, height), style.rgb, -1, thickness=door)
    window = box(front + 0.001, 0.5 * (left + split) - 0.01, 0.05, 0.006, split - left - 0.11, 0.18, DARK, "glass")
    grip = box(front + 0.012, split - 0.03, 0.04, 0.024, 0.018, 0.20, STEEL, "metal")
    surfaces = (
        surface("on", "top", height, depth - 0.03, width - 0.02, 0.3, x=x),
        surface("in", "inside", 0.028, 0.17, 0.17, 0.20, x=x, y=0.5 * (left + split)),
    )
    design = Design((*parts, panels[0], *named("door", (window, grip))), surfaces, (joint,))
    return opened(design) if "open" in style.states else design
