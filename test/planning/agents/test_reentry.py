"""When looking again pays."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from vantage.answering import LookAt, LookFor
from vantage.planning.agents.reentry import Reentry, Stake
from vantage.types import Answer, Question, Verdict

QUESTIONS = tuple(Question(str(k), f"question {k}") for k in range(4))
CUP = LookFor(LookAt.WEIGH, "cup", 7)


def told(confidence):
    return Answer("0", "yes", Verdict.ANSWERED, confidence)


def asked(levels, discount=5e-4, look_for=()):
    again = Reentry(lambda text: look_for, lambda item: told(levels[item.text]), discount)
    again.asked(QUESTIONS, stamp=1)
    return again


def test_nothing_is_won_on_what_is_certain():
    again = asked({each.text: 0.95 for each in QUESTIONS})
    assert again.stakes(1) == ()
    assert not again.pays(0.0, 1.0, 1)


def test_a_question_may_win_what_its_answer_lacks():
    levels = {each.text: 0.95 for each in QUESTIONS} | {QUESTIONS[0].text: 0.42}
    (stake,) = asked(levels, look_for=(CUP,)).stakes(1)
    assert stake.question is QUESTIONS[0]
    assert stake.gain == pytest.approx(0.5 / 4)
    assert stake.hints == {CUP: pytest.approx(0.5 / 4)}
    assert not CUP.is_lost


def test_an_answer_that_is_not_sure_and_names_nothing_turns_on_what_was_not_seen():
    stakes = asked({each.text: 0.6 for each in QUESTIONS}).stakes(1)
    assert len(stakes) == len(QUESTIONS)
    assert all(hint.is_lost for stake in stakes for hint in stake.hints)


def test_closed_things_of_which_any_may_hold_it_count_together_as_one():
    closed = [LookFor(LookAt.OPEN, "cabinet", key) for key in (1, 2, 3, 4)]
    stake = Stake.of(QUESTIONS[0], 0.12, [CUP, LookFor(LookAt.ANYWHERE, "cup"), *closed])
    assert stake.hints[CUP] == pytest.approx(0.04)
    assert [stake.hints[each] for each in closed] == [pytest.approx(0.01)] * 4
    assert stake.kept({CUP: stake.hints[CUP]}).gain == pytest.approx(0.04)


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
    again = Reentry(lambda text: (), lambda item: calls.append(item) or told(0.5), 5e-4)
    again.asked(QUESTIONS, 1)
    again.asked(QUESTIONS[:1], 2)
    assert again.questions == QUESTIONS
    again.stakes(3), again.certainties(3), again.pays(0.1, 1.0, 3)
    assert len(calls) == 2 * len(QUESTIONS)


def test_a_kind_of_doing_that_wins_nothing_is_trusted_less_and_less():
    levels = {each.text: 0.3 for each in QUESTIONS}
    again = asked(levels)
    trusted = [again.trust("open")]
    for stamp in range(2, 6):
        again.begun("open", 0.05, stamp)
        again.concluded(stamp)
        trusted.append(again.trust("open"))
    assert trusted[0] == 1.0
    assert trusted == sorted(trusted, reverse=True)
    assert trusted[-1] < 0.2
    assert again.trust("weigh") == 1.0


def test_what_wins_is_trusted():
    levels = {each.text: 0.3 for each in QUESTIONS}
    again = asked(levels)
    again.begun("weigh", 0.1, 2)
    levels[QUESTIONS[0].text] = 0.9
    again.concluded(3)
    assert again.trust("weigh") == 1.0


def test_an_answer_gives_way_to_a_surer_one_alone():
    again = asked({each.text: 0.3 for each in QUESTIONS})
    first = Answer("0", "two", Verdict.ANSWERED, 0.5, phase="answer")
    assert again.answered(QUESTIONS[0], first) is first
    doubtful = Answer("0", "three", Verdict.ANSWERED, 0.45, phase="refine")
    kept = again.answered(QUESTIONS[0], doubtful)
    assert (kept.text, kept.phase, kept.confidence) == ("two", "refine", 0.5)
    surer = Answer("0", "four", Verdict.ANSWERED, 0.9, phase="refine")
    assert again.answered(QUESTIONS[0], surer) is surer
    assert again.answered(QUESTIONS[1], doubtful) is doubtful
