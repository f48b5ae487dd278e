"""A cloud whose objects and parts can be put elsewhere, hidden, and given what was hidden before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Matrix
from vantage.splats.cloud import GaussianCloud, concatenate

_FIELDS = ("means", "scales", "quaternions", "opacities", "sh", "instances", "parts")
_CHUNK = 64  # Gaussians compared at a time with the others that are near along one axis
_BEYOND = 1.001  # times the reach: what lies farther along one axis is not near, however numbers are rounded
_ALIKE = 0.5  # cosine between the directions of two surfaces that count as one
_COVERED = 1.2  # standard deviations of a Gaussian within which another one of the same surface makes it needless

Rows = NDArray[np.int64]
Move = Mapping[int, Matrix]  # T_world_new_world_old (4, 4) by part id; 0 for parts that are not named


@dataclass(frozen=True)
class Region:
    """A box in the world, m."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


class MovingCloud:
    """Gaussians that keep to their objects and parts by their ids.

    Args:
        cloud: with exact instance and part ids, in the world frame.
    """

    def __init__(self, cloud: GaussianCloud) -> None:
        self.cloud = cloud
        order = np.argsort(cloud.instances, kind="stable")
        ids, starts = np.unique(cloud.instances[order], return_index=True)
        self._rows = dict(zip(ids.tolist(), np.split(order, starts[1:]), strict=True))

    @property
    def instances(self) -> Collection[int]:
        """Ids that Gaussians have."""
        return self._rows.keys()

    def of(self, instance: int, without: Rows | None = None) -> GaussianCloud:
        """The Gaussians of an object where they were, but for some rows."""
        rows = self._rows.get(instance, np.zeros(0, np.int64))
        return self.cloud.select(rows if without is None else np.setdiff1d(rows, without))

    def rows_in(self, instance: int, move: Move, regions: Iterable[Region]) -> Rows:
        """Which Gaussians (K,) of an object lie in one of some boxes after its parts were moved."""
        means = moved_parts(self.of(instance), move).means
        rows: Rows = self._rows.get(instance, np.zeros(0, np.int64))[_within(means, regions)]
        return rows

    def changed(
        self,
        moves: Mapping[int, Move],
        hidden: Collection[int],
        added: Iterable[GaussianCloud] = (),
        cut: Sequence[Rows] = (),
    ) -> GaussianCloud:
        """The cloud after changes; itself where there are none. Only the Gaussians of what moves are computed anew.

        Args:
            moves: by instance id; objects that are not named stay.
            hidden: instance ids of objects that are left out.
            added: Gaussians that come after all others.
            cut: which Gaussians (K,) are left out, as ``rows_in`` tells them.
        """
        further = [each for each in added if len(each)]
        gone = [rows for rows in cut if len(rows)]
        gone += [self._rows[instance] for instance in sorted(hidden) if instance in self._rows]
        if not (moves or further or gone):
            return self.cloud
        arrays: dict[str, NDArray[Any]] = {name: getattr(self.cloud, name) for name in _FIELDS}
        going = {
            instance: move for instance, move in moves.items() if instance not in hidden and instance in self._rows
        }
        if going:
            arrays |= {name: arrays[name].copy() for name in ("means", "quaternions", "sh")}
        for instance, move in going.items():
            rows = self._rows[instance]
            after = moved_parts(self.cloud.select(rows), move)
            for name in ("means", "quaternions", "sh"):
                arrays[name][rows] = getattr(after, name)
        if gone:
            kept = np.ones(len(self.cloud), dtype=np.bool_)
            kept[np.concatenate(gone)] = False
            arrays = {name: values[kept] for name, values in arrays.items()}
        return concatenate([GaussianCloud(**arrays), *further])


def moved_parts(cloud: GaussianCloud, move: Move) -> GaussianCloud:
    """The Gaussians of one object after each of its parts was moved."""
    means, quaternions, sh = cloud.means.copy(), cloud.quaternions.copy(), cloud.sh.copy()
    for part in np.unique(cloud.parts).tolist():
        transform = move.get(part, move.get(0))
        if transform is not None:
            rows = np.flatnonzero(cloud.parts == part)
            after = cloud.select(rows).transformed(transform)
            means[rows], quaternions[rows], sh[rows] = after.means, after.quaternions, after.sh
    return GaussianCloud(means, cloud.scales, quaternions, cloud.opacities, sh, cloud.instances, cloud.parts)


def what_is_missing(wanted: GaussianCloud, shown: GaussianCloud, regions: Iterable[Region] | None) -> GaussianCloud:
    """Of the Gaussians of flat surfaces, those where others show no such surface yet.

    Args:
        regions: in which they must lie; None for anywhere.
    """
    if regions is not None:
        wanted = wanted.select(_within(wanted.means, regions))
    reaches = _COVERED * wanted.scales.max(axis=1)
    missing = np.ones(len(wanted), dtype=np.bool_)
    normals, others = (each.rotations()[:, :, 2].astype(np.float32) for each in (wanted, shown))
    axis = int(np.argmax(np.ptp(wanted.means, axis=0))) if len(wanted) else 0
    places, along = (each.means[:, axis].astype(np.float64) for each in (wanted, shown))
    order, beside = np.argsort(places), np.argsort(along)
    along = along[beside]
    for first in range(0, len(wanted), _CHUNK):
        rows = order[first : first + _CHUNK]
        reach = reaches[rows]
        beyond = _BEYOND * float(reach.max())
        close = beside[slice(*np.searchsorted(along, (places[rows[0]] - beyond, places[rows[-1]] + beyond)))]
        offsets = wanted.means[rows, None] - shown.means[close]
        near = (offsets**2).sum(axis=2) <= reach[:, None] ** 2
        missing[rows] = ~(near & (normals[rows] @ others[close].T > _ALIKE)).any(axis=1)
    return wanted.select(missing)


def _within(means: NDArray[np.float32], regions: Iterable[Region]) -> NDArray[np.bool_]:
    found = np.zeros(len(means), dtype=np.bool_)
    for each in regions:
        found |= ((means >= each.low) & (means <= each.high)).all(axis=1)
    return found
