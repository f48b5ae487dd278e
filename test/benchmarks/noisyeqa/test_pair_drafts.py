"""Drafts of pairs: sound, different, with usual claims where the home gives any, and none that was asked before."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from vantage.benchmarks.noisyeqa.noisyeqa_checks import pair_problems
from vantage.benchmarks.noisyeqa.pair_drafts import Offer, in_balance, pair_drafts, pair_keys
from vantage.questions.generation.facts import Facts
from vantage.questions.noise.pairing import NoisyPair
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import NoiseType


@cache
def facts() -> list[Facts]:
    return [Facts(SceneGraph.from_spec(generate_home(seed, 2))) for seed in (50, 51, 52)]


@cache
def drafts(noise: NoiseType, usual: bool = True, asked: frozenset[str] = frozenset()) -> tuple[NoisyPair, ...]:
    claims = UsualClaims.of_all(UsualClaims.of(each) for each in facts()) if usual else None
    return pair_drafts(facts()[0], noise, np.random.default_rng(4), "test", claims, asked)


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
    assert pair_drafts(facts()[0], NoiseType.COLOR, np.random.default_rng(4), "test", claims, ()) == ()


def test_what_was_asked_is_not_drafted_again() -> None:
    first = drafts(NoiseType.COLOR)[0]
    again = drafts(NoiseType.COLOR, asked=pair_keys(first))
    assert again
    assert all(pair_keys(pair).isdisjoint(pair_keys(first)) for pair in again)


def test_lots_are_drawn_among_the_drafts_of_all_homes() -> None:
    offered = [[Offer(home, pair) for home in (0, 1) for pair in drafts(NoiseType.COLOR)], []]
    ordered = in_balance(offered, np.random.default_rng(1), [])
    assert sorted(map(_told, ordered[0])) == sorted(map(_told, offered[0]))
    assert ordered[1] == []
    assert ordered == in_balance(offered, np.random.default_rng(1), [])


def _told(offer: Offer) -> tuple[int, str]:
    return offer.home, offer.pair.noisy.text
