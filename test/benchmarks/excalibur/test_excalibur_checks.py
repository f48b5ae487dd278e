"""Each sentence about what is wrong with the phases or the gold data of an episode."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from explored_home import asking, explored

from vantage.benchmarks.excalibur.excalibur_checks import GoldCheck, balance_problems, phase_problems, shares
from vantage.config import RelationSettings
from vantage.questions import programs as steps
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


def problem(question: TruthQuestion, **less) -> str:
    _, graph, evidence = explored(3)
    return GoldCheck(graph, replace(evidence, **less), RelationSettings()).problem(question)


@cache
def sound(relation: str) -> TruthQuestion:
    """A question that turns on something lifted, on what something closed holds, or on materials."""
    house = asking(3)
    drafts = (house.draw("yes/no", frozenset({relation}), True) for _ in range(40))
    draft = next(each for each in drafts if bool(each.needed.to_open) == (relation == "contained"))
    needed, text = draft.needed, program_text(draft.program)
    return gold(
        program=text,
        category=relation,
        target_instances=needed.targets,
        to_weigh=needed.to_weigh,
        to_open=needed.to_open,
    )


@pytest.mark.parametrize("relation", ["heavier", "contained", "material"])
def test_gold_data_of_a_draft_are_sound(relation):
    assert problem(sound(relation)) == ""


@pytest.mark.parametrize(
    ("relation", "changes", "told"),
    [
        ("material", {"target_instances": ()}, "what has to be seen is said to be nothing, the house gives objects "),
        ("material", {"to_weigh": (1,)}, "what has to be lifted is said to be objects 1, the house gives nothing"),
        ("heavier", {"to_weigh": ()}, "what has to be lifted is said to be nothing, the house gives objects "),
        ("contained", {"to_open": ()}, "what has to be opened is said to be nothing, the house gives objects "),
    ],
)
def test_changed_evidence_is_told(relation, changes, told):
    assert problem(replace(sound(relation), **changes)).startswith(told)


@pytest.mark.parametrize(
    ("relation", "less", "told"),
    [
        ("material", "seen", "cannot be seen from free floor"),
        ("heavier", "lifted", "cannot be lifted"),
        ("contained", "opened", "cannot be opened"),
    ],
)
def test_a_question_of_which_the_evidence_cannot_be_gathered_is_told(relation, less, told):
    found = problem(sound(relation), **{less: frozenset()})
    assert found.startswith("its evidence cannot be gathered: object ")
    assert told in found


WOODEN = steps.Filter(steps.Scene(), "material", "wood")
AMBIGUOUS = program_text(steps.Query(steps.Unique(WOODEN), "color"))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
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
    assert told in problem(gold(**{"program": program_text(steps.Exist(WOODEN)), **changes}))


def answered(yes: int, no: int, **changes) -> list[Truth]:
    questions = [gold(phase="answer", answer="yes", **changes)] * yes + [
        gold(phase="answer", answer="no", **changes)
    ] * no
    return [Truth("e", tuple(questions))]


@pytest.mark.parametrize(
    ("yes", "no", "told"),
    [
        (30, 30, []),
        (37, 23, []),
        (38, 22, ["38 of 60 yes/no questions are answered with yes, which is not balanced"]),
        (0, 60, ["0 of 60 yes/no questions are answered with yes, which is not balanced"]),
        (5, 0, []),
    ],
)
def test_lopsided_answers_are_told_where_there_are_enough(yes, no, told):
    assert list(balance_problems(answered(yes, no))) == told


def test_types_and_relations_with_other_shares_than_the_published_ones_are_told_where_there_are_enough():
    found = list(balance_problems(answered(100, 100)))
    assert "100.0 % of its questions are of 'yes/no', not 78.8 % to within 5 points" in found
    assert "0.0 % of its questions are of 'color', not 26.7 % to within 5 points" in found
    assert not any("'on top'" in each for each in found)


def test_shares_are_of_questions_as_asked_first():
    questions = (
        gold(phase="answer"),
        gold(phase="answer", kind="count", category="color, material"),
        gold(phase="refine", kind="query"),
    )
    assert shares([Truth("e", questions)]) == {"color": 0.5, "count": 0.5, "material": 1.0, "yes/no": 0.5}
    assert shares([]) == {}
