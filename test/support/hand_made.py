"""A scene graph by hand: a room with tables, containers and small objects."""

from __future__ import annotations

from vantage.scenes.graph.graph import GraphNode, SceneGraph


def node(key, label, low, high, color="", material="", relation="", parent=0, states=()):
    return GraphNode(key, label, color, material, low, high, relation, parent, states)


def small(key, label, x, y, z, color, material, parent, relation="on", size=0.1):
    low, high = (x - size / 2, y - size / 2, z), (x + size / 2, y + size / 2, z + size)
    return node(key, label, low, high, color, material, relation, parent)


def hand_made() -> SceneGraph:
    nodes = (
        node(1, "floor", (-2.5, -2, -0.02), (2.5, 2, 0), "brown", "wood"),
        node(2, "wall", (2.5, -2, 0), (2.52, 2, 2.6), "white"),
        node(10, "table", (-1.0, -1.0, 0), (0.0, 0.0, 0.75), "brown", "wood"),
        node(11, "bed", (0.5, 0.5, 0), (2.4, 1.8, 0.5), "blue", "fabric"),
        node(12, "cabinet", (1.5, -1.9, 0), (2.3, -1.5, 0.85), "white", "wood", states=("closed",)),
        node(13, "basket", (-2.3, 1.4, 0), (-1.9, 1.8, 0.3), "orange", "wood", states=("open",)),
        node(14, "desk", (-2.4, -1.9, 0), (-1.8, -0.7, 0.75), "black", "wood"),
        small(20, "mug", -0.8, -0.8, 0.75, "blue", "ceramic", 10),
        small(21, "mug", -0.5, -0.8, 0.75, "blue", "ceramic", 10),
        small(22, "vase", -0.3, -0.3, 0.75, "green", "glass", 10),
        node(23, "bowl", (-0.9, -0.4, 0.75), (-0.65, -0.15, 0.83), "white", "ceramic", "on", 10),
        small(24, "apple", -0.78, -0.28, 0.76, "red", "", 23, "in", 0.07),
        small(25, "ball", -2.1, 1.6, 0.02, "green", "plastic", 13, "in", 0.15),
        small(26, "pillow", 2.0, 1.0, 0.5, "white", "fabric", 11, size=0.4),
        small(27, "radio", -2.1, -1.0, 0.75, "orange", "plastic", 14, size=0.2),
        small(28, "mug", -2.1, -1.6, 0.75, "red", "plastic", 14),
        small(29, "robot", 1.9, -1.7, 0.1, "gray", "metal", 12, "in"),
        small(30, "suitcase", 0.2, -1.5, 0.0, "red", "leather", 0, "", 0.4),
    )
    return SceneGraph("hand_made", 1, (-2.5, -2.0, 0.0), (2.5, 2.0, 2.6), nodes)
