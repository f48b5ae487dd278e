"""The data of the Embodied Agent Interface, with all that is odd about them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from eai_files import write_eai
from row_tables import each_row

from vantage.benchmarks.heal.eai_data import read_data
from vantage.benchmarks.heal.prompts import CLEAN, PUBLISHED, prompt_text
from vantage.errors import FormatError, UsageError
from vantage.goals import EdgeGoal, NodeGoal, read_scene, read_task, ungrounded


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_eai(tmp_path)


def test_repeated_names_empty_goals_and_actions_of_no_list_are_read(folder: Path) -> None:
    home, _ = read_data(folder)
    tasks = {task.identifier: task for task in home.tasks}
    assert list(tasks["1_1"].gold.literals) == [NodeGoal("lamp", "ON")]
    assert EdgeGoal("cup", "ON", "table") in list(tasks["2_1"].gold.literals)
    assert [[goal.action for goal, *_ in part] for part in tasks["3_1"].gold.parts] == [["WASH", "SLEEP"]]
    assert (tasks["4_1"].gold.parts, tasks["4_1"].formula) == ((), None)
    assert [task.identifier for task in home.with_goals] == ["1_1", "2_1", "3_1"]
    assert home.vocabulary.actions == ("WASH", "RINSE", "SLEEP")


def test_flat_negations_and_both_spellings_of_a_state_are_read(folder: Path) -> None:
    _, behavior = read_data(folder)
    storing, airing = behavior.tasks
    assert NodeGoal("box.n.01_1", "open", False) in list(storing.gold.literals)
    assert NodeGoal("cup.n.01_1", "stained", False) in list(storing.gold.literals)
    assert [len(part) for part in storing.gold.parts] == [2, 1]
    assert not ungrounded(airing.gold, airing.scene)
    assert (storing.name, airing.name) == ("storing_cups", "airing")


def _check_prompts(folder: Path) -> None:
    """What was published comes back to the letter, and both styles tell the same scene and text."""
    for data in read_data(folder):
        for task in data.tasks:
            published = prompt_text(task, task.scene, task.text, data.vocabulary, PUBLISHED)
            assert published == task.published
            assert not ungrounded(task.gold, task.scene)
            for style in (PUBLISHED, CLEAN):
                sent = prompt_text(task, task.scene, task.text, data.vocabulary, style)
                assert read_scene(sent) == task.scene
                assert read_task(sent).text.split() == task.text.split()


def test_prompts_are_written_as_they_were_published(folder: Path) -> None:
    _check_prompts(folder)


def test_the_real_data_are_read_whole(data_folder: Path) -> None:
    counts = {data.environment: (len(data.tasks), len(data.with_goals)) for data in read_data(data_folder)}
    assert counts == {"virtualhome": (158, 156), "behavior": (54, 54)}
    _check_prompts(data_folder)


def test_one_part_alone_is_enough(folder: Path) -> None:
    for path in (folder / "eai-behavior").iterdir():
        path.unlink()
    (folder / "eai-behavior").rmdir()
    assert [data.environment for data in read_data(folder)] == ["virtualhome"]


@each_row(
    "name, text, told",
    [
        ("eai-virtualhome/vocabulary.json", "{}", "vh_states"),
        ("eai-virtualhome/task_state_LTL_formula_dev.json", "[]", "expected an object"),
        ("eai-virtualhome/task_state_LTL_formula_dev.json", '{"s": {"n": {"i": {"tl_goal": 3}}}}', "tl_goal"),
        (
            "eai-virtualhome/task_state_LTL_formula_dev.json",
            json.dumps(
                {"s": {"n": {"1_1": {"vh_goal": {"goal": [{"from_id": 1, "relation_type": "ON", "to_id": 2}]}}}}}
            ),
            "1_1",
        ),
        (
            "eai-virtualhome/task_state_LTL_formula_dev.json",
            json.dumps({"s": {"n": {"9_9": {"vh_goal": {"actions": ["WASH"], "goal": []}}}}}),
            "no prompt",
        ),
        ("eai-virtualhome/goal_interpretation_prompts_dev.json", '[{"identifier": 1}]', "texts"),
        ("eai-behavior/all_conditions_dev.json", '{"x": {}}', "no instruction"),
        (
            "eai-behavior/all_conditions_dev.json",
            '{"storing_cups_0_House_0": {"initial_conditions": {}, "goal_conditions": {"1": [[["open"]]]}}}',
            "is no condition",
        ),
        (
            "eai-behavior/all_conditions_dev.json",
            '{"storing_cups_0_House_0": {"initial_conditions": {}}}',
            "goal_conditions",
        ),
        (
            "eai-behavior/all_conditions_dev.json",
            '{"storing_cups_0_House_0": {"goal_conditions": {}}}',
            "initial_conditions",
        ),
        ("eai-behavior/all_objects_dev.json", "{}", "all_objects_dev.json: storing_cups_0_House_0"),
        ("eai-behavior/object_states.json", "{", "JSON"),
    ],
)
def test_damaged_data_are_refused_in_one_sentence(name: str, text: str, told: str, tmp_path: Path) -> None:
    folder = write_eai(tmp_path)
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=told):
        read_data(folder)


def test_a_folder_without_data_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VANTAGE_DATA", raising=False)
    with pytest.raises(UsageError, match="holds neither"):
        read_data(tmp_path)
    with pytest.raises(UsageError, match="VANTAGE_DATA"):
        read_data("")
