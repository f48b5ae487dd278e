"""Questions that the parser does not understand, put into programs by a model, and checked before they are used."""

from __future__ import annotations

from typing import get_args

from vantage.answering.vlm import prompt_question
from vantage.bounded_json import bounded_json
from vantage.errors import FormatError, ModelError
from vantage.models import Model, prompt
from vantage.questions import PROGRAM_SCHEMA, ParsedQuestion, Program, program_from_steps, programs, signatures
from vantage.questions.parsing import NotUnderstood

PROGRAM_PROMPT = "program"


def written_program(model: Model, text: str) -> ParsedQuestion | NotUnderstood:
    """What a model makes of a question; why there is no program, where it makes none or one that cannot be used."""
    asked = prompt_question(text)
    if not asked.text:
        return NotUnderstood("it holds no words")
    filled = prompt(PROGRAM_PROMPT).fill(
        question=asked.text,
        answers=", ".join(programs.name_of(kind) for kind in get_args(Program)),
        signatures=signatures(),
        attributes=", ".join(name for name in programs.ATTRIBUTES if name != "use"),  # of which it knows no values
        relations=", ".join(programs.RELATIONS),
        quantities=", ".join(programs.QUANTITIES),
    )
    try:
        reply = bounded_json(model.chat(filled, (), PROGRAM_SCHEMA))
        if not reply["understood"]:
            return NotUnderstood(f"model '{model.name}' finds no program for it")
        return ParsedQuestion(text.strip(), program_from_steps(reply["steps"]))
    except ModelError as error:
        return NotUnderstood(f"model '{model.name}' could not be asked for a program: {error}")
    except (FormatError, ValueError, KeyError, TypeError) as error:
        return NotUnderstood(f"model '{model.name}' wrote a program that cannot be used: {error}")
