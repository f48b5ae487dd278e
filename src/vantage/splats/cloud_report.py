"""What a cloud is like: size, opacity, floaters, and guesses at its units and at what points up.

Floaters are Gaussians that hang in the air on their own, as captures have them where a photo had nothing to match.
Space is cut into cells; a Gaussian is a floater when its cell and the 26 around it hold fewer than ``COMPANY`` others.
A cell is 2.5 % of the size of the cloud wide, or wider where the cloud is so sparse that a surface of that many
Gaussians would not fill its cells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.splats.alignment import Alignment, Floats, find_alignment
from vantage.splats.cloud import GaussianCloud
from vantage.splats.scene import point
from vantage.splats.upright import axis_of, nearest_axis
from vantage.types import Point

COMPANY = 6
_CELL = 0.025  # of the robust diagonal
_SPACING = 3.0  # cells are at least this wide, in mean distances of as many points on a surface
_FARTHEST = 1 << 19  # cells from the corner; what lies farther out has no company
SCALE_PERCENTILES = (5, 50, 95, 99.9)
_BINS = 10
_CEILINGS = (2.0, 6.0)  # m: from low rooms to halls
_ROOM_SIDES = (1.0, 60.0)  # m
_OBJECTS = (0.01, 100.0)  # m: what people capture from outside
_NORMALISED = 1e-3  # how exactly an extent must be 1 or 2 to have been made so


def floaters(cloud: GaussianCloud) -> NDArray[np.bool_]:
    """(N,): which Gaussians are floaters."""
    n = len(cloud)
    if n == 0:
        return np.zeros(0, np.bool_)
    means = cloud.means.astype(np.float64)
    low, high = np.percentile(means, [1.0, 99.0], axis=0)
    edge = float(np.linalg.norm(high - low)) * max(_CELL, _SPACING / np.sqrt(n))
    if edge == 0.0:
        return np.asarray((means != low).any(axis=1))
    with np.errstate(over="ignore"):
        scaled = np.clip(np.floor((means - low) / edge), -_FARTHEST, _FARTHEST).astype(np.int64)
    outside = (np.abs(scaled) == _FARTHEST).any(axis=1)
    step = np.array([1, 1 << 21, 1 << 42])
    key = (scaled + 2 * _FARTHEST) @ step
    cells, member, counts = np.unique(key, return_inverse=True, return_counts=True)
    total = np.zeros(len(cells), np.int64)
    for offset in np.ndindex(3, 3, 3):
        wanted = cells + (np.array(offset) - 1) @ step
        at = np.minimum(np.searchsorted(cells, wanted), len(cells) - 1)
        total += np.where(cells[at] == wanted, counts[at], 0)
    return np.asarray(outside | (total[member.reshape(-1)] <= COMPANY))


@dataclass(frozen=True)
class CloudReport:
    """Of a cloud in its own frame and units.

    Attributes:
        bounds_min, bounds_max: of all centres.
        robust_min, robust_max: without the outermost 1 % at either end of each axis.
        opacities: ten counts, of 0..0.1, 0.1..0.2 and so on.
        scales: percentiles 5, 50, 95 and 99.9 of each Gaussian's largest standard deviation.
        floaters: how many Gaussians hang in the air on their own, see ``floaters``.
        instances: how many objects the Gaussians belong to, not counting 0, which is none.
        memory: bytes of the arrays.
        up: the nearest axis of the cloud, such as ``-y``; empty where none could be found.
        up_confidence: 0..1.
        up_reason: in words.
        units: ``metric plausible``, ``not metric`` or ``unknown``.
        units_reason: in words.
    """

    gaussians: int
    sh_degree: int
    bounds_min: Point | None
    bounds_max: Point | None
    robust_min: Point | None
    robust_max: Point | None
    opacities: tuple[int, ...]
    scales: tuple[float, ...]
    floaters: int
    instances: int
    memory: int
    up: str
    up_confidence: float
    up_reason: str
    units: str
    units_reason: str

    @property
    def floater_share(self) -> float:
        """0..1"""
        return self.floaters / self.gaussians if self.gaussians else 0.0


def report(cloud: GaussianCloud, seed: int = 0) -> CloudReport:
    """Measure a cloud; the same cloud and seed give the same report."""
    n = len(cloud)
    means = cloud.means.astype(np.float64)
    low, high = (means.min(axis=0), means.max(axis=0)) if n else (None, None)
    robust = np.percentile(means, [1.0, 99.0], axis=0) if n else None
    largest = cloud.scales.max(axis=1) if n else np.zeros(0)
    alignment, up, confidence, up_reason = _guess_up(cloud, seed)
    units, units_reason = _guess_units(means, alignment)
    arrays = (cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, cloud.instances)
    return CloudReport(
        gaussians=n,
        sh_degree=cloud.degree,
        bounds_min=None if low is None else point(low),
        bounds_max=None if high is None else point(high),
        robust_min=None if robust is None else point(robust[0]),
        robust_max=None if robust is None else point(robust[1]),
        opacities=tuple(int(count) for count in np.histogram(cloud.opacities, _BINS, (0.0, 1.0))[0]),
        scales=tuple(float(value) for value in np.percentile(largest, SCALE_PERCENTILES)) if n else (),
        floaters=int(np.count_nonzero(floaters(cloud))),
        instances=int(np.count_nonzero(np.unique(cloud.instances))),
        memory=sum(values.nbytes for values in arrays),
        up=up,
        up_confidence=confidence,
        up_reason=up_reason,
        units=units,
        units_reason=units_reason,
    )


def _guess_up(cloud: GaussianCloud, seed: int) -> tuple[Alignment | None, str, float, str]:
    try:
        found = find_alignment(cloud, seed=seed)
    except SceneError as error:
        return None, "", 0.0, str(error)
    name = nearest_axis(found.up)
    off = math.degrees(math.acos(min(1.0, float(found.up @ axis_of(name)))))
    what = "in a closed room" if found.enclosed else "under what is seen from outside"
    return (
        found,
        name,
        found.confidence,
        f"a floor {what}, {found.floor_share:.0%} of the surface, {off:.1f} degrees off",
    )


def _guess_units(means: Floats, found: Alignment | None) -> tuple[str, str]:
    if not len(means):
        return "unknown", "there are no Gaussians"
    extent = float((means.max(axis=0) - means.min(axis=0)).max())
    for made in (1.0, 2.0):
        if abs(extent - made) < _NORMALISED * made:
            return "not metric", f"the largest extent is {extent:.4f}, so the cloud was brought to a size of {made:g}"
    if found is None:
        return "unknown", "no floor was found to compare a height with"
    sides = (found.high - found.low)[:2]
    if found.enclosed:
        seen = f"a room of {sides[0]:.3g} x {sides[1]:.3g} and a height of {found.height:.3g} units"
        fits = _CEILINGS[0] <= found.height <= _CEILINGS[1] and _ROOM_SIDES[0] <= sides.min() <= sides.max()
        if fits and sides.max() <= _ROOM_SIDES[1]:
            return "metric plausible", f"{seen} fits rooms measured in metres"
        return "not metric", f"{seen} fits no room measured in metres"
    size = max(float(sides.max()), found.height)
    if not _OBJECTS[0] <= size <= _OBJECTS[1]:
        return "not metric", f"what was captured is {size:.3g} units large, which fits no thing measured in metres"
    return "unknown", f"what was captured is {size:.3g} units large, and a thing can have any size"
