"""Agents that do not look: by the words of questions, and by chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from open_field import OpenFieldWorld
from row_tables import each_row

from vantage.config import Settings
from vantage.planning import Agent, LanguagePrior
from vantage.planning.agents.baselines import RandomAgent
from vantage.planning.agents.oracle_agent import OracleAgent
from vantage.planning.agents.prior_agent import LanguageAgent
from vantage.planning.plausible_answers import plausible_answer
from vantage.runs import EpisodeRunner
from vantage.types import EpisodeState, Truth, Verdict


def language_agent() -> LanguageAgent:
    told = [("Is there a vase on the table?", "no"), ("How many bowls are there?", "2")]
    return LanguageAgent(Settings(), LanguagePrior.fit(told * 5))


def random_agent() -> RandomAgent:
    return RandomAgent(Settings())


def four() -> tuple[object, object]:
    from four_phases import GOLD, whole_episode

    gold = tuple(replace(each, phase=phase) for phase in ("answer", "refine") for each in GOLD)
    return whole_episode(), Truth("e1", gold)


@pytest.mark.parametrize("make", [language_agent, random_agent])
def test_they_take_no_step_and_say_the_same_twice(make: Callable[[], Agent]) -> None:
    outcome = EpisodeRunner(OpenFieldWorld(), make()).run(four()[0], 3)
    assert (outcome.state, outcome.steps, outcome.reason) == (EpisodeState.FINISHED, 0, "")
    first, again = (
        {answer.question_id: answer.text for answer in outcome.answers if answer.phase == phase}
        for phase in ("answer", "refine")
    )
    assert first == again
    assert len(first) == 4
    assert first["q4"] in ("yes", "no")
    assert first["q2"].isdigit()


def test_language_without_a_model_knows_no_answer() -> None:
    outcome = EpisodeRunner(OpenFieldWorld(), LanguageAgent(Settings())).run(four()[0], 3)
    assert {answer.verdict for answer in outcome.answers} == {Verdict.UNANSWERABLE}


def test_random_answers_depend_on_the_seed() -> None:
    def said(seed: int) -> list[str]:
        return [
            each.text for each in EpisodeRunner(OpenFieldWorld(), RandomAgent(Settings())).run(four()[0], seed).answers
        ]

    assert said(1) == said(1)
    assert len({tuple(said(seed)) for seed in range(8)}) > 1


def test_the_oracle_gives_gold_answers_in_both_phases() -> None:
    episode, truth = four()
    outcome = EpisodeRunner(OpenFieldWorld(), OracleAgent(Settings(), {"e1": truth})).run(episode, 0)
    assert outcome.state is EpisodeState.FINISHED
    assert [answer.text for answer in outcome.answers] == ["yes", "40", "blue, red", "no"] * 2


@each_row(
    "question, possible",
    [
        ("Is there a mug?", {"yes", "no"}),
        ("How many mugs are there?", set("01234")),
        ("What is the number of mugs?", set("01234")),
        ("Is the number of mugs less than the number of cups?", {"yes", "no"}),
        ("What colors are the mugs?", {"red", "blue", "white", "gray", "black", "green", "brown", "yellow"}),
        ("What is the bowl made of?", {"wood", "metal", "glass", "plastic", "ceramic", "fabric"}),
        ("Which room is the mug in?", {"kitchen", "bedroom"}),
        ("What is on the table?", {"chair", "book"}),
        ("", {"yes", "no"}),
        ("?!", {"yes", "no"}),
    ],
)
def test_answers_are_of_the_type_that_is_asked_for(question: str, possible: set[str]) -> None:
    rng = np.random.default_rng(0)
    assert possible <= {plausible_answer(question, rng) for _ in range(400)}
