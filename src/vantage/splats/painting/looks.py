"""What surfaces look like before light falls on them: grain, weave, dials, pictures, the sky in a window.

Every look turns places on a part into a color; it never changes the mean color so much that its word changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import Part
from vantage.splats.painting.noise import smooth_noise
from vantage.splats.painting.surfaces import Samples

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Patch:
    """What a look may depend on: the part, its samples in the object frame, and a number that varies it."""

    part: Part
    samples: Samples
    seed: int

    @property
    def local(self) -> Array:
        """Points (N, 3) about the middle of the part, m."""
        points: Array = self.samples.points - np.asarray(self.part.center)
        return points

    def base(self) -> Array:
        """The color of the part for every sample, (N, 3)."""
        return np.tile(np.asarray(self.part.rgb, dtype=np.float64), (len(self.samples), 1))


@dataclass(frozen=True)
class Finish:
    """How a look is covered and how it takes light.

    Attributes:
        paint: the color of every sample.
        spacing: largest cell, m; None leaves it to the size of the thing.
        gloss: strength of the highlight, 0..1.
        sharpness: exponent of the highlight.
        glow: 0 for a surface that only reflects, 1 for one that only shines.
    """

    paint: Callable[[Patch], Array]
    spacing: float | None = None
    gloss: float = 0.0
    sharpness: float = 20.0
    glow: float = 0.0


def _scaled(color: Array, factor: Array) -> Array:
    return color * factor[:, None]


def _plain(patch: Patch) -> Array:
    return patch.base()


def _mottled(amount: float, wavelength: float) -> Callable[[Patch], Array]:
    def paint(patch: Patch) -> Array:
        return _scaled(patch.base(), 1.0 + amount * smooth_noise(patch.samples.points / wavelength, patch.seed))

    return paint


def _wood(patch: Patch) -> Array:
    size = np.asarray(patch.part.size)
    stretch = np.full(3, 55.0)
    stretch[int(np.argmax(size))] = 3.0
    grain = smooth_noise(patch.samples.points * stretch + 7.3 * (patch.seed % 13), patch.seed)
    rings = smooth_noise(patch.samples.points * stretch * 0.25, patch.seed + 1)
    painted = max(patch.part.rgb) > 0.75 or max(patch.part.rgb) < 0.15 or _saturated(patch.part.rgb)
    return _scaled(patch.base(), 1.0 + (0.25 if painted else 1.0) * (0.09 * grain + 0.09 * rings))


def _saturated(rgb: tuple[float, float, float]) -> bool:
    return min(rgb) < 0.22 * max(rgb)


def _boards(patch: Patch) -> Array:
    """Planks; ``seed`` is that of the plank and its uv runs over it."""
    points = patch.samples.points
    tone = 1.0 + 0.13 * math.sin(12.9898 * patch.seed)
    grain = smooth_noise(points * (2.5, 45.0, 1.0) + patch.seed, patch.seed)
    rings = smooth_noise(points * (1.2, 14.0, 1.0) + patch.seed, patch.seed + 1)
    return _scaled(patch.base(), tone * (1.0 + 0.07 * grain + 0.08 * rings) * _seam(patch, 0.6))


def _tiles(patch: Patch) -> Array:
    tone = 1.0 + 0.04 * math.sin(12.9898 * patch.seed)
    cloud = smooth_noise(patch.samples.points * 5.0, patch.seed)
    return _scaled(patch.base(), tone * (1.0 + 0.05 * cloud) * _seam(patch, 0.72))


def _seam(patch: Patch, depth: float) -> Array:
    """Darker in the outermost cells, which are the narrow ones."""
    narrow = patch.samples.widths.min(axis=1) < 0.0075
    return np.where(narrow, depth, 1.0)


def _wall(patch: Patch) -> Array:
    """Plaster with a white skirting board."""
    z = patch.samples.points[:, 2]
    color = _scaled(patch.base(), 1.0 + 0.015 * smooth_noise(patch.samples.points / 0.35, patch.seed))
    board = np.array([0.95, 0.94, 0.92]) * np.where(z > SKIRTING - 0.008, 0.86, 1.0)[:, None]
    return np.where((z < SKIRTING)[:, None], board, color)


SKIRTING = 0.09  # m: height of the skirting board of a wall


def _weave(patch: Patch) -> Array:
    local = patch.local
    angle = np.arctan2(local[:, 1], local[:, 0])
    strands = np.sin(26 * angle) * np.sin(math.tau * local[:, 2] / 0.045)
    return _scaled(patch.base(), 1.0 + 0.16 * strands + 0.05 * smooth_noise(patch.samples.points * 60, patch.seed))


def _pages(patch: Patch) -> Array:
    thin = int(np.argmin(np.asarray(patch.part.size)))
    return _scaled(patch.base(), 0.96 + 0.04 * np.sin(math.tau * patch.local[:, thin] / 0.006))


def _rug(patch: Patch) -> Array:
    half = 0.5 * np.asarray(patch.part.size[:2])
    xy = patch.local[:, :2]
    margin = (half - np.abs(xy)).min(axis=1)
    diamonds = np.abs(((xy[:, 0] / 0.34 + 0.5) % 1) - 0.5) + np.abs(((xy[:, 1] / 0.34 + 0.5) % 1) - 0.5)
    factor = np.where(diamonds < 0.20, 1.12, np.where(diamonds < 0.30, 0.80, 1.0))
    factor = np.where(margin < 0.17, 0.84, factor)
    factor = np.where((margin > 0.06) & (margin < 0.10), 1.16, factor)
    return _scaled(patch.base(), factor * (1.0 + 0.06 * smooth_noise(patch.samples.points * 90, patch.seed)))


def _sky(patch: Patch) -> Array:
    """Sky over a line of hills and trees."""
    height = patch.local[:, 2] / patch.part.size[2] + 0.5
    across = patch.local[:, 1]
    low, high = np.array([0.93, 0.96, 0.98]), np.array([0.60, 0.80, 0.98])
    color = low + (high - low) * height[:, None]
    q = np.stack([across * 2.4, height * 4.0, np.zeros_like(across)], axis=1)
    clouds = np.clip(smooth_noise(q, patch.seed) + 0.4 * smooth_noise(q * 2.3, patch.seed + 1) - 0.1, 0, 0.6)
    color = color + (1.0 - color) * clouds[:, None]
    hills = 0.17 + 0.05 * np.sin(5.0 * across + patch.seed) + 0.03 * np.sin(13.0 * across)
    far = np.array([0.62, 0.76, 0.66])
    near = np.array([0.42, 0.62, 0.40])
    color = np.where((height < hills)[:, None], far, color)
    return np.where((height < 0.5 * hills + 0.01)[:, None], near, color)


def _glow(patch: Patch) -> Array:
    """A lamp shade, brightest where the bulb is near."""
    warm = np.array([1.0, 0.93, 0.70])
    inner = np.exp(-(((patch.local[:, 2] + 0.15 * patch.part.size[2]) / (0.35 * patch.part.size[2])) ** 2))
    base = patch.base()
    return base + (warm - base) * (0.16 * inner)[:, None]


def _clock_face(patch: Patch) -> Array:
    """Twelve marks and two hands at ten past ten, on the color of the clock."""
    radius = 0.5 * patch.part.size[1]
    right, up = -patch.local[:, 1] / radius, patch.local[:, 2] / radius
    r, angle = np.hypot(right, up), np.arctan2(right, up)
    spread = np.abs((angle / (math.tau / 12) + 0.5) % 1 - 0.5) * (math.tau / 12) * r
    light = (r > 0.76) & (r < 0.90) & (spread < 0.042)
    for turn, length in ((-math.tau / 6 + 0.09, 0.48), (math.tau / 6, 0.66)):
        forward = right * math.sin(turn) + up * math.cos(turn)
        aside = np.abs(right * math.cos(turn) - up * math.sin(turn))
        light |= (forward > -0.06) & (forward < length) & (aside < 0.04)
    light |= r < 0.09
    return np.where(light[:, None], np.array([0.97, 0.96, 0.93]), patch.base())


def _screen(patch: Patch) -> Array:
    """A bright window with lines of text on a calm background."""
    u, v = patch.local[:, 1] / patch.part.size[1], patch.local[:, 2] / patch.part.size[2]
    color = _scaled(patch.base(), 0.9 + 0.5 * (v + 0.5))
    page = (np.abs(u - 0.02) < 0.30) & (np.abs(v) < 0.36)
    text = page & (np.abs(u - 0.02) < 0.24) & (((v + 0.36) * 9) % 1 < 0.45) & (v < 0.26)
    color = np.where(page[:, None], np.array([0.86, 0.89, 0.92]), color)
    return np.where(text[:, None], np.array([0.45, 0.50, 0.58]), color)


def _dark_screen(patch: Patch) -> Array:
    u, v = patch.local[:, 1] / patch.part.size[1], patch.local[:, 2] / patch.part.size[2]
    band = np.exp(-(((u + 0.6 * v - 0.15) / 0.16) ** 2))
    return patch.base() + (0.10 * band)[:, None]


def _keys(patch: Patch) -> Array:
    u, v = patch.local[:, 1] * 48, patch.local[:, 0] * 42
    gap = ((u % 1) < 0.25) | ((v % 1) < 0.25)
    return _scaled(patch.base(), np.where(gap, 0.7, 1.1))


def _painting(patch: Patch) -> Array:
    """A landscape in tones of the picture's color."""
    u, v = patch.local[:, 1] / patch.part.size[1], patch.local[:, 2] / patch.part.size[2]
    base = patch.base()
    color = _scaled(base, 1.12 + 0.25 * v)
    phase = 0.7 * (patch.seed % 9)
    for level, tone, waves in ((0.12, 0.92, 5.0), (-0.08, 0.74, 8.0), (-0.28, 0.58, 11.0)):
        ridge = level + 0.07 * np.sin(waves * u + phase) + 0.03 * np.sin(2.3 * waves * u)
        color = np.where((v < ridge)[:, None], _scaled(base, np.full(len(u), tone)), color)
    sun = np.hypot((u - 0.18) * patch.part.size[1], (v - 0.26) * patch.part.size[2]) < 0.055
    return np.where(sun[:, None], np.array([0.99, 0.93, 0.72]), color)


