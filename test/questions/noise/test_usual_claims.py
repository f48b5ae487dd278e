"""What is claimed falsely is true of some object of its kind in another home."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hand_made import hand_made

from vantage.questions.generation.facts import Facts
from vantage.questions.noise.noisy_pairs import PAIRED_TYPES, noisy_pair
from vantage.questions.noise.pairing import NoisyPair
from vantage.questions.noise.possible_looks import PossibleLooks
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.questions.programs import Filter, Relate, Scene
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import NoiseType


@cache
def facts() -> list[Facts]:
    return [Facts(SceneGraph.from_spec(generate_home(seed, 2 + seed % 2))) for seed in range(30, 38)]


@cache
def usual() -> UsualClaims:
    return UsualClaims.of_all(UsualClaims.of(each) for each in facts())


@cache
def made(noise: NoiseType) -> list[NoisyPair]:
    pairs = [
        noisy_pair(each, noise, np.random.default_rng([5, k]), "test", usual()) for each in facts() for k in (0, 1)
    ]
    return [pair for pair in pairs if pair is not None]


def test_it_holds_what_is_true_of_the_objects_of_a_home() -> None:
    graph = hand_made()
    told = UsualClaims.of(Facts(graph))
    for obj in Facts(graph).in_sight:
        assert obj.label in told.kinds
        assert told.has(obj.label, "color", obj.color)
        if obj.parent and graph.node(obj.parent).label in told.kinds:
            assert told.has(obj.label, "place", graph.node(obj.parent).label)
    assert not told.has("elephant", "color", "gray")
    assert UsualClaims.of_all([]).kinds == frozenset()


def test_all_homes_together_hold_what_each_does() -> None:
    one, other = (UsualClaims.of(each) for each in facts()[:2])
    both = UsualClaims.of_all([one, other])
    assert both.true == one.true | other.true
    assert both.kinds == one.kinds | other.kinds


@pytest.mark.parametrize("noise", PAIRED_TYPES, ids=lambda noise: noise.name)
def test_some_object_of_another_home_is_as_claimed(noise: NoiseType) -> None:
    few = noise in (NoiseType.MATERIAL, NoiseType.SEMANTIC)  # of which a look, or a room in several homes, leaves few
    assert len(made(noise)) >= (6 if few else 8)
    looks = PossibleLooks(usual())
    for pair in made(noise):
        step, kind, claims = pair.false.objects, "", []
        while not isinstance(step, Scene):
            if isinstance(step, Filter) and step.attribute == "label":
                kind = step.value
            elif isinstance(step, Filter) and step.attribute in ("color", "material", "shape", "room"):
                claims.append((step.attribute, step.value))
            assert isinstance(step, Filter | Relate)
            step = step.objects
        assert kind in usual().kinds, pair.noisy.text
        for attribute, value in claims:
            if attribute == noise.name.lower():
                known = attribute == "material" and value in looks.of(kind, attribute)  # people own such
                assert known or usual().has(kind, attribute, value), pair.noisy.text


def test_where_nothing_is_usual_nothing_is_claimed() -> None:
    for noise in (NoiseType.COLOR, NoiseType.LATENT, NoiseType.SEMANTIC, NoiseType.POSITION):
        pair = noisy_pair(facts()[0], noise, np.random.default_rng(1), "test", UsualClaims(frozenset()))
        assert pair is None
