"""Everything that goes wrong stops what moves, is told once, refuses motion, and can be mended."""

import os
import time
from contextlib import closing

import numpy as np
import pytest
from grbl_peer import Peer
from grbl_rig import driver_on

from vantage.errors import HardwareError
from vantage.worlds.rig.clock import SystemClock
from vantage.worlds.rig.drivers.driver import QUEUE

START = np.array([0.1, 0.1, 0.6, 0.0, 0.0])
FAR = np.array([0.48, 0.3, 0.7, 1.0, 0.5])
NEAR = np.array([0.02, 0.02, 0.41, 0.0, 0.0])


def soon(clock, condition, seconds=3.0):
    end = clock.monotonic() + seconds
    while not condition() and clock.monotonic() < end:
        clock.sleep(0.005)
    return condition()


def halfway(clock, emulator, break_it):
    """Break something once a motion is well under way."""

    def run():
        if soon(clock, lambda: np.any(emulator.velocities != 0.0)):
            clock.sleep(0.2)
            break_it()

    return clock.after(0.0, run)


@pytest.mark.parametrize(
    ("fault", "kinds", "words", "homed"),
    [
        ("unplug", ["link"], "went away", True),
        ("garbage", ["garbage"], "sent garbage", True),
        ("lost_ack", ["acknowledgement"], "acknowledgement lost", True),
        ("duplicate_ack", ["acknowledgement"], "unexpected acknowledgement", True),
        ("late_replies", ["silent", "acknowledgement"], "silent|acknowledgement", True),
        ("silent", ["silent", "acknowledgement"], "silent|acknowledgement", True),
        ("truncated", ["garbage"], "sent garbage", True),
        ("stuck_axis", ["following"], "is axis [XYZAB] stuck", True),
        ("reset", ["restart"], "restarted by itself; its position is lost", False),
        ("alarm", ["alarm"], "alarm 1: a limit switch was hit", False),
        ("door", ["state"], "state Door", True),
    ],
)
def test_a_fault_during_a_motion(driver, emulator, clock, fault, kinds, words, homed):
    driver.move(START, 10.0)
    breaking = halfway(clock, emulator, lambda: emulator.inject(fault))
    begin = clock.monotonic()
    with pytest.raises(HardwareError, match=words):
        driver.move(FAR, 10.0)
    assert clock.monotonic() - begin < 5.0
    breaking.join()
    assert soon(clock, lambda: np.all(emulator.velocities == 0.0), QUEUE + 0.1)
    assert driver.notify[0][0] in kinds
    assert len(driver.notify.kinds) == len(set(driver.notify.kinds))
    assert driver.state().fault
    with pytest.raises(HardwareError, match="clear it first"):
        driver.move(START, 5.0)

    emulator.mend()
    driver.clear()
    state = driver.state()
    assert (state.fault, state.held, state.homed) == ("", False, homed)
    assert driver.notify.kinds[-1] == "mended"
    if not homed:
        with pytest.raises(HardwareError, match="home it first"):
            driver.move(START, 5.0)
        driver.home(20.0)
    driver.move(START, 10.0)
    assert np.all(np.abs(emulator.positions() - START) <= [joint.resolution for joint in driver.joints])


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("unplug", "link", "went away"),
        ("silent", "silent", "fallen silent"),
        ("reset", "restart", "restarted by itself"),
        ("alarm", "alarm", "alarm 1"),
    ],
)
def test_a_fault_at_rest(driver, emulator, clock, fault, kind, words):
    emulator.inject(fault)
    assert soon(clock, lambda: driver.state().fault != "")
    assert driver.notify.kinds == [kind]
    with pytest.raises(HardwareError, match=words):
        driver.move(START, 5.0)
    emulator.mend()
    driver.clear()
    assert driver.state().fault == ""


def test_garbage_at_rest_is_only_told(driver, emulator, clock):
    emulator.inject("garbage")
    assert soon(clock, lambda: driver.notify.kinds == ["garbage"])
    assert driver.state().fault == ""
    driver.move(START, 10.0)


def test_what_stays_unplugged_cannot_be_cleared(driver, emulator, clock):
    emulator.inject("unplug")
    assert soon(clock, lambda: driver.state().fault != "")
    driver.stop()
    begin = clock.monotonic()
    with pytest.raises(HardwareError, match="does not exist; plug the controller in"):
        driver.clear(timeout=1.0)
    assert clock.monotonic() - begin < 2.0
    state = driver.state()
    assert state.held
    assert "went away" in state.fault
    emulator.mend()
    driver.clear()
    assert not driver.state().held


