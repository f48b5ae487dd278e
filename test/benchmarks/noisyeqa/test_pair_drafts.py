"""Drafts of pairs: sound, different, with usual claims where the home gives any, and none that was asked before."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from vantage.benchmarks.noisyeqa.noisyeqa_checks import pair_problems
from vantage.benchmarks.noisyeqa.pair_drafts import Drafts, in_balance, pair_drafts, pair_keys
from vantage.questions.generation.facts import Facts
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import NoiseType


@cache
def facts() -> list[Facts]:
    return [Facts(SceneGraph.from_spec(generate_home(seed, 2))) for seed in (50, 51, 52)]


@cache
def drafts(noise: NoiseType, usual: bool = True, asked: frozenset[str] = frozenset()) -> Drafts:
    claims = UsualClaims.of_all(UsualClaims.of(each) for each in facts()) if usual else UsualClaims(frozenset())
    return pair_drafts(facts()[0], noise, np.random.default_rng(4), "test", claims, asked)


@pytest.mark.parametrize("noise", [NoiseType.COLOR, NoiseType.LATENT, NoiseType.POSITION, NoiseType.COUNT])
def test_drafts_are_sound_and_different(noise: NoiseType) -> None:
    for pairs in (drafts(noise).likely, drafts(noise).spare):
        assert pairs
        assert len({pair.noisy.text for pair in pairs}) == len(pairs)
        for pair in pairs:
            assert pair.noisy.truth.noise_type is noise
            assert pair.noisy.text != pair.clean.text
            graph = facts()[0].graph
            assert not list(pair_problems(pair.noisy.truth, pair.clean.truth, pair.clean.text, graph))


def test_without_usual_claims_the_spare_ones_are_likely() -> None:
    assert drafts(NoiseType.COLOR, usual=False).likely
    assert drafts(NoiseType.COLOR, usual=False).spare == ()


def test_what_was_asked_is_not_drafted_again() -> None:
    first = drafts(NoiseType.COLOR).likely[0]
    again = drafts(NoiseType.COLOR, asked=pair_keys(first))
    assert again.likely
    assert all(pair_keys(pair).isdisjoint(pair_keys(first)) for pair in (*again.likely, *again.spare))


def test_lots_are_drawn_among_the_likely_ones_and_spare_ones_come_last() -> None:
    offered = [drafts(NoiseType.COLOR), drafts(NoiseType.LATENT), Drafts((), ())]
    ordered = in_balance(offered, [0, 0, 0], np.random.default_rng(1), [])
    for each, order in zip(offered, ordered, strict=True):
        likely = order[: len(each.likely)]
        assert sorted(pair.noisy.text for pair in likely) == sorted(pair.noisy.text for pair in each.likely)
        assert order[len(each.likely) :] == each.spare
    assert ordered == in_balance(offered, [0, 0, 0], np.random.default_rng(1), [])
