"""Steps of the check: should the program that drives the rig die, the rig comes to rest by itself."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from vantage.config import Settings, all_settings
from vantage.spatial import Matrix
from vantage.worlds.rig.check_findings import FailedError, SkipError, require
from vantage.worlds.rig.check_halts import require_halt
from vantage.worlds.rig.check_hands import Hands
from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.drivers.mock import MockDriver

_STARTING = 30.0  # s until another program has opened the rig
_UNDER_WAY = 0.6  # s of a motion after which the program is killed
_GLANCE = 0.1  # s over which a speed is measured
_LEFT_ALONE = 1.0  # s: a rig that did not come to rest by itself would be far away by then
_ENDING = 5.0  # s

_Sight = tuple[float, Matrix]


def waiting(hands: Hands) -> str:
    """How much motion has waited in the controller at most, all through the check."""
    longest = getattr(hands.rig.emulator or hands.rig.driver, "longest_queue", None)
    if longest is None:
        raise SkipError("the controller does not tell how much motion waits in it")
    told = f"{1e3 * longest:.1f} ms of motion waited in the controller at most, {1e3 * QUEUE:.0f} ms are allowed"
    require(longest <= QUEUE, told)
    return told


def killed(hands: Hands) -> str:
    """Another program drives the rig along the longest way that is free and is killed in the midst of it."""
    rig = hands.rig
    if not rig.world.real_time or isinstance(rig.driver, MockDriver):
        raise SkipError("these motors live within this program and end with it")
    with _lent(hands) as lines:
        sights = _under_way(lines)
    now, then = sights[-1], next(sight for sight in sights if sights[-1][0] - sight[0] >= _GLANCE)
    hands.go_on()
    return _words


@contextmanager
def _lent(hands: Hands) -> Iterator[_Driving]:
    """Another program has the controller while the block runs; it is dead afterwards and the rig is here again."""
