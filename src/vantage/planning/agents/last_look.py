"""The look at the end: an answer is given from a view that shows what it rests on, as long as the budget allows one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vantage.answering import Answering, Assessment, Basis
from vantage.perception.map import CELL
from vantage.planning.view_planning import ENOUGH, EndView, Goal, Shown, ViewPlanner
from vantage.spatial import Viewpoint
from vantage.types import Detection, Observation, Point, SearchView, Verdict

_SPARE = 2  # actions more than the way to an end view takes that are left when it is begun
_INTO = frozenset({"full", "empty", "dirty", "clean"})  # what one sees by looking into an object
_INTO_ANGLE = 0.55  # sine of the angle from which one does
_STATE = 1.5  # times as many pixels tell a state as tell what something is
_FILL = (0.3, 1.0)  # least and largest share of the pixels of its box that an object covers
_LETTER, _LEGIBLE = 0.02, 12.0  # m, height of usual letters, and how high they must be in the image, px
_NEXT_TO = 0.15  # m by which the middle of what was read on may be off
_OPEN = (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL, Verdict.NEEDS_CONFIRMATION)

_State = tuple[str, Verdict, str, frozenset[int]]


class LastLook:
    """Holds an answer back until the newest view shows all that it rests on.

    It goes to the view that should show it with few actions, and on to the next one where that does not.
    """

    def __init__(self, planner: ViewPlanner, answering: Answering) -> None:
        self._planner, self._qa = planner, answering
        self._ending: _State | None = None
        self._exhausted = False
        self._tried: list[Viewpoint] = []
        self._settled: set[_State] = set()
        self._reads: list[tuple[Detection, Point]] = []

    def take_in(self, observation: Observation, detections: Sequence[Detection]) -> None:
        """Note from where print was read in a view."""
        here = observation.viewpoint
        self._reads += [(each, (here.x, here.y, here.z)) for each in detections if each.text]

    def is_ending(self, text: str) -> bool:
        """Whether a view is looked for from which to answer a question, and the answer still is what it was."""
        if self._ending is not None and self._ending != _state(text, self._found(text, self._exhausted)):
            self._ending = None
        return self._ending is not None

    def begin(self, text: str, exhausted: bool) -> None:
        """Look for a view from which to answer a question as things stand."""
        self._exhausted = exhausted
        self._ending = _state(text, self._found(text, exhausted))
        self._tried = []

    def is_due(self, observation: Observation, text: str, left: int) -> bool:
        """Whether the actions left just reach a view that shows what the likeliest answer rests on."""
        end = self._end_view(self._found(text, False), observation)
        if end is None:
            return False
        if end.seen(observation) >= ENOUGH:
            return left <= _SPARE
        goal = self._planner.best_view(observation.viewpoint, observation.intrinsics, left, end)
        return goal is not None and len(goal.actions) + _SPARE >= left

    def may_settle(self, observation: Observation, text: str) -> bool:
        """Whether a view that shows all that the likeliest answer rests on was not taken yet, for it may settle it."""
        found = self._found(text, False)
        end, state = self._end_view(found, observation), _state(text, found)
        if end is None or state in self._settled:
            return False
        if end.seen(observation) >= ENOUGH:
            self._settled.add(state)
        self._exhausted = False
        return state not in self._settled

    def goal(self, observation: Observation, text: str, left: int) -> Goal | None:
        """The view to go to; None where the newest one shows enough, or no better one can be reached."""
        found = self._found(text, self._exhausted)
        end = self._end_view(found, observation)
        if end is None:
            return None
        seen = end.seen(observation)
        if seen >= ENOUGH:
            return None
        self._tried.append(observation.viewpoint)
        return self._planner.best_view(observation.viewpoint, observation.intrinsics, left, end, self._tried, seen)

    def view(self, goal: Goal, text: str) -> SearchView:
        """What is told of a way to such a view."""
        basis = self._found(text, self._exhausted).rests_on
        doing = f"showing {', '.join(dict.fromkeys(each.label for each in basis))}"
        return SearchView(goal.path, tuple(_middle(each) for each in basis), doing, goal.worth)

    def _found(self, text: str, exhausted: bool) -> Assessment:
        """What would be answered now."""
        found = self._qa.assess(text, exhausted)
        return self._qa.assess(text, True) if found.verdict is Verdict.NEEDS_LOOK else found

    def _end_view(self, found: Assessment, observation: Observation) -> EndView | None:
        """What a view must show; None where nobody knows."""
        if found.verdict in _OPEN or not found.rests_on:
            return None
        return EndView([self._shown(each, observation) for each in found.rests_on])

    def _shown(self, basis: Basis, observation: Observation) -> Shown:
        shown = Shown(basis.bounds_min, basis.bounds_max, basis.top)
        if basis.top:
            return replace(shown, high=(*basis.bounds_max[:2], self._level(basis)), fill=1.0)
        seen = self._qa.memory.get(basis.instance_id)
        if seen is None:
            return shown
        if seen.evidence:
            covered = shown.covered(seen.evidence[0].viewpoint.position, observation.intrinsics.fx)
            shown = replace(shown, fill=min(max(seen.pixels / max(covered, 1.0), _FILL[0]), _FILL[1]))
        if basis.attribute == "state":
            steep = _INTO_ANGLE if _INTO.intersection(seen.states) else 0.0
            return replace(shown, steep=steep, least=_STATE)
        if basis.attribute == "text":
            within = _LETTER * observation.intrinsics.fx / _LEGIBLE
            return replace(shown, seen_from=self._read_from(basis), within=within)
        return shown

    def _level(self, basis: Basis) -> float:
        """The height of a top, m: that at which most of it was seen; a bed ends higher than it is level."""
        seen, first = self._qa.memory.surfaces.cells(basis.bounds_min, basis.bounds_max, True)
        counts = seen.sum(axis=(0, 1))
        return float(first[2] + CELL * counts.argmax()) if counts.any() else basis.bounds_max[2]

    def _read_from(self, basis: Basis) -> Point | None:
        """From where the print on an object was read last."""
        middle, reach = _middle(basis), 0.5 * math.dist(basis.bounds_min, basis.bounds_max) + _NEXT_TO
        places = [place for each, place in self._reads if math.dist(each.center, middle) <= reach]
        return places[-1] if places else None


def _state(text: str, found: Assessment) -> _State:
    """What of an answer has to stay as it is on the way to a view that shows it."""
    return text, found.verdict, found.answer, frozenset(each.instance_id for each in found.rests_on)


def _middle(basis: Basis) -> Point:
    x, y, z = (0.5 * (low + high) for low, high in zip(basis.bounds_min, basis.bounds_max, strict=True))
    return x, y, z
