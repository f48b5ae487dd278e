"""What a scene contains and how its things relate: exact for generated scenes, optional for captured ones."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.errors import SceneError
from vantage.files import read_json, write_whole
from vantage.scenes import decoding
from vantage.scenes.outlines import holds
from vantage.scenes.spec import STRUCTURE_LABELS, ObjectSpec, RoomSpec, SceneSpec, object_bounds
from vantage.scenes.spec_checks import check_parents, check_rooms, check_spec
from vantage.scenes.spec_file import room_from_json, room_to_json
from vantage.scenes.support import supports
from vantage.types import Point

SCHEMA = "vantage/scene-graph"
VERSION = 2

OPPOSITES = (("open", "closed"), ("on", "off"), ("full", "empty"), ("dirty", "clean"))


@dataclass(frozen=True)
class GraphNode:
    """One thing.

    Attributes:
        instance_id: unique and positive.
        label, color, material, shape: words; the last three are empty where no single word is right.
        bounds_min, bounds_max: world-frame bounding box, m.
        relation, parent: ``on`` or ``in`` another thing, found from the geometry; ``""`` and 0 on the bare floor.
        states: such as ``open``, ``on``, ``full``, ``dirty``.
        text: words printed on it.
        mass: kg, 0 where nobody knows.
        room: id of the room it is in, 0 for none.
        parts: names of its parts; part ids count them from 1.
    """

    instance_id: int
    label: str
    color: str
    material: str
    bounds_min: Point
    bounds_max: Point
    relation: str = ""
    parent: int = 0
    states: tuple[str, ...] = ()
    shape: str = ""
    text: str = ""
    mass: float = 0.0
    room: int = 0
    parts: tuple[str, ...] = ()

    @property
    def center(self) -> Point:
        """Of the bounding box, m."""
        x, y, z = (0.5 * (low + high) for low, high in zip(self.bounds_min, self.bounds_max, strict=True))
        return x, y, z

    @property
    def is_structure(self) -> bool:
        """Whether it is the building itself: floor, wall or ceiling."""
        return self.label in STRUCTURE_LABELS


@dataclass(frozen=True)
class SceneGraph:
    """All things of one scene. Structure (floor, walls, ceiling) is included, with these labels."""

    name: str
    generator_version: int
    bounds_min: Point
    bounds_max: Point
    nodes: tuple[GraphNode, ...]
    rooms: tuple[RoomSpec, ...] = ()

    @staticmethod
    def from_spec(spec: SceneSpec) -> SceneGraph:
        """Boxes, rooms and what is on or in what from the geometry, words and masses from the specification.

        Raises:
            SceneError: the specification contradicts itself.
        """
        check_spec(spec)
        placed = supports(spec)
        nodes = []
        for thing in spec.objects:
            low, high = object_bounds(thing)
            relation, parent = placed[thing.instance_id]
            nodes.append(
                GraphNode(
                    thing.instance_id,
                    thing.label,
                    thing.color,
                    thing.material,
                    low,
                    high,
                    relation,
                    parent,
                    thing.states,
                    thing.shape,
                    thing.text,
                    thing.mass,
                    _room(thing, low, high, spec.rooms),
                    thing.part_names,
                )
            )
        bounds = spec.bounds_min, spec.bounds_max
        return SceneGraph(spec.name, spec.generator_version, *bounds, tuple(nodes), spec.rooms)

    def node(self, instance_id: int) -> GraphNode:
        """The node of an id.

        Raises:
            SceneError: the scene has no such id.
        """
        for node in self.nodes:
            if node.instance_id == instance_id:
                return node
        raise SceneError(f"scene '{self.name}' has no object {instance_id}; it holds {len(self.nodes)} objects")

    def by_label(self, label: str) -> tuple[GraphNode, ...]:
        """All nodes of a class, in the order of the scene."""
        return tuple(node for node in self.nodes if node.label == label)

    def children(self, parent: int, relation: str | None = None) -> tuple[GraphNode, ...]:
        """What is directly on or in a thing; both relations when none is given."""
        return tuple(
            node
            for node in self.nodes
            if node.parent == parent and node.parent != 0 and (relation is None or node.relation == relation)
        )

    def things(self) -> tuple[GraphNode, ...]:
        """All nodes that are not structure."""
        return tuple(node for node in self.nodes if not node.is_structure)

    def check(self) -> None:
        """Make sure that the graph does not contradict itself.

        Raises:
            SceneError: duplicate or non-positive ids, boxes whose minimum exceeds their maximum, numbers that are not
                finite, parents that are unknown or cyclic, rooms that do not exist, words that exclude each other.
        """
        where = f"scene '{self.name}'"
        _check_box(self.bounds_min, self.bounds_max, where)
        rooms = check_rooms(self.rooms, where)
        seen: set[int] = set()
        for node in self.nodes:
            if node.instance_id <= 0 or node.instance_id in seen:
                raise SceneError(
                    f"the graph of {where} has the id {node.instance_id} twice or not positive; give each node its own"
                )
            seen.add(node.instance_id)
            _check_node(node, rooms, where)
        check_parents({node.instance_id: (node.relation, node.parent) for node in self.nodes}, where)

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json``."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "name": self.name,
            "generator_version": self.generator_version,
            "bounds_min": list(self.bounds_min),
            "bounds_max": list(self.bounds_max),
            "rooms": [room_to_json(room) for room in self.rooms],
            "nodes": [
                {
                    "id": node.instance_id,
                    "label": node.label,
                    "color": node.color,
                    "material": node.material,
                    "bounds_min": [round(value, 6) for value in node.bounds_min],
                    "bounds_max": [round(value, 6) for value in node.bounds_max],
                    "relation": node.relation,
                    "parent": node.parent,
                    "states": list(node.states),
                    "shape": node.shape,
                    "text": node.text,
                    "mass": node.mass,
                    "room": node.room,
                    "parts": list(node.parts),
                }
                for node in self.nodes
            ],
        }

    @staticmethod
    def from_json(document: Any, where: str = "the scene graph") -> SceneGraph:
        """The checked inverse of ``to_json``, which keeps micrometres.

        Raises:
            FormatError: a field is missing or of the wrong type.
            SceneError: the graph contradicts itself.
        """
        record = decoding.schema(document, SCHEMA, VERSION, where)
        nodes = decoding.records(record, "nodes", where)
        rooms = decoding.records(record, "rooms", where, [])
        graph = SceneGraph(
            name=decoding.text(record, "name", where),
            generator_version=decoding.integer(record, "generator_version", where),
            bounds_min=decoding.point(record, "bounds_min", where),
            bounds_max=decoding.point(record, "bounds_max", where),
            nodes=tuple(_node_from_json(entry, f"node {k} of {where}") for k, entry in enumerate(nodes)),
            rooms=tuple(room_from_json(entry, f"room {k} of {where}") for k, entry in enumerate(rooms)),
        )
        graph.check()
        return graph

    def save(self, path: str | Path) -> None:
        """Write the whole file or nothing.

        Raises:
            SceneError: the graph contradicts itself.
        """
        self.check()
        write_whole(path, json.dumps(self.to_json(), indent=1, allow_nan=False) + "\n")

    @staticmethod
    def load(path: str | Path) -> SceneGraph:
        """Read what ``save`` wrote.

        Raises:
            FormatError: the file is missing, no JSON or of another kind.
            SceneError: the graph contradicts itself.
        """
        return SceneGraph.from_json(read_json(path), str(path))


def _room(thing: ObjectSpec, low: Point, high: Point, rooms: tuple[RoomSpec, ...]) -> int:
    """The room whose outline has the centre of a thing's box in it; for what is in none, as specified."""
    x, y = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])
    found = (room.room_id for room in rooms if not thing.is_structure and holds(room.outline, x, y))
    return next(found, thing.room)


