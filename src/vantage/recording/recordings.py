"""What a recorded episode says, read from its bag: the basis of scores and reports."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vantage.errors import RecordingError
from vantage.recording.bags import SCHEMA_VERSION, read_bag
from vantage.recording.events import SOURCE
from vantage.recording.integrity import verify_bag
from vantage.recording.partial_bags import PARTIAL
from vantage.recording.reading import (
    read_answer,
    read_episode,
    read_reached,
    read_stamp,
    read_time,
    read_truth,
    read_visibility,
)
from vantage.recording.topics import (
    ANSWER,
    COMMAND_RESULT,
    EPISODE,
    RECORDING_SUMMARY,
    TRUTH,
    TRUTH_VISIBILITY,
    Topic,
    absolute,
)
from vantage.spatial import Viewpoint
from vantage.types import Answer, Episode, EpisodeState, Status, Truth

INTERFERENCE = "interference"  # begins the reason why a disturbed episode is not scored
TWO_RESULTS = "commands have more than one result"
READ = (EPISODE, TRUTH, TRUTH_VISIBILITY, COMMAND_RESULT, ANSWER, RECORDING_SUMMARY)


@dataclass(frozen=True)
class Motion:
    """What became of one command."""

    action: str
    status: Status
    reason: str
    reached: Viewpoint
    observation_stamp: int


@dataclass
class Recording:
    """One recorded episode.

    Attributes:
        visibility: visible fraction of each target (instance id) by stamp of the frame, in ns, ascending.
        commands_sent, answers_given: as the planner counted them.
        counts: messages of each absolute topic according to the recording's summary; empty without one.
        read: messages found of each topic that was read.
        dropped: messages lost before they reached the recorder.
        unreadable: messages that the recorder left out because they could not be read.
        interference: how the episode was disturbed, in words, by the recorder and by what the bag itself shows.
        verified: whether the bag has checksums, and they are right.
    """

    path: Path
    episode: Episode | None = None
    agent: str = ""
    perception: str = ""
    state: EpisodeState = EpisodeState.PENDING
    reason: str = ""
    commands_sent: int = 0
    answers_given: int = 0
    truth: Truth | None = None
    motions: list[Motion] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    visibility: dict[int, dict[int, float]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)
    dropped: int = 0
    unreadable: int = 0
    interference: list[str] = field(default_factory=list)
    verified: bool = False

    def shortfall(self) -> str:
        """Why this is no complete recording of a finished episode, in words; empty for a complete one."""
        if self.episode is None:
            return "it holds no episode"
        if not self.counts:
            return "it ends before the recording's summary"
        for name, count in self.counts.items():
            if self.read.get(name, count) != count:
                return f"it holds {self.read[name]} of {count} messages on {name}"
        if self.interference:
            return f"{INTERFERENCE}: {'; '.join(self.interference)}"
        if self.state != EpisodeState.FINISHED:
            because = f": {self.reason}" if self.reason else ""
            return f"the episode was not finished but {self.state.name.lower()}{because}"
        if len(self.motions) != self.commands_sent:
            return f"it holds {len(self.motions)} results of {self.commands_sent} commands"
        if len(self.answers) != self.answers_given:
            return f"it holds {len(self.answers)} of {self.answers_given} answers"
        if self.truth is None:
            return "it holds no gold data"
        if any(question.target_instances for question in self.truth.questions):
            unjudged = sum(motion.observation_stamp not in self.visibility for motion in self.motions)
            if unjudged:
                return f"it lacks what {unjudged} of {len(self.motions)} looks showed of the targets"
        return ""

    def last_frame(self) -> Mapping[int, float]:
        """Visible fractions in what the agent saw last: the first frame that shows the result of its last command."""
        since = self.motions[-1].observation_stamp if self.motions else 0
        return next((self.visibility[stamp] for stamp in sorted(self.visibility) if stamp >= since), {})


def read_recording(path: str | Path) -> Recording:
    """Read one bag.

    Raises:
        RecordingError: the bag is partial, missing, truncated, changed after it was recorded, or holds values that no
            episode has.
    """
    results: dict[int, Motion] = {}  # by number, because messages of one stamp have no order
    bag = Path(path)
    if bag.name.endswith(PARTIAL):
        raise RecordingError(f"{bag} is partial: the recording was not finished")
    verified = bag.is_dir() and verify_bag(bag)
    messages = [(topic, message) for topic, _, message in read_bag(bag, READ)]
    recording = Recording(bag, verified=verified, read={absolute(topic.name): 0 for topic in READ})
    episode_id = _episode_id(messages)
    for topic, message in messages:
        name = absolute(topic.name)
        recording.read[name] += 1
        try:
            if message.episode_id != episode_id:
                continue
            if topic is COMMAND_RESULT:
                _take_result(recording, results, message)
            else:
                _take(recording, topic, message)
        except ValueError as error:
            raise RecordingError(f"{bag} holds an impossible value on {name}: {error}") from error
    recording.motions = [results[sequence] for sequence in sorted(results)]
    _look_for_interference(recording, results)
    return recording


def _take_result(recording: Recording, results: dict[int, Motion], message: Any) -> None:
    if message.source != SOURCE:
        return
    sequence = int(message.sequence)
    status, _, reached = read_reached(message)
    if sequence in results:
        if TWO_RESULTS not in recording.interference:
            recording.interference.append(TWO_RESULTS)
        return
    stamp = read_time(message.observation_stamp)
    results[sequence] = Motion(message.action, status, message.reason, reached, stamp)


def _look_for_interference(recording: Recording, results: Mapping[int, Motion]) -> None:
    """What the planner did not send or say, by its own count, came from elsewhere."""
    if recording.state <= EpisodeState.RUNNING or recording.episode is None:
        return
    never = [str(sequence) for sequence in results if not 1 <= sequence <= recording.commands_sent]
    if never:
        recording.interference.append(
            f"it holds results of commands that the planner never sent ({', '.join(never[:3])}; it sent "
            f"{recording.commands_sent})"
        )
    if len(recording.answers) > recording.answers_given:
        recording.interference.append(
            f"it holds {len(recording.answers)} answers, and the planner gave {recording.answers_given}"
        )
    asked = {question.question_id for question in recording.episode.questions}
    said = [answer.question_id for answer in recording.answers]
    strange = [name for name in dict.fromkeys(said) if name not in asked]
    if strange:
        recording.interference.append(f"question '{strange[0]}' was answered, which the episode does not ask")
    twice = [name for name in dict.fromkeys(said) if said.count(name) > 1]
    if twice:
        recording.interference.append(f"question '{twice[0]}' was answered {said.count(twice[0])} times")


def _episode_id(messages: list[tuple[Topic, Any]]) -> str:
    """Whose recording it is. Over ROS, what a latched topic held before may have slipped in at the beginning."""
    for topic, message in reversed(messages):
        if topic is RECORDING_SUMMARY:
            return str(message.episode_id)
    return next((str(message.episode_id) for topic, message in reversed(messages) if topic is EPISODE), "")


def _take(recording: Recording, topic: Topic, message: Any) -> None:
    if topic is RECORDING_SUMMARY:
        if message.schema_version != SCHEMA_VERSION:
            raise ValueError(f"schema version {message.schema_version}, this program reads {SCHEMA_VERSION}")
        pairs = zip(message.topics, message.messages, strict=True)
        # The summary counts itself out: it was made up before it was written.
        recording.counts = {name: int(count) for name, count in pairs if name != absolute(RECORDING_SUMMARY.name)}
        recording.dropped = int(sum(int(count) for count in message.dropped))
        recording.unreadable = int(message.unreadable)
        recording.interference.extend(message.interference)
    elif topic is EPISODE and (message.state > EpisodeState.RUNNING or recording.state <= EpisodeState.RUNNING):
        # The end stands: messages of one stamp have no order, so the beginning may come after it.
        recording.episode = read_episode(message)
        if not recording.episode.start.is_finite:
            raise ValueError(f"the start of the episode is not finite: {recording.episode.start}")
        recording.agent, recording.perception = message.agent, message.perception
        recording.state, recording.reason = EpisodeState(message.state), message.reason
        recording.commands_sent, recording.answers_given = int(message.commands_sent), int(message.answers_given)
    elif topic is TRUTH:
        recording.truth = read_truth(message)
    elif topic is TRUTH_VISIBILITY:
        recording.visibility[read_stamp(message)] = read_visibility(message)
    elif topic is ANSWER:
        answer = read_answer(message)
        if not math.isfinite(answer.confidence):
            raise ValueError(f"the confidence of the answer to '{answer.question_id}' is not finite")
        recording.answers.append(answer)
