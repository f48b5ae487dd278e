"""What an answer rests on: the objects that one look has to show for the answer to be read off it.

An object that only says which place is meant need not be seen: what is on a table shows that by itself. What stands
beside another one does so only together with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vantage.answering.protocol import Basis
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.observed_facts import SeenObject
from vantage.answering.symbolic.predicates import PLACED
from vantage.questions import Condition, programs as steps
from vantage.scenes.spec import STRUCTURE_LABELS


def objects_shown(
    program: steps.Program, objects: Sequence[SeenObject], absent: bool, evaluation: Evaluation
) -> tuple[SeenObject, ...]:
    """The objects that a view must show.

    Args:
        objects: what the answer is about, then what that was described by.
        absent: it says that nothing is there, so that the first object is the place where nothing is.
    """
    if absent:
        return tuple(objects[:1])
    found = [*_subjects(program, objects, evaluation)]
    for step in _sets(program):
        if isinstance(step, (steps.Same, steps.Compared)):
            found.append(evaluation.anchor(step.one))
        if isinstance(step, steps.Relate) and step.relation not in PLACED:
            found.append(evaluation.anchor(step.anchor))
        if isinstance(step, steps.Between):
            found += [evaluation.anchor(step.first), evaluation.anchor(step.second)]
    return tuple(dict.fromkeys(found))


def counted_on(program: steps.Program, evaluation: Evaluation) -> SeenObject | None:
    """What things stand on that are counted or compared, where a program says it: there may be more of them."""
    if isinstance(program, steps.Count):
        among = program.objects
    elif isinstance(program, steps.Query) and isinstance(program.one, steps.Most):
        among = program.one.objects
    else:
        return None
    on = (step for step in _chain(among) if isinstance(step, steps.Relate) and step.relation == "on")
    return next((evaluation.anchor(step.anchor) for step in on), None)


def basis_of(
    objects: Sequence[SeenObject], absent: bool = False, attribute: str = "", place: SeenObject | None = None
) -> tuple[Basis, ...]:
    """The same as plain data; rooms, floors and walls are left out, which no single look shows.

    Args:
        place: that things are counted on, or compared.
    """
    told = [(obj, absent, attribute, False) for obj in objects]
    told += [] if place is None or absent else [(place, False, "", True)]
    return tuple(
        Basis(obj.key, obj.label, obj.bounds_min, obj.bounds_max, top, asked, among)
        for obj, top, asked, among in told
        if not obj.is_room and obj.kind not in STRUCTURE_LABELS
    )


def _subjects(program: steps.Program, objects: Sequence[SeenObject], evaluation: Evaluation) -> Sequence[SeenObject]:
    """What a program is about."""
    if isinstance(program, (steps.Exist, steps.Query, steps.Verify, steps.Alike)):
        first = tuple(objects[:1])
        if isinstance(program, (steps.Query, steps.Verify)):
            if program.attribute == "size":
                return tuple(each for each in objects if first and each.kind == first[0].kind)
            if isinstance(program.one, steps.Most):
                return (*first, *evaluation.objects(program.one.objects).sure)
        return first
    if isinstance(program, (steps.Count, steps.QueryEach)):
        return evaluation.objects(program.objects).sure
    if isinstance(program, steps.CompareNumber):
        return tuple(objects)
    return tuple(objects[:2])


def _sets(program: steps.Program) -> Iterator[steps.ObjectSet]:
    """The steps that narrow down what is looked for, where the question is about what they give."""
    if isinstance(program, (steps.Exist, steps.Count, steps.QueryEach)):
        yield from _chain(program.objects)
    elif isinstance(program, steps.Query) and program.attribute == "label":
        yield from _chain(program.one.objects)


def _chain(step: steps.ObjectSet) -> Iterator[steps.ObjectSet]:
    yield step
    if isinstance(step, Condition):
        yield from _chain(step.objects)
    elif isinstance(step, (steps.Union, steps.Intersect)):
        yield from _chain(step.first)
        yield from _chain(step.second)
