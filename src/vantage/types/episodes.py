"""Episodes and their questions, as far as they are public."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from vantage.spatial import Viewpoint


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
