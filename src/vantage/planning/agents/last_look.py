"""The look at the end: an answer is given from a view that shows what it rests on, as long as the budget allows one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vantage.answering import Answering, Assessment, Basis
from vantage.perception import LIDDED
from vantage.perception.map import CELL, ObservedObject
from vantage.planning.view_planning import ENOUGH, EndView, Face, Goal, Shown, ViewPlanner
from vantage.reader_thresholds import (
    COLOUR_PIXELS,
    CONTENTS_ELEVATION,
    FRONT_ANGLE,
    LETTER_PIXELS,
    PLACE_SHARE,
    PRINT_ANGLE,
    SIZE_PIXELS,
    STATE_PIXELS,
    TOP_SHARE,
)
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Detection, Observation, Point, SearchView, Verdict

_SURE = 0.09  # rad by which a look keeps from an angle at which nothing is told any more
_SPARE = 2  # actions more than the way to an end view takes that are left when it is begun
_INTO = frozenset({"full", "empty"})  # what one sees by looking into an object
_STAINED, _LOW = frozenset({"dirty", "clean"}), 0.3  # what one sees on an object, and so in one that is not as tall, m
_INTO_ANGLE = math.sin(CONTENTS_ELEVATION + _SURE)  # sine of the angle from which one does
_OPENED = frozenset({"open", "closed"})
_BEFORE = math.cos(FRONT_ANGLE - _SURE)  # of the angle from the front within which screens and doors tell a state
_STATE = STATE_PIXELS / SIZE_PIXELS  # times as many pixels tell a state as tell what something is
_FILL = (0.3, 1.0)  # least and largest share of the pixels of its box that an object covers
_LEGIBLE = 1.25 * LETTER_PIXELS  # px: of letters from which on they are read
_BEFORE_PRINT = math.cos(PRINT_ANGLE - _SURE)  # of the angle within which they are
_NEAR = 1e-3  # m or rad: viewpoints that differ by less are the same
_OPEN = (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL, Verdict.NEEDS_CONFIRMATION)

_State = tuple[str, Verdict, str, frozenset[int]]


class LastLook:
    """Holds an answer back until the newest view shows all that it rests on.

    It goes to the view that should show it with few actions, and on to the next one where that does not. A way is gone
    to its end, unless it is closed or something else would be answered by then.
    """

    def __init__(self, planner: ViewPlanner, answering: Answering) -> None:
        self._planner, self._qa = planner, answering
        self._ending: _State | None = None
        self._exhausted = False
        self._way: Goal | None = None
        self._way_of: _State | None = None
        self._settled: set[_State] = set()
        self._looks: dict[Viewpoint, tuple[Observation, dict[int, int]]] = {}

    def take_in(self, observation: Observation, detections: Sequence[Detection]) -> None:
        """Keep a view, with the pixels of what was detected in it by its identity in memory."""
        found = zip(self._qa.memory.newest, detections, strict=True)
        view = replace(observation, rgb=observation.rgb[:0], instances=None, legend=None)  # its depth counts
        self._looks[observation.viewpoint] = view, {key: each.pixels for key, each in found}

    def is_ending(self, text: str) -> bool:
        """Whether a view is looked for from which to answer a question, and the answer still is what it was."""
        if self._ending is not None and self._ending != _state(text, self._found(text, self._exhausted)):
            self._ending = None
        return self._ending is not None

    def begin(self, text: str, exhausted: bool) -> None:
        """Look for a view from which to answer a question as things stand."""
        self._exhausted = exhausted
        self._ending = _state(text, self._found(text, exhausted))

    def is_due(self, observation: Observation, text: str, left: int) -> bool:
        """Whether the actions left just reach a view that shows what the likeliest answer rests on."""
        end = self._end_view(self._found(text, False), observation)
        if end is None:
            return False
        if self._seen(end, observation.viewpoint) >= ENOUGH:
            return left <= _SPARE
        goal = self._best_view(end, observation, left)
        return goal is not None and len(goal.actions) + _SPARE >= left

    def may_settle(self, observation: Observation, text: str) -> bool:
        """Whether a view that shows all that the likeliest answer rests on was not taken yet, for it may settle it."""
        found = self._found(text, False)
        end, state = self._end_view(found, observation), _state(text, found)
        if end is None or state in self._settled:
            return False
        if self._seen(end, observation.viewpoint) >= ENOUGH:
            self._settled.add(state)
        self._exhausted = False
        return state not in self._settled

    def goal(self, observation: Observation, text: str, left: int, least: float = 0.0) -> Goal | None:
        """The view to go to; None where the newest one shows enough, or no better one can be reached.

        Args:
            least: quality that the view must surpass.
        """
        found = self._found(text, self._exhausted)
        end = self._end_view(found, observation)
        if end is None:
            return None
        seen = self._seen(end, observation.viewpoint)
        if seen >= ENOUGH:
            return None
        self._way = self._rest_of_way(observation.viewpoint) if self._way_of == _state(text, found) else None
        if self._way is None or len(self._way.actions) > left:
            self._way = self._best_view(end, observation, left, max(seen, least))
            self._way_of = _state(text, found)
        return self._way

    def _rest_of_way(self, here: Viewpoint) -> Goal | None:
        """What is left of the way that is gone; None where it ended, or did not lead here."""
        way = self._way
        if way is None or len(way.actions) < 2 or not _same(way.path[1], here):
            return None
        return replace(way, actions=way.actions[1:], path=way.path[1:])

    def view(self, goal: Goal, text: str) -> SearchView:
        """What is told of a way to such a view."""
        basis = self._found(text, self._exhausted).rests_on
        doing = f"showing {', '.join(dict.fromkeys(each.label for each in basis))}"
        return SearchView(goal.path, tuple(_middle(each) for each in basis), doing, goal.worth)

    def _best_view(self, end: EndView, observation: Observation, left: int, least: float = 0.0) -> Goal | None:
        taken = [(view, self._seen(end, view)) for view in self._looks]
        return self._planner.best_view(observation.viewpoint, observation.intrinsics, left, end, taken, least)

    def _seen(self, end: EndView, view: Viewpoint) -> float:
        """The quality of a view that was taken."""
        observation, pixels_of = self._looks[view]
        now = {obj.instance_id: pixels for key, pixels in pixels_of.items() if (obj := self._qa.memory.get(key))}
        return end.seen(observation, now)

    def _found(self, text: str, exhausted: bool) -> Assessment:
        """What would be answered now."""
        found = self._qa.assess(text, exhausted)
        return self._qa.assess(text, True) if found.verdict is Verdict.NEEDS_LOOK else found

    def _end_view(self, found: Assessment, observation: Observation) -> EndView | None:
        """What a view must show; None where nobody knows."""
        if found.verdict in _OPEN or not found.rests_on or self._is_unread(found.rests_on):
            return None
        return EndView([self._shown(each, observation) for each in found.rests_on])

    def _is_unread(self, rests_on: Sequence[Basis]) -> bool:
        """Whether any of several objects may bear the print that an answer rests on, and none was read."""
        asked = [self._qa.memory.get(each.instance_id) for each in rests_on if each.attribute == "text"]
        return len(asked) > 1 and not any(each and (each.print_spot or each.text) for each in asked)

    def _shown(self, basis: Basis, observation: Observation) -> Shown:
        shown = Shown(basis.bounds_min, basis.bounds_max, basis.instance_id, basis.top)
        if basis.top or basis.among:
            of_top = TOP_SHARE if basis.top else PLACE_SHARE
            return replace(shown, top=True, of_top=of_top, high=(*basis.bounds_max[:2], self._level(basis)), fill=1.0)
        seen = self._qa.memory.get(basis.instance_id)
        if seen is None:
            return shown
        focal = observation.intrinsics.fx
        if seen.evidence:
            covered = shown.covered(seen.evidence[0].viewpoint.position, focal)
            shown = replace(shown, fill=min(max(seen.pixels / max(covered, 1.0), _FILL[0]), _FILL[1]))
        if basis.attribute == "state":
            inside = _shows_inside(seen)
            face = None if inside else self._front(seen)
            return replace(shown, steep=_INTO_ANGLE if inside else 0.0, face=face, least=_STATE)
        if basis.attribute == "color":
            return replace(shown, least=COLOUR_PIXELS / SIZE_PIXELS)
        if basis.attribute == "text" and seen.print_spot is not None:
            spot = seen.print_spot
            return replace(shown, face=Face(spot.middle, spot.normal, _BEFORE_PRINT, spot.letter * focal / _LEGIBLE))
        return shown

    def _front(self, seen: ObservedObject) -> Face | None:
        front = self._qa.memory.front_of(seen)
        return None if front is None else Face(seen.center, front, _BEFORE)

    def _level(self, basis: Basis) -> float:
        """The height of a top, m: that at which most of it was seen; a bed ends higher than it is level."""
        seen, first = self._qa.memory.surfaces.cells(basis.bounds_min, basis.bounds_max, True)
        counts = seen.sum(axis=(0, 1))
        return float(first[2] + CELL * counts.argmax()) if counts.any() else basis.bounds_max[2]


def _shows_inside(seen: ObservedObject) -> bool:
    """Whether a state of an object shows from above."""
    low = seen.bounds_max[2] - seen.bounds_min[2] < _LOW
    return (
        not _INTO.isdisjoint(seen.states)
        or (low and not _STAINED.isdisjoint(seen.states))
        or (seen.label in LIDDED and not _OPENED.isdisjoint(seen.states))
    )


def _state(text: str, found: Assessment) -> _State:
    """What of an answer has to stay as it is on the way to a view that shows it."""
    return text, found.verdict, found.answer, frozenset(each.instance_id for each in found.rests_on)


def _same(one: Viewpoint, other: Viewpoint) -> bool:
    turned = max(abs(wrap_angle(one.yaw - other.yaw)), abs(one.pitch - other.pitch))
    return one.distance(other) < _NEAR and turned < _NEAR


def _middle(basis: Basis) -> Point:
    x, y, z = (0.5 * (low + high) for low, high in zip(basis.bounds_min, basis.bounds_max, strict=True))
    return x, y, z
