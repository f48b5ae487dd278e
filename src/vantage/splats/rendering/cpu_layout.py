"""How the CPU renderer keeps a cloud in memory: what does not depend on the camera, in the order it is read.

Neighbours in space are neighbours in memory (Morton order). Every ``CHUNK`` of them has a bounding box, so that most of
what a camera cannot see is never read; every ``LANES`` of them form a group, stored value by value for vector
instructions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.jit import kernel
from vantage.splats.axes import axes_of
from vantage.splats.cloud import GaussianCloud
from vantage.splats.rendering import simd
from vantage.splats.rendering.simd import LANES

Spread = Callable[[Callable[[int], None], int], object]

CHUNK = 128
FIELDS = 11  # x, y, z, covariance xx xy xz yy yz zz, log2 opacity, extent; see ``Layout.geometry``
FAINT = 1.0 / 255.0
REACH = 3.33  # standard deviations beyond which no alpha reaches 1/255
_LARGEST = 1e9  # m: places and sizes beyond it overflow when squared, and are not drawn
_CELLS = 1023
_NOWHERE = 1e30  # m; compiled code may take no value for infinite


def aligned(count: int, kind: Any, zero: bool = False) -> NDArray[Any]:
    """Memory that starts at a cache line, uninitialised or zero."""
    size = np.dtype(kind).itemsize
    raw = (np.zeros if zero else np.empty)(count * size + 64, np.uint8)
    first = -raw.ctypes.data % 64
    return raw[first : first + count * size].view(kind)


class Buffers:
    """Working memory of one picture at a time, kept from picture to picture because fresh memory is slow."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def take(self, name: str, count: int, kind: Any, zero: bool = False) -> NDArray[Any]:
        """An array of ``count`` values, as they were left; new ones are uninitialised, or zero."""
        array = self._arrays.get(name)
        if array is None or len(array) < count:
            self._arrays[name] = array = aligned(count, kind, zero)
        return array[:count]

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._arrays.values())


@dataclass(frozen=True, eq=False)
class Layout:
    """N Gaussians in C chunks, padded with invisible ones to whole chunks.

    Attributes:
        center: (3,) float64, m; positions are relative to this middle of the cloud, which saves digits.
        geometry: (C * CHUNK * FIELDS,) float32: per group, ``FIELDS`` runs of ``LANES`` values. The extent is the
            number of standard deviations within which alpha is at least 1/255; -1 for padding.
        harmonics: (C * CHUNK * K * 3,) float32: per group, K runs of 3 colours of ``LANES`` values.
        coefficients: K.
        slots: (C * CHUNK,) int32: index into ``names``.
        origins: (C * CHUNK,) int32: index in the cloud.
        boxes: (C, 6) float32: centre and half size of each chunk, extents included, m.
        names: (S,) int32: instance id of each slot, ascending.
    """

    center: NDArray[np.float64]
    geometry: NDArray[np.float32]
    harmonics: NDArray[np.float32]
    coefficients: int
    slots: NDArray[np.int32]
    origins: NDArray[np.int32]
    boxes: NDArray[np.float32]
    names: NDArray[np.int32]

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        arrays = (self.geometry, self.harmonics, self.slots, self.origins, self.boxes, self.names)
        return sum(array.nbytes for array in arrays)


