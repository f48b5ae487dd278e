"""What a scene contains and how its things relate: exact for generated scenes, optional for captured ones."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.decoding import decode
from vantage.errors import SceneError
from vantage.files import read_json, write_whole
from vantage.scenes.geometry.support import supports
from vantage.scenes.graph.graph_checks import check_nodes
from vantage.scenes.graph.graph_node import GraphNode
from vantage.scenes.spec import decoding
from vantage.scenes.spec.outlines import holds
from vantage.scenes.spec.spec import ObjectSpec, RoomSpec, SceneSpec, object_bounds
from vantage.scenes.spec.spec_checks import check_spec
from vantage.scenes.spec.spec_file import room_from_json, room_to_json
from vantage.types import Point

__all__ = ["GraphNode", "SceneGraph"]

SCHEMA = "vantage/scene-graph"
VERSION = 2

_KEYS = ("schema", "version", "name", "generator_version", "bounds_min", "bounds_max", "rooms", "nodes")


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


def _room(thing: ObjectSpec, low: Point, high: Point, rooms: tuple[RoomSpec, ...]) -> int:
    """The room whose outline has the centre of a thing's box in it; for what is in none, as specified."""
    x, y = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])
    found = (room.room_id for room in rooms if not thing.is_structure and holds(room.outline, x, y))
    return next(found, thing.room)
