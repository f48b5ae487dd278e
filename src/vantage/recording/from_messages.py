"""ROS messages become Vantage's dataclasses; works on the message classes of rclpy and of rosbags alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import lru_cache
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from vantage.goals import Errand, Goal, Ruling
from vantage.recording.goal_messages import read_errand, read_goal, read_ruling, read_task_truth
from vantage.recording.to_messages import BODY_FRAME
from vantage.spatial import Intrinsics, Matrix, Viewpoint, rigid, rotation_from_quaternion
from vantage.types import (
    FIRST_VIEW_RULE,
    Answer,
    Cause,
    Changes,
    Command,
    Episode,
    EpisodePhase,
    Evidence,
    Gathered,
    InstanceLabel,
    Point,
    Poses,
    Status,
    Truth,
    TruthQuestion,
    ViewShortfall,
)
from vantage.worlds import MotionLimits, WorldInfo

T = TypeVar("T")

_ENCODINGS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "rgb8": (np.uint8, (3,)),
    "32FC1": (np.float32, ()),
    "32SC1": (np.int32, ()),
}


def read(kind: type[T], message: Any, **given: Any) -> T:
    """A value of one of Vantage's dataclasses from a message that has fields of the same names.

    Args:
        given: fields that the message holds in another way.

    Raises:
        ValueError: an enumeration has no such value.
    """
    for name, convert in _converters(cast(Any, kind)):
        if name not in given:
            given[name] = convert(getattr(message, name))
    return kind(**given)


@lru_cache(maxsize=64)
def _converters(kind: Any) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    hints = get_type_hints(kind)
    return tuple((item.name, _converter(hints[item.name])) for item in fields(kind))


def _converter(hint: Any) -> Callable[[Any], Any]:
    """What makes a value of a type of what a message holds."""
    if hint in _READERS:
        return _READERS[hint]
    if get_origin(hint) is UnionType:  # with None, which no message holds
        return _converter(get_args(hint)[0])
    if get_origin(hint) is tuple:
        convert = _converter(get_args(hint)[0])
        return lambda values: tuple(convert(value) for value in values)
    if isinstance(hint, type) and issubclass(hint, (str, bool, int, float)):
        return hint
    return lambda message: read(hint, message)


def read_time(message: Any) -> int:
    """ns"""
    return int(message.sec) * 10**9 + int(message.nanosec)


def read_stamp(message: Any) -> int:
    """The header's stamp, ns."""
    return read_time(message.header.stamp)


def read_viewpoint(message: Any) -> Viewpoint:
    return Viewpoint(message.x, message.y, message.z, message.yaw, message.pitch)


def read_point(message: Any) -> Point:
    return (float(message.x), float(message.y), float(message.z))


def read_image(message: Any) -> NDArray[Any]:
    """(H, W, 3) uint8 of rgb8, (H, W) float32 of 32FC1, (H, W) int32 of 32SC1; a view where possible.

    It may not be written to, as the images of worlds may not: so the same compiled code takes both.

    Raises:
        ValueError: another encoding, or fewer bytes than the size says.
    """
    if message.encoding not in _ENCODINGS:
        raise ValueError(f"image encoding '{message.encoding}' is not one of {', '.join(_ENCODINGS)}")
    dtype, channels = _ENCODINGS[message.encoding]
    image = np.frombuffer(memoryview(message.data), dtype).reshape(message.height, message.width, *channels)
    image.setflags(write=False)
    return image


def read_intrinsics(message: Any) -> Intrinsics:
    """
    Raises:
        ValueError: no camera has such values.
    """
    k = message.k
    if not (all(math.isfinite(value) for value in k) and min(k[0], k[4], message.width, message.height) > 0):
        raise ValueError(
            f"no camera has {message.width} x {message.height} pixels and focal lengths of {k[0]} and {k[4]} pixels"
        )
    return Intrinsics(message.width, message.height, float(k[0]), float(k[4]), float(k[2]), float(k[5]))


def read_transform(message: Any) -> Matrix:
    """T_parent_child, (4, 4), of a TransformStamped.

    Raises:
        ValueError: it is not finite, or turned by nothing.
    """
    t, q = message.transform.translation, message.transform.rotation
    if not (math.isfinite(t.x) and math.isfinite(t.y) and math.isfinite(t.z)):
        raise ValueError(f"the transform to '{message.child_frame_id}' is not finite: ({t.x}, {t.y}, {t.z})")
    return rigid(rotation_from_quaternion(q.x, q.y, q.z, q.w), np.array([t.x, t.y, t.z]))


def read_camera_pose(message: Any) -> tuple[int, Viewpoint] | None:
    """Stamp, ns, and pose of the camera from a TFMessage that holds all links from the world frame down to it, or
    None where it tells of something else.

    Raises:
        ValueError: a link is no transform.
    """
    found = read_camera_transform(message)
    return None if found is None else (found[0], Viewpoint.from_T_world_body(found[1]))


def read_camera_transform(message: Any) -> tuple[int, Matrix] | None:
    """As ``read_camera_pose``, but T_world_body (4, 4), which keeps a roll."""
    return read_frame(message, BODY_FRAME)


