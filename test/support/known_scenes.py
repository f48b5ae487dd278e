"""Random small homes as true graphs, and memories that hold as much of one as was seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from vantage.perception.map.coverage import FREE, UNKNOWN
from vantage.perception.map.placement import Box, Placement
from vantage.perception.map.rooms import ObservedRoom
from vantage.perception.map.surface_inspection import Inspection
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.scenes.spec.spec import RoomSpec
from vantage.spatial import Viewpoint
from vantage.types import Evidence

ASKER = (0.2, 0.3, 1.3)
COLORS, MATERIALS, SHAPES = ("red", "green"), ("wood", "glass"), ("round", "square")
SMALL, TEXTS = ("mug", "book", "ball"), ("", "TEA", "COFFEE")
DEPTH = 4.0  # m, of each room along y
WIDTH = 5.0  # m, along x
PITCH = 6.0  # m from one room to the next, with a wall in between


def random_home(rng: np.random.Generator) -> SceneGraph:
    """Two rooms with a few supports and small objects on, in and beside them; floors are nodes 1 and 2, a wall is 3."""
    nodes, rooms = [], []
    for number, label in ((1, "kitchen"), (2, "bedroom")):
        x = (number - 1) * PITCH
        outline = ((x, 0.0), (x + WIDTH, 0.0), (x + WIDTH, DEPTH), (x, DEPTH))
        rooms.append(RoomSpec(number, label, outline, 2.6))
        low, high = (x, 0.0, -0.05), (x + WIDTH, DEPTH, 0.0)
        nodes.append(GraphNode(number, "floor", "brown", "wood", low, high, room=number))
    nodes.append(GraphNode(3, "wall", "white", "", (5.4, 0.0, 0.0), (5.6, DEPTH, 2.6)))
    key = 10
    for room in (1, 2):
        for label in ("table", "chest", "stool"):
            if rng.random() < 0.75:
                nodes.append(_furniture(key, label, room, rng))
                key += 1
    for _ in range(int(rng.integers(3, 9))):
        nodes.append(_small(key, nodes, rng))
        key += 1
    return SceneGraph("home", 1, (0.0, 0.0, 0.0), (2 * PITCH, DEPTH, 2.6), tuple(nodes), tuple(rooms))


def _furniture(key, label, room, rng):
    x, y = (room - 1) * PITCH + rng.uniform(0.3, 3.6), rng.uniform(0.3, 2.9)
    size = {"table": (1.0, 0.7, 0.75), "chest": (0.8, 0.5, 0.5), "stool": (0.4, 0.4, 0.45)}[label]
    high = x + size[0] * rng.uniform(0.7, 1.3), y + size[1], size[2] * rng.uniform(0.8, 1.3)
    states = (str(rng.choice(["open", "open", "closed"])),) if label == "chest" else ()
    return GraphNode(key, label, *_looks(rng), (x, y, 0.0), high, states=states, room=room, shape=_one(SHAPES, rng))


def _small(key, nodes, rng):
    supports = [node for node in nodes if node.label in ("table", "chest", "stool")]
    size = float(rng.choice([0.08, 0.1, 0.2]))
    common = {"shape": _one(SHAPES, rng), "text": _one(TEXTS, rng), "mass": 1.0}
    label = _one(SMALL, rng)
    if not supports or rng.random() < 0.3:
        room = int(rng.integers(1, 3))
        x, y = (room - 1) * PITCH + rng.uniform(0.2, 4.6), rng.uniform(0.2, 3.6)
        return GraphNode(key, label, *_looks(rng), (x, y, 0.0), (x + size, y + size, size), room=room, **common)
    parent = supports[int(rng.integers(len(supports)))]
    inside = parent.label == "chest" and rng.random() < 0.6
    (x0, y0, z0), (x1, y1, z1) = parent.bounds_min, parent.bounds_max
    x, y, z = rng.uniform(x0, x1 - size), rng.uniform(y0, y1 - size), z0 + 0.02 if inside else z1
    place = ("in" if inside else "on", parent.instance_id)
    return GraphNode(
        key, label, *_looks(rng), (x, y, z), (x + size, y + size, z + size), *place, room=parent.room, **common
    )


def _looks(rng):
    return _one(COLORS, rng), _one(MATERIALS, rng)


def _one(words, rng):
    return words[int(rng.integers(len(words)))]


@dataclass
class KnownObject:
    """A node as something observed."""

    node: GraphNode
    evidence: tuple[Evidence, ...]
    views: int = 9
    pixels: int = 4000
    whole: bool = True
    confidence: float = 0.95
    votes: dict = field(default_factory=dict)
    mass: tuple[float, float] | None = None
    instance_id: int = field(init=False)

    def __post_init__(self):
        self.instance_id = self.node.instance_id

    def __getattr__(self, name):
        return getattr(self.node, name)

    @property
    def witnesses(self):
        return self.views

    @property
    def box(self):
        node = self.node
        return Box(node.instance_id, node.label, node.bounds_min, node.bounds_max, node.states)


class KnownScene:
    """What ``ObservedScene`` tells, told from a true graph: of all nodes but the hidden ones, rooms included.

    Args:
        hidden: ids of nodes that were not seen. Whatever place one of them is at counts as not looked at completely.
        blurred: ids of nodes whose attributes were not made out.
    """

    def __init__(self, graph: SceneGraph, hidden=frozenset(), blurred=frozenset(), asker=ASKER):
        self.graph, self.asker, self.frames, self.changes = graph, asker, 1, 0
        self.given_up: set[tuple[int, str, int]] = set()
        self.floor_level = 0.0
        shut = {node.instance_id for node in graph.nodes if "closed" in node.states}
        inside = {node.instance_id for node in graph.nodes if node.relation == "in" and node.parent in shut}
        never = inside | {3}
        self.hidden = [node for node in graph.nodes if node.instance_id in hidden - never]
        seen = [node for node in graph.nodes if node not in self.hidden and node.instance_id not in inside]
        self._floors = {node.room: node.instance_id for node in graph.nodes if node.label == "floor"}
        self._nodes = {node.instance_id: node for node in seen}
        self._objects = {}
        for node in seen:
            frame = Evidence(node.instance_id, Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0))
            plain = replace(node, color="", material="", shape="", text="", states=())
            known = KnownObject(plain if node.instance_id in blurred else node, (frame,))
            if node.instance_id in blurred:
                known.views, known.pixels = 1, 100
            self._objects[node.instance_id] = known

    @property
    def objects(self):
        return tuple(self._objects.values())

    def get(self, key):
        return self._objects.get(key)

    def found_box(self, obj):
        return obj.bounds_min, obj.bounds_max

    def support_of(self, obj):
        node = self._nodes[obj.instance_id]
        if node.label in ("floor", "wall"):
            return None
        if not node.parent:
            return Placement("on", self._floors.get(node.room, 0), "floor")
        parent = self.graph.node(node.parent)
        return Placement(node.relation, parent.instance_id, parent.label) if parent.instance_id in self._nodes else None

    def inspection_of(self, support, coverage, relation=""):
        there = [n for n in self.hidden if n.parent == support.instance_id and relation in ("", n.relation)]
        return Inspection(0.3 if there else 1.0, 1.0, tuple(node.center for node in there))

    @property
    def rooms(self):
        found = []
        for spec in self.graph.rooms:
            low, high = (tuple(pick(axis) for axis in zip(*spec.outline, strict=True)) for pick in (min, max))
            if self._floors[spec.room_id] in self._nodes:
                found.append(ObservedRoom(self._floors[spec.room_id], spec.label, (*low, 0.0), (*high, 2.0)))
        return tuple(found)

    def room_seen(self, room, coverage):
        return 0.2 if any(self._floors.get(node.room) == room.key for node in self.hidden) else 1.0

    def searched_share(self, label, coverage, within=None):
        if within is not None:
            return self.room_seen(within, coverage)
        return 0.7  # enough only when the search can show no more

    def containers_looked_into(self, label, within=None):
        return True  # what is hidden shows in the shares


class KnownSpace:
    """A coverage map that does not know the space in question where a hidden node reaches into it."""

    voxel = 0.5

    def __init__(self, scene: KnownScene):
        self._hidden = scene.hidden

    def state(self, points):
        low, high = points.min(axis=0) - self.voxel, points.max(axis=0) + self.voxel
        unknown = any(
            all(node.bounds_min[k] <= high[k] and node.bounds_max[k] >= low[k] for k in range(3))
            for node in self._hidden
        )
        return np.full(len(points), UNKNOWN if unknown else FREE)
