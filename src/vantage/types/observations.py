"""What worlds show and tell of themselves, and what is made out in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Intrinsics, Viewpoint

Point = tuple[float, float, float]

HANDLE = "handle"  # label of the parts by which objects are opened and closed


@dataclass(frozen=True)
class InstanceLabel:
    """What one instance id stands for.

    Attributes:
        room: the kind of room that a floor belongs to, else empty.
        part_of: instance id of the thing that this is a part of, such as a handle; 0 for things themselves.
    """

    instance_id: int
    label: str
    color: str = ""
    material: str = ""
    states: tuple[str, ...] = ()
    shape: str = ""
    room: str = ""
    part_of: int = 0


@dataclass(frozen=True, eq=False)
class Link:
    """Where one part of a robot is relative to the part that carries it: T_parent_child, shape (4, 4)."""

    parent: str
    child: str
    T_parent_child: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Posture:
    """How the robot that carries the camera stands: joint positions (m or rad) by name, and its links from the world
    frame down to ``camera_link``, each after the one that carries it."""

    joints: Mapping[str, float]
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Event:
    """Something that a world noticed about its hardware, for ``/diagnostics`` and the bag.

    Attributes:
        number: 1, 2, 3, ... over the life of the world.
        stamp: ns on the world's clock.
        kind: one short word, such as ``link`` or ``alarm``.
        fatal: whether the world stopped because of it.
    """

    number: int
    stamp: int
    kind: str
    sentence: str
    fatal: bool = False


@dataclass(frozen=True, eq=False)
class Touch:
    """What the hand of an arm feels, and where it is.

    Attributes:
        T_world_tool: (4, 4) pose of the tool, between the fingertips; x points from the wrist to what is grasped.
        force: (3,) N and
        torque: (3,) N m with which the hand pulls at the wrist, about the wrist, in the axes of the tool; NaN without a
            sensor.
        gripper_width: between the fingers, m; NaN without a gripper.
        holds: whether something is held.
    """

    T_world_tool: NDArray[np.float64]
    force: NDArray[np.float64]
    torque: NDArray[np.float64]
    gripper_width: float
    holds: bool = False


class Changes(IntEnum):
    """How things in a world change when they are opened, taken or put somewhere. Values equal those of WorldInfo.msg.

    NONE: they do not, or nobody knows of it. KINEMATIC: in one go, by rules, without contact, force or slipping.
    PHYSICS: as simulated bodies that a hand moves.
    """

    NONE = 0
    KINEMATIC = 1
    PHYSICS = 2


@dataclass(frozen=True, eq=False)
class Poses:
    """Where things are that can be moved in a world; gold data, never given to an agent.

    Attributes:
        things: T_world_object (4, 4) by instance id, of the frame in which a specification gives an object.
        joints: rad or m, by instance id and name of the moving part.
        switched: whether things are on that were switched, by instance id; of kinematic worlds.
        held: instance id of what the hand holds, 0 for nothing; of kinematic worlds, whose pictures lack it.
        changes: how things change in the world that tells this.
    """

    things: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)
    joints: Mapping[tuple[int, str], float] = field(default_factory=dict)
    switched: Mapping[int, bool] = field(default_factory=dict)
    held: int = 0
    changes: Changes = Changes.NONE

    def __bool__(self) -> bool:
        return bool(self.things or self.joints or self.switched)

    def updated(self, news: Poses) -> Poses:
        """These with what was told since."""
        return Poses(
            {**self.things, **news.things},
            {**self.joints, **news.joints},
            {**self.switched, **news.switched},
            news.held,
            news.changes,
        )


@dataclass(frozen=True)
class Observation:
    """What a world shows at one moment.

    Attributes:
        stamp: ns on the world's clock; strictly increasing.
        viewpoint: where the camera is.
        intrinsics: of the color image, and of the others where these have none of their own.
        rgb: (H, W, 3) uint8.
        depth: (h, w) float32, z in the optical frame in m, NaN where nothing is seen; None without a depth sensor.
        instances: (h, w) int32, 0 where nothing is seen; None outside simulation.
        legend: what the instance ids stand for; None where there are no instances.
        posture: of the robot that carries the camera; None where nothing does.
        depth_intrinsics: of depth and instance ids where they have another size than the color image: the same view
            with fewer pixels.
        touch: of the hand; None without an arm.
    """

    stamp: int
    viewpoint: Viewpoint
    intrinsics: Intrinsics
    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32] | None = None
    instances: NDArray[np.int32] | None = None
    legend: Mapping[int, InstanceLabel] | None = None
    posture: Posture | None = None
    depth_intrinsics: Intrinsics | None = None
    touch: Touch | None = None

    @property
    def depth_camera(self) -> Intrinsics:
        """The intrinsics of depth and instance ids."""
        return self.intrinsics if self.depth_intrinsics is None else self.depth_intrinsics

    @property
    def color_pixels(self) -> float:
        """How many pixels of the color image show what one of depth or instance ids shows."""
        few, many = self.depth_camera, self.intrinsics
        return many.width * many.height / (few.width * few.height)

    @property
    def color_depth(self) -> NDArray[np.float32] | None:
        """(H, W) depth at each pixel of the color image."""
        return None if self.depth is None else self.intrinsics.enlarged(self.depth)


@dataclass(frozen=True)
class Detection:
    """One object seen in one frame, located in the world frame (m) from depth and pose.

    Attributes:
        instance_id: the perceiver's identity of the object, 0 where it has none.
        text: words read from its print in this frame.
        room: the kind of room a floor belongs to.
        part_of: of a handle, the perceiver's identity of the object that it is on, 0 where it has none; 0 for objects.
    """

    instance_id: int
    label: str
    color: str
    material: str
    confidence: float
    pixels: int
    box: tuple[int, int, int, int]  # x, y, width, height in pixels
    center: Point
    bounds_min: Point
    bounds_max: Point
    states: tuple[str, ...] = ()
    truncated: bool = False
    shape: str = ""
    text: str = ""
    room: str = ""
    part_of: int = 0
