"""What a doer is permitted: the permit of its plan in force, and the warrants that the world was not told yet."""

from __future__ import annotations

from collections.abc import Iterable

from vantage.goals import Ruling
from vantage.planning.execution import Permit, permit_for
from vantage.planning.goals import Plan
from vantage.planning.guard import WarrantOffice
from vantage.planning.skills import Skill
from vantage.types import Command
from vantage.worlds import Warrant


class Permits:
    """
    Args:
        source: under which it commands.
    """

    def __init__(self, source: str) -> None:
        self._office = WarrantOffice(source)
        self.forget()

    def forget(self) -> None:
        """Nothing is permitted any more."""
        self._permit: Permit | None = None
        self._pending: list[Warrant] = []

    def issue(
        self, ruling: Ruling, plan: Plan, *, episode_id: str, goal: str, names: Iterable[str], issued: int
    ) -> None:
        """Permit a plan, as ``permit_for``, instead of what was permitted before."""
        self._permit = permit_for(
            self._office, ruling, plan, episode_id=episode_id, goal=goal, names=names, issued=issued
        )
        if self._permit.warrant is not None:
            self._pending.append(self._permit.warrant)

    def issued(self) -> tuple[Warrant, ...]:
        """Warrants since this was asked last."""
        found, self._pending = tuple(self._pending), []
        return found

    def refusal(self, skill: Skill, command: Command) -> str:
        """Why a command is not permitted; empty where it is."""
        return "nothing was permitted yet" if self._permit is None else self._permit.refusal(skill, command)
