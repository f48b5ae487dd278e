"""Linear temporal logic on finite traces, in the notation of the Embodied Agent Interface.

``a then b`` asks for one after the other, ``exists x. (...)`` and ``forall x. (...)`` go over objects. When a formula
holds is told by ``monitors``.

    (ON(lamp.1) and exists x. (GRAB(x) or TOUCH(x))) then not OPEN(door.2)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vantage.errors import FormatError
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
