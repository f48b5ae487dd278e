"""The curious agent: sees all it can, opens what is closed, weighs what it can lift, and comes back for what is asked.

While nothing is asked it looks wherever most unknown space would be seen; then it opens closed furniture and looks into
it, and lifts small things to learn what they weigh, the nearest first. Once it knows the questions and may go in again,
it does what is expected to win most answers per step, and is done when nothing pays any more (``reentry``).

Its skills are carried out in parts no larger than single actions, so that they cost as many steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.answering import LookAt, LookFor
from vantage.config import Settings
from vantage.perception.map import CoverageMap
from vantage.planning.agents.hand_jobs import FREE, OPEN, WEIGH, HandJobs, Job
from vantage.planning.agents.reentry import Reentry, Stake
from vantage.planning.agents.search_agent import SearchAgent, by_height, interest
from vantage.planning.agents.search_targets import Target
from vantage.planning.agents.shared_looks import WHOLE, Wanted, shared
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
    Answer,
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
_LOOK = "look"  # beside jobs, what may be done
_LOOK_GAIN = 0.5  # of what a look is expected to win, next to what a skill finds out for sure
_BY_HAND = MappingProxyType({LookAt.OPEN: OPEN, LookAt.WEIGH: WEIGH})
_SPACE = 500.0  # liters of unknown space in which what is looked for is as likely as at all places known
_HANDLE_FROM = 1.2  # m from which a handle is made out
_HASTE = 0.65  # of the patience with a job, where each step lessens what is won
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
        self._forget_jobs()
        self._looking: tuple[int, int] | None = None  # into what, and how many more looks
        self._is_aligned = self._is_aligning = False
        self._again = Reentry(self._qa.look_for, partial(self._qa.ask, last=True), self._settings.agent.step_discount)
        self._pursues = False  # the plan is for what questions turn on

    def begin_phase(self, episode: Episode) -> None:
        super().begin_phase(episode)
        self._job = self._looking = None
        self._pursues = self._is_aligned = False
        if episode.restored:
            self._forget_jobs()
        self._again.asked(episode.questions, self._stamp)

    def _forget_jobs(self) -> None:
        """What the hand did and could not do counts no more: nothing is opened, and each thing is where it was."""
        self._tried: set[tuple[str, int]] = set()  # jobs that came to an end
        if self._hand is not None:
            self._jobs = HandJobs(self._qa.memory, self._hand.situation, self._actions.translation)

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

    def _answer(self, question: Question) -> Answer:
        return self._again.answered(question, super()._answer(question))

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
        if self._plan and self._pursues:
            return self._plan.pop(0)
        again, stamp = self._again, self._stamp
        again.concluded(stamp)
        jobs = self._left_jobs
        left = {(job.what, job.key) for job in jobs}
        stakes = [self._doable(stake, left) for stake in again.stakes(stamp)]
        goal = self._joint_view(observation, stakes)
        options: list[tuple[Job | Goal, str, float, float]] = [
            (job, job.what, gain, job.cost) for job, gain in _wanted(jobs, stakes) if job.cost <= self._left
        ]
        if goal is not None and goal.actions:
            most = sum(sum(stake.hints.values()) for stake in stakes)
            gain = _LOOK_GAIN * min(goal.worth / WHOLE, most)
            options.append((goal, _LOOK, gain, float(len(goal.actions))))
        paying = [
            (again.trust(kind) * gain / cost, chosen, kind, gain)
            for chosen, kind, gain, cost in options
            if again.pays(again.trust(kind) * gain, cost, stamp)
        ]
        if not paying:
            return None
        _, chosen, kind, gain = max(paying, key=lambda option: option[0])
        again.begun(kind, gain, stamp)
        if isinstance(chosen, Job):
            self._begin(chosen, observation)
            return None
        self._view = SearchView(chosen.path, (), "looking at what questions turn on", worth=chosen.worth)
        self._plan, self._pursues = _first_part(chosen), True
        return self._plan.pop(0)

    def _doable(self, stake: Stake, left: set[tuple[str, int]]) -> Stake:
        """With what can still be done for it: what is to be opened or lifted, and no way to do so was seen, is looked
        at from near first.

        Args:
            left: what the hand can do, and to what.
        """
        hints: defaultdict[LookFor, float] = defaultdict(float)
        for hint, gain in stake.hints.items():
            job = _BY_HAND.get(hint.what, ""), hint.instance_id
            if hint.what not in _BY_HAND or job in left:
                hints[hint] += gain
            elif self._jobs is not None and job not in self._tried:
                hints[replace(hint, what=LookAt.OBJECT, closeness=_HANDLE_FROM)] += gain
        return stake.kept(hints)

    def _joint_view(self, observation: Observation, stakes: Sequence[Stake]) -> Goal | None:
        """The view that serves all questions best."""
        wishes = []
        for stake in stakes:
            alike: defaultdict[tuple[float, bool], list[LookFor]] = defaultdict(list)
            for hint, gain in stake.hints.items():
                if hint.what not in _BY_HAND:
                    alike[gain, hint.is_lost].append(hint)
            for (gain, lost), hints in alike.items():
                targets = self._targets(stake.question, hints, observation.intrinsics)
                wishes.append(Wanted(targets, gain, lost))
        return self._view_of(observation, shared(wishes), partial(self._unseen_space, stakes))

    def _unseen_space(self, stakes: Sequence[Stake], leads: bool) -> NDArray[np.float32]:
        """Weights of all voxels for what may be anywhere."""
        by_labels: defaultdict[tuple[str, ...], float] = defaultdict(float)
        for stake in stakes:
            for hint, gain in stake.hints.items():
                if hint.is_lost:
                    by_labels[self._wanted_labels(stake.question, [hint])] += gain
        weights = np.zeros(self._coverage.shape, np.float32)
        liters = (10.0 * self._coverage.voxel) ** 3
        for labels, gain in by_labels.items():
            weights += (gain * WHOLE * liters / _SPACE) * interest(self._coverage, self._qa.memory, labels, leads)
        return weights

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
        self._job, self._plan, self._pursues = job, [], False
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
        self._tried.add((job.what, job.key))
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
        if self._again.questions:
            most *= _HASTE
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


def _wanted(jobs: Sequence[Job], stakes: Sequence[Stake]) -> Iterator[tuple[Job, float]]:
    """Jobs that questions wait for, with what each may win."""
    gains: defaultdict[tuple[str, int], float] = defaultdict(float)
    for stake in stakes:
        for hint, gain in stake.hints.items():
            if hint.what in _BY_HAND:
                gains[_BY_HAND[hint.what], hint.instance_id] += gain
    small = {key for what, key in gains if what == WEIGH}
    for job in jobs:
        if (job.what, job.key) in gains:
            job = job.among(small) if job.what == WEIGH else job
            yield job, sum(gains.get((job.what, key), 0.0) for key in (job.key, *job.then))


def _first_part(goal: Goal) -> list[str]:
    """The actions that are taken before a plan is made anew: half of a long way, so that it never goes to and fro."""
    return list(goal.actions)[: max(_AT_ONCE, len(goal.actions) // 2)]
