"""Closed things that a doer opens to look for what it did not find, and closes again.

Only where one thing alone is missing, of a kind that is usually kept in such, where the guard would let the task pass
if it were found, and with a warrant of its own for each; see ``guard.hiding``. What the thing is not in is closed
before something else is opened, and what it was in once the task has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from vantage.goals import Feasibility, Ruling, object_key
from vantage.perception import LARGE
from vantage.perception.map import CoverageMap, ObservedObject, ObservedScene
from vantage.planning.agents.doer_fronts import Box, free_sides, front_of
from vantage.planning.execution import ActionBody, Belief
from vantage.planning.goals import Outcome, Plan, PlannedAction, Verb
from vantage.planning.guard import Guard, may_open_to_look
from vantage.planning.skills import SkillResult
from vantage.types import Command, Observation, Point, StepResult

_MOST = 8  # things that are opened for one task
_NEAR = 2.0  # m from something open within which it is closed before the steps are used up
_PARTS = 4  # doors or drawers of one thing that are opened
_LOOKS = 16  # commands that a look inside may take


class Hands(Protocol):
    """What it has of its doer."""

    def permit(self, ruling: Ruling, plan: Plan, observation: Observation, goal: str) -> None:
        """Have the guard's warrant issued for a plan.

        Args:
            goal: in words.
        """
        ...

    def look_inside(self, observation: Observation, low: Point, high: Point, front: Point | None) -> Command | None:
        """The next command that shows more of a box, m, from the side to which it opens; None where no view would."""
        ...

    def would_pass(self, lost: str) -> bool:
        """Whether the guard would let the task pass, were a thing of this kind found."""
        ...

    def opened(self, action: PlannedAction, result: SkillResult) -> None:
        """What became of an action."""
        ...


class Openings:
    """For one task.

    Attributes:
        open: identities of what was opened and is still open.
    """

    def __init__(
        self,
        hands: Hands,
        body: ActionBody | None,
        guard: Guard,
        memory: ObservedScene,
        coverage: CoverageMap,
        belief: Callable[[], Belief],
    ) -> None:
        self._hands, self._body, self._guard, self._belief = hands, body, guard, belief
        self._memory, self._coverage = memory, coverage
        self._tried: set[int] = set()
        self._actions: list[PlannedAction] = []
        self._under_way: PlannedAction | None = None
        self._lost: tuple[str, ...] = ()
        self._looks = self._parts = 0
        self._box: Box | None = None
        self._fronts: list[Point] = []  # sides from which it is still looked into
        self._key = 0
        self._asked: tuple[str, frozenset[str]] = ("", frozenset())
        self._passes = False
        self._ruling = Ruling(Feasibility.UNKNOWN)  # on what was opened last
        self.open: list[int] = []

    @property
    def busy(self) -> bool:
        """Whether something is being opened, looked into or closed."""
        return bool(self._actions) or self._under_way is not None or self._box is not None

    def begin(self, lost: Sequence[str], observation: Observation, said: str, seldom: bool = False) -> bool:
        """Begin to look into the nearest closed thing that usually keeps what is lost; False where there is none.

        Args:
            said: the task.
            seldom: where none does, also into what may keep it at all.
        """
        if self._body is None or len(lost) != 1 or lost[0] in LARGE or len(self._tried) >= _MOST:
            return False
        belief, here = self._belief(), observation.viewpoint
        closed = [item.name for item in belief.facts.objects if "closed" in item.initial]
        near: list[tuple[float, str, ObservedObject]] = []
        for name in closed:
            obj = self._memory.get(belief.key(name))
            if obj is not None and belief.key(name) not in self._tried and not _is_shut_in(name, belief):
                near.append((float(np.linalg.norm(np.subtract(obj.center, here.position))), name, obj))
        near.sort(key=lambda each: each[:2])
        for _, name, obj, rarely in [(*each, rarely) for rarely in (False, True)[: 1 + seldom] for each in near]:
            ruling = may_open_to_look(self._guard, name, lost[0], belief.facts, said, rarely)
            if ruling is None or not ruling.passes:
                continue
            if not self._is_worth_it(lost[0], belief):
                return False
            self._key, self._lost, self._ruling = belief.key(name), tuple(lost), ruling
            self._tried.add(self._key)
            self._box, self._looks, self._fronts = (obj.bounds_min, obj.bounds_max), 0, []
            self._parts = 1
            self._actions = [PlannedAction(Verb.GO_TO, (name,)), PlannedAction(Verb.OPEN, (name,))]
            shut = PlannedAction(Verb.CLOSE, (name,))
            plan = Plan(Outcome.FOUND, (*self._actions, shut), 3)
            self._hands.permit(ruling, plan, observation, f"look for {lost[0]} in {name}")
            return True
        return False

    def _is_worth_it(self, lost: str, belief: Belief) -> bool:
        """Whether the task would pass, were the thing found: asked anew where other things are known."""
        asked = lost, frozenset(belief.keys)
        if asked != self._asked:
            self._asked, self._passes = asked, self._hands.would_pass(lost)
        return self._passes

    def next(self, observation: Observation, last: StepResult | None, lost: Sequence[str]) -> Command | None:
        """The next command; None where all is done, or was given up.

        Args:
            lost: what is still not found.
        """
        assert self._body is not None
        if tuple(lost) != self._lost and self._is_on_the_way:  # it was seen elsewhere
            self._actions, self._under_way, self._box = [], None, None
        while self._actions or self._under_way is not None:
            if self._under_way is None:
                self._under_way = self._actions.pop(0)
                self._body.begin(self._under_way, self._belief())
            told = self._body.next(observation, last)
            if not isinstance(told, SkillResult):
                return told
            action, self._under_way = self._under_way, None
            self._hands.opened(action, told)
            if not told.done and self._key in self.open and action.verb is Verb.OPEN:
                self._looks, self._parts, self._fronts = _LOOKS, _PARTS, []  # it was looked into by another part
            elif not told.done:
                self._actions, self._box = [], None
            elif action.verb is Verb.OPEN:
                self.open = list(dict.fromkeys((*self.open, self._key)))
                self._fronts = self._seen_fronts()
                if self._box is not None:  # where it was seen closed it is open, and the next views tell what is there
                    self._coverage.forget(*self._box)
            elif action.verb is Verb.GO_TO:
                self._see_box()
            elif action.verb is Verb.CLOSE:
                self.open.remove(self._key)
        if self._box is None:
            return None
        while tuple(lost) == self._lost and self._looks < _LOOKS:
            self._looks += 1
            command = self._hands.look_inside(observation, *self._box, self._fronts[0] if self._fronts else None)
            if command is not None:
                return command
            self._fronts = self._fronts[1:]
            if not self._fronts:
                break
        name = self._belief().name(self._key)
        if tuple(lost) == self._lost and name and self._parts < _PARTS and self._has_another_part():
            self._parts += 1
            self._actions, self._looks = [PlannedAction(Verb.OPEN, (name,))], 0
            return self.next(observation, last, lost)
        self._box = None
        if tuple(lost) == self._lost and name:
            self._actions = [PlannedAction(Verb.CLOSE, (name,))]
            return self.next(observation, last, lost)
        return None

    def _has_another_part(self) -> bool:
        """Whether a hand that opens part by part left one of the thing closed."""
        obj = self._memory.get(self._key)
        inside = None if obj is None else self._memory.inside_of(obj)
        return inside is not None and inside.opened > 0 and bool(inside.shut)

    @property
    def _is_on_the_way(self) -> bool:
        """Whether something is to be opened and nothing was done to it yet."""
        return bool(self._actions) and self._actions[-1].verb is Verb.OPEN

    def _see_box(self) -> None:
        """Its box as it is seen from near, while it is still closed."""
        obj = self._memory.get(self._key)
        if obj is not None and self._box is not None and self._key not in self.open:
            self._box = obj.bounds_min, obj.bounds_max

    def _seen_fronts(self) -> list[Point]:
        """Where its door is seen to stand out; else the sides before which one can stand."""
        obj = self._memory.get(self._key)
        if obj is None or self._box is None:
            return []
        seen = front_of(self._box, (obj.bounds_min, obj.bounds_max))
        return free_sides(self._coverage, self._box) if seen is None else [seen]

    def is_near(self, observation: Observation) -> bool:
        """Whether something that was opened and is still open can be closed within a few commands."""
        here = observation.viewpoint.position
        found = [obj for key in self.open if (obj := self._memory.get(key)) is not None]
        return any(float(np.linalg.norm(np.subtract(obj.center, here))) < _NEAR for obj in found)

    def to_close(self, but: Sequence[str], observation: Observation) -> list[PlannedAction]:
        """What shuts again all that is still open, permitted anew: the plan of the goal may shut nothing.

        Args:
            but: names of what stays as it is.
        """
        belief = self._belief()
        names = [name for key in self.open if (name := belief.name(key)) and name not in but]
        self.open.clear()
        actions = [PlannedAction(verb, (name,)) for name in names for verb in (Verb.GO_TO, Verb.CLOSE)]
        if actions:
            plan = Plan(Outcome.FOUND, tuple(actions), len(actions))
            self._hands.permit(self._ruling, plan, observation, f"close {', '.join(names)} again")
        return actions


def _is_shut_in(name: str, belief: Belief) -> bool:
    """Whether a thing is in something closed, so that nothing gets to it."""
    shut = {object_key(item.name) for item in belief.facts.objects if "closed" in item.initial}
    inside = (fact.objects for fact in belief.facts.facts if fact.holds and fact.predicate == "in")
    return any(object_key(one) == object_key(name) and object_key(other) in shut for one, other in inside)
