"""Homing finds the switches in real time, and says what went wrong when it does not."""

import pytest
from grbl_console import AXES, GREETING, HOME, Console

from vantage.worlds.rig.emulators.grbl.axes import CLEARANCE
from vantage.worlds.rig.emulators.grbl.homing import SpeedProfile


def test_homing_ends_off_the_switches_and_unlocks():
    console = Console(homed=False)
    console.send("$H")
    assert console.status()[0] == "Home"
    assert console.ask(b"!~", 0.05) == []  # a hold does nothing here
    console.wait(20.0)
    assert console.heard() == ["ok"]
    state, position, fields = console.status()
    assert (state, position) == ("Idle", HOME)
    assert fields.get("H", "1") == "1"
    assert "Pn" not in fields
    assert console.motion.mechanism.true == pytest.approx(HOME)


def test_homing_takes_the_time_of_its_rates():
    console = Console(homed=False)
    begin = console.now
    console.ask("$25=60")
    console.send("$H")
    console.wait(60.0)
    way = max(axis.first - axis.lower for axis in AXES[:2]) + CLEARANCE
    took = console.motion.rest_times[-1] - begin
    lifted = AXES[2].upper - AXES[2].first + CLEARANCE
    assert took > way + lifted
    assert took < (way + lifted) + 5.0


def test_one_axis_at_a_time():
    console = Console(homed=False)
    assert console.ask("$HX", 10.0) == ["ok"]
    state, position, fields = console.status()
    assert (state, position[0]) == ("Idle", 10.0)
    assert fields.get("H", "0") == "0"


def test_a_switch_that_is_not_found():
    console = Console(homed=False)
    console.motion.stick()
    assert console.ask("$H", 120.0) == ["ALARM:9", *GREETING]
    assert console.status()[0] == "Alarm"
    assert not console.controller.homed


def test_a_switch_that_does_not_clear():
    console = Console(homed=False)
    console.send("$H")
    while console.motion.mechanism.triggered() != [2]:
        console.wait(0.001)
    console.motion.stick()
    console.wait(120.0)
    assert console.heard() == ["ALARM:8", *GREETING]


@pytest.mark.parametrize(("byte", "alarm"), [(b"\x18", "ALARM:6"), (b"\x84", "ALARM:7")])
def test_homing_cut_short(byte, alarm):
    console = Console(homed=False)
    console.ask("$H", 0.1)
    assert console.ask(byte) == [alarm, *GREETING]
    where = list(console.motion.mechanism.true)
    console.wait(5.0)
    assert console.motion.mechanism.true == where
    assert console.ask("$H", 20.0) == ["ok"]


def test_homing_that_is_switched_off():
    console = Console()
    console.ask("$22=0")
    assert console.ask("$H") == ["error:5"]


@pytest.mark.parametrize(("way", "speed"), [(100.0, 20.0), (1.0, 50.0)])
def test_ramps_agree_with_themselves(way, speed):
    ramp = SpeedProfile(way, speed, 200.0)
    assert ramp.at(0.0) == 0.0
    assert ramp.at(ramp.duration) == way
    for share in (0.01, 0.3, 0.5, 0.9, 0.99):
        assert ramp.at(ramp.when(share * way)) == pytest.approx(share * way)
        assert ramp.speed_at(share * ramp.duration) <= speed
