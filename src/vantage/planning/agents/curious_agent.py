"""The curious agent: sees all it can, opens what is closed, weighs what it can lift, and comes back for what is asked.

While nothing is asked it looks wherever most unknown space would be seen; then it opens closed furniture and looks into
it, and lifts small things to learn what they weigh, the nearest first. Once it knows the questions and may go in again,
it does what is expected to win most answers per step, and is done when nothing pays any more (``reentry``).

Its skills are carried out in parts no larger than single actions, so that they cost as many steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.answering import Assessment, LookAt
from vantage.config import Settings
from vantage.perception.map import CoverageMap
from vantage.planning.agents.hand_jobs import FREE, OPEN, WEIGH, HandJobs, Job
from vantage.planning.agents.reentry import Reentry
from vantage.planning.agents.search_agent import SearchAgent, by_height
from vantage.planning.agents.search_targets import Target
from vantage.planning.skills import (
    Failure,
    GetFree,
    HouseBody,
    Open,
    Situation,
    Skill,
    SkillDoor,
    SkillResult,
    UnitSteps,
    Weigh,
    space_of,
)
from vantage.planning.view_planning import Goal, ViewPlanner
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import (
    Command,
    Decision,
    Done,
    Episode,
    Observation,
    Question,
    SearchView,
    Status,
    StepResult,
)
from vantage.worlds import WorldInfo

_MOST_COMMANDS = 150  # of one skill, as skills ask for them
_ROOMFUL = 10.0  # liters of unknown space in a look that are worth as much as 1: all else follows from what was seen
_LOOKS = 10  # actions of looking into what was opened, at the most
_INSIDE_NEAR = 1.2  # m from which the inside of what was opened is seen well
_LOOK_GAIN = 0.5  # of what a look is expected to win, next to what a skill finds out for sure
_BY_HAND = MappingProxyType({LookAt.OPEN: OPEN, LookAt.WEIGH: WEIGH})
_QUESTIONS = 4  # of the least certain, for which a look is planned at a time
_AT_ONCE = 4  # actions of a plan that are taken at the least before it is made anew
_INSIDE_WORTH = 1500.0  # of a look at all that was not seen of the inside of what was opened, in weighted voxels
_LEVEL = 1e-3  # rad off a heading that count as on it
_ENTANGLED = frozenset({Failure.STUCK, Failure.TIMED_OUT})
_HALTS = frozenset({Failure.REFUSED, Failure.STOPPED})


class CuriousAgent(SearchAgent):
    """Needs a world with depth and a hand, and a perceiver; without a hand it looks as ``search`` does.

    ``hands_off`` of the settings' group ``agent`` keeps it from touching anything.
    """

    name = "curious"

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._has_hand = "touch" in info.senses and not self._settings.agent.hands_off
        self._hand = self._make_hand(info) if self._has_hand else None
        self._turn = self._settings.actions.rotation
        self._job: Job | None = None
        self._begun = 0  # steps of the phase when it began
        self._jobs: HandJobs | None = None
        if self._hand is not None:
            self._jobs = HandJobs(self._qa.memory, self._hand.situation, self._actions.translation)
        self._looking: tuple[int, int] | None = None  # into what, and how many more looks
        self._is_aligned = self._is_aligning = False
        self._again = Reentry(self._qa.assess, self._settings.agent.step_discount)
        self._pursued: Question | None = None

    def begin_phase(self, episode: Episode) -> None:
        super().begin_phase(episode)
        self._job = self._looking = self._pursued = None
        self._is_aligned = False
        self._again.asked(episode.questions, self._stamp)

    def _make_hand(self, info: WorldInfo) -> SkillDoor:
        settings = self._settings
        actions = settings.actions
        units = UnitSteps(actions.translation, actions.rotation, actions.hand_step, actions.wrist_turn)
        shared = self._qa.memory, self._coverage
        body, grasp = HouseBody(settings.house.robot), settings.house.grasp
        situation = Situation(self._qa.perceiver, info, body, grasp=grasp, shared=shared)
        return SkillDoor(situation, most_commands=_MOST_COMMANDS, units=units)

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        super()._take_in(observation, last)
        if self._hand is not None:
            self._hand.situation.take_in(observation, last)

    def _space(self, episode: Episode, info: WorldInfo) -> CoverageMap:
        """As fine as skills need it, where there is a hand."""
        if "touch" not in info.senses:
            return super()._space(episode, info)
        return space_of(info, episode.start)

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        if self._open:
            return super().act(observation, last)
        if observation.stamp != self._stamp:
            self._take_in(observation, last)
        command = None
        if self._steps < self._episode.max_steps:
            command = self._next_command(observation, last)
        if command is None:
            return Done()
        self._steps += 1
        return command

    # What comes next ------------------------------------------------------------------------------------------------

    def _next_command(self, observation: Observation, last: StepResult | None) -> Command | None:
        while True:
            if self._job is not None and self._hand is not None:
                told = self._overdue() or self._hand.next(observation, last)
                if not isinstance(told, SkillResult):
                    return told
                self._conclude(told, observation)
                if told.failure in _HALTS:
                    return None
            aligned = self._alignment(observation, last)
            if aligned is not None:
                return aligned
            action = self._look_inside(observation)
            if action is None:
                action = self._look_again(observation) if self._again.questions else self._exploration(observation)
            if action is not None:
                decision = self._actions.decision(action, observation.viewpoint)
                return decision if isinstance(decision, Command) else None
            if self._job is None:
                return None

    def _exploration(self, observation: Observation) -> str | None:
        """The next look, or None once a job was begun or nothing is left: whatever tells most per step."""
        if self._plan:
            return self._plan.pop(0)
        goal = self._planner.choose(observation.viewpoint, observation.intrinsics, self._left, self._unknown)
        rate = 0.0
        if goal is not None and goal.actions:
            rate = goal.worth / (_ROOMFUL * len(goal.actions))
        jobs = [job for job in self._left_jobs if job.cost <= self._left]
        job = max(jobs, key=lambda each: each.rate, default=None)
        if job is not None and job.rate > rate:
            self._begin(job, observation)
            return None
        if goal is None or not goal.actions:
            return None
        self._plan = _first_part(goal)
        self._view = SearchView(goal.path, (), "looking at what was not seen yet", worth=goal.worth)
        return self._plan.pop(0)

    def _unknown(self, leads: bool) -> NDArray[np.float32]:
        """Weights of all voxels: how many liters each holds, most of them low."""
        liters = (10.0 * self._coverage.voxel) ** 3
        return by_height(self._coverage, self._qa.memory.floor_level, liters)

    def _look_again(self, observation: Observation) -> str | None:
        """The same where questions are known: what wins most per step, as long as that pays."""
        if self._plan and self._pursued is not None:
            return self._plan.pop(0)
        again, stamp = self._again, self._stamp
        found, now = again.assessments(stamp), again.certainties(stamp)
        best: tuple[float, Job | Goal, Question | None] = 0.0, Job("", 0, 0.0), None
        for job, questions, waiting in self._wanted_jobs(found):
            gain = again.gain(questions, stamp, waiting)
            if job.cost <= self._left and gain / job.cost > best[0] and again.pays(gain, job.cost, stamp):
                best = gain / job.cost, job, None
        for question in sorted(again.questions, key=lambda each: now[each.question_id])[:_QUESTIONS]:
            if all(hint.what in _BY_HAND for hint in found[question.question_id].look_for):
                continue
            goal = self._choose(observation, question)
            if goal is None or not goal.actions or self._is_vain(question):
                continue
            gain, cost = _LOOK_GAIN * again.gain([question], stamp), float(len(goal.actions))
            if gain / cost > best[0] and again.pays(gain, cost, stamp):
                best = gain / cost, goal, question
        chosen, self._pursued = best[1:]
        if isinstance(chosen, Job):
            if chosen.what:
                self._begin(chosen, observation)
            return None
        self._plan = _first_part(chosen)
        return self._plan.pop(0)

    def _wanted_jobs(self, found: Mapping[str, Assessment]) -> Iterator[tuple[Job, list[Question], dict[str, int]]]:
        """Jobs that questions wait for, with these questions and how many jobs each of them waits for."""
        by_key = {(job.what, job.key): job for job in self._left_jobs}
        wanting: dict[tuple[str, int], list[Question]] = {}
        waiting: dict[str, int] = {}
        for question in self._again.questions:
            hints = {
                (_BY_HAND[hint.what], hint.instance_id)
                for hint in found[question.question_id].look_for
                if hint.what in _BY_HAND
            }
            hints &= by_key.keys()
            waiting[question.question_id] = len(hints)
            for hint in hints:
                wanting.setdefault(hint, []).append(question)
        small = {key for what, key in wanting if what == WEIGH}
        for hint, questions in wanting.items():
            yield by_key[hint].among(small), questions, waiting

    # Jobs of the hand -----------------------------------------------------------------------------------------------

    @property
    def _left_jobs(self) -> list[Job]:
        return [] if self._jobs is None else self._jobs.left()

    def _begin(self, job: Job, observation: Observation) -> None:
        assert self._hand is not None
        obj = self._qa.memory.get(job.key)
        label = "it" if obj is None else f"the {obj.label}"
        skill: Skill
        if job.what == FREE:
            skill, doing = GetFree(), "getting free"
        elif job.what == OPEN:
            skill, doing = Open(job.key, job.handle), f"opening {label}"
        else:
            skill, doing = Weigh(job.key, job.then), f"weighing {label}"
        self._view = SearchView((observation.viewpoint,), () if obj is None else (obj.center,), doing)
        self._hand.begin(skill)
        self._job, self._plan, self._pursued = job, [], None
        self._begun = self._steps

    def _conclude(self, result: SkillResult, observation: Observation) -> None:
        job, self._job = self._job, None
        assert job is not None
        assert self._jobs is not None
        steps = self._steps - self._begun
        if job.what == FREE:
            self._is_aligned = not result.done
            return
        self._is_aligned = False
        if result.done:
            self._jobs.succeeded(job, steps)
            if job.what == OPEN:
                self._looking = job.key, _LOOKS
            return
        self._jobs.failed(job, result.failure in (Failure.OUT_OF_REACH, Failure.TIMED_OUT), steps)
        holds = observation.touch is not None and observation.touch.holds
        if result.failure not in _HALTS and (holds or result.failure in _ENTANGLED):
            self._begin(Job(FREE, 0, 0.0), observation)

    def _overdue(self) -> SkillResult | None:
        """That the job under way took too long, where it did."""
        job = self._job
        if job is None:
            return None
        obj = self._qa.memory.get(job.key)
        most = job.patience + (0.0 if obj is None or obj.mass is None else job.beside)
        if self._steps - self._begun <= most:
            return None
        return SkillResult(Failure.TIMED_OUT, f"it took more than {most:.0f} steps")

    # Looking between jobs -------------------------------------------------------------------------------------------

    def _alignment(self, observation: Observation, last: StepResult | None) -> Command | None:
        """Back to a heading and a tilt from which actions lead along the lattice that looks are planned on."""
        if self._is_aligned:
            return None
        if self._is_aligning and last is not None and last.status is not Status.DONE:
            self._is_aligning, self._is_aligned = False, True  # unless it gets free
            if self._hand is not None:
                self._begin(Job(FREE, 0, 0.0), observation)
            return None
        self._is_aligning = True
        here, there = observation.viewpoint, _on_grid(observation.viewpoint, self._turn)
        if abs(wrap_angle(there.yaw - here.yaw)) > _LEVEL:
            return Command(target=replace(here, yaw=there.yaw))
        if abs(there.pitch - here.pitch) > _LEVEL:
            return Command(target=replace(here, pitch=there.pitch))
        self._is_aligning, self._is_aligned = False, True
        self._planner = ViewPlanner(self._actions, self._info, there, self._coverage)
        return None

    def _look_inside(self, observation: Observation) -> str | None:
        """The next action of looking into what was opened."""
        if self._looking is None:
            return None
        key, left = self._looking
        obj = self._qa.memory.get(key)
        unseen = () if obj is None else self._qa.memory.inside_of(obj).unseen
        goal = None
        if unseen and left > 0:
            inside = partial(self._wanted, [Target(np.array(unseen), _INSIDE_WORTH, _INSIDE_NEAR, 1.0)])
            goal = self._planner.choose(observation.viewpoint, observation.intrinsics, left, self._nothing, inside)
        if goal is None or not goal.actions:
            self._looking = None
            return None
        self._looking = key, left - 1
        self._view = SearchView(goal.path, (obj.center,) if obj else (), "looking into what was opened", goal.worth)
        return goal.actions[0]

    def _nothing(self, leads: bool) -> NDArray[np.float32]:
        return np.zeros(self._coverage.shape, np.float32)


def _on_grid(view: Viewpoint, turn: float) -> Viewpoint:
    """With the nearest heading and tilt that are whole turns of an action."""
    return replace(view, yaw=wrap_angle(turn * round(view.yaw / turn)), pitch=turn * round(view.pitch / turn))


def _first_part(goal: Goal) -> list[str]:
    """The actions that are taken before a plan is made anew: half of a long way, so that it never goes to and fro."""
    return list(goal.actions)[: max(_AT_ONCE, len(goal.actions) // 2)]
