"""Why a device is no camera, who uses it, and when its pictures were taken."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from vantage.worlds.rig.cameras.v4l2 import FrameTimes, obstacle, users
from vantage.worlds.rig.clock import SystemClock


def test_a_device_that_is_not_there() -> None:
    assert (obstacle("/dev/video250") or "").startswith(
        "there is no camera at /dev/video250; plug it in or set camera."
    )


def test_devices_that_are_no_cameras(tmp_path: Path) -> None:
    assert (obstacle("/dev/null") or "").startswith("/dev/null is no camera; set camera.device")
    master, slave = os.openpty()
    try:
        assert "is no camera; set camera.device" in (obstacle(os.ttyname(slave)) or "")
    finally:
        os.close(master)
        os.close(slave)
    assert "cannot open" in (obstacle(str(tmp_path)) or "")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_device_that_may_not_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "video0"
    path.write_bytes(b"")
    path.chmod(0)
    assert "add yourself to its group" in (obstacle(str(path)) or "")


def test_the_program_that_uses_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "video0"
    path.write_bytes(b"")
    with path.open():
        assert users(str(path)) == "", "this process does not count"
    script = "import sys; f = open(sys.argv[1]); print('ready', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", script, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        named = users(str(path))
        process.communicate(timeout=10)
    assert named.startswith(" by 'python")
    assert named.endswith(f"(process {process.pid})")
    assert users(str(path)) == ""


class Times:
    """Driver times in ms, so many ns before the call, on one of the clocks."""

    def __init__(self, latency: float = 0.0) -> None:
        self.told: list[str] = []
        self.times = FrameTimes(SystemClock(), latency, self.told.append)

    def age(self, driver_time: float) -> float:
        """s between the stamp and now."""
        stamp = self.times.stamp(driver_time)
        return (time.time_ns() - stamp) / 1e9


def near(age: float, expected: float) -> bool:
    """Not younger than expected, and not much older either on a busy machine."""
    return expected - 0.006 <= age < expected + 0.4


def monotonic(age: float) -> float:
    return (time.monotonic_ns() - age * 1e9) / 1e6


def system(age: float) -> float:
    return (time.time_ns() - age * 1e9) / 1e6


@pytest.mark.parametrize("clock", [monotonic, system])
def test_the_time_of_a_driver_counts_whichever_clock_it_has(clock) -> None:  # type: ignore[no-untyped-def]
    times = Times(latency=0.5)
    assert near(times.age(clock(0.04)), 0.04)
    assert near(times.age(clock(0.0)), 0.0)
    assert near(times.age(clock(3.0)), 3.0), "an old picture is not taken for a new one"
    assert times.age(clock(-1.0)) >= 0.0, "no picture is from the future"
    assert times.told == []


@pytest.mark.parametrize("driver_time", [0.0, -1.0, 12.5, 1e15])
def test_without_a_usable_time_the_arrival_counts(driver_time: float) -> None:
    times = Times(latency=0.08)
    for _ in range(15):
        assert near(times.age(driver_time), 0.08)
    assert len(times.told) == 1
    assert "arrival less 0.08 s counts; set camera.latency" in times.told[0]


def test_first_pictures_without_a_time_do_not_decide() -> None:
    times = Times(latency=0.08)
    assert near(times.age(0.0), 0.08)
    assert near(times.age(monotonic(0.04)), 0.04)
    assert times.told == []
