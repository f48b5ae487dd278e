"""The memory of the QA node follows the robot's hand, as that of an agent in process does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from box_world import BoxWorld, look_around
from camera_stream import CameraStream
from drawn_room import HIGH, LOW, POSITIONS, TABLE, TABLE_TOP, empty_room, put
from rclpy.context import Context
from rclpy.duration import Duration
from ros_fixtures import call, context_on, eventually, parameters, spinning
from vantage_eqa.srv import AskQuestion

from vantage.answering.engine import QuestionAnswering
from vantage.nodes.qa.qa_node import QaNode
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.nodes.runtime.topics import advertise
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.recording.arm_messages import arm_command_message
from vantage.recording.to_messages import Codec
from vantage.recording.topics import ARM_COMMAND, COMMAND_RESULT
from vantage.spatial import Viewpoint
from vantage.types import ArmStep, ArmTarget, Command, Observation, Status, StepResult, Touch

pytestmark = pytest.mark.real_time

MUG = 30
START, ABOVE, BED_SIDE = (1.5, 1.5, TABLE_TOP + 0.07), (1.9, 1.5, 1.3), (4.0, 3.3, 0.57)
LOOK_AT_TABLE = Viewpoint(2.5, 0.6, 1.3, 2.5, -0.5)
TENTH = 10**8  # ns


class Robot(CameraStream):
    """Tells views first and then the result, as a world does."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._telling = Codec(RclpyFactory())
        self._commands, self._results = advertise(self, ARM_COMMAND), advertise(self, COMMAND_RESULT)

    def act(self, result: StepResult, seen: bool = True) -> None:
        eventually(lambda: self._commands.get_subscription_count() and self._results.get_subscription_count())
        stamp = result.observation.stamp
        self._commands.publish(arm_command_message(self._telling, stamp - TENTH, result.command))
        # The node works on commands before views, where both are there: the command is to be there first.
        assert self._commands.wait_for_all_acked(Duration(seconds=10))
        self.show([result.observation], seen=False)
        self._results.publish(self._telling.command_result(result))
        self.show([], seen=seen)


def room(mug_at: tuple[float, float, float]) -> BoxWorld:
    world = empty_room()
    x, y, z = mug_at
    put(world, MUG, "mug", x, y, z - 0.07, "red", "ceramic")
    return world


def carried() -> list[StepResult]:
    """The mug is taken from the table to the bed, while the camera sees the table alone."""
    doings = ((START, False), (START, True), (ABOVE, True), (BED_SIDE, True), (BED_SIDE, False))
    results = []
    for number, (at, holds) in enumerate(doings, start=1):
        pose = np.eye(4)
        pose[:3, 3] = at
        unknown = np.full(3, np.nan)
        view = room(at if number > 1 else START).observe(LOOK_AT_TABLE)
        seen = replace(view, stamp=1000 * TENTH + 2 * number * TENTH, touch=Touch(pose, unknown, unknown, 0.05, holds))
        command = Command(None, "", ArmTarget(step=ArmStep(up=0.1)), "episode", "robot", number)
        results.append(StepResult(Status.DONE, "", command, seen))
    return results


def looks() -> list[Observation]:
    views = look_around(room(START), POSITIONS[2:4], (-0.9, -0.35), 6)
    return [replace(view, stamp=(100 + k) * TENTH) for k, view in enumerate(views)]


def test_what_was_carried_out_of_sight_is_where_the_hand_put_it() -> None:
    alone = QuestionAnswering(PrivilegedPerceiver(12), LOW, HIGH)
    for view in looks():
        alone.observe(view)
    for result in carried():
        alone.acted(result)
        alone.observe(result.observation)
    with context_on() as context:
        robot, qa = Robot(context), QaNode(context, parameters(agent__min_pixels=12))
        with spinning(context, robot), spinning(context, qa):
            robot.show(looks())
            assert qa._observed is not None
            memory = qa._observed.engine.memory
            assert memory.support_of(memory.get(MUG)).key == TABLE
            first, *others, last = carried()
            for result in (first, *others):
                robot.act(result)
            eventually(lambda: memory.held is not None)
            robot.act(last)
            eventually(lambda: memory.held is None)
            np.testing.assert_allclose(memory.get(MUG).center, alone.memory.get(MUG).center, atol=1e-6)
            np.testing.assert_allclose(memory.get(MUG).center, BED_SIDE, atol=0.05)
            where = call(robot, AskQuestion, "ask_question", question="Where is the mug?").answer.text
            assert "bed" in where
            assert not qa._commanded._held
