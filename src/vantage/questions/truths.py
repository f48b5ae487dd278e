"""What is true of each thing of a scene graph: its words, its amounts, and how it stands to another.

Words are compared as the graph has them; whoever asks brings synonyms into that form first. Rooms take part as things
with the id ``-room_id``, so that ids of rooms and things never collide.
"""

from __future__ import annotations

from functools import cached_property

from vantage.config import RelationSettings
from vantage.scenes.geometry.relations import between, gap, measure, related, ruled_out
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.scenes.spec.outlines import signed_area
from vantage.types import Point


class Truths:
    """A scene graph as questions see it.

    Attributes:
        nodes: by id; a room is a node with the box of its inner space and its kind as label.
        things: what ``scene()`` means: no structure, and nothing that is inside a closed container unless ``hidden``.
        rooms: what ``rooms()`` means.
    """

    def __init__(self, graph: SceneGraph, settings: RelationSettings, hidden: bool) -> None:
        self.settings = settings
        self._rooms = {-room.room_id: room for room in graph.rooms}
        self.nodes = {node.instance_id: node for node in graph.nodes}
        self.things = [node for node in graph.objects() if hidden or not self.is_hidden(node)]
        self.rooms = [_room_node(key, graph) for key in self._rooms]
        self.nodes |= {node.instance_id: node for node in self.rooms}

    def is_hidden(self, node: GraphNode) -> bool:
        """Whether a closed container holds it, at any depth."""
        while node.parent in self.nodes:
            parent = self.nodes[node.parent]
            if node.relation == "in" and "closed" in parent.states:
                return True
            node = parent
        return False

    def is_at(self, node: GraphNode, anchor: GraphNode) -> bool:
        """Whether a thing is on or in another, at any depth, or anywhere in a room."""
        if anchor.instance_id < 0:
            return node.instance_id > 0 and node.room == anchor.room
        while node.parent in self.nodes:
            if node.parent == anchor.instance_id:
                return True
            node = self.nodes[node.parent]
        return False

    def stands(self, node: GraphNode, relation: str, anchor: GraphNode, viewer: Point | None) -> bool:
        """Whether a thing stands in a relation (of ``programs.RELATIONS``) to another, or is ``in`` a room."""
        if relation == "at" or (relation == "in" and anchor.instance_id < 0):
            return self.is_at(node, anchor)
        if relation in ("on", "in"):
            return node.parent == anchor.instance_id and node.relation == relation
        if node is anchor or self._excludes(relation, node, anchor):
            return False
        return related(relation, node, anchor, self.settings, viewer)

    def is_between(self, node: GraphNode, first: GraphNode, second: GraphNode) -> bool:
        """Whether a thing is between two others."""
        if any(node is end or self._excludes("between", node, end) for end in (first, second)):
            return False
        return between(node, first, second, self.settings)

    def has(self, node: GraphNode, attribute: str, value: str) -> bool:
        """Whether an attribute has a value; a thing has each of its states, and letters may be small or capital."""
        if attribute == "state":
            return value in node.states
        if attribute == "text":
            return bool(value.strip()) and _plain(node.text) == _plain(value)
        return bool(value) and self.word(node, attribute) == value

    def same(self, one: GraphNode, other: GraphNode, attribute: str) -> bool:
        """Whether two things share an attribute that both have; places and rooms are the same, not just alike."""
        if attribute == "room":
            return one.room == other.room != 0
        if attribute == "place" and (one.parent or other.parent):
            return (one.relation, one.parent) == (other.relation, other.parent)
        if attribute == "place":
            return one.room == other.room
        word = self.word(one, attribute)
        return bool(word) and self.word(other, attribute) == word

    def word(self, node: GraphNode, attribute: str) -> str:
        """The value of an attribute (of ``programs.QUERIES``) in words; empty where no word is right."""
        if attribute == "state":
            return " and ".join(node.states)
        if attribute == "size":
            return self._size_word(node)
        if attribute == "room":
            room = self._rooms.get(-node.room)
            return "" if room is None else room.label
        if attribute == "place":
            return self._place(node)
        word: str = getattr(node, attribute)
        return word

    def amount(self, node: GraphNode, quantity: str) -> float | None:
        """How much of a quantity (of ``programs.QUANTITIES`` but distance), SI; None where nobody knows.

        The size of a room is the area of its floor in m^2, of a thing its largest extent in m.
        """
        if quantity == "mass":
            return node.mass if node.mass > 0 else None
        room = self._rooms.get(node.instance_id)
        if room is not None and quantity in ("size", "volume"):
            return signed_area(room.outline) * (room.height if quantity == "volume" else 1.0)
        return measure(quantity, node)

    def distance(self, node: GraphNode, place: GraphNode | Point) -> float:
        """Shortest distance of a thing from another or from a point, m."""
        if not isinstance(place, GraphNode):
            place = GraphNode(0, "point", "", "", place, place)
        return gap(node, place)

    def _excludes(self, relation: str, node: GraphNode, anchor: GraphNode) -> bool:
        both_rooms = node.instance_id < 0 and anchor.instance_id < 0
        same_room = both_rooms or 0 in (node.room, anchor.room) or node.room == anchor.room
        return ruled_out(relation, self.is_at(node, anchor), self.is_at(anchor, node), same_room)

    def _place(self, node: GraphNode) -> str:
        if node.instance_id < 0:
            return ""
        parent = self.nodes.get(node.parent)
        if parent is not None:
            return f"{node.relation} the {parent.label}"
        room = self.word(node, "room")
        return f"in the {room}" if room else "on the floor"

    def _size_word(self, node: GraphNode) -> str:
        mean, size = self._mean_sizes.get(_group(node)), self.amount(node, "size")
        if mean is None or size is None:
            return ""
        if size >= self.settings.ratio * mean:
            return "large"
        return "small" if self.settings.ratio * size <= mean else ""

    @cached_property
    def _mean_sizes(self) -> dict[tuple[str, bool], float]:
        """Mean size of the things of one label, where there are several."""
        sizes: dict[tuple[str, bool], list[float]] = {}
        for node in (*self.things, *self.rooms):
            sizes.setdefault(_group(node), []).append(self.amount(node, "size") or 0.0)
        return {key: sum(values) / len(values) for key, values in sizes.items() if len(values) > 1}


def _room_node(key: int, graph: SceneGraph) -> GraphNode:
    room = next(room for room in graph.rooms if room.room_id == -key)
    xs, ys = zip(*room.outline, strict=True)
    floor = graph.bounds_min[2]
    low, high = (min(xs), min(ys), floor), (max(xs), max(ys), floor + room.height)
    return GraphNode(key, room.label, "", "", low, high, room=room.room_id)


def _group(node: GraphNode) -> tuple[str, bool]:
    return node.label, node.instance_id < 0


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
