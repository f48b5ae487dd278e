"""Descriptions taken apart: the conditions that a thing must meet, and programs with another description in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar, cast

from vantage.questions import programs as steps

StepT = TypeVar("StepT", bound=steps.Step)
Condition = steps.Filter | steps.Relate | steps.Between


@dataclass(frozen=True)
class Description:
    """``base`` narrowed down by conditions, the innermost first; what a condition narrows down is of no account."""

    base: steps.Things
    conditions: tuple[Condition, ...]

    def without(self, left_out: Sequence[Condition]) -> Description:
        """The same with fewer conditions."""
        return Description(self.base, tuple(each for each in self.conditions if each not in left_out))

    def instead(self, changes: dict[Condition, Condition]) -> Description:
        """The same with other conditions in place of some."""
        return Description(self.base, tuple(changes.get(each, each) for each in self.conditions))

    @property
    def things(self) -> steps.Things:
        """As steps of a program."""
        found = self.base
        for condition in self.conditions:
            found = replace(condition, things=found)
        return found


def described(things: steps.Things) -> Description:
    """A set taken apart; intersections of everything count as further conditions."""
    if isinstance(things, Condition):
        inner = described(things.things)
        return Description(inner.base, (*inner.conditions, things))
    if isinstance(things, steps.Intersect):
        first, second = described(things.first), described(things.second)
        if first.base == second.base:
            return Description(first.base, (*first.conditions, *second.conditions))
    return Description(things, ())


def substituted(step: StepT, old: steps.Step, new: steps.Step) -> StepT:
    """A step with each occurrence of another one in it exchanged."""
    if step == old:
        return cast(StepT, new)
    changes = {
        item.name: substituted(part, old, new)
        for item in fields(step)
        if is_dataclass(part := cast(steps.Step, getattr(step, item.name)))
    }
    return replace(step, **changes) if changes else step  # type: ignore[arg-type]


def inner_steps(step: steps.Step) -> Iterator[steps.Step]:
    """A step and all steps in it, the outermost first."""
    yield step
    for item in fields(step):
        part = getattr(step, item.name)
        if is_dataclass(part):
            yield from inner_steps(cast(steps.Step, part))


def subject(program: steps.Program) -> steps.One | None:
    """The description of the one thing that a program is about; None where it is about sets or two things."""
    if isinstance(program, (steps.Query, steps.Verify, steps.VerifyRelation)):
        return program.one
    return None


def descriptions(program: steps.Program) -> tuple[steps.One, ...]:
    """The descriptions of one thing in a program, the outermost first."""
    return tuple(dict.fromkeys(each for each in inner_steps(program) if isinstance(each, steps.One)))
