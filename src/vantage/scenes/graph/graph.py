"""What a scene contains and how its objects relate: exact for generated scenes, optional for captured ones.

A graph is checked when it is made or read: its boxes have to agree with what it says about places, that is, with which
object is on or in which other, and in which room.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.decoding import decode
from vantage.errors import SceneError
from vantage.files import read_json, write_whole
from vantage.scenes.checks import overlapping_rooms
from vantage.scenes.geometry import supports
from vantage.scenes.spec import (
    STRUCTURE_LABELS,
    ObjectSpec,
    RoomSpec,
    SceneSpec,
    check_box,
    check_id,
    check_label,
    check_parents,
    check_rooms,
    check_spec,
    check_words,
    decoding,
    holds,
    object_bounds,
    room_from_json,
    room_to_json,
)
from vantage.types import Point

REACH = 0.15  # m across which one object is still on or in another; boxes of captured objects are not exact

OUTSIDE = 1.0  # m beyond the bounds: walls, and what stands in a doorway

_BULGE = 1.5  # how much wider than what it is in an object may be, as areas of boxes

SCHEMA = "vantage/scene-graph"

VERSION = 2

_KEYS = ("schema", "version", "name", "generator_version", "bounds_min", "bounds_max", "rooms", "nodes")


@dataclass(frozen=True)
class GraphNode:
    """One object of a scene graph.

    Attributes:
        instance_id: unique and positive.
        label, color, material, shape: words; the last three are empty where no single word is right.
        bounds_min, bounds_max: world-frame bounding box, m.
        relation, parent: ``on`` or ``in`` another object, found from the geometry; ``""`` and 0 on the bare floor.
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
    def extents(self) -> Point:
        """Of the bounding box along x, y and z, m."""
        x, y, z = (high - low for low, high in zip(self.bounds_min, self.bounds_max, strict=True))
        return x, y, z

    @property
    def is_structure(self) -> bool:
        """Whether it is the building itself: floor, wall or ceiling."""
        return self.label in STRUCTURE_LABELS


