"""Categories of questions by what somebody must look for, and clean questions of one category with varied answers.

A question is of the category that its program says; of what it asks for where it has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from vantage.questions.generation.clean_questions import GeneratedQuestion, clean_question
from vantage.questions.generation.drafts import shuffled
from vantage.questions.generation.facts import Facts
from vantage.questions.kinds import QuestionKind
from vantage.questions.program_parts import inner_steps
from vantage.questions.programs import (
    Between,
    Compared,
    CompareNumber,
    CompareQuantity,
    Count,
    Exist,
    Filter,
    Most,
    Program,
    Query,
    QueryEach,
    Relate,
    Verify,
    VerifyRelation,
    read_program,
)
from vantage.scenes.geometry import GEOMETRIC
from vantage.types import TruthQuestion

_KINDS: dict[str, tuple[QuestionKind, ...]] = {
    "object": (QuestionKind.LOCATION, QuestionKind.ROOM, QuestionKind.EXISTENCE),
    "state": (QuestionKind.STATE,),
    "attribute": (
        *(QuestionKind.COLOR, QuestionKind.MATERIAL, QuestionKind.SHAPE, QuestionKind.TEXT, QuestionKind.SIZE),
        *(QuestionKind.COMPARISON, QuestionKind.SUPERLATIVE),
    ),
    "use": (QuestionKind.USE,),
    "relation": (QuestionKind.RELATION, QuestionKind.COMPARISON, QuestionKind.SUPERLATIVE),
    "count": (QuestionKind.COUNT, QuestionKind.SAMENESS, QuestionKind.COMPARISON),
}
CATEGORIES = tuple(_KINDS)  # where or whether a thing is; its state; its looks or print; its use; among others; numbers
_BY_ATTRIBUTE = {"place": "object", "room": "object", "label": "object", "state": "state"}
_DRAWN = 12  # questions of which the one with the rarest answer is taken


def category_of(truth: TruthQuestion) -> str:
    """One of ``CATEGORIES``.

    Raises:
        FormatError: its program is none.
    """
    if truth.program:
        return category_of_program(read_program(truth.program))
    return next(name for name, kinds in _KINDS.items() if truth.kind in [kind.value for kind in kinds])


def category_of_program(program: Program) -> str:
    """One of ``CATEGORIES``: a thing told by its use is of that category, whatever is asked of it."""
    steps = tuple(inner_steps(program))
    if any(isinstance(step, (Filter, Verify)) and step.attribute == "use" for step in steps):
        return "use"
    if isinstance(program, (Count, CompareNumber)):
        return "count"
    if isinstance(program, (VerifyRelation, CompareQuantity)):
        return "relation"
    if isinstance(program, Exist):
        beside = any(
            isinstance(step, Compared) or (isinstance(step, Relate) and step.relation in GEOMETRIC) for step in steps
        )
        return "relation" if beside else "object"
    if isinstance(program, (Query, QueryEach)) and program.attribute == "label":
        told = any(isinstance(step, (Relate, Between, Compared, Most)) for step in steps)
        return "relation" if told else "object"
    return _BY_ATTRIBUTE.get(program.attribute, "attribute")


def category_question(
    facts: Facts, category: str, rng: np.random.Generator, given: Mapping[str, int] | None = None
) -> GeneratedQuestion | None:
    """A clean question of a category (of ``CATEGORIES``), or None when the scene gives none.

    Args:
        given: how often each answer, in small letters, was given before; of several questions, the one with the rarest
            answer is taken, so that no answer is right by being common.
    """
    drawn = list(_drawn(facts, category, rng))
    return min(drawn, key=lambda made: (given or {}).get(made.truth.answer.lower(), 0), default=None)


def _drawn(facts: Facts, category: str, rng: np.random.Generator) -> Iterator[GeneratedQuestion]:
    """Some questions of a category, its kinds in turns."""
    open_kinds = shuffled(_KINDS[category], rng)
    for turn in range(_DRAWN):
        if not open_kinds:
            return
        kind = open_kinds[turn % len(open_kinds)]
        made = clean_question(facts, kind, rng)
        if made is None:
            open_kinds.remove(kind)
        elif category_of(made.truth) == category:
            yield made
