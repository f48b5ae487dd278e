"""The bodies, joints and geoms to touch of a home, put into a MuJoCo specification.

Bodies have the frame of their object. The geoms of what stands for good belong to the world, its bodies only have a
place: broad collision detection does not go through the world.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry import handle_of
from vantage.scenes.spec import ObjectSpec, SceneSpec
from vantage.spatial import Matrix, quaternion, rigid
from vantage.worlds.house.bodies.conflicts import NO_CONFLICTS, Conflicts
from vantage.worlds.house.bodies.joints import Travel, handle_frame, handle_reach, travel_of
from vantage.worlds.house.bodies.object_bodies import RigidGroup, mass_of, movable_instances, rigid_groups
from vantage.worlds.house.bodies.touch_pieces import Array, Piece, grounded

HANDLE_IDS = 1_000_000  # ids of handles in images begin here
FLOOR_BODY = "floor"  # has the plane that all floors together are to touch
BOUNDS_BODY = "bounds"  # has the planes above and around the home
HANDLES_OF_ONE = 100  # ids that each object has for its handles

TIMESTEP = 0.004  # s
TOUCH_GROUP, SEEN_GROUP, CEILING_GROUP, SITE_GROUP = 3, 2, 4, 5

_IMPRATIO = 10.0
_LEAST_INERTIA = 1e-7  # kg m^2
_FLOOR_FRICTION = (0.8, 0.005, 0.0005)
_ROUND = ("sphere", "ellipsoid", "cylinder")
_ROLLING = 0.002  # m
# Sliding friction of a material against itself; of two things that touch, the larger one counts.
_FRICTION = {
    "wood": 0.5,
    "metal": 0.4,
    "plastic": 0.45,
    "ceramic": 0.45,
    "glass": 0.4,
    "fabric": 0.7,
    "leather": 0.7,
    "paper": 0.5,
}
_OTHER_FRICTION = 0.5
_OUTSIDE = 0.3  # m beyond the bounds of the home: farther than walls and what is in them
_TOUCHING = 0.002  # m: moving parts of one object that come so near to each other do not collide

_KINDS = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    "mesh": mujoco.mjtGeom.mjGEOM_MESH,
}


@dataclass(frozen=True)
class MovingPart:
    """A drawer, door, lid or flap: one joint of an object.

    Attributes:
        instance, part: as in the specification.
        joint: its name in the model; its coordinate is the position of the specification.
        kind: ``hinge`` or ``slide``.
        low, high: range, rad or m; low is closed.
        handle: name of the site at its handle, whose x axis points out of the front; a box around what an edge has of
            the part where that is the handle.
        handle_id: of its handle in id images.
    """

    instance: int
    part: str
    joint: str
    kind: str
    low: float
    high: float
    handle: str
    handle_id: int


def body_name(instance: int, part: str = "") -> str:
    """Name of the body of an object, or of a part of it that moves."""
    return f"object/{instance}/{part}" if part else f"object/{instance}"


class HouseBodies:
    """A home on its way to becoming a model.

    Attributes:
        spec: to which the bodies are added.
        looks: adds what is seen, None for nothing.
        parts, movable: of the model, see ``HouseModel``.
        sleepers: names of the bodies that may rest on their own.
    """

    def __init__(self, home: SceneSpec, conflicts: Conflicts = NO_CONFLICTS) -> None:
        self.spec = mujoco.MjSpec()
        self.looks: Any = None
        self.parts: list[MovingPart] = []
        self.movable: dict[int, str] = {}
        self.sleepers: list[str] = []
        self._home = home
        self._conflicts = conflicts
        self._meshes: dict[bytes, str] = {}
        self._handle_geoms: dict[str, int] = {}
        self._set_options()

    def _set_options(self) -> None:
        spec, option = self.spec, self.spec.option
        spec.modelname = "house"
        spec.compiler.degree = False
        spec.compiler.boundinertia = _LEAST_INERTIA
        option.timestep = TIMESTEP
        option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        option.impratio = _IMPRATIO
        option.noslip_iterations = 0  # of three, friction in the hinge of a lid pushes what stands on the floor about
        option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP

    def add_objects(self) -> None:
        """What moves on joints of furniture first and what can be picked up last: the solver is faster so."""
        loose = movable_instances(self._home) - self._conflicts.stuck
        self._add_bounds()
        objects = sorted(self._home.objects, key=lambda obj: (obj.instance_id in loose, not obj.joints))
        for obj in objects:
            self._add(obj, obj.instance_id in loose)
        for first, second in sorted(self._conflicts.passing):
            self.spec.add_exclude(bodyname1=first, bodyname2=second)

    def _add_bounds(self) -> None:
        """Planes that nothing gets through, however fast: the floor, the ceiling and the world outside of the walls."""
        (x0, y0, _), (x1, y1, top) = self._home.bounds_min, self._home.bounds_max
        around = self.spec.worldbody.add_body(name=BOUNDS_BODY)
        for body, label, point, normal in (
            (self.spec.worldbody.add_body(name=FLOOR_BODY), "floor", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
            (around, "ceiling", (0.0, 0.0, top), (0.0, 0.0, -1.0)),
            (around, "wall", (x0 - _OUTSIDE, 0.0, 0.0), (1.0, 0.0, 0.0)),
            (around, "wall", (x1 + _OUTSIDE, 0.0, 0.0), (-1.0, 0.0, 0.0)),
            (around, "wall", (0.0, y0 - _OUTSIDE, 0.0), (0.0, 1.0, 0.0)),
            (around, "wall", (0.0, y1 + _OUTSIDE, 0.0), (0.0, -1.0, 0.0)),
        ):
            owner = next((obj.instance_id for obj in self._home.objects if obj.label == label), 0)
            body.add_geom(
                name=f"touch/{owner}/plane/{normal}",
                type=mujoco.mjtGeom.mjGEOM_PLANE,
                size=[0.0, 0.0, 1.0],
                pos=list(point),
                zaxis=list(normal),
                group=TOUCH_GROUP,
                friction=list(_FLOOR_FRICTION),
            )

    def _add(self, obj: ObjectSpec, movable: bool) -> None:
        T_world_object = _pose(obj)
        x, y, z, w = quaternion(T_world_object[:3, :3])
        body = self.spec.worldbody.add_body(name=body_name(obj.instance_id), pos=list(obj.position), quat=[w, x, y, z])
        groups = rigid_groups(obj, movable)
        mass, volume = mass_of(obj), sum(group.volume for group in groups)
        if movable:
            body.add_freejoint(name=f"free/{obj.instance_id}")
            self.sleepers.append(body.name)
            self.movable[obj.instance_id] = body.name
        own = bool(obj.joints) or obj.instance_id in self._conflicts.passed
        for number, group in enumerate(groups):
            into = body
            if group.joint is not None:
                into = body.add_body(name=body_name(obj.instance_id, group.name))
                travel = travel_of(group.joint, group.pieces, mass * group.volume / volume, loose=movable)
                self._add_joint(into, obj, group, travel, number)
                if not movable:
                    self.sleepers.append(into.name)
                    self.spec.add_exclude(bodyname1=body.name, bodyname2=into.name)
            fixed = into is body and not movable
            touched, seen = self._holders(into, fixed, fixed and not own, T_world_object)
            self._add_touch(touched, obj, group, mass / volume, movable)
            if self.looks is not None and group.parts:
                self.looks.add(seen[0], obj, [obj.parts[index] for index in group.parts], seen[1])
        self._part_neighbours(obj, groups)

    def _add_joint(self, body: Any, obj: ObjectSpec, group: RigidGroup, travel: Travel, number: int) -> None:
        joint = group.joint
        assert joint is not None
        name = f"joint/{obj.instance_id}/{group.name}"
        body.add_joint(
            name=name,
            type=mujoco.mjtJoint.mjJNT_HINGE if joint.kind == "hinge" else mujoco.mjtJoint.mjJNT_SLIDE,
            axis=list(joint.axis),
            pos=list(joint.origin),
            ref=joint.position,
            range=[joint.low, max(joint.high, joint.low + 1e-4)],
            limited=True,
            damping=[travel.damping, 0.0, 0.0],
            frictionloss=travel.friction,
            armature=travel.armature,
        )
        body.gravcomp = travel.balanced
        site = f"handle/{obj.instance_id}/{group.name}"
        handle_id = HANDLE_IDS + HANDLES_OF_ONE * obj.instance_id + number
        handle = handle_of(obj, joint)
        frame = handle_frame(handle)
        x, y, z, w = quaternion(frame[:3, :3])
        kind, size = mujoco.mjtGeom.mjGEOM_SPHERE, [0.01] * 3
        if handle.index is None:
            kind, size = mujoco.mjtGeom.mjGEOM_BOX, handle_reach(handle, joint).tolist()
        where = {"pos": frame[:3, 3].tolist(), "quat": [w, x, y, z]}
        body.add_site(name=site, type=kind, size=size, group=SITE_GROUP, **where)
        if handle.index is not None:
            self._handle_geoms[f"see/{obj.instance_id}/{handle.index}"] = handle_id
        self.parts.append(
            MovingPart(obj.instance_id, group.name, name, joint.kind, joint.low, joint.high, site, handle_id)
        )

    def _holders(
        self, body: Any, fixed: bool, passive: bool, T_world_object: Matrix
    ) -> tuple[tuple[Any, Matrix], tuple[Any, Matrix]]:
        """The bodies that get the geoms to touch and those to see, each with the object's pose in it.

        What is fixed becomes part of the world itself, which broad collision detection does not go through. Furniture
        with moving parts keeps what is to be touched, for these parts do not collide with it.
        """
        own, world = (body, np.eye(4)), (self.spec.worldbody, T_world_object)
        return world if passive else own, world if fixed else own

    def _add_touch(
        self, holder: tuple[Any, Matrix], obj: ObjectSpec, group: RigidGroup, density: float, movable: bool
    ) -> None:
        if obj.label in ("floor", "ceiling"):
            return  # one plane is all floors, and nothing gets to a ceiling
        slide = _FRICTION.get(obj.material, _OTHER_FRICTION)
        fixed = not movable and group.joint is None
        for number, piece in enumerate(grounded(group.pieces, obj.position[2]) if fixed else group.pieces):
            rolls = movable and piece.kind in _ROUND
            holder[0].add_geom(
                name=f"touch/{obj.instance_id}/{group.name}/{number}",
                mass=density * piece.volume,
                group=TOUCH_GROUP,
                condim=6 if rolls else 4,
                friction=[slide, 0.005, _ROLLING if rolls else 0.0001],
                **self._geometry(piece, holder[1]),
            )

    def _geometry(self, piece: Piece, T_body_object: Matrix) -> dict[str, Any]:
        x, y, z, w = quaternion(T_body_object[:3, :3] @ piece.R_object_piece)
        center = T_body_object[:3, :3] @ piece.center + T_body_object[:3, 3]
        geometry = {"type": _KINDS[piece.kind], "pos": center.tolist(), "quat": [w, x, y, z]}
        if piece.vertices is None:
            return {**geometry, "size": piece.size.tolist()}
        return {**geometry, "meshname": self._mesh(piece.vertices)}

    def _mesh(self, vertices: Array) -> str:
        """The mesh with these corners (N, 3), made when there is none."""
        key = np.round(vertices, 6).tobytes()
        if key not in self._meshes:
            self._meshes[key] = f"touch/{len(self._meshes)}"
            mesh = self.spec.add_mesh(name=self._meshes[key])
            mesh.uservert = vertices.ravel().tolist()
            mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
        return self._meshes[key]

    def _part_neighbours(self, obj: ObjectSpec, groups: Sequence[RigidGroup]) -> None:
        """Let moving parts of an object pass each other that touch where they are."""
        moving = [group for group in groups if group.joint is not None and group.pieces]
        for first, second in itertools.combinations(moving, 2):
            (low, high), (other_low, other_high) = _box(first.pieces), _box(second.pieces)
            if (np.maximum(low - other_high, other_low - high) < _TOUCHING).all():
                self.spec.add_exclude(
                    bodyname1=body_name(obj.instance_id, first.name), bodyname2=body_name(obj.instance_id, second.name)
                )

    def ids(self, model: mujoco.MjModel) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Instance ids (ngeom,) and ids with those of handles (ngeom,)."""
        names = [model.geom(index).name for index in range(model.ngeom)]
        instances = np.array([_instance(name) for name in names], dtype=np.int32)
        ids = np.array(
            [
                self._handle_geoms.get("/".join(name.split("/")[:3]), instance)
                for name, instance in zip(names, instances, strict=True)
            ],
            dtype=np.int32,
        )
        return instances, ids


def _pose(obj: ObjectSpec) -> Matrix:
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    return rigid(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.array(obj.position))


def _box(pieces: Sequence[Piece]) -> tuple[Array, Array]:
    low = np.min([piece.center - piece.reach for piece in pieces], axis=0)
    high = np.max([piece.center + piece.reach for piece in pieces], axis=0)
    return low, high


def _instance(name: str) -> int:
    """Of a geom by its name, ``see/<instance>/...`` or ``touch/<instance>/...``; 0 for all others."""
    kind, _, rest = name.partition("/")
    number = rest.partition("/")[0]
    return int(number) if kind in ("see", "touch") and number.isdigit() else 0
