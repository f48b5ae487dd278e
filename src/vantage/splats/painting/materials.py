"""Colors of materials: grain, weave, leather, plaster. They never change the mean so much that its word changes."""

from __future__ import annotations

import math

import numpy as np

from vantage.splats.painting.finish import Paint, Patch
from vantage.splats.painting.noise import smooth_noise
from vantage.splats.painting.samples import Array

SKIRTING = 0.09  # m: height of the skirting board of a wall
_SKIRTING_WHITE = np.array([0.95, 0.94, 0.92])


def plain(patch: Patch) -> Array:
    """The color as it is."""
    return patch.base


def mottled(amount: float, wavelength: float) -> Paint:
    """Lighter and darker by a share, in spots of a size in m."""

    def paint(patch: Patch) -> Array:
        return patch.scaled(1.0 + amount * smooth_noise(patch.points / wavelength, patch.seeds))

    return paint


def wood(patch: Patch) -> Array:
    """Grain along the longest side; hardly any under bright paint."""
    stretch = np.full(patch.sizes.shape, 55.0)
    stretch[np.arange(len(stretch)), patch.sizes.argmax(axis=1)] = 3.0
    grain = smooth_noise(patch.points * stretch + 7.3 * (patch.seeds % 13)[:, None], patch.seeds)
    rings = smooth_noise(patch.points * stretch * 0.25, patch.seeds + 1)
    low, high = patch.base.min(axis=1), patch.base.max(axis=1)
    painted = (high > 0.75) | (high < 0.15) | (low < 0.22 * high)
    return patch.scaled(1.0 + np.where(painted, 0.25, 1.0) * (0.09 * grain + 0.09 * rings))


def stone(patch: Patch) -> Array:
    """Fine dark and light grains."""
    coarse = smooth_noise(patch.points / 0.05, patch.seeds)
    return patch.scaled(1.0 + 0.06 * coarse + 0.10 * smooth_noise(patch.points / 0.012, patch.seeds + 1))


def brushed(patch: Patch) -> Array:
    """Metal with faint horizontal streaks."""
    return patch.scaled(1.0 + 0.035 * smooth_noise(patch.points * (4.0, 4.0, 90.0), patch.seeds))


def wall(patch: Patch) -> Array:
    """Plaster with a white skirting board."""
    z = patch.points[:, 2]
    color = patch.scaled(1.0 + 0.015 * smooth_noise(patch.points / 0.35, patch.seeds))
    board = _SKIRTING_WHITE * np.where(z > SKIRTING - 0.008, 0.86, 1.0)[:, None]
    return np.where((z < SKIRTING)[:, None], board, color)


def weave(patch: Patch) -> Array:
    """Wicker strands around the vertical."""
    angle = np.arctan2(patch.local[:, 1], patch.local[:, 0])
    strands = np.sin(26 * angle) * np.sin(math.tau * patch.local[:, 2] / 0.045)
    return patch.scaled(1.0 + 0.16 * strands + 0.05 * smooth_noise(patch.points * 60, patch.seeds))


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


def water(patch: Patch) -> Array:
    """Faint ripples."""
    xy = patch.points[:, :2]
    ripples = np.sin(70.0 * xy[:, 0] + 2.0 * smooth_noise(patch.points * 9.0, patch.seeds)) * np.sin(50.0 * xy[:, 1])
    return patch.scaled(1.0 + 0.06 * ripples)
