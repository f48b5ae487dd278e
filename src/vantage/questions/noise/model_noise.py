"""Noise that a model adds to questions of others, such as those of OpenEQA and HM-EQA, whose scenes have no graph.

The answer of the corrected question is the answer that the question came with, so that scores with and without noise
can be compared. What the model writes is checked as far as words show it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import ModelError
from vantage.models.prompts import prompt
from vantage.models.protocol import Model
from vantage.questions.noise.noise_checks import Change, change_problems
from vantage.types import NoiseType, TruthQuestion

NOISES = (
    NoiseType.LATENT,
    NoiseType.POSITION,
    NoiseType.COLOR,
    NoiseType.SHAPE,
    NoiseType.COUNT,
    NoiseType.MATERIAL,
    NoiseType.PERCEPTION,
    NoiseType.SEMANTIC,
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("question", "false_claim", "correction")},
    "required": ["question", "false_claim", "correction"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class NoisedQuestion:
    """A question with a false premise that a model made from one without.

    Attributes:
        text: the changed question.
        original, answer: as they came.
        prompt_version: of the prompt that the model followed.
    """

    text: str
    noise: NoiseType
    false_claim: str
    correction: str
    original: str
    answer: str
    prompt_version: str

    @property
    def change(self) -> Change:
        """What ``change_problems`` checks."""
        return Change(self.original, self.text, self.answer, self.noise, self.false_claim, self.correction)

    def truth(self, question_id: str, kind: str, accepted: Sequence[str] = ()) -> TruthQuestion:
        """The gold data; a question about what is not there has no answer and no corrected question."""
        latent = self.noise is NoiseType.LATENT
        return TruthQuestion(
            question_id=question_id,
            kind=kind,
            answer="" if latent else self.answer,
            accepted=() if latent else tuple(accepted),
            premise_holds=False,
            noise_type=self.noise,
            false_claim=self.false_claim,
            correction=self.correction,
            corrected_question="" if latent else self.original,
        )


def model_noise(
    model: Model,
    question: str,
    answer: str,
    noise: NoiseType,
    images: Sequence[NDArray[np.uint8]] = (),
    present: Sequence[str] = (),
    tries: int = 3,
) -> NoisedQuestion:
    """The question with one false premise of a type.

    Args:
        images: views of the scene (H, W, 3), where there are any; ``noise_pictures.disturbed`` for PERCEPTION.
        present: things that are known to be there, so that LATENT names another.
        tries: how often the model may write before it is given up; it is told what was wrong.

    Raises:
        ModelError: the model did not reply, or nothing that it wrote passed the checks.
    """
    if noise not in NOISES:
        known = ", ".join(kind.name for kind in NOISES)
        raise ModelError(f"a model cannot add {noise.name} to a question; choose one of {known}")
    text, fault = prompt("add_noise"), ""
    for _ in range(max(tries, 1)):
        again = f"An earlier try was refused because {fault}. Write another one." if fault else ""
        filled = text.fill(
            noise=noise.name,
            question=question,
            answer=answer,
            present=", ".join(present) or "not known",
            again=again,
        )
        found = _read(model.chat(filled.strip(), images, SCHEMA))
        if isinstance(found, str):
            fault = found
            continue
        noised = NoisedQuestion(found[0], noise, found[1], found[2], question, answer, text.version)
        problems = change_problems(noised.change, present)
        if not problems:
            return noised
        fault = problems[0]
    raise ModelError(
        f"the model '{model.name}' made no question with {noise.name} of '{question[:80]}' in {tries} tries: {fault}; "
        "leave the question out or use another model"
    )


def _read(reply: str) -> tuple[str, str, str] | str:
    """The three texts of a reply, or what is wrong with it."""
    try:
        fields = json.loads(reply)
        question, false, right = (fields[name] for name in ("question", "false_claim", "correction"))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return f"it was not the JSON asked for ({type(error).__name__}: {error})"
    if not all(isinstance(text, str) for text in (question, false, right)):
        return "a field was no text"
    cleaned = [" ".join(text.split()) for text in (question, false, right)]
    return cleaned[0], cleaned[1].rstrip("."), cleaned[2].rstrip(".")
