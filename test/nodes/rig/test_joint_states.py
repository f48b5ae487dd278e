"""Joint states as they come: good ones, those of others, and what is wrong with the rest."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from vantage.nodes.rig.joint_states import LATE, MessageFaults, RemoteClock, StateReader
from vantage.worlds.rig.kinematics.chain import Joint

JOINTS = (Joint("x", "prismatic", (1.0, 0.0, 0.0), speed=0.5), Joint("pan", "revolute", (0.0, 0.0, 1.0), speed=2.0))
AHEAD = 1000.0  # s by which the other clock is ahead


def state(positions=(0.1, 0.2), stamp=0.0, names=("slide", "pan_joint"), frame=""):
    sec, nanosec = divmod(round(stamp * 1e9), 10**9)
    header = SimpleNamespace(stamp=SimpleNamespace(sec=sec, nanosec=nanosec), frame_id=frame)
    return SimpleNamespace(header=header, name=list(names), position=list(positions))


@pytest.fixture
def reader():
    made = StateReader(("slide", "pan_joint"), JOINTS, 0.05)
    for i in range(20):
        reading = made.read(state(stamp=AHEAD + 0.01 * i), 0.01 * i + 0.002)
        assert reading.kind == ""
    return made


def test_positions_come_in_the_order_of_the_joints_whatever_else_is_told(reader):
    message = state((9.0, 0.21, 0.11), AHEAD + 0.2, ("other", "pan_joint", "slide"))
    reading = reader.read(message, 0.202)
    assert reading.kind == ""
    assert np.array_equal(reading.positions, [0.11, 0.21])
    assert reading.time == pytest.approx(0.202)


@pytest.mark.parametrize(
    ("message", "kind", "words"),
    [
        (state((1.0,), AHEAD + 0.2, ("finger",)), "foreign", ""),
        (state(stamp=AHEAD + 0.2, frame="map"), "foreign", ""),
        (state((1.0,), AHEAD + 0.2, ("slide",)), "incomplete", "lacks pan_joint"),
        (state((1.0,), AHEAD + 0.2), "incomplete", "one position for each name"),
        (state((0.1, math.nan), AHEAD + 0.2), "garbage", "no finite position of pan_joint"),
        (state((math.inf, 0.2), AHEAD + 0.2), "garbage", "no finite position of slide"),
        (state(stamp=AHEAD + 0.19), "repeated", "no newer than the last one"),
        (state(stamp=AHEAD + 0.15), "repeated", "no newer than the last one"),
        (state(stamp=AHEAD + 0.2 - 2 * LATE), "late", "0.20 s ago"),
        (state(stamp=AHEAD + 5.2), "late", "5.00 s in the future"),
        (state((0.3, 0.2), AHEAD + 0.2), "jump", "slide jumped by 0.2000 within 0.010 s"),
        (state((0.1, -0.1), AHEAD + 0.2), "jump", "pan_joint jumped"),
    ],
)
def test_what_is_wrong_is_told(reader, message, kind, words):
    reading = reader.read(message, 0.202)
    assert reading.kind == kind
    assert words in reading.sentence
    again = reader.read(state(stamp=AHEAD + 0.21), 0.212)
    assert again.kind == ("jump" if kind == "jump" else "")


def test_a_jump_is_where_the_joints_are_from_then_on(reader):
    jump = reader.read(state((0.4, 0.2), AHEAD + 0.2), 0.202)
    assert jump.kind == "jump"
    assert jump.positions is None  # it may be a glitch
    assert reader.read(state((0.4, 0.2), AHEAD + 0.21), 0.212).kind == ""


def test_what_could_be_reached_in_a_long_silence_is_no_jump(reader):
    assert reader.read(state((0.4, 0.2), AHEAD + 0.69), 0.692).kind == ""


def test_states_without_stamps_have_the_time_of_their_arrival():
    reader = StateReader(("slide", "pan_joint"), JOINTS, 0.05)
    assert reader.read(state(), 7.0).time == 7.0
    assert not reader.stamped
    assert reader.read(state(), 7.01).kind == ""


def test_after_forgetting_another_clock_and_other_places_are_fine(reader):
    reader.forget()
    assert not reader.clock.settled
    assert reader.read(state((3.0, -3.0), 5.0), 0.3).kind == ""


def test_first_messages_that_had_waited_do_not_spoil_the_clock():
    reader = StateReader(("slide", "pan_joint"), JOINTS, 0.05)
    assert reader.read(state(stamp=50.0), 1.0).kind == ""  # after 0.5 s on the way
    for i in range(1, 30):
        assert reader.read(state(stamp=50.5 + 0.01 * i), 1.0 + 0.01 * i).kind == ""
    assert reader.clock.settled
    assert reader.clock.there(2.0) == pytest.approx(51.5)


def test_a_time_told_to_the_other_machine_is_never_later_there_than_meant():
    clock, truth = RemoteClock(), 300.0
    draw = np.random.default_rng(0)
    for i in range(200):
        now = 0.01 * i
        clock.learn(now + 0.001 + draw.exponential(0.01), now + truth)
    assert clock.there(5.0) <= 5.0 + truth
    assert clock.there(5.0) == pytest.approx(5.0 + truth, abs=0.003)
    assert clock.here(clock.there(5.0)) == pytest.approx(5.0)


def test_several_bad_messages_are_one_event_until_they_end():
    nuisances = MessageFaults()
    assert not any(nuisances.several("late", 3.0 * i) for i in range(20))
    assert [nuisances.several("late", 100.0 + 0.3 * i) for i in range(50)].count(True) == 1
    assert [nuisances.several("late", 200.0 + 0.01 * i) for i in range(50)].count(True) == 1
    assert [nuisances.several("repeated", 200.0 + 0.01 * i) for i in range(50)].count(True) == 1
    assert not any(nuisances.several("foreign", 0.01 * i) for i in range(50))
