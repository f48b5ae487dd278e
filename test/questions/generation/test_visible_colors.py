"""Of which things a look tells the color."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hand_made import hand_made, small
from row_tables import each_row

from vantage.questions.generation.clean_questions import answered_drafts
from vantage.questions.generation.drafts import QuestionScene
from vantage.questions.generation.facts import Facts
from vantage.questions.generation.referring_expressions import Describer
from vantage.questions.generation.visible_colors import LEAST_SHARE, shows_its_color
from vantage.questions.kinds import QuestionKind
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.geometry.visible_colors import color_shares
from vantage.scenes.graph.graph import GraphNode, SceneGraph

MUG = hand_made().node(20)


def thing(label: str, color: str, shape: str = "") -> GraphNode:
    return replace(MUG, label=label, color=color, shape=shape)


@each_row(
    "label, color, shape, shows",
    [
        ("lamp", "white", "", False),  # a white shade, a gray pole
        ("lamp", "yellow", "", True),
        ("mug", "blue", "cylindrical", True),
        ("picture", "red", "rectangular", False),
        ("globe", "blue", "spherical", False),
        ("can", "red", "cylindrical", False),  # metal around a red label
        ("sofa", "green", "", True),
        ("mug", "", "", False),
        ("gizmo", "red", "", True),  # of which nobody knows better
        ("mug", "teal", "", True),
    ],
)
def test_one_color_covers_what_shows(label: str, color: str, shape: str, shows: bool) -> None:
    assert shows_its_color(thing(label, color, shape)) == shows


@cache
def room() -> Facts:
    """The room with a white lamp and a red box on its desk, and a yellow lamp on the bed."""
    graph = hand_made()
    extra = (
        small(50, "lamp", -2.1, -1.25, 0.75, "white", "fabric", 14),
        small(51, "box", -2.3, -1.4, 0.75, "red", "paper", 14),
        small(52, "lamp", 0.7, 0.7, 0.5, "yellow", "fabric", 11),
    )
    return Facts(replace(graph, nodes=(*graph.nodes, *extra)))


@cache
def asked(kind: QuestionKind) -> tuple[str, ...]:
    scenes = [QuestionScene(room(), np.random.default_rng(seed), seed % 2 == 0) for seed in range(8)]
    return tuple(each.text for scene in scenes for each in answered_drafts(scene, kind))


@pytest.mark.parametrize("kind", [QuestionKind.COLOR, QuestionKind.COMPARISON])
def test_the_color_of_a_thing_of_two_colors_is_neither_asked_nor_compared(kind: QuestionKind) -> None:
    texts = asked(kind)
    assert texts
    assert not any("lamp on the desk" in text and "color" in text for text in texts)


def test_colors_are_counted_only_among_things_of_one_color() -> None:
    assert not any("same color" in text and "on the desk" in text for text in asked(QuestionKind.SAMENESS))


def test_it_is_not_named_by_its_color() -> None:
    facts = room()
    for seed in range(5):
        describer = Describer(facts, np.random.default_rng(seed))
        white, yellow = (describer.describe(facts.node(key)) for key in (50, 52))
        assert white is not None
        assert white.the == "the lamp on the black desk"
        assert yellow is not None
        assert yellow.the != "the yellow lamp"  # for which some might take the other one


def test_homes_have_things_of_one_color_where_the_catalogue_says_so() -> None:
    for seed in (1, 2):
        home = generate_home(seed, 2)
        graph = SceneGraph.from_spec(home)
        shares = {obj.instance_id: color_shares(obj.parts).get(obj.color, 0.0) for obj in home.objects if obj.color}
        told = [node for node in graph.objects() if shows_its_color(node)]
        assert len(told) > 30
        wrong = [node.label for node in told if shares[node.instance_id] < LEAST_SHARE - 0.1]
        assert wrong == []
