"""Drafts of pairs about one home, from its scene graph alone, and those of them that a set takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from vantage.benchmarks.noisyeqa.noisyeqa_checks import pair_problems
from vantage.benchmarks.sets import Draft, balanced_places
from vantage.config import RelationSettings
from vantage.questions.generation import Facts
from vantage.questions.noise import NoisyPair, UsualClaims, Wording, drafted_pairs
from vantage.types import Episode, NoiseType, Truth, TruthQuestion

_PASSES = 6  # through the objects of a home, for one type
_TRIES = 400  # drafts of a pass
_MOST = 60  # drafts of one type that a home offers
_ENOUGH = 120  # drafts, after which no further pass is made


@dataclass(frozen=True)
class Offer:
    """A draft of a pair, and the place of its home in the set."""

    home: int
    pair: NoisyPair


def pair_drafts(
    facts: Facts, noise: NoiseType, rng: np.random.Generator, wording: Wording, usual: UsualClaims | None
) -> tuple[NoisyPair, ...]:
    """Different sound drafts of pairs of one type about one home.

    Args:
        usual: what false claims are taken from; None for any.
    """
    found: dict[str, NoisyPair] = {}
    for _ in range(_PASSES):
        if len(found) >= _ENOUGH:
            break
        for pair in islice(drafted_pairs(facts, noise, rng, wording, usual), _TRIES):
            if pair is not None:
                found.setdefault(pair.noisy.text, pair)
    texts = rng.permutation(sorted(found))[:_MOST].tolist()
    return tuple(found[text] for text in texts if _sound(found[text], facts))


def _sound(pair: NoisyPair, facts: Facts) -> bool:
    noisy, clean = pair.noisy, pair.clean
    relations: RelationSettings = facts.settings
    problems = pair_problems(noisy.truth, clean.truth, clean.text, facts.graph, None, relations)
    return noisy.text != clean.text and not any(problems)


def in_balance(
    offers: Sequence[Offer],
    wanted: Mapping[NoiseType, int],
    most: int,
    rng: np.random.Generator,
    made: Mapping[int, Sequence[tuple[Episode, Truth]]],
    balanced: bool = True,
    limits: Mapping[NoiseType, int] | None = None,
) -> list[Offer]:
    """As many offers as are wanted, such that words tell nothing; see ``balanced_places``.

    Args:
        most: pairs of one home.
        made: episodes of each home so far, the noisy half of a pair before the clean one.
        limits: the most offers of each type; None for any number.
    """
    before = [_draft(home, *halves) for home, episodes in made.items() for halves in _halves(episodes)]
    drafts = [
        _draft(offer.home, pair.noisy.text, pair.noisy.truth, pair.clean.text, pair.clean.truth)
        for offer in offers
        for pair in (offer.pair,)
    ]
    numbers = {noise.name: number for noise, number in wanted.items()}
    bounds = None if limits is None else {noise.name: number for noise, number in limits.items()}
    return [offers[k] for k in balanced_places(drafts, numbers, most, rng, before, balanced, bounds)]


def _draft(home: int, noisy_text: str, noisy: TruthQuestion, clean_text: str, clean: TruthQuestion) -> Draft:
    keys = frozenset(f"{home}: {key}" for key in _asked_of(noisy_text, noisy, clean_text, clean))
    return Draft(noisy_text, clean_text, noisy.noise_type.name, keys, str(home))


def pair_keys(pair: NoisyPair) -> frozenset[str]:
    """Both questions in words, what the twin asks of which objects, and which noise is about them."""
    return frozenset(_asked_of(pair.noisy.text, pair.noisy.truth, pair.clean.text, pair.clean.truth))


def _asked_of(noisy_text: str, noisy: TruthQuestion, clean_text: str, clean: TruthQuestion) -> set[str]:
    objects = " ".join(map(str, clean.target_instances))
    return {noisy_text, clean_text, f"{clean.kind} of {objects}", f"{noisy.noise_type.name} about {objects}"}


def _halves(made: Iterable[tuple[Episode, Truth]]) -> Iterator[tuple[str, TruthQuestion, str, TruthQuestion]]:
    """Text and gold data of the noisy and of the clean half of each pair."""
    halves = [(episode.questions[0].text, truth.questions[0]) for episode, truth in made]
    for (noisy, false), (clean, true) in zip(halves[::2], halves[1::2], strict=True):
        yield noisy, false, clean, true
