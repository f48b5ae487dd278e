"""Textures by which materials are told: grain, weave, creases, streaks of light on metal, the level in a glass.

Each differs from the others by its pattern, not by its color, and none changes the mean color so much that its word
changes. Details are as large as the cells of usual objects show them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.looks.textures import Array, Patch, hashed, smooth_noise

_STRAND = 0.05  # m: height of two rows of wicker
_STAKE = 0.066  # m: from one stake of wicker to the one after the next
_THREAD = (0.16, 0.025, 0.20)  # period of a weave: in diagonals of its part, and its limits, m
_LEVEL = 0.39  # height of the water in a full glass, in heights of its wall about the middle
_SMALL = 0.35  # m: what is larger is even and mirrors no window as a spot, nor does what is lower than
_FLAT = 0.05  # m, on which speckles would pass for crumbs


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
    color = patch.scaled(1.0 + np.where(painted, 0.85, 1.0) * lines)
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
    shine = np.clip(bands - 0.4, 0.0, None) ** 2
    mirrored = (0.25 + 0.65 * patch.base.max(axis=1)) * shine
    color: Array = patch.scaled(0.96 + 0.28 * bands + 0.05 * streaks) + mirrored[:, None]
    return color


def plastic(patch: Patch) -> Array:
    """Even, with a wide soft reflection on each side of what is small."""
    color: Array = patch.base + 0.26 * _pane(patch, 0.34, 0.20)[:, None] * (1.0 - patch.base)
    return color


def ceramic(patch: Patch) -> Array:
    """A glaze with small crisp reflections of windows; small vessels are speckled like stoneware."""
    speckle = hashed(np.floor(patch.points / 0.007), patch.seeds) > 0.86
    color = patch.scaled(np.where(speckle & _is_vessel(patch), 0.72, 1.0))
    glazed: Array = color + 0.75 * _pane(patch, 0.16, 0.10)[:, None] * (1.0 - color)
    return glazed


def glass(patch: Patch) -> Array:
    """Upright reflections of windows, and a bright rim and foot."""
    around, up = _around(patch), patch.local[:, 2] / patch.sizes[:, 2]
    off = np.remainder(around - patch.phase(), 0.5 * math.pi) - 0.25 * math.pi
    light = np.exp(-((off / 0.15) ** 2)) * (np.abs(up) < 0.42)
    light = np.maximum(light, 0.5 * (np.abs(up) > 0.45))
    color: Array = patch.base + 0.65 * light[:, None] * (1.0 - patch.base)
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
    light = 0.12 * (patch.base.max(axis=1) > 0.85)  # what would else be lighter than white
    return patch.scaled(1.0 - light + 0.17 * threads + 0.06 * smooth_noise(patch.points / 0.012, patch.seeds))


def leather(patch: Patch) -> Array:
    """Upholstered hide: a soft sheen below the middle of what is high, dark seams at its edges, and faint creases."""
    gap = np.sort(0.5 * patch.sizes - np.abs(patch.local), axis=1)[:, 1]
    seams = np.exp(-((gap / np.clip(0.05 * patch.sizes.max(axis=1), 0.004, 0.03)) ** 2))
    size = np.clip(0.12 * np.linalg.norm(patch.sizes, axis=1), 0.03, 0.20)[:, None]
    creases = np.exp(-((smooth_noise(patch.points / size, patch.seeds) / 0.12) ** 2))
    order = np.argsort(patch.sizes, axis=1)[:, 1]
    place = np.take_along_axis(patch.local / patch.sizes, order[:, None], axis=1)[:, 0]
    sheen = 0.22 * np.exp(-(((np.abs(place) - 0.22) / 0.10) ** 2))
    color = patch.scaled(1.0 - 0.30 * seams - 0.12 * creases)
    shiny: Array = color + sheen[:, None] * (1.0 - color)
    return shiny


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


def _is_vessel(patch: Patch) -> NDArray[np.bool_]:
    """Which samples (N,) are of parts that are small and not flat."""
    small: NDArray[np.bool_] = (patch.sizes.max(axis=1) < _SMALL) & (patch.sizes[:, 2] > _FLAT)
    return small


def _pane(patch: Patch, breadth: float, height: float) -> Array:
    """The reflection (N,), 0..1, of a window on four sides of a small part: half its breadth (rad) and height."""
    off = np.remainder(_around(patch) - patch.phase(), 0.5 * math.pi) - 0.25 * math.pi
    up = patch.local[:, 2] / patch.sizes[:, 2]
    light = np.exp(-((off / breadth) ** 2) - ((up - 0.2) / height) ** 2)
    return np.where(_is_vessel(patch), light, 0.0)
