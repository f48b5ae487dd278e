"""The robot as MuJoCo bodies, from the description that gives its kinematics too.

The base slides and turns on three joints, held by position servos of limited force, as are tilt, lift and arm; gravity
is compensated. The fingers are coupled and driven by a motor of pure force. Pieces to touch meet everything but one
another: that the arm does not meet the robot itself is checked before it moves.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from vantage.spatial import Matrix, quaternion
from vantage.worlds.house.robot.description import (
    BASE_LINK,
    BOX,
    CAPSULE,
    CYLINDER,
    FINGER_LINKS,
    HAND_LINK,
    HEAD_LINK,
    Piece,
    RobotDescription,
)
from vantage.worlds.rig.kinematics import PRISMATIC, Joint

PREFIX = "robot/"
BASE_JOINTS = ("robot/x", "robot/y", "robot/yaw")
GRIPPER = "robot/gripper"
CAMERA_SITE, TOOL_SITE, WRIST_SITE = "robot/camera", "robot/tool", "robot/wrist"
FORCE, TORQUE = "robot/force", "robot/torque"
SEEN_GROUP, TOUCHED_GROUP, SITE_GROUP = 1, 3, 5
ROBOT_BIT, WORLD_BIT = 2, 1  # contype and conaffinity: the robot meets what has the world's bit, not itself

_DRIVE_GAIN = 80_000.0, 8_000.0  # N/m, N m/rad
_GAIN_PER_FORCE = {PRISMATIC: 60.0, "revolute": 80.0}  # 1/m, 1/rad: servo stiffness over its largest force
_ARMATURE = {PRISMATIC: 2.0, "revolute": 0.1}  # kg, kg m^2
_SHELL_FRICTION = [0.2, 0.005, 0.0001]  # so smooth that nothing is wedged under it or torn along
_PAD_FRICTION = [0.9, 0.02, 0.0005]
_FINGER_ARMATURE, _FINGER_CLOSING = 0.05, 3.0  # kg; N at which a finger reaches its speed
_KINDS = {
    BOX: mujoco.mjtGeom.mjGEOM_BOX,
    CYLINDER: mujoco.mjtGeom.mjGEOM_CYLINDER,
    CAPSULE: mujoco.mjtGeom.mjGEOM_CAPSULE,
}


def add_robot(
    spec: mujoco.MjSpec, robot: RobotDescription, start: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> None:
    """Put the robot into a model: bodies, joints, actuators, sites and sensors, all named ``robot/...``.

    Angles of the whole model are taken in rad from then on, as those of the robot are.

    Args:
        start: x, y, m, and yaw, rad, of the base in the model's initial state; the arm is at home.
    """
    spec.compiler.degree = False
    bodies = {BASE_LINK: _base(spec, robot, start)}
    bodies[HEAD_LINK] = _moving(bodies[BASE_LINK], robot.tilt, 0.0)
    parent = bodies[BASE_LINK]
    for joint, position in zip(robot.chain.joints, robot.poses["home"], strict=True):
        parent = bodies[joint.link] = _moving(parent, joint, float(position))
    hand = bodies[HAND_LINK] = parent.add_body(
        name=f"{PREFIX}{HAND_LINK}", gravcomp=1.0, **_placed(robot.hand.T_last_hand)
    )
    for joint in robot.finger_joints:
        finger = bodies[joint.link] = _moving(hand, joint, joint.upper)
        finger.joints[0].damping = [_FINGER_CLOSING / joint.speed, 0.0, 0.0]
        finger.joints[0].armature = _FINGER_ARMATURE
    for piece in robot.pieces:
        _add_piece(bodies[piece.link], piece)
    for link, body in bodies.items():
        _weigh(body, [piece for piece in robot.pieces if piece.link == link], robot.masses[link])
    _add_sites(bodies, robot)
    _add_servos(spec, robot)
    _add_gripper(spec, robot)
    for name, kind in ((FORCE, mujoco.mjtSensor.mjSENS_FORCE), (TORQUE, mujoco.mjtSensor.mjSENS_TORQUE)):
        spec.add_sensor(name=name, type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, objname=WRIST_SITE)


def _placed(T_parent_child: Matrix) -> dict[str, list[float]]:
    x, y, z, w = quaternion(T_parent_child[:3, :3])
    return {"pos": T_parent_child[:3, 3].tolist(), "quat": [w, x, y, z]}


def _base(spec: mujoco.MjSpec, robot: RobotDescription, start: tuple[float, float, float]) -> mujoco.MjsBody:
    """The base: its joints' positions are x, y and yaw in the world, wherever it starts."""
    x, y, yaw = start
    half = 0.5 * yaw
    body = spec.worldbody.add_body(
        name=f"{PREFIX}{BASE_LINK}", pos=[x, y, 0.0], quat=[math.cos(half), 0.0, 0.0, math.sin(half)], gravcomp=1.0
    )
    c, s = math.cos(yaw), math.sin(yaw)
    slide, hinge = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE
    for name, kind, axis, at in (
        (BASE_JOINTS[0], slide, [c, -s, 0.0], x),
        (BASE_JOINTS[1], slide, [s, c, 0.0], y),
        (BASE_JOINTS[2], hinge, [0.0, 0.0, 1.0], yaw),
    ):
        body.add_joint(name=name, type=kind, axis=axis, ref=at, armature=1.0)
    return body


