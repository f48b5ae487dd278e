"""The service ``interpret_task``: what kind of task a sentence is, and what it takes for granted."""

from __future__ import annotations

from typing import Any

from vantage.answering.symbolic import wording
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


def interpret_task(request: Any, response: Any) -> Any:
    """Fill an InterpretTask response; a task that is not understood needs a model, and says so."""
    parsed = parse(request.task)
    if parsed is None:
        response.message = "the task was not understood; a language model is needed"
        return response
    response.understood = True
    response.kind = _kind(parsed.program).value
    response.look_for = list(parsed.labels)
    response.premises = _premises(parsed)
    return response


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
