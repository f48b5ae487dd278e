"""Flat elliptical surface elements, each of which becomes a Gaussian of a generated cloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Samples:
    """N surface elements, each in the frame of its object.

    Attributes:
        points: (N, 3), m.
        tangents, normals: (N, 3), unit and perpendicular; the third axis is normal x tangent.
        widths: (N, 2), extents of the cells along the tangent and the third axis, m.
        pieces: (N,) int64: number of the piece that a sample covers.
    """

    points: Array
    tangents: Array
    normals: Array
    widths: Array
    pieces: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.points)

    def select(self, which: NDArray[Any]) -> Samples:
        """Those of a mask (N,) or of indices (M,)."""
        return Samples(
            self.points[which], self.tangents[which], self.normals[which], self.widths[which], self.pieces[which]
        )


def join(samples: Sequence[Samples]) -> Samples:
    """All samples in order."""
    if not samples:
        none = np.zeros((0, 3))
        return Samples(none, none, none, np.zeros((0, 2)), np.zeros(0, np.int64))
    return Samples(
        np.concatenate([each.points for each in samples]),
        np.concatenate([each.tangents for each in samples]),
        np.concatenate([each.normals for each in samples]),
        np.concatenate([each.widths for each in samples]),
        np.concatenate([each.pieces for each in samples]),
    )


def cross(a: Array, b: Array) -> Array:
    """Cross products of rows (N, 3), much faster than NumPy's for many."""
    x, y, z = a.T
    u, v, w = b.T
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)


def unit(vectors: Array) -> Array:
    """Rows (N, 3) brought to unit length."""
    scaled: Array = vectors / np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return scaled
