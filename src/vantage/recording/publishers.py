"""Publishers of an episode: what planner, world and QA put on topics, in process and over ROS alike."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from vantage.errors import RecordingError
from vantage.recording.arm_messages import arm_command_message, wrench_message
from vantage.recording.events import EpisodeListener, NamedAgent, Outcome, control_of
from vantage.recording.markers import frustum_points, marker_message, path_message
from vantage.recording.to_messages import Codec
from vantage.recording.topics import (
    ANSWER,
    ARM_COMMAND,
    CAMERA_INFO,
    COMMAND_RESULT,
    DEPTH,
    DEPTH_CAMERA_INFO,
    DETECTIONS,
    DIAGNOSTICS,
    EPISODE,
    IMAGE,
    IMAGE_COMPRESSED,
    INSTANCES,
    JOINT_STATES,
    LEGEND,
    NOISE_REPORT,
    PARTICIPANT,
    ROBOT_DESCRIPTION,
    SEARCH_MARKERS,
    SEARCH_PATH,
    SEARCH_STATUS,
    TF,
    TF_STATIC,
    VIEWPOINT_COMMAND,
    WRENCH,
    Topic,
)
from vantage.spatial import Viewpoint
from vantage.types import (
    Answer,
    Command,
    Detection,
    Episode,
    EpisodeState,
    InstanceLabel,
    Observation,
    Participation,
    SearchView,
    StepResult,
)
from vantage.worlds import Described, Supervised, World

Publish = Callable[[Topic, int, Any], None]  # topic, stamp in ns, message
Wanted = Callable[[Topic], bool]

JPEG_QUALITY = 90  # 0..100
_MOST_FRUSTUMS = 400  # views taken that are drawn, the newest


def encode_image(
    rgb: np.ndarray[Any, np.dtype[np.uint8]], extension: str = ".jpg", quality: int = JPEG_QUALITY
) -> bytes:
    """JPEG, of a quality of 0..100, or PNG bytes of an RGB image (H, W, 3) uint8."""
    parameters = [cv2.IMWRITE_JPEG_QUALITY, quality] if extension == ".jpg" else []
    done, data = cv2.imencode(extension, cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), parameters)
    if not done:
        raise RecordingError(f"an image of shape {rgb.shape} cannot be encoded as {extension}")
    return bytes(data.tobytes())


def publish_observation(
    codec: Codec, publish: Publish, observation: Observation, wanted: Wanted, quality: int = JPEG_QUALITY
) -> None:
    """One look on the camera topics, ``/tf`` and ``joint_states``, all with the observation's stamp.

    Args:
        quality: of the JPEG picture, 0..100.
    """
    stamp = observation.stamp
    makers: list[tuple[Topic, Callable[[], Any]]] = [
        (TF, lambda: codec.transforms(stamp, observation.viewpoint, observation.posture, observation.touch)),
        (JOINT_STATES, lambda: codec.joint_states(stamp, observation.viewpoint, observation.posture)),
        (CAMERA_INFO, lambda: codec.camera_info(stamp, observation.intrinsics)),
        (IMAGE, lambda: codec.image(stamp, observation.rgb, "rgb8")),
        (IMAGE_COMPRESSED, lambda: codec.compressed_image(stamp, encode_image(observation.rgb, quality=quality))),
    ]
    if observation.touch is not None:
        touch = observation.touch
        makers.append((WRENCH, lambda: wrench_message(codec, stamp, touch)))
    if observation.depth_intrinsics is not None:
        smaller = observation.depth_intrinsics
        makers.append((DEPTH_CAMERA_INFO, lambda: codec.camera_info(stamp, smaller)))
    if observation.depth is not None:
        depth = observation.depth
        makers.append((DEPTH, lambda: codec.image(stamp, depth, "32FC1")))
    if observation.instances is not None:
        instances = observation.instances
        makers.append((INSTANCES, lambda: codec.image(stamp, instances, "32SC1")))
    for topic, make in makers:
        if wanted(topic):
            publish(topic, stamp, make())


class LegendPublisher:
    """Tells what instance ids stand for: whenever that has changed, and when an episode begins.

    Attributes:
        stamp: ns, of what was told last; 0 before.
    """

    def __init__(self, codec: Codec, publish: Publish) -> None:
        self._codec, self._publish = codec, publish
        self._scene = ""
        self._told: Mapping[int, InstanceLabel] | None = None
        self.stamp = 0

    def begin(self, scene: str) -> None:
        """An episode begins in a scene."""
        self._scene, self._told, self.stamp = scene, None, 0

    def tell(self, observation: Observation) -> None:
        """Publish the legend of an observation if it is another one than before."""
        legend = observation.legend
        if legend is None or legend is self._told or legend == self._told:
            return
        self._told, self.stamp = legend, observation.stamp
        self._publish(LEGEND, self.stamp, self._codec.legend(self.stamp, self._scene, legend))


class EventPublisher:
    """Tells on ``/diagnostics`` what a world noticed about its hardware, each event once; any thread may ask."""

    def __init__(self, codec: Codec, publish: Publish, world: World | None) -> None:
        self._codec, self._publish = codec, publish
        self._world: Supervised | None = world if isinstance(world, Supervised) else None
        self._told = 0
        self._lock = threading.Lock()

    def tell(self) -> None:
        """Publish what is new."""
        if self._world is None:
            return
        with self._lock:
            events = self._world.events(self._told)
            if events:
                self._told = events[-1].number
                self._publish(DIAGNOSTICS, events[-1].stamp, self._codec.diagnostics(events, "world"))


class WorldPublisher(EpisodeListener):
    """What ``world_node`` publishes: the robot, frames, transforms, legend, results, events, and the commands that
    caused them."""

    def __init__(
        self,
        codec: Codec,
        publish: Publish,
        wanted: Wanted,
        world: World | None = None,
        quality: int = JPEG_QUALITY,
    ) -> None:
        self._codec, self._publish, self._wanted, self._quality = codec, publish, wanted, quality
        self._robot = world.urdf() if isinstance(world, Described) else ""
        self._events = EventPublisher(codec, publish, world)
        self._legend = LegendPublisher(codec, publish)
        self._put_back = False  # since the last look

    def started(self, episode: Episode, agent: NamedAgent, stamp: int) -> None:
        self._legend.begin(episode.scene)
        if self._robot:
            self._publish(ROBOT_DESCRIPTION, stamp, self._codec.text(self._robot))
        self._publish(TF_STATIC, stamp, self._codec.static_transforms(stamp))

    def phase_began(self, episode: Episode, outcome: Outcome, stamp: int) -> None:
        if episode.restored:
            self._legend.begin(episode.scene)
            self._put_back = True

    def observed(self, observation: Observation) -> None:
        if self._put_back:  # as whenever a world is reset
            self._put_back = False
            self._publish(TF_STATIC, observation.stamp, self._codec.static_transforms(observation.stamp))
        self._legend.tell(observation)
        publish_observation(self._codec, self._publish, observation, self._wanted, self._quality)

    def commanded(self, command: Command, stamp: int) -> None:
        if command.arm is not None:
            self._publish(ARM_COMMAND, stamp, arm_command_message(self._codec, stamp, command))
        if command.target is not None:
            self._publish(VIEWPOINT_COMMAND, stamp, self._codec.viewpoint_command(stamp, command))

    def concluded(self, result: StepResult) -> None:
        message = self._codec.command_result(result, self._legend.stamp)
        self._publish(COMMAND_RESULT, result.observation.stamp, message)
        self._events.tell()

    def ended(self, outcome: Outcome, stamp: int) -> None:
        self._events.tell()


class PlannerPublisher(EpisodeListener):
    """What ``planner_node`` publishes: the episode's public part and state, answers and, if they are wanted, the path
    and the markers."""

    def __init__(self, codec: Codec, publish: Publish, wanted: Wanted = lambda topic: True) -> None:
        self._codec, self._publish = codec, publish
        self._draws = wanted(SEARCH_MARKERS)
        self._newest: Viewpoint | None = None
        self._frustums: deque[list[Any]] = deque(maxlen=_MOST_FRUSTUMS)  # of the views taken
        self._path: tuple[Viewpoint, ...] = ()
        self._poses: list[Any] = []  # of the path

    def started(self, episode: Episode, agent: NamedAgent, stamp: int) -> None:
        self._episode, self._agent = episode, agent
        self._newest = None
        self._frustums.clear()
        self._tell(EpisodeState.RUNNING, stamp)

    def phase_began(self, episode: Episode, outcome: Outcome, stamp: int) -> None:
        self._episode = episode
        self._tell(EpisodeState.RUNNING, stamp, outcome)

    def observed(self, observation: Observation) -> None:
        if self._draws and self._newest != observation.viewpoint:
            self._newest = observation.viewpoint
            self._frustums.append(frustum_points(self._codec, observation.intrinsics, self._newest))

    def thought(self, view: SearchView, detections: Sequence[Detection], observation: Observation) -> None:
        stamp = observation.stamp
        if self._draws:
            if view.path != self._path:
                self._path, self._poses = view.path, [self._codec.pose(viewpoint) for viewpoint in view.path]
            self._publish(SEARCH_PATH, stamp, path_message(self._codec, stamp, self._poses))
            message = marker_message(self._codec, stamp, list(self._frustums), view.targets)
            self._publish(SEARCH_MARKERS, stamp, message)
        self._publish(SEARCH_STATUS, stamp, self._codec.search_status(stamp, self._episode.episode_id, view))

    def answered(self, answer: Answer, stamp: int) -> None:
        self._publish(ANSWER, stamp, self._codec.answer(stamp, self._episode.episode_id, answer))

    def ended(self, outcome: Outcome, stamp: int) -> None:
        self._tell(outcome.state, stamp, outcome)

    def _tell(self, state: EpisodeState, stamp: int, outcome: Outcome | None = None) -> None:
        message = self._codec.episode(
            stamp,
            self._episode,
            state,
            agent=self._agent.name,
            perception=self._agent.perception,
            control=control_of(self._agent),
            reason=outcome.reason if outcome else "",
            commands_sent=outcome.steps if outcome else 0,
            answers_given=len(outcome.answers) if outcome else 0,
        )
        self._publish(EPISODE, stamp, message)


class ParticipantPublisher(EpisodeListener):
    """Who decides where the agent is a person: as an episode begins, and with each decision.

    Args:
        who: gives the person, with the time of her newest decision.
    """

    def __init__(self, codec: Codec, publish: Publish, who: Callable[[], Participation]) -> None:
        self._codec, self._publish, self._who = codec, publish, who

    def started(self, episode: Episode, agent: NamedAgent, stamp: int) -> None:
        self._episode = episode
        self._tell(stamp, replace(self._who(), thinking_time=0.0))

    def phase_began(self, episode: Episode, outcome: Outcome, stamp: int) -> None:
        if not self._episode.questions:  # she said that she was done, or had no step left
            self._tell(stamp, self._who(), action="done")
        self._episode = episode

    def commanded(self, command: Command, stamp: int) -> None:
        self._tell(stamp, self._who(), action=command.action, sequence=command.sequence)

    def answered(self, answer: Answer, stamp: int) -> None:
        self._tell(stamp, self._who(), action="answer", question_id=answer.question_id)

    def _tell(self, stamp: int, who: Participation, **decided: Any) -> None:
        message = self._codec.participant(stamp, self._episode.episode_id, who, self._episode.phase, **decided)
        self._publish(PARTICIPANT, stamp, message)


class QaPublisher(EpisodeListener):
    """What ``qa_node`` publishes: detections of every new look, and the noise report behind every answer."""

    def __init__(self, codec: Codec, publish: Publish) -> None:
        self._codec, self._publish = codec, publish
        self._told = -1

    def started(self, episode: Episode, agent: NamedAgent, stamp: int) -> None:
        self._episode_id, self._perception, self._told = episode.episode_id, agent.perception, -1

    def thought(self, view: SearchView, detections: Sequence[Detection], observation: Observation) -> None:
        if observation.stamp == self._told:
            return
        self._told = observation.stamp
        message = self._codec.detections(observation, self._episode_id, self._perception, detections)
        self._publish(DETECTIONS, observation.stamp, message)

    def answered(self, answer: Answer, stamp: int) -> None:
        message = self._codec.noise_report(stamp, self._episode_id, answer.question_id, answer.noise)
        self._publish(NOISE_REPORT, stamp, message)
