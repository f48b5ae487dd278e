"""What a doer did for one task, and whether its goal was reached then, as far as it believes."""

from __future__ import annotations

from vantage.goals import Deed, Goal, Monitor, SceneFacts, formula_of, step_of
from vantage.planning.execution import PUTS
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.skills import Failure, SkillResult

_HALTS = frozenset({Failure.REFUSED, Failure.STOPPED})


class Deeds:
    """
    Attributes:
        told: every action that was tried, in order.
        halted: the last one was refused or stopped, so that nothing is done any more.
        holding: something was taken and not put down since.
        unseen: of each thing that was put somewhere and not seen there then, that in words.
    """

    def __init__(self) -> None:
        self.told: list[Deed] = []
        self.halted = self.holding = False
        self.unseen: dict[str, str] = {}
        self._goal = Goal()
        self._monitor = Monitor(formula_of(self._goal))

    def follow(self, goal: Goal, scene: SceneFacts) -> None:
        """Watch a goal from now on, unless it is watched already."""
        if goal != self._goal:
            self._monitor, self._goal = Monitor(formula_of(goal)), goal
            self._monitor.observe(step_of(scene))

    @property
    def doubt(self) -> str:
        """What was put somewhere and not seen there, in words; empty where all was seen."""
        return "; ".join(self.unseen.values())

    def add(
        self,
        command: int,
        action: PlannedAction,
        result: SkillResult,
        scene: SceneFacts,
        search: bool,
        dropped: bool = False,
    ) -> None:
        """
        Args:
            command: number of the last command of the action in the episode.
            scene: as it is believed to be after the action.
            search: it was to look for something, or undoes that.
            dropped: what should be put somewhere was let go elsewhere.
        """
        self.halted = result.failure in _HALTS
        if dropped or (result.done and action.verb in (Verb.PICK, *PUTS)):
            self.holding = action.verb is Verb.PICK
            self.unseen.pop(action.objects[0], None)
        if result.unseen:
            self.unseen[action.objects[0]] = result.unseen
        done = [(action.verb.value, *action.objects)] if result.done else []
        self._monitor.observe(step_of(scene, done))
        reached = self._monitor.holds and not self.unseen
        failure = "" if result.failure is None else result.failure.value
        self.told.append(Deed(command, action.verb.value, action.objects, failure, reached, search))
