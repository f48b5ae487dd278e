"""Textures by which materials are told: grain, weave, creases, streaks of light on metal, the level in a glass.

Each differs from the others by its pattern, not by its color, and none changes the mean color so much that its word
changes. Details are as large as the cells of usual objects show them.
"""

from __future__ import annotations

import math

import numpy as np

from vantage.scenes.looks.textures import Array, Patch, hashed, smooth_noise

_STRAND = 0.05  # m: height of two rows of wicker
_STAKE = 0.066  # m: from one stake of wicker to the one after the next
_THREAD = (0.09, 0.02, 0.10)  # period of a weave: in diagonals of its part, and its limits, m
_LEVEL = 0.39  # height of the water in a full glass, in heights of its wall about the middle
_SPECKLED = 0.35  # m: what is larger has an even glaze, and what is lower than
_FLAT = 0.05  # m, too, on which speckles would pass for crumbs


def wood(patch: Patch) -> Array:
    """Grain along the longest side, with darker pores; half as strong under paint."""
    stretch = np.full(patch.sizes.shape, 55.0)
    stretch[np.arange(len(stretch)), patch.sizes.argmax(axis=1)] = 1.6
    place = patch.points * stretch + 7.3 * (patch.seeds % 13)[:, None]
    rings = smooth_noise(0.3 * place, patch.seeds + 1)
    grain = smooth_noise(place, patch.seeds)
    low, high = patch.base.min(axis=1), patch.base.max(axis=1)
    painted = (high > 0.75) | (high < 0.15) | (low < 0.22 * high)
    lines = 0.13 * grain + 0.15 * rings - 0.16 * np.clip(rings - 0.25, 0.0, None)
    color = patch.scaled(1.0 + np.where(painted, 0.45, 1.0) * lines)
    stained = np.where(high < 0.15, 0.05, 0.0) * np.clip(grain + rings, 0.0, None)
    found: Array = color + stained[:, None] * np.array([1.0, 0.8, 0.6])
    return found


def stone(patch: Patch) -> Array:
    """Fine dark and light grains."""
    coarse = smooth_noise(patch.points / 0.05, patch.seeds)
    return patch.scaled(1.0 + 0.06 * coarse + 0.10 * smooth_noise(patch.points / 0.012, patch.seeds + 1))


def metal(patch: Patch) -> Array:
    """Bands of light and dark around the vertical, as polished sheet mirrors a room, and faint horizontal streaks."""
    around = _around(patch) + 0.5 * patch.local[:, 2] / patch.sizes[:, 2] + patch.phase()
    bands = 0.6 * np.sin(2.0 * around) + 0.4 * np.sin(5.0 * around + 1.0)
    streaks = smooth_noise(patch.points * (4.0, 4.0, 90.0), patch.seeds)
    shine = np.clip(bands - 0.35, 0.0, None) ** 2
    return patch.scaled(0.97 + 0.20 * bands + 0.05 * streaks) + 0.45 * shine[:, None]


def ceramic(patch: Patch) -> Array:
    """An even glaze with a lighter rim; small vessels are speckled like stoneware."""
    speckle = hashed(np.floor(patch.points / 0.007), patch.seeds) > 0.86
    small = (patch.sizes.max(axis=1) < _SPECKLED) & (patch.sizes[:, 2] > _FLAT)
    return patch.scaled(np.where(speckle & small, 0.72, 1.0))


def glass(patch: Patch) -> Array:
    """Upright reflections of windows, and a bright rim and foot."""
    around, up = _around(patch), patch.local[:, 2] / patch.sizes[:, 2]
    light = np.zeros(len(patch.points))
    for turn, breadth in ((0.0, 0.13), (0.40, 0.05), (2.4, 0.10), (4.3, 0.13)):
        off = np.abs(np.remainder(around - turn - patch.phase() + math.pi, math.tau) - math.pi)
        light = np.maximum(light, np.exp(-((off / breadth) ** 2)) * (np.abs(up) < 0.42))
    light = np.maximum(light, 0.5 * (np.abs(up) > 0.45))
    color: Array = patch.base + 0.50 * light[:, None] * (1.0 - patch.base)
    return color


