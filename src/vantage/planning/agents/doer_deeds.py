"""What a doer did for one task, and whether its goal was reached then, as far as it believes."""

from __future__ import annotations

from vantage.goals import Deed, Goal, Monitor, SceneFacts, formula_of, step_of
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.skills import SkillResult

_PUTS = (Verb.PLACE_IN, Verb.PLACE_ON, Verb.PLACE_BESIDE)


class Deeds:
    """
    Attributes:
        told: every action that was tried, in order.
        holding: something was taken and not put down since.
    """

    def __init__(self) -> None:
        self.told: list[Deed] = []
        self.holding = False
        self._goal = Goal()
        self._monitor = Monitor(formula_of(self._goal))

    def follow(self, goal: Goal, scene: SceneFacts) -> None:
        """Watch a goal from now on, unless it is watched already."""
        if goal != self._goal:
            self._monitor, self._goal = Monitor(formula_of(goal)), goal
            self._monitor.observe(step_of(scene))

    def add(self, command: int, action: PlannedAction, result: SkillResult, scene: SceneFacts, search: bool) -> None:
        """
        Args:
            command: number of the last command of the action in the episode.
            scene: as it is believed to be after the action.
            search: it was to look for something, or undoes that.
        """
        if result.done and action.verb in (Verb.PICK, *_PUTS):
            self.holding = action.verb is Verb.PICK
        done = [(action.verb.value, *action.objects)] if result.done else []
        self._monitor.observe(step_of(scene, done))
        failure = "" if result.failure is None else result.failure.value
        self.told.append(Deed(command, action.verb.value, action.objects, failure, self._monitor.holds, search))
