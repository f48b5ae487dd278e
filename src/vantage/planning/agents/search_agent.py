"""The search agent: look where the question can be decided, in all five degrees of freedom, and stop when it is.

The value of a look is what it would reveal of what the question cares about, against the actions that it takes.
Whatever the reasoner still wants to see counts most. Unknown space counts by where such objects usually are; in splats
nothing can be opened, but supports are looked at from above and objects from near, below and behind.

``interest`` weights unseen places by how likely they hold what the question asks about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.answering import LookAt, LookFor, understood
from vantage.config import Settings
from vantage.perception import CONTAINERS, HIGH, LARGE, SHELVES, usual_places
from vantage.perception.map import (
    OCCUPIED,
    CoverageMap,
    ObservedScene,
    Place,
    UnsearchedPlace,
    possibly_mislabelled,
    unsearched_places,
    unseen_doorways,
    unseen_walls,
)
from vantage.planning.agents.last_look import LastLook
from vantage.planning.agents.observing_agent import NextBestViewAgent
from vantage.planning.agents.search_targets import LooksTaken, Target, targets_at
from vantage.planning.view_planning import ENOUGH, REACH, Goal, Panorama, near
from vantage.spatial import Intrinsics
from vantage.types import Answer, Episode, Observation, Phase, Point, Question, SearchView, StepResult, Verdict
from vantage.worlds import WorldInfo

_HIGH_HEIGHTS = ((0.6, 0.5), (2.2, 1.0), (np.inf, 0.03))  # the same of objects that hang or stand high
_HEIGHTS = ((1.3, 1.0), (2.3, 0.35), (np.inf, 0.03))  # up to which height (m) unknown space has which weight
_ELSEWHERE = 0.2  # weight of all unknown space while something better leads the search
_OTHER_ROOM = 0.4  # of a kind of room where the object usually is not
_NOT_NAMED = 0.3  # of all other space while a room that the question names is in sight
_LIKELY_ROOM = 3.0
_BEYOND = 1.0  # m around the part of a room that was seen, in which it may go on
_ON_SUPPORT = 3.0  # above a support on which such objects usually are
_ABOVE = 0.5  # m above a support in which objects on it show


def by_height(coverage: CoverageMap, floor: float, weight: float, high: bool = False) -> NDArray[np.float32]:
    """Weights of all voxels: most objects rest low, few under the ceiling."""
    heights = coverage.origin[2] + (np.arange(coverage.shape[2]) + 0.5) * coverage.voxel - floor
    shares = _HIGH_HEIGHTS if high else _HEIGHTS
    tops = np.array([top for top, _ in shares])
    levels = np.array([share for _, share in shares], np.float32)[np.searchsorted(tops, heights)]
    return np.asarray(np.broadcast_to(weight * levels, coverage.shape).astype(np.float32))


def interest(
    coverage: CoverageMap, memory: ObservedScene, labels: Iterable[str], leads: bool, done: Collection[str] = ()
) -> NDArray[np.float32]:
    """Weights of all voxels for a search for objects with these labels, most wanted first; labels may be rooms.

    Args:
        leads: the reasoner knows where to look, so that unknown space elsewhere counts little.
        done: kinds of rooms that were seen as far as that matters, so that the rest of their space counts little.
    """
    labels = tuple(labels)
    high = any(label in HIGH for label in labels[:1])
    weights = by_height(coverage, memory.floor_level, _ELSEWHERE if leads else 1.0, high)
    seen = {obj.label for obj in memory.objects}
    kinds = {room.label for room in memory.rooms}
    missing = [label for label in labels if label not in seen]
    named = [label for label in missing if label in kinds] + [label for label in labels if label in kinds]
    habits = [usual_places(label) for label in missing if label not in kinds]
    rooms = set(named) or {room for habit in habits for room in habit.rooms}
    for room in memory.rooms:
        if room.label in done:
            weights[_block(coverage, room.low, room.high, upwards=np.inf)] *= _ELSEWHERE
    if rooms:
        if named:  # it is here, and not in what was not seen of other rooms
            weights *= _NOT_NAMED
        factors = np.ones(coverage.shape, np.float32)
        likelier_last = sorted(memory.rooms, key=lambda room: room.label in rooms)
        for around in (_BEYOND, 0.0):  # what a room may go on to, and over it what surely is of one
            for room in likelier_last:
                box = _grown(room.low, -around), _grown(room.high, around)
                factors[_block(coverage, *box, upwards=np.inf)] = _LIKELY_ROOM if room.label in rooms else _OTHER_ROOM
        weights *= factors
    supports = {support for habit in habits for support in habit.supports}
    for obj in memory.objects:
        if obj.label in supports:
            weights[_block(coverage, obj.bounds_min, obj.bounds_max, upwards=_ABOVE)] *= _ON_SUPPORT
    return weights


def _grown(corner: Point, by: float) -> Point:
    return corner[0] + by, corner[1] + by, corner[2]


def _block(coverage: CoverageMap, low: Point, high: Point, upwards: float) -> tuple[slice, slice, slice]:
    """The voxels of a box (m) that reaches ``upwards`` m higher."""
    first = np.floor((np.array(low) - coverage.origin) / coverage.voxel)
    last = np.ceil((np.array([high[0], high[1], high[2] + upwards]) - coverage.origin) / coverage.voxel)
    first = np.clip(first, 0, coverage.shape).astype(int)
    last = np.clip(last, 0, coverage.shape).astype(int)
    return slice(first[0], last[0]), slice(first[1], last[1]), slice(first[2], last[2])


_CLOSE = 1.0  # m from which an object is seen well
_FAR = 2.5  # m beyond which nothing is seen well
_TRIED = 0.6  # how well a look must show an object to count as a try
_SURELY = 0.9  # of the distance from which a surface counts as inspected
_OVER_RIM = 0.8  # sine of the angle from which the inside of a container is seen well
_POINT_WORTH = 1500.0  # of a look at all points of a hint at a place, in weighted voxels
_REMNANT = 0.5  # share of that for what is left of a place, at the least
_VAIN = 0.04  # share of that below which further looks at a hint are in vain
_PLACE_WORTH = 250.0  # of a look at all of a support on which an object may lie that was not found
_DOORWAY_WORTH = 300.0  # of a look through an opening behind which nothing was seen
_WALL_WORTH = 150.0  # of a look at all of a side of a room where the object may hang
_SUSPECT_WORTH = 150.0  # of a near look at an object that may have been taken for another
_DOORWAY_NEAR = 1.4  # m from which such a look shows the room rather than a strip of it
_ABSENT = ("no", "0")  # what was not seen may be seen from elsewhere
_PATIENCE = 8  # actions after which a place is given up of which no look would show more
_LEADING = 100.0  # weighted voxels from which on a hint leads the search
_UNTOUCHED = 0.04  # weight of unknown space beside nothing, for an exploration
_BESIDE = 0.4  # m
_AT_OBJECTS = (LookAt.OBJECT, LookAt.SIDES, LookAt.WHOLE)
_BY_HAND = (LookAt.OPEN, LookAt.WEIGH)  # which this agent, that only looks, leaves undone
_REACH_TO_LARGE = 6.0  # m to which a look for furniture counts
_MAX_POINTS = 24


class SearchAgent(NextBestViewAgent):
    """Runs on any world with depth and a perceiver.

    With ``agent.last_look``, an answer is given once the newest view shows what it rests on; see ``LastLook``.
    """

    name = "search"

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._looks = LooksTaken()
        self._vain_since: dict[Place, int] = {}
        self._worth_left: dict[Place, float] = {}
        self._given_up: dict[Place, Target] = {}
        self._sought: list[Target] = []
        self._labels: dict[str, tuple[str, ...]] = {}
        self._last_look = LastLook(self._planner, self._qa) if self._settings.agent.last_look else None

    def begin_phase(self, episode: Episode) -> None:
        super().begin_phase(episode)
        self._forget_vain()

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        """What was looked at and is still open is worth only what another look would show better, and less with each
        look from near: something may hide it."""
        super()._take_in(observation, last)
        if self._last_look is not None:
            self._last_look.take_in(observation, self._detections)
        for target, shown in zip(self._sought, self._shown(observation), strict=True):
            self._looks.add(target, observation.viewpoint.position, shown)

    def _shown(self, observation: Observation) -> list[NDArray[np.bool_]]:
        """Which points of each target that is sought a view shows, those with the same slack in one go."""
        shown: list[NDArray[np.bool_]] = [np.zeros(0, np.bool_)] * len(self._sought)
        by_slack: dict[float, list[int]] = defaultdict(list)
        for number, target in enumerate(self._sought):
            by_slack[target.slack].append(number)
        for slack, numbers in by_slack.items():
            points = np.concatenate([self._sought[number].points for number in numbers])
            seen = self._planner.shows(observation.viewpoint, points, observation.intrinsics, slack)
            ends = np.cumsum([len(self._sought[number].points) for number in numbers])
            for number, part in zip(numbers, np.split(seen, ends[:-1]), strict=True):
                shown[number] = part
        return shown

    def _next_action(self, observation: Observation) -> str | None:
        if self._last_look is None or not self._open or self._open[0].phase == Phase.EXPLORE.value:
            return super()._next_action(observation)
        text = self._open[0].text
        action = None
        if not self._last_look.is_ending(text):
            action = super()._next_action(observation)
            if action is None or self._last_look.is_due(observation, text, self._left):
                self._last_look.begin(text, self._exhausted)
                action = None
            elif any(hint.is_lost for hint in self._hints(self._open[0])) or not self._last_look.may_settle(
                observation, text
            ):
                return action
        least = 0.0 if action is None else ENOUGH  # unless it is time to answer, only a view that shows all is worth it
        goal = self._last_look.goal(observation, text, self._left, least)
        if goal is None:
            return action
        self._plan = []
        self._view = self._last_look.view(goal, text)
        return goal.actions[0]

    def _choose(self, observation: Observation, question: Question) -> Goal | None:
        hints = self._hints(question)
        goal = self._view_of(
            observation,
            self._targets(question, hints, observation.intrinsics),
            partial(self._weights, question),
            np.inf if any(hint.is_lost for hint in hints) else _LEADING,
            self._reach(question),
        )
        if goal is not None:
            hints = self._hints(question)
            points = [point for hint in hints for point in hint.points]
            wanted = ", ".join(dict.fromkeys(hint.label for hint in hints if hint.label))
            doing = f"looking for {wanted}" if wanted else "looking around"
            self._view = SearchView(goal.path, tuple(points[:: 1 + len(points) // _MAX_POINTS]), doing, goal.worth)
        return goal

    def _view_of(
        self,
        observation: Observation,
        targets: list[Target],
        weights: Callable[[bool], NDArray[np.float32]],
        leading: float = np.inf,
        reach: float = REACH,
    ) -> Goal | None:
        """The next view of what is wanted, as ``ViewPlanner.choose``; places that it is in vain to look at are given
        up."""
        wanted_places = {target.place for target in targets}
        targets = [*targets, *(target for place, target in self._given_up.items() if place not in wanted_places)]
        self._sought = targets
        self._worth_left.clear()
        goal = self._planner.choose(
            observation.viewpoint,
            observation.intrinsics,
            self._left,
            weights,
            partial(self._wanted, targets),
            leading,
            reach,
        )
        self._give_up(targets)
        return goal

    def _answer(self, question: Question) -> Answer:
        answer = super()._answer(question)
        self._forget_vain()  # the next question may come after other looks
        return answer

    def _forget_vain(self) -> None:
        """Let places count again that were given up."""
        self._qa.memory.given_up.clear()
        self._given_up.clear()
        self._vain_since.clear()

    def _aim(self, question: Question) -> object:
        return [(hint.what, hint.label, hint.instance_id) for hint in self._hints(question)]

    def _is_vain(self, question: Question) -> bool:
        hints = self._hints(question)
        if question.phase == Phase.EXPLORE.value or any(hint.is_lost for hint in hints):
            return False
        if any(hint.what is LookAt.WHOLE for hint in hints) and self._view.worth >= _LEADING:
            return False  # seen through a gap: what is explored next may show the way to it
        if self._planner.wanted_left >= _VAIN * _POINT_WORTH or self._planner.cramped:
            return False
        guess = self._qa.assess(question.text, exhausted=True)
        return guess.verdict is Verdict.ANSWERED and guess.answer not in _ABSENT

    def _hints(self, question: Question) -> tuple[LookFor, ...]:
        return () if question.phase == Phase.EXPLORE.value else self._qa.look_for(question.text)

    def _weights(self, question: Question, leads: bool) -> NDArray[np.float32]:
        """What unknown voxels are worth. To explore is to see objects from all sides, not to sweep empty space."""
        if question.phase == Phase.EXPLORE.value:
            weights = by_height(self._coverage, self._qa.memory.floor_level, 1.0)
            weights[~near(self._coverage.states == OCCUPIED, round(_BESIDE / self._coverage.voxel))] *= _UNTOUCHED
            return weights
        labels = self._wanted_labels(question, self._hints(question))
        seen = self._rooms_in_sight.intersection(self._labels[question.text]).difference(labels)
        return interest(self._coverage, self._qa.memory, labels, leads, seen)

    def _reach(self, question: Question) -> float:
        """How far a look into unknown space counts, m: what is large is noticed from farther away."""
        lost = [hint.label for hint in self._hints(question) if hint.is_lost]
        return _REACH_TO_LARGE if lost and all(label in LARGE for label in lost) else REACH

    def _places(self, question: Question, hints: Sequence[LookFor]) -> list[UnsearchedPlace]:
        """Where to look closer while nobody knows where something is."""
        if not any(hint.is_lost for hint in hints):
            return []
        lost = [hint.label for hint in hints if hint.is_lost]
        labels = self._wanted_labels(question, hints)
        memory = self._qa.memory
        rooms = [label for label in labels if label in self._rooms_in_sight]
        small = [label for label in ([label for label in lost if label] or labels) if label not in LARGE]
        return unsearched_places(memory, small, rooms) if small else []

    def _wanted_labels(self, question: Question, hints: Sequence[LookFor]) -> tuple[str, ...]:
        if question.text not in self._labels:
            parsed = understood(question.text)
            self._labels[question.text] = () if parsed is None else parsed.labels
        labels = self._labels[question.text]
        if any(hint.what is LookAt.ANYWHERE and not hint.points for hint in hints):
            labels = tuple(label for label in labels if label not in self._rooms_in_sight)  # all of them was seen
        return labels

    @property
    def _rooms_in_sight(self) -> set[str]:
        return {room.label for room in self._qa.memory.rooms}

    def _wanted(
        self, targets: Sequence[Target], panorama: Panorama, positions: NDArray[np.float64]
    ) -> NDArray[np.float32]:
        """Worth of the views (positions, yaws, pitches) for what they show better of the targets than any before."""
        worth = np.zeros((len(positions), len(panorama.yaws), len(panorama.pitches)), np.float32)
        for target in targets:
            each = self._looks.worth(target, positions)
            shown = panorama.points_in_view(self._coverage, positions, target.points, each, target.slack, target.margin)
            most = float(shown.max())
            if target.place is not None:
                self._worth_left.setdefault(target.place, most)  # of all positions, before those on the way to some
            if not target.given_up or most >= _VAIN * _POINT_WORTH:
                worth += target.share * shown
        return worth

    def _give_up(self, targets: Sequence[Target]) -> None:
        """Have the reasoner take a place as it was seen once no look at it has been worth anything for a while; until
        one is, as from a room entered since."""
        for target in targets:
            place = target.place
            if place is None:
                continue
            if self._worth_left.get(place, 0.0) >= _VAIN * _POINT_WORTH:
                self._vain_since.pop(place, None)
                self._given_up.pop(place, None)
                self._qa.memory.given_up.discard(place)
            elif self._steps - self._vain_since.setdefault(place, self._steps) >= _PATIENCE:
                self._given_up[place] = replace(target, given_up=True)
                self._qa.memory.given_up.add(place)

    def _targets(self, question: Question, hints: Sequence[LookFor], camera: Intrinsics) -> list[Target]:
        """What the reasoner wants to see, and where objects may lie that were not found."""
        reach = min(_FAR, self._qa.memory.surfaces.reach(camera))
        found = []
        for hint in hints:
            points = np.array(hint.points[:: 1 + len(hint.points) // _MAX_POINTS])
            if hint.what is LookAt.ANYWHERE or hint.what in _BY_HAND or not len(points):
                continue  # unknown space is weighed as such
            if hint.what in _AT_OBJECTS:
                found += targets_at(hint, camera.fx)
            else:
                worth = _POINT_WORTH * max(hint.left, _REMNANT)
                steep = _OVER_RIM if hint.label in CONTAINERS else 0.0
                found.append(_surface(points, worth, reach, hint.label not in SHELVES, steep, hint.place))
        if any(hint.is_lost for hint in hints):
            for points in unseen_doorways(self._qa.memory, self._coverage):
                found.append(Target(points, _DOORWAY_WORTH, _DOORWAY_NEAR, 1.0))
            if any(hint.label in HIGH for hint in hints):
                for points in unseen_walls(self._qa.memory, self._coverage):
                    found.append(Target(points, _WALL_WORTH, _FAR, 1.0))
            found += [
                Target(np.array([obj.center]), _SUSPECT_WORTH, _CLOSE, _TRIED, key=obj.instance_id)
                for obj in possibly_mislabelled(self._qa.memory, [hint.label for hint in hints])
            ]
        for place in self._places(question, hints):
            worth = _PLACE_WORTH * place.worth
            steep = _OVER_RIM if place.inside else 0.0
            found.append(_surface(place.points, worth, reach, place.from_above or place.inside, steep))
        return found


def _surface(
    points: NDArray[np.float64], worth: float, reach: float, level: bool, steep: float, place: Place | None = None
) -> Target:
    """Points of a support; what is a little nearer than the ``reach`` (m) of inspections is surely inspected."""
    return Target(points, worth, _SURELY * reach, 1.0, level, steep, place=place)
