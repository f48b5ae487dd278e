"""Facts of homes: names, states and places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vantage.errors import SceneError
from vantage.goals import Fact, SceneFacts
from vantage.scenes.facts import carriable_masses, object_names, room_names, scene_facts
from vantage.scenes.generator import generate_home
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import RoomSpec, SceneSpec


@pytest.fixture(scope="module")
def home() -> SceneSpec:
    return generate_home(3, 2)


@pytest.fixture(scope="module")
def facts(home: SceneSpec) -> SceneFacts:
    return scene_facts(home)


def test_everything_but_the_building_is_there_once(home: SceneSpec, facts: SceneFacts) -> None:
    names = [item.name for item in facts.objects]
    assert len(names) == len(set(names)) == sum(not obj.is_structure for obj in home.objects) + len(home.rooms)


def test_things_are_where_the_graph_has_them(home: SceneSpec, facts: SceneFacts) -> None:
    names, rooms = object_names(home), room_names(home)
    told = set(facts.facts)
    for node in SceneGraph.from_spec(home).objects():
        if node.parent in names:
            assert Fact(node.relation, (names[node.instance_id], names[node.parent])) in told
        if node.room:
            assert Fact("in", (names[node.instance_id], rooms[node.room])) in told


def test_states_have_their_opposites_where_things_can_move(home: SceneSpec, facts: SceneFacts) -> None:
    names = object_names(home)
    items = {item.name: item for item in facts.objects}
    for obj in home.objects:
        if not obj.is_structure and {"open", "closed"} & set(obj.states):
            can = {"open", "closed"} & set(items[names[obj.instance_id]].possible)
            assert len(can) == (2 if obj.joints else 1)
        if not obj.is_structure and "off" in obj.states:
            assert {"on", "off"} <= set(items[names[obj.instance_id]].possible)


def test_a_graph_tells_the_same_of_what_has_joints(home: SceneSpec, facts: SceneFacts) -> None:
    of_graph = scene_facts(SceneGraph.from_spec(home))
    assert of_graph.facts == facts.facts
    assert [item.name for item in of_graph.objects] == [item.name for item in facts.objects]


def test_rooms_of_one_label_are_told_apart(home: SceneSpec) -> None:
    outline = home.rooms[0].outline
    twice = replace(home, rooms=(RoomSpec(1, "bath room", outline, 2.5), RoomSpec(2, "bath room", outline, 2.5)))
    assert room_names(twice) == {1: "bath_room_1", 2: "bath_room_2"}


def test_what_hangs_or_is_heavy_is_not_carriable(home: SceneSpec) -> None:
    masses = carriable_masses(home)
    names = object_names(home)
    assert masses
    assert all(0 < mass < 5 for mass in masses.values())
    assert all(
        names[obj.instance_id] not in masses
        for obj in home.objects
        if not obj.is_structure and obj.label in ("door", "window", "fridge", "picture")
    )


def test_a_contradictory_home_is_refused(home: SceneSpec) -> None:
    broken = replace(home, objects=(*home.objects, home.objects[-1]))
    with pytest.raises(SceneError):
        scene_facts(broken)
