"""``qa_node`` watches the camera topics, remembers, and answers questions from memory. It never moves anything."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rclpy.context import Context
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from vantage_eqa.srv import AskQuestion, CancelQuestion, CheckQuestion, ConfirmCorrection

from vantage.answering import Answering, make_answering
from vantage.errors import ConfigError, VantageError, WorldError
from vantage.heap import limit_heap
from vantage.nodes.qa.commanded_views import CommandedViews
from vantage.nodes.qa.correction_messages import CorrectionPublisher, read_correction
from vantage.nodes.qa.observed_views import ObservedViews
from vantage.nodes.qa.pending_corrections import Correction
from vantage.nodes.qa.question_services import QuestionServices
from vantage.nodes.qa.warm_up import warm_up
from vantage.nodes.runtime import (
    Diagnostics,
    FailureLog,
    Frame,
    FrameBuffer,
    Health,
    ManagedNode,
    RclpyFactory,
    advertise,
    callbacks_of,
    camera_topics,
    check_choice,
    declare,
    declare_settings,
    destroyed_on_failure,
    every,
    frame_viewpoint,
    listen,
    observation,
    run_node,
    serve,
)
from vantage.planning import Need
from vantage.recording import (
    ARM_COMMAND,
    COMMAND_RESULT,
    CORRECTION,
    DEPTH_CAMERA_INFO,
    DETECTIONS,
    EPISODE,
    LEGEND,
    NOISE_REPORT,
    OPTICAL_FRAME,
    TF,
    TF_STATIC,
    VIEWPOINT_COMMAND,
    Codec,
    Topic,
    read_arm_command,
    read_episode,
    read_legend,
    read_stamp,
    read_viewpoint_command,
    with_hand,
)
from vantage.registry import PERCEIVERS
from vantage.runs import Ruling, rehearse_models, unconfirmed
from vantage.types import EpisodeState, InstanceLabel, NoiseReport, StepResult, Verdict
from vantage.untrusted_text import visible

NAME = "qa_node"
GROUPS = ("agent", "degraded", "model", "pixels", "relations", "world")  # of settings that it uses
_NEEDS = frozenset({Need.PERCEPTION, Need.MODEL})
SYMBOLIC = "symbolic"  # the model that is none
_NEEDS_IDS = ("privileged", "degraded")  # perceivers that read instance ids
_QUEUE = QoSProfile(depth=256)  # requests that may come at once
_WAITING = 72  # requests that may wait for an answer: all that are admitted, and some to be refused
_VIEWS = 10  # messages of a topic that may wait while a view is looked at
_RESULTS = 200  # results of commands that may wait likewise, because what one tells of the hand is told once
_HELD = 0.1  # s between two looks at the views that wait for a result
_PAUSE = 30.0  # s for a view to be looked at before a transition
_TICK = 1.0  # s between two looks at the corrections that wait
_TOLD_AGAIN = 5.0  # s between two warnings of the same kind


class QaNode(ManagedNode):
    """Owns a perceiver. Frames are looked at one by one; questions are answered beside that."""

    @destroyed_on_failure
    def __init__(self, context: Context, parameters: list[Parameter] | None = None) -> None:
        limit_heap()  # before the threads that work for it
        super().__init__(NAME, context, parameters)
        self._settings = declare_settings(self, GROUPS)
        self._timeout: float = declare(self, "ask_timeout", 120.0, "deadline of one request, s")
        if not self._timeout > 0:
            raise ConfigError(f"parameter ask_timeout of {NAME} must be positive, got {self._timeout}")
        check_choice(self, "agent.perception", self._settings.agent.perception, PERCEIVERS.names())
        self._codec = Codec(RclpyFactory())
        self._observed: ObservedViews | None = None
        self._question_services: QuestionServices | None = None
        self._active = self._leaving = False
        self._legend: dict[int, InstanceLabel] | None = None
        senses = {"depth", "instances"} if self._settings.agent.perception in _NEEDS_IDS else {"depth"}
        self._topics = camera_topics(senses)
        self._frames = FrameBuffer(self._topics)
        self._commanded = CommandedViews(self._look, self._acted)
        self._failures = FailureLog()
        self._detections = advertise(self, DETECTIONS)
        self._reports = advertise(self, NOISE_REPORT)
        self._teller = CorrectionPublisher(self, self._codec, self._report, self._place_of)
        callbacks = callbacks_of(self)
        # What is seen and what it belongs to, in the order in which it came.
        self._views = callbacks.job_queue("views", finishes=False)
        pending = callbacks.job_queue("corrections")
        self._note(EPISODE, self._on_episode)
        self._note(TF_STATIC, self._on_reset)
        self._note(LEGEND, self._on_legend)
        self._note(ARM_COMMAND, self._on_arm_command, most=_RESULTS)
        self._note(VIEWPOINT_COMMAND, self._on_viewpoint_command, most=_RESULTS)
        self._note(COMMAND_RESULT, self._on_result, most=_RESULTS)
        every(self, _HELD, self._commanded.tick, self._views)
        listen(self, CORRECTION, self._on_correction, depth=100)
        for topic in (*self._topics, DEPTH_CAMERA_INFO):
            self._note(topic, self._keep_frame(topic), lost=self._count_lost)
        requests = callbacks.job_queue("requests", _WAITING)
        for kind, name, handler in (
            (AskQuestion, "ask_question", self._on_ask),
            (CheckQuestion, "check_question", self._on_check),
            (ConfirmCorrection, "confirm_correction", self._on_confirm),
        ):
            serve(self, kind, name, handler, requests, _QUEUE)
        serve(self, CancelQuestion, "cancel_question", self._on_cancel, pending, _QUEUE)
        self._timer = every(self, _TICK, self._tick, pending)
        self._diagnostics = Diagnostics(self, self._health)

    def _note(
        self,
        topic: Topic,
        callback: Callable[[Any], None],
        lost: Callable[[Any], None] | None = None,
        most: int = _VIEWS,
    ) -> None:
        """Have the messages of a topic worked on among the views; of those that wait, the newest are kept."""
        guarded = callbacks_of(self).guarded(f"a message on {topic.name}", callback)

        def put(message: Any) -> None:
            if not self._views.submit(lambda: guarded(message), topic.name, most) and lost is not None:
                self._lose(1)

        listen(self, topic, put, depth=most, lost=lost)

    def acquire(self) -> None:
        settings = self._settings
        agent = settings.agent

        def make() -> Answering:
            perceiver = PERCEIVERS.create(agent.perception, min_pixels=agent.min_pixels, settings=settings)
            voxel, relations = settings.world.voxel, settings.relations
            return make_answering(unconfirmed(settings), perceiver, voxel=voxel, relations=relations)

        answering = make()
        if agent.model == SYMBOLIC and agent.perception in _NEEDS_IDS:
            warm_up(make())
        rehearse_models(_NEEDS, settings, lambda sentence: self.get_logger().warning(visible(sentence)))
        self._observed = ObservedViews(answering, self._report, assesses=agent.model == SYMBOLIC)
        self._question_services = QuestionServices(NAME, self._observed, agent, self._timeout, self._teller.tell)

    def activate(self) -> None:
        self._active, self._leaving = True, False

    def deactivate(self) -> None:
        self._active = False  # requests are refused from now on, and those that wait are given up
        if self._question_services is not None:
            self._question_services.requests.cancel(reason=f"{NAME} was deactivated")
        if not self._views.drain(_PAUSE):
            self._active = True
            raise WorldError(f"{NAME} stays active: the view that it looks at took longer than {_PAUSE:.0f} s")

    def halt(self) -> None:
        """Give up what waits, because the node is about to go: neither requests nor views are of use to anybody."""
        self._leaving = True
        if self._question_services is not None:
            self._question_services.close(f"{NAME} is shutting down")

    def release(self) -> None:
        self.halt()
        self._observed = self._question_services = None

    # Topics ---------------------------------------------------------------------------------------------------------

    def _on_episode(self, message: Any) -> None:
        observed = self._observed
        if observed is None:
            return
        if message.state == EpisodeState.RUNNING:
            another = observed.begin(read_episode(message))
            if self._question_services is not None and another:
                self._question_services.begin()
            elif self._question_services is not None:  # what was asked in a phase that is over
                self._question_services.pending.cancel_own()
        elif message.state != EpisodeState.PENDING:
            observed.end(message.episode_id)

    def _on_reset(self, message: Any) -> None:
        """The world sends its static transform anew, with the stamp of the first look, whenever it is reset."""
        ours = [item for item in message.transforms if item.child_frame_id == OPTICAL_FRAME]
        if ours:
            self._commanded.reset()
        observed, question_services = self._observed, self._question_services
        if (
            observed is not None
            and ours
            and observed.world_reset(read_stamp(ours[0]))
            and question_services is not None
        ):
            question_services.begin()

    def _on_arm_command(self, message: Any) -> None:
        self._commanded.commanded(read_arm_command(message))

    def _on_viewpoint_command(self, message: Any) -> None:
        self._commanded.commanded(read_viewpoint_command(message))

    def _on_result(self, message: Any) -> None:
        self._commanded.concluded(message)

    def _acted(self, result: StepResult) -> None:
        if self._observed is not None and self._active and not self._leaving:
            self._observed.acted(result)

    def _on_legend(self, message: Any) -> None:
        self._legend = read_legend(message)

    def _keep_frame(self, topic: Topic) -> Callable[[Any], None]:
        def keep(message: Any) -> None:
            complete = self._frames.add(topic, message)
            if complete is not None and self._active and not self._leaving:
                self._commanded.seen(*complete)

        return keep

    def _count_lost(self, event: Any) -> None:
        self._lose(int(event.total_count_change))

    def _lose(self, count: int) -> None:
        self._failures.lost += count
        self.get_logger().warning(
            f"{self._failures.lost} camera messages were lost on the way, and views with them; play or look slower",
            throttle_duration_sec=_TOLD_AGAIN,
        )

    def _look(self, stamp: int, frame: Frame) -> None:
        observed = self._observed
        if observed is None:
            return
        try:
            seen = observation(stamp, frame, frame_viewpoint(frame), self._legend)
            seen = with_hand(seen, frame[TF], self._commanded.hand)
            detections = observed.observe(seen)
        except (VantageError, ValueError) as error:
            self._failures.failed(str(error))
            self.get_logger().error(visible(str(error)), throttle_duration_sec=_TOLD_AGAIN)
            return
        if detections is not None:
            perception = self._settings.agent.perception
            self._detections.publish(self._codec.detections(seen, observed.episode_id, perception, detections))

    def _on_correction(self, message: Any) -> None:
        """What other nodes wait for is shown and confirmed here, too."""
        question_services = self._question_services
        if question_services is None or message.source == self.get_name():
            return
        try:
            item, ruling = read_correction(message)
        except ValueError as error:
            self._failures.failed(f"a correction cannot be read: {error}")
            return
        if ruling is Ruling.OPEN:
            question_services.pending.propose(item.episode_id, item.question, item.answer, item.time_left, item.source)
        else:
            question_services.pending.forget(item.key, ruling)

    def _tick(self) -> None:
        if self._question_services is not None:
            self._question_services.pending.tick()
            self._teller.repeat(self._question_services.pending.open)

    def _report(self, episode_id: str, question_id: str, stamp: int, report: NoiseReport) -> None:
        self._reports.publish(self._codec.noise_report(stamp, episode_id, question_id, report))

    def _place_of(self, item: Correction) -> tuple[float, float, float] | None:
        meant = item.answer.noise.corrected_question or item.question.text
        return None if self._observed is None else self._observed.place_of(meant)

    # Services -------------------------------------------------------------------------------------------------------

    def _on_ask(self, request: Any, response: Any) -> Any:
        def serve() -> None:
            answer = self._ready().ask(request.episode_id, request.question_id, request.question)
            response.answer = self._codec.answer(self._now(), request.episode_id, answer)

        return _served(serve, response)

    def _on_check(self, request: Any, response: Any) -> Any:
        def serve() -> None:
            found = self._ready().check(request.episode_id, request.question_id, request.question)
            response.understood, response.premises_hold, report = found
            response.report = self._codec.noise_report(self._now(), request.episode_id, request.question_id, report)

        return _served(serve, response)

    def _on_confirm(self, request: Any, response: Any) -> Any:
        def serve() -> None:
            answer = self._ready().confirm(request.episode_id, request.question_id, request.accept)
            response.answer = self._codec.answer(self._now(), request.episode_id, answer)

        return _served(serve, response)

    def _on_cancel(self, request: Any, response: Any) -> Any:
        def serve() -> None:
            response.message = self._ready().cancel(request.episode_id, request.question_id)

        return _served(serve, response)

    def _now(self) -> int:
        return int(self.get_clock().now().nanoseconds)

    def _ready(self) -> QuestionServices:
        if self._question_services is None or not self._active:
            if self.starting:
                raise WorldError(f"{NAME} is starting; ask again in a moment")
            raise WorldError(f"{NAME} is not active; configure and activate it first")
        return self._question_services

    def _health(self) -> Health:
        observed, question_services = self._observed, self._question_services
        if observed is None or question_services is None or not self._active:
            return Health(False, "not active")
        agent = self._settings.agent
        values = {
            "perception": agent.perception,
            "model": agent.model,
            "mode": agent.mode,
            "views": str(observed.views),
            **self._failures.figures(observed.view_filter, self._frames.fell_out),
            "requests open": str(question_services.requests.open),
            "requests served": str(question_services.requests.served),
            "requests refused": str(question_services.requests.refused),
            "requests canceled": str(question_services.requests.canceled),
            "requests late": str(question_services.requests.late),
            "corrections open": str(len(question_services.pending.open)),
            "corrections lapsed": str(question_services.pending.lapsed),
        }
        recent_failure = self._failures.newest(
            observed.view_filter, self._frames.fell_out, question_services.pending.lapsed
        )
        return Health(not recent_failure, recent_failure or "ready", values)


def _served(serve: Callable[[], None], response: Any) -> Any:
    """The response, with why there is none where it fails; its answer is then none that counts."""
    if hasattr(response, "answer"):
        response.answer.verdict = int(Verdict.NEEDS_LOOK)  # what is empty would read ANSWERED
    try:
        serve()
        response.ok = True
    except VantageError as error:
        response.message = str(error)
    return response


def main(arguments: list[str] | None = None) -> int:
    """Run the node until Ctrl-C or SIGTERM."""
    return run_node(QaNode, arguments)


if __name__ == "__main__":
    sys.exit(main())
