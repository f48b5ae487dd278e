"""The episode runner: one agent, one world, one episode. The planner node is this runner on a ``RosWorld``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from vantage.errors import CanceledError, EpisodeError, ModelError, VantageError
from vantage.planning.protocol import Agent
from vantage.recording.events import SOURCE, EpisodeListener, Outcome
from vantage.runs.confirmation import Confirm, Ruling, awaits_person, ruled
from vantage.types import (
    Answer,
    Cause,
    Command,
    Episode,
    EpisodeState,
    Observation,
    Status,
    StepResult,
)
from vantage.worlds.protocol import World

_CANCELED = "canceled on request"
_TAKEN_OVER = frozenset({Cause.LEASE, Cause.ORDER, Cause.EPISODE})  # no later command of the episode would do better


class EpisodeRunner:
    """Runs episodes of one agent in one world.

    Args:
        source: under which the commands are given.
        confirm: asks a person about corrected questions before their answers count; without it they count at once.
    """

    def __init__(
        self,
        world: World,
        agent: Agent,
        listeners: Sequence[EpisodeListener] = (),
        source: str = SOURCE,
        confirm: Confirm | None = None,
    ) -> None:
        self._world = world
        self._agent = agent
        self._listeners = tuple(listeners)
        self._source = source
        self._confirm = confirm
        self._stamp = 0

    def run(self, episode: Episode, seed: int, canceled: Callable[[], bool] = lambda: False) -> Outcome:
        """Run one episode to its end; what goes wrong in the world or the agent is part of the outcome.

        Args:
            canceled: asked before each decision; true ends the episode. An answer that was being worked out meanwhile
                does not count.
        """
        outcome = Outcome()
        for listener in self._listeners:
            listener.started(episode, self._agent, self._stamp)
        try:
            self._search(episode, seed, canceled, outcome)
        except VantageError as error:
            outcome.state, outcome.reason = EpisodeState.FAILED, str(error)
            if isinstance(error, (CanceledError, ModelError)) and canceled():
                outcome.state, outcome.reason = EpisodeState.CANCELED, _CANCELED
        finally:
            if outcome.state == EpisodeState.RUNNING:
                outcome.state, outcome.reason = EpisodeState.FAILED, "the episode was interrupted"
            for listener in self._listeners:
                listener.ended(outcome, self._stamp)
        return outcome

    def _search(self, episode: Episode, seed: int, canceled: Callable[[], bool], outcome: Outcome) -> None:
        observation = self._world.reset(episode, seed)
        self._saw(observation)
        self._agent.begin(episode, self._world.info, seed)
        unanswered = {question.question_id for question in episode.questions}
        last: StepResult | None = None
        while unanswered:
            if canceled():
                outcome.state, outcome.reason = EpisodeState.CANCELED, _CANCELED
                return
            decision = self._agent.act(observation, last)
            view, detections = self._agent.view(), self._agent.detections()
            for listener in self._listeners:
                listener.thought(view, detections, observation)
            if isinstance(decision, Answer):
                settled = None if canceled() else self._settled(episode, decision, canceled)
                if settled is None:
                    outcome.state, outcome.reason = EpisodeState.CANCELED, _CANCELED
                    return
                self._take_answer(settled, unanswered, outcome)
                continue
            if outcome.steps >= episode.max_steps:
                outcome.state = EpisodeState.FINISHED
                outcome.reason = f"the budget of {episode.max_steps} steps is used up without an answer"
                return
            last = self._step(episode, decision, outcome)
            observation = last.observation
            if last.status == Status.STOPPED:
                outcome.state, outcome.reason = EpisodeState.FAILED, last.reason
                return
            if last.status == Status.REJECTED and last.cause in _TAKEN_OVER:
                outcome.state = EpisodeState.FAILED
                outcome.reason = f"somebody else took over the world before command {outcome.steps}: {last.reason}"
                return
        outcome.state = EpisodeState.FINISHED

    def _settled(self, episode: Episode, answer: Answer, canceled: Callable[[], bool]) -> Answer | None:
        """The answer as it counts, after a person's word where one is needed; None when canceled meanwhile."""
        question = next((item for item in episode.questions if item.question_id == answer.question_id), None)
        if self._confirm is None or question is None or not awaits_person(answer):
            return answer
        ruling = self._confirm(question, answer, canceled)
        return None if ruling is Ruling.CANCELED and canceled() else ruled(answer, ruling)

    def _take_answer(self, answer: Answer, unanswered: set[str], outcome: Outcome) -> None:
        if answer.question_id not in unanswered:
            raise EpisodeError(
                f"agent '{self._agent.name}' answered question '{answer.question_id}', which is not open; "
                f"open are: {', '.join(sorted(unanswered))}"
            )
        unanswered.discard(answer.question_id)
        outcome.answers.append(answer)
        for listener in self._listeners:
            listener.answered(answer, self._stamp)

    def _step(self, episode: Episode, decision: Command, outcome: Outcome) -> StepResult:
        outcome.steps += 1
        command = replace(decision, episode_id=episode.episode_id, source=self._source, sequence=outcome.steps)
        for listener in self._listeners:
            listener.commanded(command, self._stamp)
        result = self._world.step(command)
        self._saw(result.observation)
        for listener in self._listeners:
            listener.concluded(result)
        return result

    def _saw(self, observation: Observation) -> None:
        self._stamp = observation.stamp
        for listener in self._listeners:
            listener.observed(observation)
