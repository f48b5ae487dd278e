"""What shows something of its own: the sky in a window, screens, dials, paintings, calendars, a hot plate."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vantage.splats.painting.finish import Patch
from vantage.splats.painting.noise import smooth_noise
from vantage.splats.painting.samples import Array

_LAND = 0.30  # noise above which a globe shows land


def _where(mask: NDArray[np.bool_], color: tuple[float, float, float] | Array, other: Array) -> Array:
    return np.where(mask[:, None], np.asarray(color), other)


def sky(patch: Patch) -> Array:
    """Sky over a line of hills and trees."""
    across, height = patch.local[:, 1], patch.front()[1] + 0.5
    low, high = np.array([0.93, 0.96, 0.98]), np.array([0.60, 0.80, 0.98])
    color = low + (high - low) * height[:, None]
    q = np.stack([across * 2.4, height * 4.0, np.zeros_like(across)], axis=1)
    clouds = np.clip(smooth_noise(q, patch.seeds) + 0.4 * smooth_noise(q * 2.3, patch.seeds + 1) - 0.1, 0, 0.6)
    color = color + (1.0 - color) * clouds[:, None]
    hills = 0.17 + 0.05 * np.sin(5.0 * across + patch.seeds) + 0.03 * np.sin(13.0 * across)
    color = _where(height < hills, (0.62, 0.76, 0.66), color)
    return _where(height < 0.5 * hills + 0.01, (0.42, 0.62, 0.40), color)


def lamp_shade(patch: Patch) -> Array:
    """Brightest where the bulb is near."""
    height = patch.sizes[:, 2]
    inner = np.exp(-(((patch.local[:, 2] + 0.15 * height) / (0.35 * height)) ** 2))
    return patch.base + (np.array([1.0, 0.93, 0.70]) - patch.base) * (0.16 * inner)[:, None]


def clock_face(patch: Patch) -> Array:
    """Twelve marks and two hands at ten past ten, on the color of the clock."""
    radius = 0.5 * patch.sizes[:, 1]
    right, up = patch.local[:, 1] / radius, patch.local[:, 2] / radius
    r, angle = np.hypot(right, up), np.arctan2(right, up)
    spread = np.abs((angle / (math.tau / 12) + 0.5) % 1 - 0.5) * (math.tau / 12) * r
    light = (r > 0.76) & (r < 0.90) & (spread < 0.042)
    for turn, length in ((-math.tau / 6 + 0.09, 0.48), (math.tau / 6, 0.66)):
        forward = right * math.sin(turn) + up * math.cos(turn)
        aside = np.abs(right * math.cos(turn) - up * math.sin(turn))
        light |= (forward > -0.06) & (forward < length) & (aside < 0.04)
    return _where(light | (r < 0.09), (0.97, 0.96, 0.93), patch.base)


def screen(patch: Patch) -> Array:
    """A bright window with lines of text on a calm background."""
    u, v = patch.front()
    color = patch.scaled(1.35 + 0.5 * v)
    page = (np.abs(u - 0.02) < 0.30) & (np.abs(v) < 0.36)
    text = page & (np.abs(u - 0.02) < 0.24) & (((v + 0.36) * 9) % 1 < 0.45) & (v < 0.26)
    return _where(text, (0.45, 0.50, 0.58), _where(page, (0.86, 0.89, 0.92), color))


def dark_screen(patch: Patch) -> Array:
    """The reflection of a window in black glass."""
    u, v = patch.front()
    band = np.exp(-(((u + 0.6 * v - 0.15) / 0.16) ** 2))
    return patch.base + (0.10 * band)[:, None]


def film(patch: Patch) -> Array:
    """A bright landscape with a lake, a sun and a red sail, as television shows it."""
    u, v = patch.front()
    color = np.stack([0.45 + 0.45 * (v + 0.5), 0.70 + 0.15 * (v + 0.5), np.full_like(v, 0.95)], axis=1)
    ridge = 0.08 + 0.12 * np.abs(np.sin(4.0 * u + patch.phase())) + 0.03 * np.sin(17.0 * u)
    color = _where(v < ridge, (0.36, 0.44, 0.58), color)
    color = _where(v < 0.02 + 0.03 * np.sin(9.0 * u), (0.32, 0.62, 0.30), color)
    color = _where(v < -0.10, (0.22, 0.52, 0.78), color)
    color = _where(v < -0.38 + 0.05 * np.sin(6.0 * u), (0.86, 0.76, 0.48), color)
    aspect = patch.sizes[:, 1] / patch.sizes[:, 2]
    color = _where(np.hypot((u - 0.26) * aspect, v - 0.33) < 0.08, (1.0, 0.92, 0.55), color)
    sail = (v > -0.18) & (v < 0.10) & (np.abs(u + 0.12) * aspect < 0.45 * (0.10 - v))
    return _where(sail, (0.88, 0.22, 0.16), color)


def keys(patch: Patch) -> Array:
    """Rows of keys on top."""
    u, v = patch.local[:, 1] * 48, patch.local[:, 0] * 42
    gap = ((u % 1) < 0.25) | ((v % 1) < 0.25)
    return patch.scaled(np.where(gap, 0.7, 1.1))


def painting(patch: Patch) -> Array:
    """A landscape in tones of the picture's color."""
    u, v = patch.front()
    color = patch.scaled(1.12 + 0.25 * v)
    for level, tone, waves in ((0.12, 0.92, 5.0), (-0.08, 0.74, 8.0), (-0.28, 0.58, 11.0)):
        ridge = level + 0.07 * np.sin(waves * u + patch.phase()) + 0.03 * np.sin(2.3 * waves * u)
        color = _where(v < ridge, tone * patch.base, color)
    sun = np.hypot((u - 0.18) * patch.sizes[:, 1], (v - 0.26) * patch.sizes[:, 2]) < 0.055
    return _where(sun, (0.99, 0.93, 0.72), color)


