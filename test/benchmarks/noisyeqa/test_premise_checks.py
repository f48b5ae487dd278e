"""Pairs of gold data, and every way in which they can be wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vantage.benchmarks.noisyeqa.premise_checks import pair_problems
from vantage.questions.generation.facts import Facts
from vantage.questions.noise.noisy_pairs import noisy_pair
from vantage.questions.noise.pair import NoisyPair
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import NoiseType

TYPES = [kind for kind in NoiseType if kind not in (NoiseType.NONE, NoiseType.UNKNOWN)]


@pytest.fixture(scope="module")
def graph() -> SceneGraph:
    return SceneGraph.from_spec(generate_home(3, 3, "home"))


@pytest.fixture(scope="module")
def pairs(graph: SceneGraph) -> dict[NoiseType, list[NoisyPair]]:
    facts, rng = Facts(graph), np.random.default_rng(5)
    made = {kind: [noisy_pair(facts, kind, rng) for _ in range(12)] for kind in TYPES}
    return {kind: [pair for pair in found if pair is not None] for kind, found in made.items()}


def problems(pair: NoisyPair, graph: SceneGraph, noisy: Any = None, clean: Any = None, text: str = "") -> str:
    first, second = replace(pair.noisy.truth, **(noisy or {})), replace(pair.clean.truth, **(clean or {}))
    return "\n".join(pair_problems(first, second, text or pair.clean.text, graph))


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_pairs_of_every_type_are_sound(
    kind: NoiseType, pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph
) -> None:
    assert len(pairs[kind]) >= 6
    for pair in pairs[kind]:
        assert problems(pair, graph) == "", pair.noisy.text


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_claims_the_other_way_round_are_noticed(
    kind: NoiseType, pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph
) -> None:
    for pair in pairs[kind] if kind != NoiseType.LATENT else ():
        truth = pair.noisy.truth
        assert "is true" in problems(pair, graph, {"false_claim": truth.correction, "correction": truth.false_claim})


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != NoiseType.LATENT], ids=lambda kind: kind.name)
def test_a_correction_that_says_something_else_is_noticed(
    kind: NoiseType, pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph
) -> None:
    for pair in pairs[kind]:
        found = problems(pair, graph, {"correction": "there is a zebra"})
        assert "does not say" in found or "does not name" in found


@pytest.mark.parametrize(
    ("noisy", "clean", "words"),
    [
        ({"answer": "mauve"}, {}, "its twin by"),
        ({"corrected_question": "What?"}, {}, "is not the twin"),
        ({"kind": "superlative"}, {}, "of kind 'superlative'"),
        ({"false_claim": ""}, {}, "needs a false claim"),
        ({"correction": ""}, {}, "needs a false claim"),
        ({"program": ""}, {}, "nobody can tell whether the premise fails"),
        ({"program": "count(scene())"}, {}, "the premise holds"),
        ({"program": "count(scn())"}, {}, "unknown step 'scn'"),
        ({"premise_holds": True}, {}, "is said to have a true premise"),
        ({"target_instances": ()}, {}, "about different things"),
        ({"target_instances": (99999,)}, {}, "99999"),
        ({}, {"answer": "mauve"}, "the clean half is wrong: the answer is 'mauve'"),
        ({}, {"premise_holds": False}, "is said to have a false premise"),
        ({}, {"target_instances": (99999,)}, "99999"),
        ({}, {"program": ""}, "needs a program, or several targets"),
    ],
)
def test_contradictions_are_noticed(
    pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph, noisy: Any, clean: Any, words: str
) -> None:
    assert words in problems(pairs[NoiseType.COLOR][0], graph, noisy, clean)


def test_a_latent_question_has_no_answer(pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph) -> None:
    assert "has no answer" in problems(pairs[NoiseType.LATENT][0], graph, {"answer": "red"})


def test_what_is_there_is_no_hallucination(pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph) -> None:
    pair = pairs[NoiseType.LATENT][0]
    there = pair.clean.truth
    label = graph.node(there.target_instances[0]).label
    found = problems(pair, graph, {"program": there.program, "false_claim": f"there is a {label} in the attic"})
    assert f"the scene does hold a {label}" in found
    assert "the premise holds" in found


def test_groups_are_checked_without_a_program(pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph) -> None:
    groups = [pair for pair in pairs[NoiseType.COUNT] if len(pair.clean.truth.target_instances) > 1]
    assert groups
    for pair in groups:
        truth = pair.clean.truth
        alone = truth.target_instances[:1]
        assert "several targets of one kind" in problems(
            pair, graph, {"target_instances": alone}, {"target_instances": alone}
        )
        assert "does not speak of" in problems(
            pair, graph, {"corrected_question": "What color are they?"}, text="What color are they?"
        )
        other = "no" if truth.answer == "yes" else "yes" if truth.answer == "no" else "mauve"
        if truth.kind != "state":
            assert "the answer is" in problems(pair, graph, {"answer": other}, {"answer": other})
