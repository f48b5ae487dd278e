"""Warrants for goals that a guard found feasible, and for no others."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from vantage.goals import Feasibility, Ruling
from vantage.planning.guard.capabilities import Capability
from vantage.types import CLOSE, OPEN
from vantage.worlds import (
    GUARD,
    MOVE_ARM,
    PUT,
    SWITCH,
    TAKE,
    Warrant,
    WarrantError,
    WarrantFault,
    WarrantIssuer,
)

MANIPULATIONS_FOR = {
    Capability.HOLD: frozenset({TAKE}),
    Capability.PUT: frozenset({TAKE, PUT}),
    Capability.OPEN: frozenset({OPEN, CLOSE}),
    Capability.SWITCH: frozenset({SWITCH}),
}
"""What an arm may do for each capability that worlds have so far; for any other there is no warrant."""


class WarrantOffice:
    """Issues the guard's warrants for one source of commands.

    Args:
        issuer: with this process's key where none is given.
    """

    def __init__(self, source: str, issuer: WarrantIssuer | None = None) -> None:
        self._source, self._issuer = source, issuer or WarrantIssuer()

    def issue(
        self,
        ruling: Ruling,
        goal: str,
        capabilities: Collection[Capability],
        objects: Iterable[str],
        *,
        episode_id: str,
        issued: int,
        seconds: float,
        commands: int,
        further: Iterable[str] = (),
        confirmed: bool = False,
    ) -> Warrant:
        """A warrant for a goal.

        Args:
            ruling: of the guard, on this goal.
            goal: in words.
            capabilities: that the goal takes (``capability_of``).
            objects: that may be touched: those of the goal, and what its plan opens or moves besides.
            issued: stamp of the newest observation, ns.
            seconds: that it lasts, on the world's clock.
            commands: of the arm, at most.
            further: manipulations that its plan takes besides, such as opening what a thing is in.
            confirmed: whether a person was asked and said yes; it counts for goals that wait for that, and for no
                other.

        Raises:
            WarrantError: the goal is neither feasible nor confirmed where that is enough, it names no object, or takes
                what no arm does.
        """
        asked = ruling.feasibility is Feasibility.NEEDS_CONFIRMATION and confirmed is True
        if ruling.feasibility is not Feasibility.FEASIBLE and not asked:
            raise WarrantError(WarrantFault.NO_RULING, ruling.words)
        unknown = [each.value for each in capabilities if each not in MANIPULATIONS_FOR]
        if unknown or not capabilities:
            what = f"no arm is let do what takes '{unknown[0]}'" if unknown else "the goal takes no capability"
            raise WarrantError(WarrantFault.OTHER_MANIPULATION, what)
        things = frozenset(objects)
        if not things:  # which would allow all
            raise WarrantError(WarrantFault.OTHER_OBJECT, "the goal names no object; name those that may be touched")
        kinds = frozenset({MOVE_ARM, *further}).union(*(MANIPULATIONS_FOR[each] for each in capabilities))
        return self._issuer.issue(
            GUARD,
            episode_id,
            self._source,
            goal,
            kinds,
            things,
            commands=commands,
            issued=issued,
            seconds=seconds,
        )
