"""How a rig comes to rest: how long that may take and how far it may go meanwhile, against what it did."""

from __future__ import annotations

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.check.check_hands import SLACK, Hands, Motion, Sight, fastest
from vantage.worlds.rig.check.findings import SkipError, require
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Joint

DELAY = 0.1  # s from a request until the motors brake: twice what 99 of 100 requests need at most
_GLANCE = 0.1  # s for which a motion is watched at its full speed
_STEPS = 2.0  # of a motor, by which two readings may differ at rest
_PATIENCE = 10.0  # s


def cruise(hands: Hands, motion: Motion) -> Matrix:
    """(N,): how fast each joint has gone, m/s or rad/s, once the motion has got up to speed.

    Raises:
        SkipError: it was over before.
    """
    ramps = [joint.speed / joint.acceleration for joint, way in zip(_joints(hands), motion.way, strict=True) if way]
    seen = hands.watch(max(0.2, 1.5 * max(ramps)) + _GLANCE, motion.over.is_set)
    if motion.over.is_set():
        raise SkipError(
            f"the longest motion that is free takes only {motion.seconds:.2f} s, too little to be met on the way"
        )
    return fastest(seen)


def require_halt(hands: Hands, speed: Matrix, asked: float, sight: Sight, delay: float, watched: bool = True) -> str:
    """Waits for rest and proves that it came as soon as it must: v / a and v^2 / 2a after ``delay`` s at most, in
    words.

    Args:
        speed: (N,) of each joint before, m/s or rad/s.
        asked: monotonic time from which on it should brake.
        sight: when and where the joints were seen last before or just then.
        watched: whether they can be seen all the while; else only the way counts.

    Raises:
        FailedError: it took longer or went farther.
    """
    joints = _joints(hands)
    braking = np.array([joint.acceleration for joint in joints])
    rest, place = hands.rest(_PATIENCE)
    way = np.abs(place - sight[1])
    brakes = 0.5 * speed**2 / braking
    allowed = brakes + speed * (delay + max(0.0, asked - sight[0])) + _STEPS * hands.rig.description.chain.resolution
    j = int(np.argmax(way / allowed))
    took, most = max(0.0, rest - asked), delay + float(np.max(speed / braking)) + SLACK
    gone = _length(joints[j], way[j])
    words = (
        f"at rest {f'{took:.2f} s later and {gone} on' if watched else f'{gone} beyond where it was last seen'} "
        f"(joint '{joints[j].name}' at {speed[j]:.3f} {joints[j].unit}/s brakes in {_length(joints[j], brakes[j])}"
    )
    require(way[j] <= allowed[j], f"{words}, so {_length(joints[j], allowed[j])} are allowed after {delay:g} s)")
    require(took <= most or not watched, f"{words}, so {most:.2f} s are allowed)")
    return f"{words})"


def _joints(hands: Hands) -> tuple[Joint, ...]:
    return hands.rig.description.chain.joints


def _length(joint: Joint, value: float) -> str:
    return f"{1e3 * value:.1f} {'mm' if joint.kind == PRISMATIC else 'mrad'}"