def _mirror(patch: Patch) -> Array:
    u, v = patch.local[:, 1] / patch.part.size[1], patch.local[:, 2] / patch.part.size[2]
    bands = np.sin(9.0 * (u + 0.7 * v)) * 0.06 + 0.05 * v
    return patch.base() + bands[:, None]


def _ball(patch: Patch) -> Array:
    unit = patch.local / (0.5 * np.asarray(patch.part.size))
    seam = np.abs(unit).min(axis=1) < 0.055
    return _scaled(patch.base(), np.where(seam, 0.62, 1.0))


def _globe(patch: Patch) -> Array:
    unit = patch.local / (0.5 * np.asarray(patch.part.size))
    height = smooth_noise(unit * 1.9 + 11.0, patch.seed) + 0.5 * smooth_noise(unit * 4.1, patch.seed + 1)
    land = height > np.quantile(height, 0.74)
    color = np.where(land[:, None], np.array([0.20, 0.50, 0.24]), patch.base())
    return np.where((np.abs(unit[:, 2]) > 0.97)[:, None], np.array([0.92, 0.95, 0.97]), color)


def _mesh(patch: Patch) -> Array:
    holes = np.sin(patch.local[:, 1] * 520) * np.sin(patch.local[:, 2] * 520)
    return _scaled(patch.base(), 1.0 + 0.30 * holes)


