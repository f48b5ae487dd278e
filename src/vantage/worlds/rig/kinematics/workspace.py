"""Where a rig can bring its camera."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Point
from vantage.worlds.rig.kinematics.chain import Chain
from vantage.worlds.rig.kinematics.inverse import solve
from vantage.worlds.rig.kinematics.inverse_analytic import screws_of

_STARTS = 64
_SWEEPS = 200
_SETTLED = 1e-12  # m, or of a unit vector: a sweep that gains less is the last
_UNLIMITED = 1e6  # m: a slide without limits ends here


class Workspace(NamedTuple):
    """The box of the camera's positions (m, world frame) and the range of its pitch (rad), within the soft limits.

    Not every viewpoint in it can be reached: see ``reachable``.
    """

    low: Point
    high: Point
    pitch_min: float
    pitch_max: float


@lru_cache(maxsize=16)
def bounds(chain: Chain) -> Workspace:
    """The workspace of a chain; those of the chains used last are kept."""
    low_x, high_x, low_y, high_y, low_z, high_z = (
        float(chain.T_world_camera(_farthest(chain, sign * axis, view=False))[:3, 3] @ axis)
        for axis in np.eye(3)
        for sign in (-1.0, 1.0)
    )
    lowest, highest = (_farthest(chain, np.array([0.0, 0.0, sign]), view=True) for sign in (-1.0, 1.0))
    pitch_min, pitch_max = chain.viewpoint(lowest).pitch, chain.viewpoint(highest).pitch
    return Workspace((low_x, low_y, low_z), (high_x, high_y, high_z), pitch_min, pitch_max)


def reachable(chain: Chain, viewpoint: Viewpoint, near: Matrix | None = None) -> str | None:
    """Why no joint positions within the limits give a viewpoint, in words, or None where some do."""
    try:
        solve(chain, viewpoint, _middle(chain) if near is None else near)
    except UnreachableError as error:
        return str(error)
    return None


def share(chain: Chain, viewpoints: Iterable[Viewpoint]) -> float:
    """0..1: how many of some viewpoints can be reached; 0 where there are none."""
    reasons = [reachable(chain, viewpoint) for viewpoint in viewpoints]
    return reasons.count(None) / max(1, len(reasons))


def _farthest(chain: Chain, along: Matrix, view: bool) -> Matrix:
    """Joint positions (N,) that bring the camera, or the tip of its direction of view, farthest along a vector (3,).

    In each joint alone the way along the vector is a straight line or a sine, whose top within the limits is known.
    So each is put to its top in turn until nothing is gained, from many starts: exact for slides, a pan and a tilt.
    """
    screws = screws_of(chain)
    low, high = _limits(chain)
    q = low + np.random.default_rng(0).random((_STARTS, chain.size)) * (high - low)
    reached: Matrix = np.full(_STARTS, -math.inf)
    for _ in range(_SWEEPS):
        for i in range(chain.size):
            rotation, position, axes, velocities = screws.poses(q)
            if not screws.slides[i]:
                arm = np.cross(axes[:, i], rotation[:, :, 0]) if view else velocities[:, i]
                q[:, i] = _top(q[:, i], np.cross(arm, axes[:, i]) @ along, arm @ along, low[i], high[i])
            elif not view:
                slope = velocities[:, i] @ along
                q[:, i] = np.where(slope > 1e-12, high[i], np.where(slope < -1e-12, low[i], q[:, i]))
        rotation, position, _, _ = screws.poses(q)
        gained = (rotation[:, :, 0] if view else position) @ along
        if (gained - reached).max() <= _SETTLED:
            break
        reached = gained
    return np.asarray(q[int(np.argmax(gained))])


def _top(angle: Matrix, cosine: Matrix, sine: Matrix, low: float, high: float) -> Matrix:
    """(B,): where ``cosine * cos(d) + sine * sin(d)`` is largest, d away from ``angle``, within the limits."""
    top = angle + np.arctan2(sine, cosine)
    top += np.ceil((low - top) / math.tau) * math.tau
    at_low, at_high = (cosine * np.cos(end - angle) + sine * np.sin(end - angle) for end in (low, high))
    best = np.where(top <= high, top, np.where(at_low >= at_high, low, high))
    return np.asarray(np.where(np.hypot(cosine, sine) > 1e-15, best, angle))


def _limits(chain: Chain) -> tuple[Matrix, Matrix]:
    """Soft limits (N,), finite ones in place of none: a full turn, or longer than any slide."""
    slides = screws_of(chain).slides
    endless = ~slides & ~(np.isfinite(chain.lower) & np.isfinite(chain.upper))
    low = np.where(endless, -math.pi, np.maximum(chain.lower, -_UNLIMITED))
    return low, np.where(endless, math.pi, np.minimum(chain.upper, _UNLIMITED))


def _middle(chain: Chain) -> Matrix:
    low, high = _limits(chain)
    return np.asarray(0.5 * (low + high))
