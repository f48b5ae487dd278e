"""Procedural textures: smooth noise, and pictures such as skies, screens, dials and calendars.

Noise depends on place and seed alone. A material never changes the mean color so much that its word changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.jit import inline_kernel, kernel

Array = NDArray[np.float64]
Seeds = NDArray[np.int64] | int

_LAND = 0.30  # noise above which a globe shows land
SKIRTING = 0.09  # m: height of the skirting board of a wall
_SKIRTING_WHITE = np.array([0.95, 0.94, 0.92])


@dataclass(frozen=True)
class Patch:
    """What a look may depend on, for N samples of any number of parts.

    Attributes:
        points: (N, 3) in the frame of the object, m.
        local: (N, 3) about the middle of the part, m.
        sizes: (N, 3) of the part, m.
        base: (N, 3), the color of the part.
        seeds: (N,), numbers that vary the look from part to part.
    """

    points: Array
    local: Array
    sizes: Array
    base: Array
    seeds: NDArray[np.int64]

    def front(self) -> tuple[Array, Array]:
        """Places (N,) to the right and up on the side towards x, -0.5..0.5."""
        return self.local[:, 1] / self.sizes[:, 1], self.local[:, 2] / self.sizes[:, 2]

    def scaled(self, factor: Array) -> Array:
        """The color of the part times a factor (N,)."""
        color: Array = self.base * factor[:, None]
        return color

    def phase(self) -> Array:
        """Angles (N,) that differ from part to part, rad."""
        angles: Array = 0.7 * (self.seeds % 9).astype(np.float64)
        return angles


Paint = Callable[[Patch], Array]


@dataclass(frozen=True)
class Finish:
    """How a look is covered and how it takes light.

    Attributes:
        paint: the color of every sample.
        spacing: largest cell, m; None leaves it to the size of the object.
        gloss: strength of the highlight, 0..1.
        sharpness: exponent of the highlight.
        glow: 0 for a surface that only reflects, 1 for one that only shines.
        grain: length of a cell over its breadth, of boxes, along their longest side.
        opacity: of its Gaussians, which overlap: at 0.15, a wall of one layer hides a third of what is behind it.
    """

    paint: Paint
    spacing: float | None = None
    gloss: float = 0.0
    sharpness: float = 20.0
    glow: float = 0.0
    grain: float = 1.0
    opacity: float = 0.995

    def painted(self, paint: Paint) -> Finish:
        """The same surface in other colors."""
        return replace(self, paint=paint)


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


def smooth_noise(points: NDArray[np.float64], seeds: Seeds) -> NDArray[np.float64]:
    """Value noise in [-1, 1] at points (N, 3) in units of its wavelength; one seed for all or one for each (N,)."""
    values = np.empty(len(points))
    _interpolate(np.ascontiguousarray(points), _starts(seeds, len(points)), values)
    return values


def hashed(cells: NDArray[np.float64], seeds: Seeds) -> NDArray[np.float64]:
    """Numbers in [-1, 1) that depend on whole numbers (N, 3) and seeds alone."""
    values = np.empty(len(cells))
    _hash_all(np.ascontiguousarray(cells), _starts(seeds, len(cells)), values)
    return values


def _starts(seeds: Seeds, count: int) -> NDArray[np.uint32]:
    numbers = np.asarray(seeds, dtype=np.int64) * 2654435761 % 2**32
    return np.ascontiguousarray(np.broadcast_to(numbers, count), dtype=np.uint32)


@inline_kernel
def _mixed(i: Any, j: Any, k: Any, start: Any) -> Any:
    """A number in [-1, 1) from whole numbers (multiply and shift, in the manner of an integer hash)."""
    bits = np.uint32(np.uint32(i) * np.uint32(73856093) + np.uint32(j) * np.uint32(19349663))
    bits = np.uint32(bits + np.uint32(k) * np.uint32(83492791) + start)
    bits = np.uint32(np.uint32(bits ^ (bits >> np.uint32(16))) * np.uint32(0x7FEB352D))
    bits = np.uint32(np.uint32(bits ^ (bits >> np.uint32(15))) * np.uint32(0x846CA68B))
    bits = np.uint32(bits ^ (bits >> np.uint32(16)))
    return float(bits) * (2.0 / 4294967296.0) - 1.0


@kernel
def _hash_all(cells: Any, starts: Any, values: Any) -> None:
    for n in range(len(cells)):
        values[n] = _mixed(np.int64(cells[n, 0]), np.int64(cells[n, 1]), np.int64(cells[n, 2]), starts[n])


@kernel
def _interpolate(points: Any, starts: Any, values: Any) -> None:
    for n in range(len(points)):
        i, j, k = math.floor(points[n, 0]), math.floor(points[n, 1]), math.floor(points[n, 2])
        x, y, z = points[n, 0] - i, points[n, 1] - j, points[n, 2] - k
        x, y, z = x * x * (3.0 - 2.0 * x), y * y * (3.0 - 2.0 * y), z * z * (3.0 - 2.0 * z)
        total = 0.0
        for a in range(2):
            for b in range(2):
                for c in range(2):
                    weight = (x if a else 1.0 - x) * (y if b else 1.0 - y) * (z if c else 1.0 - z)
                    total += weight * _mixed(np.int64(i + a), np.int64(j + b), np.int64(k + c), starts[n])
        values[n] = total


def plain(patch: Patch) -> Array:
    """The color as it is."""
    return patch.base


def mottled(amount: float, wavelength: float) -> Paint:
    """Lighter and darker by a share, in spots of a size in m."""

    def paint(patch: Patch) -> Array:
        return patch.scaled(1.0 + amount * smooth_noise(patch.points / wavelength, patch.seeds))

    return paint


def wall(patch: Patch) -> Array:
    """Plaster with a white skirting board."""
    z = patch.points[:, 2]
    color = patch.scaled(1.0 + 0.015 * smooth_noise(patch.points / 0.35, patch.seeds))
    board = _SKIRTING_WHITE * np.where(z > SKIRTING - 0.008, 0.86, 1.0)[:, None]
    return np.where((z < SKIRTING)[:, None], board, color)


def pages(patch: Patch) -> Array:
    """Edges of sheets across the thinnest side."""
    thin = patch.local[np.arange(len(patch.local)), patch.sizes.argmin(axis=1)]
    return patch.scaled(0.96 + 0.04 * np.sin(math.tau * thin / 0.006))


def rug(patch: Patch) -> Array:
    """Diamonds in a border."""
    xy = patch.local[:, :2]
    margin = (0.5 * patch.sizes[:, :2] - np.abs(xy)).min(axis=1)
    diamonds = np.abs(((xy[:, 0] / 0.34 + 0.5) % 1) - 0.5) + np.abs(((xy[:, 1] / 0.34 + 0.5) % 1) - 0.5)
    factor = np.where(diamonds < 0.20, 1.12, np.where(diamonds < 0.30, 0.80, 1.0))
    factor = np.where(margin < 0.17, 0.84, factor)
    factor = np.where((margin > 0.06) & (margin < 0.10), 1.16, factor)
    return patch.scaled(factor * (1.0 + 0.06 * smooth_noise(patch.points * 90, patch.seeds)))


def mesh(patch: Patch) -> Array:
    """The small holes of a loudspeaker."""
    holes = np.sin(patch.local[:, 1] * 520) * np.sin(patch.local[:, 2] * 520)
    return patch.scaled(1.0 + 0.30 * holes)


def ball(patch: Patch) -> Array:
    """Three dark seams around a ball."""
    round_place = patch.local / (0.5 * patch.sizes)
    seam = np.abs(round_place).min(axis=1) < 0.055
    return patch.scaled(np.where(seam, 0.62, 1.0))