def test_a_position_that_changed_while_unplugged_is_unknown(driver, emulator, clock):
    driver.move(START, 10.0)
    emulator.inject("unplug")
    assert soon(clock, lambda: driver.state().fault != "")
    emulator.inject("reset")
    emulator.mend()
    driver.clear()
    assert not driver.state().homed


def test_what_stays_silent_cannot_be_cleared(driver, emulator, clock):
    emulator.inject("silent")
    assert soon(clock, lambda: driver.state().fault != "")
    with pytest.raises(HardwareError, match="does not come to rest; switch it off and on"):
        driver.clear(timeout=1.0)
    assert "silent" in driver.state().fault
    emulator.mend()
    driver.clear()


def test_a_door_that_stays_open_cannot_be_cleared(driver, emulator, clock):
    emulator.inject("door")
    with pytest.raises(HardwareError, match="close its safety door"):
        driver.clear()
    emulator.mend()
    driver.clear()


def test_homing_against_a_stuck_axis_fails(driver, emulator, clock):
    driver.move(START, 10.0)
    emulator.inject("stuck_axis")
    with pytest.raises(HardwareError, match=r"alarm [89]: homing"):
        driver.home(60.0)
    assert not driver.state().homed
    emulator.mend()
    driver.clear()
    driver.home(20.0)


def test_a_hold_that_somebody_else_asks_for_is_a_fault(driver, emulator, clock):
    driver.move(START, 10.0)
    button = os.open(emulator.overrides["port"], os.O_RDWR | os.O_NOCTTY)
    breaking = halfway(clock, emulator, lambda: os.write(button, b"!"))
    with pytest.raises(HardwareError, match="went into state Hold during a motion"):
        driver.move(FAR, 10.0)
    breaking.join()
    os.close(button)
    driver.clear()
    driver.move(START, 10.0)


@pytest.fixture
def peer():
    peer = Peer()
    yield peer
    peer.close()


@pytest.fixture
def meet(peer):
    driver, notices = driver_on(peer.port, homed=True)
    driver.connect()
    yield driver, notices
    driver.close()


def test_a_refused_line_is_a_fault(peer, meet):
    driver, notices = meet
    plain = peer._answer
    peer._answer = lambda line: peer.say("error:33") if line.startswith("G") else plain(line)
    with pytest.raises(HardwareError, match="error 33: an impossible target"):
        driver.move(NEAR, 5.0)
    assert notices.kinds == ["error"]
    assert "!" in peer.got
    peer._answer = plain
    driver.clear()
    driver.move(NEAR, 5.0)


def test_a_target_that_is_missed_is_a_fault(peer):
    driver, notices = driver_on(peer.port, homed=True, following=10.0)  # late reports are no fault of their own
    driver.connect()
    plain = peer._answer
    peer._answer = lambda line: peer.say("ok") if line.startswith("G") else plain(line)
    with closing(driver), pytest.raises(HardwareError, match=r"joint '.*' came to rest at .* instead of"):
        driver.move(np.array([0.01, 0.01, 0.4005, 0.0, 0.0]), 20.0)
    assert notices.kinds == ["missed"]


def test_an_answer_to_nothing_is_a_fault(peer, meet):
    driver, notices = meet
    peer.say("ok")
    assert soon(SystemClock(), lambda: driver.state().fault != "")
    assert notices.kinds == ["acknowledgement"]


@pytest.mark.parametrize(("code", "unlocked"), [(2, True), (1, False), (14, False)])
def test_an_alarm_is_unlocked_only_where_the_position_is_known(peer, meet, code, unlocked):
    driver, notices = meet
    peer.state = "Alarm"
    peer.say(f"ALARM:{code}", "[MSG:Reset to continue]")
    assert soon(SystemClock(), lambda: driver.state().fault != "")
    assert notices.kinds == ["alarm"]
    driver.clear()
    assert ("$X" in peer.got) is unlocked
    assert driver.state().homed is unlocked


def test_a_flood_of_garbage_is_told_once(peer, meet):
    _, notices = meet
    for _ in range(50):
        peer.say("%%%")
    assert soon(SystemClock(), lambda: notices.kinds != [])
    time.sleep(0.1)
    assert notices.kinds == ["garbage"]


def test_a_controller_that_does_not_come_back_from_a_reset(peer, meet):
    driver, _ = meet
    driver.stop()
    peer._realtime = lambda byte: None
    with pytest.raises(HardwareError, match="does not come back from a reset; switch it off and on"):
        driver.clear(timeout=1.0)
    assert driver.state().held


def test_stopping_never_raises(peer, meet):
    driver, _ = meet
    peer.hang_up()
    driver.stop()
    driver.stop()
    assert driver.state().held
