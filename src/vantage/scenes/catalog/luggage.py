"""Builders of boxes and cases that open: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.catalog.hollow import lid, tub
from vantage.scenes.geometry.design import DARK, PAPER, Design, Style, box, disc, label, length, named, sleeve, surface
from vantage.scenes.geometry.motion import hinge, opened
from vantage.scenes.spec.palette import blend, shade


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
