"""Whether the boxes of a scene graph agree with what it says about places: who is on or in whom, and in which room."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vantage.errors import SceneError
from vantage.scenes.checks.building_checks import overlapping_rooms
from vantage.scenes.graph.graph_node import GraphNode
from vantage.scenes.spec.outlines import holds
from vantage.scenes.spec.shared_checks import check_box, check_id, check_label, check_parents, check_rooms, check_words
from vantage.scenes.spec.spec import RoomSpec
from vantage.types import Point

REACH = 0.15  # m across which one thing is still on or in another; boxes of captured things are not exact
OUTSIDE = 1.0  # m beyond the bounds: walls, and what stands in a doorway
_BULGE = 1.5  # how much wider than what it is in a thing may be, as areas of boxes


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
        )  # tall things stick out at the top
        if not middle or _outline_area(node, 0.0) > _BULGE * _outline_area(parent, REACH):
            raise SceneError(f"{placed}, but its box is not inside; correct its parent or a box")


def _outline_area(node: GraphNode, grown: float) -> float:
    """Of a box seen from above that is grown by some m to all sides, m2."""
    width, depth = (node.bounds_max[k] - node.bounds_min[k] + 2 * grown for k in (0, 1))
    return width * depth


def _name(node: GraphNode, where: str) -> str:
    return f"node {node.instance_id} ({node.label}) of {where}"
