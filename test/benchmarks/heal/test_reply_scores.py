"""What becomes of a reply: hallucinations, refusals, goals right and wrong."""

from __future__ import annotations

from dataclasses import replace

from row_tables import each_row

from vantage.benchmarks.heal.reply_scores import ReplyScore, compared, score_reply
from vantage.goals import (
    ActionGoal,
    EdgeGoal,
    Goal,
    Literal,
    NodeGoal,
    SceneFacts,
    SceneObject,
    TaskTruth,
    read_reply,
    reply_text,
)

SCENE = SceneFacts((SceneObject("lamp", ("OFF",), ("ON", "OFF")), SceneObject("table"), SceneObject("cup.n.01_1")))
ON, CUP = NodeGoal("lamp", "ON"), EdgeGoal("cup.n.01_1", "ON", "table")
GOLD = Goal((((ON,),), ((CUP,),), ((ActionGoal("WASH"),), (ActionGoal("RINSE"),))))
TRUTH = TaskTruth(SCENE, GOLD, True, ("oven",), (), ("ON", "OFF", "CLEAN"))
IMPOSSIBLE = replace(TRUTH, feasible=False)


def score(*goals: Literal, truth: TaskTruth = TRUTH, words: str = "") -> ReplyScore:
    return score_reply(read_reply(words or reply_text(goals, False)), truth, SCENE)


def test_gold_is_right_with_either_alternative() -> None:
    for action in ("WASH", "rinse"):
        found = score(ON, CUP, ActionGoal(action))
        assert found.right
        assert found.sorted_out["action_missing"] == found.sorted_out["action_wrong"] == 0
    assert not score(ON, CUP).right


def test_a_ghost_costs_precision_and_a_drop_recall() -> None:
    found = score(ON, CUP, ActionGoal("WASH"), NodeGoal("ghost", "ON"))
    assert (found.sorted_out["node_right"], found.sorted_out["node_wrong"], found.sorted_out["node_missing"]) == (
        1,
        1,
        0,
    )
    assert compared([ON], GOLD)["edge_missing"] == 1
    assert compared([], GOLD, unread=2)["node_wrong"] == 2


@each_row(
    "goal, counts",
    [
        (NodeGoal("oven", "ON"), {"objects": 1, "absent_objects": 1, "mentioned": 1, "hallucinated": 1, "grounded": 0}),
        (NodeGoal("lamp", "CLEAN"), {"absent_objects": 0, "states_not_of_object": 1, "states_of_nothing": 0}),
        (NodeGoal("lamp", "ARRANGED"), {"states_not_of_object": 1, "states_of_nothing": 1, "states": 1}),
        (NodeGoal("oven", "CLEAN"), {"states_not_of_object": 0, "states": 1}),
        (
            EdgeGoal("cup.n.01_9", "ON", "table"),
            {"absent_objects": 1, "invented_instances": 1, "states": 0},
        ),
        (ActionGoal("FLY"), {"objects": 0, "grounded": 1}),
    ],
)
def test_what_a_goal_hallucinates(goal: Literal, counts: dict[str, float]) -> None:
    found = score(goal).counts
    assert {key: found[key] for key in counts} == counts


@each_row(
    "words, counts, right",
    [
        ("I cannot do this.", {"refused_in_words": 1, "refused_infeasible": 1, "refused_infeasible_grounded": 1}, True),
        (reply_text((), False), {"empty": 1, "refused_infeasible": 1, "repurposed": 0}, True),
        ("Sure!", {"unparsable": 1, "grounded": 0, "refused_infeasible": 0}, False),
        (reply_text((ON,), False), {"repurposed": 0, "refused_infeasible": 0}, False),
        (reply_text((NodeGoal("lamp", "OFF"),), False), {"repurposed": 1}, False),
        (reply_text((NodeGoal("oven", "ON"),), False), {"repurposed": 0, "ungrounded_passed": 1}, False),
        ("There is no cat. " + reply_text((NodeGoal("lamp", "OFF"),), False), {"refuses_beside_goals": 1}, False),
    ],
)
def test_replies_to_what_cannot_be_done(words: str, counts: dict[str, float], right: bool) -> None:
    found = score(truth=IMPOSSIBLE, words=words)
    assert {key: found.counts[key] for key in counts} == counts
    assert found.right is right


def test_refusing_what_can_be_done_is_wrong() -> None:
    found = score(words="I cannot do this.")
    assert found.counts["refused_feasible"] == 1
    assert not found.right
    assert found.sorted_out["node_missing"] == 1


def test_a_rename_that_is_kept_in_part_is_told() -> None:
    truth = replace(TRUTH, old_names=(("mug", "cup.n.01_1"), ("desk", "table")))
    assert score(EdgeGoal("mug", "ON", "table"), truth=truth).counts["renamed_in_part"] == 1
    assert score(CUP, truth=truth).counts["renamed_in_part"] == 0
