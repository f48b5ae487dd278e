"""What a long-lived process with many threads does not give back to the system, kept small.

glibc gives each thread a heap of its own, up to eight per core, and once a large array was freed, serves others of that
size from these heaps. Maps and images of episodes that are over then leave holes in every one of them: ``qa_node`` grew
by several MB with each episode although nothing referred to what it held.
"""

from __future__ import annotations

import ctypes

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # of malloc.h
LARGE = 1 << 20  # bytes: from here on memory goes back to the system when it is freed
ARENAS = 2  # heaps that threads share; Python's lock lets hardly more of them allocate at once


def bound_heap() -> bool:
    """Large arrays are given back when they are freed, and threads share few heaps; whether the C library can do that.

    Holds for the process, for threads that begin afterwards; harmless when repeated.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:  # not glibc, which alone needs it
        return False
    return bool(mallopt(_M_ARENA_MAX, ARENAS)) and bool(mallopt(_M_MMAP_THRESHOLD, LARGE))
