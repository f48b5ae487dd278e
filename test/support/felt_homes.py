"""Generated homes as somebody knows them who looked around, opened what is closed and weighed what is light.

The memory is a real one: containers are opened by their handles, looked into and closed again, so that what is known of
their insides goes the way that it goes in an episode. How far places were looked at is told from the truth.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np

from vantage.perception.map.coverage import FREE, UNKNOWN
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.map.placement import Placement
from vantage.perception.map.surface_inspection import Inspection
from vantage.scenes.generator import generate_home
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import ArmTarget, Command, Detection, Observation, Status, StepResult, Touch

STEP, LIFTABLE = 0.05, 5.0  # kg
ASKER = (0.2, 0.3, 1.3)
_LENS = Intrinsics.from_fov(64, 48, 1.6)
_PLACES = 4
_HANDLES = 10**6


@cache
def home(seed: int, rooms: int) -> tuple[SceneGraph, dict[int, int]]:
    """A generated home without doors and windows, which belong to two rooms, and how many handles its things have."""
    spec = generate_home(seed, rooms)
    graph = SceneGraph.from_spec(spec)
    kept = tuple(node for node in graph.nodes if node.label not in ("door", "doorway", "window"))
    return replace(graph, nodes=kept), {obj.instance_id: len(obj.joints) for obj in spec.objects}


class FeltHome(ObservedScene):
    """A home as it is known.

    Args:
        handles: how many each thing has, by id.
        unopened: ids of closed containers that nobody opened; what is in them was not seen.
        unweighed: ids of things that nobody lifted.
        unseen: ids of things in the open that were not seen; the places that they are at were not all looked at.
        exact: all is weighed exactly, furniture too, rather than in steps of force and up to what can be lifted.
    """

    def __init__(
        self,
        graph: SceneGraph,
        handles: dict[int, int],
        unopened: frozenset[int] = frozenset(),
        unweighed: frozenset[int] = frozenset(),
        unseen: frozenset[int] = frozenset(),
        exact: bool = False,
    ) -> None:
        super().__init__()
        self.graph = graph
        self._by_id = {node.instance_id: node for node in graph.nodes}
        closed = {n.instance_id for n in graph.objects() if "closed" in n.states and handles[n.instance_id]}
        shut = closed & unopened
        unseen = frozenset(key for key in unseen if not self._holders(self._by_id[key]) & closed)
        gone = {n.instance_id for n in graph.nodes if self._holders(n) & (unseen | shut)} | unseen
        self.missing = [self._by_id[key] for key in gone if not self._holders(self._by_id[key]) & shut]
        shown = [node for node in graph.nodes if node.instance_id not in gone]
        outside = [node for node in shown if not self._holders(node) & closed]
        self._stamp = 0
        self._look([*map(self._seen, outside), *self._grips(outside, handles)], ASKER)
        for node in outside:
            if node.label not in ("floor", "wall", "ceiling"):
                self._look_around(node)
        self.containers, self._grip_counts, self._shown = closed, handles, shown
        for key in closed - unopened - gone:
            if not self._holders(self._by_id[key]) & closed:
                self._open_and_close(self._by_id[key], closed - unopened)
        for node in shown:
            if exact and "closed" in node.states and node.instance_id not in unopened:
                self.know_inside(node.instance_id)  # what has no handle, and was not seen from all around
            if node.mass > 0 and node.instance_id not in unweighed:
                self._weigh(node, exact)

    def _holders(self, node: GraphNode) -> set[int]:
        found = set()
        while node.parent in self._by_id:
            found.add(node.parent)
            node = self._by_id[node.parent]
        return found

    def _seen(self, node: GraphNode, states: tuple[str, ...] | None = None) -> Detection:
        kinds = {room.room_id: room.label for room in self.graph.rooms}
        return Detection(
            node.instance_id,
            node.label,
            node.color,
            node.material,
            0.95,
            4000,
            (10, 10, 50, 50),
            node.center,
            node.bounds_min,
            node.bounds_max,
            node.states if states is None else states,
            shape=node.shape,
            text=node.text,
            room=kinds.get(node.room, "") if node.label == "floor" else "",
        )

    def _grips(self, nodes, handles):
        found = []
        for node in nodes:
            for number in range(handles[node.instance_id]):
                at = self._grip(node, number, handles[node.instance_id])
                key = _HANDLES + 100 * node.instance_id + number
                low, high = (tuple(value + by for value in at) for by in (-0.01, 0.01))
                box = (10, 10, 14, 14)
                found.append(Detection(key, "handle", "", "", 0.9, 200, box, at, low, high, part_of=node.instance_id))
        return found

    def _grip(self, node, number, count):
        share = (number + 1) / (count + 1)
        (x, y0, z0), (_, y1, z1) = node.bounds_min, node.bounds_max
        return x, y0 + share * (y1 - y0), z0 + share * (z1 - z0)

    def _look(self, detections, position, target=None, depth=10.0, touch=None):
        self._stamp += 1
        here = Viewpoint(*position, 0.0, 0.0) if target is None else Viewpoint.looking_at(position, target)
        image = np.zeros((48, 64, 3), np.uint8)
        view = Observation(self._stamp, here, _LENS, image, np.full((48, 64), depth, np.float32), touch=touch)
        self.add(view, detections)
        return view

    def _look_around(self, node):
        x, y, z = node.center
        for number in range(2 * _PLACES):
            angle = 2.0 * math.pi * number / (2 * _PLACES)
            self._look([self._seen(node)], (x + 0.8 * math.cos(angle), y + 0.8 * math.sin(angle), z + 0.6))

    def _open_and_close(self, node, opened):
        """With what is closed inside of it, while it is open."""
        hidden = self.containers - self._holders(node) - {node.instance_id}
        inside = [n for n in self._shown if node.instance_id in self._holders(n) and not self._holders(n) & hidden]
        grips = self._grips(inside, self._grip_counts)
        for handle in self.handles_of(self.get(node.instance_id)):
            self._turn(handle.center, "open")
            x, y, z = node.center
            seen = [self._seen(node, ("open",)), *map(self._seen, inside), *grips]
            for _ in range(2):
                for spot in ((x - 1.2, y, z + 0.5), (x - 1.0, y + 0.6, z + 0.7), (x - 1.0, y - 0.6, z + 0.6)):
                    self._look(seen, spot, node.center)
            for other in inside:
                if other.instance_id in opened:
                    self._open_and_close(other, opened)
            self._turn(handle.center, "close")
            for _ in range(2):
                self._look([self._seen(node)], (x - 1.2, y, z + 0.5), node.center, depth=0.2)

    def _turn(self, at, way):
        pose = np.eye(4)
        pose[:3, 3] = at
        touch = Touch(pose, np.full(3, np.nan), np.full(3, np.nan), 0.05)
        image = np.zeros((48, 64, 3), np.uint8)
        view = Observation(self._stamp, Viewpoint(*ASKER, 0.0, 0.0), _LENS, image, touch=touch)
        for arm in (ArmTarget(T_world_tool=pose), ArmTarget(handle=way)):
            self.acted(StepResult(Status.DONE, "", Command(arm=arm), view))

    def _weigh(self, node, exact):
        if exact:
            self.weighed(node.instance_id, node.mass, node.mass)
        elif node.mass < LIFTABLE:
            steps = max(math.ceil(node.mass / STEP - 1e-9), 1)
            self.weighed(node.instance_id, (steps - 1) * STEP, steps * STEP)

    # How far places were looked at, and what is where: from the truth.

    def support_of(self, obj):
        node = self._by_id[obj.instance_id]
        if node.is_structure:
            return None
        if not node.parent:
            floor = next((n for n in self.graph.nodes if n.label == "floor" and n.room == node.room), None)
            return Placement("on", 0 if floor is None else floor.instance_id, "floor")
        parent = self._by_id[node.parent]
        return Placement(node.relation, parent.instance_id, parent.label) if self.get(node.parent) else None

    def inspection_of(self, support, coverage, relation=""):
        there = [n for n in self.missing if n.parent == support.instance_id and relation in ("", n.relation)]
        return Inspection(0.3 if there else 1.0, 1.0, tuple(node.center for node in there))

    def room_seen(self, room, coverage):
        floor = self._by_id[room.key]
        return 0.2 if any(node.room == floor.room for node in self.missing) else 1.0

    def searched_share(self, label, coverage, within=None):
        rooms = self.rooms if within is None else (within,)
        return 1.0 if all(self.room_seen(room, coverage) == 1.0 for room in rooms) else 0.5

    def containers_looked_into(self, label, within=None):
        return True


class FeltSpace:
    """A map of space that does not know where something is missing."""

    voxel = 0.5

    def __init__(self, scene: FeltHome) -> None:
        self._missing = scene.missing

    def state(self, points):
        low, high = points.min(axis=0) - self.voxel, points.max(axis=0) + self.voxel
        unknown = any(
            all(node.bounds_min[k] <= high[k] and node.bounds_max[k] >= low[k] for k in range(3))
            for node in self._missing
        )
        return np.full(len(points), UNKNOWN if unknown else FREE)

    def forget(self, low, high):
        pass
