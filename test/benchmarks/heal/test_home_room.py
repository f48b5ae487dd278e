"""Tasks ask only for what has room, and nothing in another home may be meant by their words."""

from __future__ import annotations

import pytest

from vantage.benchmarks.heal.home_facts import HomeFacts
from vantage.benchmarks.heal.home_items import HomeItem, HomeTask, home_items
from vantage.benchmarks.heal.home_room import FreeRoom
from vantage.benchmarks.heal.home_sets import tasks_in
from vantage.benchmarks.heal.probing_items import SCENE_TASK_CON
from vantage.goals import EdgeGoal, kind_of, objects_of
from vantage.questions.lexicon import is_kind_of
from vantage.scenes.generator import generate_home
from vantage.types import PUT_IN, PUT_ON, Cause, ObjectAction
from vantage.worlds.objects import Deed, HandRules, HomeState, judged


@pytest.fixture(scope="module")
def homes() -> dict[str, HomeFacts]:
    return {f"home_{seed}": HomeFacts.of(generate_home(seed, rooms)) for seed, rooms in ((1, 3), (2, 4), (8, 2))}


@pytest.fixture(scope="module")
def tasks(homes: dict[str, HomeFacts]) -> list[HomeTask]:
    return [task for place, (name, home) in enumerate(homes.items()) for task in tasks_in(home, name, place, seed=5)]


@pytest.fixture(scope="module")
def others(homes: dict[str, HomeFacts], tasks: list[HomeTask]) -> list[tuple[HomeTask, HomeItem]]:
    found = [(task, put) for task in tasks for put in home_items(task, homes, 5)]
    return [(task, put) for task, put in found if put.item.transformation == SCENE_TASK_CON]


def test_the_world_has_room_for_whatever_a_task_puts_somewhere(
    homes: dict[str, HomeFacts], tasks: list[HomeTask]
) -> None:
    """By the rules of the world itself, for a hand that reaches everything."""
    hand, tried = HandRules(reach=100.0, load=5.0, clearance=0.0), 0
    for task in tasks:
        ids = {name: key for key, name in homes[task.home].names.items()}
        for literal in task.base.gold.literals:
            if not isinstance(literal, EdgeGoal) or ids[literal.object] < 0:
                continue
            thing, place = ids[literal.subject], ids[literal.object]
            state = HomeState(homes[task.home].spec)
            if state.objects[place].joints and literal.relation == "in":
                state.move_joints(place, True)
            state.take(thing)
            verb = PUT_IN if literal.relation == "in" else PUT_ON
            low = state.objects[place].position
            found = judged(state, ObjectAction(verb, thing, place), _over(low), hand)
            assert isinstance(found, Deed) or found.cause is not Cause.NO_ROOM, (task.base.text, found)
            tried += 1
    assert tried > 10


def _over(position: tuple[float, float, float]):
    import numpy as np

    return np.array([position[0], position[1], position[2] + 1.5])


def test_what_a_task_moves_can_be_taken(homes: dict[str, HomeFacts], tasks: list[HomeTask]) -> None:
    for task in tasks:
        ids = {name: key for key, name in homes[task.home].names.items()}
        room = FreeRoom(homes[task.home].spec, ())
        for literal in task.base.gold.literals:
            if isinstance(literal, EdgeGoal):
                assert room.can_take(ids[literal.subject])


def test_a_crowded_place_has_no_room() -> None:
    home = generate_home(1, 3)
    large = max(home.objects, key=lambda obj: obj.mass if not obj.is_structure else 0.0)
    small = next(obj for obj in home.objects if obj.label in ("cup", "mug", "glass", "bowl", "jar", "can"))
    assert not FreeRoom(home, ()).at(large.instance_id, small.instance_id, inside=False)


def test_another_home_keeps_nothing_that_the_words_may_mean(
    homes: dict[str, HomeFacts], others: list[tuple[HomeTask, HomeItem]]
) -> None:
    assert others
    for task, put in others:
        gone = {homes[put.home].names[each] for each in put.gone}
        left = {kind_of(name) for key, name in homes[put.home].names.items() if key > 0 and name not in gone}
        for name in objects_of(task.base.gold):
            asked = kind_of(name).replace("_", " ")
            alike = [kind for kind in left if is_kind_of(kind.replace("_", " "), asked)]
            assert not alike, (task.base.text, alike)
