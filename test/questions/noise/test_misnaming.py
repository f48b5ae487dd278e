"""What may be meant by the name of another kind."""

from __future__ import annotations

import numpy as np
from row_tables import each_row

from vantage.questions.generation.facts import Facts
from vantage.questions.generation.referring_expressions import called
from vantage.questions.noise.asked import Asked
from vantage.questions.noise.misnaming import is_meant
from vantage.questions.noise.pairing import PairScene
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.scenes.spec import RoomSpec


def thing(key: int, label: str, color: str, x: float) -> GraphNode:
    """On the shelf."""
    return GraphNode(key, label, color, "", (x, 0.0, 1.0), (x + 0.2, 0.2, 1.2), room=1, relation="on", parent=1)


SHELF = GraphNode(1, "shelf", "white", "wood", (0.0, 0.0, 0.9), (1.0, 0.3, 1.0), room=1)
TEAPOT = thing(2, "teapot", "yellow", 0.0)
ROOM = RoomSpec(1, "hall", ((-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)), 2.5)


def scene_with(*others: GraphNode) -> PairScene:
    nodes = (SHELF, TEAPOT, *others)
    graph = SceneGraph("hall", 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 2.5), nodes, (ROOM,))
    return PairScene(Facts(graph), np.random.default_rng(0))


@each_row(
    "other, color, value, meant",
    [
        ("book", "red", "", True),
        ("globe", "blue", "blue", False),  # of it that may be asked
        ("globe", "blue", "green", True),
        ("candle", "red", "", False),  # which gives light, too
    ],
)
def test_nothing_else_there_fits_a_wrong_name_as_well(other: str, color: str, value: str, meant: bool) -> None:
    wrong = called("lantern").placed("on", called("shelf"))
    assert is_meant(scene_with(thing(3, other, color, 0.5)), TEAPOT, wrong, Asked("color", value)) == meant
