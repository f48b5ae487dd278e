"""An Agent sees observations and returns a command, an answer or that it is done; every policy is one."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from vantage.goals import SceneFacts
from vantage.types import Decision, Detection, Episode, Observation, Participation, SearchView, StepResult
from vantage.worlds import Warrant, WorldInfo


@runtime_checkable
class Agent(Protocol):
    """Runs one episode at a time."""

    @property
    def name(self) -> str: ...

    @property
    def perception(self) -> str:
        """Name of the perceiver it sees through, empty when it uses none."""
        ...

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        """Forget the last episode and prepare for the first phase of this one.

        Args:
            episode: as it is in its first phase; what later phases ask is not in it.
        """
        ...

    def begin_phase(self, episode: Episode) -> None:
        """Go on with the next phase of the episode that was begun: where it is and with what it has seen.

        Where the episode is ``restored``, the camera was put back to the start, and all that was moved, opened or held
        is where and as it was found.

        Args:
            episode: as it is in that phase, with its questions and its budget.
        """
        ...

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        """The next command, the answer to one of the open questions, or ``Done`` in a phase that asks none.

        It may take its time, as a person does; while it waits, it asks ``vantage.models.check_cutoff``, which raises
        where the episode was canceled meanwhile. An answer names the phase of its question. ``last`` is the result of
        the agent's previous command, None at the start, and again at first in a phase that is restored.
        """
        ...

    def detections(self) -> tuple[Detection, ...]:
        """What it made out in the newest observation."""
        ...

    def view(self) -> SearchView:
        """What it has in mind, for people to watch."""
        ...


@runtime_checkable
class Warranted(Protocol):
    """What agents offer besides that carry out goals of their own: permissions of the guard for these. Whoever starts
    an episode lets no such agent manipulate freely."""

    def warrants(self) -> tuple[Warrant, ...]:
        """Those issued since the last call; asked before each command, and granted to the world. Where that does not
        take one, commands that need it are rejected (``Cause.UNWARRANTED``), and the reason says why."""
        ...


@runtime_checkable
class Participating(Protocol):
    """An agent that is a person."""

    def participation(self) -> Participation:
        """Who she is, with the time that she took for her newest decision."""
        ...


@runtime_checkable
class Knowing(Protocol):
    """An agent that tells what it knows of the scene."""

    def known_facts(self) -> SceneFacts:
        """What it has observed so far, or believes; what is missing may be where it did not look."""
        ...
