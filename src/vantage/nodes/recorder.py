"""One bag per episode from raw messages, with the gold data beside them. One caller at a time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vantage.errors import EpisodeError, RecordingError, VantageError
from vantage.nodes.serialized import stamp_of
from vantage.runs.bags import BagWriter, RosbagsFactory, absolute
from vantage.runs.episode import SOURCE
from vantage.runs.gold import GoldData
from vantage.runs.messages import Codec
from vantage.runs.reading import read_camera_pose, read_episode, read_image, read_intrinsics, read_time, read_viewpoint
from vantage.runs.topics import (
    ANSWER,
    CAMERA_INFO,
    COMMAND_RESULT,
    DEPTH,
    EPISODE,
    IMAGE_COMPRESSED,
    TF,
    TRUTH,
    TRUTH_GOAL_IMAGE,
    TRUTH_VISIBILITY,
    Topic,
)
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Episode, EpisodeState

DEADLINE = 5.0  # s after an episode's end within which everything that it states must have arrived
_SETTLE = 0.25  # s for messages of nodes that react to the end
_KEPT_LOOKS = 24
_CLOSE = 1e-3  # m or rad: what a quaternion's rounding and the motors of a rig may cost
_FOREIGN = 3600 * 10**9  # ns; a stamp further off is of another clock

Deserialize = Callable[[Topic, bytes], Any]
Publish = Callable[[Topic, Any], None]


def _same(a: Viewpoint, b: Viewpoint) -> bool:
    turn = max(abs(wrap_angle(a.yaw - b.yaw)), abs(a.pitch - b.pitch))
    return a.distance(b) < _CLOSE and turn < _CLOSE


@dataclass
class _Recording:
    """An episode on its way into a bag."""

    episode: Episode
    begun: int  # stamp of its first message, ns
    bag: BagWriter
    judged: bool  # whether gold data is at hand
    results: int = 0
    answers: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    pending: dict[int, Viewpoint] = field(default_factory=dict)  # looks to be judged, by stamp
    started: bool = False  # whether the look from the start has come
    expected: tuple[int, int] | None = None  # command results and answers, once the episode is over
    ended_at: float = 0.0  # monotonic, s


class Recorder:
    """Turns a stream of raw messages into bags.

    Args:
        out: folder for the bags.
        wanted: whether a topic goes into bags.
        gold: of the episode set, or None.
        deserialize: makes a message of its bytes.
        publish: makes gold data public under ``truth/``.
        finished: called with each episode id and the path of its complete bag.
        warn: takes sentences about what could not be recorded.
    """

    def __init__(
        self,
        out: Path,
        wanted: Callable[[Topic], bool],
        gold: GoldData | None,
        codec: Codec,
        deserialize: Deserialize,
        publish: Publish,
        finished: Callable[[str, Path], None],
        warn: Callable[[str], None],
    ) -> None:
        self._out, self._wanted, self._gold, self._codec = out, wanted, gold, codec
        self._bag_codec = Codec(RosbagsFactory(), codec.frame)
        self._deserialize, self._publish, self._finished, self._warn = deserialize, publish, finished, warn
        self._now = 0  # newest stamp of the world, ns
        self._latched: dict[Topic, tuple[int, bytes]] = {}
        self._looks: OrderedDict[int, dict[Topic, bytes]] = OrderedDict()
        self._recording: _Recording | None = None
        self.bags = 0

    @property
    def episode_id(self) -> str:
        """Of the recording on its way; empty between recordings."""
        return self._recording.episode.episode_id if self._recording is not None else ""

    def take(self, topic: Topic, data: bytes) -> None:
        """Take in one message."""
        stamp = self._log_time(topic, data)
        if topic.latched:
            self._latched[topic] = (stamp, data)
        if topic is EPISODE:
            self._on_episode(self._deserialize(topic, data), stamp)
        self._write(topic, stamp, data)
        if topic in (DEPTH, CAMERA_INFO, TF):
            self._looks.setdefault(stamp, {})[topic] = data
            while len(self._looks) > _KEPT_LOOKS:
                self._looks.popitem(last=False)
            self._judge(stamp)
        elif topic is COMMAND_RESULT:
            self._on_result(self._deserialize(topic, data))
        elif topic is ANSWER and self._recording is not None:
            self._recording.answers += self._deserialize(topic, data).episode_id == self.episode_id

    def lost(self, topic: Topic, count: int) -> None:
        """Count messages that did not arrive."""
        if self._recording is not None and count > 0:
            dropped, name = self._recording.dropped, absolute(topic.name)
            dropped[name] = dropped.get(name, 0) + count

    def tick(self) -> None:
        """Finish a recording whose episode is over and whose messages are all there, or that waited long enough."""
        recording = self._recording
        if recording is None or recording.expected is None:
            return
        waited = time.monotonic() - recording.ended_at
        results, answers = recording.expected
        complete = recording.results >= results and recording.answers >= answers and not recording.pending
        if waited >= (_SETTLE if complete else DEADLINE):
            self._finish(recording)

    def close(self) -> None:
        """Finish a recording whose episode is over; leave any other under its partial name."""
        recording, self._recording = self._recording, None
        if recording is None:
            return
        if recording.expected is not None and (recording.results, recording.answers) >= recording.expected:
            self._finish(recording)
        else:
            recording.bag.abandon()

    # Episodes -------------------------------------------------------------------------------------------------------

    def _on_episode(self, message: Any, stamp: int) -> None:
        state = EpisodeState(message.state)
        recording = self._recording
        if state == EpisodeState.RUNNING:
            if recording is not None and recording.expected is not None:
                self._finish(recording)
            elif recording is not None:
                self._warn(f"episode '{self.episode_id}' did not end before '{message.episode_id}' began")
                self.close()
            self._begin(read_episode(message), stamp)
        elif state != EpisodeState.PENDING and recording is not None and message.episode_id == self.episode_id:
            recording.expected = (int(message.commands_sent), int(message.answers_given))
            recording.ended_at = time.monotonic()

    def _begin(self, episode: Episode, stamp: int) -> None:
        try:
            bag = BagWriter(self._out, episode.episode_id)
        except RecordingError as error:
            self._warn(str(error))
            return
        recording = _Recording(episode, stamp, bag, judged=False)
        self._recording = recording
        if self._gold is None:
            return
        try:
            truth = self._gold.truth(episode.episode_id)
        except EpisodeError as error:
            self._warn(str(error))
            return
        recording.judged = True
        self._tell(TRUTH, stamp, lambda codec: codec.truth(stamp, truth))
        image = self._gold.goal_image(episode.episode_id)
        if image is not None:
            self._tell(TRUTH_GOAL_IMAGE, stamp, lambda codec: codec.compressed_image(stamp, image, "png"))

    def _finish(self, recording: _Recording) -> None:
        results, answers = recording.expected or (0, 0)
        for topic, missing in ((COMMAND_RESULT, results - recording.results), (ANSWER, answers - recording.answers)):
            self.lost(topic, missing)
        for stamp in list(recording.pending):
            self._warn(f"the look at {stamp} ns could not be judged, because not all of it arrived")
        for topic, (_, data) in self._latched.items():
            if absolute(topic.name) not in recording.bag.counts and not topic.is_truth:
                self._write(topic, recording.begun, data)
        self._recording = None
        try:
            path = recording.bag.finish(recording.episode.episode_id, recording.dropped)
        except RecordingError as error:
            recording.bag.abandon()
            self._warn(str(error))
            return
        self.bags += 1
        self._finished(recording.episode.episode_id, path)

    # Gold data ------------------------------------------------------------------------------------------------------

    def _on_result(self, message: Any) -> None:
        recording = self._recording
        if recording is None or message.episode_id != recording.episode.episode_id or message.source != SOURCE:
            return
        recording.results += 1
        if recording.judged:
            stamp = read_time(message.observation_stamp)
            recording.pending[stamp] = read_viewpoint(message.reached)
            self._judge(stamp)

    def _judge(self, stamp: int) -> None:
        """Compare a look with the gold data once its depth and the pose are both there."""
        recording, look = self._recording, self._looks.get(stamp, {})
        if recording is None or self._gold is None or not recording.judged:
            return
        if not all(part in look for part in self._parts(recording)):
            return
        if not recording.started and stamp > recording.begun:
            seen_from = self._pose(look[TF])
            if seen_from is not None and _same(seen_from, recording.episode.start):
                recording.started = True
                recording.pending.setdefault(stamp, recording.episode.start)
        if stamp not in recording.pending:
            return
        viewpoint, episode_id = recording.pending.pop(stamp), recording.episode.episode_id
        intrinsics = read_intrinsics(self._deserialize(CAMERA_INFO, look[CAMERA_INFO]))
        depth = read_image(self._deserialize(DEPTH, look[DEPTH])) if DEPTH in look else None
        try:
            fractions = self._gold.visible(episode_id, viewpoint, intrinsics, depth)
        except VantageError as error:
            recording.judged = False
            self._warn(str(error))
            return
        self._tell(TRUTH_VISIBILITY, stamp, lambda codec: codec.visibility(stamp, episode_id, fractions))

    def _parts(self, recording: _Recording) -> tuple[Topic, ...]:
        """What must have come before a look can be judged; depth only where the scene is not known exactly."""
        needs_depth = self._gold is None or self._gold.needs_depth(recording.episode.episode_id)
        return (DEPTH, CAMERA_INFO, TF) if needs_depth else (CAMERA_INFO, TF)

    def _pose(self, data: bytes) -> Viewpoint | None:
        pose = read_camera_pose(self._deserialize(TF, data))
        return None if pose is None else pose[1]

    def _tell(self, topic: Topic, stamp: int, make: Callable[[Codec], Any]) -> None:
        """Publish gold data, and record it without the detour: what rclpy serializes by itself may end in stray bytes
        that strict readers refuse."""
        self._publish(topic, make(self._codec))
        recording = self._recording
        if recording is not None:
            self._put(lambda: recording.bag.write(topic, stamp, make(self._bag_codec)))

    # Bag ------------------------------------------------------------------------------------------------------------

    def _write(self, topic: Topic, stamp: int, data: bytes) -> None:
        recording = self._recording
        if recording is not None and self._wanted(topic):
            self._put(lambda: recording.bag.write_raw(topic, stamp, data))

    def _put(self, write: Callable[[], None]) -> None:
        try:
            write()
        except RecordingError as error:
            self._warn(str(error))
            self.close()

    def _log_time(self, topic: Topic, data: bytes) -> int:
        """The message's stamp on the world's clock, or the world's newest one where it has another clock or none."""
        stamp = stamp_of(topic, data)
        if stamp is None:
            return self._now
        if topic in (TF, CAMERA_INFO, DEPTH, IMAGE_COMPRESSED):
            self._now = stamp
        if topic is EPISODE:  # a planner that has seen nothing yet tells the time 0
            return max(stamp, self._now)
        return stamp if abs(stamp - self._now) < _FOREIGN else self._now
