"""Clocks of a rig."""

from __future__ import annotations

import threading
import time

from vantage.worlds.rig.clock import SystemClock, VirtualClock


def test_the_system_clock_is_the_systems_and_really_sleeps() -> None:
    clock = SystemClock()
    before = time.time_ns()
    begun = clock.now()
    clock.sleep(0.02)
    assert before <= begun
    assert 19_000_000 <= clock.now() - begun < 5_000_000_000


def test_a_negative_sleep_is_none() -> None:
    clock = SystemClock()
    clock.sleep(-1.0)
    virtual = VirtualClock()
    virtual.sleep(-1.0)
    assert virtual.now() == 0


def test_virtual_time_passes_with_sleep_alone() -> None:
    clock = VirtualClock()
    begun = time.monotonic()
    clock.sleep(3600.0)
    clock.sleep(1e-9)
    assert clock.now() == 3600 * 10**9 + 1
    assert time.monotonic() - begun < 60.0
    assert clock.now() == clock.now()


def test_virtual_sleeps_of_several_threads_add_up() -> None:
    clock = VirtualClock()

    def sleep_often() -> None:
        for _ in range(1000):
            clock.sleep(0.001)

    threads = [threading.Thread(target=sleep_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30.0)
    assert clock.now() == 4 * 10**9
