"""What a bag tells, step by step, as far as it can be read: of a partial or damaged one all before it breaks off."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import RecordingError
from vantage.recording import (
    ANSWER,
    CAMERA_INFO,
    COMMAND_RESULT,
    DETECTIONS,
    EPISODE,
    IMAGE_COMPRESSED,
    JOINT_STATES,
    JOINTS,
    PARTIAL,
    SEARCH_STATUS,
    TF,
    TRUTH,
    TRUTH_POSES,
    decode_pixels,
    read_answer,
    read_bag,
    read_broken_off,
    read_camera_pose,
    read_episode,
    read_intrinsics,
    read_poses,
    read_posture,
    read_reached,
    read_stamp,
    read_time,
    read_truth,
    recorded_setup,
    whole_episode,
)
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Answer, Episode, EpisodeState, Poses, Posture, Status, Truth
from vantage.web.places import HOUSE

_PUBLIC = (
    IMAGE_COMPRESSED,
    CAMERA_INFO,
    COMMAND_RESULT,
    DETECTIONS,
    EPISODE,
    SEARCH_STATUS,
    ANSWER,
    TF,
    JOINT_STATES,
)
_MOST_STEPS = 20_000
_BAD_VALUE = (ValueError, ArithmeticError, AttributeError, LookupError)


@dataclass(frozen=True)
class Box:
    """What was made out in a picture, in its pixels."""

    label: str
    x: int
    y: int
    width: int
    height: int
    confidence: float


@dataclass
class Step:
    """One look and the command that led to it.

    Attributes:
        stamp: of the frame, ns.
        viewpoint: from where it was taken; None where the bag does not say.
        action, status, reason: of the command; empty for the first look.
        doing: what the agent meant to do next, in words.
        known: share of the space seen so far, 0..1; None where nothing tells.
        moved: where things and joints are that were moved so far; gold data.
        posture: of the robot that carried the camera; None where the bag does not say, or the camera was free.
    """

    stamp: int
    message: Any
    viewpoint: Viewpoint | None = None
    action: str = ""
    status: Status | None = None
    reason: str = ""
    boxes: list[Box] = field(default_factory=list)
    doing: str = ""
    known: float | None = None
    moved: Poses = field(default_factory=Poses)
    posture: Posture | None = None

    def picture(self) -> NDArray[np.uint8]:
        """The recorded frame, (H, W, 3) RGB.

        Raises:
            RecordingError: it cannot be decoded.
        """
        return decode_pixels(self.message)


@dataclass(frozen=True)
class Phase:
    """A part of an episode and the number of its first step; ``restored`` where the world was put back before it."""

    name: str
    step: int
    restored: bool = False


@dataclass
class Story:
    """A recorded episode as it went.

    Attributes:
        problem: why not all of it is told, in one sentence; empty for a whole bag.
        episode: with the questions of all phases that began.
        phases: that began, in their order; none where the episode has one only.
        truth: the gold data; None where they are not there or not asked for.
        world: in which it was recorded; empty where the bag does not say.
    """

    path: Path
    problem: str = ""
    episode: Episode | None = None
    agent: str = ""
    perception: str = ""
    state: EpisodeState = EpisodeState.PENDING
    reason: str = ""
    camera: Intrinsics | None = None
    steps: list[Step] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    truth: Truth | None = None
    world: str = ""
    phases: tuple[Phase, ...] = ()

    def phase_of(self, number: int) -> str:
        """The phase of a step; empty where the episode has one only."""
        return next((phase.name for phase in reversed(self.phases) if phase.step <= number), "")

    def step_of(self, stamp: int) -> int | None:
        """The number of the step whose frame has a stamp."""
        return next((number for number, step in enumerate(self.steps) if step.stamp == stamp), None)

    @property
    def collisions(self) -> list[int]:
        """Numbers of the steps that ended at an obstacle."""
        return [number for number, step in enumerate(self.steps) if step.status is Status.COLLIDED]


def read_story(path: Path, with_truth: bool = True) -> Story:
    """Read a bag, whole or not; never raises for what is in it, but says so in ``problem``."""
    story = Story(path)
    topics = (*_PUBLIC, TRUTH, TRUTH_POSES) if with_truth else _PUBLIC
    partial = path.name.endswith(PARTIAL)
    try:
        messages = read_broken_off(path, topics) if partial else read_bag(path, topics)
        _take_all(story, messages)
        story.problem = "The recording was not finished; it is shown as far as it goes." if partial else ""
    except RecordingError as error:
        story.problem = str(error)
        if not partial:
            found = Story(path, problem=str(error))
            try:
                _take_all(found, read_broken_off(path, topics))
            except RecordingError:
                return story
            story = found if len(found.steps) >= len(story.steps) else story
    story.world = _world_of(story)
    return story


def _world_of(story: Story) -> str:
    """In which a bag was recorded; of one that does not say, as partial ones, a house where a robot stood in it."""
    try:
        setup = recorded_setup(story.path)
    except RecordingError:
        setup = None
    world = (setup or {}).get("world", "")
    if world and isinstance(world, str):
        return world
    return HOUSE if any(step.posture is not None for step in story.steps) else ""


def _take_all(story: Story, messages: Any) -> None:
    frames: dict[int, Step] = {}
    poses: dict[int, Viewpoint] = {}
    transforms: dict[int, Any] = {}
    joints: dict[int, Any] = {}
    results: list[tuple[int, Any]] = []
    looks: list[Any] = []
    doings: dict[int, tuple[str, float]] = {}
    moves: list[tuple[int, Poses]] = []
    begun: dict[tuple[int, int, str], tuple[int, Episode]] = {}
    try:
        for topic, _, message in messages:
            try:
                if topic is IMAGE_COMPRESSED:
                    if len(frames) < _MOST_STEPS:
                        frames.setdefault(read_stamp(message), Step(read_stamp(message), message))
                elif topic is TF:
                    pose = read_camera_pose(message)
                    if pose is not None:
                        poses[pose[0]] = pose[1]
                        transforms[pose[0]] = message
                elif topic is JOINT_STATES:
                    if tuple(message.name) != JOINTS:
                        joints[read_stamp(message)] = message
                elif topic is COMMAND_RESULT:
                    results.append((int(message.sequence), message))
                elif topic is DETECTIONS:
                    looks.append(message)
                elif topic is SEARCH_STATUS:
                    doings[read_stamp(message)] = (str(message.doing), float(message.known))
                elif topic is TRUTH_POSES:
                    moves.append((read_stamp(message), read_poses(message)))
                else:
                    _take_facts(story, topic, message)
                    if topic is EPISODE and message.state == EpisodeState.RUNNING:
                        episode = read_episode(message)
                        counts = int(message.commands_sent), int(message.answers_given)
                        begun.setdefault((*counts, episode.phase), (read_stamp(message), episode))
            except _BAD_VALUE as error:
                raise RecordingError(f"{story.path} holds an impossible value on {topic.name}: {error}") from error
    finally:
        _put_together(story, frames, poses, results, looks, doings)
        _move(story.steps, moves)
        _tell_phases(story, [begun[key] for key in sorted(begun, key=lambda key: key[:2])])
        for step in story.steps:
            if step.stamp in joints and step.stamp in transforms:
                step.posture = _posture(joints[step.stamp], transforms[step.stamp])


def _tell_phases(story: Story, begun: Sequence[tuple[int, Episode]]) -> None:
    """Say when phases began, with the stamps (ns) of their messages, in their order."""
    if len(begun) < 2:
        return
    with suppress(ValueError):  # they contradict each other, and those who score the bag say so
        story.episode = whole_episode([episode for _, episode in begun])
    last = max(0, len(story.steps) - 1)
    phases = []
    for stamp, episode in begun:
        later = (n for n, s in enumerate(story.steps) if s.stamp > stamp or (s.stamp == stamp and not episode.restored))
        phases.append(Phase(episode.phase, next(later, last), episode.restored))  # put back, one looks anew
    story.phases = tuple(phases)


def _posture(joints: Any, transforms: Any) -> Posture | None:
    """How the robot stood; None where what is said of it is no number."""
    try:
        posture = read_posture(joints, transforms)
    except _BAD_VALUE:
        return None
    numbers = [np.array(list(posture.joints.values())), *(link.T_parent_child for link in posture.links)]
    return posture if all(np.isfinite(each).all() for each in numbers) else None


def _take_facts(story: Story, topic: Any, message: Any) -> None:
    if topic is EPISODE:
        state = EpisodeState(message.state)
        if story.episode is None or state >= story.state:
            story.episode, story.state, story.reason = read_episode(message), state, str(message.reason)
            story.agent, story.perception = str(message.agent), str(message.perception)
    elif topic is ANSWER:
        story.answers.append(read_answer(message))
    elif topic is TRUTH:
        story.truth = read_truth(message)
    elif topic is CAMERA_INFO and story.camera is None:
        story.camera = read_intrinsics(message)


def _put_together(
    story: Story,
    frames: dict[int, Step],
    poses: dict[int, Viewpoint],
    results: list[tuple[int, Any]],
    looks: list[Any],
    doings: dict[int, tuple[str, float]],
) -> None:
    for _, message in sorted(results, key=lambda item: item[0]):
        step = frames.get(read_time(message.observation_stamp))
        if step is None or step.status is not None:
            continue
        step.status, _, reached = read_reached(message)
        step.action, step.reason = str(message.action), str(message.reason)
        step.viewpoint = reached if reached.is_finite else None
    for message in looks:
        step = frames.get(read_stamp(message))
        if step is not None:
            step.boxes = [
                Box(str(d.label), int(r.x_offset), int(r.y_offset), int(r.width), int(r.height), float(d.confidence))
                for d in message.detections
                for r in [d.box]
            ]
    for stamp, step in frames.items():
        pose = poses.get(stamp)
        if pose is not None and pose.is_finite:
            step.viewpoint = pose
        step.doing, known = doings.get(stamp, ("", float("nan")))
        step.known = known if 0.0 <= known <= 1.0 else None
    story.steps = [frames[stamp] for stamp in sorted(frames)]


def _move(steps: list[Step], moves: list[tuple[int, Poses]]) -> None:
    """Tell every step what was moved until its frame."""
    left, moved = sorted(moves, key=lambda item: item[0]), Poses()
    for step in steps:
        while left and left[0][0] <= step.stamp:
            moved = moved.updated(left.pop(0)[1])
        step.moved = moved
