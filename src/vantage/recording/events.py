"""What happens in an episode, for whoever records, publishes or watches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from vantage.types import (
    Answer,
    Command,
    Detection,
    Episode,
    EpisodeState,
    Observation,
    SearchView,
    StepResult,
)

SOURCE = "planner"  # of the commands of an episode


class NamedAgent(Protocol):
    """Who runs an episode, as recordings name it, besides the control under which it runs (``control_of``)."""

    @property
    def name(self) -> str: ...

    @property
    def perception(self) -> str:
        """Name of the perceiver it sees through, empty when it uses none."""
        ...


def control_of(agent: NamedAgent) -> str:
    """The control under which an agent runs, such as ``start=goal,frames=3``: its ``control``, which is empty without
    one and which an agent that knows of no controls need not have."""
    return str(getattr(agent, "control", ""))


@dataclass
class Outcome:
    """How an episode ended.

    Attributes:
        state: FINISHED, CANCELED (on request) or FAILED.
        reason: in words, unless every question was answered, and the agent was done where it looked again.
        steps: commands sent.
        phase_steps: commands sent in each phase that has begun, by its name.
    """

    state: EpisodeState = EpisodeState.RUNNING
    reason: str = ""
    steps: int = 0
    answers: list[Answer] = field(default_factory=list)
    phase_steps: dict[str, int] = field(default_factory=dict)


class EpisodeListener:
    """Follows an episode; override what is of interest. Stamps are ns on the world's clock."""

    def started(self, episode: Episode, agent: NamedAgent, stamp: int) -> None:
        """Before the world is reset; the episode is as it is in its first phase."""

    def phase_began(self, episode: Episode, outcome: Outcome, stamp: int) -> None:
        """Another phase than the first begins; the episode is as it is in that phase, ``outcome`` as it is so far.
        Where it is ``restored``, the world is put back next, and shown (``observed``)."""

    def observed(self, observation: Observation) -> None:
        """The first look, also after the world was put back, and the look after each command (just before
        ``concluded``)."""

    def commanded(self, command: Command, stamp: int) -> None: ...

    def concluded(self, result: StepResult) -> None: ...

    def thought(self, view: SearchView, detections: Sequence[Detection], observation: Observation) -> None:
        """After the agent made up its mind about an observation."""

    def answered(self, answer: Answer, stamp: int) -> None: ...

    def ended(self, outcome: Outcome, stamp: int) -> None:
        """Always called once after ``started``."""
