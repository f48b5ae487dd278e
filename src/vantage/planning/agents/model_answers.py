"""Answers of a model to questions that are put to it as they are: unseen, about one picture, or after a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from vantage.answering.vlm import one_line, prompt_question
from vantage.errors import ModelError
from vantage.planning.agents.model_replies import Choice
from vantage.types import Answer, NoiseReport, Question, Verdict

HALF_SURE = 0.5  # of what a model says that does not say how sure it is
_LONGEST = 300  # characters of an answer


def plain_answer(question: Question, ask: Callable[[str], str]) -> Answer:
    """What a model says to a question.

    Args:
        ask: gives the model's reply to the question's text, made safe for a prompt.
    """
    asked = prompt_question(question.text)
    if not asked.text:
        return unasked(question, asked.note)
    try:
        said = one_line(ask(asked.text), _LONGEST)
    except ModelError as error:
        return stopped_answer(question, error, HALF_SURE)
    return stopped_answer(question, Choice(answer=said), HALF_SURE)


def unasked(question: Question, why: str) -> Answer:
    """Of a question that holds nothing to ask."""
    return Answer(question.question_id, why, Verdict.UNANSWERABLE, 0.0, phase=question.phase)


def stopped_answer(question: Question, said: Choice | ModelError, sure: float, remarks: Iterable[str] = ()) -> Answer:
    """The answer of a choice, or the verdict on a model that gave none.

    Args:
        remarks: what else is to be known of it, told in the explanation.
    """
    explanation = " ".join(remark for remark in remarks if remark)
    if isinstance(said, ModelError):
        text, verdict, sure = f"The model could not answer: {said}", Verdict.NEEDS_MODEL, 0.0
    else:
        text, verdict, sure = said.answer, *((Verdict.ANSWERED, sure) if said.answer else (Verdict.UNANSWERABLE, 0.0))
    answer = Answer(question.question_id, text, verdict, sure, phase=question.phase)
    return replace(answer, noise=NoiseReport(explanation=explanation)) if explanation else answer
