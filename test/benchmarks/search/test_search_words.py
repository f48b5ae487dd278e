"""The words of a search set, drawn from scene graphs alone, do not tell false premises from true ones."""

from __future__ import annotations

import pytest

from vantage.benchmarks.search.search_sets import drafted_questions
from vantage.benchmarks.statistics import LabelledQuestion, measure_shortcut
from vantage.questions.generation.facts import Facts
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import NoiseType

HOMES, EPISODES, NOISY = 5, 45, 15


@pytest.mark.needs("shortcut")
def test_words_do_not_tell_whether_a_premise_holds() -> None:
    homes = [Facts(SceneGraph.from_spec(generate_home(9002 + k, 1 + k % 3))) for k in range(HOMES)]
    firsts = [(home, next(drafts)) for home, drafts in drafted_questions(homes, EPISODES, NOISY, seed=1)]
    holds = [question.truth.premise_holds for _, question in firsts]
    assert holds.count(False) == NOISY
    noisy = {question.truth.noise_type for _, question in firsts if not question.truth.premise_holds}
    assert noisy == {NoiseType.LATENT, NoiseType.COLOR, NoiseType.POSITION, NoiseType.MATERIAL}
    told = [LabelledQuestion(question.text, str(question.truth.premise_holds), str(home)) for home, question in firsts]
    accuracy = measure_shortcut(told).accuracy
    assert accuracy.bound == pytest.approx(2 / 3 + 0.05)
    assert not accuracy.exceeded
