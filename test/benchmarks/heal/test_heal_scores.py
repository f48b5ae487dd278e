"""What becomes of an answer in scores: held back, resolved, thought over, damaged; and which split counts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from row_tables import each_row

from vantage.benchmarks.heal.heal_figures import Setup, groups
from vantage.benchmarks.heal.heal_scores import scored_reply, summed
from vantage.benchmarks.heal.heal_tables import section
from vantage.benchmarks.heal.reply_thoughts import notices
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import FormatError
from vantage.goals import (
    EdgeGoal,
    Goal,
    NodeGoal,
    Reason,
    ReasonKind,
    Ruling,
    SceneFacts,
    SceneObject,
    TaskTruth,
    reply_text,
)
from vantage.types import Answer, TruthQuestion, Verdict

SCENE = SceneFacts((SceneObject("couch", (), ("CLEAN",)), SceneObject("cup_1"), SceneObject("table")))
CLEAN = NodeGoal("couch", "CLEAN")
TRUTH = TaskTruth(SCENE, Goal.of([CLEAN]), True, states=("CLEAN",), relations=("ON",))
GOLD = TruthQuestion("base", "base", "", category="virtualhome", task=TRUTH)
GONE = TaskTruth(SCENE, Goal.of([EdgeGoal("cup_1", "ON", "shelf")]), False, ("shelf",), states=("CLEAN",))
REMOVED = TruthQuestion("task_obj_rem_1", "task_obj_rem", "", category="virtualhome", task=GONE)


def answer(*goals: Any, text: str = "", **given: Any) -> Answer:
    return Answer("base", text or reply_text(goals, False), Verdict.ANSWERED, 0.5, **given)


def test_a_synonym_counts_as_what_it_means_in_the_column_of_its_own() -> None:
    found = scored_reply(answer(NodeGoal("sofa", "CLEAN")), GOLD)
    assert (found.raw.right, found.resolved.right) == (False, True)
    assert found.score.counts["hallucinated"] == 1
    sums = summed([found])
    assert (sums["base.raw_right"], sums["base.resolved_right"], sums["base.right"]) == (0, 1, 0)
    assert (sums["base.resolved_ungrounded_passed"], sums["base.raw_ungrounded_passed"]) == (0, 1)


def test_what_a_guard_holds_back_is_no_longer_said() -> None:
    reply = reply_text([NodeGoal("oven", "CLEAN")], False)
    ruling = Ruling.of([Reason(ReasonKind.MISSING_OBJECT, "oven")])
    held = scored_reply(answer(text=ruling.words, ruling=ruling, reply=reply), GOLD)
    assert (held.score.counts["refused_feasible"], held.score.counts["ungrounded_passed"]) == (1, 0)
    assert held.raw.counts["ungrounded_passed"] == 1
    asks = Ruling.of([Reason(ReasonKind.UNLICENSED, "couch")])
    back = scored_reply(answer(text=asks.words, ruling=asks, reply=reply_text([CLEAN], False)), GOLD)
    assert (back.score.counts["asked_back_feasible"], back.raw.right) == (1, True)


@each_row(
    "goal, counts",
    [
        (NodeGoal("cup_2", "CLEAN"), {"invented_instances": 1, "invented_ids": 0}),
        (NodeGoal("printer_1", "CLEAN"), {"invented_instances": 0, "invented_ids": 1}),
        (NodeGoal("red_table", "CLEAN"), {"invented_attributes": 1, "invented_ids": 0}),
        (EdgeGoal("couch", "GLUED", "table"), {"relations": 1, "invented_relations": 1}),
        (EdgeGoal("couch", "on", "table"), {"relations": 1, "invented_relations": 0, "invented_counts": 0}),
    ],
)
def test_what_is_made_up(goal: Any, counts: dict[str, float]) -> None:
    found = scored_reply(answer(goal), GOLD).raw.counts
    assert {key: found[key] for key in counts} == counts


def test_more_things_than_there_are_are_counted() -> None:
    books = [NodeGoal(f"book_{number}", "CLEAN") for number in (1, 2, 3)]
    assert scored_reply(answer(*books), GOLD).raw.counts["invented_counts"] == 1


@each_row(
    "gone, left, part",
    [
        ("book.n.02_3", ("book.n.02_1", "book.n.02_2"), "last"),
        ("book.n.02_2", ("book.n.02_1", "book.n.02_3"), "shown"),  # a gap
        ("book.n.02_1", (), "shown"),
        ("book.n.02_2", ("book.n.01_1",), "shown"),  # another sense
        ("mug_59", ("mug_12", "mug_31"), "shown"),  # ids of instances
        ("cup", ("cup_1",), "shown"),
    ],
)
def test_the_last_of_several_stands_apart(gone: str, left: tuple[str, ...], part: str) -> None:
    scene = SceneFacts(tuple(SceneObject(name) for name in ("floor.n.01_1", *left)))
    truth = TaskTruth(scene, Goal.of([NodeGoal(gone, "Stained")]), feasible=False, asked_about=(gone,))
    counts = scored_reply(answer(text="I cannot do this."), replace(REMOVED, task=truth)).more
    assert (counts[f"{part}_infeasible"], counts[f"{part}_refused"]) == (1, 1)
    assert not {"last_infeasible", "shown_infeasible"} - {f"{part}_infeasible"} & set(counts)


def test_thoughts_that_notice_the_absence_and_go_on() -> None:
    thinking = "There is a cup. The shelf isn't in the list; I assume one."
    said = answer(EdgeGoal("cup_1", "ON", "table"), thinking=thinking)
    assert scored_reply(said, REMOVED).more["noticed_and_went_on"] == 1
    inside = answer(text=f"<think>{thinking}</think>{reply_text([CLEAN], False)}")
    assert scored_reply(inside, REMOVED).more["noticed_and_went_on"] == 1
    refused = answer(text="I cannot do this.", thinking=thinking)
    assert scored_reply(refused, REMOVED).more == {
        "shown_infeasible": 1,
        "shown_refused": 1,
        "side_infeasible": 1,
        "side_refused": 1,
        "side_asked": 1,
        "side_mentioned": 0,
        "thought": 1,
        "noticed": 1,
        "noticed_and_went_on": 0,
    }
    assert not notices("The shelf is there. I do not know the cup.", ("shelf",))
    assert not notices("", ("shelf",))
    assert not notices("no shelf", ())
    assert notices("shelf " * 100_000 + "is not there", ("shelf",))


@each_row(
    "text",
    [
        '{"node goals": [' * 2000,
        '{"node goals": [{"name": NaN, "state": NaN}]}',
        "\ufffd\ufffd{{{{",
        "x" * 500_000,
        "",
        '{"node goals": [{"name": {"a": [1]}, "state": null}], "edge goals": 7, "action goals": {}}',
    ],
)
@pytest.mark.needs("goals")
def test_hostile_replies_are_counted(text: str) -> None:
    found = scored_reply(Answer("base", text, Verdict.ANSWERED, math.nan, thinking="\x00" * 1000), GOLD)
    assert found.raw.counts["replies"] == 1
    assert not found.raw.right


def test_no_answer_cannot_be_read() -> None:
    for none in (None, replace(answer(CLEAN), verdict=Verdict.NEEDS_MODEL)):
        assert scored_reply(none, GOLD).raw.counts["unparsable"] == 1


@each_row(
    "gold",
    [
        replace(GOLD, task=None, program='{"environment":"virtualhome","goal":[]}'),
        replace(GOLD, category="moon"),
        replace(GOLD, kind="color"),
    ],
)
def test_older_gold_data_are_refused(gold: TruthQuestion) -> None:
    with pytest.raises(FormatError, match="record its episodes again"):
        scored_reply(answer(CLEAN), gold)


def score_of(split: str, model: str, control: str = "", right: bool = True) -> EpisodeScore:
    figures = summed([scored_reply(answer(CLEAN if right else NodeGoal("table", "CLEAN")), GOLD)])
    told = EpisodeScore(f"{split}-{right}", complete=True, benchmark="heal", agent="interpreter", figures=figures)
    return replace(told, model=f"{model}/interpreter", control=control, category="virtualhome", split=split)


@each_row(
    "model, control, splits, split, success",
    [
        ("symbolic", "", ("fit", "test"), "test", 0),
        ("openai:x", "mitigation=guard", ("fit", "test"), "test", 0),
        ("openai:x", "mitigation=scw,input=both", ("fit", "test"), "all", 50),
        ("symbolic", "", ("fit",), "fit", 100),
        ("symbolic", "", ("",), "all", 100),
    ],
)
def test_of_what_was_fitted_the_other_half_counts(
    model: str, control: str, splits: tuple[str, ...], split: str, success: float
) -> None:
    scores = [score_of(name, model, control, right=name != "test") for name in splits]
    [(key, members)] = groups(scores).items()
    assert key[2] == split
    made = section(scores)
    assert made is not None
    [row] = made.data["rows"]
    assert (row["split"], row["n"], row["success"]) == (split, len(members), success)


def test_a_setup_tells_what_shows_the_scene() -> None:
    setup = Setup.of(score_of("test", "openai:x", "mitigation=scw,input=both,start=goal"))
    assert (setup.model, setup.mitigation, setup.input) == ("openai:x (start=goal)", "scw", "both")
    assert setup.name == "openai:x (start=goal) + scw"
