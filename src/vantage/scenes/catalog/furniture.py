"""Builders of furniture, shelves and cabinets among it: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.catalog.containers import BOARD, Compartment, case, drawer, leaf, lid, tub, with_compartments
from vantage.scenes.geometry import (
    DARK,
    OAK,
    STEEL,
    TUBE,
    WHITE,
    Design,
    Style,
    Surface,
    ball,
    box,
    disc,
    legs,
    length,
    named,
    opened,
    surface,
)
from vantage.scenes.spec import Joint, Part, blend, shade


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


def _cupboard(style: Style, depth: float, width: float, height: float, levels: tuple[float, ...]) -> Design:
    """A cupboard with two doors and boards inside."""
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
    joints: list[Joint] = []
    front = 0.5 * depth
    for number, side in ((1, -1), (2, 1)):
        name = f"door {number}"
        edges = (-0.5 * width, -0.002) if side < 0 else (0.002, 0.5 * width)
        door_parts, joint = leaf(name, front, edges, (plinth + 0.005, height), style.rgb, side)
        middle, wide = 0.5 * (edges[0] + edges[1]), edges[1] - edges[0] - 0.13
        inlay = box(front + 0.002, middle, plinth + 0.08, 0.006, wide, height - plinth - 0.16, shade(style.rgb, 0.95))
        parts += [*door_parts, *named(name, (inlay,))]
        joints.append(joint)
    tops = [*levels[1:], height]
    inside = tuple(
        surface("in", f"level {k}", z, inner_depth - 0.03, width - 0.08, above - board - z - 0.01, x=x)
        for k, (z, above) in enumerate(zip(levels, tops, strict=True))
    )
    top = surface("on", "top", height, depth - 0.03, width, x=-0.01)
    design = Design(tuple(parts), (top, *inside), tuple(joints))
    return opened(design) if "open" in style.states else design


def cabinet(style: Style, rng: np.random.Generator) -> Design:
    """A sideboard; objects stand on it and are kept in it."""
    return _cupboard(style, 0.44, length(rng, 0.90, 1.15), length(rng, 0.82, 0.88), (0.082, 0.45))


def wardrobe(style: Style, rng: np.random.Generator) -> Design:
    """A tall wardrobe; its top is above eye level."""
    return _cupboard(style, 0.56, length(rng, 0.90, 1.05), 1.90, (0.082, 1.45))


def _stack(
    style: Style, rng: np.random.Generator, depth: float, width: float, height: float, rows: int, columns: int
) -> Design:
    """A case with drawers in rows and columns on a plinth; the depth includes the drawers' fronts."""
    foot, top, front = 0.06, 0.025, 0.02
    body = [
        *case(depth - front, width, foot, height - top, shade(style.rgb, 0.95), x=-0.5 * front),
        box(0, 0, height - top, depth, width + 0.02, top, style.rgb),
        box(-0.01, 0, 0, depth - 0.06, width - 0.04, foot, shade(style.rgb, 0.75)),
    ]
    pitch, wide = (height - top - foot) / rows, width / columns
    drawers: list[Compartment] = [
        drawer(
            f"drawer {row * columns + column + 1}",
            0.5 * depth,
            (column - 0.5 * (columns - 1)) * wide,
            foot + (rows - 1 - row) * pitch + 0.004,
            depth - BOARD,
            wide - 0.008,
            pitch - 0.008,
            style.rgb,
            shade(OAK, 1.3),
        )
        for row in range(rows)
        for column in range(columns)
    ]
    return with_compartments(style, rng, body, drawers, (surface("on", "top", height, depth, width),))


def nightstand(style: Style, rng: np.random.Generator) -> Design:
    """A small stand with two drawers."""
    return _stack(style, rng, 0.40, 0.44, length(rng, 0.48, 0.54), 2, 1)


def dresser(style: Style, rng: np.random.Generator) -> Design:
    """A wide chest of drawers."""
    return _stack(style, rng, 0.46, length(rng, 1.00, 1.30), length(rng, 0.78, 0.92), 3, 2)


