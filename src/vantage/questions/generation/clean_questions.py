"""Clean questions with gold answers, from a scene graph.

A question is a program, and its answer is what the exact executor makes of it; so is every premise of it checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from vantage.questions.generation import (
    attribute_questions,
    location_questions,
    relation_questions,
    use_questions,
)
from vantage.questions.generation.drafts import Draft, Maker, QuestionScene
from vantage.questions.generation.facts import Facts
from vantage.questions.generation.giveaways import gives_away
from vantage.questions.kinds import OPPOSITES, QuestionKind
from vantage.questions.lexicon import number_word
from vantage.questions.programs import Program, Query, Verify, program_text
from vantage.types import TruthQuestion

_MOST_DRAFTS = 12  # of one kind, before the scene counts as giving none

_MAKERS: dict[QuestionKind, Maker] = {
    QuestionKind.COLOR: attribute_questions.ask_color,
    QuestionKind.LOCATION: location_questions.ask_location,
    QuestionKind.EXISTENCE: location_questions.ask_existence,
    QuestionKind.COUNT: location_questions.ask_count,
    QuestionKind.MATERIAL: attribute_questions.ask_material,
    QuestionKind.STATE: attribute_questions.ask_state,
    QuestionKind.RELATION: relation_questions.ask_relation,
    QuestionKind.COMPARISON: attribute_questions.ask_comparison,
    QuestionKind.ROOM: location_questions.ask_room,
    QuestionKind.TEXT: attribute_questions.ask_text,
    QuestionKind.SHAPE: attribute_questions.ask_shape,
    QuestionKind.SAMENESS: attribute_questions.ask_sameness,
    QuestionKind.SUPERLATIVE: attribute_questions.ask_superlative,
    QuestionKind.SIZE: attribute_questions.ask_size,
    QuestionKind.USE: use_questions.ask_use,
}


@dataclass(frozen=True)
class GeneratedQuestion:
    """A question in words with its gold data; ``program`` is None where no program says what it asks."""

    text: str
    truth: TruthQuestion
    program: Program | None = None


def clean_question(facts: Facts, kind: QuestionKind, rng: np.random.Generator) -> GeneratedQuestion | None:
    """A question whose premises hold, or None when the scene gives none of this kind.

    Questions with yes or no for an answer have either with even chances.
    """
    yes = bool(rng.random() < 0.5)
    scenes = (QuestionScene(facts, rng, wanted) for wanted in (yes, not yes))
    return next((question for scene in scenes for question in answered_drafts(scene, kind)), None)


def answered_drafts(asking: QuestionScene, kind: QuestionKind) -> Iterator[GeneratedQuestion]:
    """Those of the first drafts of a kind whose premises hold and that do not tell their answers."""
    for draft in islice(_MAKERS[kind](asking), _MOST_DRAFTS):
        question = _answered(asking.facts, kind, draft)
        if question is not None:
            yield question


def _answered(facts: Facts, kind: QuestionKind, draft: Draft) -> GeneratedQuestion | None:
    """The question with its answer, or None where a premise fails or its words give the answer away."""
    outcome = facts.executor.run(draft.program)
    if outcome.problem or outcome.value is None or not draft.targets:
        return None
    if gives_away(draft.text, draft.program, spoken(outcome.value)):
        return None
    truth = TruthQuestion(
        question_id="",
        kind=kind.value,
        answer=spoken(outcome.value),
        accepted=_other_wordings(facts, draft, outcome.value),
        target_instances=draft.targets,
        program=program_text(draft.program),
    )
    return GeneratedQuestion(draft.text, truth, draft.program)


def _other_wordings(facts: Facts, draft: Draft, value: bool | int | str | tuple[str, ...]) -> tuple[str, ...]:
    """Answers that say the same as the gold answer in other words."""
    program, obj = draft.program, facts.node(draft.targets[0])
    if isinstance(value, int) and not isinstance(value, bool):
        return (number_word(value),)
    if isinstance(program, Query) and program.attribute == "place":
        return facts.other_places(obj)
    if isinstance(program, Verify) and program.attribute == "room":
        return (facts.room(obj),)
    if isinstance(program, Verify) and program.attribute == "state":
        return (program.value if value else OPPOSITES[program.value],)
    return ()


def spoken(value: bool | int | str | tuple[str, ...]) -> str:
    """What a program comes to, as a gold answer; of several values, all of them in their order, with commas between."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value)
