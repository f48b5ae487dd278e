"""Monitors: whether a formula holds of a trace that goes on, step by step, of what is true as of what is believed.

A formula without ``then`` holds of a trace where some step fulfils it; the shortest beginning of which it holds ends
with that step. ``a then b`` holds where b holds of what follows the shortest beginning of which a holds. Where one has
``then`` in it, ``and`` and ``forall`` end with the last of their parts, ``or`` and ``exists`` with the first, and
``not`` holds at once where its part never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from enum import Enum
from functools import reduce
from itertools import product

from vantage.goals.facts import object_key, word_key
from vantage.goals.formulas import Formula

Step = Set[tuple[str, ...]]  # what is so and what is done: predicates and actions, each with its objects

_LATER, _NEVER = 10**9, 10**9 + 1  # behind every step of a trace
_Ends = frozenset[int]  # where the shortest beginning may end of which a formula holds


class Verdict(Enum):
    """What is known of a formula by now."""

    SATISFIED = "satisfied"
    """It holds, whatever follows."""
    VIOLATED = "violated"
    """It does not, whatever follows."""
    OPEN = "open"


class Monitor:
    """Follows one formula.

    Steps that decided something are not looked at again: a part waits for the next step alone.

    Args:
        formula: to be followed.
        objects: over which ``exists`` and ``forall`` go, besides those that the formula names; steps may name others.
    """

    def __init__(self, formula: Formula, objects: Iterable[str] = ()) -> None:
        self._formula = formula
        variables = set(_variables(formula))
        named = {object_key(name) for name in _names(formula) if name not in variables}
        self._objects = tuple(sorted(named | set(map(object_key, objects))))
        self._steps: list[Step] = []
        self._found: dict[tuple[int, int, tuple[tuple[str, str], ...]], int] = {}
        self._seen: dict[tuple[int, int, tuple[tuple[str, str], ...]], int] = {}

    def observe(self, step: Step) -> Verdict:
        """Take the next step of the trace."""
        self._steps.append({(word_key(fact[0]), *map(object_key, fact[1:])) for fact in step})
        return self.verdict

    @property
    def verdict(self) -> Verdict:
        """What is known by now. What is decided is so; what is open may be decided all the same."""
        ends = self._ends(self._formula, 0, {}, _LATER)
        if _NEVER not in ends:
            return Verdict.OPEN if _LATER in ends else Verdict.SATISFIED
        return Verdict.VIOLATED if len(ends) == 1 else Verdict.OPEN

    @property
    def holds(self) -> bool:
        """Whether the formula holds of the trace as it is, should nothing follow."""
        return self._ends(self._formula, 0, {}, _NEVER) != {_NEVER}

    def _ends(self, formula: Formula, start: int, bound: Mapping[str, str], waiting: int) -> _Ends:
        """
        Args:
            start: steps that do not count.
            waiting: ``_LATER`` where the trace goes on, ``_NEVER`` where it does not.
        """
        if not _is_ordered(formula):
            end = self._fulfilled_at(formula, start, bound)
            return frozenset({waiting, _NEVER} if end is None else {end})
        if formula.kind == "then":
            ends = frozenset({start})
            for part in formula.parts:
                ends = frozenset().union(*(self._after(part, end, bound, waiting) for end in ends))
            return ends
        if formula.kind in ("exists", "forall"):
            found = [
                self._ends(formula.parts[0], start, {**bound, formula.name: each}, waiting) for each in self._objects
            ]
        else:
            found = [self._ends(part, start, bound, waiting) for part in formula.parts]
        if formula.kind == "not":
            return frozenset(_NEVER if end < _NEVER else start for end in found[0])
        return (
            reduce(_folded(max if formula.kind in ("and", "forall") else min), found) if found else frozenset({_NEVER})
        )

    def _after(self, part: Formula, start: int, bound: Mapping[str, str], waiting: int) -> _Ends:
        if start == _LATER:
            return frozenset({_LATER, _NEVER})
        return frozenset({_NEVER}) if start == _NEVER else self._ends(part, start, bound, waiting)

    def _fulfilled_at(self, formula: Formula, start: int, bound: Mapping[str, str]) -> int | None:
        """Behind the first step from ``start`` on that fulfils a formula without ``then``."""
        key = id(formula), start, tuple(bound.items())
        for index in range(self._seen.get(key, start), len(self._steps)):
            if key not in self._found and _fulfils(self._steps[index], formula, self._objects, bound):
                self._found[key] = index + 1
        self._seen[key] = len(self._steps)
        return self._found.get(key)


def _folded(chosen: Callable[[int, int], int]) -> Callable[[_Ends, _Ends], _Ends]:
    return lambda some, others: frozenset(chosen(*pair) for pair in product(some, others))


def _is_ordered(formula: Formula) -> bool:
    return formula.kind == "then" or any(map(_is_ordered, formula.parts))


def _variables(formula: Formula) -> Iterable[str]:
    own = (formula.name,) if formula.kind in ("exists", "forall") else ()
    return (*own, *(name for part in formula.parts for name in _variables(part)))


def _names(formula: Formula) -> Iterable[str]:
    return (*formula.names, *(name for part in formula.parts for name in _names(part)))


def _fulfils(step: Step, formula: Formula, objects: Sequence[str], bound: Mapping[str, str]) -> bool:
    """Whether one step fulfils a formula without ``then``."""
    if formula.kind == "atom":
        return (word_key(formula.name), *(bound.get(name, object_key(name)) for name in formula.names)) in step
    if formula.kind == "not":
        return not _fulfils(step, formula.parts[0], objects, bound)
    if formula.kind in ("exists", "forall"):
        each = (_fulfils(step, formula.parts[0], objects, {**bound, formula.name: name}) for name in objects)
    else:
        each = (_fulfils(step, part, objects, bound) for part in formula.parts)
    return all(each) if formula.kind in ("and", "forall") else any(each)
