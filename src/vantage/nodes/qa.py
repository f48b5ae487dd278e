"""``qa_node`` watches the camera topics, remembers, and answers questions from memory. It never moves anything."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.parameter import Parameter
from vantage_eqa.srv import AskQuestion, CheckQuestion, ConfirmCorrection

from vantage.answering.engine import QuestionAnswering
from vantage.errors import VantageError, WorldError
from vantage.nodes.diagnostics import Diagnostics, Health
from vantage.nodes.frames import Frame, FrameBuffer, camera_topics, frame_viewpoint, observation
from vantage.nodes.lifecycle import ManagedNode
from vantage.nodes.messages import RclpyFactory
from vantage.nodes.parameters import check_choice, declare_settings
from vantage.nodes.running import run_node
from vantage.nodes.topics import advertise, listen
from vantage.nodes.watching import Watcher
from vantage.registry import PERCEIVERS
from vantage.runs.message_parts import OPTICAL_FRAME
from vantage.runs.messages import Codec
from vantage.runs.reading import read_episode, read_legend, read_stamp
from vantage.runs.topics import DETECTIONS, EPISODE, LEGEND, NOISE_REPORT, TF_STATIC, Topic
from vantage.types import EpisodeState, InstanceLabel, NoiseReport

NAME = "qa_node"
GROUPS = ("agent", "degraded", "relations", "world")  # of settings that it uses
_NEEDS_IDS = ("privileged", "degraded")  # perceivers that read instance ids


class QaNode(ManagedNode):
    """Owns a perceiver. Frames are looked at one by one; questions are answered beside that."""

    def __init__(self, context: Context, parameters: list[Parameter] | None = None) -> None:
        super().__init__(NAME, context, parameters)
        self._settings = declare_settings(self, GROUPS)
        check_choice(self, "agent.perception", self._settings.agent.perception, PERCEIVERS.names())
        self._codec = Codec(RclpyFactory())
        self._watcher: Watcher | None = None
        self._active = False
        self._trouble = ""
        self._legend: dict[int, InstanceLabel] | None = None
        senses = {"depth", "instances"} if self._settings.agent.perception in _NEEDS_IDS else {"depth"}
        self._topics = camera_topics(senses)
        self._frames = FrameBuffer(self._topics)
        self._detections = advertise(self, DETECTIONS)
        self._reports = advertise(self, NOISE_REPORT)
        one_by_one, at_once = MutuallyExclusiveCallbackGroup(), ReentrantCallbackGroup()
        listen(self, EPISODE, self._on_episode, one_by_one, depth=10)
        listen(self, TF_STATIC, self._on_reset, one_by_one, depth=10)
        listen(self, LEGEND, self._on_legend, one_by_one, depth=10)
        for topic in self._topics:
            listen(self, topic, self._keep_frame(topic), one_by_one, depth=10)
        self.create_service(AskQuestion, "ask_question", self._on_ask, callback_group=at_once)
        self.create_service(CheckQuestion, "check_question", self._on_check, callback_group=at_once)
        self.create_service(ConfirmCorrection, "confirm_correction", self._on_confirm, callback_group=at_once)
        self._diagnostics = Diagnostics(self, self._health, at_once)

    def acquire(self) -> None:
        settings = self._settings
        agent = settings.agent
        perceiver = PERCEIVERS.create(agent.perception, min_pixels=agent.min_pixels, settings=settings)
        answering = QuestionAnswering(perceiver, voxel=settings.world.voxel, relations=settings.relations)
        self._watcher = Watcher(answering, self._report)

    def activate(self) -> None:
        self._active = True

    def deactivate(self) -> None:
        self._active = False

    def release(self) -> None:
        self._watcher = None

    # Topics ---------------------------------------------------------------------------------------------------------

    def _on_episode(self, message: Any) -> None:
        watcher = self._watcher
        if watcher is None:
            return
        if message.state == EpisodeState.RUNNING:
            watcher.begin(read_episode(message))
        elif message.state != EpisodeState.PENDING:
            watcher.end(message.episode_id)

    def _on_reset(self, message: Any) -> None:
        """The world sends its static transform anew, with the stamp of the first look, whenever it is reset."""
        ours = [item for item in message.transforms if item.child_frame_id == OPTICAL_FRAME]
        if self._watcher is not None and ours:
            self._watcher.world_reset(read_stamp(ours[0]))

    def _on_legend(self, message: Any) -> None:
        self._legend = read_legend(message)

    def _keep_frame(self, topic: Topic) -> Callable[[Any], None]:
        def keep(message: Any) -> None:
            complete = self._frames.add(topic, message)
            if complete is not None and self._active:
                self._look(*complete)

        return keep

    def _look(self, stamp: int, frame: Frame) -> None:
        watcher = self._watcher
        if watcher is None:
            return
        try:
            seen = observation(stamp, frame, frame_viewpoint(frame), self._legend)
            detections = watcher.observe(seen)
        except (VantageError, ValueError) as error:
            self._trouble = str(error)
            self.get_logger().error(self._trouble, throttle_duration_sec=5.0)
            return
        self._trouble = ""
        if detections is not None:
            perception = self._settings.agent.perception
            self._detections.publish(self._codec.detections(seen, watcher.episode_id, perception, detections))

    def _report(self, episode_id: str, question_id: str, stamp: int, report: NoiseReport) -> None:
        self._reports.publish(self._codec.noise_report(stamp, episode_id, question_id, report))

    # Services -------------------------------------------------------------------------------------------------------

    def _on_ask(self, request: Any, response: Any) -> Any:
        try:
            answer = self._ready().ask(request.episode_id, request.question_id, request.question)
        except VantageError as error:
            response.message = str(error)
            return response
        response.ok = True
        response.answer = self._codec.answer(self._now(), request.episode_id, answer)
        return response

    def _on_check(self, request: Any, response: Any) -> Any:
        try:
            understood, holds, report = self._ready().check(request.episode_id, request.question_id, request.question)
        except VantageError as error:
            response.message = str(error)
            return response
        response.ok, response.understood, response.premises_hold = True, understood, holds
        response.report = self._codec.noise_report(self._now(), request.episode_id, request.question_id, report)
        return response

    def _on_confirm(self, request: Any, response: Any) -> Any:
        try:
            answer = self._ready().confirm(request.episode_id, request.question_id, request.accept)
        except VantageError as error:
            response.message = str(error)
            return response
        response.ok = True
        response.answer = self._codec.answer(self._now(), request.episode_id, answer)
        return response

    def _now(self) -> int:
        return int(self.get_clock().now().nanoseconds)

    def _ready(self) -> Watcher:
        watcher = self._watcher
        if watcher is None or not self._active:
            raise WorldError(f"{NAME} is not active; configure and activate it first")
        return watcher

    def _health(self) -> Health:
        watcher = self._watcher
        if watcher is None or not self._active:
            return Health(False, "not active")
        values = {"perception": self._settings.agent.perception, "views": str(watcher.views)}
        return Health(not self._trouble, self._trouble or "ready", values)


def main(arguments: list[str] | None = None) -> int:
    """Run the node until Ctrl-C or SIGTERM."""
    return run_node(QaNode, arguments)


if __name__ == "__main__":
    sys.exit(main())
