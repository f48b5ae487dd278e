"""Descriptions that fit one thing, to readers as well; what containers hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hand_made import hand_made, node, small

from vantage.questions.generation.clean_questions import answered_drafts
from vantage.questions.generation.drafts import QuestionScene
from vantage.questions.generation.facts import Facts
from vantage.questions.generation.referring_expressions import Describer
from vantage.questions.kinds import QuestionKind
from vantage.scenes.graph.graph import GraphNode


def room(*extra: GraphNode) -> Facts:
    graph = hand_made()
    return Facts(replace(graph, nodes=(*graph.nodes, *extra)))


def said(facts: Facts, key: int, *avoid: str) -> set[str]:
    found = (Describer(facts, np.random.default_rng(seed)).describe(facts.node(key), avoid) for seed in range(6))
    return {"" if phrase is None else phrase.the for phrase in found}


def asked(facts: Facts, kind: QuestionKind) -> set[str]:
    scenes = [QuestionScene(facts, np.random.default_rng(seed), seed % 2 == 0) for seed in range(10)]
    return {each.text for scene in scenes for each in answered_drafts(scene, kind)}


CUP_ON_BED = small(40, "cup", 1.0, 1.0, 0.5, "green", "ceramic", 11)
CUP_IN_BASKET = small(41, "cup", -2.1, 1.5, 0.02, "white", "ceramic", 13, "in")
MUG_IN_BASKET = replace(CUP_IN_BASKET, label="mug")


def test_a_cup_is_no_plain_cup_where_a_mug_could_be_meant() -> None:
    assert said(room(CUP_ON_BED), 40) <= {"the green cup", "the cup on the bed"}
    assert said(room(CUP_ON_BED), 40, "color", "place", "relation") == {""}


@pytest.mark.parametrize(
    ("label", "other"), [("table", "desk"), ("sofa", "futon"), ("shelf", "bookshelf"), ("basket", "laundry basket")]
)
def test_furniture_is_told_from_what_has_a_wider_word_for_it(label: str, other: str) -> None:
    low, high = (0.5, -1.2, 0.0), (1.2, -0.6, 0.6)
    bare = [each for each in hand_made().nodes if each.label not in ("table", "desk", "basket")][:2]
    pair = (node(50, label, low, high, "black", "wood"), node(51, other, (-2, 0.5, 0), (-1, 1.2, 0.6), "white", "wood"))
    facts = Facts(replace(hand_made(), nodes=(*bare, *pair)))
    assert said(facts, 50, "relation") == {f"the black {label}"}
    alone = Facts(replace(hand_made(), nodes=(*bare, pair[0])))
    assert said(alone, 50) == {f"the {label}"}


def test_what_a_container_holds_is_named_by_the_container() -> None:
    facts = room()
    assert facts.is_contained(facts.node(25))
    assert said(facts, 25) == {"the ball in the basket"}
    assert said(facts, 25, "place") == {""}
    assert not any("the ball" in text for text in asked(facts, QuestionKind.LOCATION))
    texts = asked(facts, QuestionKind.SHAPE) | asked(facts, QuestionKind.COLOR) | asked(facts, QuestionKind.SIZE)
    assert all("the ball in the basket" in text for text in texts if "ball" in text)


def test_an_open_dish_hides_nothing() -> None:
    facts = room()
    assert not facts.is_contained(facts.node(24))
    assert said(facts, 24) == {"the apple"}


def test_what_is_deep_in_a_container_has_no_name() -> None:
    bowl = node(42, "bowl", (-2.25, 1.45, 0.02), (-2.05, 1.65, 0.1), "blue", "ceramic", "in", 13)
    facts = room(bowl, small(43, "orange", -2.15, 1.55, 0.04, "orange", "", 42, "in", 0.06))
    assert facts.is_contained(facts.node(43))
    assert said(facts, 43) == {""}


def test_a_mug_in_a_basket_does_not_stand_in_the_way_of_a_cup() -> None:
    alone = hand_made()
    nodes = tuple(each for each in alone.nodes if each.label != "mug")
    facts = Facts(replace(alone, nodes=(*nodes, CUP_ON_BED, MUG_IN_BASKET)))
    assert said(facts, 40) == {"the cup"}
    assert said(facts, 41) == {"the mug in the basket"}


def test_a_cup_in_a_basket_has_another_told_by_more_than_its_name() -> None:
    alone = hand_made()
    nodes = tuple(each for each in alone.nodes if each.label != "mug")
    facts = Facts(replace(alone, nodes=(*nodes, CUP_ON_BED, CUP_IN_BASKET)))
    assert said(facts, 40) <= {"the green cup", "the cup on the bed"}


def test_mugs_beside_a_cup_are_not_counted() -> None:
    assert any("mugs" in text and "table" in text for text in asked(room(), QuestionKind.COUNT))
    cup = small(44, "cup", -0.2, -0.8, 0.75, "green", "ceramic", 10)
    assert not any("mugs" in text and "table" in text for text in asked(room(cup), QuestionKind.COUNT))


def test_nobody_denies_a_cup_where_there_is_a_mug() -> None:
    cup = small(45, "cup", 0.8, 0.8, 0.5, "green", "ceramic", 11)
    texts = asked(room(cup), QuestionKind.EXISTENCE)
    assert not any("cup" in text and ("table" in text or "desk" in text) for text in texts)