def _moving(parent: mujoco.MjsBody, joint: Joint, position: float) -> mujoco.MjsBody:
    """The body that a joint moves; it stands at ``position`` in the model's initial state."""
    T_parent_child = joint.T_parent_joint @ joint.motion(position)
    body = parent.add_body(name=f"{PREFIX}{joint.link}", gravcomp=1.0, **_placed(T_parent_child))
    slides = joint.kind == PRISMATIC
    body.add_joint(
        name=f"{PREFIX}{joint.name}",
        type=mujoco.mjtJoint.mjJNT_SLIDE if slides else mujoco.mjtJoint.mjJNT_HINGE,
        axis=list(joint.axis),
        ref=position,
        range=[joint.lower, joint.upper],
        limited=True,
        armature=_ARMATURE[joint.kind],
    )
    return body


def _add_piece(body: mujoco.MjsBody, piece: Piece) -> None:
    size = [0.5 * edge for edge in piece.size] if piece.kind == BOX else [piece.size[0], 0.5 * piece.size[1], 0.0]
    shape = {"type": _KINDS[piece.kind], "size": size, "mass": 0.0, **_placed(piece.T_link_piece)}
    if piece.see:
        body.add_geom(
            name=f"{PREFIX}see/{piece.name}",
            group=SEEN_GROUP,
            contype=0,
            conaffinity=0,
            rgba=list(piece.color),
            **shape,
        )
    if piece.touch:
        geom = body.add_geom(
            name=f"{PREFIX}touch/{piece.name}",
            group=TOUCHED_GROUP,
            contype=ROBOT_BIT,
            conaffinity=WORLD_BIT,
            rgba=[0.9, 0.4, 0.1, 0.4],
            **shape,
        )
        geom.friction, geom.priority = _SHELL_FRICTION, 1  # whatever the other is made of
        if piece.link in FINGER_LINKS:
            geom.friction, geom.condim = _PAD_FRICTION, 4
            geom.solref, geom.solimp = [0.01, 1.0], [0.95, 0.99, 0.001, 0.5, 2.0]


def _weigh(body: mujoco.MjsBody, pieces: list[Piece], mass: float) -> None:
    """Mass and inertia of the box around a link's pieces, evenly filled."""
    if pieces:
        corners = np.concatenate([_corners(piece) for piece in pieces])
        low, high = corners.min(axis=0), corners.max(axis=0)
    else:
        low, high = np.full(3, -0.03), np.full(3, 0.03)
    edges = np.maximum(high - low, 0.04)
    body.mass = mass
    body.ipos = (0.5 * (low + high)).tolist()
    body.inertia = (mass / 12.0 * (np.sum(edges**2) - edges**2)).tolist()
    body.explicitinertial = True


def _corners(piece: Piece) -> Matrix:
    """(8, 3): of the box around a piece, in the frame of its link."""
    if piece.kind == BOX:
        half = 0.5 * np.array(piece.size)
    else:
        radius, length = piece.size
        half = np.array([radius, radius, 0.5 * length + (radius if piece.kind == CAPSULE else 0.0)])
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float64)
    return np.asarray(signs * half @ piece.T_link_piece[:3, :3].T + piece.T_link_piece[:3, 3])


def _add_sites(bodies: dict[str, mujoco.MjsBody], robot: RobotDescription) -> None:
    look = {"size": [0.005] * 3, "group": SITE_GROUP}
    bodies[HEAD_LINK].add_site(name=CAMERA_SITE, **look)
    bodies[HAND_LINK].add_site(name=WRIST_SITE, **look)
    bodies[HAND_LINK].add_site(name=TOOL_SITE, pos=[robot.hand.tool, 0.0, 0.0], **look)


def _add_servos(spec: mujoco.MjSpec, robot: RobotDescription) -> None:
    """Position servos, critically damped, named like their joints."""
    drive = robot.drive
    gains = {
        BASE_JOINTS[0]: (_DRIVE_GAIN[0], drive.force),
        BASE_JOINTS[1]: (_DRIVE_GAIN[0], drive.force),
        BASE_JOINTS[2]: (_DRIVE_GAIN[1], drive.torque),
    }
    for joint in (robot.tilt, *robot.chain.joints):
        force = robot.forces[joint.name]
        gains[f"{PREFIX}{joint.name}"] = (_GAIN_PER_FORCE[joint.kind] * force, force)
    for name, (gain, force) in gains.items():
        servo = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.set_to_position(kp=gain, dampratio=1.0)
        servo.forcelimited, servo.forcerange = True, [-force, force]


def _add_gripper(spec: mujoco.MjSpec, robot: RobotDescription) -> None:
    """Couple the fingers, and drive them: a positive control opens the hand, with so many N on each finger."""
    left, right = (f"{PREFIX}{joint.name}" for joint in robot.finger_joints)
    couple = spec.add_equality(
        name=f"{PREFIX}fingers",
        type=mujoco.mjtEq.mjEQ_JOINT,
        objtype=mujoco.mjtObj.mjOBJ_JOINT,
        name1=left,
        name2=right,
        solref=[0.01, 1.0],
    )
    couple.data[:5] = [0.0, 1.0, 0.0, 0.0, 0.0]
    tendon = spec.add_tendon(name=GRIPPER)
    tendon.wrap_joint(left, 1.0)
    tendon.wrap_joint(right, 1.0)
    motor = spec.add_actuator(name=GRIPPER, target=GRIPPER, trntype=mujoco.mjtTrn.mjTRN_TENDON)
    motor.set_to_motor()
    motor.ctrllimited, motor.ctrlrange = True, [-robot.hand.force, robot.hand.force]
