"""Programs taken apart: the steps in them, the descriptions of single objects, and the conditions of a description.

A ``Description`` is a set taken apart: the conditions that an object must meet, so that one can be left out or changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar, cast

from vantage.questions.programs import (
    Alike,
    Between,
    Compared,
    Filter,
    Intersect,
    ObjectSet,
    One,
    Program,
    Query,
    Relate,
    Step,
    Verify,
    VerifyRelation,
)

StepT = TypeVar("StepT", bound=Step)
Condition = Filter | Relate | Between | Compared


@dataclass(frozen=True)
class Description:
    """``base`` narrowed down by conditions, the innermost first; what a condition narrows down is of no account."""

    base: ObjectSet
    conditions: tuple[Condition, ...]

    def without(self, left_out: Sequence[Condition]) -> Description:
        """The same with fewer conditions."""
        return Description(self.base, tuple(each for each in self.conditions if each not in left_out))

    def instead(self, changes: dict[Condition, Condition]) -> Description:
        """The same with other conditions in place of some."""
        return Description(self.base, tuple(changes.get(each, each) for each in self.conditions))

    @property
    def objects(self) -> ObjectSet:
        """As steps of a program."""
        found = self.base
        for condition in self.conditions:
            found = replace(condition, objects=found)
        return found


def described(objects: ObjectSet) -> Description:
    """A set taken apart; intersections of everything count as further conditions."""
    if isinstance(objects, Condition):
        inner = described(objects.objects)
        return Description(inner.base, (*inner.conditions, objects))
    if isinstance(objects, Intersect):
        first, second = described(objects.first), described(objects.second)
        if first.base == second.base:
            return Description(first.base, (*first.conditions, *second.conditions))
    return Description(objects, ())


def substituted(step: StepT, old: Step, new: Step) -> StepT:
    """A step with each occurrence of another one in it exchanged."""
    if step == old:
        return cast(StepT, new)
    changes = {
        item.name: substituted(part, old, new)
        for item in fields(step)
        if is_dataclass(part := cast(Step, getattr(step, item.name)))
    }
    return replace(step, **changes) if changes else step  # type: ignore[arg-type]


def inner_steps(step: Step) -> Iterator[Step]:
    """A step and all steps in it, the outermost first."""
    yield step
    for item in fields(step):
        part = getattr(step, item.name)
        if is_dataclass(part):
            yield from inner_steps(cast(Step, part))


def subject(program: Program) -> One | None:
    """The description of what a program is about, one object or several alike; None for sets and for two."""
    if isinstance(program, (Query, Verify, VerifyRelation, Alike)):
        return program.one
    return None


def descriptions(program: Program) -> tuple[One, ...]:
    """The descriptions of one object in a program, the outermost first."""
    return tuple(dict.fromkeys(each for each in inner_steps(program) if isinstance(each, One)))
