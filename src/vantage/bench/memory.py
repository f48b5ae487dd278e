"""Resident memory of a process, and how far it grows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from vantage.errors import VantageError


def resident_mb(process: int | None = None) -> float:
    """Of a process, of this one where none is given, as Linux counts it.

    Raises:
        VantageError: the system does not tell.
    """
    try:
        pages = int(Path(f"/proc/{process or 'self'}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError) as error:
        raise VantageError(f"this system does not tell the memory of a process ({error}); measure on Linux") from error
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def growth(marks: Sequence[float]) -> float:
    """How much more memory, as a share, the second half of some marks took at most than the first half did; what is
    taken once, such as for scenes that are kept, counts for the half in which it is taken."""
    half = len(marks) // 2
    return max(marks[half:]) / max(marks[:half]) - 1.0 if half else 0.0
