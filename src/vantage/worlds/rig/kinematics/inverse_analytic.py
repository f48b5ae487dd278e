"""Inverse kinematics in closed form: up to three slides that carry a pan and a tilt.

The direction of view alone tells pan and tilt, the second of the subproblems of Paden and Kahan: R. Murray, Z. Li,
S. Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, section 3.3.2. The position then tells the slides.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from vantage.spatial import Matrix
from vantage.types import Point
from vantage.worlds.rig.kinematics.chain import Chain
from vantage.worlds.rig.kinematics.inverse_aim import TOLERANCE, Aim, Finding, best, finding, nearest_turn
from vantage.worlds.rig.kinematics.inverse_screws import Screws, screws_of

_PARALLEL = 1e-3  # sine of the least angle between directions that are told apart
_ALONG = 1e-9  # sine of the angle to the pan axis below which the direction of view leaves the pan open


class PanTilt:
    """Slides, then a pan axis and a tilt axis that is not parallel to it, then a camera mounted in any way."""

    def __init__(self, chain: Chain, screws: Screws) -> None:
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

    def settles(self, aim: Aim, findings: list[Finding]) -> bool:
        """Whether what is not among the findings does not exist: the slides reach all positions, and no other pan
        could help."""
        joint = self._chain.joints[-1]
        open_pan = self._looks_along_pan_axis(_tuple(aim.rotation[:, 0]))
        tilts = any(joint.lower <= f.q[-1] <= joint.upper for f in findings)
        return best(findings) is not None or (self._slides == 3 and not (open_pan and tilts))

    def findings(self, aim: Aim, near: Matrix) -> list[Finding]:
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

    def _judged(self, aim: Aim, near: Matrix, pan: float, tilt: float) -> Finding:
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
