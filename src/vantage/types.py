"""Shared data types: what agents see and say, what worlds take and give. Plain data, SI units, radians.

Stamps are integer nanoseconds on the world's clock.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Intrinsics, Viewpoint

Point = tuple[float, float, float]


class Status(IntEnum):
    """What became of a command. Values equal those of CommandResult.msg."""

    DONE = 0
    COLLIDED = 1
    REJECTED = 2
    TIMED_OUT = 3
    STOPPED = 4


class Cause(IntEnum):
    """Why a command was rejected. Values equal those of CommandResult.msg.

    LIMIT: outside the limits, or too far for one command. CHECK: the world knows of something in the way. CAPABILITY:
    the world cannot do such an object, or does not move at all at present. TARGET: no target that can be read, or one
    in another frame. UNCONFIRMED: a person has to allow the first motion. LEASE: another source holds the lease. ORDER:
    the number is not the next one. EPISODE: another episode, or none, is running.
    """

    NONE = 0
    LIMIT = 1
    CHECK = 2
    CAPABILITY = 3
    TARGET = 4
    UNCONFIRMED = 5
    LEASE = 6
    ORDER = 7
    EPISODE = 8


class Verdict(IntEnum):
    """What an answer is. Values equal those of Answer.msg."""

    ANSWERED = 0
    CORRECTED = 1
    UNANSWERABLE = 2
    NEEDS_CONFIRMATION = 3
    NEEDS_LOOK = 4
    NEEDS_MODEL = 5


class NoiseType(IntEnum):
    """What is wrong with a premise (NoisyEQA, section 3). Values equal those of NoiseReport.msg."""

    NONE = 0
    LATENT = 1
    COLOR = 2
    MATERIAL = 3
    COUNT = 4
    POSITION = 5
    SHAPE = 6
    PERCEPTION = 7
    SEMANTIC = 8
    UNKNOWN = 9


class EpisodeState(IntEnum):
    """Values equal those of Episode.msg."""

    PENDING = 0
    RUNNING = 1
    FINISHED = 2
    CANCELED = 3
    FAILED = 4


class Phase(str, Enum):
    """Names of phases that agents know: in ``explore`` they see as much as they can, asked or not.

    In ``reenter`` they look again in the restored place, with the questions of ``answer`` in mind; in ``refine`` they
    are asked the same once more.
    """

    EXPLORE = "explore"
    ANSWER = "answer"
    REENTER = "reenter"
    REFINE = "refine"


Key = tuple[str, str]  # phase and question id, by which questions and answers of an episode are told apart


@dataclass(frozen=True)
class Question:
    """A question in words, put in one phase of an episode."""

    question_id: str
    text: str
    phase: str = Phase.ANSWER.value

    @property
    def key(self) -> Key:
        return self.phase, self.question_id


@dataclass(frozen=True)
class EpisodePhase:
    """One part of an episode.

    It ends when all its questions are answered or its budget is used up; without questions, when the agent says that it
    is done (``Done``) or the budget is used up.

    Attributes:
        name: unique in the episode.
        max_steps: commands that may be given in it.
        questions: revealed when the phase begins; their ``phase`` is ``name``.
        restored: before it begins, the world is put back as at the start of the episode: same seed, same start. What
            was seen is kept, and command numbers run on.
    """

    name: str
    max_steps: int
    questions: tuple[Question, ...] = ()
    restored: bool = False


@dataclass(frozen=True)
class Episode:
    """The public part of an episode: all that an agent may know before it looks.

    Where an episode has several phases, an episode set, a goal of ``run_episode`` and whoever runs it hold the whole
    episode, with all ``phases``. Agents, worlds, listeners and topics are given it as it is ``in_phase``: without
    ``phases``, and with the questions and the budget of the phase that is on.

    Attributes:
        questions: of the phase that is on; of a whole episode, those of all phases.
        max_steps: likewise.
        phase: name of the phase that is on; of a whole episode, of the first one. Where it is not given, the phase of
            the first question.
        phases: all of them, in order, of a whole episode of several; empty otherwise.
        restored: before the phase that is on, the world was put back as at the start of the episode.

    Raises:
        ValueError: the phases contradict each other, or the questions and the budget.
    """

    episode_id: str
    benchmark: str
    scene: str
    start: Viewpoint
    questions: tuple[Question, ...]
    max_steps: int
    seed: int = 0
    phase: str = ""
    phases: tuple[EpisodePhase, ...] = ()
    restored: bool = False

    def __post_init__(self) -> None:
        if not self.phase:
            first = self.questions[0].phase if self.questions else Phase.EXPLORE.value
            object.__setattr__(self, "phase", self.phases[0].name if self.phases else first)
        if self.phases:
            _require_phases(self)

    @classmethod
    def of_phases(
        cls,
        episode_id: str,
        benchmark: str,
        scene: str,
        start: Viewpoint,
        phases: tuple[EpisodePhase, ...],
        seed: int = 0,
    ) -> Episode:
        """A whole episode of these phases.

        Raises:
            ValueError: there are none, or they contradict each other.
        """
        if not phases:
            raise ValueError(f"episode '{episode_id}' has no phase; give it at least one")
        questions = tuple(question for phase in phases for question in phase.questions)
        steps = sum(phase.max_steps for phase in phases)
        return cls(episode_id, benchmark, scene, start, questions, steps, seed, phases[0].name, phases)

    def in_phase(self, number: int) -> Episode:
        """What is public while the phase of a number (0, 1, ...) is on; nothing of any other phase."""
        if not self.phases:
            return self
        phase = self.phases[number]
        return replace(
            self,
            questions=phase.questions,
            max_steps=phase.max_steps,
            phase=phase.name,
            phases=(),
            restored=phase.restored,
        )

    @property
    def phase_count(self) -> int:
        return max(1, len(self.phases))


def _require_phases(episode: Episode) -> None:
    """
    Raises:
        ValueError: a phase has no name, the name of another, nothing to do or a question twice; the first one is
            restored; or the questions or the budget of the whole episode are not those of its phases.
    """
    name = f"episode '{episode.episode_id}'"
    known: set[str] = set()
    if episode.restored or episode.phases[0].restored:
        raise ValueError(
            f"phase '{episode.phases[0].name}' of {name} is the first one, before which nothing can be restored; "
            f"leave restored out there"
        )
    for phase in episode.phases:
        if not phase.name or phase.name in known:
            raise ValueError(f"{name} has two phases '{phase.name}'; name each, and differently")
        known.add(phase.name)
        if not phase.questions and phase.max_steps == 0:
            raise ValueError(f"phase '{phase.name}' of {name} is empty; give it questions or steps")
        foreign = next((item for item in phase.questions if item.phase != phase.name), None)
        if foreign is not None:
            raise ValueError(
                f"question '{foreign.question_id}' of phase '{phase.name}' of {name} says that it is of phase "
                f"'{foreign.phase}'"
            )
        if len({item.question_id for item in phase.questions}) != len(phase.questions):
            raise ValueError(f"two questions of phase '{phase.name}' of {name} have the same question_id")
    asked = tuple(question for phase in episode.phases for question in phase.questions)
    if asked != episode.questions or episode.max_steps != sum(phase.max_steps for phase in episode.phases):
        raise ValueError(f"the questions or the budget of {name} are not those of its phases; use Episode.of_phases")


@dataclass(frozen=True)
class TruthQuestion:
    """Gold data of one question. Never given to an agent.

    ``program`` is what the question asks, in the words of ``questions.programs``; empty where no program says it.
    ``phase`` is the one in which it is asked; it may be empty where the episode has one phase. ``category`` is what the
    benchmark counts it among; empty where it has no categories. Evidence are instance ids: ``target_instances`` of what
    must be seen, ``to_weigh`` of objects whose weight must be felt, ``to_open`` of containers that must be opened.
    """

    question_id: str
    kind: str
    answer: str
    accepted: tuple[str, ...] = ()
    premise_holds: bool = True
    noise_type: NoiseType = NoiseType.NONE
    false_claim: str = ""
    correction: str = ""
    corrected_question: str = ""
    target_instances: tuple[int, ...] = ()
    program: str = ""
    phase: str = ""
    category: str = ""
    to_weigh: tuple[int, ...] = ()
    to_open: tuple[int, ...] = ()

    def is_about(self, item: Question | Answer) -> bool:
        """Whether these are the gold data of a question, or of the question that an answer names."""
        return item.question_id == self.question_id and self.phase in ("", item.phase)


@dataclass(frozen=True)
class Truth:
    """Gold data of one episode: answers and the shortest action sequence to an answerable viewpoint.

    Attributes:
        oracle_path_length: m.
        pair_id: what episodes have in common that ask the same of the same scene from different starts; empty without
            such pairs of question and answer.
        split: the part of the benchmark that the episode belongs to, such as ``test``; empty where it has no parts.
        oracle_is_bound: the oracle's actions need not be the fewest; they are only an upper bound of these.
        solved_by: names of limited ways to move that reach an answering view within the budget too, such as ``start``,
            ``rotation``, ``x,y,yaw`` or ``all``; empty where that was not looked into.
    """

    episode_id: str
    questions: tuple[TruthQuestion, ...]
    goal: Viewpoint | None = None
    oracle_actions: tuple[str, ...] | None = None
    oracle_path_length: float = math.nan
    pair_id: str = ""
    split: str = ""
    oracle_is_bound: bool = False
    solved_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class InstanceLabel:
    """What one instance id stands for.

    Attributes:
        room: the kind of room that a floor belongs to, else empty.
        part_of: instance id of the thing that this is a part of, such as a handle; 0 for things themselves.
    """

    instance_id: int
    label: str
    color: str = ""
    material: str = ""
    states: tuple[str, ...] = ()
    shape: str = ""
    room: str = ""
    part_of: int = 0


@dataclass(frozen=True, eq=False)
class Link:
    """Where one part of a robot is relative to the part that carries it: T_parent_child, shape (4, 4)."""

    parent: str
    child: str
    T_parent_child: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Posture:
    """How the robot that carries the camera stands: joint positions (m or rad) by name, and its links from the world
    frame down to ``camera_link``, each after the one that carries it."""

    joints: Mapping[str, float]
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Event:
    """Something that a world noticed about its hardware, for ``/diagnostics`` and the bag.

    Attributes:
        number: 1, 2, 3, ... over the life of the world.
        stamp: ns on the world's clock.
        kind: one short word, such as ``link`` or ``alarm``.
        fatal: whether the world stopped because of it.
    """

    number: int
    stamp: int
    kind: str
    sentence: str
    fatal: bool = False


@dataclass(frozen=True, eq=False)
class Touch:
    """What the hand of an arm feels, and where it is.

    Attributes:
        T_world_tool: (4, 4) pose of the tool, between the fingertips; x points from the wrist to what is grasped.
        force: (3,) N and
        torque: (3,) N m with which the hand pulls at the wrist, about the wrist, in the axes of the tool; NaN without a
            sensor.
        gripper_width: between the fingers, m; NaN without a gripper.
        holds: whether something is held.
    """

    T_world_tool: NDArray[np.float64]
    force: NDArray[np.float64]
    torque: NDArray[np.float64]
    gripper_width: float
    holds: bool = False


@dataclass(frozen=True, eq=False)
class Poses:
    """Where things are that can be moved in a world; gold data, never given to an agent.

    Attributes:
        things: T_world_object (4, 4) by instance id, of the frame in which a specification gives an object.
        joints: rad or m, by instance id and name of the moving part.
    """

    things: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)
    joints: Mapping[tuple[int, str], float] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.things or self.joints)


@dataclass(frozen=True)
class Gathered:
    """What a search came to know of a place with one look; gold data, never given to an agent.

    Attributes:
        seen: instance ids of things of which this look, as the first, shows enough to recognise them.
        opened: likewise, of things that stand open and did not before.
        floor_seen: m2 of floor that has been in view so far.
        things, openable: how many there are in the place, and how many of them can be opened.
        floor_area: m2 of floor on which nothing stands.
    """

    seen: tuple[int, ...] = ()
    opened: tuple[int, ...] = ()
    floor_seen: float = 0.0
    things: int = 0
    openable: int = 0
    floor_area: float = 0.0


@dataclass(frozen=True)
class Observation:
    """What a world shows at one moment.

    Attributes:
        stamp: ns on the world's clock; strictly increasing.
        viewpoint: where the camera is.
        intrinsics: of the color image, and of the others where these have none of their own.
        rgb: (H, W, 3) uint8.
        depth: (h, w) float32, z in the optical frame in m, NaN where nothing is seen; None without a depth sensor.
        instances: (h, w) int32, 0 where nothing is seen; None outside simulation.
        legend: what the instance ids stand for; None where there are no instances.
        posture: of the robot that carries the camera; None where nothing does.
        depth_intrinsics: of depth and instance ids where they have another size than the color image: the same view
            with fewer pixels.
        touch: of the hand; None without an arm.
    """

    stamp: int
    viewpoint: Viewpoint
    intrinsics: Intrinsics
    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32] | None = None
    instances: NDArray[np.int32] | None = None
    legend: Mapping[int, InstanceLabel] | None = None
    posture: Posture | None = None
    depth_intrinsics: Intrinsics | None = None
    touch: Touch | None = None

    @property
    def depth_camera(self) -> Intrinsics:
        """The intrinsics of depth and instance ids."""
        return self.intrinsics if self.depth_intrinsics is None else self.depth_intrinsics

    @property
    def color_pixels(self) -> float:
        """How many pixels of the color image show what one of depth or instance ids shows."""
        few, many = self.depth_camera, self.intrinsics
        return many.width * many.height / (few.width * few.height)

    @property
    def color_depth(self) -> NDArray[np.float32] | None:
        """(H, W) depth at each pixel of the color image."""
        return None if self.depth is None else self.intrinsics.enlarged(self.depth)


@dataclass(frozen=True)
class ArmStep:
    """A motion of the hand from where the arm was last told to be, in the axes of the robot's body.

    Attributes:
        forward, left, up: m, of the arm alone.
        height: m, of the lift.
        roll: rad, of the hand about the direction in which it points.
    """

    forward: float = 0.0
    left: float = 0.0
    up: float = 0.0
    height: float = 0.0
    roll: float = 0.0


OPEN, CLOSE = "open", "close"  # what can be done by a handle
HANDLE = "handle"  # label of the parts by which objects are opened and closed


@dataclass(frozen=True)
class ArmTarget:
    """What an arm should do; exactly one of joints, T_world_tool, gripper_width, step and handle is given.

    Attributes:
        joints: positions by name, m or rad.
        T_world_tool: (4, 4) pose of the tool.
        gripper_width: m between the fingers; what is in between ends the motion and is held.
        gripper_force: N, the largest of the gripper; 0 leaves it to its controller.
        step: a relative motion.
        handle: ``open`` or ``close`` what has its handle in the hand's reach.
    """

    joints: Mapping[str, float] | None = None
    T_world_tool: NDArray[np.float64] | None = None
    gripper_width: float | None = None
    gripper_force: float = 0.0
    step: ArmStep | None = None
    handle: str | None = None


@dataclass(frozen=True)
class Command:
    """One motion. Agents fill the target; the episode runner adds who, which episode and which number.

    ``allow_unwind``: a joint may turn further than one command may otherwise take it, where the target asks for that.
    """

    target: Viewpoint | None = None
    action: str = ""
    arm: ArmTarget | None = None
    episode_id: str = ""
    source: str = ""
    sequence: int = 0
    allow_unwind: bool = False


@dataclass(frozen=True)
class StepResult:
    """What became of a command. ``observation`` shows the world after it; ``cause`` says why it was rejected."""

    status: Status
    reason: str
    command: Command
    observation: Observation
    cause: Cause = Cause.NONE

    @property
    def reached(self) -> Viewpoint:
        return self.observation.viewpoint


@dataclass(frozen=True)
class Detection:
    """One object seen in one frame, located in the world frame (m) from depth and pose.

    Attributes:
        instance_id: the perceiver's identity of the object, 0 where it has none.
        text: words read from its print in this frame.
        room: the kind of room a floor belongs to.
        part_of: of a handle, the perceiver's identity of the object that it is on, 0 where it has none; 0 for objects.
    """

    instance_id: int
    label: str
    color: str
    material: str
    confidence: float
    pixels: int
    box: tuple[int, int, int, int]  # x, y, width, height in pixels
    center: Point
    bounds_min: Point
    bounds_max: Point
    states: tuple[str, ...] = ()
    truncated: bool = False
    shape: str = ""
    text: str = ""
    room: str = ""
    part_of: int = 0


@dataclass(frozen=True)
class NoiseReport:
    """What is wrong with a question's premise, and what would be right."""

    noise_type: NoiseType = NoiseType.NONE
    false_claim: str = ""
    correction: str = ""
    corrected_question: str = ""
    confidence: float = 0.0
    explanation: str = ""


