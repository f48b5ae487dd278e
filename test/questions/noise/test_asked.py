"""What a question about a kind of objects is worth asking."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hand_made import hand_made

from vantage.questions.generation.facts import Facts
from vantage.questions.noise.asked import askable, has_one_material, may_seem, told_by_name
from vantage.questions.noise.pairing import PairScene
from vantage.scenes.graph.graph import GraphNode


@pytest.mark.parametrize(
    ("label", "attribute", "told"),
    [
        ("plant", "color", True),
        ("book", "material", True),
        ("remote", "shape", True),
        ("mug", "color", False),
        ("vase", "material", False),
        ("table", "shape", False),
        ("book", "place", False),
        ("unicorn", "color", False),
        ("", "material", False),
    ],
)
def test_some_names_tell_what_is_asked(label: str, attribute: str, told: bool) -> None:
    assert told_by_name(label, attribute) == told


def test_what_the_name_tells_is_asked_last() -> None:
    facts = Facts(hand_made())
    pillow = facts.node(26)  # which is always of fabric, and white by chance
    for seed in range(20):
        asked = [each.attribute for each in askable(PairScene(facts, np.random.default_rng(seed)), pillow)]
        assert asked[-1] == "material"
        assert {"color", "place"} <= set(asked[:-1])


def test_nobody_is_asked_for_the_material_of_what_has_several() -> None:
    assert has_one_material("mug")
    assert not has_one_material("lamp")
    graph = hand_made()
    lamp = replace(graph.node(27), label="lamp")
    facts = Facts(replace(graph, nodes=tuple(lamp if node.instance_id == 27 else node for node in graph.nodes)))
    asked = {each.attribute for k in range(5) for each in askable(PairScene(facts, np.random.default_rng(k)), lamp)}
    assert "color" in asked
    assert "material" not in asked


def test_where_furniture_stands_is_not_asked() -> None:
    graph = hand_made()
    table = replace(graph.node(10), parent=13, relation="on")
    facts = Facts(replace(graph, nodes=tuple(table if node.instance_id == 10 else node for node in graph.nodes)))
    pairing = PairScene(facts, np.random.default_rng(0))
    assert "place" not in {each.attribute for each in askable(pairing, table)}
    assert "place" in {each.attribute for each in islice(askable(pairing, facts.node(26)), 9)}


def test_flat_objects_seem_neither_balls_nor_cylinders() -> None:
    book = GraphNode(1, "book", "red", "paper", (0.0, 0.0, 0.0), (0.2, 0.15, 0.03))
    can = GraphNode(2, "can", "red", "metal", (0.0, 0.0, 0.0), (0.08, 0.08, 0.12))
    assert may_seem(book, "round")
    assert not may_seem(book, "cylindrical")
    assert not may_seem(book, "spherical")
    assert may_seem(can, "cylindrical")
