"""Permission of the guard for one plan: warrants for the gate of a world, and a guard in the door of skills."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from vantage.goals import Ruling
from vantage.planning.goals import Plan, Verb
from vantage.planning.guard import MANIPULATIONS_FOR, Capability, WarrantOffice
from vantage.planning.skills import Skill
from vantage.types import Command
from vantage.worlds import MOVE_ARM, PUT, TAKE, Warrant

_TAKES: Mapping[Verb, Capability] = MappingProxyType(
    {
        Verb.OPEN: Capability.OPEN,
        Verb.CLOSE: Capability.OPEN,
        Verb.PICK: Capability.HOLD,
        Verb.PLACE_IN: Capability.PUT,
        Verb.PLACE_ON: Capability.PUT,
        Verb.PLACE_BESIDE: Capability.PUT,
        Verb.SWITCH_ON: Capability.SWITCH,
        Verb.SWITCH_OFF: Capability.SWITCH,
    }
)
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
            return f"the plan does not {wanted} anything by a handle"
        if command.arm.gripper_width is not None and self._allowed.isdisjoint({TAKE, PUT, MOVE_ARM}):
            return "the plan takes nothing into the hand"
        return ""


def permit_for(
    office: WarrantOffice, ruling: Ruling, plan: Plan, *, episode_id: str, goal: str, names: Iterable[str], issued: int
) -> Permit:
    """The permit for a plan, with a warrant where the plan manipulates anything.

    Args:
        goal: in words.
        names: of things that may be touched.
        issued: stamp of the newest observation, ns.

    Raises:
        WarrantError: the ruling does not let the goal pass.
    """
    acts = [_TAKES[action.verb] for action in plan.actions if action.verb in _TAKES]
    if not acts:
        return Permit(ruling, (), None)
    warrant = office.issue(
        ruling,
        goal,
        tuple(dict.fromkeys(acts)),
        names,
        episode_id=episode_id,
        issued=issued,
        seconds=_SECONDS,
        commands=len(acts) * _EACH,
    )
    return Permit(ruling, frozenset().union(*(MANIPULATIONS_FOR[each] for each in acts)), warrant)
