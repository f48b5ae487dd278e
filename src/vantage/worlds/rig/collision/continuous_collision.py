"""How far a rig can go along a straight line in joint space before one of its bodies comes too close to something.

The line is walked as in conservative advancement (Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems",
1996): no point of a body travels farther than a bound that the joints give, so that after a look at all distances the
rig may go on by the smallest of them before the next look. Nothing is jumped over, however thin.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from vantage.errors import ConfigError
from vantage.jit import kernel
from vantage.registry import did_you_mean
from vantage.spatial import Matrix
from vantage.worlds.rig.collision.capsules import segment_box, segment_segment
from vantage.worlds.rig.collision.collision_map import room_gap
from vantage.worlds.rig.description import SafetyRules
from vantage.worlds.rig.kinematics import PRISMATIC, Chain

CLEAR, TOO_LONG = -1, -2
_FAR = 0.1  # m beyond the clearance to which the room is searched
_MOST_LOOKS = 20_000  # along one line
_NOISE = 1e-9  # m
_PATIENCE = 0.1  # m that a body may travel close to something before it must have come away from it a little


class Model(NamedTuple):
    """A chain with its bodies and what they must not meet, for kernels; m, rad.

    The spacings between them come in this order: every body with every box, the pairs, every body with the room.

    Attributes:
        base: (4, 4) T_world_base.
        frames: (N, 4, 4) T_parent_joint.
        axes: (N, 3).
        slides: (N,) bool: prismatic.
        links: (B,) int: how many joints carry each body.
        segments: (B, 2, 3) in the frame of the body's link.
        radii: (B,).
        boxes: (K, 2, 3) corners, world frame.
        pairs: (P, 2) int: bodies that keep apart, the one carried by fewer joints first.
        indoors: (B,) bool: kept out of the room.
    """

    base: Any
    frames: Any
    axes: Any
    slides: Any
    links: Any
    segments: Any
    radii: Any
    boxes: Any
    pairs: Any
    indoors: Any


def travels(model: Model, start: Matrix, target: Matrix) -> Matrix:
    """How far any point can travel relative to its obstacle between two postures (N,), m, for every spacing, (C,).

    A joint that turns by an angle moves a point by no more than that times its distance from the joint's origin, which
    is no more than the lengths of all that lies between.
    """
    way = np.abs(target - start)
    farthest = np.where(model.slides, np.maximum(np.abs(start), np.abs(target)), 0.0)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(model.frames[:, :3, 3], axis=1) + farthest)])
    reach = np.linalg.norm(model.segments, axis=2).max(axis=1, initial=0.0)  # (B,) from the link's origin
    arm = lengths[model.links][:, None] - lengths[None, 1:] + reach[:, None]  # (B, N)
    carried = np.arange(len(way))[None, :] < model.links[:, None]
    moves = np.where(carried, way * np.where(model.slides, 1.0, arm), 0.0)
    total = moves.sum(axis=1)
    apart = [moves[b, model.links[a] :].sum() for a, b in model.pairs]
    indoors = np.where(model.indoors, total, 0.0)
    return np.concatenate([np.repeat(total, len(model.boxes)), np.array(apart), indoors])


@kernel
def sweep(
    model: Any, grid: Any, start: Any, target: Any, travel: Any, clearance: float, least: float
) -> tuple[float, int]:
    """How far along the line from ``start`` to ``target`` (N,) every body stays clear, and the spacing that ends it.

    A spacing that is below the clearance at the start may not shrink, and must grow to go on; one that does not change
    is not looked at. The number is ``CLEAR`` where nothing ends it, ``TOO_LONG`` where there is too much to look at.

    Args:
        travel: (C,) from ``travels``.
        least: m that a body may travel between two looks, however close it is.
    """
    gaps = spacings(model, grid, start, clearance)
    before = gaps.copy()
    allowed = np.minimum(gaps, 0.0)
    idle = np.zeros(len(gaps))
    at, looks = 0.0, 0
    while at < 1.0:
        step = 1.0
        for c in range(len(gaps)):
            if travel[c] > 0.0:
                step = min(step, max(gaps[c], least) / travel[c])
        looks += 1
        if looks > _MOST_LOOKS:
            return at, TOO_LONG
        at = min(at + step, 1.0)
        gaps = spacings(model, grid, start + at * (target - start), clearance)
        for c in range(len(gaps)):
            if travel[c] == 0.0:
                continue
            if gaps[c] > allowed[c] + _NOISE or gaps[c] >= 0.0:
                idle[c] = 0.0
            else:
                idle[c] += step * travel[c]
            if gaps[c] < allowed[c] - _NOISE or idle[c] > _PATIENCE:
                return at, c
            allowed[c] = min(max(gaps[c], allowed[c]), 0.0)
    for c in range(len(gaps)):
        if travel[c] > 0.0 and gaps[c] < 0.0 and gaps[c] <= before[c] + _NOISE:
            return at, c
    return at, CLEAR


@kernel
def spacings(model: Any, grid: Any, q: Any, clearance: float) -> Any:
    """What is left of every spacing beyond the clearance at a posture (N,), (C,), m; negative: too close.

    What the room leaves counts up to 0.1 m, and as 0.1 m for bodies that need not keep out of it.
    """
    bodies, boxes, pairs = len(model.radii), len(model.boxes), len(model.pairs)
    gaps = np.empty(bodies * boxes + len(model.pairs) + bodies)
    placed = place(model, q)
    for n in range(bodies):
        a, b, near = placed[n, 0], placed[n, 1], model.radii[n] + clearance
        for k in range(boxes):
            gaps[n * boxes + k] = segment_box(a, b, model.boxes[k, 0], model.boxes[k, 1])[0] - near
        room = _FAR
        if model.indoors[n]:
            room = room_gap(grid, a, b, near + _FAR)[0] - near
        gaps[bodies * boxes + pairs + n] = room
    for p in range(pairs):
        n, m = model.pairs[p, 0], model.pairs[p, 1]
        gap = segment_segment(placed[n, 0], placed[n, 1], placed[m, 0], placed[m, 1])[0]
        gaps[bodies * boxes + p] = gap - model.radii[n] - model.radii[m] - clearance
    return gaps


@kernel
def place(model: Any, q: Any) -> Any:
    """The bodies' segments at a posture (N,): (B, 2, 3), world frame, m."""
    placed = np.empty(model.segments.shape)
    pose = model.base.copy()
    for joints in range(len(q) + 1):
        if joints > 0:
            pose = _onward(
                pose, model.frames[joints - 1], model.axes[joints - 1], model.slides[joints - 1], q[joints - 1]
            )
        for n in range(len(model.links)):
            if model.links[n] == joints:
                for end in range(2):
                    for r in range(3):
                        value = pose[r, 3]
                        for c in range(3):
                            value += pose[r, c] * model.segments[n, end, c]
                        placed[n, end, r] = value
    return placed


