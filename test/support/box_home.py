"""A drawn home: rooms in a row, joined by doorways and filled with furniture and small objects, and its true graph."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from box_world import BoxWorld

from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.scenes.spec.spec import RoomSpec
from vantage.spatial import Viewpoint

SIDE, HEIGHT, GAP, HOLE = 4.0, 2.6, 0.1, (1.5, 2.5)  # m; gap between rooms, sides of the doorways
KINDS = ("kitchen", "living room", "bedroom", "office")
COLORS = ("red", "green", "blue", "yellow", "white", "black", "brown", "orange")
SMALL = (
    ("mug", (0.09, 0.09, 0.1), "ceramic"),
    ("bowl", (0.15, 0.15, 0.07), "ceramic"),
    ("bottle", (0.08, 0.08, 0.28), "glass"),
    ("vase", (0.12, 0.12, 0.25), "ceramic"),
    ("radio", (0.25, 0.12, 0.16), "plastic"),
    ("clock", (0.12, 0.06, 0.12), "metal"),
    ("candle", (0.07, 0.07, 0.14), "wax"),
    ("apple", (0.08, 0.08, 0.08), ""),
    ("ball", (0.16, 0.16, 0.16), "plastic"),
    ("teapot", (0.2, 0.14, 0.15), "ceramic"),
)


@dataclass
class BoxHome:
    """What is drawn, what is true, and the bounds of the inner space, m."""

    world: BoxWorld
    graph: SceneGraph
    low: tuple[float, float, float]
    high: tuple[float, float, float]

    def tour(self, turns: int = 8, pitches: tuple[float, ...] = (-0.45,)) -> list[Viewpoint]:
        """Looks around from three places of each room."""
        found = []
        for k in range(len(self.graph.rooms)):
            for x, y in ((1.0, 1.3), (2.0, 2.6), (3.0, 1.3)):
                for pitch in pitches:
                    found += [
                        Viewpoint(k * (SIDE + GAP) + x, y, 1.4, 2 * np.pi * turn / turns - 3.0, pitch)
                        for turn in range(turns)
                    ]
        return found


def box_home(seed: int, rooms: int = 2, crowd: int = 8, books: int = 8) -> BoxHome:
    """``rooms`` rooms of 4 x 4 m, each with a table, a cabinet and a bookshelf that carry ``crowd`` small objects and
    ``books`` books side by side."""
    rng = np.random.default_rng(seed)
    home = _Draft(rng)
    for k in range(rooms):
        home.room(k, rooms)
        home.furnish(k, crowd, books)
    low, high = (0.0, 0.0, 0.0), (rooms * (SIDE + GAP) - GAP, SIDE, HEIGHT)
    outlines = [
        RoomSpec(k + 1, KINDS[k % len(KINDS)], tuple((_x(k) + x, y) for x, y in ((0, 0), (4, 0), (4, 4), (0, 4))), 2.6)
        for k in range(rooms)
    ]
    return BoxHome(home.world, SceneGraph("home", 0, low, high, tuple(home.nodes), tuple(outlines)), low, high)


def _x(room: int) -> float:
    return room * (SIDE + GAP)


class _Draft:
    def __init__(self, rng):
        self.rng, self.world, self.nodes = rng, BoxWorld(), []

    def add(self, label, low, high, color="", material="", parent=0, relation="", boxes=None, room=0, **words):
        key = len(self.nodes) + 1
        self.world.add(key, label, low, high, color, material, words.get("states", ()))
        if boxes is not None:
            self.world.boxes.pop()
            self.world.boxes += [(key, *box) for box in boxes]
        kind = KINDS[(room - 1) % len(KINDS)] if label == "floor" else ""
        self.world.legend[key] = replace(self.world.legend[key], shape=words.get("shape", ""), room=kind)
        self.nodes.append(
            GraphNode(key, label, color, material, low, high, relation, parent, words.get("states", ()), room=room)
        )
        return key

    def room(self, k, rooms):
        x, thick = _x(k), 0.05
        self.add("floor", (x, 0, -0.05), (x + SIDE, SIDE, 0.0), "brown", "wood", room=k + 1)
        self.add("ceiling", (x, 0, HEIGHT), (x + SIDE, SIDE, HEIGHT + 0.05), "white", room=k + 1)
        self.add("wall", (x, -thick, 0), (x + SIDE, 0, HEIGHT), "white", room=k + 1)
        self.add("wall", (x, SIDE, 0), (x + SIDE, SIDE + thick, HEIGHT), "white", room=k + 1)
        for side, hole in ((x - thick, k > 0), (x + SIDE, k < rooms - 1)):
            low, high = (side, 0.0, 0.0), (side + thick, SIDE, HEIGHT)
            parts = [(low, high)]
            if hole:
                parts = [
                    (low, (side + thick, HOLE[0], HEIGHT)),
                    ((side, HOLE[1], 0.0), high),
                    ((side, HOLE[0], 2.0), (side + thick, HOLE[1], HEIGHT)),
                ]
            self.add("wall", low, high, "white", boxes=parts, room=k + 1)

    def furnish(self, k, crowd, books):
        x, room = _x(k), k + 1
        top = 0.74
        low, high = (x + 1.2, 0.05, 0.0), (x + 2.8, 0.75, top)
        legs = [((a, b, 0.0), (a + 0.05, b + 0.05, top)) for a in (low[0], high[0] - 0.05) for b in (0.05, 0.7)]
        table = self.add(
            "table", low, high, "brown", "wood", relation="on", parent=6 * 0, room=room,
            boxes=[((low[0], low[1], top - 0.04), high), *legs],
        )  # fmt: skip
        self.crowd(table, low, high, crowd, room)
        low, high = (x + 2.6, 3.55, 0.0), (x + 3.7, 3.97, 0.9)
        cabinet = self.add("cabinet", low, high, "white", "wood", states=("closed",), room=room, shape="rectangular")
        self.crowd(cabinet, low, high, crowd // 2, room)
        low, high = (x + 0.3, 3.68, 0.0), (x + 1.3, 3.97, 1.5)
        boards = [0.02, 0.5, 0.98, 1.5]
        boxes = [((low[0], low[1], z - 0.02), (high[0], high[1], z)) for z in boards]
        boxes += [(low, (low[0] + 0.02, high[1], 1.5)), ((high[0] - 0.02, low[1], 0.0), high)]
        boxes.append(((low[0], high[1] - 0.02, 0.0), high))
        shelf = self.add("bookshelf", low, high, "brown", "wood", boxes=boxes, room=room)
        at = low[0] + 0.1
        for number in range(books):
            thick = float(self.rng.uniform(0.03, 0.05))
            z = boards[1 + number * 2 // max(books, 1)]
            if number == books // 2:
                at = low[0] + 0.1
            size = (thick, 0.18, 0.26)
            color = COLORS[int(self.rng.integers(len(COLORS)))]
            self.add(
                "book", (at, 3.72, z), (at + size[0], 3.72 + size[1], z + size[2]), color, "paper", shelf, "on",
                room=room,
            )  # fmt: skip
            at += thick + 0.005

    def crowd(self, parent, low, high, count, room):
        """Small objects on a grid, so that none enters another."""
        columns = max(1, int((high[0] - low[0] - 0.1) / 0.3))
        rows = max(1, int((high[1] - low[1] - 0.1) / 0.3))
        places = [(i, j) for i in range(columns) for j in range(rows)]
        self.rng.shuffle(places)
        for i, j in places[:count]:
            label, size, material = SMALL[int(self.rng.integers(len(SMALL)))]
            x = low[0] + 0.05 + 0.3 * (i + 0.5) + float(self.rng.uniform(-0.02, 0.02))
            y = low[1] + 0.05 + 0.3 * (j + 0.5) + float(self.rng.uniform(-0.02, 0.02))
            color = COLORS[int(self.rng.integers(len(COLORS)))]
            box = (x - size[0] / 2, y - size[1] / 2, high[2]), (x + size[0] / 2, y + size[1] / 2, high[2] + size[2])
            self.add(label, *box, color, material, parent, "on", room=room)
