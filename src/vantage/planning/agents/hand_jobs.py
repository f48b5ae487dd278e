"""What the hand could do: open closed things and weigh small ones; what each is expected to cost, and what failed."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from vantage.perception import HANGING, LARGE
from vantage.perception.map import ObservedObject, ObservedScene
from vantage.planning.skills import Situation, neighbours

OPEN, WEIGH, FREE = "open", "weigh", "free"

_TRIES = 2  # failures after which a thing is left alone
_USUAL = MappingProxyType({OPEN: 45.0, WEIGH: 75.0})  # steps that each takes, without the way there, as it is thought
_TRUSTED = 2.0  # successes that this is worth, next to those that were had
_WEIGHING_BESIDE = 25.0  # steps that weighing a neighbour takes on top of that
_BESIDE = 4  # neighbours that are weighed in one go, at the most
_PATIENT = 2.5  # times the steps that a job is expected to take, after which it is given up
_DEAREST = 65.0  # steps that count for this at the most
_WORTH = MappingProxyType({OPEN: 3.0, WEIGH: 1.0})  # of what may be learnt while nothing is asked
_AROUND = 0.65  # m from a thing at which the base stands to reach it
_DIRECTIONS = 12  # around a thing, in which a place before it is looked for
_TURNS = 4.0  # actions of turning on a way
_LARGEST = 0.45  # m: what is longer along two sides is not lifted
_LOWEST, _HIGHEST = -0.05, 1.6  # m above the floor, between which the hand works
_BUILT = frozenset({"wall", "floor", "ceiling", "doorway"})
_AS_NEAR = 0.4  # m that handles may be farther away than others that are opened later
_SAME_PLACE = 0.05  # m from where a compartment has its handle, within which it is that of it
_NEVER_OPENED = frozenset({"window", "toilet"})  # nothing is kept behind them


@dataclass(frozen=True)
class Job:
    """Something to do with the hand.

    Attributes:
        what: of ``OPEN``, ``WEIGH`` and ``FREE``.
        key: identity of the thing.
        cost: steps that it is expected to take.
        then: neighbours that are weighed in the same go.
        handle: identity of the handle by which it is opened.
    """

    what: str
    key: int
    cost: float
    then: tuple[int, ...] = ()
    handle: int = 0

    @property
    def rate(self) -> float:
        """What may be learnt a step while nothing is asked."""
        return _WORTH[self.what] * (1 + len(self.then)) / self.cost

    @property
    def patience(self) -> float:
        """Steps after which it is given up; without those for neighbours (``beside``)."""
        if self.what == FREE:
            return math.inf
        return _PATIENT * min(self.cost - _WEIGHING_BESIDE * len(self.then), _DEAREST)

    @property
    def beside(self) -> float:
        """How many more it may take once the thing itself was weighed."""
        return _PATIENT * _WEIGHING_BESIDE * len(self.then)

    def among(self, wanted: set[int]) -> Job:
        """The same with those neighbours alone that are wanted."""
        then = tuple(key for key in self.then if key in wanted)
        return Job(self.what, self.key, self.cost - _WEIGHING_BESIDE * (len(self.then) - len(then)), then)


class HandJobs:
    """All that could be opened and weighed, as far as is known.

    Args:
        now: what the hand goes by.
        translation: m that the base moves in a step.
    """

    def __init__(self, memory: ObservedScene, now: Situation, translation: float) -> None:
        self._memory, self._now, self._translation = memory, now, translation
        self._failed: Counter[tuple[str, int]] = Counter()
        self._done: set[tuple[str, int]] = set()
        self._opened: set[int] = set()
        self._spent: Counter[str] = Counter()  # steps beyond the ways and neighbours of jobs, by what was done
        self._won: Counter[str] = Counter()

    def succeeded(self, job: Job, steps: int) -> None:
        """It was done in so many steps."""
        if job.what == OPEN:
            self._opened.add(job.key)
        else:
            self._done.add((job.what, job.key))
        self._won[job.what] += 1
        self._count(job, steps)

    def failed(self, job: Job, is_final: bool, steps: int) -> None:
        """It was not, after so many steps; ``is_final`` where another try would not do better."""
        self._failed[job.what, job.key] += _TRIES if is_final else 1
        self._count(job, steps)

    def _count(self, job: Job, steps: int) -> None:
        self._spent[job.what] += max(0, round(steps - _WEIGHING_BESIDE * len(job.then)))

    def _usual(self, what: str) -> float:
        """Steps for each success, by what it took so far: what mostly fails is put off."""
        return (_TRUSTED * _USUAL[what] + self._spent[what]) / (_TRUSTED + self._won[what])

    def left(self) -> list[Job]:
        """Those with a known way there that were neither done nor failed too often."""
        jobs = []
        small = [obj for obj in self._memory.objects if self._is_left(WEIGH, obj) and self._can_weigh(obj)]
        for obj in small:
            beside = tuple(other.instance_id for other in neighbours(obj, small)[:_BESIDE])
            cost = self._usual(WEIGH) + _WEIGHING_BESIDE * len(beside) + self._way_to(obj)
            jobs.append(Job(WEIGH, obj.instance_id, cost, beside))
        for obj in self._memory.objects:
            if self._is_left(OPEN, obj) and (handle := self._shut_handle(obj)):
                jobs.append(Job(OPEN, obj.instance_id, self._usual(OPEN) + self._way_to(obj), handle=handle))
        return [job for job in jobs if math.isfinite(job.cost)]

    def _is_left(self, what: str, obj: ObservedObject) -> bool:
        key = what, obj.instance_id
        return key not in self._done and self._failed[key] < _TRIES

    def _shut_handle(self, obj: ObservedObject) -> int:
        """The handle by which a thing is opened next: of those behind which nobody looked and that are about as near as
        any, the lowest, for a drawer hides those below it; 0 for none."""
        if obj.label in _NEVER_OPENED or not ("closed" in obj.states or obj.instance_id in self._opened):
            return 0
        shut, here = self._memory.inside_of(obj).shut, self._now.here.position
        left = [
            (round(math.dist(handle.center[:2], here[:2]) / _AS_NEAR), handle.center[2], handle.key)
            for handle in self._memory.handles_of(obj)
            if any(math.dist(handle.center, place) < _SAME_PLACE for place in shut)
        ]
        return min(left, default=(0, 0.0, 0))[2]

    def _can_weigh(self, obj: ObservedObject) -> bool:
        memory = self._memory
        if obj.label in LARGE | HANGING | _BUILT or obj.mass is not None or obj is memory.held:
            return False
        size = np.sort(np.subtract(obj.bounds_max, obj.bounds_min))
        top = obj.bounds_max[2] - memory.floor_level
        if size[1] > _LARGEST or not _LOWEST < top < _HIGHEST:
            return False
        placement = memory.support_of(obj)
        if placement is None or placement.relation != "in":
            return placement is not None
        holder = memory.get(placement.key)
        return holder is None or "closed" not in holder.states

    def _way_to(self, obj: ObservedObject) -> float:
        """Steps to where the hand gets at a thing; infinite where no way there was seen."""
        floor, (x, y, _) = self._now.floor, obj.center
        wide, deep = (0.5 * np.subtract(obj.bounds_max, obj.bounds_min)[:2]).tolist()
        costs = []
        for angle in np.linspace(0.0, 2.0 * math.pi, _DIRECTIONS, endpoint=False).tolist():
            c, s = math.cos(angle), math.sin(angle)
            edge = min(wide / max(abs(c), 1e-6), deep / max(abs(s), 1e-6))  # from the middle of the box to its side
            costs.append(floor.cost((x + (_AROUND + edge) * c, y + (_AROUND + edge) * s)))
        return min(costs) / self._translation + _TURNS
