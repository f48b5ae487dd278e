"""Goals, rulings and gold data of tasks go through messages and back; what is none is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from row_tables import each_row

from vantage.files import shared_folder
from vantage.goals import (
    ActionGoal,
    Deed,
    EdgeGoal,
    End,
    Errand,
    Fact,
    Feasibility,
    Goal,
    NodeGoal,
    Reason,
    ReasonKind,
    Ruling,
    SceneFacts,
    SceneObject,
    TaskTruth,
)
from vantage.recording import ANSWER, TRUTH, Codec, RosbagsFactory
from vantage.recording.from_messages import read_answer, read_truth
from vantage.recording.goal_messages import read_errand, read_goal, read_ruling
from vantage.recording.interfaces import typestore
from vantage.types import Answer, Truth, TruthQuestion, Verdict

CODEC = Codec(RosbagsFactory())
GOAL = Goal(
    (
        ((NodeGoal("lamp", "ON"),), (NodeGoal("lamp", "ON", False), EdgeGoal("cup", "IN", "bööx", False))),
        ((ActionGoal("GRAB", "the cup"),),),
    )
)
TASK = TaskTruth(
    SceneFacts(
        (SceneObject("lamp", ("OFF",), ("ON", "OFF")), SceneObject("cup")), (Fact("in", ("cup", "box"), False),)
    ),
    GOAL,
    True,
    ("oven",),
    (("mug", "cup"), ("desk", "table")),
    ("ON", "OFF"),
    ("IN",),
    "home_1",
    (3, 4),
    instances=(7, -1),
    specification=bytes(range(256)),
)
DEEDS = (Deed(4, "open", ("bööx",), "", True), Deed(9, "pick", ("cup",), "out of reach"))
ERRAND = Errand(End.FAILED, DEEDS, ("cup",), 2, "why")
RULING = Ruling.of((Reason(ReasonKind.UNSAFE, "oven", "what burns", ("box",)), Reason(ReasonKind.NO_GOAL)))


def through_cdr(message: Any, kind: str) -> Any:
    return typestore().deserialize_cdr(typestore().serialize_cdr(message, kind), kind)


def test_gold_data_of_tasks_and_of_questions_come_back() -> None:
    truth = Truth(
        "e", (TruthQuestion("q1", "base", "", task=TASK), TruthQuestion("q2", "color", "red")), oracle_path_length=1.0
    )
    assert read_truth(through_cdr(CODEC.truth(1, truth), TRUTH.type)) == truth


def test_an_answer_tells_goal_ruling_reply_thinking_and_errand() -> None:
    given = Answer("q", "unsafe", Verdict.UNANSWERABLE, 0.5, goal=GOAL, ruling=RULING, reply='{"a": \n', thinking="hm")
    given = replace(given, errand=ERRAND)
    plain = Answer("q", "red", Verdict.ANSWERED, 0.5)
    for answer in (given, plain):
        assert read_answer(through_cdr(CODEC.answer(1, "e", answer), ANSWER.type)) == answer


def test_text_that_utf_8_cannot_hold_is_mended() -> None:
    said = Answer("q", "", Verdict.ANSWERED, 0.5, goal=Goal.of([NodeGoal("\ud800", "ON")]), reply="\udfff")
    found = read_answer(through_cdr(CODEC.answer(1, "e", said), ANSWER.type))
    assert (next(found.goal.literals).objects, found.reply) == (("?",), "?")


@each_row(
    "name, members",
    [
        ("Ruling", [each.name for each in Feasibility]),
        ("RulingReason", [each.name for each in ReasonKind]),
        ("Errand", [each.name for each in End]),
    ],
)
def test_numbers_are_those_of_the_definitions(name: str, members: list[str]) -> None:
    text = (shared_folder("msg") / f"{name}.msg").read_text(encoding="utf-8")
    constants = dict(re.findall(r"^uint8 ([A-Z_]+)=(\d+)", text, re.MULTILINE))
    first = 0 if name == "RulingReason" else 1
    assert {constants.pop("NONE", "0")} == {"0"}
    assert constants == {member: str(number) for number, member in enumerate(members, start=first)}


@each_row(
    "sort, objects, holds",
    [(0, [], True), (0, ["a", "b"], True), (1, ["a"], True), (2, ["a"], True), (2, [], False), (9, ["a"], True)],
)
def test_a_literal_that_is_none_is_refused(sort: int, objects: list[str], holds: bool) -> None:
    literal = SimpleNamespace(
        sort=sort, objects=objects, holds=holds, word="ON", description="", part=2**32 - 1, alternative=0
    )
    with pytest.raises(ValueError, match="neither a state"):
        read_goal(SimpleNamespace(literals=[literal]))


def test_an_unknown_ruling_or_reason_is_refused() -> None:
    with pytest.raises(ValueError, match="ruling of number 6"):
        read_ruling(SimpleNamespace(feasibility=6, reasons=[]))
    reason = SimpleNamespace(kind=99, name="", detail="", nearest=[])
    with pytest.raises(ValueError, match="reason of number 99"):
        read_ruling(SimpleNamespace(feasibility=1, reasons=[reason]))


def test_an_unknown_end_and_a_deed_that_contradicts_itself_are_refused() -> None:
    told = CODEC.answer(1, "e", replace(Answer("q", "", Verdict.ANSWERED, 0.5), errand=ERRAND)).errand
    assert read_errand(told) == ERRAND
    told.deeds[0].failure = "stopped"
    with pytest.raises(ValueError, match="has no failure"):
        read_errand(told)
    told.end = 7
    with pytest.raises(ValueError, match="end of number 7"):
        read_errand(told)


def test_instances_are_one_for_each_object() -> None:
    truth = Truth("e", (TruthQuestion("q1", "base", "", task=TASK),), oracle_path_length=1.0)
    message = CODEC.truth(1, truth)
    message.questions[0].task.instances = message.questions[0].task.instances[:1]
    with pytest.raises(ValueError, match="1 instances for 2 objects"):
        read_truth(message)
