"""What agents share that plan their looks: the best view by some worth, then on to the next, until all is settled."""

from __future__ import annotations

from abc import abstractmethod

from vantage.planning.agents.observing_agent import EXPLORATION, LookingAgent
from vantage.planning.view_planning.view_planner import Goal, ViewPlanner
from vantage.types import Answer, Episode, Observation, Phase, Question, Status, StepResult, Verdict
from vantage.worlds.protocol import WorldInfo

_REPLAN = 8  # actions after which a plan is made anew


class PlanningAgent(LookingAgent):
    """A subclass says what a view is worth."""

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._planner = ViewPlanner(self._actions, info, episode.start, self._coverage)
        self._plan: list[str] = []
        self._since_plan = 0
        self._exhausted = False
        self._aimed_at: object = None

    def begin_phase(self, episode: Episode) -> None:
        super().begin_phase(episode)
        self._plan = []
        self._exhausted = False

    def _aim(self, question: Question) -> object:
        """What is looked for; a plan is made anew when that changes."""
        return None

    def _is_vain(self, question: Question) -> bool:
        """Whether no look at what the question still turns on would tell more, so that it is answered as it stands."""
        return False

    @abstractmethod
    def _choose(self, observation: Observation, question: Question) -> Goal | None:
        """The next view, or None when none within the budget is worth its way any more."""

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        super()._take_in(observation, last)
        self._planner.looked(observation.viewpoint)
        if last is not None and last.status != Status.DONE:
            self._plan = []
            if last.command.target is not None:
                self._planner.bumped(observation.viewpoint, last.command.target)

    def _next_action(self, observation: Observation) -> str | None:
        question = self._open[0] if self._open else EXPLORATION
        if self._settled(question, self._assess(question)):
            return None
        aim = self._aim(question)
        if not self._plan or self._since_plan >= _REPLAN or aim != self._aimed_at:
            self._aimed_at = aim
            goal = self._choose(observation, question)
            self._exhausted = self._planner.exhausted
            if goal is None or self._is_vain(question):
                return None
            self._plan = list(goal.actions)
            self._since_plan = 0
        self._since_plan += 1
        return self._plan.pop(0)

    def _answer(self, question: Question) -> Answer:
        if question.phase == Phase.EXPLORE.value:
            answer = self._explored(question, self._exhausted)
        else:
            answer = self._qa.ask(question, exhausted=self._exhausted, last=True)
            if answer.verdict is Verdict.NEEDS_LOOK:  # what was looked at for the most part decides in the end
                answer = self._qa.ask(question, exhausted=True)
        self._plan = []
        self._exhausted = False
        return answer

    def _assess(self, question: Question) -> Answer:
        """The answer as things stand; to explore is to see all that can be reached, whatever it shows."""
        if question.phase == Phase.EXPLORE.value:
            return self._explored(question, self._exhausted)
        return self._qa.ask(question, exhausted=self._exhausted)

    def _settled(self, question: Question, answer: Answer) -> bool:
        if answer.verdict == Verdict.NEEDS_LOOK:
            return False
        asks_back = answer.verdict is Verdict.NEEDS_CONFIRMATION and not answer.noise.corrected_question
        if asks_back and self._qa.look_for(question.text) and not self._exhausted:
            return False  # what is meant may still be seen
        sure = answer.verdict is Verdict.NEEDS_MODEL or asks_back
        return sure or self._exhausted or answer.confidence >= self._settings.agent.confidence

    @property
    def _left(self) -> int:
        """Actions left in the budget."""
        return self._episode.max_steps - self._steps
