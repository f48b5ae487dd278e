"""Questions of every kind with a false description, and their clean twins."""

from __future__ import annotations

from functools import cache
from itertools import islice

import numpy as np
import pytest
from row_tables import each_row

from vantage.benchmarks.sets.scene_checks import gold_problems
from vantage.errors import SceneError
from vantage.questions.execution import execute
from vantage.questions.generation.facts import Facts
from vantage.questions.kinds import QuestionKind
from vantage.questions.noise.false_descriptions import DESCRIBED_TYPES, falsified_questions
from vantage.questions.noise.pairing import NoisyPair
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import NoiseType


@cache
def homes() -> tuple[Facts, ...]:
    return tuple(Facts(SceneGraph.from_spec(generate_home(seed, 1 + seed % 4))) for seed in range(50, 56))


@cache
def usual() -> UsualClaims:
    return UsualClaims.of_all(UsualClaims.of(home) for home in homes())


@cache
def drawn(noise: NoiseType, end: int = 3) -> tuple[tuple[SceneGraph, NoisyPair], ...]:
    rng = np.random.default_rng(5)
    return tuple(
        (home.graph, pair)
        for home in homes()[1:end]
        for kind in QuestionKind
        for pair in islice(falsified_questions(home, kind, noise, rng, usual()), 2)
    )


@each_row("noise", DESCRIBED_TYPES)
def test_both_halves_are_sound_and_of_one_kind(noise: NoiseType) -> None:
    pairs = drawn(noise, 4)
    few = noise is NoiseType.MATERIAL  # of which a look tells, and the homes hold, hardly any
    assert few or len({pair.noisy.truth.kind for _, pair in pairs}) >= 3
    for graph, pair in pairs:
        noisy, clean = pair.noisy.truth, pair.clean.truth
        assert gold_problems(noisy, graph) == [], pair.noisy.text
        assert gold_problems(clean, graph) == [], pair.clean.text
        assert (noisy.kind, noisy.noise_type, noisy.premise_holds) == (clean.kind, noise, False)
        assert clean.premise_holds


@each_row("noise", DESCRIBED_TYPES)
def test_the_halves_differ_in_one_description(noise: NoiseType) -> None:
    for graph, pair in drawn(noise):
        noisy, clean = pair.noisy.text.split(), pair.clean.text.split()
        same = [one == other for one, other in zip(noisy, clean, strict=False)]
        assert not all(same)
        assert pair.noisy.program is not None
        assert execute(pair.noisy.program, graph).problem == "none"
        assert not pair.false.holds(graph)
        assert pair.true.holds(graph)


@each_row("noise", DESCRIBED_TYPES)
def test_only_what_is_not_there_has_no_answer(noise: NoiseType) -> None:
    for _, pair in drawn(noise):
        noisy, clean = pair.noisy.truth, pair.clean.truth
        latent = noise is NoiseType.LATENT
        assert (noisy.answer, noisy.corrected_question) == (("", "") if latent else (clean.answer, pair.clean.text))
        assert latent or noisy.target_instances == clean.target_instances


def test_false_looks_are_such_as_the_kind_has_elsewhere() -> None:
    for noise in (NoiseType.COLOR, NoiseType.MATERIAL):
        for _, pair in drawn(noise):
            claimed = pair.noisy.truth.false_claim.split()[-1]
            kinds = {label for label in usual().kinds if label in pair.noisy.truth.false_claim}
            assert any(usual().has(kind, noise.name.lower(), claimed) for kind in kinds)


def test_a_claim_that_is_asked_for_is_not_made() -> None:
    rng = np.random.default_rng(0)
    nothing = UsualClaims(frozenset())
    assert list(falsified_questions(homes()[1], QuestionKind.COLOR, NoiseType.POSITION, rng, nothing)) == []
    for _, pair in drawn(NoiseType.COLOR):
        assert pair.noisy.truth.kind != "color"


def test_types_that_no_description_holds_are_refused() -> None:
    with pytest.raises(SceneError, match="COUNT"):
        next(falsified_questions(homes()[0], QuestionKind.COLOR, NoiseType.COUNT, np.random.default_rng(0)))
