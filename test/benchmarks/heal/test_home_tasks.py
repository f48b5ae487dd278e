"""Tasks in generated homes and what the transformations make of them, without a set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from row_tables import each_row

from vantage.benchmarks.heal.base_tasks import FIT, HOMES, TEST, split_of
from vantage.benchmarks.heal.home_facts import HomeFacts
from vantage.benchmarks.heal.home_items import HomeItem, HomeTask, home_items
from vantage.benchmarks.heal.home_sets import tasks_in
from vantage.benchmarks.heal.home_words import HOME_NAMES, KINDS, NAMES, UNRENAMED_AT_HOME, WORDINGS, worded
from vantage.benchmarks.heal.household_words import UNRENAMED, clashing
from vantage.benchmarks.heal.probing_items import SCENE_TASK_CON, SYNONYM_SUB, TASK_OBJ_REM
from vantage.benchmarks.statistics import LabelledQuestion, measure_shortcut
from vantage.goals import EdgeGoal, NodeGoal, kind_of, object_key, objects_of, ungrounded
from vantage.scenes.catalog import labels
from vantage.scenes.generator import generate_home
from vantage.types import Cause, ObjectAction
from vantage.worlds.objects import Fault, HandRules, HomeState, judged


@pytest.fixture(scope="module")
def homes() -> dict[str, HomeFacts]:
    return {f"home_{seed}": HomeFacts.of(generate_home(seed, rooms)) for seed, rooms in ((1, 3), (2, 4))}


@pytest.fixture(scope="module")
def tasks(homes: dict[str, HomeFacts]) -> list[HomeTask]:
    return [task for place, (name, home) in enumerate(homes.items()) for task in tasks_in(home, name, place, seed=5)]


@pytest.fixture(scope="module")
def items(homes: dict[str, HomeFacts], tasks: list[HomeTask]) -> list[tuple[HomeTask, HomeItem]]:
    return [(task, item) for task in tasks for item in home_items(task, homes, 5)]


def test_every_task_is_feasible_and_not_done_yet(homes: dict[str, HomeFacts], tasks: list[HomeTask]) -> None:
    assert len(tasks) > 20
    assert len({task.base.identifier for task in tasks}) == len(tasks)
    for task in tasks:
        scene = homes[task.home].facts
        assert ungrounded(task.base.gold, scene) == ()
        states = {object_key(item.name): item.initial for item in scene.objects}
        facts = {(fact.predicate, *fact.objects) for fact in scene.facts}
        for literal in task.base.gold.literals:
            if isinstance(literal, NodeGoal):
                assert literal.state not in states[literal.object]
            else:
                assert isinstance(literal, EdgeGoal)
                assert (literal.relation, literal.subject, literal.object) not in facts


def test_what_a_task_puts_somewhere_finds_room_there(homes: dict[str, HomeFacts], tasks: list[HomeTask]) -> None:
    putting = [task for task in tasks if task.base.name.startswith(("put", "bring"))]
    checked = 0
    for task in putting:
        home = homes[task.home]
        ids = {name: number for number, name in home.names.items()}
        for literal in task.base.gold.parts[0]:
            assert isinstance(literal[0], EdgeGoal)
            thing, place = ids[literal[0].subject], ids[literal[0].object]
            if place > 0:  # furniture
                assert put_there(home, thing, place, literal[0].relation) is None
                checked += 1
    assert checked > 5


def test_no_task_puts_something_where_there_is_no_room() -> None:
    home = HomeFacts.of(generate_home(303, 2))
    ids = {name: number for number, name in home.names.items()}
    fault = put_there(home, ids["bowl_59"], ids["counter_38"], "on")
    assert fault is not None
    assert fault.cause is Cause.NO_ROOM
    names = {task.base.name for task in tasks_in(home, "home", 0, seed=303)}
    assert "put bowl on counter" not in names


def put_there(home: HomeFacts, thing: int, place: int, relation: str) -> Fault | None:
    """Why a hand that reaches everything cannot put a thing there; None where it can."""
    state, hand = HomeState(home.spec), HandRules(reach=100.0, load=100.0, clearance=0.0)
    while (closed := state.closed_around(place)) is not None:
        state.move_joints(closed.instance_id, opened=True)
    if relation == "in" and state.objects[place].joints:
        state.move_joints(place, opened=True)
    state.take(thing)
    eye = np.array([*state.objects[place].position[:2], 2.0])
    deed = judged(state, ObjectAction(f"put_{relation}", thing, place), eye, hand)
    return deed if isinstance(deed, Fault) else None


def test_a_thing_of_several_may_be_any_of_them(tasks: list[HomeTask]) -> None:
    several = [task for task in tasks if len(task.base.gold.parts[0]) > 1]
    assert several
    for task in several:
        assert len({tuple(map(kind_of, each[0].objects)) for each in task.base.gold.parts[0]}) == 1
        assert " a " in f" {task.base.text.lower()}" or "an " in task.base.text or "some " in task.base.text.lower()


def test_the_same_seed_gives_the_same_tasks(homes: dict[str, HomeFacts], tasks: list[HomeTask]) -> None:
    name, home = next(iter(homes.items()))
    assert list(tasks_in(home, name, 0, seed=5)) == [task for task in tasks if task.home == name]
    assert list(tasks_in(home, name, 0, seed=6)) != [task for task in tasks if task.home == name]


def test_a_removed_thing_goes_with_what_it_carries(
    homes: dict[str, HomeFacts], items: list[tuple[HomeTask, HomeItem]]
) -> None:
    removed = [(task, put) for task, put in items if put.item.transformation == TASK_OBJ_REM]
    assert any(len(put.gone) > 1 for _, put in removed)
    assert any(put.item.faults for _, put in removed)
    for task, put in removed:
        home = homes[task.home]
        names = {home.names[thing] for thing in put.gone}
        assert {*put.item.asked_about} <= names
        assert not any(map(put.item.scene.has, names))
        assert len(put.item.scene.objects) == len(home.facts.objects) - len(names)
        left = {node.instance_id for node in home.graph.nodes} - {*put.gone}
        assert not any(node.parent in put.gone for node in home.graph.nodes if node.instance_id in left)
        alternatives = len(task.base.gold.parts[0])
        assert bool(put.item.faults) or alternatives > 1


def test_another_home_has_nothing_of_the_goal_but_rooms(items: list[tuple[HomeTask, HomeItem]]) -> None:
    for task, put in items:
        if put.item.transformation == SCENE_TASK_CON:
            assert put.home != task.home
            assert put.item.faults
            kinds = {kind_of(item.name) for item in put.item.scene.objects}
            things = [name for name in objects_of(task.base.gold) if object_key(name)[-1].isdigit()]
            assert not kinds & {kind_of(name) for name in things}


def test_other_names_keep_what_is_asked(items: list[tuple[HomeTask, HomeItem]]) -> None:
    renamed = [put.item for _, put in items if put.item.transformation == SYNONYM_SUB]
    assert renamed
    assert all(item.old_names for item in renamed)
    for item in renamed:
        assert item.faults == ()
        for old, new in item.old_names:
            assert not clashing(kind_of(old), kind_of(new))
            assert item.scene.has(new)
            assert not item.scene.has(old)


def test_all_that_homes_hold_has_another_name_or_keeps_its_own() -> None:
    assert not [pair for pair in HOME_NAMES.items() if clashing(*pair)]
    kept = {*UNRENAMED, *UNRENAMED_AT_HOME}
    assert not kept & set(HOME_NAMES)
    assert not [label for label in labels() if label.replace(" ", "_") not in kept | set(HOME_NAMES)]


def test_no_wording_is_in_both_halves() -> None:
    assert {*NAMES} == {*KINDS} == {*WORDINGS[FIT]} == {*WORDINGS[TEST]}
    fit, test = ({text for kind in KINDS for text in WORDINGS[group][kind]} for group in (FIT, TEST))
    assert not fit & test


@each_row(
    "kind, group, number, expected",
    [
        ("open", FIT, 0, "Open the fridge."),
        ("open", FIT, 4, "Open the fridge."),
        ("open", TEST, 1, "The fridge should stand open when you are done."),
    ],
)
def test_wordings_begin_with_a_capital(kind: str, group: str, number: int, expected: str) -> None:
    assert worded(kind, group, number, "the fridge", "") == expected


def test_tasks_are_worded_by_their_half(tasks: list[HomeTask]) -> None:
    for task in tasks:
        group = split_of(HOMES, task.base.name)
        starts = {text.format(x="", y="").split()[0].lower() for text in sum(WORDINGS[group].values(), ())}
        first = task.base.text.split()[0].lower()
        assert first in starts or first in ("the", "a", "an", "some")


def test_the_text_is_the_same_whether_it_is_feasible_or_not(items: list[tuple[HomeTask, HomeItem]]) -> None:
    for task, put in items:
        assert (put.item.text == task.base.text) is (put.item.transformation != "dist_inj")


@pytest.mark.needs("shortcut")
def test_words_alone_do_not_tell_what_is_feasible() -> None:
    homes = {f"home_{seed}": HomeFacts.of(generate_home(seed, 2 + seed % 3)) for seed in range(6)}
    asked = [
        LabelledQuestion(put.item.text, "infeasible" if put.item.faults else "feasible", name, put.item.transformation)
        for place, (name, home) in enumerate(homes.items())
        for task in tasks_in(home, name, place, seed=0)
        for put in home_items(task, homes, 0)
    ]
    grouped = [
        replace(question, group="with distractors" if question.group == "dist_inj" else "plain") for question in asked
    ]
    assert measure_shortcut(grouped).findings(surely=True) == []
