"""Looks from near that a doer takes at what the words name, for its states and to be sure of it."""

from __future__ import annotations

from vantage.goals import TaskText
from vantage.perception.map import ObservedObject, ObservedScene
from vantage.planning.execution import ActionBody, Belief
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.guard import TaskWords
from vantage.planning.skills import SkillResult
from vantage.types import Command, Observation, StepResult

_MOST = 4  # things that are looked at from near before the task is interpreted
_CLEAR = 2500  # pixels from which on a thing was seen well


class CloserLooks:
    """For one task."""

    def __init__(self, body: ActionBody, memory: ObservedScene) -> None:
        self._body, self._memory = body, memory
        self._taken: set[int] = set()
        self.at: ObservedObject | None = None

    def next(self, observation: Observation, last: StepResult | None, task: TaskText, belief: Belief) -> Command | None:
        """The next command, while ``at`` is what is looked at; None where nothing is left to look at."""
        while True:
            if self.at is not None:
                told = self._body.next(observation, last)
                if not isinstance(told, SkillResult):
                    return told
                self.at = None
            name = self._name(TaskWords(f"{task.name}\n{task.text}"), belief)
            if not name:
                return None
            self._taken.add(belief.key(name))
            self.at = self._memory.get(belief.key(name))
            self._body.begin(PlannedAction(Verb.GO_TO, (name,)), belief)

    def _name(self, words: TaskWords, belief: Belief) -> str:
        if len(self._taken) >= _MOST:
            return ""
        for name, key in belief.keys.items():
            obj = self._memory.get(key)
            if obj is None or key in self._taken or obj.label == "floor" or obj.pixels >= _CLEAR:
                continue
            if words.name(name):
                return name
        return ""
