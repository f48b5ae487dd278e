"""Builders of the building and of what is fixed to its walls: x away from the wall, y along it, z up, metres.

The back of what hangs on a wall is at its smallest x. Doors and windows fill holes; the origin of a door is in the
middle between the two walls that it pierces, that of a window in the middle of its wall.
"""

from __future__ import annotations

import numpy as np

from vantage.scenes.geometry import (
    OAK,
    STEEL,
    WHITE,
    Design,
    Style,
    ball,
    box,
    hinge,
    length,
    named,
    opened,
    panel,
    rod,
)
from vantage.scenes.spec import Color, Joint, Part, blend, shade

WALL_THICKNESS = 0.05  # m: of each of the two walls between two rooms

DOOR_WIDTH, DOOR_HEIGHT = 0.96, 2.08  # m: of the hole
WINDOW_WIDTH, WINDOW_HEIGHT, WINDOW_SILL = 1.40, 1.15, 0.95
CURTAIN_WIDTH, CURTAIN_HEIGHT = 0.34, 1.40

_JAMB = 0.05  # m: width of the frame of a door
_FRAME_DEPTH = 2 * WALL_THICKNESS + 0.02  # m: it stands out by 1 cm on both sides
_LEAF = 0.04  # m: thickness of a door
_CASEMENT = 0.045  # m: width of the bars of a window


def slab(size: tuple[float, float, float], center_z: float, rgb: Color, look: str, inner: str) -> Part:
    """A floor, wall or ceiling of which only the face ``inner`` shows."""
    hidden = tuple(face for face in ("x+", "x-", "y+", "y-", "z+", "z-") if face != inner)
    return Part("box", (0.0, 0.0, center_z), size, rgb, hidden, look=look)


def _door_frame(rgb: Color, look: str) -> list[Part]:
    w, h = DOOR_WIDTH, DOOR_HEIGHT
    return [
        *(box(0, sy * 0.5 * (w - _JAMB), 0, _FRAME_DEPTH, _JAMB, h, rgb, look) for sy in (-1, 1)),
        box(0, 0, h - _JAMB, _FRAME_DEPTH, w - 2 * _JAMB, _JAMB, rgb, look),
    ]


def _hung_door(style: Style, side: int) -> Design:
    """A door with four panels in a white frame, hung at y- or y+ (``side``); it opens towards x+."""
    wide, high, front = DOOR_WIDTH - 2 * _JAMB, DOOR_HEIGHT - _JAMB, WALL_THICKNESS
    middle, knob = front - 0.5 * _LEAF, -side * (0.5 * wide - 0.07)
    leaf = [box(middle, 0, 0.005, _LEAF, wide - 0.006, high - 0.010, style.rgb)]
    panel_width = 0.5 * wide - 0.13
    for sy in (-1, 1):
        for z, height in ((0.16, 0.62), (0.98, 0.86)):
            y = sy * 0.25 * (wide - 0.04)
            leaf += [
                box(middle, y, z, _LEAF + 0.008, panel_width, height, shade(style.rgb, 0.78)),
                box(middle, y, z + 0.025, _LEAF + 0.014, panel_width - 0.05, height - 0.05, shade(style.rgb, 1.04)),
            ]
    leaf.append(rod("x", (middle, knob, 0.98), 0.024, _LEAF + 0.08, STEEL, "metal"))
    leaf += [ball(middle + sx * 0.065, knob, 0.95, 0.05, 0.06, 0.06, STEEL, "metal") for sx in (-1, 1)]
    joint = hinge("leaf", (0.0, 0.0, float(side)), (front, side * (0.5 * wide - 0.003), 0.0))
    design = Design((*_door_frame(WHITE, "paint"), *named("leaf", leaf)), (), (joint,))
    return opened(design) if "open" in style.states else design


def door(style: Style, rng: np.random.Generator) -> Design:
    """A door that hangs at the right (y+), seen from its front, and opens to its front."""
    return _hung_door(style, 1)


def mirrored_door(style: Style, rng: np.random.Generator) -> Design:
    """A door that hangs at the left (y-), seen from its front, and opens to its front."""
    return _hung_door(style, -1)


