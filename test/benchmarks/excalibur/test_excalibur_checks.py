"""Each sentence about what is wrong with the phases or the gold data of an episode."""

from __future__ import annotations

from dataclasses import replace

import pytest
from explored_home import explored

from vantage.benchmarks.excalibur.excalibur_checks import gold_problem, phase_problems, shares
from vantage.config import RelationSettings
from vantage.questions import Executor, programs as steps
from vantage.questions.programs import program_text
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodePhase, Question, Truth, TruthQuestion

TEXTS = ("Is there a mug?", "How many mugs are there?")


def asked(phase: str, texts=TEXTS) -> EpisodePhase:
    return EpisodePhase(phase, 0, tuple(Question(f"q{k}", text, phase) for k, text in enumerate(texts)))


EXPLORE, ANSWER = EpisodePhase("explore", 10), asked("answer")
REENTER, REFINE = EpisodePhase("reenter", 10, restored=True), asked("refine")


def problems(*phases: EpisodePhase) -> list[str]:
    return list(phase_problems(Episode.of_phases("e", "excalibur", "s", Viewpoint(0, 0, 1, 0, 0), phases)))


def test_sound_phases_have_no_problem():
    assert problems(EXPLORE, ANSWER, REENTER, REFINE) == []


@pytest.mark.parametrize(
    ("phases", "told"),
    [
        ((EXPLORE, REENTER, ANSWER, REFINE), "its phases are explore, reenter, answer, refine, not explore, answer"),
        ((EXPLORE, ANSWER), "its phases are explore, answer, not"),
        ((EXPLORE, ANSWER, replace(REENTER, questions=asked("reenter").questions), REFINE), "it asks while the house"),
        ((EXPLORE, ANSWER, replace(REENTER, restored=False), REFINE), "must be restored before phase 'reenter'"),
        ((EXPLORE, replace(ANSWER, restored=True), REENTER, REFINE), "and before no other"),
        ((EXPLORE, ANSWER, REENTER, asked("refine", TEXTS[:1])), "other questions are asked after the re-entry"),
        (
            (EXPLORE, asked("answer", TEXTS[:1] * 2), REENTER, asked("refine", TEXTS[:1] * 2)),
            "'Is there a mug?' is asked 2 times",
        ),
    ],
)
def test_what_is_wrong_with_phases_is_told(phases, told):
    assert any(told in each for each in problems(*phases))


def gold(**changes) -> TruthQuestion:
    usual = TruthQuestion("q1", "yes/no", "yes", program="exist(filter_material(scene(), 'wood'))", category="material")
    return replace(usual, **changes)


def problem(question: TruthQuestion) -> str:
    graph = explored(3)[1]
    return gold_problem(question, graph, Executor(graph, None, RelationSettings(), hidden=True))


WOODEN = steps.Filter(steps.Scene(), "material", "wood")
AMBIGUOUS = program_text(steps.Query(steps.Unique(WOODEN), "color"))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, ""),
        ({"program": "nonsense("}, "nonsense"),
        ({"target_instances": (999_999,)}, "its evidence names object 999999, which the house does not have"),
        ({"to_weigh": (888_888,)}, "its evidence names object 888888"),
        ({"to_open": (777_777,)}, "its evidence names object 777777"),
        (
            {"program": AMBIGUOUS, "kind": "query"},
            "of what it asks about",
        ),
        ({"answer": "no"}, "the answer is 'no', the house gives 'yes'"),
        ({"kind": "count"}, "its type 'count' is not that of its answer"),
        ({"kind": "riddle"}, "its type 'riddle' is not that of its answer"),
        ({"category": "color"}, "its relations are said to be 'color', and are not"),
    ],
)
def test_what_is_wrong_with_gold_data_is_told(changes, told):
    found = problem(gold(**{"program": program_text(steps.Exist(WOODEN)), **changes}))
    assert told in found if told else found == ""


def test_shares_are_of_questions_as_asked_first():
    questions = (
        gold(phase="answer"),
        gold(phase="answer", kind="count", category="color, material"),
        gold(phase="refine", kind="query"),
    )
    assert shares([Truth("e", questions)]) == {"color": 0.5, "count": 0.5, "material": 1.0, "yes/no": 0.5}
    assert shares([]) == {}