def filled_glass(patch: Patch) -> Array:
    """The wall of a glass, deeper in color up to the level of what it holds, and a bright line there."""
    up = patch.local[:, 2] / patch.sizes[:, 2]
    deep = np.where((up < _LEVEL)[:, None], 0.62 * patch.base, glass(patch))
    line = np.abs(up - _LEVEL) < 0.035
    return np.where(line[:, None], patch.base + 0.6 * (1.0 - patch.base), deep)


def fabric(patch: Patch) -> Array:
    """A plain weave: threads over and under each other along the two longest sides of a part."""
    share, least, most = _THREAD
    period = np.clip(share * np.linalg.norm(patch.sizes, axis=1), least, most)
    order = np.argsort(patch.sizes, axis=1)
    rows = np.arange(len(order))
    a, b = (patch.local[rows, order[:, k]] / period for k in (2, 1))
    threads = np.sin(math.tau * a) * np.sin(math.tau * b)
    return patch.scaled(1.0 + 0.13 * threads + 0.06 * smooth_noise(patch.points / 0.012, patch.seeds))


def leather(patch: Patch) -> Array:
    """Soft patches and the dark creases between them."""
    size = np.clip(0.10 * np.linalg.norm(patch.sizes, axis=1), 0.025, 0.12)[:, None]
    creases = np.abs(smooth_noise(patch.points / size, patch.seeds))
    return patch.scaled(
        1.05 - 0.32 * np.exp(-((creases / 0.09) ** 2)) + 0.06 * smooth_noise(patch.points / 0.05, patch.seeds + 1)
    )


def paper(patch: Patch) -> Array:
    """Faint fibres, and edges that are worn white."""
    gap = np.sort(0.5 * patch.sizes - np.abs(patch.local), axis=1)[:, 1]
    worn = 0.35 * np.exp(-((gap / 0.004) ** 2))[:, None]
    color = patch.scaled(1.0 + 0.03 * smooth_noise(patch.points / 0.03, patch.seeds))
    return color + worn * (np.array([0.92, 0.90, 0.84]) - color)


def wicker(patch: Patch) -> Array:
    """Strands over and under stakes around the vertical, with dark holes between them; lids and floors are coiled."""
    angle = np.arctan2(patch.local[:, 1], patch.local[:, 0])
    flat = patch.sizes[:, 2] < 0.2 * patch.sizes[:, 0]
    along = np.where(flat, np.hypot(patch.local[:, 0], patch.local[:, 1]), patch.local[:, 2])
    number = np.maximum(np.round(0.5 * math.pi * (patch.sizes[:, 0] + patch.sizes[:, 1]) / _STAKE), 1.0)
    stakes, rows = np.sin(number * angle), np.sin(math.tau * along / _STRAND)
    strands = 1.02 + 0.30 * stakes * rows + 0.06 * smooth_noise(patch.points * 60, patch.seeds)
    hole = np.exp(-((stakes / 0.4) ** 2) - (rows / 0.4) ** 2)
    return patch.scaled(strands * (1.0 - 0.55 * hole))


def water(patch: Patch) -> Array:
    """Faint ripples and the bright reflection of a window."""
    xy = patch.points[:, :2]
    ripples = np.sin(70.0 * xy[:, 0] + 2.0 * smooth_noise(patch.points * 9.0, patch.seeds)) * np.sin(50.0 * xy[:, 1])
    across, ahead = (patch.local[:, k] / patch.sizes[:, k] for k in (1, 0))
    pane = np.exp(-(((ahead - 0.18) / 0.11) ** 2) - ((across - 0.10) / 0.20) ** 2)
    color = patch.scaled(1.0 + 0.06 * ripples)
    return color + 0.6 * pane[:, None] * (1.0 - color)


def _around(patch: Patch) -> Array:
    """Angles (N,) about the vertical axis of a part, as of a square one, rad."""
    angles: Array = np.arctan2(patch.local[:, 1] / patch.sizes[:, 1], patch.local[:, 0] / patch.sizes[:, 0])
    return angles
