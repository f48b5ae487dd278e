"""Motors for tests keep what drivers promise, as far as they can without a controller."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from chains import X, Z, hinge, slide
from grbl_rig import Notices
from small_rig import write_rig

from vantage.errors import ConfigError, HardwareError, StoppedError
from vantage.registry import DRIVERS
from vantage.worlds.rig.clock import SystemClock
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.drivers.mock_driver import MockDriver, make_mock

JOINTS = (slide("x", X, 0.1, 2.0), hinge("pan", Z))
THERE = np.array([1.1, 2.0])


@pytest.fixture
def driver() -> MockDriver:
    driver = MockDriver(JOINTS)
    driver.connect()
    return driver


def test_a_motion_ends_where_it_should_and_is_remembered(driver: MockDriver) -> None:
    assert np.array_equal(driver.state().positions, [0.1, 0.0]), "within the limits, close to 0"
    state = driver.move(THERE, 1.0)
    assert np.array_equal(state.positions, THERE)
    assert (state.moving, state.homed, state.held, state.fault) == (False, True, False, "")
    assert np.array_equal(driver.moves, [THERE])
    assert isinstance(driver.clock, SystemClock)
    assert abs(state.stamp - time.time_ns()) < 5e9


def test_what_is_told_stays_as_it_was(driver: MockDriver) -> None:
    target = THERE.copy()
    state = driver.move(target, 1.0)
    target[0] = state.positions[0] = 9.0
    assert np.array_equal(driver.state().positions, THERE)
    assert np.array_equal(driver.moves, [THERE])


def test_a_motion_takes_its_time_and_moves_meanwhile(driver: MockDriver) -> None:
    driver.duration = 0.3
    seen = []
    threading.Timer(0.1, lambda: seen.append(driver.state().moving)).start()
    begun = time.monotonic()
    driver.move(THERE, 5.0)
    assert time.monotonic() - begun >= 0.3
    assert seen == [True]
    assert not driver.state().moving


def test_a_stop_ends_a_motion_half_way_until_it_is_cleared(driver: MockDriver) -> None:
    driver.duration = 20.0
    threading.Timer(0.1, driver.stop).start()
    begun = time.monotonic()
    with pytest.raises(StoppedError):
        driver.move(THERE, 30.0)
    assert time.monotonic() - begun < 5.0
    assert np.allclose(driver.state().positions, [0.6, 1.0])
    assert driver.state().held
    with pytest.raises(StoppedError, match="clear it first"):
        driver.move(THERE, 1.0)
    with pytest.raises(StoppedError):
        driver.home(1.0)
    driver.clear()
    driver.duration = 0.0
    assert np.array_equal(driver.move(THERE, 1.0).positions, THERE)


def test_a_motion_longer_than_its_deadline_fails_in_time(driver: MockDriver) -> None:
    driver.duration = 20.0
    begun = time.monotonic()
    with pytest.raises(HardwareError, match=r"longer than 0.1 s; raise motion_timeout"):
        driver.move(THERE, 0.1)
    assert time.monotonic() - begun < 5.0
    assert "longer than" in driver.state().fault


def test_a_failure_is_told_once_and_refuses_motion_until_it_is_cleared(driver: MockDriver) -> None:
    driver.notify = notices = Notices()
    driver.failure = HardwareError("joint 'x' is stuck; look what holds it")
    with pytest.raises(HardwareError, match="joint 'x' is stuck"):
        driver.move(THERE, 1.0)
    assert notices == [("mock", "joint 'x' is stuck; look what holds it")]
    assert np.allclose(driver.state().positions, [0.6, 1.0])
    assert "stuck" in driver.state().fault
    with pytest.raises(HardwareError, match=r"stuck.*clear it first"):
        driver.move(THERE, 1.0)
    driver.clear()
    assert driver.state().fault == ""
    driver.move(THERE, 1.0)
    assert len(notices) == 1


def test_motors_that_are_not_homed_do_not_move() -> None:
    with MockDriver(JOINTS, homed=False) as driver:
        with pytest.raises(HardwareError, match="home first"):
            driver.move(THERE, 1.0)
        assert driver.moves == []
        driver.home(1.0)
        assert driver.state().homed
        driver.move(THERE, 1.0)


def test_before_connecting_and_after_closing_nothing_is_known() -> None:
    driver = MockDriver(JOINTS)
    driver.stop()  # never raises
    driver.clear()
    for use in (driver.state, lambda: driver.move(THERE, 1.0), lambda: driver.home(1.0)):
        with pytest.raises(HardwareError, match="connect first"):
            use()
    with driver:
        driver.state()
    driver.close()
    with pytest.raises(HardwareError, match="connect first"):
        driver.state()


def test_closing_ends_a_motion(driver: MockDriver) -> None:
    driver.duration = 20.0
    threading.Timer(0.1, driver.close).start()
    begun = time.monotonic()
    with pytest.raises(StoppedError):
        driver.move(THERE, 30.0)
    assert time.monotonic() - begun < 5.0


def test_the_factory_reads_its_section(tmp_path: Path) -> None:
    rig = load_rig(write_rig(tmp_path, driver={"name": "mock", "duration": 0.5, "homed": False}))
    driver = DRIVERS.create("mock", rig.driver, rig)
    assert isinstance(driver, MockDriver)
    assert driver.duration == 0.5
    assert driver.joints == rig.chain.joints
    with driver:
        assert not driver.state().homed


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"duration": -1.0}, r"driver.duration: expected a number in \[0, 60\]"),
        ({"homed": "perhaps"}, "driver.homed: expected true or false"),
        ({"durration": 1.0}, "driver.durration: unknown key; did you mean 'duration'"),
    ],
)
def test_a_wrong_section_is_told(tmp_path: Path, values: dict, words: str) -> None:
    rig = load_rig(write_rig(tmp_path, driver={"name": "mock", **values}))
    with pytest.raises(ConfigError, match=words):
        make_mock(rig.driver, rig)