LOOKS: dict[str, Finish] = {
    "": Finish(_plain),
    "wood": Finish(_wood, gloss=0.05, sharpness=10),
    "metal": Finish(_plain, gloss=0.28, sharpness=12),
    "plastic": Finish(_plain, gloss=0.22, sharpness=18),
    "ceramic": Finish(_plain, gloss=0.28, sharpness=28),
    "glass": Finish(_plain, gloss=0.50, sharpness=36),
    "fabric": Finish(_mottled(0.06, 0.012)),
    "leather": Finish(_mottled(0.07, 0.05), gloss=0.14, sharpness=9),
    "paper": Finish(_mottled(0.03, 0.03)),
    "paint": Finish(_plain),
    "ceiling": Finish(_plain, spacing=0.10),
    "wall": Finish(_wall, spacing=0.085),
    "boards": Finish(_boards, spacing=0.06, gloss=0.05, sharpness=8),
    "tiles": Finish(_tiles, spacing=0.055, gloss=0.06, sharpness=8),
    "wicker": Finish(_weave, spacing=0.016),
    "pages": Finish(_pages),
    "rug": Finish(_rug, spacing=0.024),
    "sky": Finish(_sky, spacing=0.03, glow=1.0),
    "glow": Finish(_glow, glow=0.75),
    "light": Finish(_plain, glow=1.0),
    "clock face": Finish(_clock_face, spacing=0.008),
    "screen": Finish(_screen, spacing=0.009, glow=0.6),
    "dark screen": Finish(_dark_screen, spacing=0.02, glow=0.3),
    "keys": Finish(_keys, spacing=0.008),
    "painting": Finish(_painting, spacing=0.013),
    "mirror": Finish(_mirror, spacing=0.035, glow=0.3),
    "leaf": Finish(_mottled(0.12, 0.02), gloss=0.06, sharpness=8),
    "soil": Finish(_mottled(0.25, 0.01)),
    "skin": Finish(_mottled(0.04, 0.015), gloss=0.25, sharpness=16),
    "ball": Finish(_ball, gloss=0.20, sharpness=14),
    "globe": Finish(_globe, spacing=0.007, gloss=0.20, sharpness=16),
    "mesh": Finish(_mesh, spacing=0.006),
}
