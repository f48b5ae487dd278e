"""The ruler of the check: where joints are seen, how fast that says they go, and since when they rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vantage.worlds.rig.check.check_report import FailedError
from vantage.worlds.rig.check.dead_host import _EndedError, _under_way
from vantage.worlds.rig.check.rig_under_test import SPACING, JointSample, RigUnderTest, fastest
from vantage.worlds.rig.clock import SystemClock

JOINT = SimpleNamespace(speed=2.0, acceleration=16.0)


class Moving:
    """One emulated joint; looks take as long as they are told to, after the joint was read."""

    def __init__(self, place: Callable[[float], float], delays: list[float] | None = None) -> None:
        self._place, self._delays = place, delays or []

    def positions(self) -> np.ndarray:
        seen = np.array([self._place(time.monotonic())])
        if self._delays:
            time.sleep(self._delays.pop(0))
        return seen


def subject(emulator: Moving | None) -> Any:
    """RigUnderTest without a rig, but for what a look needs."""
    chain = SimpleNamespace(joints=(JOINT,), resolution=np.array([1e-4]))
    description = SimpleNamespace(
        chain=chain, motion_timeout=1.0, look=SimpleNamespace(retries=0, timeout=0.1, settle=0.0)
    )
    driver, world = SimpleNamespace(clock=SystemClock()), SimpleNamespace(real_time=True)
    rig = SimpleNamespace(emulator=emulator, description=description, driver=driver, world=world)
    return RigUnderTest(rig, None)  # type: ignore[arg-type]


def samples(*times: float, end: bool = False) -> SimpleQueue[JointSample | None]:
    """What another program sees of a joint that goes at 2 rad/s, at these times, and whether it has ended since."""
    queue = SimpleQueue[JointSample | None]()
    for at in times:
        queue.put((at, np.array([2.0 * at])))
    if end:
        queue.put(None)
    return queue


def test_two_samples_at_one_instant_tell_no_speed() -> None:
    now, place = time.monotonic(), np.array([0.3])
    for later in (0.0, 0.9 * SPACING):
        with pytest.raises(FailedError, match="tell no speed"):
            fastest([(now, place), (now + later, place + 0.1)])
    assert fastest([(now, place), (now, place), (now + 0.1, place - 0.2)]) == pytest.approx([2.0])


def test_a_motion_that_waited_is_as_fast_as_it_was_before() -> None:
    """A starved program leaves a gap in its motion, after which that goes on."""
    ways = [0.1] * 4 + [0.0] * 6 + [0.001]
    samples = [(0.05 * k, np.array([sum(ways[:k]), 0.5])) for k in range(len(ways) + 1)]
    assert fastest(samples) == pytest.approx([2.0, 0.0])


def test_a_speed_is_told_by_sights_far_enough_apart_however_late_they_come() -> None:
    regular = [0.02 * k for k in range(40)]
    seen = _under_way(subject(None), samples(*regular[:20]))
    assert seen[-1][0] == regular[19]  # the newest that came
    gap = [0.0, 0.02, 0.04, 0.5, 0.5, 0.51]
    seen = _under_way(subject(None), samples(*gap))
    assert fastest(seen) == pytest.approx([2.0])


def test_a_program_that_ends_before_it_was_met_is_told_apart() -> None:
    with pytest.raises(_EndedError):
        _under_way(subject(None), samples(0.0, 0.1, end=True))
    with pytest.raises(_EndedError):
        _under_way(subject(Moving(lambda at: 2.0 * at)), samples(0.0, end=True))


def test_a_look_that_was_held_up_does_not_count() -> None:
    joint = subject(Moving(lambda at: 2.0 * at, delays=[0.05, 0.03]))
    at, positions = joint.sample()
    assert positions[0] == pytest.approx(2.0 * at, abs=2.0 * 0.005)


def test_emulated_joints_are_watched_for_long_enough() -> None:
    seen = _under_way(subject(Moving(lambda at: 2.0 * at)), samples(0.0))
    assert seen[-1][0] - seen[0][0] >= 0.25
    assert fastest(seen) == pytest.approx([2.0], rel=0.2)
    held_up = subject(Moving(lambda at: 2.0 * at, delays=[0.05] * 3)).watch(0.1, lambda: False)
    assert held_up[-1][0] - held_up[0][0] >= 0.1
    brief = subject(Moving(lambda at: 2.0 * at)).watch(0.0, lambda: False)
    assert brief[-1][0] - brief[0][0] >= SPACING
    assert len(subject(Moving(lambda at: 1.0)).watch(60.0, lambda: True)) == 1


def test_rest_begins_before_it_is_seen() -> None:
    """A look may come late; then the joint has come to rest at any time since the one before."""
    begun = time.monotonic()
    joint = subject(Moving(lambda at: min(2.0 * (at - begun), 0.2), delays=[0.0] * 3))
    since, place = joint.rest(5.0)
    assert place == pytest.approx([0.2])
    assert since <= begun + 0.1 + 1e-3
    still, _ = subject(Moving(lambda at: 1.0)).rest(5.0)
    assert still <= time.monotonic() - 0.15
