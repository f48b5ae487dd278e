"""The driver on an emulated controller; what it promises of a stop and of a host that dies, in real time."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from vantage.errors import ConfigError, HardwareError, StoppedError
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.drivers import grbl_driver as grbl
from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.drivers.grbl_driver import make_grbl

START = np.array([0.1, 0.1, 0.6, 0.0, 0.0])
FAR = np.array([0.48, 0.3, 0.7, 1.0, 0.5])


class Going:
    """A motion on a thread of its own."""

    def __init__(self, driver, call):
        self.error = None
        self._clock, self._call = driver.clock, call
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        try:
            self._call()
        except HardwareError as error:
            self.error = error

    def join(self):
        end = self._clock.monotonic() + 15.0
        while self._thread.is_alive() and self._clock.monotonic() < end:
            self._clock.sleep(0.005)
        assert not self._thread.is_alive()
        return self.error


def under_way(driver, emulator, target=FAR):
    going = Going(driver, lambda: driver.move(target, 10.0))
    end = driver.clock.monotonic() + 3.0
    while np.all(emulator.velocities == 0.0):
        assert driver.clock.monotonic() < end
        driver.clock.sleep(0.005)
    driver.clock.sleep(0.15)
    return going


def at_rest(emulator):
    return np.all(emulator.velocities == 0.0)


def steps_off(driver, emulator, target):
    return np.max(np.abs(emulator.positions() - target) / [joint.resolution for joint in driver.joints])


def test_motions_end_within_a_step_of_their_targets(driver, emulator):
    rng = np.random.default_rng(5)
    low, high = (np.array([getattr(joint, side) for joint in driver.joints]) for side in ("lower", "upper"))
    for _ in range(8):
        target = np.clip(driver.state().positions + rng.uniform(-0.15, 0.15, 5), low, high)
        state = driver.move(target, 10.0)
        assert steps_off(driver, emulator, target) <= 1.0
        assert not state.moving
    assert emulator.longest_queue <= QUEUE
    assert driver.notify == []


def test_joints_stay_within_their_speeds(driver, emulator):
    driver.move(START, 10.0)
    going = under_way(driver, emulator)
    fastest = np.zeros(5)
    while not at_rest(emulator):
        fastest = np.maximum(fastest, np.abs(emulator.velocities))
        driver.clock.sleep(0.002)
    assert going.join() is None
    assert np.all(fastest <= np.array([joint.speed for joint in driver.joints]) * 1.001)
    assert fastest.max() > 0.1


def test_the_state_tells_of_a_motion_under_way(driver, emulator):
    driver.move(START, 10.0)
    going = under_way(driver, emulator)
    state = driver.state()
    assert state.moving
    assert np.all(state.positions > START - 1e-3)
    assert np.any(state.positions > START + 1e-3)
    assert going.join() is None
    assert driver.state().stamp > state.stamp


def test_a_stop_brakes_and_holds_until_cleared(driver, emulator):
    see_a_stop(driver, emulator)


@pytest.mark.real_time
def test_a_stop_brakes_and_holds_in_real_time(real_driver, real_emulator):
    see_a_stop(real_driver, real_emulator)


def see_a_stop(driver, emulator):
    driver.move(START, 10.0)
    going = under_way(driver, emulator)
    driver.stop()
    assert isinstance(going.join(), StoppedError)
    assert at_rest(emulator)
    assert emulator.state == "Idle"
    where = emulator.positions()
    state = driver.state()
    assert state.held
    assert state.homed
    assert not state.moving
    for call in (lambda: driver.move(START, 5.0), lambda: driver.home(5.0)):
        with pytest.raises(StoppedError, match="clear it first"):
            call()
    driver.clear()
    assert np.array_equal(emulator.positions(), where)
    assert not driver.state().held
    driver.move(START, 10.0)
    assert steps_off(driver, emulator, START) <= 1.0
    assert driver.notify == []


@pytest.mark.real_time
def test_a_stop_comes_at_once_under_load(real_driver, real_emulator):
    written, plain = [], real_driver._monitor.link.write

    def write(data, urgent=False):
        if data == b"!":
            written.append(time.monotonic())
        return plain(data, urgent)

    real_driver._monitor.link.write = write
    ended = threading.Event()

    def burn():
        while not ended.is_set():
            sum(range(1000))

    burners = [threading.Thread(target=burn) for _ in range(2)]
    for burner in burners:
        burner.start()
    delays = []
    for target in (FAR, START) * 3:
        going = Going(real_driver, lambda target=target: real_driver.move(target, 20.0))
        time.sleep(0.15)
        written.clear()
        begin = time.monotonic()
        real_driver.stop()
        delays.append(written[0] - begin)
        going.join()
        real_driver.clear()
    ended.set()
    for burner in burners:
        burner.join()
    assert sorted(delays)[-2] < 0.05  # once, other programs may have had the processors


def test_a_stop_at_rest_holds_too(driver, emulator):
    driver.stop()
    assert driver.state().held
    with pytest.raises(StoppedError):
        driver.move(START, 5.0)
    driver.clear()
    driver.move(START, 10.0)


def test_a_stop_ends_homing_and_the_position_is_unknown(driver, emulator):
    going = Going(driver, lambda: driver.home(20.0))
    driver.clock.sleep(0.15)
    assert emulator.state == "Home"
    driver.stop()
    assert isinstance(going.join(), StoppedError)
    assert at_rest(emulator)
    driver.clear()
    assert not driver.state().homed
    with pytest.raises(HardwareError, match="home it first"):
        driver.move(START, 5.0)
    driver.home(20.0)
    driver.move(START, 10.0)


def test_a_motion_that_takes_too_long_is_stopped(driver, emulator):
    driver.move(START, 10.0)
    with pytest.raises(HardwareError, match=r"took longer than 0\.3 s and was stopped"):
        driver.move(FAR, 0.3)
    assert at_rest(emulator)
    assert driver.state().fault == ""
    assert driver.notify.kinds == ["timeout"]
    driver.move(START, 10.0)


def test_homing_that_takes_too_long_is_stopped(driver, emulator):
    driver.move(START, 10.0)
    with pytest.raises(HardwareError, match=r"homing took longer than 0\.2 s"):
        driver.home(0.2)
    assert at_rest(emulator)
    assert not driver.state().homed
    driver.home(20.0)


def test_one_motion_at_a_time(driver, emulator, monkeypatch):
    monkeypatch.setattr(grbl, "_TURN", 0.1)
    driver.move(START, 10.0)
    going = under_way(driver, emulator)
    with pytest.raises(HardwareError, match="not possible while another motion is on"):
        driver.move(START, 10.0)
    assert going.join() is None
    assert steps_off(driver, emulator, FAR) <= 1.0


def test_closing_ends_a_motion(driver, emulator):
    driver.move(START, 10.0)
    going = under_way(driver, emulator)
    driver.close()
    assert isinstance(going.join(), StoppedError)
    assert at_rest(emulator)
    driver.connect()
    assert driver.state().homed  # the controller says so
    driver.move(START, 10.0)


def interrupting(driver, emulator, monkeypatch):
    """As if Ctrl-C were pressed once the axes are on their way."""
    plain = driver._watch

    def watch(overdue, timeout):
        usual, begin = plain(overdue, timeout), driver.clock.monotonic()

        def look():
            usual()
            if driver.clock.monotonic() > begin + 0.3 and not at_rest(emulator):
                raise KeyboardInterrupt

        return look

    monkeypatch.setattr(driver, "_watch", watch)


def test_an_interrupted_motion_is_halted(driver, emulator, monkeypatch):
    driver.move(START, 10.0)
    with monkeypatch.context() as patch:
        interrupting(driver, emulator, patch)
        with pytest.raises(KeyboardInterrupt):
            driver.move(FAR, 10.0)
    assert at_rest(emulator)
    assert emulator.state == "Idle"
    driver.move(START, 10.0)


def test_interrupted_homing_is_halted(driver, emulator, monkeypatch):
    driver.move(START, 10.0)
    with monkeypatch.context() as patch:
        interrupting(driver, emulator, patch)
        with pytest.raises(KeyboardInterrupt):
            driver.home(20.0)
    assert at_rest(emulator)
    assert emulator.state != "Home"
    assert not driver.state().homed


def test_closing_ends_homing(driver, emulator):
    driver.move(START, 10.0)
    going = Going(driver, lambda: driver.home(20.0))
    driver.clock.sleep(0.3)
    assert emulator.state == "Home"
    driver.close()
    assert at_rest(emulator)
    assert emulator.state != "Home"
    assert isinstance(going.join(), StoppedError)


def test_closing_ends_homing_that_nobody_waits_for(driver, emulator, monkeypatch):
    """As after a second Ctrl-C, amid the halt after the first."""
    driver.move(START, 10.0)

    def interrupted(timeout):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        interrupting(driver, emulator, patch)
        patch.setattr(driver._controller, "halt", interrupted)
        with pytest.raises(KeyboardInterrupt):
            driver.home(20.0)
    assert emulator.state == "Home"
    driver.close()
    assert at_rest(emulator)
    assert emulator.state != "Home"


CHILD = """
import sys
import numpy as np
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.drivers.grbl_driver import make_grbl
description = load_rig(sys.argv[1])
section = description.driver.with_values(port=sys.argv[2])
section.text("name")
driver = make_grbl(section, description)
driver.connect()
driver.move(np.array([0.48, 0.3, 0.7, 1.0, 0.5]), 20.0)
"""


@pytest.mark.real_time
def test_a_killed_host_means_a_standing_rig(real_driver, real_emulator, grbl_rig_file):
    real_driver.move(START, 10.0)
    real_driver.close()
    port = real_emulator.overrides["port"]
    with subprocess.Popen([sys.executable, "-c", CHILD, str(grbl_rig_file), port]) as child:
        end = time.monotonic() + 20.0
        while at_rest(real_emulator) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.2)
        assert not at_rest(real_emulator)
        os.kill(child.pid, signal.SIGKILL)
        killed = time.monotonic()
        child.wait(5.0)
    time.sleep(max(0.0, killed + QUEUE + 0.05 - time.monotonic()))
    assert at_rest(real_emulator)
    where = real_emulator.positions()
    assert np.all(np.abs(where - FAR)[:2] > 1e-3)
    assert real_emulator.longest_queue <= QUEUE
    real_driver.connect()
    real_driver.move(START, 10.0)
    assert steps_off(real_driver, real_emulator, START) <= 1.0


def test_unknown_keys_are_told(grbl_rig_file):
    description = load_rig(grbl_rig_file)
    section = description.driver.with_values(port="/dev/null", bauds=9600)
    section.text("name")
    with pytest.raises(ConfigError, match=r"bauds: unknown key.*did you mean 'baud'"):
        make_grbl(section, description)
