"""Noise that a model adds to questions of others, such as those of OpenEQA and HM-EQA, whose scenes have no graph.

The answer of the corrected question is the answer that the question came with, so that scores with and without noise
can be compared. What the model writes is checked as far as words show it; that the claim is false and the correction
true, a person or a scene graph must tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.bounded_json import bounded_json
from vantage.errors import ModelError
from vantage.models import Model, prompt
from vantage.questions.kinds import NUMBERS
from vantage.questions.lexicon import may_be_called, share_meaning, singular
from vantage.questions.noise.clear_contrasts import alike
from vantage.types import NoiseType, TruthQuestion

_LONGEST = 300  # characters of a question, and of a claim
_FILLERS = frozenset(
    (
        *("a", "an", "the", "this", "that", "these", "those", "there", "some", "any", "no", "not", "and", "or"),
        *("is", "are", "was", "were", "be", "been", "has", "have", "do", "does", "did"),
        *("of", "in", "on", "at", "to", "by", "from", "with", "it", "its", "my", "your", "i", "you", "we", "they"),
        *("what", "which", "who", "where", "when", "how", "can", "could", "would", "will"),
    )
)
_OPENINGS = ("what", "which", "who", "whose", "where", "when", "why", "how")
_VERBS = ("is", "are", "was", "were", "do", "does", "did", "has", "have", "can", "could", "would")
_ATTRIBUTES = {NoiseType.COLOR: "color", NoiseType.MATERIAL: "material", NoiseType.SHAPE: "shape"}
_NAMES = (NoiseType.PERCEPTION, NoiseType.SEMANTIC)
_NEGATIONS = ("no", "not", "without", "nothing", "none")


@dataclass(frozen=True)
class Change:
    """A question before and after a false premise was put into it.

    Attributes:
        answer: to the question as it was.
        false, right: the claim that was put in, and its correction.
    """

    before: str
    after: str
    answer: str
    noise: NoiseType
    false: str
    right: str


def change_problems(change: Change, present: Sequence[str] = ()) -> list[str]:
    """What is wrong with a change, in words; empty where nothing is found."""
    claimed, right = _content(change.false), _content(change.right)
    asked, before = _content(change.after), _content(change.before)
    false, true = claimed - right, right - claimed
    problems = []
    if not all((change.after, change.false, change.right)):
        return ["a field is empty"]
    if max(map(len, (change.after, change.false, change.right))) > _LONGEST:
        return [f"it is longer than {_LONGEST} characters"]
    if asked == before:
        problems.append("the question was not changed")
    if _opening(change.after) != _opening(change.before):
        problems.append("it asks for something else than the question did")
    if _words(change.answer) and _gives_away(change):
        problems.append("the changed question gives the answer away")
    if change.noise is NoiseType.LATENT:
        return problems + _latent_problems(change, claimed & asked - before, present)
    if not false or not true:
        return [*problems, "the correction does not say otherwise than the false claim"]
    if not false & (asked - before):
        problems.append(f"the changed question does not say '{' '.join(sorted(false))}'")
    return problems + _difference_problems(change.noise, false, true)


def _latent_problems(change: Change, named: set[str], present: Sequence[str]) -> list[str]:
    problems = []
    if not named:
        problems.append("the false claim does not name a thing that only the changed question speaks of")
    if not set(_words(change.right)) & set(_NEGATIONS):
        problems.append("the correction does not say that there is no such thing")
    there = sorted(obj for obj in present if any(may_be_called(obj, word) for word in named))
    return [*problems, f"there is a {there[0]}"] if there else problems


def _difference_problems(noise: NoiseType, false: set[str], true: set[str]) -> list[str]:
    """Whether what is false and what is true can both be said of the same object."""
    for wrong in sorted(false):
        for right in sorted(true):
            same = noise in _ATTRIBUTES and alike(_ATTRIBUTES[noise], wrong, right)
            named = noise in _NAMES and may_be_called(right, wrong)
            if same or named or share_meaning(wrong, right):
                return [f"'{wrong}' and '{right}' can be said of the same thing"]
    numbers = [_number(words) for words in (false, true)]
    if noise is NoiseType.COUNT and None in numbers:
        return ["claim and correction must each say a number"]
    return []


def _gives_away(change: Change) -> bool:
    answer = _content(change.answer)
    if not answer or _words(change.answer)[0] in ("yes", "no"):
        return False
    return answer <= _content(change.after) and not answer <= _content(change.before)


def _opening(text: str) -> str:
    """The word that tells what sort of answer is wanted."""
    words = _words(text)
    found = next((word for word in words if word in _OPENINGS), "")
    return found or ("yes or no" if any(word in _VERBS for word in words) else "")


def _number(words: set[str]) -> int | None:
    found = [int(word) for word in words if word.isdigit()] + [k for k, word in enumerate(NUMBERS) if word in words]
    return found[0] if len(found) == 1 else None


def _content(text: str) -> set[str]:
    """The words that carry meaning, in the singular."""
    return {singular(word) for word in _words(text) if word not in _FILLERS}


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower().replace("'s", ""))


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


def noise_by_model(
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
        present: objects that are known to be there, so that LATENT names another.
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
        fields = bounded_json(reply)
        question, false, right = (fields[name] for name in ("question", "false_claim", "correction"))
    except (ValueError, KeyError, TypeError) as error:
        return f"it was not the JSON asked for ({type(error).__name__}: {error})"
    if not all(isinstance(text, str) for text in (question, false, right)):
        return "a field was no text"
    cleaned = [" ".join(text.split()) for text in (question, false, right)]
    return cleaned[0], cleaned[1].rstrip("."), cleaned[2].rstrip(".")
