"""What the agent knows of the scene, told between two of its decisions to whoever asks from another thread."""

from __future__ import annotations

import threading

from vantage.goals import SceneFacts
from vantage.planning import Agent, Knowing


class SceneKnowledge:
    """Facts of the scene as the agent has observed it. Thread-safe.

    While an episode runs they are told by the thread of the agent, at its next decision; else at once.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._changed = threading.Condition()
        self._busy = False
        self._waiting = self._told = 0
        self._facts = SceneFacts()

    def begin(self) -> None:
        """An episode begins."""
        with self._changed:
            self._busy = True

    def decided(self) -> None:
        """The agent rests after a decision; called by its own thread."""
        with self._changed:
            if self._waiting:
                self._tell()

    def end(self) -> None:
        """The episode is over, whatever became of it."""
        with self._changed:
            self._busy = False
            self._tell()

    def facts(self, timeout: float) -> SceneFacts | None:
        """None where the agent decided nothing within so many seconds."""
        with self._changed:
            if not self._busy:
                self._tell()
                return self._facts
            before = self._told
            self._waiting += 1
            try:
                told = self._changed.wait_for(lambda: self._told > before, timeout)
            finally:
                self._waiting -= 1
            return self._facts if told else None

    def _tell(self) -> None:
        self._facts = self._agent.known_facts() if isinstance(self._agent, Knowing) else SceneFacts()
        self._told += 1
        self._changed.notify_all()
