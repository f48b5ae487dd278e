"""Which materials a look tells apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hand_made import hand_made
from row_tables import each_row

from vantage.questions.generation.facts import Facts
from vantage.questions.generation.referring_expressions import Describer
from vantage.questions.generation.visible_materials import looks_unlike, shows_its_material
from vantage.scenes.graph.graph import GraphNode

MUG = hand_made().node(20)


def thing(label: str, color: str, material: str) -> GraphNode:
    return replace(MUG, label=label, color=color, material=material)


@each_row(
    "color, material, other, unlike",
    [
        ("black", "metal", "plastic", False),
        ("red", "plastic", "metal", False),
        ("white", "wood", "ceramic", False),
        ("blue", "ceramic", "wood", False),
        ("yellow", "metal", "ceramic", False),
        ("blue", "glass", "ceramic", False),
        ("brown", "plastic", "wood", False),
        ("brown", "wood", "plastic", False),
        ("brown", "wood", "metal", True),
        ("brown", "wood", "ceramic", True),
        ("red", "wood", "metal", False),
        ("green", "fabric", "leather", False),
        ("green", "fabric", "wood", True),
        ("gray", "metal", "fabric", True),
        ("black", "leather", "metal", True),
        ("red", "", "metal", False),
    ],
)
def test_only_some_materials_look_different(color: str, material: str, other: str, unlike: bool) -> None:
    assert looks_unlike(thing("thing", color, material), other) == unlike


@each_row(
    "label, color, material, shows",
    [
        ("bin", "black", "metal", False),  # others are of plastic
        ("robot", "red", "plastic", False),
        ("stool", "brown", "wood", False),
        ("shoe rack", "brown", "wood", True),  # others are of metal
        ("shoe rack", "white", "wood", False),
        ("kettle", "white", "metal", True),  # they all are
    ],
)
def test_what_others_of_the_kind_are_made_of_decides(label: str, color: str, material: str, shows: bool) -> None:
    node = thing(label, color, material)
    graph = hand_made()
    facts = Facts(replace(graph, nodes=tuple(node if each.instance_id == 20 else each for each in graph.nodes)))
    assert shows_its_material(facts, node) == shows


def test_more_is_known_of_a_kind_than_the_catalogue_holds() -> None:
    facts = Facts(hand_made())
    kettle = thing("kettle", "white", "metal")
    assert not shows_its_material(facts, kettle, frozenset({"glass"}))


@each_row("material, described", [("metal", False), ("wood", False), ("fabric", True)])
def test_two_things_are_told_apart_by_their_materials_only_where_these_look_different(
    material: str, described: bool
) -> None:
    graph = hand_made()
    ceramic = replace(MUG, label="gadget", color="red", material="ceramic", text="", states=())
    pair = (ceramic, replace(ceramic, instance_id=99, material=material))
    graph = replace(graph, nodes=(*(node for node in graph.nodes if node.instance_id != 20), *pair))
    told = [Describer(Facts(graph), np.random.default_rng(k)).describe(ceramic) for k in range(5)]
    assert all((phrase is not None) == described for phrase in told)
