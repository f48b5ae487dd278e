"""The whole graph in one process, without launch, and a client that has it run an episode set."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rclpy.action import ActionClient
from rclpy.context import Context
from rclpy.logging import LoggingSeverity
from rclpy.node import Node
from vantage_eqa.action import RunEpisode
from vantage_eqa.srv import GrantWarrant

from vantage.answering import SYMBOLIC
from vantage.benchmarks import benchmark_of
from vantage.config import Settings
from vantage.errors import WorldError
from vantage.nodes.evaluator import EvaluatorNode, evaluator_node
from vantage.nodes.planner import PlannerNode, planner_node
from vantage.nodes.qa import QaNode, qa_node
from vantage.nodes.runtime import (
    DISCOVERY_TIME,
    RclpyFactory,
    Spinner,
    halt,
    listen,
    on_executor,
    overrides,
    refuse_taken_names,
    ros_context,
    shared_key,
    start,
)
from vantage.nodes.world import WorldNode, warrant_message, world_node
from vantage.perception import asked_model
from vantage.planning import Need, needs_of
from vantage.recording import EPISODE_SCORE, INTERFERENCE, SOURCE, Codec, Outcome, read_answer, read_time
from vantage.registry import AGENTS, PERCEIVERS
from vantage.types import Episode, EpisodeState
from vantage.worlds import person_warrant, signed

_ANSWER_TIMEOUT = 10.0  # s for an action server to take or refuse a goal
SCORE_TIMEOUT = 60.0  # s for a bag to be closed and scored by rules
_MARGIN = 30.0  # s that an agent may think, besides its steps
_CALLS = 16  # to a model that a look or a question leads to: whether views suffice, the answer, and what is checked
_LOOK = 1.0  # s between two looks at whether the planner is there
_SLICE = 0.02  # s between two looks at whether to give up


@dataclass(frozen=True)
class GraphPlan:
    """What to bring up.

    Attributes:
        world: registered name; the agent and the perceiver are in the settings.
        out: folder for the bags.
        episodes: folder of an episode set, whose gold data only the evaluator uses; None for none.
        judge: registered name.
    """

    settings: Settings
    world: str
    out: Path
    episodes: Path | None = None
    judge: str = "rules"


@contextmanager
def bring_up(plan: GraphPlan, domain_id: int | None = None, discovery_time: float = DISCOVERY_TIME) -> Iterator[Client]:
    """World, planner, QA and evaluator in this process, each with threads of its own, until the block ends.

    Args:
        discovery_time: s to look for nodes of the same names before anything starts.

    Raises:
        VantageError: a node cannot start; the message says which and why.
    """
    settings, episodes = plan.settings, str(plan.episodes or "")
    agent = plan.settings.agent.name
    told = {"judge": plan.judge, "tasks": agent in AGENTS.names() and Need.TASKS in needs_of(AGENTS.get(agent))}
    with ExitStack() as stack:
        context = stack.enter_context(ros_context([], domain_id))
        nodes: list[Node] = []
        spinners: list[Spinner] = []
        for make in (
            lambda: WorldNode(context, overrides(settings, world_node.GROUPS, world=plan.world)),
            lambda: QaNode(context, overrides(settings, qa_node.GROUPS)),
            lambda: EvaluatorNode(
                context,
                overrides(settings, evaluator_node.GROUPS, episodes=episodes, out=str(plan.out), **told),
            ),
            lambda: PlannerNode(context, overrides(settings, planner_node.GROUPS, episodes=episodes)),
        ):
            node = make()
            node.get_logger().set_level(LoggingSeverity.WARN)  # whoever brings a graph up tells its progress itself
            nodes.append(node)
            spinners.append(Spinner([node], context))
            stack.callback(spinners[-1].close)
        stack.callback(_halt_all, nodes)
        refuse_taken_names(nodes, discovery_time)
        for node in nodes:
            start(node)
        client = Client(context, settings, judge=plan.judge, spinners=spinners)
        stack.callback(client.close)
        yield client


@contextmanager
def join(settings: Settings, domain_id: int | None = None, judge: str = "rules") -> Iterator[Client]:
    """A client of a graph that runs elsewhere, for instance under launch, until the block ends.

    Args:
        judge: who marks there, which decides how long a mark may take.
    """
    with ros_context([], domain_id) as context:
        client = Client(context, settings, judge=judge)
        try:
            yield client
        finally:
            client.close()


def _halt_all(nodes: Sequence[Node]) -> None:
    for node in nodes:
        halt(node)


@dataclass(frozen=True)
class EpisodeOutcome:
    """An episode that was run, and what the evaluator made of it."""

    episode: Episode
    outcome: Outcome
    complete: bool
    score: float
    remark: str


class _ClientNode(Node):
    """Holds the action client, which a node does not destroy by itself, and asks for warrants to be granted."""

    def __init__(self, name: str, context: Context) -> None:
        super().__init__(name, context=context)
        self.action = ActionClient(self, RunEpisode, "run_episode")
        self.grant = self.create_client(GrantWarrant, "grant_warrant")

    def destroy_node(self) -> None:
        self.action.destroy()
        super().destroy_node()


class Client:
    """Asks a graph, here or elsewhere, to run episodes; every wait has a deadline.

    Args:
        spinners: of nodes in this process; when one ends, so does every wait, with its error.
    """

    def __init__(
        self,
        context: Context,
        settings: Settings,
        name: str = "vantage_up",
        judge: str = "rules",
        spinners: Sequence[Spinner] = (),
    ) -> None:
        self._settings, self._judge, self._spinners = settings, judge, tuple(spinners)
        self._codec = Codec(RclpyFactory())
        self._scores: dict[str, Any] = {}
        self._changed = threading.Condition()
        node = _ClientNode(name, context)
        listen(node, EPISODE_SCORE, self._on_score)
        self._node, self._action = node, node.action
        self._spinner = Spinner([node], context)

    def close(self) -> None:
        self._spinner.close()

    def run(
        self,
        episodes: Sequence[Episode],
        seed: int = 0,
        canceled: Callable[[], bool] = lambda: False,
        doing: Callable[[Episode, int, str], None] = lambda episode, step, doing: None,
        score_timeout: float | None = None,
    ) -> Iterator[EpisodeOutcome]:
        """Run episodes one after another, yielding each when its bag is closed and scored.

        Args:
            canceled: asked often; true cancels the running episode and ends.
            doing: told the step and what the planner is doing.
            score_timeout: s for a bag to be closed and scored; ``allowed_score`` where it is None.

        Raises:
            WorldError: planner or evaluator did not answer within their deadlines, or an episode cannot be recorded;
                it is canceled then.
        """
        if not self._action.wait_for_server(timeout_sec=_ANSWER_TIMEOUT):
            raise WorldError(f"run_episode was not offered within {_ANSWER_TIMEOUT:.0f} s; start planner_node")
        for episode in episodes:
            if canceled():
                return
            with self._changed:
                self._scores.pop(episode.episode_id, None)
            outcome = self._run_one(episode, seed, canceled, doing)
            allowed = allowed_score(episode, self._settings, self._judge) if score_timeout is None else score_timeout
            score = self._score_of(episode, allowed)
            if score.unrecorded:
                raise WorldError(f"episode '{episode.episode_id}' was not recorded: {score.incomplete_reason}")
            reason = score.incomplete_reason
            if score.complete and score.steps != outcome.steps:
                reason = f"{INTERFERENCE}: planner_node sent {outcome.steps} commands, its bag holds {score.steps}"
            complete = bool(score.complete) and not reason
            remark = f"{score.judge_score:.0f}/5" if complete else f"not scored: {reason}"
            yield EpisodeOutcome(episode, outcome, complete, float(score.judge_score), remark)

    def _run_one(
        self,
        episode: Episode,
        seed: int,
        canceled: Callable[[], bool],
        doing: Callable[[Episode, int, str], None],
    ) -> Outcome:
        goal = RunEpisode.Goal(
            episode=self._codec.episode(0, episode, EpisodeState.PENDING),
            seed=seed,
            phases=self._codec.phases(episode),
            warrants=self._warrants(episode),
        )
        what = f"episode '{episode.episode_id}'"
        sent = self._on_executor(
            lambda: self._action.send_goal_async(
                goal, feedback_callback=lambda message: doing(episode, message.feedback.step, message.feedback.doing)
            )
        )
        ends = time.monotonic() + _ANSWER_TIMEOUT
        while not sent.done():
            self._require_nodes()
            if time.monotonic() > ends:
                raise WorldError(f"planner_node did not take {what} within {_ANSWER_TIMEOUT:.0f} s")
            time.sleep(_SLICE)
        handle = sent.result()
        if not handle.accepted:
            raise WorldError(f"planner_node refused {what}; its log says why")
        allowed, ending = allowed_time(episode, self._settings), allowed_end(self._settings)
        finished = self._on_executor(handle.get_result_async)
        told = False
        ends, look_again = time.monotonic() + allowed, time.monotonic() + _LOOK
        while not finished.done():
            self._require_nodes()
            if not told and (canceled() or self._unrecorded(episode)):
                told = True
                self._on_executor(handle.cancel_goal_async)
                ends = min(ends, time.monotonic() + ending)
            if time.monotonic() > ends:
                self._on_executor(handle.cancel_goal_async)
                raise WorldError(f"planner_node did not end {what} within {allowed:.0f} s")
            if time.monotonic() > look_again:
                if not self._action.server_is_ready():
                    raise WorldError(f"planner_node went away while {what} was running; what it recorded is partial")
                look_again = time.monotonic() + _LOOK
            time.sleep(_SLICE)
        result = finished.result().result
        answers = [read_answer(message) for message in result.answers]
        names = [phase.name for phase in episode.phases] or [episode.phase]
        steps = dict(zip(names, map(int, result.phase_steps), strict=False))  # only of those that began
        return Outcome(EpisodeState(result.state), result.message, int(result.steps), answers, steps)

    def _warrants(self, episode: Episode) -> list[Any]:
        """A person's, who asks for an episode whose task is to manipulate freely, where the world has an arm."""
        if not benchmark_of(episode.benchmark).free_manipulation:
            return []
        told = self._answered(self._node.grant, GrantWarrant.Request(), "grant_warrant")
        if not told.has_arm:
            return []
        warrant = signed(person_warrant(episode, SOURCE, read_time(told.now)), shared_key(), told.session)
        return [warrant_message(self._codec, warrant)]

    def _answered(self, client: Any, request: Any, name: str) -> Any:
        """
        Raises:
            WorldError: no reply came in time.
        """
        ends = time.monotonic() + _ANSWER_TIMEOUT
        if not client.wait_for_service(timeout_sec=_ANSWER_TIMEOUT):
            raise WorldError(f"{name} was not offered within {_ANSWER_TIMEOUT:.0f} s; start world_node")
        called = self._on_executor(lambda: client.call_async(request))
        while not called.done():
            self._require_nodes()
            if time.monotonic() > ends:
                raise WorldError(f"{name} was not answered within {_ANSWER_TIMEOUT:.0f} s; is world_node alive?")
            time.sleep(_SLICE)
        return called.result()

    def _score_of(self, episode: Episode, timeout: float) -> Any:
        ends = time.monotonic() + timeout
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: episode.episode_id in self._scores, _LOOK):
                    return self._scores[episode.episode_id]
            self._require_nodes()
            if time.monotonic() > ends:
                raise WorldError(
                    f"evaluator_node did not score episode '{episode.episode_id}' within {timeout:.0f} s; "
                    f"is it running, and is its output folder free?"
                )

    def _require_nodes(self) -> None:
        """Raises WorldError when a node of this process is not spun any more."""
        for spinner in (*self._spinners, self._spinner):
            if spinner.running.done():
                why = spinner.running.exception() or "it was closed"
                raise WorldError(f"{spinner.names} ended in the middle of the work: {why}")

    def _on_executor(self, function: Callable[[], Any]) -> Any:
        return on_executor(self._node, function, _ANSWER_TIMEOUT)

    def _unrecorded(self, episode: Episode) -> bool:
        with self._changed:
            score = self._scores.get(episode.episode_id)
            return score is not None and bool(score.unrecorded)

    def _on_score(self, message: Any) -> None:
        with self._changed:
            self._scores[message.episode_id] = message
            self._changed.notify_all()