def read_frame(message: Any, frame: str) -> tuple[int, Matrix] | None:
    """Stamp, ns, and T_world_frame (4, 4) from a TFMessage that holds all links down to a frame; else None."""
    carriers = {item.child_frame_id: item for item in message.transforms}
    link = carriers.get(frame)
    if link is None:
        return None
    stamp, T_parent_body = read_time(link.header.stamp), read_transform(link)
    for _ in carriers:
        link = carriers.get(link.header.frame_id)
        if link is None:
            break
        T_parent_body = read_transform(link) @ T_parent_body
    return stamp, T_parent_body


def read_legend(message: Any) -> dict[int, InstanceLabel]:
    return {item.instance_id: read(InstanceLabel, item) for item in message.instances}


def read_viewpoint_command(message: Any) -> Command:
    return read(Command, message, arm=None)


def read_reached(message: Any) -> tuple[Status, Cause, Viewpoint]:
    """What a CommandResult says became of the command, why it was rejected, and the pose after it.

    Raises:
        ValueError: there is no such status or cause, or the pose is not finite.
    """
    reached = read_viewpoint(message.reached)
    if not reached.is_finite:
        raise ValueError(f"the pose after command {message.sequence} is not finite: {reached}")
    return Status(message.status), Cause(message.cause), reached


def read_world_info(message: Any) -> WorldInfo:
    return read(
        WorldInfo,
        message,
        name=message.world,
        frame=message.frame_id,
        senses=frozenset(message.senses),
        acts=frozenset(message.acts),
        limits=read(MotionLimits, message),
    )


def read_episode(message: Any) -> Episode:
    """The public episode in the phase that is on; its state is in ``message.state``."""
    return read(Episode, message, phases=())


def read_whole_episode(message: Any, phases: Iterable[Any]) -> Episode:
    """The episode that a goal of ``run_episode`` asks for.

    Args:
        phases: messages of all its phases; none for an episode of one.

    Raises:
        ValueError: the phases contradict each other.
    """
    episode, several = read_episode(message), tuple(read(EpisodePhase, phase) for phase in phases)
    if not several:
        return episode
    names = (episode.episode_id, episode.benchmark, episode.scene)
    return Episode.of_phases(*names, episode.start, several, episode.seed)


def read_answer(message: Any) -> Answer:
    evidence = tuple(
        Evidence(read_time(stamp), read_viewpoint(viewpoint))
        for stamp, viewpoint in zip(message.evidence_stamps, message.evidence_viewpoints, strict=True)
    )
    return read(Answer, message, evidence=evidence)


def read_truth(message: Any) -> Truth:
    """Gold data; the phases of its questions follow from the episode, which asks them in the same order."""
    has_oracle = bool(message.has_oracle)
    return read(
        Truth,
        message,
        questions=tuple(map(_read_truth_question, message.questions)),
        goal=read_viewpoint(message.goal) if has_oracle else None,
        oracle_actions=tuple(message.oracle_actions) if has_oracle else None,
    )


def _read_truth_question(message: Any) -> TruthQuestion:
    task = read_task_truth(message.task) if message.has_task else None
    return read(TruthQuestion, message, phase="", task=task)


def read_visibility(message: Any) -> dict[int, float]:
    """Visible fraction of each target, by instance id."""
    pairs = zip(message.target_instances, message.visible_fractions, strict=True)
    return {int(instance): float(fraction) for instance, fraction in pairs}


def read_poses(message: Any) -> Poses:
    """What was moved.

    Raises:
        ValueError: a pose is not finite or turned by nothing, the lists differ in length, or nothing changes so.
    """
    things = {}
    for instance, pose in zip(message.instances, message.poses, strict=True):
        at, turn = pose.position, pose.orientation
        values = np.array([at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w], np.float64)
        if not np.isfinite(values).all() or not values[3:].any():
            raise ValueError(f"the pose of {int(instance)} is none: {values.tolist()}")
        things[int(instance)] = rigid(rotation_from_quaternion(*values[3:].tolist()), values[:3])
    joints = zip(message.joint_instances, message.joint_parts, message.joint_positions, strict=True)
    switched = zip(message.switched_instances, message.switched_on, strict=True)
    return Poses(
        things,
        {(int(instance), str(part)): float(position) for instance, part, position in joints},
        {int(instance): bool(on) for instance, on in switched},
        int(message.held),
        Changes(message.changes),
    )


def read_gathered(message: Any) -> Gathered:
    """
    Raises:
        ValueError: an area is not finite.
    """
    found = read(Gathered, message)
    if not (math.isfinite(found.floor_seen) and math.isfinite(found.floor_area)):
        raise ValueError(f"an area of floor is not finite: {found.floor_seen} of {found.floor_area}")
    return found


def read_answering(message: Any) -> tuple[bool, ...]:
    """Whether a frame answers each question of the gold data; empty where that was not recorded."""
    return tuple(bool(answers) for answers in message.answers)


def read_shortfalls(message: Any) -> tuple[ViewShortfall | None, ...]:
    """Why a frame does not answer each question of the gold data, None where it does; empty where that was not
    recorded."""
    return tuple(read(ViewShortfall, each) if each.test else None for each in message.shortfalls)


def read_view_rule(message: Any) -> int:
    """The version of the view rule that a message names; the first where it was recorded before there were versions."""
    return int(message.view_rule) or FIRST_VIEW_RULE


_READERS: dict[Any, Callable[[Any], Any]] = {
    Point: read_point,
    Errand | None: read_errand,
    Goal: read_goal,
    Ruling | None: read_ruling,
}
