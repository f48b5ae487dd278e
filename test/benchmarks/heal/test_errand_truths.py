"""Gold data of tasks that are carried out: what they do not tell, or tell damaged, is refused in one sentence."""

from __future__ import annotations

import zlib

import pytest
from row_tables import each_row

from vantage.benchmarks.heal.errand_sets import ERRAND, read_errand_truth
from vantage.errors import FormatError
from vantage.goals import Goal, NodeGoal, SceneFacts, SceneObject, TaskTruth
from vantage.types import TruthQuestion

SCENE = SceneFacts((SceneObject("box_4", ("closed",), ("open", "closed")), SceneObject("hall")))


def task(specification: bytes) -> TaskTruth:
    goal = Goal.of([NodeGoal("box_4", "open")])
    return TaskTruth(SCENE, goal, True, instances=(4, -1), specification=specification)


def test_things_and_rooms_have_their_names_by_id() -> None:
    assert task(b"").names == {4: "box_4", -1: "hall"}
    with pytest.raises(ValueError, match="1 instances for 2 objects"):
        TaskTruth(SCENE, Goal(), True, instances=(4,))


@each_row(
    "packed",
    [
        b"",
        b"no zlib",
        zlib.compress(b"{}")[:-2],
        zlib.compress(b"no JSON"),
        zlib.compress(b"\xff\xfe"),
        zlib.compress(b'{"schema": "vantage/scene-spec"}'),
        zlib.compress(b" " * (2**24 + 1)),
    ],
)
def test_a_home_that_cannot_be_read_is_refused(packed: bytes) -> None:
    with pytest.raises(FormatError, match=r"here: .*run the task again") as caught:
        read_errand_truth(TruthQuestion("q", ERRAND, "", task=task(packed)), "here")
    assert "\n" not in str(caught.value)


def test_bags_from_before_and_other_questions() -> None:
    with pytest.raises(FormatError, match="do not say which home"):
        read_errand_truth(TruthQuestion("q", ERRAND, "", program='{"errand":[]}'), "here")
    assert read_errand_truth(TruthQuestion("q", "color", "red"), "here") is None
