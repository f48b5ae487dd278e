"""What a recorded episode says, read from its bag: the basis of scores and reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vantage.errors import RecordingError
from vantage.runs.bags import PARTIAL, SCHEMA_VERSION, absolute, read_bag
from vantage.runs.episode import SOURCE
from vantage.runs.reading import (
    read_answer,
    read_episode,
    read_stamp,
    read_time,
    read_truth,
    read_viewpoint,
    read_visibility,
)
from vantage.runs.topics import (
    ANSWER,
    COMMAND_RESULT,
    EPISODE,
    RECORDING_SUMMARY,
    TRUTH,
    TRUTH_VISIBILITY,
    Topic,
)
from vantage.spatial import Viewpoint
from vantage.types import Answer, Episode, EpisodeState, Status, Truth

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

    def shortfall(self) -> str:
        """Why this is no complete recording of a finished episode, in words; empty for a complete one."""
        if self.episode is None:
            return "it holds no episode"
        if not self.counts:
            return "it ends before the recording's summary"
        for name, count in self.counts.items():
            if self.read.get(name, count) != count:
                return f"it holds {self.read[name]} of {count} messages on {name}"
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
        RecordingError: the bag is partial, missing, truncated, or holds values that no episode has.
    """
    bag = Path(path)
    if bag.name.endswith(PARTIAL):
        raise RecordingError(f"{bag} is partial: the recording was not finished")
    messages = [(topic, message) for topic, _, message in read_bag(bag, READ)]
    recording = Recording(bag, read={absolute(topic.name): 0 for topic in READ})
    episode_id = _episode_id(messages)
    for topic, message in messages:
        name = absolute(topic.name)
        recording.read[name] += 1
        try:
            if message.episode_id == episode_id:
                _take(recording, topic, message)
        except ValueError as error:
            raise RecordingError(f"{bag} holds an impossible value on {name}: {error}") from error
    return recording


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
    elif topic is EPISODE and (message.state > EpisodeState.RUNNING or recording.state <= EpisodeState.RUNNING):
        # The end stands: messages of one stamp have no order, so the beginning may come after it.
        recording.episode = read_episode(message)
        recording.agent, recording.perception = message.agent, message.perception
        recording.state, recording.reason = EpisodeState(message.state), message.reason
        recording.commands_sent, recording.answers_given = int(message.commands_sent), int(message.answers_given)
    elif topic is TRUTH:
        recording.truth = read_truth(message)
    elif topic is TRUTH_VISIBILITY:
        recording.visibility[read_stamp(message)] = read_visibility(message)
    elif topic is COMMAND_RESULT and message.source == SOURCE and message.sequence > len(recording.motions):
        recording.motions.append(
            Motion(
                message.action,
                Status(message.status),
                message.reason,
                read_viewpoint(message.reached),
                read_time(message.observation_stamp),
            )
        )
    elif topic is ANSWER:
        recording.answers.append(read_answer(message))
