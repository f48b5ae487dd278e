"""Inverse kinematics: joint positions within their limits that put the camera where it should be."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, Viewpoint
from vantage.worlds.rig.kinematics.chain import Chain
from vantage.worlds.rig.kinematics.inverse_aim import Aim, Finding, Stride, best, problem
from vantage.worlds.rig.kinematics.inverse_analytic import pan_tilt_of
from vantage.worlds.rig.kinematics.inverse_numeric import numeric_findings
from vantage.worlds.rig.kinematics.inverse_screws import screws_of

_FARTHEST = 1e6  # m or rad: what is larger is a mistake, and would not be told to a step of a motor


def solve(chain: Chain, viewpoint: Viewpoint, near: Matrix, most: Matrix | None = None) -> Matrix:
    """Joint positions (N,) that put the camera at a viewpoint, as soon reached from ``near`` (N,) as possible.

    Chains of six or seven joints that can roll the camera hold it level; others look in the right direction, if
    possible with the top of the picture up. Straight up or down the yaw is kept where possible. In closed form for up
    to three slides with a pan and a tilt; otherwise by search, which finds the closest of many, not surely of all.

    Args:
        most: (N,) m or rad that each joint should travel at most: joint positions that keep to it are preferred to
            closer ones, but not to those with the top of the picture up.

    Raises:
        UnreachableError: no joint positions within the limits do; says which joint would have to be where.
    """
    start = _start(chain, near)
    stride = None if most is None else Stride(start, most)
    _check_finite(viewpoint.position, viewpoint.yaw, viewpoint.pitch)
    what = (
        f"the camera cannot be at ({viewpoint.x:.3f}, {viewpoint.y:.3f}, {viewpoint.z:.3f}) m with yaw "
        f"{viewpoint.yaw:.3f} and pitch {viewpoint.pitch:.3f} rad"
    )
    if _levels(chain):
        return _found(chain, what, numeric_findings(chain, Aim.at(viewpoint, roll=True), start, stride), stride)
    aim = Aim.at(viewpoint, roll=False)
    closed = pan_tilt_of(chain)
    if closed is not None:
        findings = closed.findings(aim, start)
        if closed.settles(aim, findings):
            return _found(chain, what, findings, stride)
    if aim.vertical:
        findings = numeric_findings(chain, Aim.at(viewpoint, roll=True), start, stride)
        if best(findings) is not None:
            return _found(chain, what, findings, stride)
    return _found(chain, what, numeric_findings(chain, aim, start, stride), stride)


def solve_pose(chain: Chain, T_world_tip_target: Matrix, near: Matrix) -> Matrix:
    """Joint positions (N,) that bring the tool, ``T_tip_camera``, to a pose (4, 4); see ``solve``.

    Raises:
        UnreachableError: no joint positions within the limits do, or the target is no rigid transform.
    """
    start = _start(chain, near)
    target = np.asarray(T_world_tip_target, dtype=np.float64)
    if target.shape != (4, 4):
        raise UnreachableError(f"the target pose has the shape {target.shape}, not (4, 4); give a rigid transform")
    _check_finite(target)
    u, stretch, v = np.linalg.svd(target[:3, :3])
    if np.abs(stretch - 1.0).max() > 1e-6 or np.linalg.det(u @ v) < 0:
        raise UnreachableError("the target pose holds no rotation; give a rigid transform")
    what = "the tool cannot be at ({:.3f}, {:.3f}, {:.3f}) m, turned as asked".format(*target[:3, 3])
    return _found(chain, what, numeric_findings(chain, Aim(target[:3, 3], u @ v, True), start))


def _check_finite(*values: Matrix | float) -> None:
    if not all(np.isfinite(value).all() and np.abs(value).max() <= _FARTHEST for value in values):
        raise UnreachableError(f"the target holds a number that is not finite or above {_FARTHEST:.0f}; mend it")


def _start(chain: Chain, near: Matrix) -> Matrix:
    """``near`` within the limits."""
    start = np.asarray(near, dtype=np.float64)
    if start.shape != (chain.size,) or not np.isfinite(start).all():
        raise UnreachableError(
            f"the present joint positions {start.tolist()} are not {chain.size} finite numbers; read them again"
        )
    return np.clip(start, chain.lower, chain.upper)


def _found(chain: Chain, what: str, findings: list[Finding], stride: Stride | None = None) -> Matrix:
    closest = best(findings, stride)
    if closest is None:
        raise UnreachableError(f"{what}: {problem(chain, findings)}; choose another place")
    return closest.q


@lru_cache(maxsize=16)
def _levels(chain: Chain) -> bool:
    """Whether the camera can be rolled on its own: six joints or more, and turns about three independent axes."""
    if chain.size < 6:
        return False
    anywhere = np.asarray(np.linspace(0.4, 1.1, chain.size), np.float64)[None]
    return int(np.linalg.matrix_rank(screws_of(chain).poses(anywhere)[2][0], tol=1e-3)) == 3
