"""Where rays ended that met no unknown space: while something is there, they show nothing and are not cast anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

OPEN, OUTSIDE = -1, -2  # rays that have to be cast; those that left the map through space seen free, and always do
_MOST = 4096  # positions that are remembered, of a few kB each


class RayEnds:
    """The ends of the rays from lattice positions in one map, in which free space never becomes unknown again.

    Args:
        shape: of the lattice.
        directions: of the rays from each position.

    Attributes:
        table: shape (rows, directions): the number of the voxel in which a ray ended (of the flattened map), ``OPEN``
            or ``OUTSIDE``; whoever casts rays writes it.
    """

    def __init__(self, shape: tuple[int, int, int], directions: int) -> None:
        self._rows = np.full(shape, -1, np.int32)
        self._count = 0
        self.table = np.full((0, directions), OPEN, np.int32)

    def rows(self, cells: NDArray[np.int64]) -> NDArray[np.int32]:
        """Rows of the table for lattice positions (N, 3), which all differ; shape (N,)."""
        at = tuple(cells.T)
        new = np.flatnonzero(self._rows[at] < 0)
        if self._count + len(new) > _MOST:
            self._rows[:] = -1
            self._count, new = 0, np.arange(len(cells))
        last = self._count + len(new)
        if last > len(self.table):
            more = np.full((max(last, 2 * len(self.table)) - len(self.table), self.table.shape[1]), OPEN, np.int32)
            self.table = np.concatenate([self.table, more])
        self._rows[tuple(cells[new].T)] = np.arange(self._count, last)
        self.table[self._count : last] = OPEN
        self._count = last
        return np.asarray(self._rows[at])
