"""Builders of what storage rooms hold: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.catalog.containers import lid, tub
from vantage.scenes.geometry import (
    DARK,
    OAK,
    STEEL,
    TUBE,
    WATER,
    Design,
    Style,
    box,
    disc,
    label,
    length,
    named,
    opened,
    rod,
    sleeve,
    surface,
)
from vantage.scenes.spec import COLORS, Part, shade


def rack(style: Style, rng: np.random.Generator) -> Design:
    """An open rack of metal posts with four boards."""
    depth, width, height, post = 0.42, length(rng, 0.85, 1.10), length(rng, 1.70, 1.85), 0.035
    pitch = (height - 0.22) / 3
    levels = [0.14 + k * pitch for k in range(4)]
    clearances = [pitch - 0.06] * 3 + [0.6]
    return Design(
        (
            *(
                box(sx * 0.5 * (depth - post), sy * 0.5 * (width - post), 0, post, post, height, style.rgb)
                for sx in (-1, 1)
                for sy in (-1, 1)
            ),
            *(box(0, 0, z - 0.035, depth - 0.01, width - 0.01, 0.035, shade(style.rgb, 0.92)) for z in levels),
            *(
                box(0, sy * 0.5 * (width - 0.012), z + 0.06, depth - 0.02, 0.012, 0.025, style.rgb)
                for sy in (-1, 1)
                for z in levels[1:3]
            ),
        ),
        tuple(
            surface("on", f"level {k}", z, depth - 0.09, width - 0.09, free)
            for k, (z, free) in enumerate(zip(levels, clearances, strict=True))
        ),
    )


def toolbox(style: Style, rng: np.random.Generator) -> Design:
    """A toolbox with a grip on its lid and a print; an open one shows a hammer and a screwdriver."""
    depth, width, height, top = 0.21, 0.40, 0.19, 0.05
    rim, front = height - top, 0.5 * 0.21
    parts = [
        *tub(depth, width, 0, rim, 0.008, style.rgb),
        *(box(front + 0.004, sy * 0.15, rim - 0.045, 0.008, 0.035, 0.04, STEEL, "metal") for sy in (-1, 1)),
        label(front + 0.002, 0, 0.055, 0.16, 0.055, style.text),
        box(-0.03, -0.02, 0.008, 0.030, 0.26, 0.026, OAK, "wood"),
        box(-0.03, 0.12, 0.008, 0.09, 0.036, 0.036, STEEL, "metal"),
        rod("y", (0.05, -0.09, 0.022), 0.028, 0.11, COLORS["yellow"], "plastic"),
        rod("y", (0.05, 0.04, 0.022), 0.010, 0.16, STEEL, "metal"),
        *named(
            "lid",
            (
                box(0, 0, rim, depth, width, top, shade(style.rgb, 0.85)),
                *(box(0, sy * 0.09, height, 0.024, 0.02, 0.035, DARK, "plastic") for sy in (-1, 1)),
                box(0, 0, height + 0.035, 0.03, 0.20, 0.02, DARK, "plastic"),
            ),
        ),
    ]
    design = Design(tuple(parts), (), (lid("lid", -front, rim),))
    return opened(design) if "open" in style.states else design


def ladder(style: Style, rng: np.random.Generator) -> Design:
    """A closed step ladder that stands upright, its treads to the front."""
    height, width = length(rng, 1.45, 1.80), 0.44
    treads = [0.22 + k * (height - 0.30) / 5 for k in range(6)]
    return Design(
        (
            *(box(0.03, sy * 0.5 * (width - 0.03), 0, 0.05, 0.03, height, style.rgb) for sy in (-1, 1)),
            *(
                box(-0.035, sy * 0.5 * (width - 0.09), 0, 0.03, 0.025, height - 0.06, shade(style.rgb, 0.85))
                for sy in (-1, 1)
            ),
            *(box(0.035, 0, z, 0.08, width - 0.06, 0.025, shade(style.rgb, 0.95)) for z in treads),
            *(box(-0.035, 0, z, 0.02, width - 0.11, 0.03, shade(style.rgb, 0.85)) for z in treads[::2]),
            box(0.0, 0, height - 0.03, 0.14, width, 0.03, COLORS["red"], "plastic"),
            *(
                box(x, sy * 0.5 * (width - 0.03), 0, 0.055, 0.036, 0.03, DARK, "plastic")
                for x in (0.03,)
                for sy in (-1, 1)
            ),
        )
    )


def broom(style: Style, rng: np.random.Generator) -> Design:
    """A broom that stands against a wall, upright on its bristles."""
    return Design(
        (
            box(0, 0, 0, 0.050, 0.30, 0.09, (0.80, 0.68, 0.38), "wicker"),
            box(0, 0, 0.085, 0.055, 0.31, 0.045, style.rgb, "plastic"),
            disc(0, 0, 0.13, 0.040, 0.06, style.rgb, "plastic"),
            disc(0, 0, 0.15, 0.026, 1.15, style.rgb),
        )
    )


def bucket(style: Style, rng: np.random.Generator) -> Design:
    """A bucket with its bail up; a full one holds water."""
    rim = 0.26
    parts = [
        disc(0, 0, 0, 0.20, 0.010, shade(style.rgb, 0.9)),
        disc(0, 0, 0.010, 0.28, rim - 0.010, style.rgb, "", TUBE, ends=(0.74, 1.0)),
        disc(0, 0, rim - 0.025, 0.292, 0.025, shade(style.rgb, 0.85), "", TUBE),
        *(box(0, sy * 0.148, rim - 0.02, 0.010, 0.010, 0.13, STEEL, "metal") for sy in (-1, 1)),
        box(0, 0, rim + 0.10, 0.010, 0.306, 0.010, STEEL, "metal"),
        rod("y", (0, 0, rim + 0.105), 0.028, 0.10, DARK, "plastic"),
    ]
    if "full" in style.states:
        parts.append(disc(0, 0, 0.20, 0.258, 0.006, WATER, "water"))
    return Design(tuple(parts))


def vacuum_cleaner(style: Style, rng: np.random.Generator) -> Design:
    """A vacuum cleaner on wheels, its hose up to a tube and a floor nozzle at the front."""
    dark = shade(DARK, 1.4)
    return Design(
        (
            box(-0.15, 0, 0.03, 0.30, 0.24, 0.10, style.rgb),
            Part("ellipsoid", (-0.14, 0, 0.13), (0.36, 0.25, 0.20), style.rgb),
            *(rod("y", (-0.25, sy * 0.125, 0.07), 0.14, 0.03, DARK, "plastic") for sy in (-1, 1)),
            rod("y", (-0.03, 0, 0.025), 0.05, 0.05, DARK, "plastic"),
            rod("x", (0.06, 0, 0.12), 0.045, 0.14, dark, "plastic"),
            box(-0.15, 0, 0.22, 0.14, 0.03, 0.025, DARK, "plastic"),
            disc(0.14, 0, 0.06, 0.040, 0.64, dark, "plastic"),
            disc(0.14, 0, 0.66, 0.032, 0.28, STEEL, "metal"),
            box(0.11, 0, 0.90, 0.09, 0.032, 0.035, DARK, "plastic"),
            box(0.19, 0, 0, 0.13, 0.28, 0.045, shade(style.rgb, 0.8)),
            box(0.14, 0, 0.04, 0.05, 0.06, 0.04, DARK, "plastic"),
        )
    )


def paint_can(style: Style, rng: np.random.Generator) -> Design:
    """A can of paint with a print, a drip of its color and a bail."""
    d, height = 0.17, 0.18
    drip = disc(0.068, 0.045, 0.115, 0.022, height - 0.115, style.rgb, "ceramic")
    return Design(
        (
            disc(0, 0, 0, d, height, style.rgb),
            sleeve(0.05, d + 0.004, 0.058, style.text),
            disc(0, 0, height - 0.006, d + 0.008, 0.012, STEEL, "metal"),
            disc(0, 0, height + 0.003, d - 0.03, 0.005, shade(STEEL, 0.9), "metal"),
            drip,
            *(box(0, sy * 0.092, height - 0.05, 0.008, 0.008, 0.10, STEEL, "metal") for sy in (-1, 1)),
            box(0, 0, height + 0.045, 0.008, 0.192, 0.008, STEEL, "metal"),
        )
    )


def crate(style: Style, rng: np.random.Generator) -> Design:
    """An open crate of slats; what lies in it shows from above."""
    depth, width, height, slat = length(rng, 0.30, 0.36), length(rng, 0.40, 0.50), 0.25, 0.012
    heights = (0.0, 0.088, 0.176)
    long, short = depth - 2 * slat, width
    return Design(
        (
            box(0, 0, 0, depth - 2 * slat, width - 2 * slat, slat, shade(style.rgb, 0.9)),
            *(box(sx * 0.5 * (depth - slat), 0, z, slat, short, 0.070, style.rgb) for sx in (-1, 1) for z in heights),
            *(box(0, sy * 0.5 * (width - slat), z, long, slat, 0.070, style.rgb) for sy in (-1, 1) for z in heights),
            *(
                box(
                    sx * (0.5 * depth - 0.024),
                    sy * (0.5 * width - 0.024),
                    slat,
                    0.022,
                    0.022,
                    height - slat,
                    shade(style.rgb, 0.8),
                )
                for sx in (-1, 1)
                for sy in (-1, 1)
            ),
        ),
        (surface("in", "inside", slat, depth - 0.08, width - 0.08, 0.5),),
    )
