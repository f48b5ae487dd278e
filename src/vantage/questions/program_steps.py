"""Programs as lists of steps in JSON, as a model writes them: each step names those before it from which it goes on.

The form is that of CLEVR's programs (Johnson et al. 2017): ``{"step": "filter", "inputs": [0], "values": ["label",
"mug"]}``. A JSON schema says it, and what it cannot say (which step takes what) is checked when the list is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any

from vantage.errors import FormatError
from vantage.questions.programs import Program, read_program, step_kinds
from vantage.registry import did_you_mean

_MOST_STEPS = 24
_MOST_LETTERS = 60  # of one value
_FALSE = ("", "no", "false")

PROGRAM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "understood": {"type": "boolean"},
        "steps": {
            "type": "array",
            "maxItems": _MOST_STEPS,
            "items": {
                "type": "object",
                "properties": {
                    "step": {"type": "string", "maxLength": _MOST_LETTERS},
                    "inputs": {"type": "array", "maxItems": 4, "items": {"type": "integer", "minimum": 0}},
                    "values": {
                        "type": "array",
                        "maxItems": 3,
                        "items": {"type": "string", "maxLength": _MOST_LETTERS},
                    },
                },
                "required": ["step", "inputs", "values"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["understood", "steps"],
    "additionalProperties": False,
}


def signatures() -> str:
    """Every step with what it takes, one on a line: ``filter(inputs: objects; values: attribute, value)``."""
    lines = []
    for name, kind in step_kinds().items():
        inputs = [_shown(item) for item in fields(kind) if not _is_word(item)]
        values = [_shown(item) for item in fields(kind) if _is_word(item)]
        lines.append(f"{name}(inputs: {', '.join(inputs) or 'none'}; values: {', '.join(values) or 'none'})")
    return "\n".join(lines)


def program_from_steps(steps: Sequence[Mapping[str, Any]]) -> Program:
    """The program whose last step is the last of a list that follows the schema.

    Raises:
        FormatError: a step is unknown, goes on from one that is not before it, or takes something else.
    """
    if not steps:
        raise FormatError("the program has no steps")
    texts: list[str] = []
    for number, step in enumerate(steps):
        texts.append(_text(number, step, texts))
    return read_program(texts[-1])


def _text(number: int, step: Mapping[str, Any], before: Sequence[str]) -> str:
    """A step in words, as ``read_program`` reads it."""
    name, kinds = step["step"], step_kinds()
    if name not in kinds:
        raise FormatError(f"step {number} of the program is the unknown '{name[:30]}'{did_you_mean(name, list(kinds))}")
    inputs, values = list(step["inputs"]), list(step["values"])
    arguments: list[str] = []
    for item in fields(kinds[name]):
        given: list[Any] = values if _is_word(item) else inputs
        if not given and item.default is MISSING:
            raise FormatError(f"step {number} of the program, '{name}', lacks its '{item.name}'")
        if not given:
            arguments.append(repr(item.default))
        elif item.type == "bool":
            arguments.append(repr(given.pop(0).strip().lower() not in _FALSE))
        elif _is_word(item):
            arguments.append(repr(given.pop(0)))
        elif (source := given.pop(0)) < len(before):
            arguments.append(before[source])
        else:
            raise FormatError(
                f"step {number} of the program, '{name}', goes on from step {source}, which is not before it"
            )
    if inputs or values:
        raise FormatError(f"step {number} of the program, '{name}', has more inputs or values than it takes")
    return f"{name}({', '.join(arguments)})"


def _is_word(item: Field[Any]) -> bool:
    return item.type in ("str", "bool")


def _shown(item: Field[Any]) -> str:
    words = f"{item.name} (yes or no)" if item.type == "bool" else item.name
    return words if item.default is MISSING else f"[{words}]"