def _check_box(low: Point, high: Point, what: str) -> None:
    if not all(math.isfinite(value) for value in (*low, *high)):
        raise SceneError(f"the box of {what} must be finite, got {low} to {high}")
    if any(a > b for a, b in zip(low, high, strict=True)):
        raise SceneError(f"the box of {what} has min {low} above max {high}; exchange them")


def _check_node(node: GraphNode, rooms: set[int], where: str) -> None:
    name = f"node {node.instance_id} ({node.label}) of {where}"
    if not node.label:
        raise SceneError(f"node {node.instance_id} of {where} has no label; name its class")
    if node.room and node.room not in rooms:
        raise SceneError(f"{name} is in room {node.room}, which does not exist; add the room or give 0")
    if node.is_structure and node.parent:
        raise SceneError(f"{name} is part of the building and yet {node.relation} object {node.parent}; leave that out")
    _check_box(node.bounds_min, node.bounds_max, name)
    if not (math.isfinite(node.mass) and node.mass >= 0):
        raise SceneError(f"{name} has a mass of {node.mass} kg; give 0 where nobody knows it")
    for kind, words in (("part", node.parts), ("state", node.states)):
        if "" in words or len(set(words)) < len(words):
            raise SceneError(f"{name} has a {kind} twice or without a name: {', '.join(words)}; name each one once")
    for pair in OPPOSITES:
        if set(pair) <= set(node.states):
            raise SceneError(f"{name} is said to be both {pair[0]} and {pair[1]}; leave one of them out")


def _node_from_json(value: Any, where: str) -> GraphNode:
    record = decoding.mapping(value, where)
    return GraphNode(
        instance_id=decoding.integer(record, "id", where),
        label=decoding.text(record, "label", where),
        color=decoding.text(record, "color", where, ""),
        material=decoding.text(record, "material", where, ""),
        bounds_min=decoding.point(record, "bounds_min", where),
        bounds_max=decoding.point(record, "bounds_max", where),
        relation=decoding.text(record, "relation", where, ""),
        parent=decoding.integer(record, "parent", where, 0),
        states=decoding.words(record, "states", where),
        shape=decoding.text(record, "shape", where, ""),
        text=decoding.text(record, "text", where, ""),
        mass=decoding.number(record.get("mass", 0.0), f"'mass' of {where}"),
        room=decoding.integer(record, "room", where, 0),
        parts=decoding.words(record, "parts", where),
    )
