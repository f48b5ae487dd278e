"""When looking again pays."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from vantage.answering import Assessment
from vantage.planning.agents.reentry import Reentry, certainty
from vantage.types import Question, Verdict

QUESTIONS = tuple(Question(str(k), f"question {k}") for k in range(4))


def made(confidence, verdict=Verdict.ANSWERED):
    return Assessment("", verdict, confidence)


def asked(levels, discount=5e-4):
    again = Reentry(lambda text: made(levels[text]), discount)
    again.asked(QUESTIONS, stamp=1)
    return again


def test_what_is_not_decided_is_a_guess_at_most():
    assert certainty(made(0.9, Verdict.NEEDS_LOOK)) == 0.35
    assert certainty(made(0.1, Verdict.NEEDS_LOOK)) == 0.1
    assert certainty(made(0.0, Verdict.NEEDS_LOOK)) == 0.35
    assert certainty(made(0.9)) == 0.9


def test_nothing_is_won_on_what_is_certain():
    levels = {each.text: 0.95 for each in QUESTIONS}
    again = asked(levels)
    assert again.gain(QUESTIONS, 1) == 0.0
    assert not again.pays(0.0, 1.0, 1)


def test_a_gain_is_shared_by_all_a_question_waits_for():
    levels = {each.text: 0.4 for each in QUESTIONS}
    again = asked(levels)
    alone = again.gain(QUESTIONS[:1], 1)
    assert alone == pytest.approx(0.5 / 4)
    assert again.gain(QUESTIONS[:1], 1, {"0": 5}) == pytest.approx(alone / 5)


@given(st.floats(0.0, 0.5), st.floats(0.0, 1.0), st.floats(1.0, 5000.0), st.floats(1e-5, 1e-2))
def test_it_pays_exactly_where_the_discounted_sum_is_larger(won, gain, cost, discount):
    levels = {each.text: 0.3 for each in QUESTIONS}
    again = asked(levels, discount)
    levels.update({each.text: 0.3 + won for each in QUESTIONS})
    assert again.pays(gain, cost, 2) == ((won + gain) * math.exp(-discount * cost) > again_won(again))


def again_won(again):
    now = again.certainties(2)
    return sum(max(level - 0.3, 0.0) for level in now.values()) / len(now)


def test_the_first_time_counts_and_each_view_is_assessed_once():
    calls = []
    again = Reentry(lambda text: calls.append(text) or made(0.5), 5e-4)
    again.asked(QUESTIONS, 1)
    again.asked(QUESTIONS[:1], 2)
    assert again.questions == QUESTIONS
    again.assessments(3), again.certainties(3), again.gain(QUESTIONS, 3)
    assert len(calls) == 2 * len(QUESTIONS)