@dataclass(frozen=True)
class Evidence:
    """A frame that supports an answer."""

    stamp: int
    viewpoint: Viewpoint


@dataclass(frozen=True)
class Answer:
    """What an agent says to one question."""

    question_id: str
    text: str
    verdict: Verdict
    confidence: float
    noise: NoiseReport = field(default_factory=NoiseReport)
    evidence: tuple[Evidence, ...] = ()
    perception: str = ""
    model: str = ""
    phase: str = Phase.ANSWER.value

    @property
    def key(self) -> Key:
        return self.phase, self.question_id


@dataclass(frozen=True)
class Done:
    """An agent's word that it has nothing more to do in a phase that asks no question. It costs no step."""


Decision = Command | Answer | Done  # what an agent returns


@dataclass(frozen=True)
class SearchView:
    """What a planner has in mind, for people to watch: where it means to go and what it looks at.

    Attributes:
        path: viewpoints that it means to take, the present one first.
        targets: points that it wants to see, world frame, m.
        doing: in words.
        worth: of the view that it goes for, in unknown voxels weighted by how much the question cares about them.
        known: share of the space that it has seen, 0..1.
    """

    path: tuple[Viewpoint, ...] = ()
    targets: tuple[Point, ...] = ()
    doing: str = ""
    worth: float = 0.0
    known: float = 0.0
