"""ROS messages taken apart into Vantage's types; works on the message classes of rclpy and of rosbags alike."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.runs.message_parts import BODY_FRAME
from vantage.spatial import Intrinsics, Matrix, Viewpoint, rigid, rotation_from_quaternion
from vantage.types import (
    Answer,
    Cause,
    Command,
    Episode,
    Evidence,
    InstanceLabel,
    NoiseReport,
    NoiseType,
    Point,
    Question,
    Status,
    Truth,
    TruthQuestion,
    Verdict,
)
from vantage.worlds.limits import MotionLimits
from vantage.worlds.protocol import WorldInfo

_ENCODINGS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "rgb8": (np.uint8, (3,)),
    "32FC1": (np.float32, ()),
    "32SC1": (np.int32, ()),
}


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

    Raises:
        ValueError: another encoding, or fewer bytes than the size says.
    """
    if message.encoding not in _ENCODINGS:
        raise ValueError(f"image encoding '{message.encoding}' is not one of {', '.join(_ENCODINGS)}")
    dtype, channels = _ENCODINGS[message.encoding]
    return np.frombuffer(memoryview(message.data), dtype).reshape(message.height, message.width, *channels)


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
    """T_parent_child, (4, 4), of a TransformStamped."""
    t, q = message.transform.translation, message.transform.rotation
    return rigid(rotation_from_quaternion(q.x, q.y, q.z, q.w), np.array([t.x, t.y, t.z]))


def read_camera_pose(message: Any) -> tuple[int, Viewpoint] | None:
    """Stamp, ns, and pose of the camera from a TFMessage that holds all links from the world frame down to it, or
    None where it tells of something else."""
    found = read_camera_transform(message)
    return None if found is None else (found[0], Viewpoint.from_T_world_body(found[1]))


def read_camera_transform(message: Any) -> tuple[int, Matrix] | None:
    """As ``read_camera_pose``, but T_world_body (4, 4), which keeps a roll."""
    carriers = {item.child_frame_id: item for item in message.transforms}
    link = carriers.get(BODY_FRAME)
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
    return {
        item.instance_id: InstanceLabel(
            item.instance_id, item.label, item.color, item.material, tuple(item.states), item.shape, item.room
        )
        for item in message.instances
    }


def read_viewpoint_command(message: Any) -> Command:
    return Command(
        target=read_viewpoint(message.target),
        action=message.action,
        episode_id=message.episode_id,
        source=message.source,
        sequence=int(message.sequence),
        allow_unwind=bool(message.allow_unwind),
    )


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
    limits = MotionLimits(
        bounds_min=read_point(message.bounds_min),
        bounds_max=read_point(message.bounds_max),
        pitch_min=message.pitch_min,
        pitch_max=message.pitch_max,
        yaw_min=message.yaw_min,
        yaw_max=message.yaw_max,
        max_translation=message.max_translation,
        max_rotation=message.max_rotation,
    )
    return WorldInfo(
        message.world,
        frozenset(message.senses),
        frozenset(message.acts),
        message.body_radius,
        limits,
        message.frame_id,
        message.tolerance,
    )


def read_episode(message: Any) -> Episode:
    """The public episode; its state is in ``message.state``."""
    questions = tuple(Question(item.question_id, item.text, item.phase) for item in message.questions)
    return Episode(
        message.episode_id,
        message.benchmark,
        message.scene,
        read_viewpoint(message.start),
        questions,
        int(message.max_steps),
        int(message.seed),
    )


def read_noise_report(message: Any) -> NoiseReport:
    return NoiseReport(
        NoiseType(message.noise_type),
        message.false_claim,
        message.correction,
        message.corrected_question,
        message.confidence,
        message.explanation,
    )


def read_answer(message: Any) -> Answer:
    evidence = tuple(
        Evidence(read_time(stamp), read_viewpoint(viewpoint))
        for stamp, viewpoint in zip(message.evidence_stamps, message.evidence_viewpoints, strict=True)
    )
    return Answer(
        question_id=message.question_id,
        text=message.text,
        verdict=Verdict(message.verdict),
        confidence=message.confidence,
        noise=read_noise_report(message.noise),
        evidence=evidence,
        perception=message.perception,
        model=message.model,
        phase=message.phase,
    )


def read_truth(message: Any) -> Truth:
    questions = tuple(
        TruthQuestion(
            question_id=item.question_id,
            kind=item.kind,
            answer=item.answer,
            accepted=tuple(item.accepted),
            premise_holds=bool(item.premise_holds),
            noise_type=NoiseType(item.noise_type),
            false_claim=item.false_claim,
            correction=item.correction,
            corrected_question=item.corrected_question,
            target_instances=tuple(int(value) for value in item.target_instances),
            program=item.program,
        )
        for item in message.questions
    )
    has_oracle = bool(message.has_oracle)
    return Truth(
        episode_id=message.episode_id,
        questions=questions,
        goal=read_viewpoint(message.goal) if has_oracle else None,
        oracle_actions=tuple(message.oracle_actions) if has_oracle else None,
        oracle_path_length=message.oracle_path_length,
    )


def read_visibility(message: Any) -> dict[int, float]:
    pairs = zip(message.target_instances, message.visible_fractions, strict=True)
    return {int(instance): float(fraction) for instance, fraction in pairs}