@kernel
def _onward(pose: Any, frame: Any, axis: Any, slides: bool, q: float) -> Any:
    """T_world_link (4, 4) of a joint at a position, from that of the link before it; Rodrigues' formula."""
    motion = np.eye(4)
    if slides:
        for k in range(3):
            motion[k, 3] = axis[k] * q
    else:
        sine, rest = math.sin(q), 1.0 - math.cos(q)
        for r in range(3):
            for c in range(3):
                motion[r, c] = rest * axis[r] * axis[c]
            motion[r, r] += 1.0 - rest
        for r in range(3):
            after, last = (r + 1) % 3, (r + 2) % 3
            motion[last, after] += sine * axis[r]
            motion[after, last] -= sine * axis[r]
    return _product(pose, _product(frame, motion))


@kernel
def _product(a: Any, b: Any) -> Any:
    product = np.empty((4, 4))
    for r in range(4):
        for c in range(4):
            total = 0.0
            for k in range(4):
                total += a[r, k] * b[k, c]
            product[r, c] = total
    return product


def make_model(chain: Chain, rules: SafetyRules) -> Model:
    """The bodies of a chain and what they must not meet; pairs on one link never change and are left out.

    Raises:
        ConfigError: a body hangs on a link, or a pair names a body, that does not exist.
    """
    links = {name: joints for joints, name in enumerate([chain.base, *(joint.link for joint in chain.joints)])}
    names = {body.name: number for number, body in enumerate(rules.bodies)}
    for body in rules.bodies:
        if body.link not in links:
            raise ConfigError(f"safety.bodies: '{body.name}' hangs on '{body.link}'{did_you_mean(body.link, [*links])}")
    for name in (name for pair in rules.apart for name in pair):
        if name not in names:
            raise ConfigError(f"safety.apart: no body is called '{name}'{did_you_mean(name, [*names])}")
    carried = [links[body.link] for body in rules.bodies]
    pairs = [sorted((names[a], names[b]), key=lambda n: carried[n]) for a, b in rules.apart]
    return Model(
        base=np.array(chain.T_world_base, dtype=np.float64),
        frames=np.array([joint.T_parent_joint for joint in chain.joints], dtype=np.float64),
        axes=np.array([joint.axis for joint in chain.joints], dtype=np.float64),
        slides=np.array([joint.kind == PRISMATIC for joint in chain.joints]),
        links=np.array(carried, dtype=np.int64),
        segments=np.array([(b.start, b.end) for b in rules.bodies], dtype=np.float64).reshape(-1, 2, 3),
        radii=np.array([body.radius for body in rules.bodies], dtype=np.float64),
        boxes=np.array([(box.low, box.high) for box in rules.boxes], dtype=np.float64).reshape(-1, 2, 3),
        pairs=np.array([p for p in pairs if carried[p[0]] < carried[p[1]]], dtype=np.int64).reshape(-1, 2),
        indoors=np.array([body.room for body in rules.bodies], dtype=np.bool_),
    )


def space_of(chain: Chain, rules: SafetyRules) -> tuple[Matrix, Matrix]:
    """Two corners (3,), m, world frame, between which the bodies that keep out of the room always are.

    Each comes within the clearance of nothing outside. After the first joint that turns, lengths count in all
    directions.
    """
    model = make_model(chain, rules)
    reach = np.linalg.norm(model.segments, axis=2).max(axis=1, initial=0.0) + model.radii + rules.clearance
    middle, rotation = model.base[:3, 3].copy(), model.base[:3, :3]
    half: Matrix = np.zeros(3)
    turned, corners = False, []
    for joints in range(chain.size + 1):
        if joints > 0:
            joint = chain.joints[joints - 1]
            onward, slide = model.frames[joints - 1, :3, 3], np.array([joint.lower, joint.upper])
            if turned:
                half = half + np.linalg.norm(onward) + (np.abs(slide).max() if model.slides[joints - 1] else 0.0)
            else:
                middle = middle + rotation @ onward
                rotation = rotation @ model.frames[joints - 1, :3, :3]
                if model.slides[joints - 1]:
                    axis = rotation @ model.axes[joints - 1]
                    middle, half = middle + axis * slide.mean(), half + np.abs(axis) * 0.5 * np.ptp(slide)
                turned = not model.slides[joints - 1]
        corners += [(middle - half - r, middle + half + r) for r in reach[model.indoors & (model.links == joints)]]
    low, high = np.array(corners).reshape(-1, 2, 3).swapaxes(0, 1)
    return low.min(axis=0), high.max(axis=0)
