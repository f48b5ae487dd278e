"""Clocks of a rig."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from skipping_clock import SkippingClock

from vantage.worlds.rig.clock import Clock, SystemClock, VirtualClock


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


def test_virtual_time_is_monotonic_time_too() -> None:
    clock = VirtualClock()
    clock.sleep(2.5)
    assert clock.monotonic() == 2.5


@pytest.fixture
def leaping() -> Iterator[SkippingClock]:
    with SkippingClock() as clock:
        yield clock


@pytest.fixture(params=[SystemClock, SkippingClock])
def clock(request: pytest.FixtureRequest) -> Iterator[Clock]:
    made = request.param()
    yield made
    if isinstance(made, SkippingClock):
        made.close()


def test_waits_end_when_they_should(clock: Clock) -> None:
    condition, event = clock.condition(), clock.event()
    begun = clock.monotonic()
    with condition:
        assert not condition.wait(0.03)
    assert not event.wait(0.03)
    clock.sleep(0.03)
    assert clock.ready((), (), 0.03) == []
    assert 0.12 <= clock.monotonic() - begun < 5.0
    event.set()
    assert event.wait(60.0)
    assert event.is_set()
    event.clear()
    assert not event.is_set()


def test_a_wait_ends_with_what_it_waits_for(clock: Clock) -> None:
    read, write = os.pipe()
    event, condition, told = clock.event(), clock.condition(), []

    def tell() -> None:
        event.set()
        with condition:
            told.append(True)
            condition.notify_all()
        os.write(write, b"x")

    threading.Timer(0.02, tell).start()
    assert event.wait()
    with condition:
        while not told:
            condition.wait()
    assert clock.ready([read], [], None) == [read]
    assert clock.ready([read], [write], 0.0) == [read, write]
    os.close(write)
    assert clock.ready([read], [], 60.0) == [read]
    os.close(read)


def test_time_leaps_over_what_all_wait_for(leaping: SkippingClock) -> None:
    leaping.sleep(1e-6)  # from here on this thread counts, so that none leaps before both have begun
    begun, real, order = leaping.monotonic(), time.monotonic(), []

    def beat(name: str, period: float) -> None:
        for _ in range(5):
            leaping.sleep(period)
            order.append((round(leaping.monotonic() - begun), name))

    threads = [leaping.after(0.0, beat, "slow", 20.0), leaping.after(0.0, beat, "quick", 7.0)]
    for thread in threads:
        leaping.join(thread, 60.0)
    assert order == sorted(order), "nothing is overtaken"
    assert order[-1] == (100, "slow")
    assert leaping.monotonic() - begun >= 100.0
    assert leaping.now() - time.time_ns() == pytest.approx(1e9 * leaping.skipped, abs=5e9)
    assert time.monotonic() - real < 30.0


@pytest.mark.parametrize("busy", [lambda: time.sleep(0.1), lambda: threading.Event().wait(0.1)])
def test_time_does_not_leap_while_somebody_is_busy(leaping: SkippingClock, busy: Callable[[], None]) -> None:
    woken: list[float] = []
    leaping.sleep(1e-6)  # from here on this thread counts
    leaping.after(0.0, lambda: woken.append(leaping.sleep(60.0) or leaping.monotonic()))
    ahead = leaping.skipped
    busy()
    assert leaping.skipped == ahead
    assert woken == []
    leaping.until(lambda: woken, 70.0, pause=5.0)


def test_time_does_not_leap_over_bytes_that_came(leaping: SkippingClock) -> None:
    read, write = os.pipe()
    came: list[float] = []
    leaping.sleep(1e-6)  # from here on this thread counts

    def listen() -> None:
        while leaping.ready([read], [], 60.0):
            came.append(leaping.monotonic())
            os.read(read, 1)

    listener = leaping.after(0.0, listen)
    for _ in range(20):
        leaping.sleep(1.0)
        sent = leaping.monotonic()
        os.write(write, b"x")
        leaping.until(lambda: came, pause=10.0)
        assert came.pop() - sent < 5.0, "not as late as the next leap"
    leaping.join(listener, 30.0)
    os.close(read)
    os.close(write)


def test_a_closed_clock_waits_in_real_time() -> None:
    with SkippingClock() as clock:
        clock.sleep(100.0)
    ahead, begun = clock.skipped, time.monotonic()
    clock.sleep(0.05)
    assert time.monotonic() - begun >= 0.05
    assert clock.skipped == ahead >= 99.0
    assert "skipping clock" not in [thread.name for thread in threading.enumerate()]


def test_time_does_not_leap_past_a_thread_that_sets_off(leaping: SkippingClock) -> None:
    """However late it comes to its first wait."""
    began: list[float] = []

    def set_off() -> None:
        time.sleep(0.1)
        began.append(leaping.monotonic())
        leaping.sleep(1.0)

    leaping.sleep(1.0)
    begun = leaping.monotonic()
    threading.Thread(target=set_off, daemon=True).start()
    leaping.sleep(100.0)
    assert began[0] - begun < 50.0
