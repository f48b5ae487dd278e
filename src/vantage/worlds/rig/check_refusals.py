"""Steps of the check: what must not be is refused with the reason, and nothing moves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Status
from vantage.worlds.limits import DRY_RUN
from vantage.worlds.rig import inverse
from vantage.worlds.rig.check_findings import FailedError, SkipError, require
from vantage.worlds.rig.check_hands import Hands, joint_words, pose_words

_BEYOND = 0.01  # m or rad
_POSTURES = 1500
_GRID = (0.0, 0.5, 1.0)
_ALONG = np.linspace(0.0, 1.0, 5)


def limits(hands: Hands) -> str:
    """Targets and joint positions beyond a limit are refused; asked first, so that nothing moves if they are not."""
    world, chain, before = hands.rig.world, hands.rig.description.chain, hands.positions()
    targets = list(_beyond(hands))
    for target in targets:
        require(world.refusal(target), f"{pose_words(target)} would not be refused")
    strides = list(_too_far(hands))
    for target in (*targets, *strides):
        result = hands.send(target)
        require(result.status == Status.REJECTED, f"{pose_words(target)} was not refused but {result.status.name}")
        require(result.reason, f"{pose_words(target)} was refused without a reason")
    count = 0
    for i, joint in enumerate(chain.joints):
        for end, way in ((joint.lower, -_BEYOND), (joint.upper, _BEYOND)):
            q = before.copy()
            q[i] = end + way
            if math.isfinite(end):
                require(not world.may_stand(q), f"joint '{joint.name}' may stand at {q[i]:.3f} {joint.unit}")
                count += 1
    _require_still(hands, before)
    return (
        f"{len(targets)} targets beyond a limit, {len(strides)} too far away for one command and {count} joint "
        f"positions were refused, for instance: {result.reason}"
    )


def obstacles(hands: Hands) -> str:
    """Forbidden boxes, the rig's own bodies and the room bar the way."""
    rules, world, chain = hands.rig.description.safety, hands.rig.world, hands.rig.description.chain
    boxes = [f"the forbidden box '{box.name}'" for box in rules.boxes]
    pairs = [f"the {a} near the {b}" for a, b in rules.apart]
    things = [*boxes, *pairs, *(["the room"] if rules.room else [])]
    if not things:
        raise SkipError("the rig's file names no forbidden box, no bodies to keep apart and no room")
    reasons: dict[str, str] = {}
    for q in (*(q for box in rules.boxes for q in _into(hands, box.low, box.high)), *hands.postures(_POSTURES)):
        allowed, touched = world.may_stand(q), _touched(hands, q)
        require(not (allowed and touched), f"{touched} is touched with the joints at {joint_words(q)}: not refused")
        if not allowed and len(reasons) < len(things):
            reason = world.refusal(chain.viewpoint(q)) or ""
            thing = _named(hands, reason)
            if thing:
                reasons.setdefault(thing, reason)
    far = [thing for thing in things if thing not in reasons]
    out = f"out of reach, so not tried: {', '.join(far)}" if far else ""
    if not reasons:
        raise SkipError(out)
    return "; ".join([*reasons.values(), *([out] if out else [])])


def dry_run(hands: Hands) -> str:
    """A dry run says what it would do and does nothing."""
    before, target = hands.positions(), hands.turned()
    with hands.rig.world.dry_run():
        result = hands.send(target)
    require(result.status == Status.REJECTED, f"a free motion was {result.status.name}")
    require(result.reason == DRY_RUN, f"a free motion was refused: {result.reason}")
    _require_still(hands, before)
    return result.reason


def _beyond(hands: Hands) -> Iterator[Viewpoint]:
    limits, here = hands.rig.world.info.limits, hands.rig.world.viewpoint
    for name in ("x", "yaw"):
        for value in (math.nan, math.inf):
            yield replace(here, **{name: value})
    ends = zip(("x", "y", "z", "pitch"), (*limits.bounds_min, limits.pitch_min), (*limits.bounds_max, limits.pitch_max))
    for name, low, high in ends:
        for value in (low - _BEYOND, high + _BEYOND):
            if math.isfinite(value):
                yield replace(here, **{name: value})


def _too_far(hands: Hands) -> Iterator[Viewpoint]:
    """Places within the limits to which one command must not go."""
    limits, here = hands.rig.world.info.limits, hands.rig.world.viewpoint
    for axis, low, high in zip("xyz", limits.bounds_min, limits.bounds_max, strict=True):
        for way in (-1.1 * limits.max_translation, 1.1 * limits.max_translation):
            if low < getattr(here, axis) + way < high:
                yield replace(here, **{axis: getattr(here, axis) + way})
                break


def _into(hands: Hands, low: Matrix, high: Matrix) -> Iterator[Matrix]:
    """Joint positions (N,) that bring the camera into a box (two corners, m, world frame)."""
    limits, here = hands.rig.world.info.limits, hands.rig.world.viewpoint
    least, most = np.maximum(low, limits.bounds_min), np.minimum(high, limits.bounds_max)
    if np.any(least > most):
        return
    for share in np.stack(np.meshgrid(_GRID, _GRID, _GRID), axis=-1).reshape(-1, 3):
        point = least + share * (most - least)
        try:
            yield inverse.solve(
                hands.rig.description.chain,
                Viewpoint(*(float(value) for value in point), here.yaw, here.pitch),
                hands.rig.driver.state().positions,
            )
        except UnreachableError:
            continue


def _touched(hands: Hands, q: Matrix) -> str:
    """A box that holds a point of a body's axis, or a pair of bodies that run into each other, at joint positions
    (N,); reckoned without the code that guards the rig. Empty for none."""
    description = hands.rig.description
    rules, poses = description.safety, description.chain.link_poses(q)
    links = [description.chain.base, *(joint.link for joint in description.chain.joints)]
    axes = {}
    for body in rules.bodies:
        T_world_link = poses[links.index(body.link)]
        points = np.array(body.start) + _ALONG[:, None] * np.subtract(body.end, body.start)
        axes[body.name] = points @ T_world_link[:3, :3].T + T_world_link[:3, 3]
    for box in rules.boxes:
        for name, points in axes.items():
            if np.any(np.all((points >= box.low) & (points <= box.high), axis=1)):
                return f"the forbidden box '{box.name}' by the {name}"
    radii = {body.name: body.radius for body in rules.bodies}
    for a, b in rules.apart:
        gaps = np.linalg.norm(axes[a][:, None] - axes[b][None], axis=2)
        if gaps.min() < radii[a] + radii[b]:
            return f"the {b} by the {a}"
    return ""


def _named(hands: Hands, reason: str) -> str:
    """Which of the things that bar the way a refusal speaks of; empty for none."""
    rules = hands.rig.description.safety
    for box in rules.boxes:
        if f"the forbidden box '{box.name}'" in reason:
            return f"the forbidden box '{box.name}'"
    for a, b in rules.apart:
        if f"the {a} " in reason and f"of the {b} " in reason:
            return f"the {a} near the {b}"
    return "the room" if rules.room and reason.startswith("the ") and " m of " in reason else ""


def _require_still(hands: Hands, before: Matrix) -> None:
    if np.any(np.abs(hands.positions() - before) > hands.rig.description.chain.resolution):
        raise FailedError("all that was asked for was refused, and yet the rig moved")
