"""From a task in words to a goal, or to a refusal that says what the scene lacks: no network, no weights, no chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from vantage.goals import (
    EdgeGoal,
    Goal,
    Literal,
    NodeGoal,
    SceneFacts,
    TaskText,
    contradictions,
    fault_of,
    kind_of,
    ungrounded,
)
from vantage.planning.goals.drafts import draft
from vantage.planning.goals.lessons import Lessons
from vantage.planning.wishes import Names


@dataclass(frozen=True)
class Interpretation:
    """What is to be done.

    Attributes:
        goal: asks for nothing where the task is refused; it names nothing that the scene lacks.
        missing: what the task needs and the scene lacks, in the words of the task.
        reason: of a refusal, as one sentence.
    """

    goal: Goal = field(default_factory=Goal)
    missing: tuple[str, ...] = ()
    reason: str = ""

    @property
    def refused(self) -> bool:
        return bool(self.reason)


class GoalInterpreter:
    """Reads verbs, places and names of things, and finds these in the scene.

    Args:
        lessons: of solved tasks; without them the verbs alone decide.
    """

    def __init__(self, lessons: Lessons | None = None) -> None:
        self._lessons = lessons or Lessons()
        self._names = Names(self._lessons.words)

    def interpret(self, task: TaskText, scene: SceneFacts) -> Interpretation:
        """The goal of a task in a scene, or why there is none."""
        if not f"{task.name}{task.text}".strip():
            return Interpretation(reason="The task is empty.")
        found = draft(task, scene, self._names)
        missing = tuple(dict.fromkeys(lack.name for lack in found.lacks if self._lessons.matters(lack.reason)))
        if missing:
            return Interpretation(
                missing=missing, reason=f"I cannot do this: there is no such thing here as {', '.join(missing)}."
            )
        literals = [ask.literal for ask in found.asks if self._lessons.counts(ask.reason)]
        if not any(literal.objects for literal in literals):
            lacking = tuple(dict.fromkeys(lack.name for lack in found.lacks))
            return Interpretation(missing=lacking, reason="I cannot do this: nothing in the scene is what it asks for.")
        goal = Goal.of({each.key: each for each in (*literals, *self._besides(literals, scene))}.values())
        if ungrounded(goal, scene) or contradictions(goal, scene):
            return Interpretation(reason="I cannot do this: what it asks for contradicts itself.")
        return Interpretation(goal)

    def _besides(self, literals: list[Literal], scene: SceneFacts) -> Iterator[Literal]:
        """States in which what something is put into shall be as well."""
        for literal in literals:
            if isinstance(literal, EdgeGoal) and literal.holds:
                for state in self._lessons.besides.get(kind_of(literal.object), ()):
                    more = NodeGoal(literal.object, state)
                    if fault_of(more, scene) is None:
                        yield more
