"""Inverse kinematics in closed form, for up to three slides that carry a pan and a tilt.

The direction of view alone gives pan and tilt, the second of the subproblems of Paden and Kahan: R. Murray, Z. Li,
S. Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, section 3.3.2. The position then gives the slides.
``JointAxes`` is a chain as a product of exponentials, for many joint positions at once: K. Lynch, F. Park, Modern
Robotics, 2017, section 4.1.2 (space form).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Matrix
from vantage.types import Point
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Chain
from vantage.worlds.rig.kinematics.inverse_aim import TOLERANCE, Finding, PoseGoal, best, finding, nearest_turn


@dataclass(frozen=True, eq=False)
class JointAxes:
    """Where the joints' axes and the camera are, in the world, with every joint at 0.

    Attributes:
        slides: (N,) bool, true for prismatic joints.
        axes: (N, 3) unit vectors.
        points: (N, 3) m, one on each axis.
        camera: (4, 4) T_world_camera.
    """

    slides: NDArray[np.bool_]
    axes: Matrix
    points: Matrix
    camera: Matrix

    def poses(self, q: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Of the camera at B joint positions (B, N): rotation (B, 3, 3) and position (B, 3), m.

        Then how they change with each joint: rotation axis, zero for prismatic joints, and velocity, both (B, N, 3).
        """
        turns = self._turns(q)
        rotation: Matrix = np.broadcast_to(np.eye(3), (len(q), 3, 3))
        position: Matrix = np.zeros((len(q), 3))
        axes, points = np.empty((*q.shape, 3)), np.empty((*q.shape, 3))
        for i in range(q.shape[1]):
            axes[:, i] = rotation @ self.axes[i]
            points[:, i] = rotation @ self.points[i] + position
            if self.slides[i]:
                position = position + axes[:, i] * q[:, i, None]
            else:
                rotation = rotation @ turns[:, i]
                position = points[:, i] - rotation @ self.points[i]
        position = rotation @ self.camera[:3, 3] + position
        velocities = np.where(self.slides[:, None], axes, _cross_many(axes, position[:, None] - points))
        return rotation @ self.camera[:3, :3], position, np.where(self.slides[:, None], 0.0, axes), velocities

    def _turns(self, q: Matrix) -> Matrix:
        """(B, N, 3, 3): rotations about the axes (Rodrigues)."""
        x, y, z = self.axes.T
        zero = np.zeros_like(x)
        k = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
        sine, cosine = np.sin(q)[..., None, None], np.cos(q)[..., None, None]
        return np.asarray(np.eye(3) + sine * k + (1.0 - cosine) * (k @ k))


@lru_cache(maxsize=16)
def screws_of(chain: Chain) -> JointAxes:
    """The screws of a chain; those of the chains used last are kept."""
    poses = chain.link_poses(np.zeros(chain.size))
    axes = [pose[:3, :3] @ np.asarray(joint.axis) for joint, pose in zip(chain.joints, poses[1:], strict=True)]
    slides = np.array([joint.kind == PRISMATIC for joint in chain.joints])
    points = np.array([pose[:3, 3] for pose in poses[1:]])
    return JointAxes(slides, np.array(axes), points, poses[-1] @ chain.T_tip_camera)


def _cross_many(a: Matrix, b: Matrix) -> Matrix:
    """As ``np.cross``, quicker for many vectors of three."""
    return np.asarray(a[..., [1, 2, 0]] * b[..., [2, 0, 1]] - a[..., [2, 0, 1]] * b[..., [1, 2, 0]])


_PARALLEL = 1e-3  # sine of the least angle between directions that are told apart
_ALONG = 1e-9  # sine of the angle to the pan axis below which the direction of view leaves the pan open


