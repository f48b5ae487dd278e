"""Sweeps along lines in joint space, against dense samples of chains drawn at random."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from row_tables import each_row

from vantage.errors import ConfigError
from vantage.spatial import apply, rigid
from vantage.worlds.rig.collision.capsules import segment_box, segment_segment
from vantage.worlds.rig.collision.collision_map import RoomMap
from vantage.worlds.rig.collision.continuous_collision import (
    CLEAR,
    TOO_LONG,
    make_model,
    place,
    space_of,
    spacings,
    sweep,
    travels,
)
from vantage.worlds.rig.description import Body, Box, SafetyRules
from vantage.worlds.rig.kinematics.chain import PRISMATIC, REVOLUTE, Chain, Joint, turn

CLEARANCE = 0.02
NOTHING = RoomMap.empty().grid
SHARES = np.linspace(0.0, 1.0, 1001)


def drawn_chain(rng: np.random.Generator) -> Chain:
    """1 to 7 joints of either kind, anywhere."""
    joints = []
    for number in range(rng.integers(1, 8)):
        kind = PRISMATIC if rng.random() < 0.4 else REVOLUTE
        reach = 0.5 if kind == PRISMATIC else 2.5
        joints.append(
            Joint(str(number), kind, unit(rng), pose(rng, 0.3), -reach, reach, link=f"link{number}")
        )  # fmt: skip
    return Chain(tuple(joints), pose(rng, 1.0))


def drawn_rules(chain: Chain, rng: np.random.Generator) -> SafetyRules:
    """Two bodies, a plate of a tenth of a millimetre and a block."""
    links = [chain.base, *(joint.link for joint in chain.joints)]
    ends = [tuple(rng.normal(0, 0.1, 3)) for _ in range(4)]
    upper = int(rng.integers(0, len(links)))
    bodies = (
        Body("tip", links[-1], ends[0], ends[1], 0.05),
        Body("other", links[upper], ends[2], ends[3], 0.04, room=False),
    )
    boxes = []
    for name, size in (("plate", [0.5, 0.5, 1e-4]), ("block", [0.2, 0.2, 0.2])):
        at = chain.link_poses(rng.uniform(chain.lower, chain.upper))[-1][:3, 3]
        boxes.append(Box(name, tuple(at), tuple(at + size)))
    return SafetyRules(CLEARANCE, bodies, tuple(boxes), (("tip", "other"),))


def unit(rng):
    vector = rng.normal(size=3)
    return tuple(vector / np.linalg.norm(vector))


def pose(rng, size):
    return rigid(turn(np.array(unit(rng)), rng.uniform(0, math.pi)), rng.uniform(-size, size, 3))


def placed(chain, rules, q):
    """The bodies' segments by the chain itself, (B, 2, 3)."""
    poses = dict(zip([chain.base, *(j.link for j in chain.joints)], chain.link_poses(q), strict=True))
    return np.array([apply(poses[body.link], np.array([body.start, body.end])) for body in rules.bodies])


def distances(chain, rules, model, q):
    """Of every spacing but the room's, beyond the clearance."""
    segments = placed(chain, rules, q)
    found = [
        segment_box(*segments[n], np.array(box.low), np.array(box.high))[0] - body.radius - CLEARANCE
        for n, body in enumerate(rules.bodies)
        for box in rules.boxes
    ]
    for n, m in model.pairs:
        gap = segment_segment(*segments[n], *segments[m])[0]
        found.append(gap - rules.bodies[n].radius - rules.bodies[m].radius - CLEARANCE)
    return np.array(found)


@each_row("seed", range(30))
def test_bodies_are_where_the_chain_carries_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = drawn_chain(rng)
    rules = drawn_rules(chain, rng)
    model = make_model(chain, rules)
    q = rng.uniform(chain.lower, chain.upper)
    assert place(model, q) == pytest.approx(placed(chain, rules, q), abs=1e-12)
    gaps = distances(chain, rules, model, q)
    assert spacings(model, NOTHING, q, CLEARANCE)[: len(gaps)] == pytest.approx(gaps, abs=1e-9)


