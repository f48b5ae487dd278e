"""Motions of a camera and of an arm, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Viewpoint
from vantage.types.observations import Observation


@dataclass(frozen=True)
class ArmStep:
    """A motion of the hand from where the arm was last told to be, in the axes of the robot's body.

    Attributes:
        forward, left, up: m, of the arm alone.
        height: m, of the lift.
        roll: rad, of the hand about the direction in which it points.
    """

    forward: float = 0.0
    left: float = 0.0
    up: float = 0.0
    height: float = 0.0
    roll: float = 0.0


OPEN, CLOSE = "open", "close"  # what can be done by a handle
TAKE = "take"
PUT_IN, PUT_ON, PUT_BESIDE = "put_in", "put_on", "put_beside"
SWITCH_ON, SWITCH_OFF = "switch_on", "switch_off"
PUTS = (PUT_IN, PUT_ON, PUT_BESIDE)
OBJECT_VERBS = (OPEN, CLOSE, TAKE, *PUTS, SWITCH_ON, SWITCH_OFF)
KGF = 9.80665  # N: what 1 kg weighs


@dataclass(frozen=True)
class ObjectAction:
    """Something done to a thing in one go, in worlds whose things change kinematically: without any motion of a hand.

    Attributes:
        verb: of ``OBJECT_VERBS``.
        thing: instance id of what is opened, taken, put away or switched.
        place: instance id of what it is put in, on or beside; 0 for the other verbs.
    """

    verb: str
    thing: int
    place: int = 0


@dataclass(frozen=True)
class ArmTarget:
    """What an arm should do; exactly one of joints, T_world_tool, gripper_width, step, handle and object_action is
    given.

    Attributes:
        joints: positions by name, m or rad.
        T_world_tool: (4, 4) pose of the tool.
        gripper_width: m between the fingers; what is in between ends the motion and is held.
        gripper_force: N, the largest of the gripper; 0 leaves it to its controller.
        step: a relative motion.
        handle: ``open`` or ``close`` what has its handle in the hand's reach.
        object_action: what to do to a thing, where things change kinematically.
    """

    joints: Mapping[str, float] | None = None
    T_world_tool: NDArray[np.float64] | None = None
    gripper_width: float | None = None
    gripper_force: float = 0.0
    step: ArmStep | None = None
    handle: str | None = None
    object_action: ObjectAction | None = None


@dataclass(frozen=True)
class Command:
    """One motion. Agents fill the target; the episode runner adds who, which episode and which number.

    ``allow_unwind``: a joint may turn further than one command may otherwise take it, where the target asks for that.
    """

    target: Viewpoint | None = None
    action: str = ""
    arm: ArmTarget | None = None
    episode_id: str = ""
    source: str = ""
    sequence: int = 0
    allow_unwind: bool = False


class Status(IntEnum):
    """What became of a command. Values equal those of CommandResult.msg."""

    DONE = 0
    COLLIDED = 1
    REJECTED = 2
    TIMED_OUT = 3
    STOPPED = 4


class Cause(IntEnum):
    """Why a command was rejected, or what was lacking. Values equal those of CommandResult.msg.

    LIMIT: outside the limits, or too far for one command. CHECK: the world knows of something in the way. CAPABILITY:
    the world cannot do such a thing, or does not move at all at present. TARGET: no target that can be read, or one
    in another frame. UNCONFIRMED: a person has to allow the first motion. LEASE: another source holds the lease.
    ORDER: the number is not the next one. EPISODE: another episode, or none, is running. NO_HANDLE, with COLLIDED:
    no handle is in the hand's reach. UNWARRANTED: no warrant allows the arm to do that. Of actions on things: FAR:
    it is out of reach. CLOSED: it is in something closed, or would go into it. HAND: the hand is full where it must
    be empty, or does not hold the thing. HEAVY: it is too heavy for the hand. NO_ROOM: it does not fit there.
    """

    NONE = 0
    LIMIT = 1
    CHECK = 2
    CAPABILITY = 3
    TARGET = 4
    UNCONFIRMED = 5
    LEASE = 6
    ORDER = 7
    EPISODE = 8
    NO_HANDLE = 9
    UNWARRANTED = 10
    FAR = 11
    CLOSED = 12
    HAND = 13
    HEAVY = 14
    NO_ROOM = 15


@dataclass(frozen=True)
class StepResult:
    """What became of a command. ``observation`` shows the world after it; ``cause`` says why it was rejected, or that
    no handle was there."""

    status: Status
    reason: str
    command: Command
    observation: Observation
    cause: Cause = Cause.NONE

    @property
    def reached(self) -> Viewpoint:
        return self.observation.viewpoint