def mirror(patch: Patch) -> Array:
    """Soft bands of reflected light."""
    u, v = patch.front()
    return patch.base + (np.sin(9.0 * (u + 0.7 * v)) * 0.06 + 0.05 * v)[:, None]


def globe(patch: Patch) -> Array:
    """Green land and white poles on the color of the sea."""
    place = patch.local / (0.5 * patch.sizes)
    height = smooth_noise(place * 1.9 + 11.0, patch.seeds) + 0.5 * smooth_noise(place * 4.1, patch.seeds + 1)
    color = _where(height > _LAND, (0.20, 0.50, 0.24), patch.base)
    return _where(np.abs(place[:, 2]) > 0.97, (0.92, 0.95, 0.97), color)


def days(patch: Patch) -> Array:
    """The page of a calendar: a dark heading and a grid of seven by five days."""
    u, v = patch.front()
    column, row = ((u + 0.44) / 0.88) * 7, ((v + 0.44) / 0.70) * 5
    inside = (column > 0) & (column < 7) & (row > 0) & (row < 5)
    square = inside & (np.abs(column % 1 - 0.5) < 0.28) & (np.abs(row % 1 - 0.5) < 0.28)
    heading = (v > 0.32) & (v < 0.44) & (np.abs(u) < 0.40)
    return _where(heading, 0.55 * patch.base, _where(square, 0.62 * patch.base, patch.base))


def handwriting(patch: Patch) -> Array:
    """A few dark wavy lines on the front, or on top of a sheet that lies."""
    lying = patch.sizes[:, 2] < 0.2 * patch.sizes[:, 1]
    v = np.where(lying, patch.local[:, 0] / patch.sizes[:, 0], patch.local[:, 2] / patch.sizes[:, 2])
    u = patch.local[:, 1] / patch.sizes[:, 1]
    row = (v + 0.36) * 7.0
    wave = 0.12 * np.sin(60.0 * u + 3.0 * np.floor(row)) * np.sin(23.0 * u)
    end = 0.36 - 0.22 * (np.floor(row) % 3 == 1)
    ink = (np.abs(row % 1 - 0.5 + wave) < 0.13) & (np.abs(v) < 0.36) & (u > -0.38) & (u < end)
    return _where(ink, 0.35 * patch.base, patch.base)


def burner(patch: Patch) -> Array:
    """Red-hot rings, seen from above."""
    place = patch.local[:, :2] / (0.5 * patch.sizes[:, :2])
    r = np.hypot(place[:, 0], place[:, 1])
    hot, warm = np.array([1.0, 0.42, 0.10]), np.array([0.55, 0.09, 0.05])
    heat = 0.5 + 0.5 * np.cos(math.tau * r * 3.5)
    color: Array = warm + (hot - warm) * heat[:, None]
    return color
