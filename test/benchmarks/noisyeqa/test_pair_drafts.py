"""Drafts of pairs: sound, different, with usual claims where the home gives any; and a choice of those of a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from vantage.benchmarks.noisyeqa.noisyeqa_checks import pair_problems
from vantage.benchmarks.noisyeqa.pair_drafts import Offer, in_balance, pair_drafts, pair_keys
from vantage.questions.generation.clean_questions import GeneratedQuestion
from vantage.questions.generation.facts import Facts
from vantage.questions.noise.pairing import NoisyPair
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.spatial import Viewpoint
from vantage.types import Episode, NoiseType, Question, Truth


@cache
def facts() -> list[Facts]:
    return [Facts(SceneGraph.from_spec(generate_home(seed, 2))) for seed in (56, 54, 52)]


@cache
def drafts(noise: NoiseType, usual: bool = True) -> tuple[NoisyPair, ...]:
    claims = UsualClaims.of_all(UsualClaims.of(each) for each in facts()) if usual else None
    return pair_drafts(facts()[0], noise, np.random.default_rng(4), "test", claims)


@pytest.mark.parametrize("usual", [True, False], ids=["usual", "any"])
@pytest.mark.parametrize("noise", [NoiseType.COLOR, NoiseType.LATENT, NoiseType.POSITION])
def test_drafts_are_sound_and_different(noise: NoiseType, usual: bool) -> None:
    pairs = drafts(noise, usual)
    assert pairs
    assert len({pair.noisy.text for pair in pairs}) == len(pairs)
    for pair in pairs:
        assert pair.noisy.truth.noise_type is noise
        assert pair.noisy.text != pair.clean.text
        graph = facts()[0].graph
        assert not list(pair_problems(pair.noisy.truth, pair.clean.truth, pair.clean.text, graph))


def test_where_nothing_is_usual_there_are_no_drafts() -> None:
    claims = UsualClaims(frozenset())
    assert pair_drafts(facts()[0], NoiseType.COLOR, np.random.default_rng(4), "test", claims) == ()


def chosen(
    numbers: dict[NoiseType, int], made: dict[int, Sequence[tuple[Episode, Truth]]] | None = None, most: int = 9
) -> list[Offer]:
    offers = [Offer(home, pair) for home in (0, 1) for noise in numbers for pair in drafts(noise)]
    return in_balance(offers, numbers, most, np.random.default_rng(1), made or {})


def test_as_many_of_each_type_as_are_wanted_are_taken_from_all_homes() -> None:
    numbers = {NoiseType.COLOR: 6, NoiseType.LATENT: 2}
    taken = chosen(numbers)
    assert Counter(offer.pair.noisy.truth.noise_type for offer in taken) == numbers
    assert taken == chosen(numbers)
    assert Counter(offer.home for offer in chosen({NoiseType.COLOR: 6}, most=3)) == {0: 3, 1: 3}


def test_nothing_is_asked_of_a_home_twice() -> None:
    keys = [(offer.home, key) for offer in chosen({NoiseType.COLOR: 8}) for key in pair_keys(offer.pair)]
    assert len(keys) == len(set(keys))
    first = chosen({NoiseType.COLOR: 1})[0]
    halves = [(_asking(half), _truth(half)) for half in (first.pair.noisy, first.pair.clean)]
    again = chosen({NoiseType.COLOR: 4}, {first.home: halves})
    assert again
    others = [offer.pair for offer in again if offer.home == first.home]
    assert all(pair_keys(pair).isdisjoint(pair_keys(first.pair)) for pair in others)


def _asking(half: GeneratedQuestion) -> Episode:
    start = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
    return Episode("a-01", "noisyeqa", "a", start, (Question("q0", half.text),), 5)


def _truth(half: GeneratedQuestion) -> Truth:
    return Truth("a-01", (half.truth,))
