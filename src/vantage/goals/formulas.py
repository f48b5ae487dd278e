"""Linear temporal logic on finite traces, in the notation of the Embodied Agent Interface.

A trace is a sequence of steps, each the set of what is so then and of what is done then. A formula without ``then``
holds of a trace where some step fulfils it; ``a then b`` holds where b holds of what follows the shortest beginning of
which a holds. ``exists x. (...)`` and ``forall x. (...)`` go over the objects that the trace names.

    (ON(lamp.1) and exists x. (GRAB(x) or TOUCH(x))) then not OPEN(door.2)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from vantage.errors import FormatError
from vantage.goals.facts import object_key, word_key
from vantage.wording import shown

_TOKEN = re.compile(r"\s*(?:([A-Za-z_][\w.\-]*)|([(),]))")
_JOINED = ("then", "or", "and")  # the loosest first
_DEEPEST = 100  # levels of brackets


@dataclass(frozen=True)
class Formula:
    """One node of a formula.

    Attributes:
        kind: ``atom``, ``not``, ``and``, ``or``, ``then``, ``exists`` or ``forall``.
        name: the predicate or action of an atom, the variable of a quantifier.
        names: the objects or variables of an atom.
        parts: what is joined, denied or quantified.
    """

    kind: str
    name: str = ""
    names: tuple[str, ...] = ()
    parts: tuple[Formula, ...] = ()


Step = Set[tuple[str, ...]]  # predicate or action with its objects


def written(formula: Formula) -> str:
    """As ``read_formula`` reads it."""
    if formula.kind == "atom":
        return f"{formula.name}({', '.join(formula.names)})"
    if formula.kind in ("exists", "forall"):
        return f"{formula.kind} {formula.name}. ({written(formula.parts[0])})"
    if formula.kind == "not":
        return f"not ({written(formula.parts[0])})"
    return "(" + f" {formula.kind} ".join(map(written, formula.parts)) + ")"


def atoms(formula: Formula) -> Iterator[Formula]:
    """Every atom, in the order in which they are written."""
    if formula.kind == "atom":
        yield formula
    for part in formula.parts:
        yield from atoms(part)


def read_formula(text: str) -> Formula:
    """
    Raises:
        FormatError: it is no formula; says where.
    """
    reader = _Reader(text)
    formula = reader.joined(0, 0)
    reader.end()
    return formula


class _Reader:
    """Reads by recursive descent: ``then`` joins loosest, ``and`` tightest."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[str] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            found = _TOKEN.match(text, at)
            if found is None:
                raise FormatError(f"formula {shown(text)}: nothing is written so at character {at + 1}")
            self._tokens.append(found[1] or found[2])
            at = found.end()
        self._at = 0

    def joined(self, level: int, depth: int) -> Formula:
        if depth > _DEEPEST:
            raise self._error("is nested too deeply")
        if level == len(_JOINED):
            return self._single(depth)
        parts = [self.joined(level + 1, depth)]
        while self._peek() == _JOINED[level]:
            self._at += 1
            parts.append(self.joined(level + 1, depth))
        return parts[0] if len(parts) == 1 else Formula(_JOINED[level], parts=tuple(parts))

    def _single(self, depth: int) -> Formula:
        token = self._take("a predicate, an action or a bracket")
        if token == "(":
            inner = self.joined(0, depth + 1)
            self._expect(")")
            return inner
        if token == "not":
            return Formula("not", parts=(self.joined(len(_JOINED), depth + 1),))
        if token in ("exists", "forall"):
            variable = self._take("a variable")
            if not variable.endswith("."):
                raise self._error(f"lacks the point behind the variable {shown(variable)}")
            return Formula(token, variable[:-1], parts=(self.joined(len(_JOINED), depth + 1),))
        if token in (*_JOINED, ")", ","):
            raise self._error(f"has {shown(token)} where something must be said")
        self._expect("(")
        names: list[str] = []
        while self._peek() != ")":
            if names:
                self._expect(",")
            names.append(self._take("an object"))
        self._expect(")")
        return Formula("atom", token, tuple(names))

    def end(self) -> None:
        if self._at < len(self._tokens):
            raise self._error(f"goes on with {shown(self._tokens[self._at])} where it should end")

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, what: str) -> str:
        token = self._peek()
        if not token:
            raise self._error(f"ends where {what} should stand")
        self._at += 1
        return token

    def _expect(self, token: str) -> None:
        if self._take(f"'{token}'") != token:
            raise self._error(f"lacks '{token}' before {shown(self._tokens[self._at - 1])}")

    def _error(self, what: str) -> FormatError:
        return FormatError(f"formula {shown(self._text)} {what}; correct it")


def holds(formula: Formula, trace: Sequence[Step]) -> bool:
    """Whether a formula holds of a trace."""
    steps = [{(word_key(fact[0]), *map(object_key, fact[1:])) for fact in step} for step in trace]
    known = sorted({name for step in steps for fact in step for name in fact[1:]})
    return _prefix(formula, steps, 0, known, {}) is not None


def _prefix(
    formula: Formula, steps: Sequence[Step], start: int, known: Sequence[str], bound: Mapping[str, str]
) -> int | None:
    """Where the shortest beginning, from ``start`` on, ends of which a formula holds; None where it holds of none."""

    def of(part: Formula, begin: int, given: Mapping[str, str] = bound) -> int | None:
        return _prefix(part, steps, begin, known, given)

    if not _is_ordered(formula):
        ends = (end for end in range(start, len(steps)) if _fulfilled(formula, steps[end], known, bound))
        found = next(ends, None)
        return None if found is None else found + 1
    if formula.kind == "then":
        reached: int | None = start
        for part in formula.parts:
            reached = None if reached is None else of(part, reached)
        return reached
    if formula.kind == "not":
        return None if of(formula.parts[0], start) is not None else start
    if formula.kind in ("exists", "forall"):
        found_ends = [of(formula.parts[0], start, {**bound, formula.name: name}) for name in known]
    else:
        found_ends = [of(part, start) for part in formula.parts]
    return _joined_end(found_ends, max if formula.kind in ("and", "forall") else min)


def _joined_end(ends: Sequence[int | None], chosen: Callable[[list[int]], int]) -> int | None:
    """All ends must be there where the last counts, one where the first does."""
    there = [end for end in ends if end is not None]
    if not there or (chosen is max and len(there) < len(ends)):
        return None
    return chosen(there)


def _is_ordered(formula: Formula) -> bool:
    return formula.kind == "then" or any(map(_is_ordered, formula.parts))


def _fulfilled(formula: Formula, step: Step, known: Sequence[str], bound: Mapping[str, str]) -> bool:
    """Whether one step fulfils a formula without ``then``."""
    if formula.kind == "atom":
        names = tuple(bound.get(name, object_key(name)) for name in formula.names)
        return (word_key(formula.name), *names) in step
    if formula.kind == "not":
        return not _fulfilled(formula.parts[0], step, known, bound)
    if formula.kind in ("exists", "forall"):
        found = (_fulfilled(formula.parts[0], step, known, {**bound, formula.name: name}) for name in known)
        return any(found) if formula.kind == "exists" else all(found)
    each = (_fulfilled(part, step, known, bound) for part in formula.parts)
    return all(each) if formula.kind == "and" else any(each)
