"""What a rig refuses, in words: soft limits, forbidden boxes, itself, the room."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from small_room import small_room

from vantage.errors import HardwareError, UnreachableError
from vantage.files import shared_folder
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.scene_file import load_scene, save_scene
from vantage.types import Command, Observation, Posture, Status
from vantage.worlds.limits import MotionCheck, MotionLimits, SafetyGate
from vantage.worlds.rig.collision.collision_map import RoomMap
from vantage.worlds.rig.description import Body, SafetyRules, load_rig
from vantage.worlds.rig.kinematics.chain import REVOLUTE, Chain, Joint
from vantage.worlds.rig.safety.motion_checks import RigSafety

RIG = load_rig(shared_folder("config") / "rig.yaml")
CHAIN = RIG.chain
HOME = np.array([1.0, 0.8, 0.8, 0.0, 0.0])  # the camera is at (0.04, 0, 0.82) m


class Joints:
    """Where the joints are."""

    def __init__(self, q: np.ndarray = HOME) -> None:
        self.q = q

    def __call__(self) -> np.ndarray:
        return self.q.copy()


def safety(rules: SafetyRules = RIG.safety, q: np.ndarray = HOME, rooms=()) -> RigSafety:
    return RigSafety(CHAIN, rules, Joints(q), rooms)


def at(**joints: float) -> np.ndarray:
    q = HOME.copy()
    for name, position in joints.items():
        q[[joint.name for joint in CHAIN.joints].index(name)] = position
    return q


def block(low, high) -> RoomMap:
    """A solid block in a large room around the rig, in voxels of 5 cm."""
    solid = np.zeros((120, 120, 60), np.bool_)
    a, b = (np.round((np.array(corner) - [-3, -3, 0]) / 0.05).astype(int) for corner in (low, high))
    solid[a[0] : b[0], a[1] : b[1], a[2] : b[2]] = True
    return RoomMap(solid, (-3, -3, 0), (3, 3, 3), 0.05, True, "a solid part of the room")


LOW_FLOOR = dataclasses.replace(RIG.safety, boxes=(dataclasses.replace(RIG.safety.boxes[0], high=(3.0, 3.0, 0.45)),))


def test_free_ways_are_free() -> None:
    guard = safety()
    assert isinstance(guard, MotionCheck)
    assert guard.path_violation(HOME, at(x=1.5, z=0.5, pan=2.0, tilt=-0.5)) is None
    assert guard.posture_violation(HOME) is None


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (at(x=1.995), "joint 'x' = 1.995 m is outside its soft limits [0.010, 1.990] m"),
        (at(tilt=-1.3), "joint 'tilt' = -1.300 rad is outside its soft limits [-1.280, 1.280] rad"),
        (at(x=math.nan), "the target joint positions [nan, 0.8, 0.8, 0.0, 0.0] are not 5 finite numbers"),
        (HOME[:4], "the target joint positions [1.0, 0.8, 0.8, 0.0] are not 5 finite numbers"),
    ],
)
def test_soft_limits_in_words(target: np.ndarray, reason: str) -> None:
    guard = safety()
    assert guard.path_violation(HOME, target) == reason
    assert guard.posture_violation(target) == reason


def test_a_way_back_from_beyond_the_limits_is_free() -> None:
    assert safety().path_violation(at(x=2.2), at(x=1.98)) is None
    assert "present joint positions" in str(safety().path_violation(at(x=math.inf), HOME))


def test_a_forbidden_box_in_words() -> None:
    guard = safety(LOW_FLOOR)
    reason = guard.path_violation(HOME, at(z=0.4))
    assert reason is not None
    assert reason.startswith("the head would come within 0.03 m of the forbidden box 'floor' at (")
    assert reason.endswith(", 0.450) m")
    close = "the head would come within 0.03 m of the forbidden box 'floor' at (0.000, 0.000, 0.450) m"
    assert guard.posture_violation(at(z=0.5)) == close
    assert guard.path_violation(HOME, at(z=0.57)) is None
    assert guard.path_violation(HOME, at(z=0.555)) is not None


def test_a_box_between_two_free_postures_bars_the_way() -> None:
    pillar = dataclasses.replace(RIG.safety.boxes[0], name="pillar", low=(0.5, -2.0, 0.0), high=(0.5001, 2.0, 2.0))
    guard = safety(dataclasses.replace(RIG.safety, boxes=(pillar,)))
    assert guard.posture_violation(at(x=0.2)) is None
    assert guard.posture_violation(at(x=1.9)) is None
    assert "'pillar'" in str(guard.path_violation(at(x=0.2), at(x=1.9)))


def test_too_close_already_in_words() -> None:
    guard = safety(LOW_FLOOR)
    start = at(z=0.54)
    assert guard.path_violation(start, at(z=0.7)) is None
    reason = guard.path_violation(start, at(z=0.53))
    assert reason == (
        "the head is within 0.03 m of the forbidden box 'floor' at (0.000, 0.000, 0.450) m already and may only move "
        "away from it"
    )


def elbow() -> tuple[Chain, SafetyRules]:
    """Two links in a plane that can fold onto each other."""
    z = (0.0, 0.0, 1.0)
    forward = np.eye(4)
    forward[0, 3] = 0.5
    joints = (
        Joint("shoulder", REVOLUTE, z, lower=-3.0, upper=3.0, link="upper_link"),
        Joint("elbow", REVOLUTE, z, forward, lower=-3.1, upper=3.1, link="lower_link"),
    )
    bodies = (
        Body("upper arm", "upper_link", (0.0, 0.0, 0.0), (0.35, 0.0, 0.0), 0.05),
        Body("hand", "lower_link", (0.3, 0.0, 0.0), (0.4, 0.0, 0.0), 0.05),
    )
    return Chain(joints), SafetyRules(0.02, bodies, (), (("hand", "upper arm"),))


def test_the_rig_does_not_touch_itself() -> None:
    chain, rules = elbow()
    guard = RigSafety(chain, rules, Joints(np.zeros(2)))
    assert guard.path_violation(np.zeros(2), np.array([2.0, 1.5])) is None
    reason = guard.path_violation(np.zeros(2), np.array([0.0, 3.0]))
    assert reason is not None
    assert "within 0.02 m of the hand at (" in reason or "within 0.02 m of the upper arm at (" in reason
    assert guard.path_violation(np.array([0.0, 3.0]), np.zeros(2)) is None  # unfold
    assert guard.path_violation(np.array([0.0, 3.0]), np.array([1.0, 3.0])) is None  # turn as it is
    careless = dataclasses.replace(rules, apart=())
    assert RigSafety(chain, careless, Joints(np.zeros(2))).path_violation(np.zeros(2), np.array([0.0, 3.0])) is None


def test_the_room_is_kept_clear_of_by_what_has_to() -> None:
    guard = safety(rooms=[block((0.4, -0.5, 0.0), (0.6, 0.5, 1.0))])
    reason = guard.path_violation(HOME, at(x=1.9))
    assert reason is not None
    assert reason.startswith("the head would come within 0.03 m of a solid part of the room at (0.400, ")
    high = at(z=1.3)
    assert guard.path_violation(HOME, high) is None
    assert guard.path_violation(high, at(z=1.3, x=1.9)) is None
    above = safety(rooms=[block((0.4, -0.5, 1.9), (0.6, 0.5, 2.6))])  # only the mast gets there
    assert above.path_violation(HOME, at(x=1.9)) is None
    mast = dataclasses.replace(RIG.safety, bodies=tuple(dataclasses.replace(b, room=True) for b in RIG.safety.bodies))
    assert "the mast would come" in str(
        safety(mast, rooms=[block((0.4, -0.5, 1.9), (0.6, 0.5, 2.6))]).path_violation(HOME, at(x=1.9))
    )


def test_beyond_the_edge_of_the_room_is_wall() -> None:
    room = RoomMap(
        np.zeros((40, 60, 60), np.bool_), (-1.5, -1.5, 0), (0.5, 1.5, 3), 0.05, True, "a solid part of the room"
    )
    guard = safety(rooms=[room])
    assert guard.path_violation(HOME, at(x=1.3)) is None
    assert "the head would come within 0.03 m of a solid part of the room at (0.500, 0.000" in str(
        guard.path_violation(HOME, at(x=1.45))
    )
    assert guard.path_violation(at(x=1.45), HOME) is None  # a rig outside gets in again


def test_the_scene_of_the_episode_is_learned_and_forgotten(tmp_path) -> None:
    cloud, graph = small_room()
    scene = load_scene(save_scene(tmp_path / "room", None, graph, cloud, name="room"))  # x from 0 to 4 m
    rules = dataclasses.replace(RIG.safety, boxes=(), room="episode")
    guard = safety(rules)
    inside, outside = at(x=1.9, y=1.5), at(x=0.5, y=1.5)
    assert guard.path_violation(inside, outside) is None
    guard.learn_room(scene, 0.1)
    assert "a solid part of the room" in str(guard.path_violation(inside, outside))
    guard.forget_room()
    assert guard.path_violation(inside, outside) is None
    guard.learn_room(None, 0.1)
    assert guard.rooms == ()
    careless = safety(dataclasses.replace(rules, room=""))
    careless.learn_room(scene, 0.1)
    assert careless.rooms == ()


def seen_wall(q: np.ndarray, distance: float, posture: bool = True) -> Observation:
    lens = Intrinsics.from_fov(64, 48, 1.2)
    depth = np.full((48, 64), distance, np.float32)
    joints = {joint.name: float(value) for joint, value in zip(CHAIN.joints, q, strict=True)}
    return Observation(
        1,
        CHAIN.viewpoint(q),
        lens,
        np.zeros((48, 64, 3), np.uint8),
        depth,
        posture=Posture(joints, ()) if posture else None,
    )


@pytest.mark.parametrize("posture", [True, False])
def test_what_the_depth_camera_saw_is_kept_clear_of(posture: bool) -> None:
    guard = safety(dataclasses.replace(RIG.safety, from_depth=True))
    target = at(x=1.6)
    assert guard.path_violation(HOME, target) is None
    guard.take_depth(seen_wall(HOME, 0.5, posture))  # a wall at x = 0.54 m
    reason = guard.path_violation(HOME, target)
    assert reason is not None
    assert "the head would come within 0.03 m of something that the depth camera saw at (0.5" in reason
    assert guard.path_violation(HOME, at(x=1.2)) is None
    guard.forget_depth()
    assert guard.path_violation(HOME, target) is None
    blind = safety()
    blind.take_depth(seen_wall(HOME, 0.5, posture))
    assert blind.path_violation(HOME, target) is None


def test_viewpoints_are_checked_along_the_line_that_is_driven() -> None:
    joints = Joints()
    guard = RigSafety(CHAIN, LOW_FLOOR, joints)
    here = CHAIN.viewpoint(HOME)
    target = dataclasses.replace(here, x=here.x + 0.3, yaw=0.5)
    assert guard.violation(here, target) is None
    (leg,) = guard.way(target)
    assert CHAIN.viewpoint(leg.target).distance(target) < 1e-9
    joints.q = at(pan=0.1)
    assert guard.way(target)[0].target is leg.target  # not solved anew
    low = dataclasses.replace(here, z=0.5)
    assert "forbidden box 'floor'" in str(guard.violation(here, low))
    assert guard.target_positions(low)[2] == pytest.approx(0.48)


def test_the_start_is_where_the_joints_are() -> None:
    pillar = dataclasses.replace(RIG.safety.boxes[0], name="pillar", low=(0.5, -2.0, 0.0), high=(0.6, 2.0, 2.0))
    joints = Joints(at(x=0.3))
    guard = RigSafety(CHAIN, dataclasses.replace(RIG.safety, boxes=(pillar,)), joints)
    target = CHAIN.viewpoint(at(x=1.9))
    assert "'pillar'" in str(guard.violation(target, target))
    joints.q = at(x=1.85)
    assert guard.violation(target, target) is None


def test_out_of_reach_and_unknown_joints_are_refusals() -> None:
    guard = safety()
    reason = guard.violation(CHAIN.viewpoint(HOME), Viewpoint(5.0, 0.0, 1.0, 0.0, 0.0))
    assert reason is not None
    with pytest.raises(UnreachableError):
        guard.target_positions(Viewpoint(5.0, 0.0, 1.0, 0.0, 0.0))

    def lost() -> np.ndarray:
        raise HardwareError("the controller does not answer; check the cable")

    gone = RigSafety(CHAIN, RIG.safety, lost)
    assert gone.violation(CHAIN.viewpoint(HOME), CHAIN.viewpoint(HOME)) == str(
        HardwareError("the controller does not answer; check the cable")
    )


def test_the_gate_refuses_with_the_reason() -> None:
    gate = SafetyGate(MotionLimits(), checks=(safety(LOW_FLOOR),))
    gate.begin("e")
    here = CHAIN.viewpoint(HOME)
    refusal = gate.admit(Command(dataclasses.replace(here, z=0.5), "", None, "e", "a", 1), here)
    assert refusal is not None
    assert refusal.status == Status.REJECTED
    assert "the head would come within 0.03 m of the forbidden box 'floor'" in refusal.reason
    assert gate.admit(Command(dataclasses.replace(here, z=0.9), "", None, "e", "a", 2), here) is None


def test_no_clearance_still_keeps_two_millimetres() -> None:
    plate = dataclasses.replace(RIG.safety.boxes[0], name="plate", low=(0.5, -2.0, 0.0), high=(0.5 + 1e-9, 2.0, 2.0))
    guard = safety(dataclasses.replace(RIG.safety, clearance=0.0, boxes=(plate,)))
    assert "within 0.002 m of the forbidden box 'plate'" in str(guard.path_violation(at(x=0.5), at(x=1.9)))
    assert guard.path_violation(at(x=0.5), at(x=1.5 - 0.05 - 0.08 - 0.0021)) is None


def test_random_commands_never_lead_too_close() -> None:
    """Whatever passes keeps clear of box and room, however the rig got to where it starts."""
    rng = np.random.default_rng(5)
    joints = Joints(at(z=1.2))
    guard = RigSafety(CHAIN, LOW_FLOOR, joints, [block((0.4, -0.5, 0.0), (0.6, 0.5, 1.0))])
    done = 0
    for _ in range(400):
        target = CHAIN.viewpoint(rng.uniform(CHAIN.lower, CHAIN.upper))
        here = CHAIN.viewpoint(joints.q)
        if guard.violation(here, target) is None:
            way = joints.q + np.linspace(0, 1, 40)[:, None] * (guard.target_positions(target) - joints.q)
            for segments, radii in map(guard.capsules, way):
                assert segments[0, :, 2].min() - radii[0] > 0.45 + 0.75 * 0.03
                assert guard.rooms[0].contact(*segments[0], radii[0], 0.75 * 0.03) is None
            joints.q = way[-1]
            done += 1
    assert done > 40
