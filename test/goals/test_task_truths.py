"""Gold data of tasks as JSON: there and back, and refused in one sentence where they are none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from row_tables import each_row

from vantage.errors import FormatError
from vantage.goals import Goal, NodeGoal, SceneFacts, SceneObject, TaskTruth, task_from_json, task_to_json

TASK = TaskTruth(
    SceneFacts((SceneObject("lamp", ("OFF",), ("ON", "OFF")),)),
    Goal.of([NodeGoal("lamp", "ON")]),
    True,
    ("oven",),
    (("mug", "cup"),),
    ("ON", "OFF"),
    ("IN",),
    "home",
    (3,),
    instances=(7,),
    specification=bytes(range(256)),
)


def test_a_task_goes_there_and_back() -> None:
    assert task_from_json(json.loads(json.dumps(task_to_json(TASK))), "here") == TASK
    assert task_from_json(task_to_json(TaskTruth(SceneFacts(), Goal(), False)), "here").left_out == ()


@each_row(
    "changed",
    [
        {"feasible": 1},
        {"feasible": float("nan")},
        {"home": 3},
        {"left_out": ["3"]},
        {"left_out": [True]},
        {"instances": [1, 2]},
        {"instances": [1.5]},
        {"specification": "no base64!"},
        {"specification": 3},
        {"old_names": [["mug"]]},
        {"old_names": "mug"},
        {"asked_about": "oven"},
        {"states": [None]},
        {"scene": []},
        {"goal": [[[["node", "lamp"]]]]},
        {"more": 1},
    ],
)
def test_what_is_none_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match="here"):
        task_from_json({**task_to_json(TASK), **changed}, "here")
    with pytest.raises(FormatError, match="here"):
        task_from_json([], "here")
