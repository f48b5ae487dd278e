"""What a driver finds out, and refuses, when it meets a controller."""

import threading
import time

import numpy as np
import pytest
from grbl_peer import Peer
from grbl_rig import driver_on, driver_threads

from vantage.errors import HardwareError, StoppedError


@pytest.fixture
def peer():
    peer = Peer()
    yield peer
    peer.close()


@pytest.fixture
def connect(peer):
    opened = []

    def make(**choices):
        driver, notices = driver_on(peer.port, **choices)
        opened.append(driver)
        driver.connect()
        return driver, notices

    yield make
    for driver in opened:
        driver.close()
    assert driver_threads() == []


def soon(condition, seconds=2.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def test_after_connecting_nothing_has_moved_and_the_state_is_known(peer, connect):
    driver, notices = connect()
    state = driver.state()
    assert np.allclose(state.positions, [0.0, 0.0, 0.4, 0.0, 0.0])
    assert (state.moving, state.homed, state.held, state.fault) == (False, False, False, "")
    assert peer.lines("G") == []
    assert notices == []


def test_settings_are_never_changed(peer, connect):
    driver, _ = connect()
    driver.home(5.0)
    driver.move(np.array([0.1, 0.1, 0.5, 0.1, 0.1]), 5.0)
    assert [line for line in peer.lines("$") if "=" in line] == []


def test_connecting_twice_is_harmless(connect):
    driver, _ = connect()
    driver.connect()


def test_it_can_be_closed_and_connected_again(connect):
    driver, _ = connect()
    driver.close()
    driver.close()
    with pytest.raises(HardwareError, match="not connected"):
        driver.state()
    driver.connect()
    assert driver.state().fault == ""


def test_before_connecting_everything_is_refused():
    driver, _ = driver_on("/dev/null")
    driver.stop()
    driver.close()
    for call in (driver.state, driver.clear, lambda: driver.home(1.0), lambda: driver.move(np.zeros(5), 1.0)):
        with pytest.raises(HardwareError, match="not connected"):
            call()


def test_silence_is_told(peer, connect):
    peer.silent = True
    with pytest.raises(HardwareError, match="does not answer: no Grbl controller within 1 s; check its power"):
        connect(opening=1.0)


def test_another_kind_of_device_is_told(peer, connect):
    peer.silent = True
    threading.Timer(0.2, lambda: peer.say("$GPGGA,123519,4807.038,N")).start()
    with pytest.raises(HardwareError, match=r"sends something else \('\$GPGGA,123519"):
        connect(opening=1.0)


def test_a_failed_attempt_lets_the_port_go(peer, connect):
    peer.settings["20"] = "0"
    with pytest.raises(HardwareError, match=r"soft limits are off \(\$20\), set \$20=1"):
        connect()
    peer.settings["20"] = "1"
    connect()


def test_missing_axes_are_told(peer, connect):
    peer.build = ["[VER:1.1h:]", "[AXS:3:XYZ]"]
    with pytest.raises(HardwareError, match=r"has no axis A, B \(it has XYZ\)"):
        connect()


def test_axes_are_counted_where_they_are_not_named(peer, connect):
    peer.build, peer.place = ["[VER:1.1h:]"], peer.place[:4]
    with pytest.raises(HardwareError, match=r"has no axis B \(it has XYZA\)"):
        connect()


@pytest.mark.parametrize(("report", "extra", "mask"), [("WPos", "|Bf:15,128", 2), ("MPos", "|FS:0,0", 1)])
def test_reports_that_say_too_little_are_told(peer, connect, report, extra, mask):
    peer.report, peer.extra, peer.settings["10"] = report, extra, str(mask)
    with pytest.raises(HardwareError, match=r"set \$10=3"):
        connect()


def test_work_positions_with_their_offset_are_not_enough(peer, connect):
    peer.report, peer.extra, peer.settings["10"] = "WPos", "|Bf:15,128|WCO:1.000,2.000,3.000,0.000,0.000", "18"
    with pytest.raises(HardwareError, match=r"set \$10=19"):
        connect()


def test_a_half_line_of_a_dead_host_is_thrown_away(peer, connect):
    peer._line = b"G1X100"
    connect()
    assert peer.lines("G") == []


@pytest.mark.parametrize("state", ["Run", "Hold:0", "Jog"])
def test_what_still_moves_is_brought_to_rest_first(peer, connect, state):
    peer.state = state
    if state == "Jog":
        threading.Timer(0.3, lambda: setattr(peer, "state", "Idle")).start()
    driver, notices = connect()
    assert not driver.state().moving
    assert notices == []


def test_a_board_that_resets_when_opened_is_waited_for(peer, connect):
    peer.silent, peer.state = True, "Alarm"

    def boot():
        peer.say(
            b"\x00\xffets Jun 8 2016 00:22:57\r\n", "[MSG:INFO: booting]", peer.banner, "[MSG:'$H'|'$X' to unlock]"
        )
        peer.silent = False

    threading.Timer(0.5, boot).start()
    driver, notices = connect(homed=True)
    assert not driver.state().homed
    assert notices == []
    driver.home(5.0)
    assert driver.state().homed


def test_an_idle_board_counts_as_homed_only_if_told_so(peer, connect):
    driver, _ = connect(homed=True)
    assert driver.state().homed


@pytest.mark.parametrize(("told", "homed"), [("1", True), ("0", False)])
def test_grblhal_says_whether_it_is_homed(peer, connect, told, homed):
    peer.banner = "GrblHAL 1.1f ['$' or '$HELP' for help]"
    peer.build += ["[FIRMWARE:grblHAL]"]
    plain = peer._realtime

    def realtime(byte):
        peer.extra += f"|H:{told}" if byte == b"\x87" else ""
        plain(byte)

    peer._realtime = realtime
    driver, _ = connect()
    assert driver.state().homed is homed


def test_fluidnc_tells_settings_of_rotary_axes_by_path(peer, connect):
    peer.banner = "Grbl 3.7 [FluidNC v3.7.8 (wifi) '$' for help]"
    peer.build = ["[VER:3.7 FluidNC v3.7.8:]", "[OPT:MPHS]", "[MSG: Machine: gantry]"]
    names = {"10": "steps_per_mm", "11": "max_rate_mm_per_min", "12": "acceleration_mm_per_sec2", "13": "max_travel_mm"}
    for i, letter in ((3, "a"), (4, "b")):
        for number, name in names.items():
            value = peer.settings.pop(f"{number}{i}")
            peer.answers[f"$/axes/{letter}/{name}"] = [f"$/axes/{letter}/{name}={value}", "ok"]
    for letter in "xyzab":
        peer.answers[f"$/axes/{letter}/soft_limits"] = [f"$/axes/{letter}/soft_limits=true", "ok"]
    driver, _ = connect()
    driver.close()
    peer.answers["$/axes/b/soft_limits"] = ["$/axes/b/soft_limits=false", "ok"]
    with pytest.raises(HardwareError, match=r"soft limits are off"):
        driver.connect()


def test_an_open_door_is_told(peer, connect):
    peer.state = "Door:1"
    peer._realtime = lambda byte: peer.say("", peer.banner) if byte == b"\x18" else None
    with pytest.raises(HardwareError, match="stays in state Door; close its safety door"):
        connect()


def test_a_motion_before_homing_is_refused(peer, connect):
    driver, _ = connect()
    with pytest.raises(HardwareError, match="home it first"):
        driver.move(np.array([0.1, 0.1, 0.5, 0.0, 0.0]), 5.0)


def test_a_board_that_wants_to_be_homed_can_be_connected_and_homed(peer, connect):
    peer.state = "Alarm"
    driver, _ = connect()
    assert not driver.state().homed
    driver.home(5.0)
    assert driver.state().homed


@pytest.mark.parametrize(
    "target",
    [[0.1, 0.1, 0.5, 0.0], [0.1, 0.1, 0.5, 0.0, float("nan")], [0.1, 0.1, 0.5, 0.0, 1.4], [-0.1, 0.1, 0.5, 0.0, 0.0]],
)
def test_impossible_targets_are_refused(peer, connect, target):
    driver, _ = connect(homed=True)
    with pytest.raises(HardwareError, match=r"finite joint positions|beyond the limits"):
        driver.move(np.array(target), 5.0)
    assert peer.lines("G") == []


def test_lines_say_all_that_they_mean(peer, connect):
    driver, _ = connect(homed=True)
    driver.move(np.array([0.02, 0.02, 0.41, 0.0, 0.0]), 5.0)
    lines = peer.lines("G")
    assert all(line.startswith("G21G90G93G53G1X") for line in lines)
    assert lines[-1].startswith("G21G90G93G53G1X20.0000Y20.0000Z410.0000A0.0000B0.0000F")
    assert max(map(len, lines)) < 80


def test_a_motion_of_less_than_half_a_step_sends_nothing(peer, connect):
    driver, _ = connect(homed=True)
    driver.move(np.array([0.02, 0.02, 0.41, 0.0, 0.0]), 5.0)
    before = len(peer.lines("G"))
    driver.move(np.array([0.020005, 0.02, 0.41, 0.0, 0.0]), 5.0)
    assert len(peer.lines("G")) == before


def test_an_override_that_somebody_left_is_put_back(peer, connect):
    driver, _ = connect(homed=True)
    peer.extra += "|Ov:50,100,100"
    assert soon(lambda: driver._monitor.feed == 50)
    driver.move(np.array([0.02, 0.02, 0.41, 0.0, 0.0]), 5.0)
    assert "\x90" in peer.got


def test_a_stop_before_connecting_holds_afterwards(connect, peer):
    driver, _ = driver_on(peer.port, homed=True)
    driver.stop()
    driver.connect()
    try:
        assert driver.state().held
        with pytest.raises(StoppedError, match="a stop is in force; clear it first"):
            driver.move(np.array([0.1, 0.1, 0.5, 0.0, 0.0]), 5.0)
        driver.clear()
        assert not driver.state().held
    finally:
        driver.close()
