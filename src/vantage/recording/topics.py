"""Every topic once: its name, its type and how it is offered. Bags and nodes both read this table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from vantage.config import Settings


@dataclass(frozen=True)
class Topic:
    """A topic, its message type (``package/msg/Type``) and its quality of service; all are reliable.

    Attributes:
        depth: history depth.
        latched: transient local, so that late subscribers get the last message.
        optional: the name of the run setting that turns its recording on; empty means always recorded.
    """

    name: str
    type: str
    depth: int = 10
    latched: bool = False
    optional: str = ""

    @property
    def is_truth(self) -> bool:
        """Gold data: only the evaluator may publish it, planner, QA and replay never subscribe."""
        return self.name.startswith("truth/")


IMAGE = Topic("camera/image_raw", "sensor_msgs/msg/Image", depth=5, optional="record_raw")
IMAGE_COMPRESSED = Topic("camera/image_raw/compressed", "sensor_msgs/msg/CompressedImage", depth=30)
CAMERA_INFO = Topic("camera/camera_info", "sensor_msgs/msg/CameraInfo", depth=100)
DEPTH = Topic("camera/depth/image_raw", "sensor_msgs/msg/Image", depth=30, optional="record_depth")
DEPTH_CAMERA_INFO = Topic("camera/depth/camera_info", "sensor_msgs/msg/CameraInfo", depth=100)
INSTANCES = Topic("camera/instances/image_raw", "sensor_msgs/msg/Image", depth=5, optional="record_instances")
LEGEND = Topic("camera/instances/legend", "vantage_eqa/msg/InstanceLegend", depth=1, latched=True)
JOINT_STATES = Topic("joint_states", "sensor_msgs/msg/JointState")
WRENCH = Topic("arm/wrench", "geometry_msgs/msg/WrenchStamped", depth=100)
ROBOT_DESCRIPTION = Topic("robot_description", "std_msgs/msg/String", depth=1, latched=True)
TF = Topic("/tf", "tf2_msgs/msg/TFMessage", depth=100)
TF_STATIC = Topic("/tf_static", "tf2_msgs/msg/TFMessage", depth=1, latched=True)
SCENE_POINTS = Topic("scene/points", "sensor_msgs/msg/PointCloud2", depth=1, latched=True)
DIAGNOSTICS = Topic("/diagnostics", "diagnostic_msgs/msg/DiagnosticArray")
CLOCK = Topic("/clock", "rosgraph_msgs/msg/Clock", depth=1)
ESTOP = Topic("estop", "std_msgs/msg/Bool")
HEARTBEAT = Topic("heartbeat", "std_msgs/msg/Header", depth=1)
VIEWPOINT_COMMAND = Topic("viewpoint_command", "vantage_eqa/msg/ViewpointCommand", depth=100)
ARM_COMMAND = Topic("arm_command", "vantage_eqa/msg/ArmCommand", depth=100)
COMMAND_RESULT = Topic("command_result", "vantage_eqa/msg/CommandResult", depth=100)
EPISODE = Topic("episode", "vantage_eqa/msg/Episode", depth=1, latched=True)
ANSWER = Topic("answer", "vantage_eqa/msg/Answer", depth=100)
SEARCH_PATH = Topic("search/path", "nav_msgs/msg/Path", depth=1, latched=True, optional="record_markers")
SEARCH_MARKERS = Topic(
    "search/markers", "visualization_msgs/msg/MarkerArray", depth=1, latched=True, optional="record_markers"
)
SEARCH_STATUS = Topic("search/status", "vantage_eqa/msg/SearchStatus", depth=1, latched=True)
PARTICIPANT = Topic("participant", "vantage_eqa/msg/Participant")
CORRECTION = Topic("correction", "vantage_eqa/msg/Correction")
NOISE_REPORT = Topic("noise_report", "vantage_eqa/msg/NoiseReport")
DETECTIONS = Topic("camera/detections", "vantage_eqa/msg/Detections")
TRUTH = Topic("truth/episode", "vantage_eqa/msg/Truth", depth=1, latched=True)
TRUTH_VISIBILITY = Topic("truth/visibility", "vantage_eqa/msg/TruthVisibility")
TRUTH_POSES = Topic("truth/poses", "vantage_eqa/msg/TruthPoses", depth=100)
TRUTH_EVIDENCE = Topic("truth/evidence", "vantage_eqa/msg/TruthEvidence", depth=100)
TRUTH_GOAL_IMAGE = Topic("truth/goal_image", "sensor_msgs/msg/CompressedImage", depth=1, latched=True)
RECORDING_SUMMARY = Topic("recording_summary", "vantage_eqa/msg/RecordingSummary", depth=1)
EPISODE_SCORE = Topic("episode_score", "vantage_eqa/msg/EpisodeScore", depth=10, latched=True)

# What a bag holds; the score comes after it, from it.
RECORDED = (
    IMAGE,
    IMAGE_COMPRESSED,
    CAMERA_INFO,
    DEPTH,
    DEPTH_CAMERA_INFO,
    INSTANCES,
    LEGEND,
    JOINT_STATES,
    WRENCH,
    ROBOT_DESCRIPTION,
    TF,
    TF_STATIC,
    DIAGNOSTICS,
    VIEWPOINT_COMMAND,
    ARM_COMMAND,
    COMMAND_RESULT,
    EPISODE,
    ANSWER,
    SEARCH_PATH,
    SEARCH_MARKERS,
    SEARCH_STATUS,
    PARTICIPANT,
    NOISE_REPORT,
    DETECTIONS,
    TRUTH,
    TRUTH_VISIBILITY,
    TRUTH_POSES,
    TRUTH_EVIDENCE,
    TRUTH_GOAL_IMAGE,
    RECORDING_SUMMARY,
)

# What a replay publishes again: everything recorded that is not gold data, the recorder's own note or about nodes.
REPLAYED = tuple(topic for topic in RECORDED if not topic.is_truth and topic not in (RECORDING_SUMMARY, DIAGNOSTICS))


# What a world keeps of each look, and sends again to a recorder that asks for it.
RECALLABLE = (
    TF,
    CAMERA_INFO,
    DEPTH,
    DEPTH_CAMERA_INFO,
    IMAGE_COMPRESSED,
    JOINT_STATES,
    WRENCH,
    COMMAND_RESULT,
)


def recalled(topic: Topic) -> Topic:
    """The topic on which the messages of a topic are sent again."""
    return replace(topic, name=f"recalled/{topic.name.removeprefix('/')}")


def absolute(topic: str) -> str:
    """The topic's name at the root, as bags hold it."""
    return topic if topic.startswith("/") else f"/{topic}"


def wanted_in_bag(settings: Settings) -> Callable[[Topic], bool]:
    """Which topics the run settings want recorded."""
    return lambda topic: not topic.optional or bool(getattr(settings.run, topic.optional))
