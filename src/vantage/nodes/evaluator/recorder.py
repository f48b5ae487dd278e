"""One bag per episode from raw messages, with the gold data beside them. One caller at a time.

Whatever the bytes, nothing is raised: a message that cannot be read is counted, told in one sentence and left out. Who
publishes what is told by the numbers of messages (``vantage.nodes.evaluator.open_recording``): what anybody but the
planner tells of the running episode, or anybody but the world of its commands, is left out as well, and the bag says so
in its summary.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from vantage.errors import RecordingError, VantageError
from vantage.nodes.evaluator.look_judging import LookJudge, UnreadableError
from vantage.nodes.evaluator.message_parts import PICTURES, part_of_look, stamp_of
from vantage.nodes.evaluator.missing_looks import OF_EACH_LOOK, Ask, MissingLooks, nothing_recalled
from vantage.nodes.evaluator.moved_looks import Recall, nothing_moves
from vantage.nodes.evaluator.open_recording import MessageOrigin, OpenRecording, PublisherTracker
from vantage.recording import (
    ANSWER,
    COMMAND_RESULT,
    EPISODE,
    OPTICAL_FRAME,
    RECALLABLE,
    TF,
    TF_STATIC,
    TRUTH,
    TRUTH_GOAL_IMAGE,
    BagWriter,
    Codec,
    RosbagsFactory,
    Topic,
    absolute,
    read_episode,
    read_time,
)
from vantage.runs import GoldData
from vantage.types import Episode, EpisodeState

DEADLINE = 5.0  # s after an episode's end without anything of what it states, which must have arrived by then
_PATIENCE = 20.0  # s instead of that while the world is asked for what is missing
_SETTLE = 0.25  # s for messages of nodes that react to the end
_SILENT = 1.0  # s after an episode's end without anything, after which the world is asked for what is missing
_FOREIGN = 3600 * 10**9  # ns; a stamp further off is of another clock
_LATEST = 2**31 * 10**9  # ns; no stamp of a message is later
_TOLD_BY_ONE = (EPISODE, COMMAND_RESULT, ANSWER)  # of an episode, each by a single publisher

Deserialize = Callable[[Topic, bytes], Any]
Publish = Callable[[Topic, Any], None]


class Recorder:
    """Turns a stream of raw messages into bags.

    Args:
        out: folder for the bags.
        wanted: whether a topic goes into bags.
        gold: of the episode set, or None.
        deserialize: makes a message of its bytes.
        publish: makes gold data public under ``truth/``.
        finished: called with each episode id and the path of its complete bag.
        failed: called with the id of an episode of which there will be no bag, and why, in words.
        warn: takes sentences about what could not be recorded.
        publishers: how many publishers of a topic are on the network.
        recall: asks the world where things were at a look; calls back from where it was called, or later, but never
            beside another call of this recorder.
        ask: asks the world to send a look again, which comes by ``take_recalled``; calls back likewise.

    Attributes:
        bags: that were completed.
        unreadable: messages that could not be read.
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
        failed: Callable[[str, str], None],
        warn: Callable[[str], None],
        publishers: Callable[[Topic], int],
        recall: Recall = nothing_moves,
        ask: Ask = nothing_recalled,
    ) -> None:
        self._out, self._wanted, self._gold, self._codec = out, wanted, gold, codec
        self._bag_codec = Codec(RosbagsFactory(), codec.frame)
        self._deserialize, self._publish, self._publishers = deserialize, publish, publishers
        self._finished, self._failed, self._warn = finished, failed, warn
        self._writers: dict[Topic, PublisherTracker] = {}
        self._warned: set[Topic] = set()  # of messages that cannot be read, since the last episode began
        self._now = 0  # newest stamp of the world, ns
        self._latched: dict[Topic, tuple[int, bytes]] = {}
        self._recording: OpenRecording | None = None
        self._ask = ask
        self._judge = LookJudge(gold, recall, lambda: self._recording, self._read, self._leave_out, self._tell, warn)
        self._missing = self._nothing_missing()
        self.bags = 0
        self.unreadable = 0

    @property
    def episode_id(self) -> str:
        """Of the recording on its way; empty between recordings."""
        return self._recording.episode.episode_id if self._recording is not None else ""

    def take(self, topic: Topic, data: bytes, number: int | None = None) -> None:
        """Take in one message.

        Args:
            number: of the message, by its publisher's count; None where the middleware does not say.
        """
        heard = self._heard(topic, data, number)
        self.lost(topic, heard.lost)
        try:
            message: Any = None if topic in PICTURES else self._read(topic, data)
            part = part_of_look(topic, message, data)
            stamp = self._log_time(topic, data, part)
            if heard.repeated or self._was_recalled(topic, message, stamp, heard):
                return
            if not self._belongs(topic, message, stamp, heard):
                return
        except UnreadableError as error:
            self._leave_out(topic, error)
            return
        if topic.latched:
            self._latched[topic] = (stamp, data)
        if topic in RECALLABLE and self._recording is not None and (part is not None or topic is not TF):
            self._missing.heard(topic, stamp if topic is not COMMAND_RESULT else int(message.sequence))
        self._write(topic, stamp, data)
        self._judge_with(topic, stamp, message, part)
        if topic in (EPISODE, TF_STATIC, COMMAND_RESULT) and self._recording is not None and self._recording.judged:
            for first in self._recording.first_looks():
                self._judge.judge(first)

    def _judge_with(self, topic: Topic, stamp: int, message: Any, part: Any) -> None:
        if part is not None:
            self._judge.take(topic, stamp, part)
        elif topic is COMMAND_RESULT:
            self._judge.judge(read_time(message.observation_stamp))

    def take_recalled(self, topic: Topic, data: bytes) -> None:
        """Take in a message about a look that the world sent again; only what is missing counts."""
        recording = self._recording
        if recording is None:
            return
        try:
            message: Any = None if topic in PICTURES else self._read(topic, data)
            part, stamp = part_of_look(topic, message, data), stamp_of(topic, data)
        except UnreadableError as error:
            self._leave_out(topic, error)
            return
        if stamp is None:
            return
        if topic is COMMAND_RESULT:
            key = int(message.sequence)
            own = recording.tells_of(message) and self._missing.is_missing(recording, key)
            if not own or not recording.result(message, None):
                return
            recording.begun = min(recording.begun, stamp - 1)
        elif recording.shows(stamp):
            key = stamp
        else:
            return
        counted = self._missing.was_passed(topic, key)
        if self._missing.recall(topic, key):
            recording.lost(topic, -int(counted))
            self._write(topic, stamp, data)
        self._judge_with(topic, stamp, message, part)

    def _was_recalled(self, topic: Topic, message: Any, stamp: int, heard: MessageOrigin) -> bool:
        recording = self._recording
        if recording is None or topic not in RECALLABLE:
            return False
        if topic is COMMAND_RESULT:
            own = recording.tells_of(message) and not recording.is_of_another(topic, heard)
            return own and self._missing.was_recalled(topic, int(message.sequence))
        return self._missing.was_recalled(topic, stamp)

    def _nothing_missing(self) -> MissingLooks:
        recorded = [topic for topic in OF_EACH_LOOK if self._wanted(topic)]
        return MissingLooks(recorded, self._ask, self._judge.lacking, self._warn)

    def lost(self, topic: Topic, count: int) -> None:
        """Count messages that did not arrive."""
        if self._recording is not None and count > 0:
            self._recording.lost(topic, count)

    def tick(self) -> None:
        """Ask for what is missing; finish a recording whose episode is over and whose messages are all there, or that
        waited long enough."""
        recording, missing = self._recording, self._missing
        if recording is None:
            return
        now, over, waited = time.monotonic(), recording.expected is not None, 0.0
        if over:
            waited = recording.waited(now, missing.count(recording))
        missing.tick(recording, now, over and waited >= _SILENT)
        if not over:
            return
        whole = recording.all_told and not recording.pending and not recording.awaited
        if whole and not missing.count(recording):
            patience = _SETTLE
        else:
            patience = _PATIENCE if missing.asks else DEADLINE
        if waited >= patience:
            self._finish(recording)

    def close(self) -> None:
        """Finish a recording whose episode is over; leave any other under its partial name."""
        recording = self._recording
        if recording is None:
            return
        if recording.all_told:
            self._finish(recording)
        else:
            self._give_up(recording)

    # Messages -------------------------------------------------------------------------------------------------------

    def _heard(self, topic: Topic, data: bytes, number: int | None) -> MessageOrigin:
        writers = self._writers.get(topic)
        if writers is None:
            writers = self._writers[topic] = PublisherTracker(lambda: self._publishers(topic) == 1)
        expected = self._recording.writers.get(topic, 0) if self._recording is not None else 0
        return writers.heard(number, data if topic in _TOLD_BY_ONE else b"", expected)

    def _read(self, topic: Topic, data: bytes) -> Any:
        try:
            return self._deserialize(topic, data)
        except Exception as error:  # what is raised depends on the middleware
            raise UnreadableError(f"it is no {topic.type}: {error or type(error).__name__}") from error

    def _leave_out(self, topic: Topic, error: UnreadableError) -> None:
        self.unreadable += 1
        if self._recording is not None:
            self._recording.unreadable += 1
        if topic not in self._warned:
            self._warned.add(topic)
            self._warn(f"a message on {topic.name} is left out, as are others like it: {error}")

    def _belongs(self, topic: Topic, message: Any, stamp: int, heard: MessageOrigin) -> bool:
        """Take in what a message says of the episode; whether it belongs into the bag."""
        if topic is EPISODE:
            return self._on_episode(message, stamp, heard)
        recording = self._recording
        if recording is None:
            return True
        if topic is COMMAND_RESULT and recording.tells_of(message):
            return recording.result(message, heard)
        if topic is ANSWER and message.episode_id == self.episode_id:
            return recording.answer(heard)
        if topic is TF_STATIC and any(item.child_frame_id == OPTICAL_FRAME for item in message.transforms):
            recording.resets.append(stamp)  # the world tells it at every reset
        return True

    def _log_time(self, topic: Topic, data: bytes, part: Any) -> int:
        """The message's stamp on the world's clock, or the world's newest one where it has another clock or none."""
        stamp = stamp_of(topic, data)
        if stamp is None or not 0 <= stamp < _LATEST:
            return self._now
        if part is not None and (topic is TF or self._now == 0):  # whatever of a first look comes first
            self._now = stamp
        if topic is EPISODE:  # a planner that has seen nothing yet tells the time 0
            return max(stamp, self._now)
        return stamp if part is not None or abs(stamp - self._now) < _FOREIGN else self._now

    # Episodes -------------------------------------------------------------------------------------------------------

    def _on_episode(self, message: Any, stamp: int, heard: MessageOrigin) -> bool:
        recording = self._recording
        try:
            state = EpisodeState(message.state)
        except ValueError as error:
            raise UnreadableError(f"an episode has no state {message.state}") from error
        own = message.episode_id == self.episode_id
        if state == EpisodeState.RUNNING:
            episode = read_episode(message)
            if recording is not None and recording.begins_phase(episode):
                return recording.phase_began(episode, int(message.commands_sent), heard)
            if recording is not None and recording.expected is not None:
                self._finish(recording)
            elif recording is not None:
                another = recording.is_of_another(EPISODE, heard)
                if another and own and self._publishers(EPISODE) > 1:
                    recording.disturbed("somebody else than the planner told that the episode began")
                    return False
                why = f"episode '{self.episode_id}' did not end before '{message.episode_id}' began"
                self._give_up(recording, f"interference: {why} by another publisher" if another else why)
            self._begin(episode, stamp, heard)
            return True
        if state == EpisodeState.PENDING or recording is None or not own:
            return recording is None
        return recording.end(message, heard, time.monotonic())

    def _begin(self, episode: Episode, stamp: int, heard: MessageOrigin) -> None:
        self._warned.clear()
        self._missing = self._nothing_missing()
        try:
            bag = BagWriter(self._out, episode.episode_id)
        except RecordingError as error:
            self._fail(episode.episode_id, str(error))
            return
        recording = self._recording = OpenRecording(
            episode, stamp, bag, {EPISODE: heard.writer}, phases=[episode.phase]
        )
        if self._gold is None:
            return
        try:
            truth, rule = self._gold.truth(episode.episode_id), self._gold.view_rule
            recording.gathering = self._gold.gathering(episode.episode_id)
        except VantageError as error:
            self._warn(str(error))
            return
        recording.judged = True
        self._tell(TRUTH, stamp, lambda codec: codec.truth(stamp, truth, rule))
        image = self._gold.goal_image(episode.episode_id)
        if image is not None:
            self._tell(TRUTH_GOAL_IMAGE, stamp, lambda codec: codec.compressed_image(stamp, image, "png"))

    def _finish(self, recording: OpenRecording) -> None:
        results, answers = recording.expected or (0, 0)
        gone = self._missing.gone() | Counter(
            {COMMAND_RESULT: results - len(recording.results), ANSWER: answers - recording.answers}
        )
        for topic, count in gone.items():
            self.lost(topic, count - recording.dropped.get(absolute(topic.name), 0))
        for stamp in [*recording.pending, *recording.awaited]:
            self._warn(f"the look at {stamp} ns could not be judged, because not all of it arrived")
        begun = recording.begun or min(recording.results.values(), default=recording.ended)  # 0: before any look
        for topic, (_, data) in self._latched.items():
            if absolute(topic.name) not in recording.bag.counts and not topic.is_truth:
                self._write(topic, begun, data)
        if self._recording is not recording:
            return  # it could not be written any more
        episode_id, interference = recording.episode.episode_id, recording.interference()
        try:
            path = recording.bag.finish(episode_id, recording.dropped, interference, recording.unreadable)
        except (RecordingError, OSError) as error:
            self._give_up(recording, str(error))
            return
        self._recording = None
        if interference:
            self._warn(f"episode '{episode_id}' was disturbed: {'; '.join(interference)}")
        self.bags += 1
        self._finished(episode_id, path)

    def _give_up(self, recording: OpenRecording, reason: str = "") -> None:
        """Leave a recording under its partial name; a reason is told."""
        self._recording = None
        with suppress(RecordingError, OSError):  # the disk that is full now was full before
            recording.bag.abandon()
        if reason:
            self._fail(recording.episode.episode_id, reason)

    def _fail(self, episode_id: str, reason: str) -> None:
        self._warn(reason)
        self._failed(episode_id, reason)

    # Gold data ------------------------------------------------------------------------------------------------------

    def _tell(self, topic: Topic, stamp: int, make: Callable[[Codec], Any]) -> None:
        """Publish gold data, and record it without the detour: what rclpy serializes by itself may end in stray bytes
        that strict readers refuse."""
        self._publish(topic, make(self._codec))
        recording = self._recording
        if recording is not None:
            self._put(recording, partial(recording.bag.write, topic, stamp, make(self._bag_codec)))

    # Bag ------------------------------------------------------------------------------------------------------------

    def _write(self, topic: Topic, stamp: int, data: bytes) -> None:
        recording = self._recording
        if recording is not None and self._wanted(topic):
            self._put(recording, partial(recording.bag.write_raw, topic, stamp, data))

    def _put(self, recording: OpenRecording, write: Callable[[], None]) -> None:
        try:
            write()
        except (RecordingError, OSError) as error:
            self._give_up(recording, str(error))
