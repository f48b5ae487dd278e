"""Builders of furniture that keeps things, open and closed: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.design import (
    DARK,
    STEEL,
    Design,
    Style,
    Surface,
    ball,
    box,
    disc,
    length,
    surface,
)
from vantage.scenes.palette import shade


def bookshelf(style: Style, rng: np.random.Generator) -> Design:
    """Tall open shelves against a wall."""
    depth, width, height, board = 0.32, length(rng, 0.80, 1.00), 1.80, 0.025
    levels = (0.06, 0.42, 0.80, 1.18, 1.50)
    parts = [box(0, sy * 0.5 * (width - board), 0, depth, board, height, style.rgb) for sy in (-1, 1)]
    parts.append(box(-0.5 * depth + 0.01, 0, 0.06, 0.02, width - 2 * board, height - 0.06, shade(style.rgb, 0.9)))
    parts += [box(0.006, 0, z - board, depth - 0.012, width - 2 * board, board, style.rgb) for z in levels]
    parts.append(box(0.006, 0, height - board, depth - 0.012, width - 2 * board, board, style.rgb))
    tops = [*levels[1:], height]
    inside = tuple(
        surface("on", f"level {k}", z, depth - 0.05, width - 0.08, above - board - z - 0.01, x=0.015)
        for k, (z, above) in enumerate(zip(levels, tops, strict=True))
    )
    return Design(tuple(parts), (*inside, surface("on", "top", height, depth - 0.02, width - 0.06, 0.5, x=0.006)))


def _closed(style: Style, depth: float, width: float, height: float, levels: tuple[float, ...]) -> Design:
    """A closed cupboard with two doors and boards inside."""
    board, plinth, door = 0.022, 0.06, 0.02
    inner_depth = depth - board - door
    x = 0.5 * (board - door)
    parts = [
        box(-0.5 * door, 0, height - board, depth - door, width, board, shade(style.rgb, 1.03)),
        box(-0.02, 0, 0, depth - 0.06, width - 0.04, plinth, shade(style.rgb, 0.75)),
        box(-0.5 * depth + 0.5 * board, 0, plinth, board, width, height - plinth - board, shade(style.rgb, 0.94)),
    ]
    parts += [
        box(x, sy * 0.5 * (width - board), plinth, inner_depth, board, height - plinth - board, shade(style.rgb, 0.96))
        for sy in (-1, 1)
    ]
    parts += [box(x, 0, z - board, inner_depth, width - 2 * board, board, shade(style.rgb, 0.96)) for z in levels]
    front = 0.5 * depth - 0.5 * door
    leaf = 0.5 * width - 0.004
    for sy in (-1, 1):
        y = sy * 0.25 * width
        parts += [
            box(front, y, plinth + 0.005, door, leaf, height - plinth - 0.005, style.rgb),
            box(front + 0.012, y, plinth + 0.08, 0.006, leaf - 0.13, height - plinth - 0.16, shade(style.rgb, 0.95)),
            ball(front + 0.022, sy * 0.045, 0.55 * height, 0.028, 0.028, 0.028, STEEL, "metal"),
        ]
    tops = [*levels[1:], height]
    inside = tuple(
        surface("in", f"level {k}", z, inner_depth - 0.03, width - 0.08, above - board - z - 0.01, x=x)
        for k, (z, above) in enumerate(zip(levels, tops, strict=True))
    )
    return Design(tuple(parts), (surface("on", "top", height, depth - 0.03, width, x=-0.01), *inside))


def cabinet(style: Style, rng: np.random.Generator) -> Design:
    """A closed sideboard; things stand on it and are hidden in it."""
    return _closed(style, 0.44, length(rng, 0.90, 1.15), length(rng, 0.82, 0.88), (0.082, 0.45))


def wardrobe(style: Style, rng: np.random.Generator) -> Design:
    """A tall closed wardrobe; its top is above eye level."""
    return _closed(style, 0.56, length(rng, 0.90, 1.05), 1.90, (0.082, 1.45))


def nightstand(style: Style, rng: np.random.Generator) -> Design:
    """A small stand with two drawers."""
    height = length(rng, 0.48, 0.54)
    parts = [
        box(0, 0, 0.06, 0.38, 0.44, height - 0.085, shade(style.rgb, 0.95)),
        box(0, 0, height - 0.025, 0.40, 0.46, 0.025, style.rgb),
        box(-0.01, 0, 0, 0.34, 0.40, 0.06, shade(style.rgb, 0.75)),
    ]
    for z in (0.08, 0.08 + 0.5 * (height - 0.13)):
        parts += [
            box(0.197, 0, z, 0.014, 0.40, 0.5 * (height - 0.15), style.rgb),
            ball(0.212, 0, z + 0.09, 0.026, 0.026, 0.026, STEEL, "metal"),
        ]
    return Design(tuple(parts), (surface("on", "top", height, 0.40, 0.46),))


def chest(style: Style, rng: np.random.Generator) -> Design:
    """A closed chest with iron bands and things inside."""
    depth, width, height, wall = 0.46, length(rng, 0.74, 0.86), 0.44, 0.02
    dark = shade(style.rgb, 0.92)
    parts = [
        box(0, 0, 0, depth, width, 0.03, dark),
        box(0, 0, height - 0.05, depth, width, 0.05, style.rgb),
        *(box(sx * 0.5 * (depth - wall), 0, 0.03, wall, width, height - 0.08, style.rgb) for sx in (-1, 1)),
        *(box(0, sy * 0.5 * (width - wall), 0.03, depth - 2 * wall, wall, height - 0.08, style.rgb) for sy in (-1, 1)),
        *(box(0.5 * depth + 0.003, sy * 0.3 * width, 0, 0.006, 0.04, height, DARK, "metal") for sy in (-1, 1)),
        box(0.5 * depth + 0.006, 0, height - 0.10, 0.012, 0.07, 0.08, STEEL, "metal"),
    ]
    return Design(
        tuple(parts),
        (
            surface("on", "top", height, depth, width),
            surface("in", "inside", 0.03, depth - 0.08, width - 0.08, height - 0.09),
        ),
    )


def basket(style: Style, rng: np.random.Generator) -> Design:
    """An open basket; what lies in it shows from above."""
    diameter, height = length(rng, 0.40, 0.46), length(rng, 0.26, 0.32)
    side = 0.62 * diameter
    return Design(
        (
            disc(0, 0, 0, 0.97 * diameter, 0.015, shade(style.rgb, 0.9), "wicker"),
            disc(0, 0, 0.015, diameter, height - 0.015, style.rgb, "wicker", ("z-", "z+")),
        ),
        (surface("in", "inside", 0.015, side, side, 0.5),),
    )


def bin_(style: Style, rng: np.random.Generator) -> Design:
    """An open waste bin."""
    return Design(
        (
            disc(0, 0, 0, 0.21, 0.012, shade(style.rgb, 0.9)),
            disc(0, 0, 0.012, 0.28, 0.31, style.rgb, "", ("z-", "z+"), ends=(0.76, 1.0)),
        )
    )


def wall_shelf(style: Style, rng: np.random.Generator) -> Design:
    """A plank on two brackets, high on a wall; its base is the underside of the brackets."""
    width, depth = length(rng, 0.80, 1.00), 0.24
    brackets = [box(-0.5 * depth + 0.09, sy * 0.32 * width, 0, 0.18, 0.025, 0.09, DARK, "metal") for sy in (-1, 1)]
    return Design(
        (box(0, 0, 0.09, depth, width, 0.03, style.rgb), *brackets),
        (Surface("on", "top", 0.12, -0.5 * depth, 0.5 * depth, -0.5 * width, 0.5 * width, 0.6),),
    )
