"""Steps of the check: what is beyond a limit or in an obstacle is refused with the reason, and nothing moves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Point, Status
from vantage.worlds.limits import DRY_RUN
from vantage.worlds.rig.check.check_report import FailedError, SkipError, require
from vantage.worlds.rig.check.rig_under_test import RigUnderTest, joint_words, pose_words
from vantage.worlds.rig.description import Box, SafetyRules
from vantage.worlds.rig.kinematics import inverse
from vantage.worlds.rig.safety import RigSafety

_POSTURES = 1500
_QUESTIONS = 30  # for reasons, which take long where the inverse is searched for
_GRID = (0.0, 0.5, 1.0)
_ALONG = np.linspace(0.0, 1.0, 5)
_LEAST_WAY = 0.1  # m: of a body that meets that box at its end but not at its beginning
_HALF = 0.01  # m: of the box that the check puts in the way
_ROOM = "the room"


def obstacles(subject: RigUnderTest) -> str:
    """Each of them is given as the reason of some refusal, and none is touched at postures that are allowed. Nothing
    moves."""
    rules, chain = subject.rig.description.safety, subject.rig.description.chain
    objects = [*(_box(box.name) for box in rules.boxes), *(_pair(a, b) for a, b in rules.apart)]
    objects += [_ROOM] if rules.room else []
    reasons: dict[str, str] = {}
    asked = 0
    for q in (*(q for box in rules.boxes for q in _into(subject, box.low, box.high)), *subject.postures(_POSTURES)):
        allowed, touched = subject.rig.machine.may_stand(q), _touched(subject, q)
        require(not (allowed and touched), f"{touched} would be touched with the joints at {joint_words(q)}")
        if allowed or len(reasons) == len(objects) or (touched in reasons if touched else asked == _QUESTIONS):
            continue
        asked += 1
        reason = subject.rig.machine.refusal(chain.viewpoint(q)) or ""
        obj = _told(rules, reason)
        if obj or touched:
            reasons.setdefault(obj or touched, reason if obj else f"{touched} bars {joint_words(q)}")
    far = [obj for obj in objects if obj not in reasons]
    words = [*reasons.values(), *([f"out of reach: {', '.join(far)}"] if far else [])]
    return "; ".join(words if reasons else [*words, _in_the_way(subject)])


def _in_the_way(subject: RigUnderTest) -> str:
    """Where the rig meets nothing of its own, a box is put in its way that only this check knows."""
    description, here = subject.rig.description, subject.rig.driver.state().positions
    most, body, q = 0.0, "", here
    for target in _ends(subject, here):
        before, after = _axes(subject, here), _axes(subject, target)
        for name in after:
            way = float(np.linalg.norm(after[name][0] - before[name][0]))
            if way > most:
                most, body, q = way, name, target
    if most < _LEAST_WAY:
        raise SkipError("no body of the rig's file moves far, so nothing can be put in its way")
    x, y, z = (float(value) for value in _axes(subject, q)[body][0])
    box = Box("put there by the check", (x - _HALF, y - _HALF, z - _HALF), (x + _HALF, y + _HALF, z + _HALF))
    rules = replace(description.safety, boxes=(box,), apart=(), room="", from_depth=False)
    reason = RigSafety(description.chain, rules, lambda: here).path_violation(here, q)
    require(reason and f"'{box.name}'" in reason, f"the {body} would hit a box in its way: {reason or 'not refused'}")
    return reason or ""


def _ends(subject: RigUnderTest, here: Matrix) -> Iterator[Matrix]:
    """Joint positions (N,) with one joint at an end of its travel."""
    for end in subject.limits():
        for i, value in enumerate(end):
            q = here.copy()
            q[i] = value
            yield q


def _box(name: str) -> str:
    return f"the forbidden box '{name}'"


def _pair(a: str, b: str) -> str:
    return f"the {a} near the {b}"


def _told(rules: SafetyRules, reason: str) -> str:
    """Which obstacle a refusal names; empty for none."""
    for box in rules.boxes:
        if _box(box.name) in reason:
            return _box(box.name)
    for a, b in rules.apart:
        if any(reason.startswith(f"the {one} ") and f" of the {other} " in reason for one, other in ((a, b), (b, a))):
            return _pair(a, b)
    return _ROOM if rules.room and " would come within " in reason else ""


def _into(subject: RigUnderTest, low: Point, high: Point) -> Iterator[Matrix]:
    """Joint positions (N,) that bring the camera into a box (two corners, m, world frame)."""
    limits, here = subject.rig.world.info.limits, subject.rig.machine.viewpoint
    least, most = np.maximum(low, limits.bounds_min), np.minimum(high, limits.bounds_max)
    if np.any(least > most):
        return
    for share in np.stack(np.meshgrid(_GRID, _GRID, _GRID), axis=-1).reshape(-1, 3):
        point = least + share * (most - least)
        x, y, z = (float(value) for value in point)
        target = Viewpoint(x, y, z, here.yaw, here.pitch)
        try:
            yield inverse.solve(subject.rig.description.chain, target, subject.rig.driver.state().positions)
        except UnreachableError:
            continue


def _touched(subject: RigUnderTest, q: Matrix) -> str:
    """The box that holds a point of a body's axis, or the pair of bodies that run into each other, at joint positions
    (N,); reckoned without the code that guards the rig. Empty for none."""
    rules, axes = subject.rig.description.safety, _axes(subject, q)
    for box in rules.boxes:
        for points in axes.values():
            if np.any(np.all((points >= box.low) & (points <= box.high), axis=1)):
                return _box(box.name)
    radii = {body.name: body.radius for body in rules.bodies}
    for a, b in rules.apart:
        gaps = np.linalg.norm(axes[a][:, None] - axes[b][None], axis=2)
        if gaps.min() < radii[a] + radii[b]:
            return _pair(a, b)
    return ""


def _axes(subject: RigUnderTest, q: Matrix) -> Mapping[str, Matrix]:
    """Points (P, 3) along the axis of each body, m, world frame, at joint positions (N,)."""
    chain = subject.rig.description.chain
    links = [chain.base, *(joint.link for joint in chain.joints)]
    poses, axes = chain.link_poses(q), {}
    for body in subject.rig.description.safety.bodies:
        T_world_link = poses[links.index(body.link)]
        points = np.array(body.start) + _ALONG[:, None] * np.subtract(body.end, body.start)
        axes[body.name] = np.asarray(points @ T_world_link[:3, :3].T + T_world_link[:3, 3])
    return axes


_BEYOND = 0.01  # m or rad


def limits(subject: RigUnderTest) -> str:
    """Targets and joint positions beyond a limit are refused; that is checked without motion first."""
    chain, before = subject.rig.description.chain, subject.positions()
    targets = list(_beyond(subject))
    for target in targets:
        require(subject.rig.machine.refusal(target), f"{pose_words(target)} would not be refused")
    strides = list(_too_far(subject))
    for target in (*targets, *strides):
        result = subject.send(target)
        require(result.status == Status.REJECTED, f"{pose_words(target)} was not refused but {result.status.name}")
        require(result.reason, f"{pose_words(target)} was refused without a reason")
    count = 0
    for i, joint in enumerate(chain.joints):
        for end, way in ((joint.lower, -_BEYOND), (joint.upper, _BEYOND)):
            q = before.copy()
            q[i] = end + way
            if math.isfinite(end):
                require(
                    not subject.rig.machine.may_stand(q), f"joint '{joint.name}' may stand at {q[i]:.3f} {joint.unit}"
                )
                count += 1
    _require_still(subject, before)
    return (
        f"{len(targets)} targets beyond a limit, {len(strides)} too far away for one command and {count} joint "
        f"positions were refused, for instance: {result.reason}"
    )


def dry_run(subject: RigUnderTest) -> str:
    """A dry run says what it would do and does nothing."""
    before, target = subject.positions(), subject.turned()
    with subject.rig.machine.dry_run():
        result = subject.send(target)
    require(result.status == Status.REJECTED, f"a free motion was {result.status.name}")
    require(result.reason == DRY_RUN, f"a free motion was refused: {result.reason}")
    _require_still(subject, before)
    return result.reason


def _beyond(subject: RigUnderTest) -> Iterator[Viewpoint]:
    limits, here = subject.rig.world.info.limits, subject.rig.machine.viewpoint
    for name in ("x", "yaw"):
        for value in (math.nan, math.inf):
            yield replace(here, **{name: value})
    ends = [(axis, limits.bounds_min[i], limits.bounds_max[i]) for i, axis in enumerate("xyz")]
    for name, low, high in (*ends, ("pitch", limits.pitch_min, limits.pitch_max)):
        for value in (low - _BEYOND, high + _BEYOND):
            if math.isfinite(value):
                yield replace(here, **{name: value})


def _too_far(subject: RigUnderTest) -> Iterator[Viewpoint]:
    """Places within the limits to which one command must not go."""
    limits, here = subject.rig.world.info.limits, subject.rig.machine.viewpoint
    for axis, low, high in zip("xyz", limits.bounds_min, limits.bounds_max, strict=True):
        for way in (-1.1 * limits.max_translation, 1.1 * limits.max_translation):
            if low < getattr(here, axis) + way < high:
                yield replace(here, **{axis: getattr(here, axis) + way})
                break
    if 1.1 * limits.max_rotation < math.pi:
        yield replace(here, yaw=here.yaw + 1.1 * limits.max_rotation)


def _require_still(subject: RigUnderTest, before: Matrix) -> None:
    if np.any(np.abs(subject.positions() - before) > subject.rig.description.chain.resolution):
        raise FailedError("all that was asked for was refused, and yet the rig moved")
