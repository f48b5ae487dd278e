"""Memory that was freed goes back to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from types import SimpleNamespace

import pytest

from vantage.heap import limit_heap

# Large arrays with something small above each, as maps and bodies of a house leave them behind.
_CHILD = """
import sys, ctypes
from vantage.heap import limit_heap
if sys.argv[1] == "limited":
    assert limit_heap() and limit_heap()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
libc.free(libc.malloc(30 << 20))  # from here on glibc keeps what is no larger
before = resident()
large = []
for _ in range(20):
    large.append(libc.malloc(4 << 20))
    ctypes.memset(large[-1], 1, 4 << 20)
    libc.malloc(100_000)
for block in large:
    libc.free(block)
print(resident() - before)
"""


def kept(how: str) -> int:
    """Bytes that a process holds after it freed 80 MB."""
    run = subprocess.run([sys.executable, "-c", _CHILD, how], capture_output=True, text=True, check=True, timeout=60)
    return int(run.stdout)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="the C library is not glibc")
def test_large_blocks_go_back_to_the_system_when_they_are_freed() -> None:
    assert kept("usual") > 60e6
    assert kept("limited") < 10e6


def test_another_c_library_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    assert not limit_heap()
