"""Base classes of agents that observe: they map, remember and answer; ``NextBestViewAgent`` also plans its views."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from vantage.answering import Answering, make_answering
from vantage.config import Settings
from vantage.goals import SceneFacts
from vantage.perception.map import CoverageMap, ObservedScene, observed_facts
from vantage.planning.controls import Control, allowed_actions, control_text
from vantage.planning.needs import Need
from vantage.planning.view_planning import Goal, ViewPlanner
from vantage.registry import PERCEIVERS
from vantage.types import (
    Answer,
    Decision,
    Detection,
    Done,
    Episode,
    Observation,
    Phase,
    Point,
    Question,
    SearchView,
    Status,
    StepResult,
    Verdict,
)
from vantage.worlds import WorldInfo

EXPLORATION = Question("", "", Phase.EXPLORE.value)  # what is to be done in a phase that asks nothing


class ObservingAgent(ABC):
    """Takes in every observation; a subclass says which action comes next and what to answer in the end.

    Args:
        settings: groups ``actions``, ``agent``, ``control``, ``degraded``, ``model``, ``relations`` and
            ``world.voxel`` are used.
    """

    name = ""
    needs = frozenset({Need.VIEWS, Need.PERCEPTION, Need.MODEL})
    controls = frozenset({Control.GOAL, Control.DOF, Control.THINKING})

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._actions = allowed_actions(settings)
        self.control = control_text(settings)
        self._detections: tuple[Detection, ...] = ()
        self._view = SearchView()
        self._known_scene: ObservedScene | None = None

    @property
    def perception(self) -> str:
        return self._settings.agent.perception

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self._episode, self._info = episode, info
        agent = self._settings.agent
        perceiver = PERCEIVERS.create(
            agent.perception, min_pixels=agent.min_pixels, settings=self._settings, seed=episode.seed + seed
        )
        self._coverage = self._space(episode, info)
        self._qa: Answering = make_answering(self._settings, perceiver, coverage=self._coverage)
        self._known_scene = self._qa.memory
        self._open = list(episode.questions)
        self._stamp = -1
        self._steps = 0
        self._detections, self._view = (), SearchView()

    def _space(self, episode: Episode, info: WorldInfo) -> CoverageMap:
        """The empty map of space that it fills."""
        return coverage_of(self._settings, info)

    def begin_phase(self, episode: Episode) -> None:
        """What was seen is kept; where the world was put back, what was moved is known to be where it was found."""
        if episode.restored:
            self._qa.restored()
        self._episode = episode
        self._open = list(episode.questions)
        self._steps = 0

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        if observation.stamp != self._stamp:
            self._take_in(observation, last)
        action = None if self._steps >= self._episode.max_steps else self._next_action(observation)
        if action is None and not self._open:
            return Done()
        if action is None:
            return replace(self._answer(self._open.pop(0)), perception=self.perception)
        self._steps += 1
        return self._actions.decision(action, observation.viewpoint)

    def detections(self) -> tuple[Detection, ...]:
        return self._detections

    def known_facts(self) -> SceneFacts:
        """What it has observed in this episode."""
        return SceneFacts() if self._known_scene is None else observed_facts(self._known_scene)

    def view(self) -> SearchView:
        return replace(self._view, known=self._coverage.known_fraction)

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        """A new observation, and the result of the motion that led to it."""
        self._stamp = observation.stamp
        if last is not None:
            self._qa.memory.acted(last, self._coverage)
        self._coverage.add(observation, self._qa.memory.held_box)
        self._detections = self._qa.observe(observation)

    @abstractmethod
    def _next_action(self, observation: Observation) -> str | None:
        """The next action, or None when it is time to answer. Not asked once the budget is used up."""

    @abstractmethod
    def _answer(self, question: Question) -> Answer:
        """The answer from what was seen."""

    def _explored(self, question: Question, exhausted: bool) -> Answer:
        """The answer to a task that is to see everything."""
        known = self._coverage.known_fraction
        verdict = Verdict.ANSWERED if exhausted else Verdict.NEEDS_LOOK
        text = f"{100 * known:.0f} % of the space was seen"
        return Answer(question.question_id, text, verdict, known, phase=Phase.EXPLORE.value)


_FLOOR, _OVERHEAD = 0.0, 1.3  # m: floor of homes, and what is seen above a camera that keeps its height


def coverage_of(settings: Settings, info: WorldInfo) -> CoverageMap:
    """An empty map of all that the body of a world can touch, by groups ``agent`` and ``world`` of the settings; of a
    camera that keeps its height, of all from the floor to above it."""
    low = _shifted(info.limits.bounds_min, -info.body_radius)
    high = _shifted(info.limits.bounds_max, info.body_radius)
    if info.limits.keeps_height:
        low = (low[0], low[1], min(low[2], _FLOOR))
        high = (high[0], high[1], info.limits.bounds_max[2] + max(info.body_radius, _OVERHEAD))
    return CoverageMap(low, high, settings.world.voxel, open_space=settings.agent.open_space)


def _shifted(point: Point, by: float) -> Point:
    x, y, z = point
    return x + by, y + by, z + by


_REPLAN = 4  # actions after which a plan is made anew


class NextBestViewAgent(ObservingAgent):
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
        """The answer as objects stand; to explore is to see all that can be reached, whatever it shows."""
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
