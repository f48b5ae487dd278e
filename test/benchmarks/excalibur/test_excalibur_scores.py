"""Scores of four phases from bags alone."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from four_phases import AGAIN, EXPLORED, BreakingWorld, StillAgent, record_four, score_of, whole_episode
from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.benchmarks.excalibur.exact_matches import is_right
from vantage.benchmarks.excalibur.excalibur_scores import exqa
from vantage.types import Answer, Episode, TruthQuestion, Verdict


def test_both_accuracies_steps_and_exqa(tmp_path: Path) -> None:
    score = score_of(record_four(tmp_path))
    figures = score.figures
    assert score.complete
    assert (figures["acc_exp"], figures["acc_ref"], figures["t3"]) == (0.25, 1.0, 2.0)
    assert figures["exqa"] == pytest.approx(0.25 + 0.75 * math.exp(-1e-3))
    assert figures["exqa_k_0.001"] == pytest.approx(0.25 + 0.75 * math.exp(-2e-3))
    assert figures["exqa_k_0.00025"] > figures["exqa"] > figures["exqa_k_0.00052"]
    assert (figures["acc_exp_yes_no"], figures["acc_exp_count"], figures["acc_exp_query"]) == (0.0, 1.0, 0.0)
    assert (figures["acc_exp_contained"], figures["acc_ref_on_top"]) == (0.5, 1.0)
    assert math.isnan(figures["acc_exp_material"])
    assert score.steps == 5
    assert score.judge_reason == "1 of 4 right after exploring, 4 of 4 after re-entry in 2 steps"


def test_what_was_gathered_tells_why_answers_are_wrong(tmp_path: Path) -> None:
    figures = score_of(record_four(tmp_path)).figures
    assert (figures["coverage"], figures["coverage_ref"]) == (0.25, 0.5)
    assert (figures["things_seen"], figures["things_seen_ref"]) == (0.4, 0.5)
    assert (figures["containers_opened"], figures["containers_opened_ref"]) == (0.0, 1.0)
    # q1: nothing was lifted; q3: not seen and not opened; q4: all was seen
    assert (figures["wrong_not_gathered"], figures["wrong_misused"]) == (0.5, 0.25)
    assert (figures["wrong_not_seen"], figures["wrong_not_lifted"], figures["wrong_not_opened"]) == (0.25, 0.25, 0.25)
    assert (figures["wrong_not_gathered_ref"], figures["wrong_misused_ref"]) == (0.0, 0.0)


def test_an_agent_that_never_moves_answers_twice_alike(tmp_path: Path) -> None:
    figures = score_of(record_four(tmp_path, StillAgent(AGAIN | {"q4": None}))).figures
    assert figures["t3"] == 0.0
    assert figures["acc_exp"] == figures["acc_ref"] == figures["exqa"] == 0.75


def test_what_was_complete_is_scored_where_the_physics_blew_up_in_re_entry(tmp_path: Path) -> None:
    score = score_of(record_four(tmp_path, told=EXPLORED, world=BreakingWorld(4)))
    assert score.complete
    assert score.figures["acc_exp"] == 0.25
    assert all(math.isnan(score.figures[key]) for key in ("acc_ref", "t3", "exqa", "acc_ref_count"))
    assert "blew up" in score.incomplete_reason
    assert "answer" in score.incomplete_reason


def test_nothing_is_scored_where_the_first_answers_were_not_asked_for(tmp_path: Path) -> None:
    score = score_of(record_four(tmp_path, world=BreakingWorld(1)))
    assert not score.complete
    assert "blew up" in score.incomplete_reason


def test_the_cap_of_a_re_entry_is_told(tmp_path: Path) -> None:
    from four_phases import FIRST, TextAgent

    endless = TextAgent({"reenter": ["yaw+"] * 50}, {"answer": FIRST, "refine": AGAIN})
    score = score_of(record_four(tmp_path, endless))
    assert score.figures["t3"] == 10.0
    assert "10 steps" in score.judge_reason


def test_settings_in_the_bag_name_k_grasp_and_feel(tmp_path: Path) -> None:
    setup = {"agent.step_discount": 1e-2, "house.grasp": "friction", "house.weighing": "wrist"}
    score = score_of(record_four(tmp_path, setup=setup))
    assert score.control == "grasp=friction,feel=wrist"
    assert score.figures["exqa"] == pytest.approx(0.25 + 0.75 * math.exp(-2e-2))


def in_order(*places: int) -> Episode:
    """The four phases, by their places in the usual order."""
    whole = whole_episode()
    phases = tuple(replace(whole.phases[place], restored=False) for place in places)
    return Episode.of_phases("e1", "excalibur", "home-1", whole.start, phases)


def test_phases_out_of_order_are_named_and_what_came_before_is_scored(tmp_path: Path) -> None:
    nothing = score_of(record_four(tmp_path / "nothing", StillAgent(AGAIN), episode=in_order(1, 0, 2, 3)))
    assert not nothing.complete
    assert nothing.incomplete_reason == (
        "its phases came in the order answer, explore, reenter, refine, and not explore, answer, reenter, refine"
    )
    first = score_of(record_four(tmp_path / "first", StillAgent(AGAIN), episode=in_order(0, 1, 3, 2)))
    assert first.complete
    assert first.figures["acc_exp"] == 1.0
    assert math.isnan(first.figures["acc_ref"])
    assert first.incomplete_reason == (
        "scored until phase 'answer': its phases came in the order explore, answer, refine, reenter, and not explore, "
        "answer, reenter, refine"
    )


def test_an_answer_to_a_closed_question_ends_the_episode_and_costs_nothing_that_was_complete(tmp_path: Path) -> None:
    class Late(StillAgent):
        phase = ""

        def begin_phase(self, episode: Episode) -> None:
            super().begin_phase(episode)
            self.phase = episode.phase

        def act(self, observation: Any, last: Any) -> Any:
            if self.phase == "reenter":
                return Answer("q1", "yes", Verdict.ANSWERED, 1.0, phase="answer")
            return super().act(observation, last)

    score = score_of(record_four(tmp_path, Late(AGAIN)))
    assert score.complete
    assert score.figures["acc_exp"] == 1.0
    assert "answered question 'q1' of phase 'answer', which is not open; open are: none" in score.incomplete_reason


@each_row(
    "kind, gold, said, right",
    [
        ("yes/no", "yes", "Yes.", True),
        ("yes/no", "yes", "yes, it is red", True),
        ("yes/no", "yes", "yes and no", False),
        ("yes/no", "no", "none", False),
        ("count", "40", "42", True),
        ("count", "40", "43", False),
        ("count", "3", "three", True),
        ("count", "3", "3 or 4", False),
        ("count", "0", "0", True),
        ("count", "0", "1", False),
        ("query", "blue, red", "red, blue", True),
        ("query", "blue, red", "Blue and red.", True),
        ("query", "blue, red", "red", False),
        ("query", "blue, red", "red, blue, green", False),
        ("query", "red", "red", True),
        ("query", "living room", "the living room", True),
        ("query", "red", "", False),
        ("query", "red", "red " * 100, False),
    ],
)
def test_what_is_right(kind: str, gold: str, said: str, right: bool) -> None:
    assert is_right(TruthQuestion("q", kind, gold), Answer("q", said, Verdict.ANSWERED, 1.0)) is right


def test_what_is_not_answered_is_wrong() -> None:
    gold = TruthQuestion("q", "yes/no", "yes")
    assert not is_right(gold, None)
    assert not is_right(gold, Answer("q", "yes", Verdict.NEEDS_LOOK, 1.0))


@given(st.sampled_from(("yes/no", "count", "query")), st.text(max_size=30), st.text(max_size=60))
def test_any_texts_can_be_compared(kind: str, gold: str, said: str) -> None:
    is_right(TruthQuestion("q", kind, gold), Answer("q", said, Verdict.ANSWERED, 1.0))


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 10**6), st.floats(0, 1))
def test_exqa_lies_between_both_accuracies_and_falls_with_steps(a: float, b: float, steps: int, k: float) -> None:
    value = exqa(a, b, steps, k)
    assert min(a, b) - 1e-12 <= value <= max(a, b) + 1e-12
    assert abs(exqa(a, b, steps + 1, k) - a) <= abs(value - a) + 1e-12
    assert exqa(a, b, 0, k) == pytest.approx(b)
