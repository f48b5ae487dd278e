"""Goals: states of things, relations between them and actions to be done, denied or not, with alternatives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from vantage.goals.facts import object_key, word_key


@dataclass(frozen=True)
class NodeGoal:
    """An object shall be in a state, or shall not."""

    object: str
    state: str
    holds: bool = True

    @property
    def key(self) -> tuple[str, ...]:
        """By what goals are compared."""
        return "node", str(self.holds), word_key(self.state), object_key(self.object)

    @property
    def objects(self) -> tuple[str, ...]:
        return (self.object,)


@dataclass(frozen=True)
class EdgeGoal:
    """One object shall stand in a relation to another, or shall not."""

    subject: str
    relation: str
    object: str
    holds: bool = True

    @property
    def key(self) -> tuple[str, ...]:
        return "edge", str(self.holds), word_key(self.relation), object_key(self.subject), object_key(self.object)

    @property
    def objects(self) -> tuple[str, ...]:
        return self.subject, self.object


@dataclass(frozen=True)
class ActionGoal:
    """Something shall be done; the description is for people and decides nothing."""

    action: str
    description: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        return "action", word_key(self.action)

    @property
    def objects(self) -> tuple[str, ...]:
        return ()


Literal = NodeGoal | EdgeGoal | ActionGoal
Alternative = tuple[Literal, ...]  # all of it


@dataclass(frozen=True)
class Goal:
    """What a task asks for: of each part one alternative, and of an alternative all.

    ``Goal()`` asks for nothing.
    """

    parts: tuple[tuple[Alternative, ...], ...] = ()

    @classmethod
    def of(cls, literals: Iterable[Literal]) -> Goal:
        """All of these, without a choice."""
        return cls(tuple(((literal,),) for literal in literals))

    @property
    def literals(self) -> Iterator[Literal]:
        """Of all alternatives."""
        return (literal for part in self.parts for alternative in part for literal in alternative)


def objects_of(goal: Goal) -> tuple[str, ...]:
    """Every object that a goal or one of its alternatives names, once, in order."""
    named: dict[str, str] = {}
    for literal in goal.literals:
        for name in literal.objects:
            named.setdefault(object_key(name), name)
    return tuple(named.values())


def renamed(goal: Goal, names: Mapping[str, str]) -> Goal:
    """The same goal with other names of objects, by ``object_key`` of the old ones."""

    def new(name: str) -> str:
        return names.get(object_key(name), name)

    def put(literal: Literal) -> Literal:
        if isinstance(literal, NodeGoal):
            return replace(literal, object=new(literal.object))
        if isinstance(literal, EdgeGoal):
            return replace(literal, subject=new(literal.subject), object=new(literal.object))
        return literal

    return Goal(
        tuple(tuple(tuple(put(literal) for literal in alternative) for alternative in part) for part in goal.parts)
    )
