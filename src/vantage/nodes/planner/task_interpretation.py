"""The service ``interpret_task``: what a question asks and takes for granted, or what an instruction wants to be done
and whether the guard finds that feasible by what was observed so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vantage.answering.symbolic import wording
from vantage.goals import Reason, ReasonKind, Ruling, SceneFacts, TaskText, kind_of, objects_of
from vantage.planning.goals import GoalInterpreter, Interpretation
from vantage.planning.guard import Guard
from vantage.questions import (
    Alike,
    CompareAttribute,
    CompareNumber,
    CompareQuantity,
    Count,
    Exist,
    Most,
    ParsedQuestion,
    Program,
    Query,
    QueryEach,
    QuestionKind,
    Verify,
    VerifyRelation,
    descriptions,
    subject,
)
from vantage.questions.parsing import parse
from vantage.recording import Codec

_KINDS: dict[type, QuestionKind] = {
    Exist: QuestionKind.EXISTENCE,
    Count: QuestionKind.COUNT,
    VerifyRelation: QuestionKind.RELATION,
    CompareNumber: QuestionKind.COMPARISON,
    CompareQuantity: QuestionKind.COMPARISON,
    CompareAttribute: QuestionKind.SAMENESS,
    Alike: QuestionKind.SAMENESS,
}
_ATTRIBUTES = {"place": QuestionKind.LOCATION, "label": QuestionKind.RELATION, "weight": QuestionKind.COMPARISON}


INSTRUCTION = "instruction"  # the kind of a task that wants something to be done
_DEADLINE = 5.0  # s, within which the agent must have told what it knows
_MOST_TEXT = 10_000  # characters of a task


class TaskInterpretation:
    """Answers requests of ``interpret_task``.

    Args:
        facts: what is known of the scene, by the number of seconds to wait for it; None where nothing came in time.
        guard: rules on the goals of instructions, with all that was not observed as unknown.
    """

    def __init__(self, codec: Codec, facts: Callable[[float], SceneFacts | None], guard: Guard) -> None:
        self._codec, self._facts, self._guard = codec, facts, guard
        self._interpreter = GoalInterpreter()

    def __call__(self, request: Any, response: Any) -> Any:
        """Fill an InterpretTask response; a task that is not understood needs a model, and says so."""
        if len(request.task) > _MOST_TEXT:
            response.message = f"the task has {len(request.task)} characters; give one of {_MOST_TEXT} at most"
            return response
        parsed = parse(request.task)
        if parsed is not None:
            response.understood = True
            response.kind = _kind(parsed.program).value
            response.look_for = list(parsed.labels)
            response.premises = _premises(parsed)
            return response
        facts = self._facts(_DEADLINE)
        if facts is None:
            response.message = (
                f"the agent did not get to tell what it has seen within {_DEADLINE:g} s; ask again once it has decided"
            )
            return response
        task = TaskText("", request.task)
        found = self._interpreter.interpret(task, facts)
        ruling = self._ruling(task, found, facts)
        if ruling is None:
            response.message = "the task was not understood; a language model is needed"
            return response
        named = (kind_of(name).replace("_", " ") for name in objects_of(found.goal))
        response.understood, response.kind, response.message = True, INSTRUCTION, ruling.words
        response.look_for = [*dict.fromkeys((*found.missing, *named))]
        response.goal, response.ruling = self._codec.goal(found.goal), self._codec.ruling(ruling)
        return response

    def _ruling(self, task: TaskText, found: Interpretation, facts: SceneFacts) -> Ruling | None:
        """None where nobody understood what is to be done."""
        if found.goal.parts:
            return self._guard.judge(task, found.goal, facts, complete=False)
        if found.missing:
            return Ruling.of(Reason(ReasonKind.UNSEEN_OBJECT, name) for name in found.missing)
        return None


def _kind(program: Program) -> QuestionKind:
    """What a program asks for."""
    if not isinstance(program, (Query, QueryEach, Verify)):
        return _KINDS[type(program)]
    if isinstance(program, (Query, Verify)) and isinstance(program.one, Most) and program.attribute == "label":
        return QuestionKind.SUPERLATIVE
    return _ATTRIBUTES.get(program.attribute) or QuestionKind(program.attribute)


def _premises(parsed: ParsedQuestion) -> list[str]:
    """What the question takes for granted, in words."""
    found = []
    for one in descriptions(parsed.program):
        if parsed.number is not None and one == subject(parsed.program):
            found.append(f"there are {wording.counted(parsed.number, one.objects)}")
        else:
            found.append(f"there is {wording.indefinite(one.objects)}")
    return found
