from .arm_messages import (
    arm_command_message as arm_command_message,
    read_arm_command as read_arm_command,
    read_hand as read_hand,
    read_posture as read_posture,
    read_result as read_result,
    read_touch as read_touch,
    with_hand as with_hand,
)
from .bags import (
    BagWriter as BagWriter,
    decode_pixels as decode_pixels,
    find_bags as find_bags,
    read_bag as read_bag,
    read_bag_raw as read_bag_raw,
    recorded_setup as recorded_setup,
    topics_in as topics_in,
)
from .broken_off import read_broken_off as read_broken_off
from .call_files import calls_beside as calls_beside, read_calls as read_calls, write_calls as write_calls
from .events import SOURCE as SOURCE, EpisodeListener as EpisodeListener, NamedAgent as NamedAgent, Outcome as Outcome
from .folder_lock import FolderLock as FolderLock
from .from_messages import (
    read_answer as read_answer,
    read_camera_pose as read_camera_pose,
    read_camera_transform as read_camera_transform,
    read_episode as read_episode,
    read_image as read_image,
    read_intrinsics as read_intrinsics,
    read_legend as read_legend,
    read_point as read_point,
    read_poses as read_poses,
    read_reached as read_reached,
    read_stamp as read_stamp,
    read_time as read_time,
    read_truth as read_truth,
    read_viewpoint as read_viewpoint,
    read_viewpoint_command as read_viewpoint_command,
    read_whole_episode as read_whole_episode,
    read_world_info as read_world_info,
)
from .gathered_evidence import (
    Hold as Hold,
    PlaceEvidence as PlaceEvidence,
    read_arm_targets as read_arm_targets,
    read_evidence as read_evidence,
    read_hold_poses as read_hold_poses,
)
from .interfaces import RosbagsFactory as RosbagsFactory
from .markers import correction_markers as correction_markers
from .partial_bags import PARTIAL as PARTIAL, sweep_partial as sweep_partial
from .publishers import (
    JPEG_QUALITY as JPEG_QUALITY,
    EventPublisher as EventPublisher,
    LegendPublisher as LegendPublisher,
    ParticipantPublisher as ParticipantPublisher,
    PlannerPublisher as PlannerPublisher,
    Publish as Publish,
    QaPublisher as QaPublisher,
    WorldPublisher as WorldPublisher,
    encode_image as encode_image,
    publish_observation as publish_observation,
)
from .recorded_episode import (
    INTERFERENCE as INTERFERENCE,
    Motion as Motion,
    Recording as Recording,
    whole_episode as whole_episode,
)
from .recordings import (
    TWO_RESULTS as TWO_RESULTS,
    frames_at as frames_at,
    goal_image as goal_image,
    read_recording as read_recording,
)
from .to_messages import JOINTS as JOINTS, OPTICAL_FRAME as OPTICAL_FRAME, Codec as Codec
from .topics import (
    ANSWER as ANSWER,
    ARM_COMMAND as ARM_COMMAND,
    CAMERA_INFO as CAMERA_INFO,
    CLOCK as CLOCK,
    COMMAND_RESULT as COMMAND_RESULT,
    CORRECTION as CORRECTION,
    DEPTH as DEPTH,
    DEPTH_CAMERA_INFO as DEPTH_CAMERA_INFO,
    DETECTIONS as DETECTIONS,
    DIAGNOSTICS as DIAGNOSTICS,
    EPISODE as EPISODE,
    EPISODE_SCORE as EPISODE_SCORE,
    ESTOP as ESTOP,
    HEARTBEAT as HEARTBEAT,
    IMAGE as IMAGE,
    IMAGE_COMPRESSED as IMAGE_COMPRESSED,
    INSTANCES as INSTANCES,
    JOINT_STATES as JOINT_STATES,
    LEGEND as LEGEND,
    NOISE_REPORT as NOISE_REPORT,
    RECALLABLE as RECALLABLE,
    RECORDED as RECORDED,
    RECORDING_SUMMARY as RECORDING_SUMMARY,
    REPLAYED as REPLAYED,
    ROBOT_DESCRIPTION as ROBOT_DESCRIPTION,
    SCENE_POINTS as SCENE_POINTS,
    SEARCH_MARKERS as SEARCH_MARKERS,
    SEARCH_PATH as SEARCH_PATH,
    SEARCH_STATUS as SEARCH_STATUS,
    TF as TF,
    TF_STATIC as TF_STATIC,
    TRUTH as TRUTH,
    TRUTH_EVIDENCE as TRUTH_EVIDENCE,
    TRUTH_GOAL_IMAGE as TRUTH_GOAL_IMAGE,
    TRUTH_POSES as TRUTH_POSES,
    TRUTH_VISIBILITY as TRUTH_VISIBILITY,
    VIEWPOINT_COMMAND as VIEWPOINT_COMMAND,
    WRENCH as WRENCH,
    Topic as Topic,
    absolute as absolute,
    recalled as recalled,
    wanted_in_bag as wanted_in_bag,
)
