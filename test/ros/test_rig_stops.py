"""A stop of the rig over ROS: at once, whatever goes on, and for as long as its cause lasts."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rig_fixtures import Operator, rest_after, rig_graph, wait_until_moving, write_grbl_rig
from ros_fixtures import context_on, eventually
from small_rig import START
from std_srvs.srv import Trigger

from vantage.recording.from_messages import read_viewpoint
from vantage.types import Status
from vantage.worlds.rig.assembly import Assembly

pytestmark = pytest.mark.real_time
FAR = replace(START, x=0.55)
SLOW = 0.15  # m/s, with which it takes more than 2 s
PROMPT = 1.0  # s within which a stop is carried out on a busy machine


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Operator, Assembly]]:
    path = write_grbl_rig(tmp_path_factory.mktemp("rig"), speed=SLOW)
    with context_on() as context, rig_graph(context, path) as pair:
        yield pair


@pytest.fixture
def started(graph: tuple[Operator, Assembly]) -> tuple[Operator, Any]:
    """At the start of an episode, with nothing broken and no stop in force."""
    operator, rig = graph
    assert rig.emulator is not None
    rig.emulator.mend()
    assert operator.trigger("clear_stop").success
    assert operator.reset().ok
    return operator, rig


@pytest.mark.parametrize(("means", "reason"), [("topic", "emergency stop"), ("service", "stop requested")])
def test_a_stop_amid_a_motion_holds_the_feed_and_stays(started: tuple[Operator, Any], means: str, reason: str) -> None:
    operator, rig = started
    number = operator.send(FAR)
    wait_until_moving(rig.emulator)
    asked = time.monotonic()
    if means == "topic":
        operator.estop()
    else:
        assert operator.trigger("stop").success
    stopped = operator.result(number)
    holds = [at for at in rig.emulator.received(b"!") if at >= asked]
    assert holds[0] - asked < PROMPT
    assert rest_after(rig.emulator, holds[0]) <= SLOW / (8 * SLOW) + 0.1, "braking at the joint's acceleration"
    assert stopped.status == Status.STOPPED
    assert reason in stopped.reason
    assert START.x + 0.01 < read_viewpoint(stopped.reached).x < FAR.x - 0.02
    place = rig.emulator.positions()
    again = operator.go(FAR)
    assert again.status == Status.STOPPED
    assert reason in again.reason
    refused = operator.reset()
    assert not refused.ok
    assert f"stopped: {reason}" in refused.message
    eventually(lambda: operator.health() == f"stopped: {reason}")
    np.testing.assert_array_equal(rig.emulator.positions(), place)
    assert operator.trigger("clear_stop").success
    assert operator.reset(replace(START, x=0.3)).ok
    assert operator.go(replace(START, x=0.32)).status == Status.DONE


def test_what_is_not_mended_stays_stopped(started: tuple[Operator, Any]) -> None:
    operator, rig = started
    number = operator.send(FAR)
    wait_until_moving(rig.emulator)
    rig.emulator.inject("door")
    assert "door" in operator.result(number).reason.lower()
    refused = operator.trigger("clear_stop")
    assert not refused.success
    assert "the stop stays" in refused.message
    assert "door" in refused.message
    assert operator.go(FAR).status == Status.STOPPED
    rig.emulator.mend()
    assert operator.trigger("clear_stop").success
    assert operator.reset().ok
    assert operator.go(replace(START, x=0.22)).status == Status.DONE


def test_a_stop_is_heard_while_others_wait_for_a_lost_link(started: tuple[Operator, Any]) -> None:
    operator, rig = started
    rig.emulator.inject("unplug")
    eventually(lambda: rig.driver.state().fault)
    asked = [operator.ask(Trigger, "clear_stop") for _ in range(6)]
    time.sleep(0.5)
    begun = time.monotonic()
    assert operator.trigger("stop").success
    assert time.monotonic() - begun < PROMPT
    assert [future.result().message for future in asked if future.done()] == [], "nothing is mended yet"
    rig.emulator.mend()
    answers = [eventually(lambda future=future: future.done() and future.result(), 30.0) for future in asked]
    refused = [answer.message for answer in answers if not answer.success]
    assert len(refused) == 1, "somebody stopped it meanwhile; those who asked later find nothing amiss"
    told = r"another one came while it was being cleared|stopped again meanwhile: stop requested"
    assert re.search(told, refused[0])
    assert operator.reset().ok
    assert operator.go(replace(START, x=0.22)).status == Status.DONE


@pytest.mark.parametrize(("trouble", "words"), [("stop", "stopped: emergency stop"), ("unplug", "went away")])
def test_what_ends_the_way_to_a_start_is_told(started: tuple[Operator, Any], trouble: str, words: str) -> None:
    operator, rig = started
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(operator.reset, FAR)
        wait_until_moving(rig.emulator)
        begun = time.monotonic()
        operator.estop() if trouble == "stop" else rig.emulator.inject("unplug")
        answer = asked.result(20.0)
        assert rest_after(rig.emulator, begun) < PROMPT
    assert not answer.ok
    assert words in answer.message
    assert START.x + 0.01 < rig.emulator.positions()[0] + 0.03 < FAR.x - 0.02
    rig.emulator.mend()
    assert operator.trigger("clear_stop").success
    assert operator.reset().ok