class PanTilt:
    """Slides, then a pan axis and a tilt axis that is not parallel to it, then a camera mounted in any way."""

    def __init__(self, chain: Chain, screws: JointAxes) -> None:
        self._chain = chain
        self._slides = chain.size - 2
        self._directions = screws.axes[: self._slides].T
        self._inverse = np.linalg.pinv(self._directions)
        self._pan, self._tilt = _tuple(screws.axes[-2]), _tuple(screws.axes[-1])
        self._forward, self._up = _tuple(screws.camera[:3, 0]), _tuple(screws.camera[:3, 2])
        self._hub = screws.points[-2]
        self._to_tilt = _tuple(screws.points[-1] - screws.points[-2])
        self._to_camera = _tuple(screws.camera[:3, 3] - screws.points[-1])
        # A frame around the pan axis: the tilt axis lies in the plane of the pan axis and ``_side``.
        self._along = _dot(self._pan, self._tilt)
        cross = _cross(self._pan, self._tilt)
        self._apart = math.sqrt(_dot(cross, cross))
        self._normal = _scaled(cross, 1.0 / self._apart)
        self._side = _cross(self._normal, self._pan)

    def settles(self, aim: PoseGoal, findings: list[Finding]) -> bool:
        """Whether what is not among the findings does not exist: the slides reach all positions, and no other pan
        could help."""
        joint = self._chain.joints[-1]
        open_pan = self._looks_along_pan_axis(_tuple(aim.rotation[:, 0]))
        tilts = any(joint.lower <= f.q[-1] <= joint.upper for f in findings)
        return best(findings) is not None or (self._slides == 3 and not (open_pan and tilts))

    def findings(self, aim: PoseGoal, near: Matrix) -> list[Finding]:
        """What comes nearest to a direction of view, one for each way to turn there; ``near`` is (N,)."""
        view = _tuple(aim.rotation[:, 0])
        found: list[Finding] = []
        for halfway in self._halfway(view):
            tilt = _angle(self._tilt, self._forward, halfway)
            joint = self._chain.joints[-1]
            tilt = nearest_turn(tilt, float(near[-1]), joint.lower, joint.upper)
            if self._looks_along_pan_axis(view):
                pans = [float(near[-2])]
                if aim.vertical:  # then the pan gives the yaw
                    pans.append(_angle(self._pan, _turned(self._up, self._tilt, tilt), _tuple(aim.rotation[:, 2])))
            else:
                pans = [_angle(self._pan, halfway, view)]
            found += [self._judged(aim, near, pan, tilt) for pan in pans]
        return found

    def _halfway(self, view: Point) -> list[Point]:
        """The directions that tilting can give the camera and panning can turn to ``view``, or the nearest to such."""
        height, reach = _dot(self._pan, view), _cross(self._pan, view)
        beside = (_dot(self._tilt, self._forward) - self._along * height) / self._apart
        radius = math.sqrt(_dot(reach, reach))
        beside = min(max(beside, -radius), radius)
        across = math.sqrt((radius - beside) * (radius + beside))
        base = _sum(_scaled(self._pan, height), _scaled(self._side, beside))
        return [_sum(base, _scaled(self._normal, s)) for s in ((across, -across) if across > 0 else (0.0,))]

    def _looks_along_pan_axis(self, view: Point) -> bool:
        level = _cross(self._pan, view)
        return _dot(level, level) <= _ALONG**2

    def _judged(self, aim: PoseGoal, near: Matrix, pan: float, tilt: float) -> Finding:
        """With the slides that put the camera at the position, as far as they can."""
        joint = self._chain.joints[-2]
        pan = nearest_turn(pan, float(near[-2]), joint.lower, joint.upper)
        arm = _turned(_sum(self._to_tilt, _turned(self._to_camera, self._tilt, tilt)), self._pan, pan)
        way = aim.position - self._hub - arm
        slides = self._inverse @ way
        lower, upper = self._chain.lower[:-2], self._chain.upper[:-2]
        inside = np.minimum(np.maximum(slides, lower), upper)
        slides = np.where(np.abs(inside - slides) < 0.1 * TOLERANCE, inside, slides)
        left = self._directions @ slides - way
        view = _turned(_turned(self._forward, self._tilt, tilt), self._pan, pan)
        up = _turned(_turned(self._up, self._tilt, tilt), self._pan, pan)
        off = view - aim.rotation[:, 0]
        miss = math.sqrt(float(left @ left)), 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(float(off @ off))))
        worse = aim.turned(float(np.dot(up, aim.rotation[:, 2])))
        return finding(self._chain, np.array([*slides, pan, tilt]), near, miss, worse)


@lru_cache(maxsize=16)
def pan_tilt_of(chain: Chain) -> PanTilt | None:
    """The closed form of a chain, or None where it has none; those of the chains used last are kept."""
    slides = chain.size - 2
    screws = screws_of(chain)
    if not 0 <= slides <= 3 or screws.slides.tolist() != [True] * slides + [False] * 2:
        return None
    pan, tilt, forward = screws.axes[-2], screws.axes[-1], screws.camera[:3, 0]
    sines = [np.linalg.norm(np.cross(pan, tilt)), np.linalg.norm(np.cross(tilt, forward))]
    sines += list(np.linalg.svd(screws.axes[:slides], compute_uv=False))
    return PanTilt(chain, screws) if min(sines) > _PARALLEL else None


def _tuple(vector: Matrix) -> Point:
    x, y, z = vector.tolist()
    return x, y, z


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _sum(a: Point, b: Point) -> Point:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _scaled(a: Point, factor: float) -> Point:
    return a[0] * factor, a[1] * factor, a[2] * factor


def _turned(vector: Point, axis: Point, angle: float) -> Point:
    """Rodrigues."""
    sine, cosine = math.sin(angle), math.cos(angle)
    turned = _sum(_scaled(vector, cosine), _scaled(_cross(axis, vector), sine))
    return _sum(turned, _scaled(axis, _dot(axis, vector) * (1.0 - cosine)))


def _angle(axis: Point, a: Point, b: Point) -> float:
    """By how much to turn ``a`` about ``axis`` to come to ``b``; exact for vectors almost along the axis too."""
    a, b = _cross(axis, a), _cross(axis, b)
    return math.atan2(_dot(axis, _cross(a, b)), _dot(a, b))
