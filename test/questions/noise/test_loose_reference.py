"""What somebody who looks may take a description for."""

from __future__ import annotations

from dataclasses import replace

from row_tables import each_row

from vantage.config import RelationSettings
from vantage.questions.execution import Truths
from vantage.questions.generation.facts import Facts
from vantage.questions.generation.referring_expressions import Phrase, called
from vantage.questions.noise.loose_reference import may_be_meant, may_be_seen, may_mean
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.scenes.spec import RoomSpec
from vantage.types import Point


def box(key: int, label: str, at: Point, size: float = 0.1, color: str = "", **more: object) -> GraphNode:
    """A cube by the middle of its lower side."""
    x, y, z = at
    low, high = (x - size / 2, y - size / 2, z), (x + size / 2, y + size / 2, z + size)
    return GraphNode(key, label, color, "", low, high, room=1, **more)  # type: ignore[arg-type]


ROOM = RoomSpec(1, "kitchen", ((-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)), 2.5)
NODES = (
    box(1, "table", (0.0, 0.0, 0.0), 0.8),
    box(2, "desk", (2.0, 0.0, 0.0), 0.8),
    box(3, "mug", (0.0, 0.0, 0.8), color="purple", relation="on", parent=1),
    box(4, "cup", (2.0, 0.0, 0.8), color="blue", relation="on", parent=2),
    box(5, "ball", (0.0, 0.9, 0.0), color="red"),
    box(6, "sofa", (0.0, 2.0, 0.0), 0.8),
    box(7, "vase", (0.3, 0.0, 0.8), color="red", relation="on", parent=1),
    box(8, "clock", (0.3, 0.4, 1.4), color="green"),
)
GRAPH = SceneGraph("room", 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 2.5), NODES, (ROOM,))
TRUTHS = Truths(GRAPH, RelationSettings(), hidden=False)


@each_row(
    "phrase, meant",
    [
        (called("mug"), {3, 4}),
        (called("mug").with_words("color", "purple"), {3, 4}),  # a blue one may pass for purple
        (called("mug").with_words("color", "red"), set()),
        (called("mug").with_words("size", "small"), {3, 4}),
        (called("mug").placed("on", called("table")), {3, 4}),  # a desk may be called a table
        (called("ball").placed("next to", called("sofa")), {5}),  # 0.65 m off
        (called("ball").in_room("kitchen"), {5}),
        (called("ball").in_room("hall"), set()),
        (called("vase").placed("on", called("sofa")), set()),
    ],
)
def test_it_takes_descriptions_as_loosely_as_people_do(phrase: Phrase, meant: set[int]) -> None:
    assert may_be_meant(phrase.objects, TRUTHS) == meant


def test_hidden_objects_count_only_where_they_are_asked_for() -> None:
    shut = replace(NODES[0], states=("closed",))
    nodes = (shut, *NODES[1:2], replace(NODES[2], relation="in"), *NODES[3:])
    graph = replace(GRAPH, nodes=nodes)
    for hidden, meant in ((False, {4}), (True, {3, 4})):
        assert may_be_meant(called("mug").objects, Truths(graph, RelationSettings(), hidden)) == meant


@each_row(
    "word, label, means",
    [
        ("bottle", "shampoo", True),
        ("book", "binder", True),
        ("table", "desk", True),
        ("radio", "speaker", True),
        ("mug", "vase", False),
        ("sofa", "armchair", False),
    ],
)
def test_nouns_that_people_use_for_each_other(word: str, label: str, means: bool) -> None:
    assert may_mean(word, label) == may_mean(label, word) == means


@each_row(
    "word, label, seen",
    [("keyboard", "laptop", True), ("blanket", "bed", True), ("laptop", "keyboard", False), ("cup", "mug", True)],
)
def test_parts_are_seen_without_being_listed(word: str, label: str, seen: bool) -> None:
    assert may_be_seen(word, label) == seen


def test_next_to_is_said_of_what_stands_as_high() -> None:
    shelf = [box(10, "bookshelf", (-2.0, 0.0, 0.0), 1.5)]
    boards = [box(11, "bowl", (-2.0, 0.0, 0.2)), box(12, "jar", (-1.8, 0.0, 0.2)), box(13, "can", (-2.2, 0.0, 0.5))]
    facts = Facts(replace(GRAPH, nodes=(*shelf, *(replace(b, parent=10, relation="on") for b in boards))))
    assert facts.related("next to", facts.node(11)) == {12, 13}
    assert facts.clearly("next to", facts.node(11)) == {12}


def test_under_is_said_of_what_stands_between_the_legs_of_furniture() -> None:
    bin_, low = box(20, "bin", (0.0, 0.0, 0.0)), box(21, "bin", (-2.0, 0.0, 0.1), relation="on", parent=22)
    shelf = box(22, "bookshelf", (-2.0, 0.0, 0.0), 1.0)
    ball = box(23, "ball", (-2.0, 0.0, 0.6), relation="on", parent=22)
    facts = Facts(replace(GRAPH, nodes=(NODES[0], bin_, shelf, low, ball)))
    assert facts.clearly("under", facts.node(1)) == {20}
    assert facts.related("under", facts.node(23)) == {21}
    assert facts.clearly("under", facts.node(23)) == frozenset()
