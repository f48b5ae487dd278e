"""Builders of what people cook with and eat from: x to the front, y along the width, z up, metres."""

from __future__ import annotations

import numpy as np

from vantage.scenes.geometry import CUP, DARK, DIRT, TUBE, WATER, Design, Style, ball, box, disc, rod, surface
from vantage.scenes.spec import Color, Part, shade

_COFFEE: Color = (0.22, 0.12, 0.06)
_SOUP: Color = (0.86, 0.42, 0.12)


def _handle(x: float, reach: float, low: float, high: float, thick: float, style: Style) -> list[Part]:
    """A square handle towards y-, whose arms start at y = -x."""
    y = -(x + 0.5 * reach)
    return [
        *(box(0, y, z, thick, reach, thick, style.rgb) for z in (low, high - thick)),
        box(0, -(x + reach - 0.5 * thick), low, thick, thick, high - low, style.rgb),
    ]


def mug(style: Style, rng: np.random.Generator) -> Design:
    """A mug with a handle; a full one holds coffee."""
    parts = [
        disc(0, 0, 0, 0.080, 0.006, style.rgb),
        disc(0, 0, 0.006, 0.084, 0.094, style.rgb, "", CUP),
        *_handle(0.040, 0.036, 0.022, 0.082, 0.013, style),
    ]
    if "full" in style.states:
        parts.append(disc(0, 0, 0.084, 0.072, 0.004, _COFFEE, "water"))
    return Design(tuple(parts))


def cup(style: Style, rng: np.random.Generator) -> Design:
    """A tea cup on a saucer; a full one holds tea."""
    parts = [
        disc(0, 0, 0, 0.09, 0.005, style.rgb),
        disc(0, 0, 0.004, 0.15, 0.010, style.rgb, "", TUBE, ends=(0.62, 1.0)),
        disc(0, 0, 0.005, 0.05, 0.008, style.rgb),
        disc(0, 0, 0.012, 0.098, 0.058, style.rgb, "", CUP, ends=(0.55, 1.0)),
        *_handle(0.040, 0.026, 0.030, 0.062, 0.009, style),
    ]
    if "full" in style.states:
        parts.append(disc(0, 0, 0.058, 0.080, 0.004, shade(_SOUP, 0.8), "water"))
    return Design(tuple(parts))


def glass(style: Style, rng: np.random.Generator) -> Design:
    """A drinking glass of tinted glass; a full one holds water."""
    parts = [
        disc(0, 0, 0, 0.056, 0.010, style.rgb),
        disc(0, 0, 0.010, 0.070, 0.115, style.rgb, "", CUP, ends=(0.82, 1.0)),
    ]
    if "full" in style.states:
        parts.append(disc(0, 0, 0.108, 0.058, 0.004, WATER, "water"))
    return Design(tuple(parts))


def bowl(style: Style, rng: np.random.Generator) -> Design:
    """An open bowl."""
    return Design(
        (
            disc(0, 0, 0, 0.19, 0.012, style.rgb),
            disc(0, 0, 0.012, 0.28, 0.070, style.rgb, "", TUBE, ends=(0.68, 1.0)),
        ),
        (surface("in", "inside", 0.012, 0.128, 0.128, 0.3),),
    )


def plate(style: Style, rng: np.random.Generator) -> Design:
    """A flat plate with a raised rim; a dirty one has smears and crumbs on it."""
    parts = [
        disc(0, 0, 0, 0.15, 0.008, style.rgb),
        disc(0, 0, 0.008, 0.24, 0.014, style.rgb, "", TUBE, ends=(0.62, 1.0)),
    ]
    if "dirty" in style.states:
        parts += _leftovers(0.008, 0.05)
    return Design(tuple(parts))


def _leftovers(z: float, reach: float) -> list[Part]:
    """Smears of sauce and crumbs at a height, within a reach of the middle."""
    return [
        disc(0.3 * reach, 0.2 * reach, z, 1.1 * reach, 0.003, shade(_SOUP, 0.7)),
        disc(-0.5 * reach, -0.4 * reach, z, 0.7 * reach, 0.003, DIRT),
        *(
            ball(x * reach, y * reach, z, 0.014, 0.012, 0.010, DIRT)
            for x, y in ((0.8, -0.5), (-0.6, 0.6), (0.1, -0.9), (-0.9, 0.1), (0.5, 0.8))
        ),
    ]


def pot(style: Style, rng: np.random.Generator) -> Design:
    """A cooking pot with two handles; a full one holds soup, an empty one shows its floor."""
    parts = [
        disc(0, 0, 0, 0.215, 0.008, style.rgb),
        disc(0, 0, 0.008, 0.22, 0.125, style.rgb, "", TUBE),
        *(box(0, sy * 0.128, 0.095, 0.075, 0.040, 0.014, DARK, "plastic") for sy in (-1, 1)),
    ]
    if "full" in style.states:
        parts += [
            disc(0, 0, 0.095, 0.208, 0.006, _SOUP, "water"),
            *(
                ball(x, y, 0.094, 0.03, 0.024, 0.016, (0.45, 0.62, 0.20))
                for x, y in ((0.04, 0.03), (-0.05, 0.01), (0.0, -0.06))
            ),
        ]
    return Design(tuple(parts))