@each_row("seed", range(30))
def test_no_point_travels_farther_than_told(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = drawn_chain(rng)
    rules = drawn_rules(chain, rng)
    model = make_model(chain, rules)
    a, b = rng.uniform(chain.lower, chain.upper, (2, chain.size))
    travel = travels(model, a, b)
    track = np.array([placed(chain, rules, a + t * (b - a)) for t in SHARES[::5]])  # (T, B, 2, 3)
    ways = np.linalg.norm(np.diff(track, axis=0), axis=3).sum(axis=0).max(axis=1)
    assert (ways <= travel[0:4:2] + 1e-9).all()  # two boxes for each body
    assert travel[-2] == travel[0]
    assert travel[-1] == 0.0  # the other body need not keep out of the room
    for (n, m), apart in zip(model.pairs, travel[4:-2], strict=True):
        links = [chain.link_poses(a + t * (b - a))[model.links[n]] for t in SHARES[::5]]
        seen = np.array([apply(np.linalg.inv(T), s[m]) for T, s in zip(links, track, strict=True)])
        assert np.linalg.norm(np.diff(seen, axis=0), axis=2).sum(axis=0).max() <= apart + 1e-9


def test_whatever_comes_too_close_on_the_way_is_found_and_nothing_else() -> None:
    clear = barred = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        chain = drawn_chain(rng)
        rules = drawn_rules(chain, rng)
        for a, b in rng.uniform(chain.lower, chain.upper, (12, 2, chain.size)):
            ends_clear = check_against_samples(chain, rules, a, b)
            clear, barred = clear + (ends_clear is True), barred + (ends_clear is False)
    assert min(clear, barred) > 40


def check_against_samples(chain: Chain, rules: SafetyRules, a, b) -> bool | None:
    """Whether the line is clear; None where it begins too close to something."""
    model = make_model(chain, rules)
    travel = travels(model, a, b)
    start = spacings(model, NOTHING, a, CLEARANCE)
    if ((start < 0) & (travel > 0)).any():
        return None
    judged = np.flatnonzero(travel[: len(start) - 2] > 0)
    way = np.array([spacings(model, NOTHING, a + t * (b - a), CLEARANCE)[judged] for t in SHARES])
    at, spacing = sweep(model, NOTHING, a, b, travel, CLEARANCE, 0.5 * CLEARANCE)
    if spacing == CLEAR:
        assert way.min(initial=1.0) > -0.25 * CLEARANCE - 1e-9
        return True
    assert spacings(model, NOTHING, a + at * (b - a), CLEARANCE)[spacing] < 0.0
    assert way[:, list(judged).index(spacing)].min() < travel.max() / (len(SHARES) - 1)
    return False


def slide(**changes) -> tuple[Chain, SafetyRules]:
    """A ball on a rail along x."""
    joint = Joint("x", PRISMATIC, (1.0, 0.0, 0.0), lower=-1e9, upper=1e9, link="x_link")
    rules = SafetyRules(CLEARANCE, (Body("ball", "x_link", (0, 0, 0), (0, 0, 0), 0.05),))
    return Chain((joint,)), dataclasses.replace(rules, **changes)


def swept(rules: SafetyRules, chain: Chain, a: float, b: float, grid=NOTHING):
    model, start, target = make_model(chain, rules), np.array([a]), np.array([b])
    return sweep(model, grid, start, target, travels(model, start, target), CLEARANCE, 0.5 * CLEARANCE)


@pytest.mark.parametrize("thickness", [1e-2, 1e-4, 1e-9])
@pytest.mark.parametrize("length", [1.0, 30.0])
def test_a_thin_plate_is_never_jumped_over(thickness: float, length: float) -> None:
    for share in np.linspace(0.1, 0.9, 17):
        x = share * length
        chain, rules = slide(boxes=(Box("plate", (x, -1, -1), (x + thickness, 1, 1)),))
        at, spacing = swept(rules, chain, 0.0, length)
        assert spacing == 0
        assert x - 0.07 < at * length <= x - 0.07 + 0.5 * CLEARANCE + 1e-9


def test_what_is_too_close_may_only_leave() -> None:
    chain, rules = slide(boxes=(Box("wall", (0, -1, -1), (1, 1, 1)),))
    start = -0.06  # 1 cm from the wall
    assert swept(rules, chain, start, -0.062)[1] == CLEAR
    assert swept(rules, chain, start, -3.0)[1] == CLEAR
    assert swept(rules, chain, start, -0.059)[1] == 0
    assert swept(rules, chain, start, 2.0)[1] == 0
    assert swept(rules, chain, 0.1, -1.0)[1] == CLEAR  # out of it, by the side that is nearest
    assert swept(rules, chain, 0.1, 2.0)[1] == 0  # through the middle of it
    assert swept(rules, chain, start, start)[1] == CLEAR  # nothing moves


def test_to_go_along_something_too_close_is_not_to_leave_it() -> None:
    chain, rules = slide(boxes=(Box("wall", (-9, 0.06, -1), (9, 1, 1)),))
    assert swept(rules, chain, 0.0, 0.05)[1] == 0
    assert swept(rules, chain, 0.0, 3.0)[1] == 0


def test_a_way_out_of_solid_voxels_is_short() -> None:
    solid = np.zeros((100, 10, 10), np.bool_)
    solid[:51] = True
    chain, rules = slide()
    room = RoomMap(solid, (-5.0, -0.5, -0.5), (5.0, 0.5, 0.5), 0.1, False, "rock")  # up to x = 0.1
    assert swept(rules, chain, 0.02, 1.0, room.grid)[1] == CLEAR
    assert swept(rules, chain, -2.0, 1.0, room.grid)[1] >= 0


def test_what_the_motion_does_not_change_is_not_held_against_it() -> None:
    chain, rules = slide(boxes=(Box("floor", (-9, -9, -1), (9, 9, 0)),))
    foot = Body("foot", chain.base, (0, 0, 0), (0, 0, 1), 0.1)
    ball = dataclasses.replace(rules.bodies[0], start=(0, 0, 1), end=(0, 0, 1))
    assert swept(dataclasses.replace(rules, bodies=(foot, ball)), chain, 1.0, 2.0)[1] == CLEAR


def test_a_motion_without_end_is_not_looked_at_without_end() -> None:
    chain, rules = slide(boxes=(Box("rail", (-1e9, 0.071, 0), (1e9, 0.2, 0.1)),))
    assert swept(rules, chain, 0.0, 1e6)[1] == TOO_LONG


def test_a_rig_without_bodies_may_go_anywhere() -> None:
    chain, rules = slide(bodies=(), boxes=(Box("all", (-9, -9, -9), (9, 9, 9)),))
    assert swept(rules, chain, 0.0, 1.0)[1] == CLEAR


@each_row("seed", range(20))
def test_bodies_stay_within_the_space_of_the_rig(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = drawn_chain(rng)
    rules = drawn_rules(chain, rng)
    low, high = space_of(chain, rules)
    reach = rules.bodies[0].radius + CLEARANCE
    for _ in range(200):
        tip = placed(chain, rules, rng.uniform(chain.lower, chain.upper))[0]
        assert (tip - reach >= low - 1e-9).all()
        assert (tip + reach <= high + 1e-9).all()


def test_wrong_names_are_told() -> None:
    chain, rules = slide()
    with pytest.raises(ConfigError, match=r"'ball' hangs on 'x_lnk'; did you mean 'x_link'\?"):
        make_model(chain, dataclasses.replace(rules, bodies=(dataclasses.replace(rules.bodies[0], link="x_lnk"),)))
    with pytest.raises(ConfigError, match=r"no body is called 'bal'; did you mean 'ball'\?"):
        make_model(chain, dataclasses.replace(rules, apart=(("ball", "bal"),)))
