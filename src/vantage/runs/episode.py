"""The episode runner: one agent, one world, one episode. The planner node is this runner on a ``RosWorld``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from vantage.errors import CanceledError, EpisodeError, ModelError, VantageError
from vantage.planning import Agent, Warranted
from vantage.recording import SOURCE, EpisodeListener, Outcome
from vantage.runs.confirmation import Confirm, Ruling, awaits_person, ruled
from vantage.runs.permission import Permit
from vantage.types import (
    Answer,
    Cause,
    Command,
    Done,
    Episode,
    EpisodeState,
    Key,
    Observation,
    Status,
    StepResult,
)
from vantage.worlds import Overlooked, WarrantError, World

_CANCELED = "canceled on request"
_TAKEN_OVER = frozenset({Cause.LEASE, Cause.ORDER, Cause.EPISODE})  # no later command of the episode would do better


class EpisodeRunner:
    """Runs episodes of one agent in one world.

    Args:
        source: under which the commands are given.
        confirm: asks a person about corrected questions before their answers count; without it they count at once.
        from_above: the first look is one from above, with the ceiling cut away, instead of that at the start.
        permit: grants what a person lets the agent do with an arm. The warrants of one that is ``Warranted`` are
            granted in any case.
    """

    def __init__(
        self,
        world: World,
        agent: Agent,
        listeners: Sequence[EpisodeListener] = (),
        source: str = SOURCE,
        confirm: Confirm | None = None,
        from_above: bool = False,
        permit: Permit | None = None,
    ) -> None:
        self._world = world
        self._agent = agent
        self._listeners = tuple(listeners)
        self._source = source
        self._confirm = confirm
        self._from_above, self._permit = from_above, permit
        self._one_phase = True
        self._stamp = 0
        self._observation: Observation
        self._last: StepResult | None = None

    def run(self, episode: Episode, seed: int, canceled: Callable[[], bool] = lambda: False) -> Outcome:
        """Run one episode to its end; what goes wrong in the world or the agent is part of the outcome.

        Its phases follow each other: agent, world and listeners are given the episode as it is in the phase that is on,
        and learn nothing of what later ones ask. Commands are numbered over all of them, also where the world is put
        back as at the start before a phase (``EpisodePhase.restored``).

        Args:
            canceled: asked before each decision; true ends the episode. An answer that was being worked out meanwhile
                does not count.
        """
        outcome = Outcome()
        for listener in self._listeners:
            listener.started(episode.in_phase(0), self._agent, self._stamp)
        try:
            self._run_phases(episode, seed, canceled, outcome)
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

    def _run_phases(self, episode: Episode, seed: int, canceled: Callable[[], bool], outcome: Outcome) -> None:
        first = episode.in_phase(0)
        self._observation, self._last = self._world.reset(first, seed), None
        if self._permit is not None:
            self._permit(self._world, episode, self._observation, self._source)
        if self._from_above:
            self._observation = self._look_from_above()
        self._saw(self._observation)
        self._agent.begin(first, self._world.info, seed)
        self._one_phase = episode.phase_count == 1
        unfinished = []
        for number in range(episode.phase_count):
            phase = episode.in_phase(number)
            outcome.phase_steps[phase.phase] = 0
            if number > 0:
                for listener in self._listeners:
                    listener.phase_began(phase, outcome, self._stamp)
                if phase.restored:
                    self._observation, self._last = self._world.reset(phase, seed), None
                    self._saw(self._observation)
                self._agent.begin_phase(phase)
            used_up = self._run_phase(phase, canceled, outcome)
            if outcome.state != EpisodeState.RUNNING:
                return
            if used_up:
                unfinished.append(f"phase '{phase.phase}': {used_up}" if episode.phases else used_up)
        outcome.state, outcome.reason = EpisodeState.FINISHED, "; ".join(unfinished)

    def _run_phase(self, episode: Episode, canceled: Callable[[], bool], outcome: Outcome) -> str:
        """Run the phase that is on to its end.

        Returns:
            Where the episode goes on, why questions stay open, or that the agent was not done with looking again; empty
            for neither.
        """
        unanswered = {question.key for question in episode.questions}
        asks = bool(unanswered)
        while unanswered or (not asks and outcome.phase_steps[episode.phase] < episode.max_steps):
            if canceled():
                outcome.state, outcome.reason = EpisodeState.CANCELED, _CANCELED
                return ""
            decision = self._agent.act(self._observation, self._last)
            view, detections = self._agent.view(), self._agent.detections()
            for listener in self._listeners:
                listener.thought(view, detections, self._observation)
            if isinstance(decision, Done):
                if not unanswered:
                    return ""
                raise EpisodeError(
                    f"agent '{self._agent.name}' says that it is done, and these questions are open: "
                    f"{_named(unanswered)}"
                )
            if isinstance(decision, Answer):
                if self._one_phase:  # the question is known by its id alone
                    asked = (item for item in episode.questions if item.question_id == decision.question_id)
                    decision = replace(decision, phase=next((item.phase for item in asked), decision.phase))
                settled = None if canceled() else self._settled(episode, decision, canceled)
                if settled is None:
                    outcome.state, outcome.reason = EpisodeState.CANCELED, _CANCELED
                    return ""
                self._take_answer(episode, settled, unanswered, outcome)
                continue
            if outcome.phase_steps[episode.phase] >= episode.max_steps:
                return f"the budget of {episode.max_steps} steps is used up without an answer"
            result = self._step(episode, decision, outcome)
            self._observation, self._last = result.observation, result
            if result.status == Status.STOPPED:
                outcome.state, outcome.reason = EpisodeState.FAILED, result.reason
                return ""
            if result.status == Status.REJECTED and result.cause in _TAKEN_OVER:
                outcome.state = EpisodeState.FAILED
                outcome.reason = f"somebody else took over the world before command {outcome.steps}: {result.reason}"
                return ""
        if not asks and episode.restored:
            return f"agent '{self._agent.name}' was not done within the {episode.max_steps} steps that it had at most"
        return ""

    def _settled(self, episode: Episode, answer: Answer, canceled: Callable[[], bool]) -> Answer | None:
        """The answer as it counts, after a person's word where one is needed; None when canceled meanwhile."""
        question = next((item for item in episode.questions if item.key == answer.key), None)
        if self._confirm is None or question is None or not awaits_person(answer):
            return answer
        ruling = self._confirm(question, answer, canceled)
        return None if ruling is Ruling.CANCELED and canceled() else ruled(answer, ruling)

    def _take_answer(self, episode: Episode, answer: Answer, unanswered: set[Key], outcome: Outcome) -> None:
        if answer.key not in unanswered:
            of_phase = f" of phase '{answer.phase}'" if answer.phase != episode.phase else ""
            raise EpisodeError(
                f"agent '{self._agent.name}' answered question '{answer.question_id}'{of_phase}, which is not open; "
                f"open are: {_named(unanswered) or 'none'}"
            )
        unanswered.discard(answer.key)
        outcome.answers.append(answer)
        for listener in self._listeners:
            listener.answered(answer, self._stamp)

    def _step(self, episode: Episode, decision: Command, outcome: Outcome) -> StepResult:
        outcome.steps += 1
        outcome.phase_steps[episode.phase] += 1
        command = replace(decision, episode_id=episode.episode_id, source=self._source, sequence=outcome.steps)
        refused = self._granted()
        for listener in self._listeners:
            listener.commanded(command, self._stamp)
        result = self._world.step(command)
        if refused and result.cause == Cause.UNWARRANTED:
            result = replace(result, reason=f"{result.reason}; {refused}")
        self._saw(result.observation)
        for listener in self._listeners:
            listener.concluded(result)
        return result

    def _granted(self) -> str:
        """Grant what the agent was issued since the last command; why the world did not take it, in words."""
        if not isinstance(self._agent, Warranted):
            return ""
        refused = []
        for warrant in self._agent.warrants():
            try:
                self._world.grant(warrant)
            except WarrantError as error:
                refused.append(str(error))
        return "; ".join(refused)

    def _look_from_above(self) -> Observation:
        """
        Raises:
            EpisodeError: the world cannot show that.
        """
        if not isinstance(self._world, Overlooked):
            raise EpisodeError(
                f"world '{self._world.info.name}' cannot be seen from above without its ceiling; run with --start start"
            )
        return self._world.look_from_above()

    def _saw(self, observation: Observation) -> None:
        self._stamp = observation.stamp
        for listener in self._listeners:
            listener.observed(observation)


def _named(questions: Iterable[Key]) -> str:
    return ", ".join(sorted(question_id for _, question_id in questions))
