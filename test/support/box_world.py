"""A world of axis-aligned boxes, drawn by intersecting each pixel's ray with each box: depth and instance ids."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from vantage.scenes.geometry.solids import object_prisms
from vantage.scenes.spec.spec import SceneSpec
from vantage.spatial import Intrinsics, Viewpoint, apply, invert
from vantage.types import InstanceLabel, Observation

LENS = Intrinsics.from_fov(320, 240, 1.2)
_WALL = 0.006
_NEAR = 0.01  # m before the camera from where on something is seen
_CUT = 0.9 * _NEAR  # m where boxes around the camera are cut off
_EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b).bit_count() == 1])  # of a box


@dataclass
class BoxWorld:
    """Boxes as (id, low, high) and what their ids stand for."""

    boxes: list[tuple[int, tuple[float, float, float], tuple[float, float, float]]] = field(default_factory=list)
    legend: dict[int, InstanceLabel] = field(default_factory=dict)
    stamp: int = 0

    def add(self, instance_id, label, low, high, color="", material="", states=()):
        self.boxes.append((instance_id, tuple(low), tuple(high)))
        self.legend[instance_id] = InstanceLabel(instance_id, label, color, material, tuple(states))
        return instance_id

    def add_open_box(self, instance_id, label, low, high, color="", material="", states=("open",), wall=0.01):
        (x0, y0, z0), (x1, y1, z1) = low, high
        self.add(instance_id, label, low, (x1, y1, z0 + wall), color, material, states)
        self.boxes += [
            (instance_id, low, (x0 + wall, y1, z1)),
            (instance_id, (x1 - wall, y0, z0), high),
            (instance_id, low, (x1, y0 + wall, z1)),
            (instance_id, (x0, y1 - wall, z0), high),
        ]

    def observe(self, viewpoint: Viewpoint, lens: Intrinsics = LENS) -> Observation:
        T = viewpoint.T_world_camera_optical()
        depth = np.full((lens.height, lens.width), np.inf)
        ids = np.zeros((lens.height, lens.width), np.int32)
        x, y = np.meshgrid(
            (np.arange(lens.width) + 0.5 - lens.cx) / lens.fx, (np.arange(lens.height) + 0.5 - lens.cy) / lens.fy
        )
        room = [np.empty(depth.size) for _ in range(4)]  # for what is computed of a box
        with np.errstate(divide="ignore", invalid="ignore"):
            per_metre = [1.0 / (row[0] * x + row[1] * y + row[2]) for row in T[:3, :3]]  # of depth, along each axis
            for instance_id, low, high in self.boxes:
                region = self._region(T, lens, low, high)
                if any(part.start >= part.stop for part in region):
                    continue
                shown = depth[region]
                enter, leave, one, other = (array[: shown.size].reshape(shown.shape) for array in room)
                for axis, depths in enumerate(each[region] for each in per_metre):
                    np.multiply(low[axis] - T[axis, 3], depths, out=one)
                    np.multiply(high[axis] - T[axis, 3], depths, out=other)
                    if axis == 0:
                        np.minimum(one, other, out=enter)
                        np.maximum(one, other, out=leave)
                        continue
                    later, sooner = np.minimum(one, other), np.maximum(one, other, out=one)
                    np.maximum(enter, later, out=enter)
                    np.minimum(leave, sooner, out=leave)
                hit = (enter <= leave) & (enter > _NEAR) & (enter < shown)
                shown[hit] = enter[hit]
                ids[region][hit] = instance_id
        self.stamp += 1
        seen = np.where(np.isfinite(depth), depth, np.nan).astype(np.float32)
        rgb = np.zeros((lens.height, lens.width, 3), np.uint8)
        return Observation(self.stamp, viewpoint, lens, rgb, seen, ids, self.legend)

    @staticmethod
    def _region(T, lens, low, high):
        """The rows and columns around what of a box is in front of the camera."""
        corners = np.array(list(itertools.product(*zip(low, high, strict=True))))
        seen = apply(invert(T), corners)
        front = seen[:, 2] > _CUT
        if not front.any():
            return slice(0, 0), slice(0, 0)
        if not front.all():
            begin, end = seen[_EDGES[:, 0]], seen[_EDGES[:, 1]]
            cut = front[_EDGES[:, 0]] != front[_EDGES[:, 1]]
            share = (_CUT - begin[cut, 2]) / (end[cut, 2] - begin[cut, 2])
            seen = np.vstack([seen[front], begin[cut] + share[:, None] * (end[cut] - begin[cut])])
        pixels = lens.project(seen)
        first = np.clip(np.floor(pixels.min(axis=0)) - 1, 0, (lens.width, lens.height)).astype(int)
        last = np.clip(np.ceil(pixels.max(axis=0)) + 1, 0, (lens.width, lens.height)).astype(int)
        return slice(first[1], last[1]), slice(first[0], last[0])


def room_of(spec: SceneSpec) -> BoxWorld:
    """A generated room, each part as its upright bounding box; hollow parts as thin walls around nothing."""
    world = BoxWorld()
    for obj in spec.objects:
        world.legend[obj.instance_id] = InstanceLabel(obj.instance_id, obj.label, obj.color, obj.material, obj.states)
        for part, prism in zip(obj.parts, object_prisms(obj), strict=True):
            (x0, y0), (x1, y1) = prism.outline.min(axis=0), prism.outline.max(axis=0)
            low, high = (x0, y0, prism.bottom), (x1, y1, prism.top)
            if not prism.hollow:
                world.boxes.append((obj.instance_id, low, high))
                continue
            sides = {
                "x-": (low, (x0 + _WALL, y1, prism.top)),
                "x+": ((x1 - _WALL, y0, prism.bottom), high),
                "y-": (low, (x1, y0 + _WALL, prism.top)),
                "y+": ((x0, y1 - _WALL, prism.bottom), high),
                "z-": (low, (x1, y1, prism.bottom + _WALL)),
                "z+": ((x0, y0, prism.top - _WALL), high),
            }
            world.boxes += [(obj.instance_id, *side) for face, side in sides.items() if face not in part.open_faces]
    return world


def look_around(world: BoxWorld, positions, pitches=(-0.5,), turns=8):
    """Observations from each position (x, y, z) in all directions."""
    for x, y, z in positions:
        for pitch in pitches:
            for k in range(turns):
                yield world.observe(Viewpoint(x, y, z, 2 * np.pi * k / turns - np.pi, pitch))
