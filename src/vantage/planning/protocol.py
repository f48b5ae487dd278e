"""An Agent sees observations and returns a command or an answer; every policy is one."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from vantage.types import Answer, Command, Detection, Episode, Observation, SearchView, StepResult
from vantage.worlds.protocol import WorldInfo


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
        """Forget the last episode and prepare for this one."""
        ...

    def act(self, observation: Observation, last: StepResult | None) -> Command | Answer:
        """The next command, or the answer to one of the episode's open questions.

        ``last`` is the result of the agent's previous command, None at the start.
        """
        ...

    def detections(self) -> tuple[Detection, ...]:
        """What it made out in the newest observation."""
        ...

    def view(self) -> SearchView:
        """What it has in mind, for people to watch."""
        ...