def pan(style: Style, rng: np.random.Generator) -> Design:
    """A frying pan, its handle to the front; a dirty one has burnt leftovers in it."""
    parts = [
        disc(-0.07, 0, 0, 0.20, 0.006, style.rgb),
        disc(-0.07, 0, 0.006, 0.26, 0.042, style.rgb, "", TUBE, ends=(0.78, 1.0)),
        rod("x", (0.15, 0, 0.038), 0.024, 0.20, DARK, "plastic"),
    ]
    if "dirty" in style.states:
        parts += [
            disc(-0.05, 0.02, 0.006, 0.10, 0.004, shade(_SOUP, 0.75)),
            *(
                ball(-0.07 + x, y, 0.006, 0.022, 0.02, 0.012, (0.62, 0.50, 0.20))
                for x, y in ((-0.05, -0.04), (0.04, -0.05), (-0.04, 0.05))
            ),
        ]
    return Design(tuple(parts))


def kettle(style: Style, rng: np.random.Generator) -> Design:
    """An electric kettle on its base, the spout to the front."""
    return Design(
        (
            disc(0, 0, 0, 0.16, 0.022, DARK, "plastic"),
            disc(0, 0, 0.022, 0.155, 0.165, style.rgb, "", (), ends=(1.0, 0.72)),
            disc(0, 0, 0.187, 0.112, 0.014, shade(style.rgb, 0.7)),
            ball(0, 0, 0.198, 0.026, 0.026, 0.022, DARK, "plastic"),
            rod("x", (0.080, 0, 0.165), 0.045, 0.055, style.rgb, "", (1.0, 0.5)),
            *(box(-0.095, 0, z, 0.065, 0.020, 0.018, DARK, "plastic") for z in (0.055, 0.170)),
            box(-0.122, 0, 0.055, 0.018, 0.022, 0.133, DARK, "plastic"),
        )
    )


def toaster(style: Style, rng: np.random.Generator) -> Design:
    """A toaster with two slots; where it is on, they glow and slices of bread stick out."""
    glow: Color = (0.95, 0.35, 0.08) if "on" in style.states else DARK
    parts = [
        box(0, 0, 0, 0.15, 0.26, 0.014, DARK, "plastic"),
        box(0, 0, 0.014, 0.17, 0.28, 0.150, style.rgb),
        box(0, 0, 0.164, 0.15, 0.26, 0.012, shade(style.rgb, 0.92)),
        *(
            box(sx * 0.036, 0, 0.176, 0.028, 0.19, 0.002, glow, "burner" if "on" in style.states else "")
            for sx in (-1, 1)
        ),
        box(0.088, -0.09, 0.10, 0.02, 0.035, 0.016, DARK, "plastic"),
        rod("x", (0.090, 0.08, 0.06), 0.034, 0.014, DARK, "plastic"),
    ]
    if "on" in style.states:
        parts += [box(sx * 0.036, 0, 0.150, 0.014, 0.11, 0.062, (0.78, 0.55, 0.28)) for sx in (-1, 1)]
    return Design(tuple(parts))


def teapot(style: Style, rng: np.random.Generator) -> Design:
    """A teapot, its spout to the front."""
    return Design(
        (
            disc(0, 0, 0, 0.085, 0.010, style.rgb),
            ball(0, 0, 0.006, 0.15, 0.15, 0.12, style.rgb),
            disc(0, 0, 0.120, 0.07, 0.008, shade(style.rgb, 0.9)),
            ball(0, 0, 0.127, 0.024, 0.024, 0.024, shade(style.rgb, 0.9)),
            rod("x", (0.090, 0, 0.078), 0.038, 0.065, style.rgb, "", (1.0, 0.5)),
            box(-0.095, 0, 0.092, 0.06, 0.014, 0.014, style.rgb),
            box(-0.095, 0, 0.036, 0.06, 0.014, 0.014, style.rgb),
            box(-0.118, 0, 0.036, 0.014, 0.014, 0.070, style.rgb),
        )
    )


def _cutlery(style: Style) -> list[Part]:
    """The grip of a piece of cutlery that lies across, its working end towards y+."""
    return [
        box(0, -0.060, 0, 0.020, 0.090, 0.008, shade(style.rgb, 0.8)),
        box(0, -0.005, 0.001, 0.009, 0.025, 0.005, style.rgb),
    ]


def knife(style: Style, rng: np.random.Generator) -> Design:
    """A kitchen knife, lying."""
    return Design((*_cutlery(style), box(0.003, 0.065, 0.001, 0.028, 0.120, 0.004, style.rgb)))


def fork(style: Style, rng: np.random.Generator) -> Design:
    """A fork with four tines, lying."""
    tines = (box(0.0087 * (k - 1.5), 0.060, 0.002, 0.004, 0.055, 0.004, style.rgb) for k in range(4))
    return Design((*_cutlery(style), box(0, 0.020, 0.001, 0.031, 0.028, 0.005, style.rgb), *tines))


def spoon(style: Style, rng: np.random.Generator) -> Design:
    """A spoon, lying."""
    return Design((*_cutlery(style), ball(0, 0.035, 0, 0.036, 0.060, 0.010, style.rgb)))


def cutting_board(style: Style, rng: np.random.Generator) -> Design:
    """A board with a groove around it and a dark grip, lying."""
    groove = shade(style.rgb, 0.75)
    return Design(
        (
            box(0, 0, 0, 0.24, 0.36, 0.018, style.rgb),
            *(box(sx * 0.10, 0, 0.016, 0.008, 0.308, 0.003, groove) for sx in (-1, 1)),
            *(box(0, sy * 0.15, 0.016, 0.192, 0.008, 0.003, groove) for sy in (-1, 1)),
            disc(0.0, 0.166, 0.016, 0.018, 0.003, DARK),
        ),
        (surface("on", "top", 0.018, 0.18, 0.28, 0.3),),
    )
