"""Permission of the guard for one plan: warrants for the gate of a world, and a guard in the door of skills."""

from __future__ import annotations

from collections.abc import Iterable

from vantage.goals import Ruling
from vantage.planning.goals import Plan, Verb
from vantage.planning.skills import Skill
from vantage.types import CLOSE, OPEN, Command
from vantage.worlds import GUARD, MOVE_ARM, PUT, SWITCH, TAKE, Warrant, WarrantIssuer

MANIPULATIONS = {
    Verb.OPEN: OPEN,
    Verb.CLOSE: CLOSE,
    Verb.PICK: TAKE,
    Verb.PLACE_IN: PUT,
    Verb.PLACE_ON: PUT,
    Verb.PLACE_BESIDE: PUT,
    Verb.SWITCH_ON: SWITCH,
    Verb.SWITCH_OFF: SWITCH,
}
_EACH = 200  # commands of the arm that an action may take at most
_SECONDS = 3600.0


class Permit:
    """What the guard allows, after a ruling.

    It is also the guard that stands in the door of skills (``planning.skills.Guard``): no command of an arm passes that
    the plan does not license.

    Attributes:
        warrant: for the gate of the world; None for a plan that manipulates nothing.
    """

    def __init__(self, ruling: Ruling, manipulations: Iterable[str], warrant: Warrant | None) -> None:
        self._passes, self._allowed, self.warrant = ruling.passes, frozenset(manipulations), warrant

    def refusal(self, skill: Skill, command: Command) -> str:
        """Why a command of a skill is not given, in words; empty where it may be."""
        if command.arm is None:
            return ""
        if not self._passes:
            return f"the guard did not find the goal feasible, so that '{skill.name}' may not move the arm"
        if not self._allowed:
            return f"the plan manipulates nothing, and '{skill.name}' would move the arm"
        wanted = command.arm.handle
        if wanted is not None and wanted not in self._allowed:
            return f"the plan does not {wanted} anything"
        if command.arm.gripper_width is not None and self._allowed.isdisjoint({TAKE, PUT, MOVE_ARM}):
            return "the plan takes nothing into the hand"
        return ""


def permit_for(
    ruling: Ruling, plan: Plan, *, episode_id: str, source: str, goal: str, labels: Iterable[str], issued: int
) -> Permit:
    """The permit for a plan, with a warrant where the ruling passes and the plan manipulates anything.

    Args:
        source: under which the commands will be given.
        goal: in words.
        labels: of the things that may be touched.
        issued: stamp of the newest observation, ns.
    """
    kinds = frozenset(MANIPULATIONS[action.verb] for action in plan.actions if action.verb in MANIPULATIONS)
    warrant = None
    if ruling.passes and kinds:
        count = sum(action.verb in MANIPULATIONS for action in plan.actions)
        warrant = WarrantIssuer().issue(
            GUARD, episode_id, source, goal, kinds, labels, commands=count * _EACH, issued=issued, seconds=_SECONDS
        )
    return Permit(ruling, kinds, warrant)
