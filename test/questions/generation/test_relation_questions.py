"""Sides are told of near things, as seen from what has a front; nothing is told of what a container holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hand_made import node, small

from vantage.questions.generation.clean_questions import answered_drafts
from vantage.questions.generation.drafts import QuestionScene
from vantage.questions.generation.facts import Facts
from vantage.questions.kinds import QuestionKind
from vantage.scenes.graph.graph import GraphNode, SceneGraph

FLOOR = node(1, "floor", (-4, -3, -0.02), (4, 3, 0), "brown", "wood")
CHEST = node(20, "chest", (-0.3, -0.3, 0), (0.3, 0.3, 0.5), "brown", "wood")


def crate(y: float) -> GraphNode:
    return node(21, "suitcase", (-0.25, y, 0), (0.25, y + 0.4, 0.4), "red", "leather")


def viewer(label: str) -> GraphNode:
    return node(22, label, (-3.2, -0.4, 0), (-2.4, 0.4, 0.8), "green", "fabric")


def asked(*nodes: GraphNode) -> set[str]:
    facts = Facts(SceneGraph("room", 1, (-4.0, -3.0, 0.0), (4.0, 3.0, 2.6), (FLOOR, *nodes)))
    scenes = [QuestionScene(facts, np.random.default_rng(seed), seed % 2 == 0) for seed in range(12)]
    return {each.text for scene in scenes for each in answered_drafts(scene, QuestionKind.RELATION)}


def sided(texts: set[str]) -> set[str]:
    return {text for text in texts if any(side in text for side in ("left of", "right of", "in front of", "behind"))}


@pytest.mark.parametrize("label", ["sofa", "desk", "television", "wardrobe"])
def test_sides_are_seen_from_what_has_a_front(label: str) -> None:
    texts = sided(asked(CHEST, crate(0.8), viewer(label)))
    assert texts
    assert all(f"from the {label}" in text for text in texts)


@pytest.mark.parametrize("label", ["table", "lamp", "bed", "plant"])
def test_nothing_is_seen_from_what_has_none(label: str) -> None:
    assert not sided(asked(CHEST, crate(0.8), viewer(label)))


def test_what_is_far_off_is_on_no_side() -> None:
    assert not sided(asked(CHEST, crate(2.2), viewer("sofa")))  # 1.9 m


def test_things_on_one_support_are_near_enough() -> None:
    counter = node(30, "counter", (-0.3, -2.5, 0), (0.3, 2.5, 0.9), "white", "wood")
    ends = (
        small(31, "kettle", 0, -1.2, 0.9, "red", "metal", 30),
        small(32, "toaster", 0, 1.2, 0.9, "white", "metal", 30),
    )
    assert any("kettle" in text and "toaster" in text for text in sided(asked(counter, *ends, viewer("sofa"))))


def test_no_side_is_that_of_the_viewer() -> None:
    facing = replace(viewer("sofa"), bounds_min=(-1.9, -0.4, 0), bounds_max=(-1.4, 0.4, 0.8))
    assert not any("What" in text and "in front of" in text for text in asked(CHEST, facing))


def test_what_a_basket_holds_is_next_to_nothing() -> None:
    basket = node(33, "basket", (0.4, -0.2, 0), (0.8, 0.2, 0.3), "orange", "wood", states=("open",))
    ball = small(34, "ball", 0.6, 0.0, 0.02, "green", "plastic", 33, "in", 0.15)
    texts = asked(CHEST, basket, ball)
    assert any("basket" in text for text in texts)
    assert not any("ball" in text and "in the basket" not in text for text in texts)
    assert not any("the ball in the basket" in text and "chest" in text for text in texts)
