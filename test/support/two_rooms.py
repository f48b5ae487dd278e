"""A kitchen and a bedroom by hand: a table with a mug and a book, a bed with a pillow and a vase, a closed cabinet."""

from __future__ import annotations

from known_scenes import KnownScene, KnownSpace

from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.programs import read_program
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.scenes.spec.spec import RoomSpec

ROOMS = (
    RoomSpec(1, "kitchen", ((0.0, 0.0), (5.0, 0.0), (5.0, 4.0), (0.0, 4.0)), 2.6),
    RoomSpec(2, "bedroom", ((6.0, 0.0), (11.0, 0.0), (11.0, 4.0), (6.0, 4.0)), 2.6),
)


def obj(key, label, at, size, parent=0, room=1, relation="on", **words):
    """A node with its lowest corner at a point."""
    x, y, z = at
    high = (x + size[0], y + size[1], z + size[2])
    return GraphNode(
        key,
        label,
        words.pop("color", ""),
        words.pop("material", ""),
        at,
        high,
        relation if parent else "",
        parent,
        room=room,
        **words,
    )


SMALL = (0.1, 0.1, 0.1)
NODES = (
    obj(1, "floor", (0.0, 0.0, -0.05), (5.0, 4.0, 0.05)),
    obj(2, "floor", (6.0, 0.0, -0.05), (5.0, 4.0, 0.05), room=2),
    obj(10, "table", (1.0, 1.0, 0.0), (1.2, 0.8, 0.75), color="brown", material="wood"),
    obj(11, "bed", (7.0, 1.0, 0.0), (2.0, 1.6, 0.5), room=2, color="white", material="fabric"),
    obj(12, "cabinet", (3.5, 0.2, 0.0), (0.8, 0.4, 0.9), color="white", states=("closed",)),
    obj(
        20,
        "mug",
        (1.1, 1.1, 0.75),
        SMALL,
        10,
        color="blue",
        material="ceramic",
        states=("empty",),
        shape="cylindrical",
        text="TEA",
    ),
    obj(21, "book", (1.8, 1.2, 0.75), (0.2, 0.15, 0.04), 10, color="red", material="paper"),
    obj(22, "pillow", (7.2, 1.3, 0.5), (0.5, 0.4, 0.15), 11, room=2, color="green", material="fabric"),
    obj(23, "vase", (8.2, 1.8, 0.5), SMALL, 11, room=2, color="red", material="glass"),
)
GRAPH = SceneGraph("rooms", 1, (0.0, 0.0, 0.0), (11.0, 4.0, 2.6), NODES, ROOMS)


def with_more(*nodes):
    """The same home with more objects in it."""
    return SceneGraph("rooms", 1, GRAPH.bounds_min, GRAPH.bounds_max, (*NODES, *nodes), ROOMS)


MUG = "filter(scene(), 'label', 'mug')"
TABLE, BED = "unique(filter(scene(), 'label', 'table'))", "unique(filter(scene(), 'label', 'bed'))"


def assess(program, exhausted=True, graph=GRAPH, number=None, hidden=()):
    """What is said about a program where everything but the hidden objects was seen."""
    scene = KnownScene(graph, frozenset(hidden))
    question = ParsedQuestion("", read_program(program), number)
    return SymbolicReasoner().assess(question, scene, KnownSpace(scene), exhausted)
