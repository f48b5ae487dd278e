"""Vantage's types as ROS messages, for any message classes: those of rclpy and those of rosbags.

A ``Codec`` builds messages through a factory; ``vantage.recording.from_messages`` takes messages of either kind apart.
Fields of Vantage's own messages are those of its dataclasses by name; only what differs is written here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rosbags.interfaces import Nodetype

from vantage.goals import Goal, Ruling
from vantage.recording.goal_messages import errand_fields, goal_fields, ruling_fields, task_fields
from vantage.recording.interfaces import MessageFactory, fields_of
from vantage.spatial import R_BODY_OPTICAL, Intrinsics, Matrix, Viewpoint, quaternion, rigid
from vantage.types import (
    VIEW_RULE,
    Answer,
    Command,
    Detection,
    Episode,
    EpisodeState,
    Event,
    Gathered,
    InstanceLabel,
    Link,
    NoiseReport,
    Observation,
    Participation,
    Poses,
    Posture,
    SearchView,
    StepResult,
    Touch,
    Truth,
    ViewShortfall,
)
from vantage.worlds import WorldInfo

BODY_FRAME = "camera_link"
OPTICAL_FRAME = "camera_optical"
JOINTS = ("x", "y", "z", "yaw", "pitch")
TOOL_FRAME = "arm_tool"  # of the hand of an arm
_OWN = "vantage_eqa/msg/"
_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "Errand": errand_fields,
    "Goal": goal_fields,
    "Ruling": ruling_fields,
    "TaskTruth": task_fields,
}
_NO_SHORTFALL = ViewShortfall("", 0.0, 0.0)
_WARN, _ERROR = 1, 2  # of DiagnosticStatus.level


class Codec:
    """Builds messages. Stamps are ns; ``frame`` is the world frame."""

    def __init__(self, factory: MessageFactory, frame: str = "map") -> None:
        self._factory = factory
        self.frame = frame

    # Any message ----------------------------------------------------------------------------------------------------

    def make(self, type_name: str, **fields: Any) -> Any:
        """A message; text that UTF-8 cannot hold, such as a lone surrogate from a model's JSON, is mended."""
        for key, value in fields.items():
            if isinstance(value, (str, list)):
                fields[key] = _encodable(value)
        return self._factory.make(type_name, fields)

    def own(self, name: str, *sources: object, **fields: Any) -> Any:
        """A message of Vantage's own.

        Args:
            name: of the type.
            sources: a field that is not given has the value of the first of these that has an attribute of its name,
                converted to the type that the definition says.
            fields: taken as they are.

        Raises:
            AttributeError: no source has a field.
        """
        only = sources[0] if len(sources) == 1 else None
        for field, node in fields_of(_OWN + name):
            if field not in fields:
                source = only or next((item for item in sources if hasattr(item, field)), None)
                fields[field] = self._converted(getattr(source, field), node)
        return self.make(_OWN + name, **fields)

    def _converted(self, value: Any, node: Any) -> Any:
        """A value of one of Vantage's types as a message's field of a type holds it."""
        kind, what = node
        if kind is Nodetype.BASE:
            return value if what[0] == "string" else _NUMBERS.get(what[0], int)(value)
        if kind is Nodetype.NAME:
            return self._part(value, what)
        element, form = what[0]
        if element is Nodetype.BASE and form[0] != "string":
            return self._factory.array(np.array(value, form[0]))
        return [self._converted(item, what[0]) for item in value]

    def _part(self, value: Any, type_name: str) -> Any:
        if type_name == "geometry_msgs/msg/Point":
            return self.point(value)
        if type_name == "builtin_interfaces/msg/Time":
            return self.time(value)
        if type_name == "sensor_msgs/msg/RegionOfInterest":
            return self.region(*value)
        name = type_name.removeprefix(_OWN)
        if name in _FIELDS:
            value = _FIELDS[name](value)
        if name == "TruthQuestion":
            return self.own(name, value, has_task=value.task is not None)
        return self.own(name, value)

    def time(self, stamp: int) -> Any:
        return self.make("builtin_interfaces/msg/Time", sec=stamp // 10**9, nanosec=stamp % 10**9)

    def header(self, stamp: int, frame: str | None = None) -> Any:
        return self.make("std_msgs/msg/Header", stamp=self.time(stamp), frame_id=self.frame if frame is None else frame)

    def point(self, value: Iterable[float]) -> Any:
        x, y, z = (float(part) for part in value)
        return self.make("geometry_msgs/msg/Point", x=x, y=y, z=z)

    def quaternion(self, rotation: Matrix) -> Any:
        x, y, z, w = quaternion(rotation)
        return self.make("geometry_msgs/msg/Quaternion", x=x, y=y, z=z, w=w)

    def pose(self, viewpoint: Viewpoint) -> Any:
        """T_world_body as geometry_msgs/Pose."""
        return self.rigid_pose(viewpoint.position, viewpoint.rotation())

    def rigid_pose(self, position: Iterable[float], rotation: Matrix) -> Any:
        """geometry_msgs/Pose of a place (3,), m, and a rotation (3, 3)."""
        return self.make("geometry_msgs/msg/Pose", position=self.point(position), orientation=self.quaternion(rotation))

    def vector(self, value: Iterable[float]) -> Any:
        x, y, z = (float(part) for part in value)
        return self.make("geometry_msgs/msg/Vector3", x=x, y=y, z=z)

    def region(self, x: int, y: int, width: int, height: int) -> Any:
        return self.make(
            "sensor_msgs/msg/RegionOfInterest", x_offset=x, y_offset=y, height=height, width=width, do_rectify=False
        )

    def array(self, values: NDArray[Any]) -> Any:
        """An unbounded sequence of numbers."""
        return self._factory.array(values)

    # Vantage's own --------------------------------------------------------------------------------------------------

    def viewpoint(self, value: Viewpoint) -> Any:
        return self.own("Viewpoint", value)

    def legend(self, stamp: int, scene: str, legend: Mapping[int, InstanceLabel]) -> Any:
        labels = [self.own("InstanceLabel", entry) for entry in legend.values()]
        return self.own("InstanceLegend", header=self.header(stamp), scene=scene, instances=labels)

    def viewpoint_command(self, stamp: int, command: Command) -> Any:
        if command.target is None:
            raise ValueError("a viewpoint command needs a target")
        return self.own("ViewpointCommand", command, header=self.header(stamp))

    def command_result(self, result: StepResult, legend_stamp: int = 0) -> Any:
        """
        Args:
            legend_stamp: ns, of the legend that is right for what the result shows; 0 without one.
        """
        seen = result.observation
        told = {"header": self.header(seen.stamp), "observation_stamp": self.time(seen.stamp)}
        told["legend_stamp"] = self.time(legend_stamp)
        return self.own("CommandResult", result, result.command, **told, **self.hand(seen.touch))

    def hand(self, touch: Touch | None) -> dict[str, Any]:
        """The fields of ``CommandResult`` that tell of the hand of an arm."""
        if touch is None:
            return {"tool_pose": self.rigid_pose((0.0, 0.0, 0.0), np.eye(3)), "gripper_width": math.nan, "holds": False}
        pose = self.rigid_pose(touch.T_world_tool[:3, 3], touch.T_world_tool[:3, :3])
        return {"tool_pose": pose, "gripper_width": float(touch.gripper_width), "holds": bool(touch.holds)}

    def world_info(self, info: WorldInfo) -> Any:
        return self.own(
            "WorldInfo",
            info,
            info.limits,
            world=info.name,
            frame_id=info.frame,
            senses=sorted(info.senses),
            acts=sorted(info.acts),
        )

    def episode(
        self,
        stamp: int,
        episode: Episode,
        state: EpisodeState,
        *,
        agent: str = "",
        perception: str = "",
        control: str = "",
        reason: str = "",
        commands_sent: int = 0,
        answers_given: int = 0,
    ) -> Any:
        """The public part; of a whole episode of several phases, as it is in the first."""
        return self.own(
            "Episode",
            episode.in_phase(0),
            header=self.header(stamp),
            agent=agent,
            perception=perception,
            control=control,
            state=int(state),
            reason=reason,
            commands_sent=commands_sent,
            answers_given=answers_given,
        )

    def phases(self, episode: Episode) -> list[Any]:
        """Of a whole episode of several phases, all of them; empty for others."""
        return [self.own("EpisodePhase", phase) for phase in episode.phases]

    def search_status(self, stamp: int, episode_id: str, view: SearchView) -> Any:
        return self.own("SearchStatus", view, header=self.header(stamp), episode_id=episode_id)

    def participant(self, stamp: int, episode_id: str, who: Participation, phase: str, **decided: Any) -> Any:
        """Who decides as a person; ``decided``: ``action``, ``sequence`` and ``question_id`` of a decision."""
        told = {"action": "", "sequence": 0, "question_id": ""} | decided
        return self.own("Participant", who, header=self.header(stamp), episode_id=episode_id, phase=phase, **told)

    def noise_report(self, stamp: int, episode_id: str, question_id: str, report: NoiseReport) -> Any:
        return self.own(
            "NoiseReport", report, header=self.header(stamp), episode_id=episode_id, question_id=question_id
        )

    def goal(self, goal: Goal) -> Any:
        return self.own("Goal", goal_fields(goal))

    def ruling(self, ruling: Ruling | None) -> Any:
        """None where nobody ruled."""
        return self.own("Ruling", ruling_fields(ruling))

    def answer(self, stamp: int, episode_id: str, answer: Answer) -> Any:
        return self.own(
            "Answer",
            answer,
            header=self.header(stamp),
            episode_id=episode_id,
            noise=self.noise_report(stamp, episode_id, answer.question_id, answer.noise),
            evidence_stamps=[self.time(item.stamp) for item in answer.evidence],
            evidence_viewpoints=[self.viewpoint(item.viewpoint) for item in answer.evidence],
        )

    def detections(self, observation: Observation, episode_id: str, perception: str, found: Iterable[Detection]) -> Any:
        return self.own(
            "Detections",
            observation,
            header=self.header(observation.stamp),
            episode_id=episode_id,
            perception=perception,
            detections=[self.own("Detection", item) for item in found],
        )

    def truth(self, stamp: int, truth: Truth, view_rule: int = VIEW_RULE) -> Any:
        """Gold data of an episode, whose set was labelled by a version of the view rule."""
        return self.own(
            "Truth",
            truth,
            header=self.header(stamp),
            view_rule=view_rule,
            has_oracle=truth.oracle_actions is not None,
            oracle_actions=list(truth.oracle_actions or ()),
            goal=self.viewpoint(truth.goal or Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)),
        )

    def visibility(
        self,
        stamp: int,
        episode_id: str,
        fractions: Mapping[int, float],
        shortfalls: Iterable[ViewShortfall | None] = (),
        view_rule: int = VIEW_RULE,
    ) -> Any:
        """What a frame really shows: visible fractions by target, and why it does not answer each question by a version
        of the view rule; None where it does."""
        lacking = tuple(shortfalls)
        return self.own(
            "TruthVisibility",
            header=self.header(stamp),
            episode_id=episode_id,
            target_instances=self.array(np.array(list(fractions), np.int32)),
            visible_fractions=self.array(np.array(list(fractions.values()), np.float64)),
            answers=self.array(np.array([each is None for each in lacking], np.bool_)),
            shortfalls=[self.own("ViewShortfall", each or _NO_SHORTFALL) for each in lacking],
            view_rule=view_rule,
        )

    def gathered(self, stamp: int, episode_id: str, news: Gathered) -> Any:
        """What a frame adds to what is known of a place."""
        return self.own("TruthEvidence", news, header=self.header(stamp), episode_id=episode_id)

    def poses(self, stamp: int, episode_id: str, poses: Poses) -> Any:
        """What was moved, as a frame shows it."""
        return self.own(
            "TruthPoses",
            header=self.header(stamp),
            episode_id=episode_id,
            instances=self.array(np.array(list(poses.things), np.int32)),
            poses=[self.rigid_pose(pose[:3, 3], pose[:3, :3]) for pose in poses.things.values()],
            joint_instances=self.array(np.array([instance for instance, _ in poses.joints], np.int32)),
            joint_parts=[part for _, part in poses.joints],
            joint_positions=self.array(np.array(list(poses.joints.values()), np.float64)),
            switched_instances=self.array(np.array(list(poses.switched), np.int32)),
            switched_on=self.array(np.array(list(poses.switched.values()), np.bool_)),
            held=int(poses.held),
            changes=int(poses.changes),
        )

    def recording_summary(
        self,
        stamp: int,
        schema_version: int,
        episode_id: str,
        counts: Mapping[str, int],
        dropped: Mapping[str, int],
        interference: Iterable[str] = (),
        unreadable: int = 0,
    ) -> Any:
        topics = sorted(set(counts) | set(dropped))
        return self.own(
            "RecordingSummary",
            header=self.header(stamp),
            schema_version=schema_version,
            episode_id=episode_id,
            topics=topics,
            messages=self.array(np.array([counts.get(name, 0) for name in topics], np.uint64)),
            dropped=self.array(np.array([dropped.get(name, 0) for name in topics], np.uint64)),
            interference=list(interference),
            unreadable=unreadable,
        )

    # ROS's own -------------------------------------------------------------------------------------------------------

    def image(self, stamp: int, pixels: NDArray[Any], encoding: str) -> Any:
        """``rgb8`` (H, W, 3), ``32FC1`` m or ``32SC1`` ids, both (H, W)."""
        height, width = pixels.shape[:2]
        data = np.ascontiguousarray(pixels).reshape(-1).view(np.uint8)
        return self.make(
            "sensor_msgs/msg/Image",
            header=self.header(stamp, OPTICAL_FRAME),
            height=height,
            width=width,
            encoding=encoding,
            is_bigendian=0,
            step=data.size // height,
            data=self.array(data),
        )

    def compressed_image(self, stamp: int, data: bytes, form: str = "jpeg") -> Any:
        return self.make(
            "sensor_msgs/msg/CompressedImage",
            header=self.header(stamp, OPTICAL_FRAME),
            format=form,
            data=self.array(np.frombuffer(data, np.uint8)),
        )

    def camera_info(self, stamp: int, intrinsics: Intrinsics) -> Any:
        k = intrinsics.matrix()
        return self.make(
            "sensor_msgs/msg/CameraInfo",
            header=self.header(stamp, OPTICAL_FRAME),
            height=intrinsics.height,
            width=intrinsics.width,
            distortion_model="plumb_bob",
            d=self.array(np.zeros(5)),
            k=k.reshape(-1),
            r=np.eye(3).reshape(-1),
            p=np.hstack([k, np.zeros((3, 1))]).reshape(-1),
            binning_x=0,
            binning_y=0,
            roi=self.region(0, 0, 0, 0),
        )

    def joint_states(self, stamp: int, viewpoint: Viewpoint, posture: Posture | None = None) -> Any:
        """The joints of the robot that carries the camera, or the five of a free camera."""
        free = (viewpoint.x, viewpoint.y, viewpoint.z, viewpoint.yaw, viewpoint.pitch)
        joints = dict(zip(JOINTS, free, strict=True)) if posture is None else posture.joints
        nothing = self.array(np.zeros(0))
        return self.make(
            "sensor_msgs/msg/JointState",
            header=self.header(stamp),
            name=list(joints),
            position=self.array(np.array(list(joints.values()), np.float64)),
            velocity=nothing,
            effort=nothing,
        )

    def transforms(
        self, stamp: int, viewpoint: Viewpoint, posture: Posture | None = None, touch: Touch | None = None
    ) -> Any:
        """``/tf``: T_world_body, through the links of the robot that carries the camera where there is one, and the
        frame of the hand, straight from the world where none of these links is it."""
        links = (Link(self.frame, BODY_FRAME, viewpoint.T_world_body()),) if posture is None else posture.links
        if touch is not None and all(link.child != TOOL_FRAME for link in links):
            links = (*links, Link(self.frame, TOOL_FRAME, touch.T_world_tool))
        transforms = [self._transform(stamp, link) for link in links]
        return self.make("tf2_msgs/msg/TFMessage", transforms=transforms)

    def text(self, value: str) -> Any:
        return self.make("std_msgs/msg/String", data=value)

    def static_transforms(self, stamp: int) -> Any:
        """``/tf_static``: T_body_optical."""
        link = Link(BODY_FRAME, OPTICAL_FRAME, rigid(R_BODY_OPTICAL, np.zeros(3)))
        return self.make("tf2_msgs/msg/TFMessage", transforms=[self._transform(stamp, link)])

    def _transform(self, stamp: int, link: Link) -> Any:
        T_parent_child = link.T_parent_child
        transform = self.make(
            "geometry_msgs/msg/Transform",
            translation=self.vector(T_parent_child[:3, 3]),
            rotation=self.quaternion(T_parent_child[:3, :3]),
        )
        return self.make(
            "geometry_msgs/msg/TransformStamped",
            header=self.header(stamp, link.parent),
            child_frame_id=link.child,
            transform=transform,
        )

    def diagnostics(self, events: Iterable[Event], source: str) -> Any:
        """What a world noticed, one status each (REP-107)."""
        statuses = [
            self.make(
                "diagnostic_msgs/msg/DiagnosticStatus",
                level=self._factory.byte(_ERROR if event.fatal else _WARN),
                name=f"{source}: {event.kind}",
                message=event.sentence,
                hardware_id="vantage",
                values=[self.make("diagnostic_msgs/msg/KeyValue", key="number", value=str(event.number))],
            )
            for event in events
        ]
        stamp = max((event.stamp for event in events), default=0)
        return self.make("diagnostic_msgs/msg/DiagnosticArray", header=self.header(stamp, ""), status=statuses)


_NUMBERS = {"bool": bool, "float32": float, "float64": float}  # all others are whole


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [_encodable(item) for item in value]
    return value
