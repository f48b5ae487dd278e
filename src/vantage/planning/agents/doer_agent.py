"""The doer: carries out what it is told to, once the guard found that it can be, and says why where it does not.

It looks for what the words name, looks closer at it, interprets the task in the scene that it observed, has the guard
rule on the goal, plans, and does one action after the other. Looking is free; everything else takes a warrant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from vantage.config import Settings
from vantage.errors import MissingExtraError, ModelError
from vantage.goals import (
    End,
    Errand,
    Feasibility,
    Goal,
    Reason,
    ReasonKind,
    Ruling,
    TaskText,
    holds_in,
    objects_of,
)
from vantage.models import check_cutoff
from vantage.planning.agents.doer_bodies import make_body
from vantage.planning.agents.doer_budget import CLOSER, KEPT, LOOKED_IN, OPENING, OPENING_ANY, SEARCH
from vantage.planning.agents.doer_deeds import Deeds
from vantage.planning.agents.doer_looking import CloserLooks
from vantage.planning.agents.doer_openings import Openings
from vantage.planning.agents.doer_permits import Permits
from vantage.planning.agents.doer_plans import plan_of, touched_by, tried_in_vain
from vantage.planning.agents.doer_reading import TaskReader, errand_answer, missing_of, task_of
from vantage.planning.agents.doer_rooms import RoomLooks
from vantage.planning.agents.doer_search import LabelSearch
from vantage.planning.agents.search_targets import OBJECT_WORTH, inside_of
from vantage.planning.controls import Control
from vantage.planning.execution import (
    ActionBody,
    Belief,
    Effect,
    believed,
    effects_after,
    gone_after,
    is_dropped,
)
from vantage.planning.goals import Outcome, Plan, PlannedAction, Verb
from vantage.planning.guard import read_robot
from vantage.planning.needs import Need
from vantage.planning.skills import Skill, SkillResult
from vantage.types import (
    Answer,
    Command,
    Decision,
    Done,
    Episode,
    Observation,
    Point,
    Question,
    SearchView,
    StepResult,
)
from vantage.worlds import Warrant, WorldInfo

SOURCE = "planner"  # under which episodes command

Stage = Callable[[Observation, StepResult | None], Command | None]


class DoerAgent(LabelSearch):
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
        self._permits = Permits(SOURCE)

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._body: ActionBody | None = make_body(
            self._settings, info, episode.start, self._qa, self._coverage, self._actions, self, lambda: self._left
        )
        self._given = 0  # commands of the episode
        self._effects: list[Effect] = []
        self._gone: set[int] = set()
        self._permits.forget()
        self._near = ""
        self._forget_task()

    def begin_phase(self, episode: Episode) -> None:
        super().begin_phase(episode)
        if episode.restored:
            self._effects, self._gone = [], set()
        self._forget_task()

    def _forget_task(self) -> None:
        self._openings = Openings(
            self, self._body, self._reader.guard, self._qa.memory, self._coverage, lambda: self._belief
        )
        self._stage: Stage = self._seek
        self._end: End | None = None
        self._why = ""
        self._goal, self._ruling = Goal(), Ruling(Feasibility.UNKNOWN)
        self._known: frozenset[str] = frozenset()  # labels of the belief that was ruled on
        self._steps_left: list[PlannedAction] = []
        self._action: PlannedAction | None = None
        self._deeds = Deeds()
        self._looked_for: dict[str, None] = {}
        self._look_for(())
        self._closer = None if self._body is None else CloserLooks(self._body, self._qa.memory)
        self._searched, self._replans = False, 0
        self._avoided: set[int] = set()  # what was tried in vain
        self._rooms = RoomLooks(self._qa.memory, self._coverage)
        self._ending: tuple[End, str] | None = None  # how the task ends once what was opened in search is closed
        self._tidying = False
        self._plan = []

    # What the world and people are told -----------------------------------------------------------------------------

    def warrants(self) -> tuple[Warrant, ...]:
        """See ``Warranted``."""
        return self._permits.issued()

    def refusal(self, skill: Skill, command: Command) -> str:
        """The guard in the door of skills: see ``planning.skills.Guard``."""
        return self._permits.refusal(skill, command)

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
            kept = KEPT if self._may_close and self._openings.is_near(observation) else 0
            if self._left <= kept:
                self._finish(End.BUDGET, f"the {self._episode.max_steps} steps of the task are used up")
                continue
            command = self._stage(observation, last)
            if command is not None:
                return command
        return None

    def _finish(self, end: End, why: str = "") -> Command | None:
        """The task is over, once what was opened in search is closed, where a step is left for that."""
        if end is End.DONE and self._deeds.doubt:
            end, why = End.FAILED, self._deeds.doubt
        self._ending = self._ending or (end, why)
        if self._openings.open and self._may_close and self._left > 0:
            self._tidying, self._stage = True, self._put_away
        else:
            self._end, self._why = self._ending
        return None

    @property
    def _may_close(self) -> bool:
        """Whether what was opened in search may still be closed: a hand is free, and nobody stopped it."""
        return not (self._tidying or self._deeds.halted or self._deeds.holding)

    def _put_away(self, observation: Observation, last: StepResult | None) -> Command | None:
        wanted = objects_of(self._goal) if self._ending and self._ending[0] is End.DONE else ()
        self._steps_left, self._action = self._openings.to_close(wanted, observation), None
        self._stage = self._do
        return None

    # Looking ----------------------------------------------------------------------------------------------------------

    def _seek(self, observation: Observation, last: StepResult | None) -> Command | None:
        """Look for what the words name and was not seen."""
        lost = missing_of(self._task, self._belief, self._ruling, self._known)
        if self._openings.busy:
            command = self._openings.next(observation, last, lost)
            if command is not None:
                return command
            self._plan, self._exhausted = [], False
        if lost and not self._searched and self._steps < SEARCH * self._episode.max_steps:
            self._look_for(lost)
            early, late = (self._steps >= share * self._episode.max_steps for share in (OPENING, OPENING_ANY))
            if early and self._openings.begin(lost, observation, self._task.text, late):
                return None
            self._looked_for |= dict.fromkeys(lost)
            command = self._next_look(observation)
            if command is not None:
                return command
            if self._openings.begin(lost, observation, self._task.text, True):
                return None
            self._searched = True
        self._plan = []
        self._stage = self._look_closer
        return None

    def look_inside(self, observation: Observation, low: Point, high: Point, front: Point | None) -> Command | None:
        """See ``Hands``."""
        return self._look(observation, [inside_of(low, high, front)], None, "looking inside", LOOKED_IN * OBJECT_WORTH)

    def would_pass(self, lost: str) -> bool:
        """See ``Hands``."""
        return self._reader.would_pass(self._task, self._belief.facts, lost)

    def opened(self, action: PlannedAction, result: SkillResult) -> None:
        """See ``Hands``."""
        self._note(action, result, search=True)

    def _look_closer(self, observation: Observation, last: StepResult | None) -> Command | None:
        """Look from near at things that the words name."""
        if self._closer is not None and self._steps < CLOSER * self._episode.max_steps:
            command = self._closer.next(observation, last, self._task, self._belief)
            if command is not None:
                if self._closer.at is not None:
                    self._view = SearchView((observation.viewpoint,), (self._closer.at.center,), "looking closer")
                return command
        self._stage = self._judge
        return None

    # Understanding ----------------------------------------------------------------------------------------------------

    @property
    def _belief(self) -> Belief:
        return believed(self._qa.memory, self._effects, self._gone)

    @property
    def _task(self) -> TaskText:
        return task_of(self._open[0].text)

    def _judge(self, observation: Observation, last: StepResult | None) -> Command | None:
        """Interpret the task in the scene as it is believed to be, and have the guard rule on its goal."""
        belief = self._belief
        try:
            missing = missing_of(self._task, belief, self._ruling, self._known)
            saw_all = self._searched and self._exhausted  # no further look would show more
            self._goal, self._ruling = self._reader.read(self._task, belief.facts, saw_all, missing)
            self._known = belief.labels
        except (ModelError, MissingExtraError) as error:
            return self._finish(End.UNREAD, str(error))
        if self._ruling.passes:
            self._stage = self._make_plan
        elif self._ruling.feasibility is Feasibility.UNKNOWN and not self._searched:
            self._stage = self._seek
            if (
                not missing_of(self._task, belief, self._ruling, self._known)
                or self._steps >= SEARCH * self._episode.max_steps
            ):
                self._searched = True
        else:
            self._finish(End.HELD_BACK, self._ruling.words)
        return None

    # Doing ------------------------------------------------------------------------------------------------------------

    def _make_plan(self, observation: Observation, last: StepResult | None) -> Command | None:
        belief = self._belief
        if holds_in(self._goal, belief.facts):
            return self._finish(End.DONE)
        self._deeds.follow(self._goal, belief.facts)
        if self._body is None:
            return self._finish(End.UNPLANNED, "Nothing in this world is moved by a hand; take another --world.")
        plan = plan_of(self._goal, belief, self._robot, self._near, self._avoided)
        if plan.outcome is not Outcome.FOUND:
            return self._finish(End.UNPLANNED, f"{plan.outcome.value}: {plan.reason}")
        if self._rooms.begin(plan.actions, belief) and self._steps < CLOSER * self._episode.max_steps:
            self._stage = self._explore_room
            return None
        self.permit(self._ruling, plan, observation, self._task.text)
        self._steps_left, self._action = list(plan.actions), None
        self._stage = self._do
        return None

    def _explore_room(self, observation: Observation, last: StepResult | None) -> Command | None:
        """See what is in a room into which something shall be brought, until something there bears it."""
        weights, doing = self._rooms.next(self._belief), f"exploring the {self._rooms.room}"
        command = None if weights is None else self._look(observation, [], weights, doing)
        if command is None:
            self._rooms.give_up()
            self._stage = self._make_plan
        return command

    def permit(self, ruling: Ruling, plan: Plan, observation: Observation, goal: str) -> None:
        """See ``Hands``: the guard's warrant for the things of a plan, by their kinds."""
        names, episode = touched_by(plan, self._belief), self._episode.episode_id
        self._permits.issue(ruling, plan, episode_id=episode, goal=goal, names=names, issued=observation.stamp)

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
        self._action = None
        keys = self._note(action, result)
        if result.done:
            return
        self._why = f"{action} failed: {result.reason}"
        if self._tidying:
            self._steps_left = [] if self._deeds.halted else self._steps_left
            return
        if self._deeds.halted:
            self._finish(End.FAILED, self._why)
            return
        self._avoided |= tried_in_vain(action, keys, result)
        self._gone |= gone_after(self._qa.memory, action, keys, result)
        self._try_again(self._why)

    def _try_again(self, why: str) -> None:
        """Judge and plan anew, as often as is allowed."""
        if self._replans >= self._settings.agent.replans:
            self._finish(End.FAILED, why)
            return
        self._replans += 1
        self._stage = self._judge

    def _note(self, action: PlannedAction, result: SkillResult, search: bool = False) -> list[int]:
        """Remember what an action changed; returns the identities of its things."""
        belief = self._belief
        keys = [belief.key(name) for name in action.objects]
        if result.done and action.verb is Verb.GO_TO:
            self._near = action.objects[0]
        memory, searches = self._qa.memory, search or self._tidying
        self._effects = effects_after(self._effects, memory, action, keys, result)
        dropped = is_dropped(memory, action, keys[0], result)
        self._deeds.add(self._given, action, result, self._belief.facts, searches, dropped)
        return keys

    def _check_end(self, observation: Observation, last: StepResult | None) -> Command | None:
        if self._tidying or holds_in(self._goal, self._belief.facts):
            return self._finish(End.DONE)
        self._try_again("the goal is not reached after all that was planned")
        return None

    # Telling ----------------------------------------------------------------------------------------------------------

    def _told(self, question: Question) -> Answer:
        """How the task ended."""
        end = self._end or End.HELD_BACK
        if self._end is None:
            self._ruling, self._why = Ruling.of([Reason(ReasonKind.NO_GOAL)]), "The task is empty."
        errand = Errand(end, tuple(self._deeds.told), tuple(self._looked_for), self._replans, self._why)
        model, unseen = f"{self._settings.agent.model}/{self.name}", self._deeds.doubt
        return errand_answer(question, errand, self._goal, self._ruling, model, unseen)
