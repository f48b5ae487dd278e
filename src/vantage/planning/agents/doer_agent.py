"""The doer: carries out what it is told to, once the guard found that it can be, and says why where it does not.

It looks for what the words name, looks closer at it, interprets the task in the scene that it observed, has the guard
rule on the goal, plans, and does one action after the other. Looking is free; everything else takes a warrant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from vantage.answering import LookAt, LookFor
from vantage.config import Settings
from vantage.errors import MissingExtraError, ModelError
from vantage.goals import (
    Deed,
    End,
    Errand,
    Feasibility,
    Goal,
    Monitor,
    Reason,
    ReasonKind,
    Ruling,
    TaskText,
    formula_of,
    holds_in,
    kind_of,
    object_key,
    read_task,
    rooms_of,
    step_of,
)
from vantage.models import check_cutoff
from vantage.perception.map import CoverageMap
from vantage.planning.agents.doer_bodies import make_body, space_for
from vantage.planning.agents.doer_reading import TaskReader, errand_answer
from vantage.planning.agents.search_agent import SearchAgent
from vantage.planning.controls import Control
from vantage.planning.execution import (
    BEARING,
    OBJECT_VERBS,
    ActionBody,
    Belief,
    Effect,
    Permit,
    believed,
    permit_for,
)
from vantage.planning.goals import (
    Outcome,
    Plan,
    PlannedAction,
    PlanningTask,
    Situation,
    Verb,
    plain_plan,
    plan_goal,
)
from vantage.planning.guard import Licences, TaskWords, WarrantOffice, read_robot
from vantage.planning.needs import Need
from vantage.planning.skills import Failure, Skill, SkillResult
from vantage.types import (
    Answer,
    Command,
    Decision,
    Done,
    Episode,
    Observation,
    Question,
    SearchView,
    StepResult,
    Verdict,
)
from vantage.worlds import Warrant, WorldInfo

SOURCE = "planner"  # under which episodes command
_SEARCH = 0.75  # share of the steps that may go into looking for what the words name
_CLOSER = 0.85  # and into looking at it from near
_MOST_CLOSER = 4  # things that are looked at from near before the task is interpreted
_CLEAR = 2500  # pixels from which on a thing was seen well
_HALTS = frozenset({Failure.REFUSED, Failure.STOPPED})
_LONGEST = 10_000  # characters of a task

Stage = Callable[[Observation, StepResult | None], Command | None]


class DoerAgent(SearchAgent):
    """Needs a world with depth, a perceiver, and something that acts; where nothing does, it says so.

    Args:
        settings: groups ``actions``, ``agent``, ``control``, ``degraded``, ``house``, ``model``, ``rig`` and
            ``world.voxel`` are used.

    Raises:
        ConfigError: the guard's robot is unknown, or its file is wrong.
    """

    name = "doer"
    needs = frozenset({Need.VIEWS, Need.PERCEPTION, Need.MODEL, Need.TASKS})
    controls = frozenset({Control.ROBOT, Control.THINKING, Control.DOF})

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)
        self._robot = read_robot(settings.control.robot)
        self._reader = TaskReader(settings, self._robot)
        self._office = WarrantOffice(SOURCE)

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._body: ActionBody | None = make_body(
            self._settings, info, episode.start, self._qa, self._coverage, self._actions, self, lambda: self._left
        )
        self._given = 0  # commands of the episode
        self._effects: list[Effect] = []
        self._gone: set[int] = set()
        self._pending: list[Warrant] = []
        self._permit: Permit | None = None
        self._near = ""
        self._forget_task()

    def begin_phase(self, episode: Episode) -> None:
        super().begin_phase(episode)
        if episode.restored:
            self._effects, self._gone = [], set()
        self._forget_task()

    def _forget_task(self) -> None:
        self._stage: Stage = self._seek
        self._end: End | None = None
        self._why = ""
        self._goal, self._ruling = Goal(), Ruling(Feasibility.UNKNOWN)
        self._monitor, self._followed = Monitor(formula_of(Goal())), Goal()
        self._steps_left: list[PlannedAction] = []
        self._action: PlannedAction | None = None
        self._deeds: list[Deed] = []
        self._looked_for: dict[str, None] = {}
        self._lost: tuple[str, ...] = ()
        self._closer: set[int] = set()
        self._looking_closer = 0
        self._searched = False
        self._replans = 0
        self._plan = []

    def _space(self, episode: Episode, info: WorldInfo) -> CoverageMap:
        return space_for(info, episode.start) or super()._space(episode, info)

    # What the world and people are told -----------------------------------------------------------------------------

    def warrants(self) -> tuple[Warrant, ...]:
        """See ``Warranted``."""
        found, self._pending = tuple(self._pending), []
        return found

    def refusal(self, skill: Skill, command: Command) -> str:
        """The guard in the door of skills: see ``planning.skills.Guard``."""
        return "nothing was permitted yet" if self._permit is None else self._permit.refusal(skill, command)

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        if observation.stamp != self._stamp:
            self._take_in(observation, last)
        if not self._open:
            return Done()
        command = None if not self._open[0].text.strip() else self._next_command(observation, last)
        if command is None:
            answer = replace(self._told(self._open.pop(0)), perception=self.perception)
            self._forget_task()
            return answer
        self._steps += 1
        self._given += 1
        return command

    def _next_command(self, observation: Observation, last: StepResult | None) -> Command | None:
        while self._end is None:
            check_cutoff()
            if self._left <= 0:
                return self._finish(End.BUDGET, f"the {self._episode.max_steps} steps of the task are used up")
            command = self._stage(observation, last)
            if command is not None:
                return command
        return None

    def _finish(self, end: End, why: str = "") -> Command | None:
        """The task is over; no command follows."""
        self._end, self._why = end, why
        return None

    # Looking ----------------------------------------------------------------------------------------------------------

    def _seek(self, observation: Observation, last: StepResult | None) -> Command | None:
        """Look for what the words name and was not seen."""
        belief = self._belief
        lost = self._missing(belief)
        if lost and not self._searched and self._steps < _SEARCH * self._episode.max_steps:
            if lost != self._lost:
                self._lost, self._plan = lost, []
            self._looked_for |= dict.fromkeys(lost)
            action = super()._next_action(observation)
            decision = None if action is None else self._actions.decision(action, observation.viewpoint)
            if isinstance(decision, Command):
                return decision
            self._searched = True
        self._plan = []
        self._stage = self._look_closer
        return None

    @property
    def _saw_all(self) -> bool:
        """Whether what was not found is not there, as far as looks tell: no further one would show more."""
        return self._searched and self._exhausted

    def _missing(self, belief: Belief) -> tuple[str, ...]:
        """Labels of what the words name and nothing seen is called, and of what the guard found unseen."""
        task = self._task
        named = Licences(task, belief.facts).words.things()
        unseen = [object_key(name) for name in named if object_key(name) not in belief.labels]
        held = [kind_of(each.name) for each in self._ruling.reasons if each.kind is ReasonKind.UNSEEN_OBJECT]
        return tuple(dict.fromkeys(name.replace("_", " ") for name in (*unseen, *held)))

    def _hints(self, question: Question) -> tuple[LookFor, ...]:
        return tuple(LookFor(LookAt.LABEL, label) for label in self._lost)

    def _wanted_labels(self, question: Question, hints: Any) -> tuple[str, ...]:
        self._labels.setdefault(question.text, ())
        return self._lost

    def _assess(self, question: Question) -> Answer:
        return Answer(question.question_id, "", Verdict.NEEDS_LOOK, 0.0, phase=question.phase)

    def _look_closer(self, observation: Observation, last: StepResult | None) -> Command | None:
        """Look from near at things that the words name, for their states and to be sure of them."""
        if self._body is None or self._steps >= _CLOSER * self._episode.max_steps:
            self._stage = self._judge
            return None
        if self._looking_closer:
            told = self._body.next(observation, last)
            if not isinstance(told, SkillResult):
                return told
            self._looking_closer = 0
        belief = self._belief
        words = TaskWords(f"{self._task.name}\n{self._task.text}")
        for name, key in belief.keys.items():
            obj = self._qa.memory.get(key)
            if obj is None or key in self._closer or obj.label == "floor" or obj.pixels >= _CLEAR:
                continue
            if len(self._closer) < _MOST_CLOSER and words.name(name):
                self._closer.add(key)
                self._looking_closer = key
                self._body.begin(PlannedAction(Verb.GO_TO, (name,)), belief)
                self._view = SearchView((observation.viewpoint,), (obj.center,), f"looking closer at {name}")
                return None
        self._stage = self._judge
        return None

    # Understanding ----------------------------------------------------------------------------------------------------

    @property
    def _belief(self) -> Belief:
        return believed(self._qa.memory, self._effects, self._gone)

    @property
    def _task(self) -> TaskText:
        said = self._open[0].text[:_LONGEST]
        found = read_task(said)
        return found if found.text else TaskText("", said)

    def _judge(self, observation: Observation, last: StepResult | None) -> Command | None:
        """Interpret the task in the scene as it is believed to be, and have the guard rule on its goal."""
        belief = self._belief
        try:
            missing = self._missing(belief)
            self._goal, self._ruling = self._reader.read(self._task, belief.facts, self._saw_all, missing)
        except (ModelError, MissingExtraError) as error:
            return self._finish(End.UNREAD, str(error))
        if self._ruling.passes:
            self._stage = self._make_plan
        elif self._ruling.feasibility is Feasibility.UNKNOWN and not self._searched:
            self._stage = self._seek
            if not self._missing(belief) or self._steps >= _SEARCH * self._episode.max_steps:
                self._searched = True
        else:
            self._finish(End.HELD_BACK, self._ruling.words)
        return None

    # Doing ------------------------------------------------------------------------------------------------------------

    def _make_plan(self, observation: Observation, last: StepResult | None) -> Command | None:
        belief = self._belief
        if holds_in(self._goal, belief.facts):
            return self._finish(End.DONE)
        if self._goal != self._followed:
            self._monitor, self._followed = Monitor(formula_of(self._goal)), self._goal
            self._monitor.observe(step_of(belief.facts))
        if self._body is None:
            return self._finish(End.UNPLANNED, "Nothing in this world is moved by a hand; take another --world.")
        masses = {name: self._robot.mass_of(name) for name in belief.light}
        near = self._near if belief.facts.has(self._near) else ""
        task = PlanningTask(belief.facts, self._goal, self._robot, Situation(near), masses)
        plan = plan_goal(task)
        if plan.outcome is Outcome.MISSING:
            plan = plain_plan(task)
        if plan.outcome is not Outcome.FOUND:
            return self._finish(End.UNPLANNED, f"{plan.outcome.value}: {plan.reason}")
        self._permit_plan(plan, observation)
        self._steps_left, self._action = list(plan.actions), None
        self._stage = self._do
        return None

    def _permit_plan(self, plan: Plan, observation: Observation) -> None:
        """Have the guard's warrant issued for the things of a plan, by their kinds; into a room things are put on or
        beside whatever furniture is there."""
        names = {kind_of(name) for action in plan.actions for name in action.objects}
        if any(action.verb is Verb.PLACE_IN and action.objects[1] in self._rooms for action in plan.actions):
            names |= BEARING
        self._permit = permit_for(
            self._office,
            self._ruling,
            plan,
            episode_id=self._episode.episode_id,
            goal=self._task.text,
            names=names,
            issued=observation.stamp,
        )
        if self._permit.warrant is not None:
            self._pending.append(self._permit.warrant)

    @property
    def _rooms(self) -> frozenset[str]:
        return rooms_of(self._belief.facts)

    def _do(self, observation: Observation, last: StepResult | None) -> Command | None:
        assert self._body is not None
        if self._action is None:
            if not self._steps_left:
                self._stage = self._check_end
                return None
            self._action = self._steps_left.pop(0)
            self._body.begin(self._action, self._belief)
            plan = ", ".join(map(str, (self._action, *self._steps_left)))
            self._view = SearchView((observation.viewpoint,), (), f"doing {plan}")
        told = self._body.next(observation, last)
        if not isinstance(told, SkillResult):
            return told
        self._conclude(self._action, told)
        return None

    def _conclude(self, action: PlannedAction, result: SkillResult) -> None:
        """What became of an action: what it changed, or what is done about that it failed."""
        belief, self._action = self._belief, None
        keys = [belief.key(name) for name in action.objects]
        if result.done and action.verb is Verb.GO_TO:
            self._near = action.objects[0]
        elif result.done:
            self._effects.append(Effect(OBJECT_VERBS[action.verb], *keys[:2]))
        self._monitor.observe(
            step_of(self._belief.facts, [(action.verb.value, *action.objects)] if result.done else [])
        )
        failure = "" if result.failure is None else result.failure.value
        self._deeds.append(Deed(self._given, action.verb.value, action.objects, failure, self._monitor.holds))
        if result.done:
            return
        self._why = f"{action} failed: {result.reason or failure}"
        if result.failure in _HALTS or self._replans >= self._settings.agent.replans:
            self._finish(End.FAILED, self._why)
            return
        if result.failure is Failure.NOT_SEEN:
            self._gone.add(keys[0] if action.verb in (Verb.GO_TO, Verb.PICK) else keys[-1])
        self._replans += 1
        self._stage = self._judge

    def _check_end(self, observation: Observation, last: StepResult | None) -> Command | None:
        if holds_in(self._goal, self._belief.facts):
            return self._finish(End.DONE)
        if self._replans >= self._settings.agent.replans:
            return self._finish(End.FAILED, "the goal is not reached after all that was planned")
        self._replans += 1
        self._stage = self._judge
        return None

    # Telling ----------------------------------------------------------------------------------------------------------

    def _told(self, question: Question) -> Answer:
        """How the task ended."""
        end = self._end or End.HELD_BACK
        if self._end is None:
            self._ruling, self._why = Ruling.of([Reason(ReasonKind.NO_GOAL)]), "The task is empty."
        errand = Errand(end, tuple(self._deeds), tuple(self._looked_for), self._replans, self._why)
        return errand_answer(question, errand, self._goal, self._ruling, f"{self._settings.agent.model}/{self.name}")