def chest(style: Style, rng: np.random.Generator) -> Design:
    """A chest with iron bands and objects inside."""
    depth, width, height, top = 0.46, length(rng, 0.74, 0.86), 0.44, 0.05
    rim = height - top
    parts = [
        *tub(depth, width, 0, rim, 0.02, style.rgb, floor=0.03),
        *(box(0.5 * depth + 0.003, sy * 0.3 * width, 0, 0.006, 0.04, rim, DARK, "metal") for sy in (-1, 1)),
        *named(
            "lid",
            (
                box(0, 0, rim, depth, width, top, style.rgb),
                *(box(0.003, sy * 0.3 * width, rim, depth + 0.006, 0.04, top + 0.004, DARK, "metal") for sy in (-1, 1)),
                box(0.5 * depth + 0.006, 0, rim - 0.05, 0.012, 0.07, 0.08, STEEL, "metal"),
            ),
        ),
    ]
    joints = (lid("lid", -0.5 * depth, rim),)
    inside = surface("in", "inside", 0.03, depth - 0.08, width - 0.08, rim - 0.04)
    if "open" in style.states:
        return opened(Design(tuple(parts), (inside,), joints))
    top_surface = surface("on", "top", height, depth - 0.02, 0.5 * width, y=0.0)
    return Design(tuple(parts), (top_surface, inside), joints)


def basket(style: Style, rng: np.random.Generator) -> Design:
    """An open basket; what lies in it shows from above."""
    diameter, height = length(rng, 0.40, 0.46), length(rng, 0.26, 0.32)
    side = 0.62 * diameter
    return Design(
        (
            disc(0, 0, 0, 0.97 * diameter, 0.015, shade(style.rgb, 0.9), "wicker"),
            disc(0, 0, 0.015, diameter, height - 0.015, style.rgb, "wicker", TUBE),
        ),
        (surface("in", "inside", 0.015, side, side, 0.5),),
    )


def bin_(style: Style, rng: np.random.Generator) -> Design:
    """An open waste bin; a full one overflows with crumpled paper."""
    parts = [
        disc(0, 0, 0, 0.21, 0.012, shade(style.rgb, 0.9)),
        disc(0, 0, 0.012, 0.28, 0.31, style.rgb, "", TUBE, ends=(0.76, 1.0)),
    ]
    if "full" in style.states:
        parts += [
            ball(x, y, 0.255, 0.13, 0.12, 0.10, shade((0.94, 0.93, 0.88), tone), "paper")
            for x, y, tone in ((0.055, 0.03, 1.0), (-0.045, 0.055, 0.92), (-0.03, -0.06, 0.97), (0.05, -0.055, 0.88))
        ]
        parts.append(ball(0, 0, 0.29, 0.12, 0.11, 0.085, (0.93, 0.92, 0.86), "paper"))
    return Design(tuple(parts))


def wall_shelf(style: Style, rng: np.random.Generator) -> Design:
    """A plank on two brackets, high on a wall; its base is the underside of the brackets."""
    width, depth = length(rng, 0.80, 1.00), 0.24
    brackets = [box(-0.5 * depth + 0.09, sy * 0.32 * width, 0, 0.18, 0.025, 0.09, DARK, "metal") for sy in (-1, 1)]
    return Design(
        (box(0, 0, 0.09, depth, width, 0.03, style.rgb), *brackets),
        (Surface("on", "top", 0.12, -0.5 * depth, 0.5 * depth, -0.5 * width, 0.5 * width, 0.6),),
    )


def table(style: Style, rng: np.random.Generator) -> Design:
    """A dining table."""
    depth, width, height = length(rng, 0.80, 0.90), length(rng, 1.20, 1.50), length(rng, 0.72, 0.78)
    top = box(0, 0, height - 0.04, depth, width, 0.04, style.rgb)
    apron = [
        box(sx * (0.5 * depth - 0.07), 0, height - 0.12, 0.025, width - 0.16, 0.08, shade(style.rgb, 0.9))
        for sx in (-1, 1)
    ]
    feet = legs(depth - 0.06, width - 0.06, 0.06, height - 0.04, shade(style.rgb, 0.92))
    return Design((top, *apron, *feet), (surface("on", "top", height, depth, width),))


