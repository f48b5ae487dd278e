"""Drafts of pairs about one home, from its scene graph alone, and the order in which a set takes them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from vantage.benchmarks.noisyeqa.noisyeqa_checks import pair_problems
from vantage.benchmarks.sets import Draft, by_balanced_lot
from vantage.config import RelationSettings
from vantage.questions.generation import Facts
from vantage.questions.noise import NoisyPair, UsualClaims, Wording, noisy_pair
from vantage.types import Episode, NoiseType, Truth, TruthQuestion

_TRIES = 24  # pairs of one type that are drawn in a home


@dataclass(frozen=True)
class Offer:
    """A draft of a wanted pair, and the place of its home in the set."""

    home: int
    pair: NoisyPair


def pair_drafts(
    facts: Facts,
    noise: NoiseType,
    rng: np.random.Generator,
    wording: Wording,
    usual: UsualClaims | None,
    asked: Collection[str],
) -> tuple[NoisyPair, ...]:
    """Different sound drafts of pairs of one type about one home.

    Args:
        usual: what false claims are taken from; None for any.
        asked: keys of what is not to be asked again; see ``pair_keys``.
    """
    pairs = iter(lambda: noisy_pair(facts, noise, rng, wording, usual), None)
    sound = {pair.noisy.text: pair for pair in islice(pairs, _TRIES) if _sound(pair, facts)}
    return tuple(pair for pair in sound.values() if pair_keys(pair).isdisjoint(asked))


def _sound(pair: NoisyPair, facts: Facts) -> bool:
    noisy, clean = pair.noisy, pair.clean
    relations: RelationSettings = facts.settings
    problems = pair_problems(noisy.truth, clean.truth, clean.text, facts.graph, None, relations)
    return noisy.text != clean.text and not any(problems)


def in_balance(
    offered: Sequence[Sequence[Offer]], rng: np.random.Generator, made: Iterable[tuple[Episode, Truth]]
) -> list[list[Offer]]:
    """The drafts of each wanted pair, as lots are drawn for them; see ``word_balance``.

    Args:
        made: episodes of the set so far, the noisy half of a pair before the clean one.
    """
    drafts = [[_draft(offer) for offer in offers] for offers in offered]
    before = [Draft(noisy, clean, gold.noise_type.name) for noisy, gold, clean, _ in _halves(made)]
    orders = by_balanced_lot(drafts, rng, before)
    return [[offers[k] for k in order] for offers, order in zip(offered, orders, strict=True)]


def _draft(offer: Offer) -> Draft:
    pair = offer.pair
    keys = frozenset(f"{offer.home}: {key}" for key in pair_keys(pair))
    return Draft(pair.noisy.text, pair.clean.text, pair.noisy.truth.noise_type.name, keys)


def asked_before(made: Iterable[tuple[Episode, Truth]]) -> frozenset[str]:
    """What is not to be asked of a home again, from what it gave: see ``pair_keys``."""
    return frozenset(key for halves in _halves(made) for key in _asked_of(*halves))


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
