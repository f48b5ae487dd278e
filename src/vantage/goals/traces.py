"""Goals and scenes as monitors take them: a goal as a formula, a scene as a step of a trace."""

from __future__ import annotations

from collections.abc import Iterable

from vantage.goals.facts import SceneFacts
from vantage.goals.formulas import Formula
from vantage.goals.goals import ActionGoal, Goal, Literal, NodeGoal
from vantage.goals.monitors import Monitor, Step


def formula_of(goal: Goal) -> Formula:
    """What is fulfilled by a step in which of each part one alternative holds as a whole."""
    return _joined("and", (_joined("or", (_joined("and", map(_atom, each)) for each in part)) for part in goal.parts))


def step_of(scene: SceneFacts, done: Iterable[tuple[str, ...]] = ()) -> Step:
    """What is so in a scene.

    Args:
        done: actions that led to it, each with its objects, and once more without any.
    """
    states = {(state, item.name) for item in scene.objects for state in item.initial}
    actions = tuple(done)
    return {
        *states,
        *((fact.predicate, *fact.objects) for fact in scene.facts if fact.holds),
        *actions,
        *((each[0],) for each in actions),
    }


def holds_in(goal: Goal, scene: SceneFacts) -> bool:
    """Whether a goal is reached in a scene; one that asks for nothing never is."""
    monitor = Monitor(formula_of(goal))
    monitor.observe(step_of(scene))
    return bool(goal.parts) and monitor.holds


def _atom(literal: Literal) -> Formula:
    if isinstance(literal, ActionGoal):
        return Formula("atom", literal.action)
    word = literal.state if isinstance(literal, NodeGoal) else literal.relation
    atom = Formula("atom", word, literal.objects)
    return atom if literal.holds else Formula("not", parts=(atom,))


def _joined(kind: str, parts: Iterable[Formula]) -> Formula:
    found = tuple(parts)
    return found[0] if len(found) == 1 else Formula(kind, parts=found)
