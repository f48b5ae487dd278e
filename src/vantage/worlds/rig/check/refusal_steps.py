"""Steps of the check: what lies beyond a limit is refused with the reason, and nothing moves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vantage.spatial import Matrix, Viewpoint
from vantage.types import Status
from vantage.worlds.limits import DRY_RUN
from vantage.worlds.rig.check.check_hands import Hands
from vantage.worlds.rig.check.check_places import pose_words
from vantage.worlds.rig.check.findings import FailedError, require

_BEYOND = 0.01  # m or rad


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
    ends = [(axis, limits.bounds_min[i], limits.bounds_max[i]) for i, axis in enumerate("xyz")]
    for name, low, high in (*ends, ("pitch", limits.pitch_min, limits.pitch_max)):
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
    if 1.1 * limits.max_rotation < math.pi:
        yield replace(here, yaw=here.yaw + 1.1 * limits.max_rotation)


def _require_still(hands: Hands, before: Matrix) -> None:
    if np.any(np.abs(hands.positions() - before) > hands.rig.description.chain.resolution):
        raise FailedError("all that was asked for was refused, and yet the rig moved")