def doorway(style: Style, rng: np.random.Generator) -> Design:
    """The frame of an opening without a door."""
    return Design(tuple(_door_frame(style.rgb, "")))


def window(style: Style, rng: np.random.Generator) -> Design:
    """A window with two casements that open into the room; daylight shows behind them."""
    w, h, frame, bar, thick = WINDOW_WIDTH, WINDOW_HEIGHT, 0.05, _CASEMENT, WALL_THICKNESS
    front, bars = 0.5 * thick, style.rgb
    parts = [
        panel(-0.010, 0, frame, w - 2 * frame, h - 2 * frame, (0.74, 0.86, 0.97), "sky"),
        *(box(0, sy * 0.5 * (w - frame), 0, thick, frame, h, bars) for sy in (-1, 1)),
        *(box(0, 0, z, thick, w - 2 * frame, frame, bars) for z in (0.0, h - frame)),
        box(front + 0.05, 0, 0.0, 0.10, w + 0.08, 0.03, bars),
    ]
    half, high = 0.5 * w - frame, h - 2 * frame
    joints: list[Joint] = []
    for number, side in ((1, -1), (2, 1)):
        name, y, x = f"casement {number}", side * 0.5 * half, front - 0.015
        parts += named(
            name,
            (
                *(box(x, y + sy * 0.5 * (half - bar), frame, 0.03, bar, high, bars) for sy in (-1, 1)),
                *(box(x, y, z, 0.03, half - 2 * bar, bar, bars) for z in (frame, h - frame - bar)),
                box(x, y, 0.60 * h, 0.024, half - 2 * bar, 0.025, bars),
            ),
        )
        joints.append(hinge(name, (0.0, 0.0, float(side)), (front, side * half, frame)))
    design = Design(tuple(parts), (), tuple(joints))
    return opened(design) if "open" in style.states else design


def curtain(style: Style, rng: np.random.Generator) -> Design:
    """A gathered curtain."""
    folds = 5
    pitch = CURTAIN_WIDTH / folds
    parts = [
        Part("cylinder", (0, (k - 2) * pitch, 0.5 * CURTAIN_HEIGHT), (0.07, pitch, CURTAIN_HEIGHT), style.rgb)
        for k in range(folds)
    ]
    parts.append(box(0, 0, CURTAIN_HEIGHT, 0.07, CURTAIN_WIDTH, 0.03, OAK, "wood"))
    return Design(tuple(parts))


def picture(style: Style, rng: np.random.Generator) -> Design:
    """A framed painting; the frame's color blends into the painting."""
    w, h = round(float(rng.uniform(0.55, 0.80)), 2), round(float(rng.uniform(0.45, 0.60)), 2)
    bar = 0.05
    parts = [
        *(box(0, sy * 0.5 * (w - bar), 0, 0.03, bar, h, style.rgb, "wood") for sy in (-1, 1)),
        *(box(0, 0, z, 0.03, w - 2 * bar, bar, style.rgb, "wood") for z in (0.0, h - bar)),
        panel(0.0025, 0, bar, w - 2 * bar, h - 2 * bar, blend(style.rgb, WHITE, 0.25), "painting"),
    ]
    return Design(tuple(parts))


def mirror(style: Style, rng: np.random.Generator) -> Design:
    """A framed mirror."""
    w, h, bar = 0.52, 0.78, 0.06
    parts = [
        *(box(0, sy * 0.5 * (w - bar), 0, 0.03, bar, h, style.rgb) for sy in (-1, 1)),
        *(box(0, 0, z, 0.03, w - 2 * bar, bar, style.rgb) for z in (0.0, h - bar)),
        panel(0.0025, 0, bar, w - 2 * bar, h - 2 * bar, (0.66, 0.72, 0.76), "mirror"),
    ]
    return Design(tuple(parts))


def round_mirror(style: Style, rng: np.random.Generator) -> Design:
    """A round mirror in a frame."""
    size = length(rng, 0.45, 0.65)
    return Design(
        (
            rod("x", (0, 0, 0.5 * size), size, 0.03, style.rgb),
            rod("x", (0.016, 0, 0.5 * size), size - 0.09, 0.004, (0.66, 0.72, 0.76), "mirror"),
        )
    )
