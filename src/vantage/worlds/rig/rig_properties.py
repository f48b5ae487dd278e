"""Properties of a rig as worlds publish them: limits, size, tolerance and the pose of its links."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from vantage.config import Settings
from vantage.spatial import Matrix, invert, wrap_angle
from vantage.types import Link
from vantage.worlds.limits import MotionLimits
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.kinematics import Branch, Chain, bounds, capsule, pan_tilt_of, write_urdf

if TYPE_CHECKING:
    from vantage.worlds.rig.arm import Arm

BODY_LINK = "camera_link"
FRAME = "map"
_CLOSE = 1e-6  # m or rad
_TILTS, _STEEP = 9, 1.4  # tilts at which a yaw is looked at, and the pitch, rad, beyond which it says little
_NUDGE, _UPRIGHT = 0.1, 1e-3  # rad of the pan, and the share by which the yaw may differ from it
_ASKEW = 0.1  # rad by which a tilt may change the yaw


def motion_limits(description: RigDescription, settings: Settings) -> MotionLimits:
    """Where the camera may be: within reach, and within the pitch and the strides of the settings."""
    low, high, pitch_min, pitch_max = bounds(description.chain)
    limits = settings.limits
    return MotionLimits(
        low,
        high,
        max(pitch_min, limits.pitch_min),
        min(pitch_max, limits.pitch_max),
        limits.max_translation,
        limits.max_rotation,
        *yaw_range(description.chain),
    )


def yaw_range(chain: Chain) -> tuple[float, float]:
    """Yaws, rad, counted on beyond pi, between which the camera turns without an unwind.

    Infinite unless one upright pan, followed by a tilt, gives the yaw and ends somewhere. A camera that is mounted a
    little askew changes its yaw as it tilts: the range is then as wide as it gets.
    """
    endless = -math.inf, math.inf
    pan = chain.joints[-2] if chain.size >= 2 else None
    if pan is None or pan_tilt_of(chain) is None or not (math.isfinite(pan.lower) and math.isfinite(pan.upper)):
        return endless
    low, high = np.clip(chain.lower, -math.pi, None), np.clip(chain.upper, None, math.pi)
    offsets, signs = list[float](), set[float]()
    for share in np.linspace(0.0, 1.0, _TILTS):
        q = 0.5 * (low + high)
        q[-2], q[-1] = 0.0, low[-1] + share * (high[-1] - low[-1])
        seen = chain.viewpoint(q)
        if abs(seen.pitch) > _STEEP:
            continue
        q[-2] = _NUDGE
        turned = wrap_angle(chain.viewpoint(q).yaw - seen.yaw)
        if abs(abs(turned) - _NUDGE) > _UPRIGHT * _NUDGE:
            return endless
        signs.add(math.copysign(1.0, turned))
        offsets.append(seen.yaw if not offsets else offsets[0] + wrap_angle(seen.yaw - offsets[0]))
    if len(signs) != 1 or max(offsets) - min(offsets) > _ASKEW:
        return endless
    sign = signs.pop()
    low_end, high_end = sorted((sign * pan.lower, sign * pan.upper))
    return low_end + min(offsets), high_end + max(offsets)


def body_radius(description: RigDescription, default: float) -> float:
    """Radius of the sphere around the camera that holds all bodies of its link and their clearance, m."""
    rules, chain = description.safety, description.chain
    tip, camera = chain.joints[-1].link, chain.T_tip_camera[:3, 3]
    reaches = [
        max(float(np.linalg.norm(np.subtract(end, camera))) for end in (body.start, body.end)) + body.radius
        for body in rules.bodies
        if body.link == tip and body.room
    ]
    return max(reaches) + rules.clearance if reaches else default


def tolerance(chain: Chain, q: Matrix) -> float:
    """How far a step of each motor, all at once, takes the camera from joint positions (N,): m or rad, whichever is
    more."""
    here, sums = chain.T_world_camera(q), np.zeros(2)
    for i, step in enumerate(chain.resolution):
        moved = np.array(q)
        moved[i] += step
        there = chain.T_world_camera(moved)
        turned = math.acos(max(-1.0, min(1.0, 0.5 * (float(np.trace(here[:3, :3].T @ there[:3, :3])) - 1.0))))
        sums += np.array([np.linalg.norm(there[:3, 3] - here[:3, 3]), turned])
    return float(sums.max()) + _CLOSE


def urdf(description: RigDescription, arm: Arm | None) -> str:
    """A rig and its arm as URDF, from the world frame on, with the bodies that are kept clear of things to see."""
    chain = description.chain
    branches = [Branch(FRAME, chain.T_world_base, chain, BODY_LINK)]
    if arm is not None:
        branches.append(arm.branch())
    bodies = [capsule(body.link, body.start, body.end, body.radius) for body in description.safety.bodies]
    return write_urdf(description.name, FRAME, branches, [shape for shapes in bodies for shape in shapes])


def links(chain: Chain, q: Matrix) -> list[Link]:
    """From the world frame down to ``camera_link`` at joint positions (N,), each after the one that carries it."""
    poses = chain.link_poses(q)
    names = [chain.base, *(joint.link for joint in chain.joints)]
    found = [Link(FRAME, names[0], poses[0])]
    for parent, child, T_world_parent, T_world_child in zip(names, names[1:], poses, poses[1:], strict=False):
        found.append(Link(parent, child, invert(T_world_parent) @ T_world_child))
    return [*found, Link(names[-1], BODY_LINK, chain.T_tip_camera)]
