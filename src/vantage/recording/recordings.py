"""What a recorded episode says and shows, read from its bag, in whatever order the messages of one stamp come."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
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
    read_shortfalls,
    read_stamp,
    read_time,
    read_truth,
    read_view_rule,
    read_visibility,
)
from vantage.recording.integrity import verify_bag
from vantage.recording.partial_bags import PARTIAL
from vantage.recording.recorded_episode import Motion, PhaseBegin, Recording, whole_episode
from vantage.recording.topics import (
    ANSWER,
    COMMAND_RESULT,
    EPISODE,
    IMAGE_COMPRESSED,
    PARTICIPANT,
    RECORDING_SUMMARY,
    TRUTH,
    TRUTH_GOAL_IMAGE,
    TRUTH_VISIBILITY,
    Topic,
    absolute,
)
from vantage.types import EpisodeState, Key

TWO_RESULTS = "commands have more than one result"
_NOT_BEGUN = "?"  # phase of gold questions that were not asked; no phase has that name
READ = (EPISODE, TRUTH, TRUTH_VISIBILITY, COMMAND_RESULT, ANSWER, PARTICIPANT, RECORDING_SUMMARY)


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
    whole = whole_episode([item.episode for item in recording.phases])
    recording.episode = whole
    truth = recording.truth
    if truth is None:
        return
    known, asked = [item.question_id for item in truth.questions], [item.question_id for item in whole.questions]
    if known[: len(asked)] == asked:  # a later phase may not have begun
        phases = [item.phase for item in whole.questions] + [_NOT_BEGUN] * (len(known) - len(asked))
        pairs = zip(truth.questions, phases, strict=True)
        recording.truth = replace(truth, questions=tuple(replace(gold, phase=phase) for gold, phase in pairs))


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
        recording.truth, recording.set_view_rule = read_truth(message), read_view_rule(message)
        recording.view_rule = recording.set_view_rule  # unless what judged the looks names another
    elif topic is TRUTH_VISIBILITY:
        stamp, answering = read_stamp(message), read_answering(message)
        recording.visibility[stamp] = read_visibility(message)
        recording.view_rule = read_view_rule(message)
        if answering:
            recording.answering[stamp] = answering
            recording.shortfalls[stamp] = read_shortfalls(message)
    elif topic is PARTICIPANT:
        recording.participant = recording.participant or str(message.pseudonym)
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
