"""The four transformations: what they change, what they leave, and what their labels say."""

from __future__ import annotations

from pathlib import Path

import pytest
from eai_files import write_eai
from row_tables import each_row

from vantage.benchmarks.heal.base_tasks import BaseTask
from vantage.benchmarks.heal.eai_data import read_data
from vantage.benchmarks.heal.home_words import HOME_NAMES
from vantage.benchmarks.heal.household_words import DISTRACTORS, OTHER_NAMES, UNRENAMED, clashing
from vantage.benchmarks.heal.probing_items import Item, is_mentioned
from vantage.benchmarks.heal.transformations import items_of, with_other_names, with_phrases
from vantage.goals import SceneFacts, SceneObject, object_key, objects_of
from vantage.questions.lexicon.wordnet import installed


@pytest.fixture
def made(tmp_path: Path) -> dict[str, dict[str, Item]]:
    """Items by task and id."""
    return {task.identifier: items for task, items in _made(write_eai(tmp_path))}


def _made(folder: Path) -> list[tuple[BaseTask, dict[str, Item]]]:
    return [
        (task, {item.item_id: item for item in items_of(task, data.with_goals, 7)})
        for data in read_data(folder)
        for task in data.with_goals
    ]


def test_distractors_are_in_the_text_and_nowhere_else(made: dict[str, dict[str, Item]]) -> None:
    for items in made.values():
        base, item = items["base"], items["dist_inj"]
        assert (item.scene, item.gold, item.faults) == (base.scene, base.gold, ())
        assert len(item.asked_about) == 3
        assert all(name.replace("_", " ") in item.text for name in item.asked_about)
        assert not any(name.replace("_", " ") in base.text or item.scene.has(name) for name in item.asked_about)


def test_one_thing_of_the_goal_is_removed_and_the_agent_apart(made: dict[str, dict[str, Item]]) -> None:
    items = made["2_1"]
    assert [name for name in items if "rem" in name] == ["task_obj_rem_1", "task_obj_rem_2", "agent_rem_3"]
    assert items["agent_rem_3"].asked_about == ("character",)
    for name in ("task_obj_rem_1", "task_obj_rem_2", "agent_rem_3"):
        assert items[name].faults
        assert not items[name].scene.has(items[name].asked_about[0])


def test_what_another_alternative_can_do_without_is_feasible(made: dict[str, dict[str, Item]]) -> None:
    removals = {
        item.asked_about[0]: not item.faults for name, item in made["storing_cups_0_House_0"].items() if "rem" in name
    }
    assert removals == {"cup.n.01_1": False, "box.n.01_1": False, "box.n.01_2": True}


def test_other_names_are_in_scene_and_goal(made: dict[str, dict[str, Item]]) -> None:
    item = made["2_1"]["synonym_sub"]
    assert item.faults == ()
    assert dict(item.old_names) == {"cup": OTHER_NAMES["cup"]}
    assert item.asked_about == ("cup",)
    assert item.scene.has("table")
    assert item.scene.has("character")


def test_another_scene_has_nothing_of_the_goal(made: dict[str, dict[str, Item]]) -> None:
    item = made["1_1"]["scene_task_con"]
    assert item.scene.has("pillow")
    assert item.asked_about == ("lamp",)
    assert item.faults
    assert made["3_1"]["scene_task_con"].faults == ()  # an action names no thing


def test_a_scene_that_shares_things_loses_them(tmp_path: Path) -> None:
    data = read_data(write_eai(tmp_path))[0]
    lit, laid, _ = data.with_goals
    item = {each.item_id: each for each in items_of(lit, (lit, laid), 7)}["scene_task_con"]
    assert not item.scene.has("lamp")
    assert item.scene.has("cup")


def test_the_same_seed_gives_the_same_items(tmp_path: Path) -> None:
    folder = write_eai(tmp_path)
    assert _made(folder) == _made(folder)