def allowed_time(episode: Episode, settings: Settings) -> float:
    """How long an episode may take, s: its resets and steps, a person's word on each question, calls to a model."""
    run, agent, model = settings.run, settings.agent, settings.model
    resets = 1 + sum(phase.restored for phase in episode.phases)
    allowed = resets * run.reset_timeout + (episode.max_steps + 1) * run.step_timeout + _MARGIN
    if agent.require_confirmation:
        allowed += len(episode.questions) * agent.confirmation_timeout
    if not _asks_model(settings):
        return allowed
    calls = _CALLS * (episode.max_steps + len(episode.questions))
    allowed_calls = model.timeout * (min(calls, model.max_calls) if model.max_calls else calls)
    return allowed + (min(allowed_calls, model.max_seconds) if model.max_seconds else allowed_calls)


def allowed_end(settings: Settings) -> float:
    """How long an episode that was canceled may take to end, s: a step, or the call to a model that is on its way."""
    return settings.run.step_timeout + _MARGIN + (settings.model.timeout if _asks_model(settings) else 0.0)


def allowed_score(episode: Episode, settings: Settings, judge: str) -> float:
    """How long an episode may take to be closed and scored, s: a model that judges is called once for each question."""
    calls = len(episode.questions) if judge.partition(":")[0] == "model" else 0
    return SCORE_TIMEOUT + calls * settings.model.timeout


def _asks_model(settings: Settings) -> bool:
    return settings.agent.model != SYMBOLIC or bool(asked_model(PERCEIVERS.get(settings.agent.perception), settings))
