"""Flat surfaces of a cloud, found by RANSAC on points that are sampled from its Gaussians.

Source of the method: Fischler and Bolles, "Random Sample Consensus" (1981). Three points of one neighbourhood, or one
flat Gaussian with its normal, make a hypothesis; the plane that most samples support is kept, fitted again to them,
and taken out before the next one is sought.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.spatial import Matrix
from vantage.splats.cloud import GaussianCloud

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST_GAUSSIANS = 100
TOLERANCE = 0.006  # thickness of a surface to either side, in sizes of the cloud
LEAST_SHARE = 0.015  # of all samples, for a plane to count

_SAMPLES = 20_000
_SCORED, _RANKED = 5_000, 2_500  # samples that fit and that rank the hypotheses; all of them fit what is kept
_NEIGHBOURHOODS = ((0.12, 1_500), (0.3, 1_500))  # edge of cells, in sizes of the cloud, and triples drawn from them
_SINGLES = 500
_FITTED = 60  # outer hypotheses, each unlike those before it
_ALIKE = math.cos(math.radians(3.0))
_DISTINCT = math.cos(math.radians(20.0))
_FLAT = 0.35  # a Gaussian counts as flat where its thickness is below this share of its width
_BACKGROUND = 4.0  # median distances from the median point, beyond which samples are scenery
_MOST_PLANES = 16
_TIGHTENING = (1.5, 1.2, 1.0, 0.8, 0.6, 0.5, 0.4, 0.4, 0.4, 0.4)  # of the tolerance, while a plane is fitted
_CRISP = 0.4  # of the tolerance: tells a plane through a surface from one that crosses it at a small angle


@dataclass(frozen=True, eq=False)
class Plane:
    """Points p with ``normal @ p == offset``; ``share`` (0..1) of the samples lie on it."""

    normal: Floats
    offset: float
    share: float


@dataclass(frozen=True, eq=False)
class SurfaceSamples:
    """Points of equal weight on the visible surfaces of a cloud.

    Attributes:
        points: (M, 3), cloud units.
        normals: (M, 3), unit, of either sign: the thinnest axis of the Gaussian.
        flat: (M,), whether the Gaussian is flat enough for its normal to mean something.
        size: robust diagonal, cloud units.
    """

    points: Floats
    normals: Floats
    flat: Flags
    size: float

    @property
    def tolerance(self) -> float:
        """Half the thickness of a surface, cloud units."""
        return TOLERANCE * self.size

    def heights(self, plane: Plane) -> Floats:
        """(M,): above a plane, on the side that its normal points to, cloud units."""
        return np.asarray(self.points @ plane.normal - plane.offset)

    def on(self, plane: Plane) -> Flags:
        """(M,): which samples lie on a plane."""
        return np.asarray(np.abs(self.heights(plane)) < self.tolerance)


def sample_surfaces(cloud: GaussianCloud, seed: int = 0) -> SurfaceSamples:
    """Draw points from the Gaussians, each as often as its opacity times its area says; scenery far away is left out.

    Raises:
        SceneError: there are too few Gaussians, nothing is visible, or all lie in one point.
    """
    if len(cloud) < LEAST_GAUSSIANS:
        raise SceneError(f"{len(cloud)} Gaussians are too few to tell where up is; {LEAST_GAUSSIANS} are the least")
    rng = np.random.default_rng(seed)
    extents = np.sort(cloud.scales.astype(np.float64), axis=1)
    areas = extents[:, 1] * extents[:, 2]
    weights = cloud.opacities * np.minimum(areas, np.percentile(areas, 99.0))  # a few huge ones are haze
    total = np.cumsum(weights)
    if not total[-1] > 0:
        raise SceneError("no Gaussian of the cloud is visible and has an extent; nothing can be aligned")
    chosen = np.searchsorted(total, total[-1] * (np.arange(_SAMPLES) + rng.random()) / _SAMPLES)
    picked = cloud.select(np.minimum(chosen, len(cloud) - 1))
    axes = picked.rotations()
    inside = np.clip(rng.normal(size=(_SAMPLES, 3)), -1.5, 1.5) * picked.scales
    points = picked.means + np.einsum("nij,nj->ni", axes, inside)
    thinnest = np.argmin(picked.scales, axis=1)
    normals = np.take_along_axis(axes, thinnest[:, None, None], axis=2)[:, :, 0]
    extents = extents[np.minimum(chosen, len(cloud) - 1)]
    flat = extents[:, 0] < _FLAT * extents[:, 1]
    distance = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    near = distance <= _BACKGROUND * np.median(distance)
    low, high = np.percentile(points[near], [1.0, 99.0], axis=0)
    size = float(np.linalg.norm(high - low))
    if not size > 0:
        raise SceneError("all Gaussians of the cloud lie in one point; nothing can be aligned")
    return SurfaceSamples(points[near], normals[near], flat[near], size)


def find_planes(samples: SurfaceSamples, seed: int = 0) -> list[Plane]:
    """The planes that most samples lie on, at most sixteen, largest first as far as they do not share samples."""
    rng = np.random.default_rng(seed)
    points, tolerance = samples.points, samples.tolerance
    normals, offsets = _hypotheses(samples, rng)
    if not len(normals):
        return []
    some = _scoring(points, rng)
    near = _close(points[some], normals, offsets, tolerance)
    votes = near.sum(axis=0)
    untaken = np.ones(len(points), np.bool_)
    planes: list[Plane] = []
    while len(planes) < _MOST_PLANES:
        best = int(np.argmax(votes))
        if votes[best] <= 0:
            break
        plane = _fitted(points[untaken], normals[best], float(offsets[best]), tolerance)
        share = plane.share * float(untaken.mean())
        if share < LEAST_SHARE:
            break
        planes.append(Plane(plane.normal, plane.offset, share))
        taken = untaken & (np.abs(points @ plane.normal - plane.offset) < 2.0 * tolerance)
        untaken &= ~taken
        votes = votes - near[taken[some]].sum(axis=0)
        votes[best] = 0
    return planes


def find_outer_planes(
    samples: SurfaceSamples, most_below: float, guesses: Sequence[Matrix] = (), seed: int = 0
) -> list[Plane]:
    """Planes with all but a share ``most_below`` of the samples on the side that the normal points to.

    Of those within 20 degrees of each other only the one that most samples lie on, and fewest below, is kept; best
    first.

    Args:
        guesses: unit normals (3,) that are tried beside those of the samples.
    """
    rng = np.random.default_rng(seed)
    points, tolerance = samples.points, samples.tolerance
    normals, offsets = _hypotheses(samples, rng)
    normals, offsets = np.vstack([normals, -normals]), np.concatenate([offsets, -offsets])
    for guess in guesses:
        lowest = np.percentile(points @ guess, 100.0 * most_below * np.linspace(0.1, 1.0, 10))
        normals, offsets = np.vstack([normals, np.tile(guess, (10, 1))]), np.concatenate([offsets, lowest])
    some = points[_scoring(points, rng)]
    middle = points.mean(axis=0)
    inward = normals @ middle - offsets
    worth = np.empty(len(normals))
    few = (some[:_RANKED] - middle).astype(np.float32)
    for part in range(0, len(normals), 1000):  # bounds the memory
        which = slice(part, part + 1000)
        heights = few @ normals[which].T.astype(np.float32) + inward[which].astype(np.float32)
        below = (heights < -2.0 * tolerance).mean(axis=0)
        worth[which] = np.where(below > most_below, -1.0, (np.abs(heights) < tolerance).mean(axis=0) - below)
    found = []
    for _ in range(_FITTED):
        best = int(np.argmax(worth))
        if worth[best] <= -1.0:
            break
        plane = _fitted(some, normals[best], float(offsets[best]), tolerance)
        distances = some @ plane.normal - plane.offset
        behind = float((distances < -2.0 * tolerance).mean())
        if plane.share >= LEAST_SHARE and behind <= most_below:
            found.append((float((np.abs(distances) < _CRISP * tolerance).mean()) - behind, plane))
        worth[(normals @ normals[best] > _ALIKE) & (np.abs(inward - inward[best]) < 2.0 * tolerance)] = -1.0
    found.sort(key=lambda entry: -entry[0])
    kept: list[Plane] = []
    for _, plane in found:
        if all(float(plane.normal @ other.normal) < _DISTINCT for other in kept):
            kept.append(_fitted(points, plane.normal, plane.offset, tolerance))
    return kept


def _close(points: Floats, normals: Floats, offsets: Floats, tolerance: float) -> Flags:
    """(M, K): which points (M, 3) lie within the tolerance of which planes."""
    close = np.empty((len(points), len(normals)), np.bool_)
    for part in range(0, len(normals), 500):  # bounds the memory
        which = slice(part, part + 500)
        close[:, which] = np.abs(points @ normals[which].T - offsets[which]) < tolerance
    return close


def _scoring(points: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    return rng.choice(len(points), min(len(points), _SCORED), replace=False)


def _hypotheses(samples: SurfaceSamples, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Normals (K, 3) and offsets (K,) of planes through neighbouring points and through flat Gaussians."""
    points = samples.points
    normals, through = [], []
    for edge, count in _NEIGHBOURHOODS:
        cells = np.floor((points - points.min(axis=0)) / (edge * samples.size)).astype(np.int64)
        key = cells @ np.array([1, 1 << 20, 1 << 40])
        order = np.argsort(key, kind="stable")
        ranks = key[order]
        a = rng.integers(0, len(points), count)
        first, end = np.searchsorted(ranks, key[a]), np.searchsorted(ranks, key[a], side="right")
        b, c = (order[first + (rng.random(count) * (end - first)).astype(np.int64)] for _ in range(2))
        across = np.cross(points[b] - points[a], points[c] - points[a])
        length = np.linalg.norm(across, axis=1)
        proper = length > 1e-9 * samples.size**2
        normals.append(across[proper] / length[proper, None])
        through.append(points[a[proper]])
    flat = np.flatnonzero(samples.flat)
    if len(flat):
        single = flat[rng.integers(0, len(flat), _SINGLES)]
        normals.append(samples.normals[single])
        through.append(points[single])
    every = np.concatenate(normals)
    return every, np.einsum("ij,ij->i", every, np.concatenate(through))


def _fitted(points: Floats, normal: Matrix, offset: float, tolerance: float) -> Plane:
    """Least squares with Tukey's weights on ever closer points; the share counts those within the tolerance."""
    for part in _TIGHTENING:
        away = (points @ normal - offset) / (part * tolerance)
        close = np.abs(away) < 1.0
        if np.count_nonzero(close) < 10:
            break
        chosen, weights = points[close], (1.0 - away[close] ** 2) ** 2
        center = np.average(chosen, axis=0, weights=weights)
        fitted = np.linalg.eigh(np.cov((chosen - center).T, aweights=weights))[1][:, 0]
        normal = fitted if fitted @ normal > 0 else -fitted
        offset = float(center @ normal)
    return Plane(normal, offset, float((np.abs(points @ normal - offset) < tolerance).mean()))
