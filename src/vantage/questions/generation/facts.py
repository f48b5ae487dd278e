"""A scene graph, seen as a source of questions: which objects are in sight, and which of them share what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from functools import cached_property

from vantage.config import RelationSettings
from vantage.questions.execution import Executor, Truths
from vantage.questions.kinds import STRUCTURE, SUPPORTS
from vantage.questions.lexicon import could_be_called
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.types import Point

Ids = frozenset[int]

_FLOOR = 0.05  # m: higher bottoms do not rest on the floor
_SMALL = 0.65  # m: larger objects are furniture, and nobody asks where the bed is
_LARGER = 2.0  # ratio of sizes beyond which the place of one object is not told by another
_HIGHEST_TOP = 1.4  # m: tops above it are hard to look at
_TABLES = ("table", "coffee table", "desk", "nightstand", "television stand")  # with a board below the top
_BELOW_TOP = 0.1  # m
_OPEN_FRONTED = ("bookshelf", "rack", "shoe rack")  # looked into from the front, however high
_WITH_LEGS = ("table", "desk", "bench", "bed", "chair")
_SAME_HEIGHT = 0.1  # m, between the lowest points of what is next to each other
_SHOWING = frozenset(  # what is in them is in plain sight
    {
        *("bookshelf", "shelf", "rack", "shoe rack", "coat rack", "bowl", "plate", "tray", "pan", "sink", "bathtub"),
        *("cup", "mug", "glass", "vase"),
    }
)
_EITHER_RELATION = ("bookshelf", "shelf", "rack", "shoe rack")  # people say "in" and "on" for the same place


class Facts:
    """What questions need to know of a scene graph, with relations and words as the exact executor has them.

    Objects inside closed containers do not exist for questions, and structure is never asked about.
    """

    def __init__(self, graph: SceneGraph, settings: RelationSettings | None = None) -> None:
        self.graph = graph
        self.settings = settings or RelationSettings()
        self.truths = Truths(graph, self.settings, hidden=False)
        self.executor = Executor(graph, settings=self.settings)
        self._room_counts = Counter(room.label for room in graph.rooms)
        self._contained: dict[int, bool] = {}
        self._meant: dict[str, Ids] = {}
        self._related: dict[tuple[str, int, Point | None], Ids] = {}
        self._sharing: dict[tuple[str, str], Ids] = {}

    @cached_property
    def in_sight(self) -> tuple[GraphNode, ...]:
        """Everything that can be seen and asked about, furniture included."""
        return tuple(node for node in self.truths.objects if node.label not in STRUCTURE)

    @cached_property
    def objects(self) -> tuple[GraphNode, ...]:
        """Small objects in sight, on or in an object or on the floor."""
        return tuple(
            node
            for node in self.in_sight
            if node.label not in SUPPORTS
            and extent(node) <= _SMALL
            and (self.support(node) is not None or self.on_floor(node))
        )

    @cached_property
    def supports(self) -> tuple[GraphNode, ...]:
        """Objects on which, or in which, something can be looked for."""
        parents = {self.support_id(obj) for obj in self.objects}
        return tuple(
            node
            for node in self.in_sight
            if (node.instance_id in parents or node.label in SUPPORTS)
            and (node.bounds_max[2] - self.graph.bounds_min[2] <= _HIGHEST_TOP or node.label in _OPEN_FRONTED)
        )

    def node(self, instance_id: int) -> GraphNode:
        """The node of an id that the graph holds."""
        return self.truths.nodes[instance_id]

    def on_floor(self, node: GraphNode) -> bool:
        """Whether it stands on the bare floor."""
        parent = self.truths.nodes.get(node.parent)
        on_structure = parent is None or parent.label == "floor"
        return on_structure and node.bounds_min[2] - self.graph.bounds_min[2] <= _FLOOR

    def support(self, node: GraphNode) -> GraphNode | None:
        """What it is directly on or in, structure left out.

        None for what stands on the lower board of a table: some say that it is on the table, some that it is under.
        """
        parent = self.truths.nodes.get(node.parent)
        if parent is None or parent.is_structure or parent.label in STRUCTURE:
            return None
        beneath = parent.bounds_max[2] - node.bounds_min[2] > _BELOW_TOP
        return None if beneath and parent.label in _TABLES and node.relation != "in" else parent

    def support_id(self, node: GraphNode) -> int:
        """Identity of its support, 0 for none."""
        support = self.support(node)
        return 0 if support is None else support.instance_id

    def is_contained(self, node: GraphNode) -> bool:
        """Whether something that hides its contents holds it, at any depth: a basket, a drawer, an open fridge.

        Nobody means such a thing by a name alone: a question about it says what it is in. And it stands in the way of
        no other thing's name: who reads "the cup" thinks of the one on the desk, not of a mug in a basket. But what has
        the very same name in the scene is told apart in words nevertheless ("the cup on the desk"), for programs know
        of no such difference. Open shelves and shallow dishes hide nothing: an apple in a bowl is simply the apple.
        """
        if node.instance_id not in self._contained:
            parent = self.truths.nodes.get(node.parent)
            inside = parent is not None and node.relation == "in" and parent.label not in _SHOWING
            self._contained[node.instance_id] = inside or (parent is not None and self.is_contained(parent))
        return self._contained[node.instance_id]

    def meant(self, name: str) -> Ids:
        """Ids of all that a reader may take a name for, by a synonym or a wider or narrower word, contents included."""
        if name not in self._meant:
            nodes = self.truths.objects
            self._meant[name] = frozenset(n.instance_id for n in nodes if could_be_called(n.label, name))
        return self._meant[name]

    def are_meant(self, group: Collection[GraphNode], among: Iterable[GraphNode]) -> bool:
        """Whether a reader means by the plural of a label just a group of things, all of it, among those in a place."""
        others = self.meant(next(iter(group)).label) - ids_of(group)
        return others.isdisjoint(ids_of(among))

    def are_plain(self, group: Collection[GraphNode], among: Iterable[GraphNode]) -> bool:
        """The same where no container is named, so that none of the group may be in one, and what is in one is not
        meant."""
        outside = [node for node in among if not self.is_contained(node)]
        return not any(self.is_contained(node) for node in group) and self.are_meant(group, outside)

    def room(self, node: GraphNode) -> str:
        """The kind of room it is in, empty for none."""
        return self.truths.word(node, "room")

    def named_room(self, node: GraphNode) -> str:
        """The kind of room it is in, where the home has one such room and others besides; otherwise empty."""
        label = self.room(node)
        return label if self._room_counts[label] == 1 and len(self.graph.rooms) > 1 else ""

    def sharing(self, attribute: str, value: str) -> Ids:
        """Ids of all objects with a value of an attribute."""
        key = attribute, value
        if key not in self._sharing:
            has = self.truths.has
            self._sharing[key] = frozenset(n.instance_id for n in self.truths.objects if has(n, attribute, value))
        return self._sharing[key]

    @cached_property
    def _within(self) -> dict[int, tuple[GraphNode, ...]]:
        found: dict[int, list[GraphNode]] = defaultdict(list)
        for node in self.truths.objects:
            above = self.truths.nodes.get(node.parent)
            while above is not None:
                found[above.instance_id].append(node)
                above = self.truths.nodes.get(above.parent)
        return {key: tuple(nodes) for key, nodes in found.items()}

    def at(self, support: GraphNode, label: str = "") -> tuple[GraphNode, ...]:
        """Objects that are on or in a support, at any depth (an apple in a bowl on a table)."""
        return tuple(node for node in self._within.get(support.instance_id, ()) if label in ("", node.label))

    def related(self, relation: str, anchor: GraphNode, viewer: Point | None = None) -> Ids:
        """Ids of what stands in a geometric relation to an object, in its room."""
        key = (relation, anchor.instance_id, viewer)
        if key not in self._related:
            self._related[key] = frozenset(
                node.instance_id
                for node in self._by_room[anchor.room]
                if self.truths.stands(node, relation, anchor, viewer)
            )
        return self._related[key]

    def clearly(self, relation: str, anchor: GraphNode) -> Ids:
        """Ids of what anybody would say stands in a relation (``next to``, ``near`` or ``under``) to an object.

        Next to it and near it is what stands as high as it does, not what is on another board of the shelf; nothing is
        next to it from which something else parts it. Under it is what stands on the floor between legs of furniture.
        """
        nodes = (self.node(key) for key in self.related(relation, anchor))
        if relation == "under":
            stands = anchor.label in _WITH_LEGS and self.on_floor(anchor)
            return frozenset(node.instance_id for node in nodes if stands and self.on_floor(node))
        height = anchor.bounds_min[2]
        level = [node for node in nodes if abs(node.bounds_min[2] - height) <= _SAME_HEIGHT]
        near = level if relation == "near" else [node for node in level if not self._is_parted(node, anchor)]
        return ids_of(near)

    def _is_parted(self, node: GraphNode, anchor: GraphNode) -> bool:
        """Whether something stands between an object and an anchor."""
        others = (self.node(key) for key in self.related("next to", anchor))
        return any(other is not node and self.truths.is_between(other, node, anchor) for other in others)

    @cached_property
    def _by_room(self) -> dict[int, tuple[GraphNode, ...]]:
        rooms = {node.room for node in self.truths.objects}
        return {room: tuple(n for n in self.truths.objects if n.room in (room, 0) or room == 0) for room in rooms}

    def of(self, label: str, color: str = "", material: str = "") -> tuple[GraphNode, ...]:
        """All objects that fit a description."""
        return tuple(
            node
            for node in self.truths.objects
            if node.label == label and color in ("", node.color) and material in ("", node.material)
        )

    def place(self, node: GraphNode) -> str:
        """Where it is, in words: ``on the table``; its room, or the floor, where it is on or in nothing."""
        return self.truths.word(node, "place")

    def other_places(self, node: GraphNode) -> tuple[str, ...]:
        """Other wordings of the same place."""
        support = self.support(node)
        if support is None:
            return tuple({"on the floor"} - {self.place(node)}) if self.on_floor(node) else ()
        if support.label not in _EITHER_RELATION:
            return ()
        return (f"{'on' if node.relation == 'in' else 'in'} the {support.label}",)

    def relation_to(self, support: GraphNode) -> str:
        """The preposition for objects at a support."""
        inside = [node for node in self.at(support) if node.parent == support.instance_id and node.relation == "in"]
        return "in" if inside or "open" in support.states else "on"


def names_place_of(anchor: GraphNode, obj: GraphNode) -> bool:
    """Whether people would say where an object is by naming an anchor; not the wardrobe by the mug beside it."""
    return obj.label != anchor.label and extent(obj) <= _LARGER * extent(anchor)


def ids_of(nodes: Iterable[GraphNode]) -> Ids:
    """Of several objects."""
    return frozenset(node.instance_id for node in nodes)


def extent(node: GraphNode) -> float:
    """Largest side of its box, m."""
    return max(node.extents)
