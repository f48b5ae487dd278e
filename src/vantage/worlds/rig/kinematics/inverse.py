"""Inverse kinematics: joint positions within their limits that put the camera where it should be.

Chains without a closed form are solved by damped least squares within the limits, from many starts at once. Source:
T. Sugihara, Solvability-Unconcerned Inverse Kinematics by the Levenberg-Marquardt Method, IEEE Transactions on Robotics
27(5), 2011: a damping in proportion to the squared error converges fast, near singular positions too.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, Viewpoint
from vantage.worlds.rig.kinematics.chain import Chain
from vantage.worlds.rig.kinematics.inverse_aim import Finding, PoseGoal, StepLimit, best, finding, problem, turned_near
from vantage.worlds.rig.kinematics.inverse_analytic import JointAxes, pan_tilt_of, screws_of

_ROUNDS = 80
_DONE = 1e-22  # squared error, m^2 or rad^2
_FLAT = 1e-14  # least damping, as a share of the largest slope squared
_STUCK = 1e9  # damping beyond which nothing is gained any more
_WAVES = (24, 128)  # starts that are tried before a pose counts as out of reach
_WIDE = 4.0  # m or rad around the present position where a joint has no limits
_NEARER = 30  # steps towards the present positions where infinitely many give the pose


class NumericSolver:
    """Moves joint positions towards an aim, all of them together."""

    def __init__(self, screws: JointAxes, aim: PoseGoal, low: Matrix, high: Matrix) -> None:
        self._screws, self._aim, self._low, self._high = screws, aim, low, high

    def run(self, q: Matrix) -> Matrix:
        """From (B, N) to (B, N), where the error is as small as it gets from each start."""
        result = np.clip(q, self._low, self._high)
        active = np.arange(len(result))
        at = result.copy()
        errors, slopes = self.linear(at)
        costs = (errors**2).sum(axis=1)
        damping: Matrix = np.ones(len(at))
        for _ in range(_ROUNDS):
            steps = self._steps(at, errors, slopes, damping * costs)
            trial = np.clip(at + steps, self._low, self._high)
            new_errors, new_slopes = self.linear(trial)
            new_costs = (new_errors**2).sum(axis=1)
            better = new_costs < costs
            at[better], errors[better], slopes[better] = trial[better], new_errors[better], new_slopes[better]
            costs[better] = new_costs[better]
            damping = np.where(better, np.maximum(damping / 5.0, 1e-6), damping * 10.0)
            result[active] = at
            on = (costs > _DONE) & (damping < _STUCK) & (np.abs(steps).max(axis=1) > 1e-15)
            if not on.any():
                break
            active, at, errors, slopes = active[on], at[on], errors[on], slopes[on]
            costs, damping = costs[on], damping[on]
        return result

    def linear(self, q: Matrix) -> tuple[Matrix, Matrix]:
        """Errors (B, M) at joint positions (B, N) and how they change with them (B, M, N).

        The error of a direction is the difference of unit vectors, that of a rotation of its three axes over sqrt(2):
        smooth everywhere, and the angle itself where it is small.
        """
        rotation, position, axes, velocities = self._screws.poses(q)
        kept, scale = (3, math.sqrt(0.5)) if self._aim.roll else (1, 1.0)
        directions = rotation[:, :, :kept].swapaxes(1, 2)  # (B, kept, 3)
        wanted = self._aim.rotation[:, :kept].T
        errors = np.concatenate([position - self._aim.position, scale * (directions - wanted).reshape(len(q), -1)], 1)
        turning = np.cross(axes[:, None], directions[:, :, None])  # (B, kept, N, 3)
        turning = scale * turning.swapaxes(2, 3).reshape(len(q), 3 * kept, -1)
        return errors, np.concatenate([velocities.swapaxes(1, 2), turning], axis=1)

    def _steps(self, q: Matrix, errors: Matrix, slopes: Matrix, damping: Matrix) -> Matrix:
        """(B, N): Levenberg-Marquardt steps of the joints that are not pushed against a limit."""
        gradient = np.einsum("bmn,bm->bn", slopes, errors)
        held = ((q <= self._low) & (gradient > 0)) | ((q >= self._high) & (gradient < 0))
        free = np.where(held[:, None], 0.0, slopes)
        square = free.swapaxes(1, 2) @ free
        damping = damping + _FLAT * (1.0 + np.einsum("bnn->bn", square).max(axis=1))
        square += damping[:, None, None] * np.eye(q.shape[1])
        return np.asarray(-np.linalg.solve(square, np.where(held, 0.0, gradient)[..., None])[..., 0])


def numeric_findings(chain: Chain, aim: PoseGoal, near: Matrix, stride: StepLimit | None = None) -> list[Finding]:
    """Several joint positions for an aim, those that fit among them where there are any; ``near`` is (N,).

    Where one fits that exceeds the stride, it is searched for longer, and that one is given if there is no other.
    """
    screws = screws_of(chain)
    limited = NumericSolver(screws, aim, chain.lower, chain.upper)
    free = NumericSolver(screws, aim, np.full(chain.size, -math.inf), np.full(chain.size, math.inf))
    found: list[Finding] = []
    for wave, count in enumerate(_WAVES[:1] if _too_far(chain, screws, aim) else _WAVES):
        starts = _starts(chain, near, count, wave)
        for descent in (limited, free, limited):
            found += _judged(chain, aim, near, descent.run(starts))
            closest = best(found, stride)
            if closest is not None:
                closest = _nearer(chain, aim, near, closest, limited, stride)
                if stride is None or not stride.exceeded(closest.q):
                    return [closest]
                found.append(closest)
            if descent is free:  # which comes close to corners of the limits, and tells which are in the way
                almost = sorted((f for f in found if f.exact), key=lambda f: f.beyond)
                if not almost:
                    break
                starts = np.array([f.q for f in almost[: _WAVES[0]]])
        if best(found) is not None:
            break  # what fits exceeds the stride, and so would what more starts find
    return found


def _too_far(chain: Chain, screws: JointAxes, aim: PoseGoal) -> bool:
    """Whether a position is farther from the first joint than all links in one line are long."""
    links = np.linalg.norm(np.diff([*screws.points, screws.camera[:3, 3]], axis=0), axis=1)
    slides = np.maximum(np.abs(chain.lower), np.abs(chain.upper))[screws.slides]
    return bool(np.linalg.norm(aim.position - screws.points[0]) > links.sum() + slides.sum() + 1e-6)


def _starts(chain: Chain, near: Matrix, count: int, seed: int) -> Matrix:
    """(count, N): the present position, some around it, and the others anywhere within the limits."""
    dice = np.random.default_rng(seed)
    low = np.where(np.isfinite(chain.lower), chain.lower, near - _WIDE)
    high = np.where(np.isfinite(chain.upper), chain.upper, near + _WIDE)
    starts = np.asarray(low + dice.random((count, chain.size)) * (high - low))
    around = count // 4
    starts[:around] = near + 0.3 * (starts[:around] - near)
    starts[0] = near
    return starts


def _judged(chain: Chain, aim: PoseGoal, near: Matrix, q: Matrix) -> list[Finding]:
    turned = np.array([turned_near(chain, row, near) for row in q])
    rotation, position, _, _ = screws_of(chain).poses(turned)
    metres, radians = aim.misses(rotation, position)
    upright = rotation[:, :, 2] @ aim.rotation[:, 2]
    return [
        finding(chain, row, near, (float(m), float(r)), aim.turned(float(u)))
        for row, m, r, u in zip(turned, metres, radians, upright, strict=True)
    ]


def _nearer(
    chain: Chain, aim: PoseGoal, near: Matrix, found: Finding, descent: NumericSolver, stride: StepLimit | None = None
) -> Finding:
    """Slide along joint positions that give the same pose, if there are such, to those closest to ``near``, within a
    stride from where ``found`` is."""
    for _ in range(_NEARER):
        way = _way_left(chain, found.q, near, descent)
        if np.abs(way / chain.speed).max() < 1e-7:
            break
        trials = descent.run(found.q + way * np.array([1.0, 0.5, 0.25, 0.125, 0.03])[:, None])
        closest = best(_judged(chain, aim, near, trials), stride)
        if closest is None or closest.cost > found.cost - 1e-7 or closest.worse > found.worse:
            break
        if stride is not None and stride.exceeded(closest.q) and not stride.exceeded(found.q):
            break
        found = closest
    return found


def _way_left(chain: Chain, q: Matrix, near: Matrix, descent: NumericSolver) -> Matrix:
    """(N,): the way to ``near``, weighed by time, of which only the part that does not move the camera is kept."""
    slopes = descent.linear(q[None])[1][0] * chain.speed
    held: NDArray[np.bool_] = np.zeros(chain.size, dtype=bool)
    for _ in range(chain.size):
        free = np.where(held, 0.0, slopes)
        _, values, rows = np.linalg.svd(free)
        moving = rows[: int((values > 1e-7).sum())]
        wish = np.where(held, 0.0, (near - q) / chain.speed)
        way: Matrix = chain.speed * (wish - moving.T @ (moving @ wish))
        blocked = ((q <= chain.lower) & (way < -1e-12)) | ((q >= chain.upper) & (way > 1e-12))
        if not blocked.any():
            return way
        held |= blocked
    return np.zeros(chain.size)


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
    stride = None if most is None else StepLimit(start, most)
    _check_finite(viewpoint.position, viewpoint.yaw, viewpoint.pitch)
    what = (
        f"the camera cannot be at ({viewpoint.x:.3f}, {viewpoint.y:.3f}, {viewpoint.z:.3f}) m with yaw "
        f"{viewpoint.yaw:.3f} and pitch {viewpoint.pitch:.3f} rad"
    )
    if _levels(chain):
        return _found(chain, what, numeric_findings(chain, PoseGoal.at(viewpoint, roll=True), start, stride), stride)
    aim = PoseGoal.at(viewpoint, roll=False)
    closed = pan_tilt_of(chain)
    if closed is not None:
        findings = closed.findings(aim, start)
        if closed.settles(aim, findings):
            return _found(chain, what, findings, stride)
    if aim.vertical:
        findings = numeric_findings(chain, PoseGoal.at(viewpoint, roll=True), start, stride)
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
    return _found(chain, what, numeric_findings(chain, PoseGoal(target[:3, 3], u @ v, True), start))


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


def _found(chain: Chain, what: str, findings: list[Finding], stride: StepLimit | None = None) -> Matrix:
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
