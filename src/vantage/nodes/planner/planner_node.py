"""``planner_node`` runs episodes: the episode runner of the batch benchmark on a world behind topics."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from rclpy.action import CancelResponse, GoalResponse
from rclpy.context import Context
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.parameter import Parameter
from vantage_eqa.action import RunEpisode
from vantage_eqa.srv import InterpretTask

from vantage.files import SAFE_NAME
from vantage.models import cutoff
from vantage.nodes.planner.action_server import Settle, ThreadedActionServer
from vantage.nodes.planner.confirmation_requests import ConfirmationRequester
from vantage.nodes.planner.scene_knowledge import SceneKnowledge
from vantage.nodes.planner.task_interpretation import TaskInterpretation
from vantage.nodes.runtime import (
    Diagnostics,
    Health,
    RclpyFactory,
    advertise,
    callbacks_of,
    check_choice,
    declare,
    declare_settings,
    destroyed_on_failure,
    run_node,
    serve,
)
from vantage.nodes.world import RosWorld
from vantage.planning import Agent, Warranted, needs_of
from vantage.planning.guard import Guard, read_robot
from vantage.recording import (
    ANSWER,
    EPISODE,
    SEARCH_MARKERS,
    SEARCH_PATH,
    SEARCH_STATUS,
    Codec,
    EpisodeListener,
    Outcome,
    PlannerPublisher,
    Topic,
    read_whole_episode,
)
from vantage.registry import AGENTS, PERCEIVERS
from vantage.runs import Confirm, EpisodeRunner, Permit, Ruling, make_agent, rehearse_models, unconfirmed
from vantage.types import Answer, Detection, Episode, EpisodeState, Observation, Question, SearchView, StepResult
from vantage.untrusted_text import visible
from vantage.worlds import World

NAME = "planner_node"
# Of settings that it uses.
GROUPS = (
    "actions",
    "agent",
    "camera",
    "control",
    "degraded",
    "learning",
    "limits",
    "model",
    "pixels",
    "relations",
    "run",
    "world",
)
_MOST_WARRANTS = 16  # of one goal
_ARRIVAL = Duration(seconds=1)  # the longest that a state of an episode may take to reach everybody
_PUBLISHED = (EPISODE, ANSWER, SEARCH_PATH, SEARCH_MARKERS, SEARCH_STATUS)


class PlannerNode(Node):
    """One episode at a time, on request; a second request is refused while one runs."""

    @destroyed_on_failure
    def __init__(self, context: Context, parameters: list[Parameter] | None = None) -> None:
        super().__init__(
            NAME,
            context=context,
            parameter_overrides=parameters,
            automatically_declare_parameters_from_overrides=True,
        )
        self._settings = declare_settings(self, GROUPS)
        episodes = declare(self, "episodes", "", "folder of an episode set; only the oracle reads its gold data")
        check_choice(self, "agent.name", self._settings.agent.name, AGENTS.names())
        check_choice(self, "agent.perception", self._settings.agent.perception, PERCEIVERS.names())
        self._agent: Agent = make_agent(self._settings.agent.name, unconfirmed(self._settings), episodes or None)
        needs = needs_of(self._agent)
        rehearse_models(needs, self._settings, lambda sentence: self.get_logger().warning(visible(sentence)))
        self._codec = Codec(RclpyFactory())
        self._over: dict[bytes, threading.Event] = {}  # by goal: set once its agent shall begin no call to a model
        self._running = ""
        self._halted = False
        self._publishers_by_topic = {topic: advertise(self, topic) for topic in _PUBLISHED}
        self._world = RosWorld(self, self._settings)
        self._person = ConfirmationRequester(self, self._codec, self._settings.agent.confirmation_timeout)
        self._action = ThreadedActionServer(self, RunEpisode, "run_episode", self._run, self._admit, self._cancel)
        self._knowledge = SceneKnowledge(self._agent)
        guard = Guard(read_robot(self._settings.control.robot))
        interpret = TaskInterpretation(self._codec, self._knowledge.facts, guard)
        serve(self, InterpretTask, "interpret_task", interpret, callbacks_of(self).job_queue("interpret_task"))
        self._diagnostics = Diagnostics(self, self._health)

    def halt(self) -> None:
        """End the running episode, because its world is about to become unreachable."""
        self._halted = True
        self._person.halt()
        self._world.halt(f"{NAME} is shutting down")

    def destroy_node(self) -> None:
        self._world.close()
        self._action.destroy()
        super().destroy_node()

    def _admit(self, request: Any) -> GoalResponse:
        if self._halted or self._action.busy:
            why = "the node is shutting down" if self._halted else f"episode '{self._running}' is running; cancel it"
            self.get_logger().warning(visible(f"refused episode '{request.episode.episode_id}': {why}"))
            return GoalResponse.REJECT
        why = unfit(request)
        if why:
            self.get_logger().warning(visible(f"refused an episode: {why}"))
            return GoalResponse.REJECT
        self._running = request.episode.episode_id
        return GoalResponse.ACCEPT

    def _cancel(self, goal: Any) -> CancelResponse:
        """The episode ends before its next decision, and the one in progress makes no further call to a model."""
        self._over.setdefault(bytes(goal.goal_id.uuid), threading.Event()).set()
        return CancelResponse.ACCEPT

    def _run(self, goal: Any) -> Settle:
        key = bytes(goal.goal_id.uuid)
        over = self._over.setdefault(key, threading.Event())
        self._knowledge.begin()
        try:
            episode = read_whole_episode(goal.request.episode, goal.request.phases)
            feedback = _Feedback(goal, self._codec, self._knowledge.decided)
            listeners = (PlannerPublisher(self._codec, self._publish), feedback)
            confirm = self._confirm(episode.episode_id, feedback)
            permit = self._permitted(goal.request.warrants)
            runner = EpisodeRunner(self._world, self._agent, listeners, confirm=confirm, permit=permit)
            self._world.canceled = lambda: bool(goal.is_cancel_requested)
            with cutoff(math.inf, over):
                outcome = runner.run(episode, int(goal.request.seed), self._world.canceled)
        finally:
            self._knowledge.end()
            del self._over[key]
        if outcome.state != EpisodeState.FINISHED:
            sentence = f"episode '{episode.episode_id}' {outcome.state.name}: {outcome.reason}"
            self.get_logger().warning(visible(sentence))
        return lambda goal: self._settle(goal, episode, outcome)

    def _settle(self, goal: Any, episode: Episode, outcome: Outcome) -> Any:
        """End a goal as its episode ended."""
        if outcome.state == EpisodeState.FINISHED:
            goal.succeed()
        elif outcome.state == EpisodeState.CANCELED and goal.is_cancel_requested:
            goal.canceled()
        else:
            goal.abort()
        return RunEpisode.Result(
            state=int(outcome.state),
            message=outcome.reason,
            answers=[self._codec.answer(0, episode.episode_id, answer) for answer in outcome.answers],
            steps=outcome.steps,
            phase_steps=list(outcome.phase_steps.values()),
        )

    def _permitted(self, warrants: Sequence[Any]) -> Permit | None:
        """Grants the warrants of a goal; none to an agent for whose goals the guard issues its own."""
        if not warrants:
            return None
        if isinstance(self._agent, Warranted):
            sentence = (
                f"agent '{self._agent.name}' carries out goals; the warrants that came with the episode are left out"
            )
            self.get_logger().warning(sentence)
            return None

        def permit(world: World, episode: Episode, observation: Observation, source: str) -> None:
            for message in warrants:
                self._world.grant_signed(message)

        return permit

    def _confirm(self, episode_id: str, feedback: _Feedback) -> Confirm | None:
        """How a person is asked, where one has to be."""
        if not self._settings.agent.require_confirmation:
            return None

        def ask(question: Question, answer: Answer, canceled: Callable[[], bool]) -> Ruling:
            feedback.waits(answer)
            return self._person.ask(episode_id, question, answer, canceled)

        return ask

    def _health(self) -> Health:
        busy = self._action.busy
        return Health(True, f"episode '{self._running}'" if busy else "ready", {"agent": self._agent.name})

    def _publish(self, topic: Topic, stamp: int, message: Any) -> None:
        publisher = self._publishers_by_topic[topic]
        if topic is EPISODE:  # the newest message alone is kept, and who listens needs each
            publisher.wait_for_all_acked(_ARRIVAL)
        publisher.publish(message)


def unfit(request: Any) -> str:
    """Why a goal from the network cannot be carried out, in words; empty where it can."""
    episode = request.episode
    if not SAFE_NAME.fullmatch(episode.episode_id):
        return f"'{episode.episode_id}' is no episode id; use letters, digits, '.', '_' and '-' only"
    try:
        whole = read_whole_episode(episode, request.phases)
    except ValueError as error:
        return str(error)
    if len(request.warrants) > _MOST_WARRANTS:
        return f"{len(request.warrants)} warrants came with it; give at most {_MOST_WARRANTS}"
    return "" if whole.questions else f"episode '{episode.episode_id}' asks no question"


class _Feedback(EpisodeListener):
    """Tells whoever asked for the episode how it goes."""

    def __init__(self, goal: Any, codec: Codec, decided: Callable[[], None]) -> None:
        self._goal, self._codec, self._decided = goal, codec, decided
        self._feedback = RunEpisode.Feedback()

    def concluded(self, result: StepResult) -> None:
        self._feedback.step = result.command.sequence
        self._feedback.last_status = int(result.status)

    def thought(self, view: SearchView, detections: Sequence[Detection], observation: Observation) -> None:
        self._feedback.viewpoint = self._codec.viewpoint(observation.viewpoint)
        self._feedback.doing = view.doing
        self._goal.publish_feedback(self._feedback)
        self._decided()

    def waits(self, answer: Answer) -> None:
        """A person has to confirm what the question meant."""
        self._feedback.doing = f"waiting for a person to confirm: {answer.noise.corrected_question}"
        self._goal.publish_feedback(self._feedback)

    def answered(self, answer: Answer, stamp: int) -> None:
        self._feedback.doing = f"answered: {answer.text}"
        self._goal.publish_feedback(self._feedback)


def main(arguments: list[str] | None = None) -> int:
    """Run the node until Ctrl-C or SIGTERM."""
    return run_node(PlannerNode, arguments)


if __name__ == "__main__":
    sys.exit(main())
