"""Motors in simulated time: they move as their description says, and no real time passes."""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from chains import X, Z, hinge, slide
from hypothesis import given, settings, strategies as st
from sampling import examples
from small_rig import write_rig

from vantage.errors import ConfigError, HardwareError, StoppedError
from vantage.registry import DRIVERS
from vantage.worlds.rig.clock import VirtualClock
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.drivers.simulated import SimulatedDriver, make_simulated
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Joint
from vantage.worlds.rig.kinematics.trajectory import plan

JOINTS = (
    slide("x", X, 0.0, 2.0, speed=0.5, acceleration=1.0),
    dataclasses.replace(hinge("pan", Z, None, -3.0, 2.0), speed=2.0, acceleration=4.0),
)
THERE = np.array([1.8, 1.0])
SECOND = 10**9


class Watch(VirtualClock):
    """Calls somebody at a time."""

    def __init__(self, at: float, call: Callable[[], None]) -> None:
        super().__init__()
        self._due, self._call = round(at * 1e9), call

    def sleep(self, seconds: float) -> None:
        before = self.now()
        super().sleep(seconds)
        if before < self._due <= self.now():
            self._call()


@pytest.fixture
def driver() -> SimulatedDriver:
    driver = SimulatedDriver(JOINTS)
    driver.connect()
    return driver


def test_it_begins_homed_in_the_middle_of_its_limits(driver: SimulatedDriver) -> None:
    state = driver.state()
    assert np.array_equal(state.positions, [1.0, -0.5])
    assert (state.stamp, state.moving, state.homed, state.held, state.fault) == (0, False, True, False, "")


def test_joints_without_limits_begin_as_close_to_0_as_they_may() -> None:
    joints = (
        Joint("free", PRISMATIC, X),
        Joint("above", PRISMATIC, X, lower=0.5),
        Joint("below", PRISMATIC, X, upper=-0.5),
    )
    with SimulatedDriver(joints) as driver:
        assert np.array_equal(driver.state().positions, [0.0, 0.5, -0.5])
        driver.home(10.0)
        assert np.array_equal(driver.state().positions, [0.0, 0.5, -0.5])


def test_a_motion_takes_simulated_time_alone(driver: SimulatedDriver) -> None:
    expected = plan(driver.state().positions, THERE, JOINTS).duration
    assert expected > 1.0
    begun = time.monotonic()
    state = driver.move(THERE, 60.0)
    assert time.monotonic() - begun < 0.5 * expected
    assert math.isclose(state.stamp / SECOND, expected, abs_tol=1e-6)
    assert np.array_equal(state.positions, THERE)
    assert not state.moving


def test_homing_ends_where_the_travel_begins(driver: SimulatedDriver) -> None:
    driver.move(THERE, 60.0)
    driver.home(60.0)
    assert np.array_equal(driver.state().positions, [0.0, -3.0])
    assert driver.state().homed


def test_no_motion_takes_no_time(driver: SimulatedDriver) -> None:
    assert driver.move(driver.state().positions, 0.0).stamp == 0


def test_a_motion_longer_than_its_deadline_is_refused_before_it_begins(driver: SimulatedDriver) -> None:
    with pytest.raises(HardwareError, match=r"would take 2\.\d s, longer than its deadline of 1.0 s; raise"):
        driver.move(THERE, 1.0)
    assert np.array_equal(driver.state().positions, [1.0, -0.5])
    assert driver.state().fault == ""
    driver.move(THERE, 60.0)


def test_all_joints_keep_in_step_within_their_speeds(driver: SimulatedDriver) -> None:
    seen = []

    class Looking(VirtualClock):
        def sleep(self, seconds: float) -> None:
            seen.append((self.now(), driver.state().positions))
            super().sleep(seconds)

    driver.clock = Looking()
    begin = driver.state().positions
    driver.move(THERE, 60.0)
    stamps, places = np.array([at for at, _ in seen]) / SECOND, np.array([q for _, q in seen])
    shares = (places - begin) / (THERE - begin)
    assert np.abs(shares[:, 0] - shares[:, 1]).max() < 1e-9
    speeds = np.abs(np.diff(places, axis=0)) / np.diff(stamps)[:, None]
    assert (speeds <= np.array([0.5, 2.0]) * (1 + 1e-6)).all()
    assert len(seen) > 50
    assert np.abs(np.diff(speeds[:, 0]) / 0.02).max() < 1.0 + 1e-3, "and within their accelerations"


