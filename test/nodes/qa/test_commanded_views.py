"""Views and results of commands are taken in in the order in which things happened."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from vantage.nodes.qa.commanded_views import CommandedViews
from vantage.recording.interfaces import RosbagsFactory
from vantage.recording.to_messages import Codec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import ArmStep, ArmTarget, Command, Observation, Status, StepResult, Touch

ARM = ArmTarget(step=ArmStep(up=0.1))
HAND = Touch(np.eye(4), np.zeros(3), np.zeros(3), 0.04, True)
CAMERA = Intrinsics.from_fov(4, 4, 1.0)
HERE = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)


class Bench:
    """Notes what is looked at and what is acted, on a clock of its own."""

    def __init__(self):
        self.now, self.done = 0.0, []
        self.views = CommandedViews(
            lambda stamp, frame: self.done.append(stamp), lambda result: self.done.append(result), lambda: self.now
        )

    def command(self, number, arm=ARM):
        target = None if arm else HERE
        self.views.commanded(Command(target, "", arm, "episode", "agent", number))

    def result(self, number, stamp, touch=HAND):
        seen = Observation(stamp, HERE, CAMERA, np.zeros((4, 4, 3), np.uint8), touch=touch)
        command = Command(HERE, "up", None, "episode", "agent", number)
        self.views.concluded(Codec(RosbagsFactory()).command_result(StepResult(Status.DONE, "", command, seen)))

    def order(self):
        return [item if isinstance(item, int) else ("acted", item.observation.stamp) for item in self.done]


@pytest.fixture
def bench():
    return Bench()


def test_a_view_of_a_command_waits_for_its_result_and_others_do_not(bench):
    bench.views.seen(1, {})
    bench.command(1)
    bench.views.seen(2, {})
    bench.views.seen(3, {})
    assert bench.order() == [1]
    bench.result(1, 3)
    assert bench.order() == [1, 2, ("acted", 3), 3]
    [acted] = [item for item in bench.done if not isinstance(item, int)]
    assert acted.command.arm is ARM, "what was commanded is known from the command"
    assert acted.observation.touch.holds
    assert bench.views.hand == (0.04, True)


def test_a_view_waits_for_a_moment_only(bench):
    bench.command(1)
    bench.views.seen(2, {})
    bench.now = 0.4
    bench.views.tick()
    assert bench.order() == []
    bench.now = 0.6
    bench.views.tick()
    assert bench.order() == [2]
    bench.result(1, 2)
    assert bench.order() == [2, ("acted", 2)]


def test_a_result_may_come_before_its_view(bench):
    bench.command(1)
    bench.result(1, 5)
    bench.views.seen(5, {})
    assert bench.order() == [("acted", 5), 5]


def test_without_an_arm_nothing_waits_and_nothing_acts(bench):
    bench.command(1, arm=None)
    bench.views.seen(2, {})
    bench.result(1, 2, touch=None)
    assert bench.order() == [2]
    assert math.isnan(bench.views.hand[0])


def test_commands_without_results_and_views_are_not_kept_without_end(bench):
    for number in range(1, 200):
        bench.command(number)
        bench.views.seen(number, {})
    assert bench.order() == list(range(1, 190))
    bench.views.reset()
    bench.views.seen(200, {})
    assert bench.order() == list(range(1, 201))


def test_a_result_that_cannot_be_true_changes_nothing(bench):
    seen = Observation(3, HERE, CAMERA, np.zeros((4, 4, 3), np.uint8), touch=HAND)
    message = Codec(RosbagsFactory()).command_result(StepResult(Status.DONE, "", Command(HERE), seen))
    message.tool_pose.position.x = math.nan
    with pytest.raises(ValueError, match="the hand"):
        bench.views.concluded(message)
    message = SimpleNamespace(**{**vars(message), "status": 77})
    with pytest.raises(ValueError, match="77"):
        bench.views.concluded(message)
    assert bench.order() == []
