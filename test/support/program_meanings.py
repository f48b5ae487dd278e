"""Programs as data that is equal where they say the same in another order."""

from __future__ import annotations

from dataclasses import fields

from vantage.questions import programs as steps
from vantage.questions.lexicon import canonical


def meaning(step):
    """A step as data that is equal for programs that say the same in another order."""
    if isinstance(step, steps.ObjectSet):
        return members(step)
    parts = [getattr(step, item.name) for item in fields(step)]
    said = [meaning(part) if isinstance(part, steps.Step) else part for part in parts]
    either_way = isinstance(step, steps.CompareAttribute) or (
        isinstance(step, steps.CompareNumber) and step.relation == "equal"
    )
    return (type(step), said[0], frozenset(said[1:])) if either_way else (type(step), *said)


def members(objects):
    """Who belongs to a set: the alternatives, each a set of conditions that all must hold."""
    if isinstance(objects, steps.Union):
        return members(objects.first) | members(objects.second)
    if isinstance(objects, steps.Intersect):
        return frozenset(one | other for one in members(objects.first) for other in members(objects.second))
    if isinstance(objects, (steps.Scene, steps.Rooms)):
        return frozenset({frozenset({type(objects)})})
    if isinstance(objects, steps.Same):
        return frozenset({frozenset({steps.Scene, (steps.Same, objects.attribute, meaning(objects.one))})})
    if isinstance(objects, steps.Filter):
        condition = (steps.Filter, objects.attribute, canonical(objects.value))
    elif isinstance(objects, steps.Relate):
        viewer = None if objects.viewer is None else meaning(objects.viewer)
        condition = (steps.Relate, objects.relation, meaning(objects.anchor), viewer)
    else:
        condition = (steps.Between, frozenset({meaning(objects.first), meaning(objects.second)}))
    return frozenset(one | {condition} for one in members(objects.objects))