@dataclass(frozen=True)
class SceneGraph:
    """All objects of one scene. Structure (floor, walls, ceiling) is included, with these labels."""

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
        for obj in spec.objects:
            low, high = object_bounds(obj)
            relation, parent = placed[obj.instance_id]
            nodes.append(
                GraphNode(
                    obj.instance_id,
                    obj.label,
                    obj.color,
                    obj.material,
                    low,
                    high,
                    relation,
                    parent,
                    obj.states,
                    obj.shape,
                    obj.text,
                    obj.mass,
                    _room(obj, low, high, spec.rooms),
                    obj.part_names,
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
        """What is directly on or in an object; both relations when none is given."""
        return tuple(
            node
            for node in self.nodes
            if node.parent == parent and node.parent != 0 and (relation is None or node.relation == relation)
        )

    def objects(self) -> tuple[GraphNode, ...]:
        """All nodes that are not structure."""
        return tuple(node for node in self.nodes if not node.is_structure)

    def check(self) -> None:
        """Make sure that the graph contradicts neither itself nor geometry.

        Raises:
            SceneError: what ``check_nodes`` finds.
        """
        check_nodes(self.nodes, self.rooms, (self.bounds_min, self.bounds_max), f"scene '{self.name}'")

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
        decoding.no_others(record, _KEYS, where)
        nodes = decoding.records(record, "nodes", where)
        rooms = decoding.records(record, "rooms", where, [])
        graph = SceneGraph(
            name=decoding.text(record, "name", where),
            generator_version=decoding.integer(record, "generator_version", where),
            bounds_min=decoding.point(record, "bounds_min", where),
            bounds_max=decoding.point(record, "bounds_max", where),
            nodes=tuple(
                decode(GraphNode, entry, f"node {k} of {where}", names={"id": "instance_id"})
                for k, entry in enumerate(nodes)
            ),
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


def _room(obj: ObjectSpec, low: Point, high: Point, rooms: tuple[RoomSpec, ...]) -> int:
    """The room whose outline has the centre of an object's box in it; for what is in none, as specified."""
    x, y = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])
    found = (room.room_id for room in rooms if not obj.is_structure and holds(room.outline, x, y))
    return next(found, obj.room)


def check_nodes(nodes: Sequence[GraphNode], rooms: Sequence[RoomSpec], bounds: tuple[Point, Point], where: str) -> None:
    """Make sure that a graph contradicts neither itself nor geometry.

    Raises:
        SceneError: duplicate, non-positive or huge ids, boxes whose minimum exceeds their maximum or that lie outside
            the bounds, numbers that are not finite, parents that are unknown, cyclic or out of reach, rooms that do
            not exist, overlap or hold not what is said to be in them, words that exclude each other.
    """
    check_box(*bounds, where)
    known = {room.room_id: room for room in rooms}
    check_rooms(rooms, where)
    for room, other in overlapping_rooms(rooms):
        raise SceneError(
            f"room {room.room_id} ({room.label}) and room {other.room_id} ({other.label}) of {where} overlap; "
            "correct an outline"
        )
    seen: set[int] = set()
    for node in nodes:
        check_id(node.instance_id, node.label, seen, where)
        _check_node(node, known, where)
        _check_place(node, known, bounds, where)
    check_parents({node.instance_id: (node.relation, node.parent) for node in nodes}, where)
    by_id = {node.instance_id: node for node in nodes}
    for node in nodes:
        if node.parent:
            _check_support(node, by_id[node.parent], where)


def _check_node(node: GraphNode, rooms: dict[int, RoomSpec], where: str) -> None:
    name = _name(node, where)
    check_label(node.label, name)
    if node.room and node.room not in rooms:
        raise SceneError(f"{name} is in room {node.room}, which does not exist; add the room or give 0")
    if node.is_structure and node.parent:
        raise SceneError(f"{name} is part of the building and yet {node.relation} object {node.parent}; leave that out")
    check_box(node.bounds_min, node.bounds_max, name)
    if not (math.isfinite(node.mass) and node.mass >= 0):
        raise SceneError(f"{name} has a mass of {node.mass} kg; give 0 where nobody knows it")
    check_words(node.parts, "part", name)
    check_words(node.states, "state", name)


def _check_place(node: GraphNode, rooms: dict[int, RoomSpec], bounds: tuple[Point, Point], where: str) -> None:
    beyond = max(max(bounds[0][k] - node.bounds_min[k], node.bounds_max[k] - bounds[1][k]) for k in range(3))
    if beyond > OUTSIDE:
        raise SceneError(f"{_name(node, where)} reaches {beyond:.2f} m beyond the bounds of the scene; correct its box")
    if node.is_structure or not node.room:
        return
    x, y, _ = node.center
    around = [room.room_id for room in rooms.values() if holds(room.outline, x, y)]
    if around and node.room not in around:
        raise SceneError(
            f"{_name(node, where)} is said to be in room {node.room} and its box is in room {around[0]}; "
            "correct one of them"
        )


def _check_support(node: GraphNode, parent: GraphNode, where: str) -> None:
    apart = max(
        max(node.bounds_min[k] - parent.bounds_max[k], parent.bounds_min[k] - node.bounds_max[k]) for k in range(3)
    )
    placed = f"{_name(node, where)} is said to be {node.relation} {parent.label} {parent.instance_id}"
    if apart > REACH:
        raise SceneError(f"{placed}, but their boxes are {apart:.2f} m apart; correct its parent or a box")
    if node.relation == "in":
        middle = all(
            parent.bounds_min[k] - REACH <= node.center[k] <= parent.bounds_max[k] + REACH for k in (0, 1)
        )  # tall objects stick out at the top
        if not middle or _outline_area(node, 0.0) > _BULGE * _outline_area(parent, REACH):
            raise SceneError(f"{placed}, but its box is not inside; correct its parent or a box")


def _outline_area(node: GraphNode, grown: float) -> float:
    """Of a box seen from above that is grown by some m to all sides, m2."""
    width, depth = (node.bounds_max[k] - node.bounds_min[k] + 2 * grown for k in (0, 1))
    return width * depth


def _name(node: GraphNode, where: str) -> str:
    return f"node {node.instance_id} ({node.label}) of {where}"