def coffee_table(style: Style, rng: np.random.Generator) -> Design:
    """A low table with a shelf below."""
    depth, width, height = length(rng, 0.58, 0.66), length(rng, 0.95, 1.15), length(rng, 0.42, 0.46)
    top = box(0, 0, height - 0.04, depth, width, 0.04, style.rgb)
    low = box(0, 0, 0.12, depth - 0.10, width - 0.10, 0.02, shade(style.rgb, 0.92))
    feet = legs(depth - 0.02, width - 0.02, 0.05, height - 0.04, shade(style.rgb, 0.92))
    return Design(
        (top, low, *feet),
        (
            surface("on", "top", height, depth, width),
            surface("on", "shelf", 0.14, depth - 0.14, width - 0.16, height - 0.20),
        ),
    )


def round_table(style: Style, rng: np.random.Generator) -> Design:
    """A round dining table on a central post."""
    diameter, height = length(rng, 0.95, 1.15), length(rng, 0.72, 0.78)
    foot, side = shade(style.rgb, 0.92), 0.70 * diameter
    return Design(
        (
            disc(0, 0, height - 0.04, diameter, 0.04, style.rgb),
            disc(0, 0, 0.04, 0.11, height - 0.08, foot),
            disc(0, 0, 0, 0.56, 0.04, foot),
            disc(0, 0, 0.04, 0.40, 0.05, foot, "", (), ends=(1.0, 0.3)),
        ),
        (surface("on", "top", height, side, side),),
    )


def desk(style: Style, rng: np.random.Generator) -> Design:
    """A desk with a block of three drawers on one side and room for the knees on the other."""
    depth, width, height, block_width = 0.62, length(rng, 1.20, 1.40), 0.75, 0.42
    side = float(rng.choice([-1.0, 1.0]))
    wood, top = shade(style.rgb, 0.94), height - 0.035
    y, front = side * (0.5 * width - 0.02 - 0.5 * block_width), 0.5 * depth - 0.02
    body = [
        box(0, 0, top, depth, width, 0.035, style.rgb),
        box(0, -side * (0.5 * width - 0.03), 0, depth - 0.04, 0.03, top, wood),
        *case(depth - 0.06, block_width, 0.04, top, wood, x=-0.01, y=y),
        box(-0.02, y, 0, depth - 0.14, block_width - 0.04, 0.04, shade(style.rgb, 0.7)),
        box(-0.5 * depth + 0.06, -side * 0.2, 0.35, 0.02, width - 0.5, top - 0.35, shade(style.rgb, 0.9)),
    ]
    pitch = (top - 0.05) / 3
    drawers = [
        drawer(
            f"drawer {k + 1}",
            front,
            y,
            0.046 + (2 - k) * pitch,
            depth - 0.10,
            block_width - 0.008,
            pitch - 0.008,
            style.rgb,
            shade(OAK, 1.3),
        )
        for k in range(3)
    ]
    return with_compartments(style, rng, body, drawers, (surface("on", "top", height, depth, width),))


def chair(style: Style, rng: np.random.Generator) -> Design:
    """A chair with a slatted back."""
    seat = 0.45
    frame = shade(style.rgb, 0.94)
    parts = [box(0, 0, seat - 0.04, 0.42, 0.42, 0.04, style.rgb)]
    parts += [box(0.185, sy * 0.185, 0, 0.04, 0.04, seat - 0.04, frame) for sy in (-1, 1)]
    parts += [box(-0.19, sy * 0.19, 0, 0.04, 0.04, 0.90, frame) for sy in (-1, 1)]
    parts += [box(-0.19, 0, z, 0.025, 0.34, 0.07, style.rgb) for z in (0.58, 0.70, 0.82)]
    return Design(tuple(parts), (surface("on", "seat", seat, 0.34, 0.38, x=0.03),))


def stool(style: Style, rng: np.random.Generator) -> Design:
    """A round stool."""
    seat = disc(0, 0, 0.42, 0.36, 0.04, style.rgb)
    feet = legs(0.26, 0.26, 0.035, 0.42, shade(style.rgb, 0.92))
    braces = [box(0, sy * 0.1125, 0.16, 0.19, 0.02, 0.025, shade(style.rgb, 0.9)) for sy in (-1, 1)]
    braces += [box(sx * 0.1125, 0, 0.20, 0.02, 0.19, 0.025, shade(style.rgb, 0.9)) for sx in (-1, 1)]
    return Design((seat, *feet, *braces), (surface("on", "top", 0.46, 0.24, 0.24),))