@settings(max_examples=examples(40), deadline=None)
@given(st.floats(0.01, 2.0), st.floats(-3.0, 2.0), st.floats(0.001, 1.0))
def test_a_stop_brakes_to_rest_on_the_line_as_fast_as_allowed(x: float, pan: float, share: float) -> None:
    driver = SimulatedDriver(JOINTS)
    begin, target = np.array([1.0, -0.5]), np.array([x, pan])
    profile = plan(begin, target, JOINTS)
    if profile.duration < 0.1:
        return
    asked = share * (profile.duration - 0.05)
    driver.clock = Watch(asked, driver.stop)
    with driver:
        with pytest.raises(StoppedError):
            driver.move(target, 60.0)
        state = driver.state()
        way = target - begin
        passed = float((state.positions - begin) @ way / (way @ way))
        assert np.allclose(begin + passed * way, state.positions, atol=1e-9), "it leaves the line"
        assert profile.share(asked) - 1e-9 <= passed <= 1.0 + 1e-9
        speed = profile.velocity(asked)
        longest = profile.share(asked + 0.02) + 0.5 * max(speed, profile.velocity(asked + 0.02)) ** 2 / (
            profile.acceleration
        )
        assert passed <= longest + 1e-9
        assert state.stamp / SECOND <= asked + 0.02 + profile.ramp + 1e-6
        assert state.held
        assert not state.moving
        with pytest.raises(StoppedError, match="clear it first"):
            driver.move(begin, 60.0)
        driver.clear()
        assert np.array_equal(driver.move(begin, 60.0).positions, begin)


def test_a_stop_at_rest_refuses_the_next_motion_until_it_is_cleared(driver: SimulatedDriver) -> None:
    driver.stop()
    assert driver.state().held
    for use in (lambda: driver.move(THERE, 60.0), lambda: driver.home(60.0)):
        with pytest.raises(StoppedError):
            use()
    assert driver.state().stamp == 0
    driver.clear()
    driver.move(THERE, 60.0)


def test_a_stop_that_is_cleared_at_once_ends_the_motion_all_the_same(driver: SimulatedDriver) -> None:
    def stop_and_clear() -> None:
        driver.stop()
        driver.clear()

    driver.clock = Watch(0.5, stop_and_clear)
    with pytest.raises(StoppedError):
        driver.move(THERE, 60.0)
    assert not driver.state().moving
    assert driver.state().positions[0] < THERE[0] - 0.1
    driver.move(THERE, 60.0)


def test_motions_from_several_threads_come_one_after_another(driver: SimulatedDriver) -> None:
    threads = [threading.Thread(target=driver.move, args=(np.array([x, 0.0]), 60.0)) for x in (0.2, 0.6, 1.0, 1.4, 1.8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20.0)
        assert not thread.is_alive()
    assert float(driver.state().positions[0]) in (0.2, 0.6, 1.0, 1.4, 1.8)


def test_before_connecting_and_after_closing_nothing_is_known() -> None:
    driver = SimulatedDriver(JOINTS)
    driver.stop()  # never raises
    driver.clear()
    with pytest.raises(HardwareError, match="connect first"):
        driver.move(THERE, 60.0)
    with driver:
        driver.state()
    driver.close()
    with pytest.raises(HardwareError, match="connect first"):
        driver.state()


def test_equal_commands_take_equal_ways() -> None:
    ends = []
    for _ in range(2):
        with SimulatedDriver(JOINTS) as driver:
            for target in ([0.3, 0.3], [1.9, -2.9], [0.05, 1.99]):
                state = driver.move(np.array(target), 60.0)
            ends.append((state.stamp, state.positions.tolist()))
    assert ends[0] == ends[1]


def test_the_factory_takes_no_keys(tmp_path: Path) -> None:
    rig = load_rig(write_rig(tmp_path, driver={"name": "simulated"}))
    driver = DRIVERS.create("simulated", rig.driver, rig)
    assert isinstance(driver, SimulatedDriver)
    assert driver.joints == rig.chain.joints
    wrong = load_rig(write_rig(tmp_path, driver={"name": "simulated", "port": "x"}))
    with pytest.raises(ConfigError, match=r"driver\.port: unknown key"):
        make_simulated(wrong.driver, wrong)
