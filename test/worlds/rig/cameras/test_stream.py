"""Pictures handed from one thread to others."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from vantage.errors import HardwareError
from vantage.worlds.rig.camera import Frame
from vantage.worlds.rig.cameras.stream import FrameStream


def frame(stamp: int) -> Frame:
    return Frame(stamp, np.zeros((2, 2, 3), np.uint8))


def later(seconds: float, call: object, *arguments: object) -> threading.Timer:
    timer = threading.Timer(seconds, call, arguments)  # type: ignore[arg-type]
    timer.start()
    return timer


def test_a_picture_is_later_than_asked_for() -> None:
    stream = FrameStream("the camera")
    assert stream.newest == -1
    stream.came(5, frame(5))
    assert stream.wait(4, 0.0).stamp == 5
    timer = later(0.05, stream.came, 6, frame(6))
    assert stream.wait(5, 5.0).stamp == 6
    timer.join()
    assert stream.newest == 6


def test_only_what_somebody_waits_for_is_worth_decoding() -> None:
    stream = FrameStream("the camera")
    assert not stream.wanted
    stream.came(1, None)
    assert stream.newest == 1
    seen: list[bool] = []

    def decode() -> None:
        seen.append(stream.wanted)
        stream.came(2, frame(2))

    timer = later(0.05, decode)
    assert stream.wait(-1, 5.0).stamp == 2
    timer.join()
    assert seen == [True]
    assert not stream.wanted


def test_a_wait_ends_in_time_with_words() -> None:
    stream = FrameStream("the camera /dev/video3")
    stream.came(5, frame(5))
    begun = time.monotonic()
    with pytest.raises(HardwareError, match=r"no picture came from the camera /dev/video3 within 0.1 s; check"):
        stream.wait(5, 0.1)
    assert 0.09 < time.monotonic() - begun < 2.0
    assert not stream.wanted


def test_a_failure_wakes_everybody_and_ends_with_the_next_picture() -> None:
    stream = FrameStream("the camera")
    timer = later(0.05, stream.fail, "it burns")
    begun = time.monotonic()
    with pytest.raises(HardwareError, match="it burns"):
        stream.wait(0, 30.0)
    assert time.monotonic() - begun < 5.0
    timer.join()
    with pytest.raises(HardwareError, match="it burns"):
        stream.wait(0, 30.0)
    stream.came(7, frame(7))
    assert stream.wait(0, 0.0).stamp == 7


def test_stamps_increase_even_if_those_of_the_driver_do_not() -> None:
    stream = FrameStream("the camera")
    for given, expected in ((10, 10), (10, 11), (3, 12), (20, 20)):
        stamp = stream.later(given)
        assert stamp == expected
        stream.came(stamp, None)
