"""What words alone tell: nothing of labels that are drawn by lot, all of those that a word gives away."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence

import numpy as np
import pytest

from vantage.benchmarks.statistics import LabelledQuestion, WordShortcut, measure_shortcut

NOUNS = ("mug", "vase", "book", "lamp", "plate", "clock")
COLORS = ("red", "blue", "green", "white")


def pairs(number: int, scenes: int, leaks: float, group: str = "COLOR") -> list[LabelledQuestion]:
    """Pairs that differ in one color, which is ``mauve`` in a share of the noisy halves."""
    rng = np.random.default_rng(7)
    made = []
    for k in range(number):
        noun = NOUNS[int(rng.integers(len(NOUNS)))]
        false, true = (COLORS[int(n)] for n in rng.permutation(len(COLORS))[:2])
        said = "mauve" if rng.random() < leaks else false
        for label, color in (("noisy", said), ("clean", true)):
            text = f"Where is the {color} {noun}?"
            made.append(LabelledQuestion(text, label, f"home_{k % scenes}", group, f"{group}-{k}"))
    return made


def answers(sure: bool, number: int = 200) -> list[LabelledQuestion]:
    """Colors of objects; if ``sure``, that of each kind is always the same."""
    rng = np.random.default_rng(3)
    made = []
    for k in range(number):
        place = int(rng.integers(4))
        answer = COLORS[place] if sure else COLORS[int(rng.integers(4))]
        made.append(LabelledQuestion(f"What color is the {NOUNS[place]}?", answer, f"home_{k % 10}", "color"))
    return made


@pytest.mark.needs("shortcut")
def test_words_drawn_by_lot_tell_nothing() -> None:
    found = measure_shortcut(pairs(300, 20, leaks=0.0))
    assert abs(found.accuracy.figure.value - 0.5) < 0.06
    assert found.accuracy.bound == pytest.approx(0.55)
    assert found.by_group["COLOR"].bound == pytest.approx(0.6)
    assert found.by_group["COLOR"].figure.value == found.accuracy.figure.value
    assert found.twins is not None
    assert abs(found.twins.figure.value - 0.5) < 0.07
    assert found.twins.figure.n == 300
    assert found.findings(surely=True) == []


@pytest.mark.needs("shortcut")
def test_a_word_that_gives_the_label_away_is_found() -> None:
    found = measure_shortcut(pairs(300, 20, leaks=0.5))
    assert found.accuracy.figure.value > 0.7
    assert found.accuracy.figure.low < found.accuracy.figure.value < found.accuracy.figure.high
    assert found.twins is not None
    assert found.twins.figure.value > 0.7
    told = found.findings(surely=True)
    assert len(told) == 3
    assert "COLOR questions alone tell their labels" in told[1]
    assert all("at most" in sentence for sentence in told)


@pytest.mark.needs("shortcut")
def test_two_words_that_say_nothing_by_themselves_are_found_together() -> None:
    """The red mug and the blue vase are noisy, the blue mug and the red vase clean."""
    made = [
        LabelledQuestion(f"Where is the {color} {noun}?", label, f"home_{k}")
        for k in range(20)
        for color, noun, label in (
            ("red", "mug", "noisy"),
            ("blue", "vase", "noisy"),
            ("blue", "mug", "clean"),
            ("red", "vase", "clean"),
        )
    ]
    assert measure_shortcut(made).accuracy.figure.value == 1.0


@pytest.mark.needs("shortcut")
def test_a_word_of_one_home_tells_nothing_of_the_others() -> None:
    """What is learned from a home is never tried there."""
    made = [
        LabelledQuestion(f"Where is {word}{k}?", label, f"home_{k}")
        for k in range(20)
        for word, label in (("good", "noisy"), ("bad", "clean"))
        for _ in range(5)
    ]
    assert measure_shortcut(made).accuracy.figure.value == pytest.approx(0.5)


@pytest.mark.needs("shortcut")
def test_the_commonest_answer_to_a_kind_is_no_secret() -> None:
    drawn, sure = measure_shortcut(answers(sure=False)), measure_shortcut(answers(sure=True))
    assert drawn.twins is None
    assert drawn.accuracy.bound < 0.4
    assert drawn.findings(surely=True) == []
    assert sure.accuracy.figure.value == 1.0
    assert len(sure.findings(surely=True)) == 2


@pytest.mark.needs("shortcut")
def test_answers_of_a_single_home_are_never_told() -> None:
    made = [LabelledQuestion("Who lives here?", f"person {k}", f"home_{k}") for k in range(12)]
    assert measure_shortcut(made).accuracy.figure.value == 0.0


@pytest.mark.needs("shortcut")
def test_small_groups_are_counted_only() -> None:
    found = measure_shortcut([*pairs(60, 20, 0.0), *pairs(49, 20, 1.0, "SHAPE")])
    small = found.by_group["SHAPE"]
    assert math.isnan(small.figure.value)
    assert small.figure.n == 98
    assert not small.exceeded
    assert not small.surely
    assert not math.isnan(found.by_group["COLOR"].figure.value)
    assert found.to_json()["by_type"]["SHAPE"]["n"] == 98


@pytest.mark.needs("shortcut")
def test_a_small_set_is_never_surely_wrong() -> None:
    """Three pairs that a word gives away say nothing yet."""
    found = measure_shortcut(pairs(3, 3, leaks=1.0))
    assert found.accuracy.figure.value == 1.0
    assert found.findings()
    assert found.findings(surely=True) == []


@pytest.mark.needs("shortcut")
def test_a_set_whose_parts_lack_a_label_is_measured() -> None:
    made = [LabelledQuestion("Where is it?", label, scene) for scene, label in (("a", "noisy"), ("b", "clean"))]
    assert measure_shortcut(made).accuracy.figure.value == 0.0


@pytest.mark.parametrize(
    ("questions", "why"),
    [
        ([], "no labels"),
        (pairs(10, 1, 0.0), "two scenes"),
        ([q for q in pairs(10, 5, 0.0) if q.label == "noisy"], "the same label"),
    ],
)
def test_what_cannot_be_measured_says_why(questions: Sequence[LabelledQuestion], why: str) -> None:
    _says_why(measure_shortcut(questions), why)


def test_without_the_extra_it_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    _says_why(measure_shortcut(pairs(10, 5, 0.0)), "make setup WITH=shortcut")


def _says_why(found: WordShortcut, why: str) -> None:
    assert why in found.not_measured
    assert why in found.summary
    assert math.isnan(found.accuracy.figure.value)
    assert found.findings() == []
    assert found.to_json()["not_measured"] == found.not_measured
