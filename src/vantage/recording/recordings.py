"""What a recorded episode says and shows, read from its bag: the basis of scores and reports."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import RecordingError
from vantage.recording.bags import SCHEMA_VERSION, decode_pixels, read_bag
from vantage.recording.events import SOURCE
from vantage.recording.from_messages import (
    read_answer,
    read_answering,
    read_episode,
    read_reached,
    read_stamp,
    read_time,
    read_truth,
    read_visibility,
)
from vantage.recording.integrity import verify_bag
from vantage.recording.partial_bags import PARTIAL
from vantage.recording.topics import (
    ANSWER,
    COMMAND_RESULT,
    EPISODE,
    IMAGE_COMPRESSED,
    RECORDING_SUMMARY,
    TRUTH,
    TRUTH_GOAL_IMAGE,
    TRUTH_VISIBILITY,
    Topic,
    absolute,
)
from vantage.spatial import Viewpoint
from vantage.types import Answer, Episode, EpisodePhase, EpisodeState, Key, Question, Status, Truth, TruthQuestion


def frames_at(bag: str | Path, stamps: Collection[int]) -> list[NDArray[np.uint8]]:
    """The frames of these stamps, ns, in the order in which they were taken; (H, W, 3) uint8 RGB each.

    Raises:
        RecordingError: the bag cannot be read, or a picture in it.
    """
    wanted = set(stamps)
    messages = (message for _, _, message in read_bag(bag, (IMAGE_COMPRESSED,)))
    return [decode_pixels(message) for message in messages if read_stamp(message) in wanted]


def goal_image(bag: str | Path) -> NDArray[np.uint8] | None:
    """What the goal viewpoint shows, (H, W, 3) uint8 RGB; None where the bag holds no picture of it.

    Raises:
        RecordingError: the bag cannot be read, or the picture in it.
    """
    for _, _, message in read_bag(bag, (TRUTH_GOAL_IMAGE,)):
        return decode_pixels(message)
    return None


INTERFERENCE = "interference"  # begins the reason why a disturbed episode is not scored
TWO_RESULTS = "commands have more than one result"
READ = (EPISODE, TRUTH, TRUTH_VISIBILITY, COMMAND_RESULT, ANSWER, RECORDING_SUMMARY)


@dataclass(frozen=True)
class PhaseBegin:
    """What was recorded of the beginning of a phase.

    Attributes:
        episode: as it is in the phase.
        commands_before, answers_before: that the planner had sent and given, over all former phases.
    """

    episode: Episode
    commands_before: int
    answers_before: int


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
        episode: all of it, as far as its phases began.
        phases: those that began, in order.
        control: under which the agent ran, such as ``start=goal,frames=3``; empty without one.
        visibility: visible fraction of each target (instance id) by stamp of the frame, in ns, ascending.
        answering: whether a frame alone answers each question of the gold data, in their order, by its stamp; older
            recordings lack it.
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
    phases: list[PhaseBegin] = field(default_factory=list)
    agent: str = ""
    perception: str = ""
    control: str = ""
    state: EpisodeState = EpisodeState.PENDING
    reason: str = ""
    commands_sent: int = 0
    answers_given: int = 0
    truth: Truth | None = None
    motions: list[Motion] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    visibility: dict[int, dict[int, float]] = field(default_factory=dict)
    answering: dict[int, tuple[bool, ...]] = field(default_factory=dict)
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
        known, asked = len(self.truth.questions), len(self.episode.questions)
        if known > asked:
            return f"its gold data ask {known} questions, and the phases that began {asked}"
        if len(self.phases) > 1 and any(not item.phase for item in self.truth.questions):
            return "its gold data are not those of the phases that began"
        if any(question.target_instances for question in self.truth.questions):
            unjudged = sum(motion.observation_stamp not in self.visibility for motion in self.motions)
            if unjudged:
                return f"it lacks what {unjudged} of {len(self.motions)} looks showed of the targets"
        return ""

    def asked_as(self, truth: TruthQuestion) -> Question | None:
        """The question, in words, that gold data are about; None where it was not asked."""
        questions = self.episode.questions if self.episode is not None else ()
        return next((item for item in questions if truth.is_about(item)), None)

    def answer_of(self, question: Question) -> Answer | None:
        """The first answer to a question, which its id alone names in an episode of one phase; None without one."""
        several = len(self.phases) > 1
        same = (item for item in self.answers if item.question_id == question.question_id)
        return next((item for item in same if not several or item.phase == question.phase), None)

    def answer_to(self, truth: TruthQuestion) -> Answer | None:
        """The first answer to the question that gold data are about; None where there is none."""
        return next((item for item in self.answers if truth.is_about(item)), None)

    def motions_in(self, phase: str) -> list[Motion]:
        """What became of the commands of a phase, in order.

        Raises:
            RecordingError: it holds no such phase.
        """
        names = [item.episode.phase for item in self.phases]
        if phase not in names:
            raise RecordingError(f"{self.path} holds no phase '{phase}', but {', '.join(names) or 'none'}")
        return self.motions_until(phase)[self.phases[names.index(phase)].commands_before :]

    def motions_until(self, phase: str) -> list[Motion]:
        """What became of all commands until a phase ended, in order; an empty name stands for the last phase."""
        names = [item.episode.phase for item in self.phases]
        following = names.index(phase) + 1 if phase in names else len(names)
        return self.motions[: self.phases[following].commands_before] if following < len(names) else self.motions

    def end_of(self, phase: str = "") -> int:
        """Stamp, ns, of what the agent saw last until a phase ended (empty: the last phase); -1 where no frame tells.

        That is the first frame that shows the result of the last command.
        """
        motions = self.motions_until(phase)
        since = motions[-1].observation_stamp if motions else 0
        return next((stamp for stamp in sorted(self.visibility) if stamp >= since), -1)

    def last_frame(self, phase: str = "") -> Mapping[int, float]:
        """Visible fractions in what the agent saw last until a phase ended (empty: the last phase)."""
        return self.visibility.get(self.end_of(phase), {})


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
    try:
        _join_phases(recording)
    except ValueError as error:
        raise RecordingError(f"{bag} holds impossible phases: {error}") from error
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
    several = len(recording.phases) > 1
    asked = {question.key if several else ("", question.question_id) for question in recording.episode.questions}
    said = [answer.key if several else ("", answer.question_id) for answer in recording.answers]
    strange = [key for key in dict.fromkeys(said) if key not in asked]
    if strange:
        recording.interference.append(f"{_named(strange[0])} was answered, which the episode does not ask")
    twice = [key for key in dict.fromkeys(said) if said.count(key) > 1]
    if twice:
        recording.interference.append(f"{_named(twice[0])} was answered {said.count(twice[0])} times")


def _named(key: Key) -> str:
    phase, question_id = key
    return f"question '{question_id}'" + (f" of phase '{phase}'" if phase else "")


def _join_phases(recording: Recording) -> None:
    """Make the whole episode of the phases that began.

    Raises:
        ValueError: the phases contradict each other.
    """
    if recording.episode is None:
        return
    if not recording.phases:  # its end alone was recorded
        recording.phases.append(PhaseBegin(recording.episode, 0, 0))
    # Messages of one stamp have no order, but counts do: they run on over the phases.
    recording.phases.sort(key=lambda item: (item.commands_before, item.answers_before))
    if len(recording.phases) == 1:
        return
    names = [item.episode.phase for item in recording.phases]
    if recording.state > EpisodeState.RUNNING and names[-1] != recording.episode.phase:
        recording.interference.append(
            f"its phases are out of order: '{names[-1]}' began last, and it ended in '{recording.episode.phase}'"
        )
    parts = tuple(
        EpisodePhase(item.episode.phase, item.episode.max_steps, item.episode.questions) for item in recording.phases
    )
    first = recording.phases[0].episode
    whole = Episode.of_phases(first.episode_id, first.benchmark, first.scene, first.start, parts, first.seed)
    recording.episode = whole
    truth = recording.truth
    if truth is not None and [item.question_id for item in truth.questions] == [
        item.question_id for item in whole.questions
    ]:
        pairs = zip(truth.questions, whole.questions, strict=True)
        recording.truth = replace(truth, questions=tuple(replace(gold, phase=asked.phase) for gold, asked in pairs))


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
    elif topic is EPISODE:
        _take_episode(recording, message)
    elif topic is TRUTH:
        recording.truth = read_truth(message)
    elif topic is TRUTH_VISIBILITY:
        stamp, answering = read_stamp(message), read_answering(message)
        recording.visibility[stamp] = read_visibility(message)
        if answering:
            recording.answering[stamp] = answering
    elif topic is ANSWER:
        answer = read_answer(message)
        if not math.isfinite(answer.confidence):
            raise ValueError(f"the confidence of the answer to '{answer.question_id}' is not finite")
        recording.answers.append(answer)


def _take_episode(recording: Recording, message: Any) -> None:
    episode, state = read_episode(message), EpisodeState(message.state)
    if not episode.start.is_finite:
        raise ValueError(f"the start of the episode is not finite: {episode.start}")
    sent, given = int(message.commands_sent), int(message.answers_given)
    if state == EpisodeState.RUNNING:
        begin = PhaseBegin(episode, sent, given)
        if begin not in recording.phases:
            recording.phases.append(begin)
    # The end stands: messages of one stamp have no order, so the beginning may come after it.
    if state > EpisodeState.RUNNING or recording.state <= EpisodeState.RUNNING:
        recording.episode, recording.state, recording.reason = episode, state, message.reason
        recording.agent, recording.perception, recording.control = message.agent, message.perception, message.control
        recording.commands_sent, recording.answers_given = sent, given
