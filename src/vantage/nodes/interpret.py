"""What the planner makes of a task in words."""

from __future__ import annotations

from typing import Any

from vantage.questions.parser import parse


def interpret_task(request: Any, response: Any) -> Any:
    """Fill an InterpretTask response; a task that is not understood needs a model, and says so."""
    parsed = parse(request.task)
    if parsed is None:
        response.message = "the task was not understood; a language model is needed"
        return response
    response.understood = True
    response.kind = parsed.kind.value
    response.look_for = list(parsed.labels)
    response.premises = [claim.text for claim in parsed.claims]
    return response