@each_row(
    "text, phrases, expected",
    [
        ("Go. Stop.", ["near A", "past B"], "Go near A. Stop past B."),
        ("Go. Stop.", ["near A", "past B", "by C"], "Go near A. Stop past B and by C."),
        ("turn on light", ["near A", "past B"], "turn on light near A and past B"),
        ("Go. stop", ["near A", "past B"], "Go near A. stop past B"),
        ("Set i = 1. Go", ["near A"], "Set i = 1. Go near A"),
        ("", ["near A"], " near A"),
        ("Go.", [], "Go."),
    ],
)
def test_phrases_go_to_the_ends_of_sentences(text: str, phrases: list[str], expected: str) -> None:
    assert with_phrases(text, phrases) == expected


_AS_IN_DICTIONARIES = {  # labels of the data, and of toys
    "bear": "teddy bear",
    "bin": "trash can",
    "cloth_napkin": "napkin",
    "clothes_pants": "pant",
    "food_cheese": "cheese",
    "food_kiwi": "kiwi",
    "food_vegetable": "vegetable",
    "powersocket": "wall socket",
    "sunglass": "sunglasses",
    "trashcan": "trash can",
}


@pytest.mark.needs("wordnet")
def test_other_names_are_words_for_the_same_or_a_kind_of_it() -> None:
    wordnet = installed()
    assert wordnet is not None
    for label, other in HOME_NAMES.items():
        senses = wordnet.senses(_AS_IN_DICTIONARIES.get(label, label.replace("_", " ")))
        called = {word for sense in senses for kind in wordnet.kinds(sense) for word in wordnet.synset(kind).words}
        said = other.replace("_", " ")
        assert {said, said.removesuffix("s")} & called, (label, other)


def test_without_another_name_for_the_goal_there_is_no_item(tmp_path: Path) -> None:
    lit = read_data(write_eai(tmp_path))[0].with_goals[0]
    assert with_other_names(lit, {"pillow": "bolster"}) == ()
    assert [item.item_id for item in with_other_names(lit, {"lamp": "sconce"})] == ["synonym_sub"]


def test_no_other_name_shares_a_word() -> None:
    assert not [pair for pair in OTHER_NAMES.items() if clashing(*pair)]
    assert clashing("dining_room", "dining area")
    assert not clashing("washing_machine", "washer")
    assert not {object_key(word) for word in DISTRACTORS} & {*OTHER_NAMES, *UNRENAMED}
    assert not set(OTHER_NAMES) & set(UNRENAMED)


@each_row(
    "asked, names, expected",
    [
        ("cup.n.01_1", ["cup.n.01_1"], True),
        ("cup.n.01_1", ["cup.n.01_2"], False),
        ("cup.n.01_1", ["cup.n.01_7"], False),
        ("cup.n.01_1", ["Cup"], True),
        ("vacuum_cleaner", ["vacuum_cleaner.n.01_1"], True),
        ("vacuum_cleaner", ["vacuum cleaner"], True),
        ("vacuum_cleaner", ["cleaner"], False),
    ],
)
def test_a_mention_is_of_the_thing_or_of_an_absent_one_of_its_kind(
    asked: str, names: list[str], expected: bool
) -> None:
    assert is_mentioned(asked, names, SceneFacts((SceneObject("cup.n.01_2"),))) is expected


def test_items_of_the_real_data_keep_the_rules(data_folder: Path) -> None:
    for task, items in _made(data_folder):
        for item in items.values():
            assert not any(map(item.scene.has, item.asked_about)), (task.identifier, item.item_id)
        assert not items["dist_inj"].faults
        assert "synonym_sub" not in items or not items["synonym_sub"].faults
        for old, new in items["synonym_sub"].old_names if "synonym_sub" in items else ():
            assert not clashing(old.partition(".")[0], new.partition(".")[0])
        named = [name for name in objects_of(task.gold) if object_key(name) != "character"]
        assert len(items["scene_task_con"].asked_about) == len(named)
