"""How a search ends: on a view that shows what its answer rests on, as long as the budget allows one."""

from __future__ import annotations

from dataclasses import replace

from vantage.answering import Answering, Basis
from vantage.planning.view_planning import ENOUGH, EndView, Goal, Shown, ViewPlanner
from vantage.types import Observation, SearchView, Verdict

_SPARE = 2  # actions more than the way to an end view takes that are left when it is begun
_INTO = {"full", "empty", "dirty", "clean"}  # what one sees by looking into an object
_INTO_ANGLE = 0.6  # sine of the angle from which one does
_OPEN = (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL, Verdict.NEEDS_CONFIRMATION)


class LastLook:
    """Holds an answer back until the newest view shows all that it rests on.

    Of the views that were not taken, it goes to the one that should show it with few actions, and on to the next one
    where that does not. The best view so far is not gone back to: an answer may be given from any place.
    """

    def __init__(self, planner: ViewPlanner, answering: Answering) -> None:
        self._planner, self._qa = planner, answering
        self._ending: tuple[str, str, frozenset[int]] | None = None
        self._exhausted = False
        self._plan: list[str] = []

    def is_ending(self, text: str, exhausted: bool) -> bool:
        """Whether a view is looked for from which to give the answer to a question, and that answer still stands."""
        if self._ending is not None and self._ending != self._state(text):
            self._ending = None
        return self._ending is not None

    def begin(self, text: str, exhausted: bool) -> None:
        """Look for a view from which to give the answer to a question as it stands."""
        self._exhausted = exhausted
        self._ending = self._state(text)
        self._plan = []

    def is_due(self, observation: Observation, text: str, left: int) -> bool:
        """Whether the actions left just reach a view that shows what the likeliest answer rests on."""
        end = _end_view(self._basis(text, False))
        if end is None:
            return False
        if end.seen(observation) >= ENOUGH:
            return left <= _SPARE
        goal = self._planner.best_view(observation.viewpoint, observation.intrinsics, left, end)
        return goal is not None and len(goal.actions) + _SPARE >= left

    def next_action(self, observation: Observation, left: int, view: SearchView) -> tuple[str | None, SearchView]:
        """The next action, None when the answer is to be given, and what is to be told of the plan."""
        text = self._ending[0] if self._ending is not None else ""
        basis = self._basis(text, self._exhausted)
        end = _end_view(basis)
        if end is None:
            return None, view
        seen = end.seen(observation)
        if seen >= ENOUGH:
            return None, view
        goal = self._goal(observation, left, end, seen)
        if goal is None:
            return None, view
        points = tuple(_middle(each) for each in basis)
        doing = f"showing {', '.join(dict.fromkeys(each.label for each in basis))}"
        return goal.actions[0], replace(view, path=goal.path, targets=points, doing=doing, worth=goal.worth)

    def _goal(self, observation: Observation, left: int, end: EndView, seen: float) -> Goal | None:
        return self._planner.best_view(observation.viewpoint, observation.intrinsics, left, end, seen)

    def _basis(self, text: str, exhausted: bool) -> tuple[Basis, ...]:
        """What the answer rests on that would be given now."""
        found = self._qa.assess(text, exhausted)
        if found.verdict is Verdict.NEEDS_LOOK:
            found = self._qa.assess(text, True)
        return () if found.verdict in _OPEN else found.rests_on

    def _state(self, text: str) -> tuple[str, str, frozenset[int]]:
        found = self._qa.assess(text, self._exhausted)
        if found.verdict is Verdict.NEEDS_LOOK:
            found = self._qa.assess(text, True)
        return text, found.answer, frozenset(each.instance_id for each in found.rests_on)


def _end_view(basis: tuple[Basis, ...]) -> EndView | None:
    """What a view must show; None where nobody knows."""
    return EndView([_shown(each) for each in basis]) if basis else None


def _shown(basis: Basis) -> Shown:
    return Shown(basis.bounds_min, basis.bounds_max, basis.top)


def _middle(basis: Basis) -> tuple[float, float, float]:
    x, y, z = (0.5 * (low + high) for low, high in zip(basis.bounds_min, basis.bounds_max, strict=True))
    return x, y, z
