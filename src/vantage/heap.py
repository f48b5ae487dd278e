"""How the C library of this process keeps the memory that was freed."""

from __future__ import annotations

import ctypes

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # of malloc.h
LARGE = 1 << 20  # bytes: from here on memory goes back to the system when it is freed
ARENAS = 2  # heaps that threads share; Python's lock lets hardly more of them allocate at once


def limit_heap() -> bool:
    """Have large arrays given back when they are freed, and threads share few heaps; whether the C library can do that.

    glibc gives each thread a heap of its own, up to eight per core, and once a large array was freed, serves others of
    that size from these heaps. Maps, images and bodies of episodes that are over then leave holes in every one of them:
    ``qa_node`` grew by several MB with each episode, and a process that loads one house after the other held 925 MB
    instead of 675, although nothing referred to it.

    Holds for the process, for threads that begin afterwards; harmless when repeated.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:  # not glibc, which alone needs it
        return False
    return bool(mallopt(_M_ARENA_MAX, ARENAS)) and bool(mallopt(_M_MMAP_THRESHOLD, LARGE))
