"""Objects with an inside: cases of boards, tubs, drawers that come out of them and doors that shut them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vantage.scenes.geometry import STEEL, TUBE, Design, Style, Surface, ball, box, hinge, named, opened, slide, surface
from vantage.scenes.spec import Color, Joint, Part

BOARD = 0.02  # m
_BOTTOM = 0.006  # m: of a drawer
_LEAF = 0.02  # m


def case(
    depth: float,
    width: float,
    low: float,
    high: float,
    rgb: Color,
    look: str = "",
    x: float = 0.0,
    y: float = 0.0,
    board: float = BOARD,
) -> list[Part]:
    """Bottom, top, back and sides of a case between two heights, open to the front; x, y: middle of its outline."""
    inner = high - low - 2 * board
    return [
        box(x, y, low, depth, width, board, rgb, look),
        box(x, y, high - board, depth, width, board, rgb, look),
        box(x - 0.5 * (depth - board), y, low + board, board, width - 2 * board, inner, rgb, look),
        *(box(x, y + sy * 0.5 * (width - board), low + board, depth, board, inner, rgb, look) for sy in (-1, 1)),
    ]


def tub(
    depth: float, width: float, low: float, high: float, wall: float, rgb: Color, look: str = "", floor: float = 0.0
) -> list[Part]:
    """Floor and four walls of a tub, open at the top; the floor is as thick as the walls unless told."""
    floor = floor or wall
    rise = high - low - floor
    return [
        box(0, 0, low, depth, width, floor, rgb, look),
        *(box(sx * 0.5 * (depth - wall), 0, low + floor, wall, width, rise, rgb, look) for sx in (-1, 1)),
        *(box(0, sy * 0.5 * (width - wall), low + floor, depth - 2 * wall, wall, rise, rgb, look) for sy in (-1, 1)),
    ]


@dataclass(frozen=True)
class Compartment:
    """A drawer, or a door with what is behind it.

    Attributes:
        parts: the primitives that move, closed.
        joint: how they open.
        closed, open: where objects lie inside, while it is closed and while it is open.
    """

    parts: tuple[Part, ...]
    joint: Joint
    closed: tuple[Surface, ...]
    open: tuple[Surface, ...]


def drawer(
    name: str, front: float, y: float, z: float, depth: float, width: float, height: float, rgb: Color, wood: Color
) -> Compartment:
    """A drawer whose front board ends at x = ``front`` and has its lower edge centred at (y, z).

    Args:
        name: of the part.
        front, y, z: its place, m.
        depth: from its front to its back, m; it comes out by three quarters of it, 0.35 m at most.
        width, height: of its front board, m.
        rgb: of its front.
        wood: color of its inside.
    """
    back, inner_width, inner_height = depth - _LEAF, width - 0.05, height - 0.05
    x = front - _LEAF - 0.5 * back
    base = z + 0.015
    parts = named(
        name,
        (
            box(front - 0.5 * _LEAF, y, z, _LEAF, width, height, rgb),
            box(x, y, base, back, inner_width, _BOTTOM, wood),
            box(x, y, base + _BOTTOM, back, inner_width, inner_height, wood, "", TUBE),
            box(front + 0.010, y, z + 0.6 * height, 0.020, min(0.14, 0.4 * width), 0.014, STEEL, "metal"),
        ),
    )
    travel = min(0.35, round(0.75 * depth, 2))
    level = base + _BOTTOM
    free_width, clearance = inner_width - 0.02, inner_height - 0.01
    shown = travel - _LEAF - 0.02
    return Compartment(
        tuple(parts),
        slide(name, (front, y, z + 0.5 * height), travel),
        (surface("in", name, level, back - 0.02, free_width, clearance, x, y),),
        (surface("in", name, level, shown, free_width, clearance, front + 0.01 + 0.5 * shown, y),),
    )


def behind(door: tuple[list[Part], Joint], inside: Sequence[Surface]) -> Compartment:
    """A door and where objects lie behind it."""
    return Compartment(tuple(door[0]), door[1], tuple(inside), tuple(inside))


def with_compartments(
    style: Style,
    rng: np.random.Generator,
    body: Sequence[Part],
    compartments: Sequence[Compartment],
    surfaces: Sequence[Surface] = (),
) -> Design:
    """A body whose compartments are all closed, or of which one is open where the style asks for it."""
    chosen = compartments[int(rng.integers(len(compartments)))]
    parts = (*body, *(part for each in compartments for part in each.parts))
    joints = tuple(each.joint for each in compartments)
    if "open" in style.states:
        return opened(Design(parts, (*surfaces, *chosen.open), joints), {chosen.joint.part})
    hidden = (place for each in compartments for place in each.closed)
    return Design(parts, (*surfaces, *hidden), joints)


def leaf(
    name: str,
    front: float,
    edges: tuple[float, float],
    heights: tuple[float, float],
    rgb: Color,
    side: int,
    look: str = "",
    thickness: float = _LEAF,
) -> tuple[list[Part], Joint]:
    """A closed door leaf between two edges (y) and two heights, with a knob, and its hinge.

    Its outer face is at x = ``front``. It hangs at its left edge (y-, as seen from the front) where ``side`` is -1, and
    at its right one where it is 1.
    """
    width, height = edges[1] - edges[0], heights[1] - heights[0]
    middle = 0.5 * (edges[0] + edges[1])
    knob = middle - side * (0.5 * width - 0.04)
    parts = named(
        name,
        (
            box(front - 0.5 * thickness, middle, heights[0], thickness, width, height, rgb, look),
            ball(front + 0.012, knob, heights[0] + 0.55 * height, 0.028, 0.028, 0.028, STEEL, "metal"),
        ),
    )
    joint = hinge(name, (0.0, 0.0, float(side)), (front, edges[0] if side < 0 else edges[1], heights[0]))
    return parts, joint


def flap(name: str, front: float, low: float) -> Joint:
    """The hinge of a closed door that comes down to the front about its lower edge."""
    return hinge(name, (0.0, 1.0, 0.0), (front, 0.0, low))


def lid(name: str, back: float, z: float) -> Joint:
    """The hinge of a closed lid that goes up about its edge at x = ``back``."""
    return hinge(name, (0.0, -1.0, 0.0), (back, 0.0, z))