def _upholstered(style: Style, width: float, seats: int) -> Design:
    depth, seat, arm = 0.86, 0.44, 0.16
    body, cushion = shade(style.rgb, 0.93), style.rgb
    inner = width - 2 * arm
    parts = [
        box(0, 0, 0.06, depth, width, 0.22, body),
        box(-0.5 * depth + 0.11, 0, 0.28, 0.22, width, 0.54, body),
    ]
    for sy in (-1, 1):
        y = sy * 0.5 * (width - arm)
        parts += [
            box(0.11, y, 0.28, depth - 0.22, arm, 0.30, body),
            Part("cylinder", (0.11, y, 0.58), (depth - 0.22, arm, 0.09), body, axis="x"),
        ]
    each = inner / seats
    for k in range(seats):
        y = -0.5 * inner + (k + 0.5) * each
        parts += [
            box(0.11, y, 0.28, depth - 0.24, each - 0.012, seat - 0.28, cushion),
            box(-0.17, y, seat, 0.12, each - 0.02, 0.33, shade(style.rgb, 1.04)),
        ]
    parts += [
        box(sx * (0.5 * depth - 0.06), sy * (0.5 * width - 0.06), 0, 0.05, 0.05, 0.06, DARK, "wood")
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    seats_at = tuple(
        surface("on", f"seat {k + 1}", seat, 0.46, each - 0.06, x=0.16, y=-0.5 * inner + (k + 0.5) * each)
        for k in range(seats)
    )
    return Design(tuple(parts), seats_at)


def sofa(style: Style, rng: np.random.Generator) -> Design:
    """A sofa for two or three."""
    seats = int(rng.integers(2, 4))
    return _upholstered(style, 0.32 + 0.56 * seats, seats)


def armchair(style: Style, rng: np.random.Generator) -> Design:
    """A sofa for one."""
    return _upholstered(style, 0.86, 1)


def bed(style: Style, rng: np.random.Generator) -> Design:
    """A bed with its headboard at the back; the blanket has the color."""
    long, width = 2.02, length(rng, 1.00, 1.40)
    parts = (
        box(0, 0, 0.08, long, width, 0.20, OAK, "wood"),
        box(-0.5 * long + 0.03, 0, 0.28, 0.06, width, 0.66, OAK, "wood"),
        box(0.03, 0, 0.28, long - 0.08, width - 0.04, 0.18, WHITE, "fabric"),
        box(0.31, 0, 0.22, long - 0.61, width + 0.02, 0.27, style.rgb),
        box(-0.36, 0, 0.46, 0.10, width - 0.02, 0.035, shade(blend(style.rgb, WHITE, 0.25), 1.0), "fabric"),
        *(
            box(sx * (0.5 * long - 0.06), sy * (0.5 * width - 0.06), 0, 0.07, 0.07, 0.08, shade(OAK, 0.8), "wood")
            for sx in (-1, 1)
            for sy in (-1, 1)
        ),
    )
    return Design(
        parts,
        (
            surface("on", "head", 0.46, 0.48, width - 0.12, x=-0.67),
            surface("on", "blanket", 0.49, long - 0.75, width - 0.20, x=0.33),
        ),
    )


def rug(style: Style, rng: np.random.Generator) -> Design:
    """A flat rug with a border."""
    depth, width = length(rng, 1.30, 1.50), length(rng, 1.80, 2.10)
    return Design((box(0, 0, 0, depth, width, 0.012, style.rgb, "rug"),), (surface("on", "top", 0.012, depth, width),))


def round_rug(style: Style, rng: np.random.Generator) -> Design:
    """A flat round rug with a ring."""
    size = length(rng, 1.40, 1.80)
    return Design(
        (
            disc(0, 0, 0, size, 0.010, style.rgb, "fabric"),
            disc(0, 0, 0.009, 0.80 * size, 0.003, shade(style.rgb, 0.78), "fabric"),
            disc(0, 0, 0.0095, 0.62 * size, 0.003, style.rgb, "fabric"),
        ),
        (surface("on", "top", 0.012, 0.42 * size, 0.42 * size),),
    )