def arrange(cloud: GaussianCloud, spread: Spread | None = None, parts: int = 1) -> Layout:
    """Lay out what can be seen of a cloud: Gaussians of opacity 1/255 and more.

    ``spread(work, parts)`` calls ``work(part)`` for every part, on several threads if it can.
    """
    drawn = cloud.opacities >= FAINT
    drawn &= (np.abs(cloud.means) < _LARGEST).all(axis=1) & (cloud.scales < _LARGEST).all(axis=1)
    members = np.flatnonzero(drawn)
    means = cloud.means[members]
    center = np.median(_some(means), axis=0).astype(np.float64) if len(means) else np.zeros(3)
    members = members[_order(_morton(means))].astype(np.int32)
    names, slots = _enumerate(cloud.instances[members])
    chunks = -(-len(members) // CHUNK)
    padded, coefficients = chunks * CHUNK, cloud.sh.shape[1]
    layout = Layout(
        center,
        aligned(padded * FIELDS, np.float32),
        aligned(padded * coefficients * 3, np.float32),
        coefficients,
        np.zeros(padded, np.int32),
        np.zeros(padded, np.int32),
        np.empty((chunks, 6), np.float32),
        names,
    )
    layout.slots[: len(members)] = slots
    layout.origins[: len(members)] = members
    shape = (len(cloud), coefficients * 3)
    arrays = (cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh.reshape(shape))
    edges = [chunks * part // parts for part in range(parts + 1)]

    def fill(part: int) -> None:
        results = (layout.geometry, layout.harmonics, layout.boxes)
        _fill(edges[part], edges[part + 1], members, *arrays, center, *results)

    if spread is None:
        for part in range(parts):
            fill(part)
    else:
        spread(fill, parts)
    return layout


def _order(keys: NDArray[np.uint32]) -> NDArray[np.int64]:
    """A stable order of keys; NumPy sorts 16 bits by counting, which is much faster than 32 by comparing."""
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    return order[np.argsort((keys >> np.uint32(16)).astype(np.uint16)[order], kind="stable")]


def _enumerate(instances: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The distinct ids, ascending, and which of them each is: ``np.unique``, by a table where that is small."""
    if len(instances) == 0:
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    low, high = int(instances.min()), int(instances.max())
    if high - low > len(instances) + 1000:
        names, slots = np.unique(instances, return_inverse=True)
        return names.astype(np.int32), slots.reshape(-1).astype(np.int32)
    used = np.zeros(high - low + 1, np.bool_)
    used[instances - low] = True
    table = (np.cumsum(used) - 1).astype(np.int32)
    return (np.flatnonzero(used) + low).astype(np.int32), table[instances - low]


def _some(means: NDArray[np.float32]) -> NDArray[np.float32]:
    """Enough of them for statistics that a few strays do not spoil."""
    return means[:: max(1, len(means) // 20_000)]


def _morton(means: NDArray[np.float32]) -> NDArray[np.uint32]:
    """The place of each point on a space-filling curve of 1024 cells a side; strays count to the border cells."""
    if len(means) == 0:
        return np.zeros(0, np.uint32)
    low, high = np.quantile(_some(means), (0.01, 0.99), axis=0)
    scale = _CELLS / max(float((high - low).max()), 1e-9)
    cells = np.clip((means - low) * scale, 0, _CELLS).astype(np.uint32)
    key = np.zeros(len(means), np.uint32)
    for axis in range(3):
        spread = cells[:, axis].copy()
        for shift, mask in ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249)):
            spread = (spread | (spread << np.uint32(shift))) & np.uint32(mask)
        key |= spread << np.uint32(axis)
    return key


@kernel
def _fill(
    first: int,
    last: int,
    members: Any,
    means: Any,
    scales: Any,
    quaternions: Any,
    opacities: Any,
    sh: Any,
    center: Any,
    geometry: Any,
    harmonics: Any,
    boxes: Any,
) -> None:
    """Write geometry, harmonics and boxes of some chunks; covariance is R diag(s)^2 R^T (Kerbl et al. 2023, eq. 6)."""
    values = sh.shape[1]
    axes = np.empty((3, 3))
    position = np.empty(3)
    low, high = np.empty(3), np.empty(3)
    for chunk in range(first, last):
        low[:], high[:] = _NOWHERE, -_NOWHERE
        for at in range(chunk * CHUNK, (chunk + 1) * CHUNK):
            lane = at % LANES
            base = (at - lane) * FIELDS + lane
            if at >= len(members):
                for field in range(FIELDS):
                    geometry[base + field * LANES] = 0.0
                geometry[base + 10 * LANES] = -1.0
                for value in range(values):
                    harmonics[(at - lane) * values + value * LANES + lane] = 0.0
                continue
            i = members[at]
            axes_of(quaternions, i, axes)
            for j in range(3):
                s = float(scales[i, j])
                for k in range(3):
                    axes[j, k] *= s
            opacity = float(opacities[i])
            extent = min(REACH, math.sqrt(max(2.0 * math.log(opacity * 255.0), 0.0)))
            term = 3
            for j in range(3):
                position[j] = float(means[i, j]) - center[j]
                geometry[base + j * LANES] = position[j]
                for k in range(j, 3):
                    covariance = axes[0, j] * axes[0, k] + axes[1, j] * axes[1, k] + axes[2, j] * axes[2, k]
                    geometry[base + term * LANES] = covariance
                    term += 1
                    if j == k:
                        reach = extent * math.sqrt(covariance)
                        low[j] = min(low[j], position[j] - reach)
                        high[j] = max(high[j], position[j] + reach)
            geometry[base + 9 * LANES] = math.log2(opacity)
            geometry[base + 10 * LANES] = extent
            target, source = (at - lane) * values + lane, np.int64(i) * values
            for value in range(values):
                simd.put_float(harmonics, target + value * LANES, simd.get_float(sh, source + value))
        for j in range(3):
            boxes[chunk, j] = 0.5 * (low[j] + high[j])
            boxes[chunk, 3 + j] = 0.5 * (high[j] - low[j])
