"""False premises that a model puts into questions of other data sets, one type after another by their shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from vantage.benchmarks.foreign import ForeignQuestion
from vantage.benchmarks.noisyeqa_shares import TYPES, checked_shares, numbers_of, shares_of
from vantage.benchmarks.set_making import QUESTION_ID
from vantage.config import Settings
from vantage.errors import ModelError, NoServerError
from vantage.questions.model_noise import model_noise
from vantage.types import NoiseType, TruthQuestion

_MOST_UNREACHED = 3  # questions on end for which the model's server was not there


def noisy_truths(
    questions: Sequence[ForeignQuestion],
    which: str,
    shares: str | Mapping[NoiseType, float],
    seed: int,
    settings: Settings,
    progress: Callable[[str], None],
) -> dict[str, tuple[str, TruthQuestion]]:
    """Text and gold data of a noisy twin by the id of the question; questions without one are told of and left out.

    The twin of a multiple-choice question keeps the choices.

    Raises:
        ModelError: the model cannot be made, its server is not there, or it made no question at all.
    """
    from vantage.models.making import make_model

    model = make_model(which, settings)
    weights = shares_of(shares) if isinstance(shares, str) else checked_shares(shares)
    numbers = numbers_of(len(questions), weights)
    kinds = [kind for kind in TYPES for _ in range(numbers[kind])]
    order = np.random.default_rng(seed).permutation(len(questions))
    made: dict[str, tuple[str, TruthQuestion]] = {}
    unreached = 0
    for question, place in zip(questions, order, strict=True):
        try:
            noised = model_noise(model, question.bare, question.answer, kinds[int(place)])
        except ModelError as error:
            unreached = unreached + 1 if isinstance(error, NoServerError) else 0
            if unreached == min(_MOST_UNREACHED, len(questions)):
                raise
            progress(f"{question.where}: left out: {error}")
            continue
        unreached = 0
        choices = question.text.removeprefix(question.bare)
        truth = noised.truth(QUESTION_ID, question.kind, question.accepted)
        made[question.question_id] = noised.text + choices, truth
    if not made:
        raise ModelError(f"the model '{model.name}' made no noisy question of {len(questions)}; use another model")
    progress(f"{len(made)} of {len(questions)} questions have a noisy twin, by {model.name}")
    return made
