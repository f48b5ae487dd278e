"""Pairs of every type of noise, from a scene graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from vantage.errors import SceneError
from vantage.questions.generation.facts import Facts
from vantage.questions.noise.attributes import misremembered_looks
from vantage.questions.noise.counting import miscounted
from vantage.questions.noise.latent import hallucinated
from vantage.questions.noise.pair import NoisyPair
from vantage.questions.noise.pair_templates import Wording
from vantage.questions.noise.pairing import Pairing
from vantage.questions.noise.position import misremembered_place
from vantage.questions.noise.substitution import mistaken
from vantage.types import NoiseType

Maker = Callable[[Pairing, NoiseType], Iterator[NoisyPair | None]]

MAKERS: dict[NoiseType, Maker] = {
    NoiseType.LATENT: hallucinated,
    NoiseType.POSITION: misremembered_place,
    NoiseType.COLOR: misremembered_looks,
    NoiseType.SHAPE: misremembered_looks,
    NoiseType.COUNT: miscounted,
    NoiseType.MATERIAL: misremembered_looks,
    NoiseType.PERCEPTION: mistaken,
    NoiseType.SEMANTIC: mistaken,
}
PAIRED_TYPES = tuple(MAKERS)
_MOST_DRAFTS = 40  # that fail, before the scene counts as giving none


def noisy_pair(facts: Facts, noise: NoiseType, rng: np.random.Generator, wording: Wording = "test") -> NoisyPair | None:
    """A question with one false premise and its clean twin, or None when the scene gives none of this type.

    Raises:
        SceneError: a noise type that is none, or an unknown group of wordings.
    """
    if noise not in MAKERS:
        known = ", ".join(kind.name for kind in PAIRED_TYPES)
        raise SceneError(f"there are no pairs of questions with {noise.name}; choose one of {known}")
    drafts = islice(MAKERS[noise](Pairing(facts, rng, wording=wording), noise), _MOST_DRAFTS)
    return next((pair for pair in drafts if pair is not None), None)
