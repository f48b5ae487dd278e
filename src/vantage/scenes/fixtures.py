"""Builders of the building and of what is fixed to its walls: x away from the wall, y along it, z up, metres.

The back of a fixture lies in the plane of the wall, at x = -depth / 2.
"""

from __future__ import annotations

import numpy as np

from vantage.scenes.design import OAK, STEEL, WHITE, Design, Style, ball, box, panel, rod
from vantage.scenes.palette import blend, shade
from vantage.scenes.spec import Color, Part

WALL_THICKNESS = 0.10

DOOR_WIDTH, DOOR_HEIGHT = 0.96, 2.08
WINDOW_WIDTH, WINDOW_HEIGHT, WINDOW_SILL = 1.40, 1.15, 0.95
CURTAIN_WIDTH, CURTAIN_HEIGHT = 0.34, 1.40


def slab(size: tuple[float, float, float], center_z: float, rgb: Color, look: str, inner: str) -> Part:
    """A floor, wall or ceiling of which only the face ``inner`` shows."""
    hidden = tuple(face for face in ("x+", "x-", "y+", "y-", "z+", "z-") if face != inner)
    return Part("box", (0.0, 0.0, center_z), size, rgb, hidden, look=look)


def door(style: Style, rng: np.random.Generator) -> Design:
    """A closed door with four panels in a white frame."""
    w, h, frame = DOOR_WIDTH, DOOR_HEIGHT, 0.07
    parts = [
        *(box(0, sy * 0.5 * (w - frame), 0, 0.06, frame, h, WHITE, "paint") for sy in (-1, 1)),
        box(0, 0, h - frame, 0.06, w - 2 * frame, frame, WHITE, "paint"),
        box(-0.01, 0, 0, 0.04, w - 2 * frame, h - frame, style.rgb),
    ]
    panel_width = 0.5 * (w - 2 * frame) - 0.12
    for sy in (-1, 1):
        for z, height in ((0.16, 0.62), (0.98, 0.86)):
            y = sy * 0.25 * (w - 2 * frame - 0.04)
            parts += [
                box(0.011, y, z, 0.006, panel_width, height, shade(style.rgb, 0.78)),
                box(0.014, y, z + 0.025, 0.008, panel_width - 0.05, height - 0.05, shade(style.rgb, 1.04)),
            ]
    parts += [
        rod("x", (0.024, -0.34, 0.98), 0.05, 0.03, STEEL, "metal"),
        ball(0.06, -0.34, 0.947, 0.055, 0.066, 0.066, STEEL, "metal"),
    ]
    return Design(tuple(parts))


def window(style: Style, rng: np.random.Generator) -> Design:
    """A window with two casements; daylight shows in its panes."""
    w, h, frame = WINDOW_WIDTH, WINDOW_HEIGHT, 0.07
    bars = style.rgb
    parts = [
        panel(-0.01, 0, 0.04, w - 2 * frame, h - 0.08, (0.74, 0.86, 0.97), "sky"),
        *(box(0, sy * 0.5 * (w - frame), 0, 0.04, frame, h, bars) for sy in (-1, 1)),
        *(box(0, 0, z, 0.04, w - 2 * frame, frame, bars) for z in (0.0, h - frame)),
        box(0, 0, frame, 0.04, 0.05, h - 2 * frame, bars),
        box(0, 0, 0.62 * h, 0.036, w - 2 * frame, 0.03, bars),
        box(0.07, 0, 0.0, 0.10, w + 0.08, 0.03, bars),
    ]
    return Design(tuple(parts))


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
