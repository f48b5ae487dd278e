"""What a question about a kind of objects is worth asking."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
from hand_made import hand_made

from vantage.questions.generation.facts import Facts
from vantage.questions.noise.asked import Asked, askable
from vantage.questions.noise.pairing import PairScene
from vantage.scenes.graph.graph import GraphNode


def asked_of(facts: Facts, obj: GraphNode, draws: int = 20) -> set[Asked]:
    scenes = [PairScene(facts, np.random.default_rng(k)) for k in range(draws)]
    return {each for scene in scenes for each in askable(scene, scene.looks, obj)}


def hand_made_with(obj: GraphNode) -> Facts:
    graph = hand_made()
    return Facts(
        replace(graph, nodes=tuple(obj if node.instance_id == obj.instance_id else node for node in graph.nodes))
    )


def test_what_the_name_tells_is_not_asked() -> None:
    facts = Facts(hand_made())
    attributes = {asked.attribute for asked in asked_of(facts, facts.node(26))}  # a pillow, of fabric as they all are
    assert "material" not in attributes
    assert {"color", "place"} <= attributes


def test_nobody_is_asked_for_the_material_of_what_has_several() -> None:
    lamp = replace(hand_made().node(27), label="lamp")
    attributes = {asked.attribute for asked in asked_of(hand_made_with(lamp), lamp)}
    assert "color" in attributes
    assert "material" not in attributes


def test_only_colors_that_such_objects_come_in_are_asked_about() -> None:
    facts = Facts(hand_made())
    pillow = facts.node(26)
    said = {asked.value for asked in asked_of(facts, pillow, 60) if asked.attribute == "color" and asked.value}
    assert len(said) > 3
    assert not said & {"brown", "black", "gray"}


def test_where_furniture_stands_is_not_asked() -> None:
    table = replace(hand_made().node(10), parent=13, relation="on")
    facts = hand_made_with(table)
    assert "place" not in {asked.attribute for asked in asked_of(facts, table, 3)}
    pairing = PairScene(facts, np.random.default_rng(0))
    assert "place" in {each.attribute for each in islice(askable(pairing, pairing.looks, facts.node(26)), 9)}


def test_a_place_is_asked_only_where_its_name_tells_which() -> None:
    facts = Facts(hand_made())
    pillow = facts.node(26)
    support = facts.support(pillow)
    assert support is not None
    other = replace(hand_made().node(10), label=support.label)
    assert "place" in {asked.attribute for asked in asked_of(facts, pillow)}
    assert "place" not in {asked.attribute for asked in asked_of(hand_made_with(other), pillow)}
