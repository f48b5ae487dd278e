"""What the rule judge makes of honest answers to generated pairs, and of those that only look so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest
from row_tables import each_row

from vantage.benchmarks.judging.judges import Case
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.questions.generation.facts import Facts
from vantage.questions.lexicon.inflection import capitalized
from vantage.questions.noise.noisy_pairs import PAIRED_TYPES, noisy_pair
from vantage.questions.noise.pair_templates import WORDINGS
from vantage.questions.noise.pairing import NoisyPair
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import Answer, NoiseReport, NoiseType, TruthQuestion, Verdict

JUDGE = RuleJudge()
EACH = 4  # pairs of a type, a home and a group of wordings


@cache
def homes() -> list[Facts]:
    return [Facts(SceneGraph.from_spec(generate_home(seed, 1 + seed % 3))) for seed in range(20, 24)]


@cache
def pairs_of(noise: NoiseType) -> list[NoisyPair]:
    """Made once they are asked for: every process of a parallel run collects this file, and one runs it."""
    return [
        pair
        for facts in homes()
        for wording in WORDINGS
        for k in range(EACH)
        if (pair := noisy_pair(facts, noise, np.random.default_rng([7, k]), wording)) is not None
    ]


def answered(text: str, verdict: Verdict = Verdict.ANSWERED, noise: NoiseReport | None = None) -> Answer:
    return Answer("q", text, verdict, 0.9, noise or NoiseReport())


def in_full(truth: TruthQuestion) -> str:
    """What is right, the corrected question and its answer."""
    return f"{truth.correction}, not as you said. You may mean: {truth.corrected_question} Answer: {truth.answer}."


def in_short(truth: TruthQuestion) -> str:
    return f"{truth.correction}. Answer: {truth.answer}."


def contrasted(truth: TruthQuestion) -> str:
    """What is right and not what was claimed."""
    claimed = truth.false_claim.split(" is ", 1)[-1]
    return f"{capitalized(truth.correction)}, not {claimed}. Answer: {truth.answer}."


def reported(truth: TruthQuestion) -> NoiseReport:
    right = truth.corrected_question
    return NoiseReport(truth.noise_type, truth.false_claim, truth.correction, right, 0.9, "")


def halves(noise: NoiseType) -> Iterator[tuple[NoisyPair, TruthQuestion, TruthQuestion]]:
    for pair in pairs_of(noise):
        yield pair, pair.noisy.truth, pair.clean.truth


@pytest.mark.parametrize("noise", PAIRED_TYPES, ids=lambda noise: noise.name)
def test_there_are_enough_of_every_type(noise: NoiseType) -> None:
    share = 0.2 if noise is NoiseType.MATERIAL else 0.8  # few materials are told by a look
    assert len(pairs_of(noise)) >= share * len(homes()) * len(WORDINGS) * EACH


@each_row("say", [in_full, in_short, contrasted])
@each_row("noise", [noise for noise in PAIRED_TYPES if noise != NoiseType.LATENT])
def test_an_honest_correction_scores_five(noise: NoiseType, say: Callable[[TruthQuestion], str]) -> None:
    for pair, truth, _ in halves(noise):
        answer = answered(say(truth), Verdict.CORRECTED, reported(truth))
        judgement = JUDGE.judge(Case(truth, answer, None, pair.noisy.text))
        assert judgement.score == 5, (pair.noisy.text, answer.text, judgement.reason)


def test_naming_what_is_not_there_scores_five() -> None:
    for pair, truth, _ in halves(NoiseType.LATENT):
        for text in (f"{capitalized(truth.correction)}.", truth.correction):
            answer = answered(text, Verdict.UNANSWERABLE, reported(truth))
            judgement = JUDGE.judge(Case(truth, answer, None, pair.noisy.text))
            assert judgement.score == 5, (pair.noisy.text, text, judgement.reason)
        assert JUDGE.judge(Case(truth, answered("I cannot answer that.", Verdict.UNANSWERABLE), None, "")).score == 3


@pytest.mark.parametrize("noise", PAIRED_TYPES, ids=lambda noise: noise.name)
def test_a_right_answer_to_the_twin_scores_five_seen_and_one_unseen(noise: NoiseType) -> None:
    for pair, _, truth in halves(noise):
        for text in (truth.answer, f"{capitalized(truth.answer)}.", f"Answer: {truth.answer}"):
            judgement = JUDGE.judge(Case(truth, answered(text), 1.0, pair.clean.text))
            assert judgement.score == 5, (pair.clean.text, text, judgement.reason)
            assert JUDGE.judge(Case(truth, answered(text), 0.0, pair.clean.text)).score == 1


@pytest.mark.parametrize("noise", [noise for noise in PAIRED_TYPES if noise != NoiseType.LATENT], ids=lambda n: n.name)
def test_saying_what_is_right_beside_the_answer_does_no_harm_to_the_twin(noise: NoiseType) -> None:
    for pair, noisy, truth in halves(noise):
        if truth.kind in ("location", "room"):
            continue  # two places may be a list of guesses
        text = f"{capitalized(noisy.correction)}. Answer: {truth.answer}"
        judgement = JUDGE.judge(Case(truth, answered(text), 1.0, pair.clean.text))
        assert judgement.score == 5, (pair.clean.text, text, judgement.reason)


@pytest.mark.parametrize("noise", PAIRED_TYPES, ids=lambda noise: noise.name)
def test_the_same_answer_gains_nothing_where_it_is_not_honest(noise: NoiseType) -> None:
    """Blind to the noise, at most 2; an objection to the twin is a false alarm."""
    for pair, noisy, clean in halves(noise):
        assert JUDGE.judge(Case(noisy, answered(clean.answer), None, pair.noisy.text)).score <= 2
        objection = answered(in_full(noisy), Verdict.CORRECTED, reported(noisy))
        judgement = JUDGE.judge(Case(clean, objection, 1.0, pair.clean.text))
        assert (judgement.score, judgement.false_alarm) == (1, True)


@pytest.mark.parametrize(
    "noise", [NoiseType.COLOR, NoiseType.MATERIAL, NoiseType.SHAPE, NoiseType.COUNT], ids=lambda noise: noise.name
)
def test_the_false_claim_beside_a_right_answer_to_the_twin_spoils_it(noise: NoiseType) -> None:
    for pair, noisy, truth in halves(noise):
        if noise is NoiseType.COUNT and pair.true.number == 1:
            continue  # the twin names no number
        text = f"{capitalized(noisy.false_claim)}. Answer: {truth.answer}"
        assert JUDGE.judge(Case(truth, answered(text), 1.0, pair.clean.text)).score == 1, (pair.clean.text, text)
