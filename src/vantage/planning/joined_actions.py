"""Several actions of a plan in one command, for worlds in which a command is what is counted."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vantage.planning.actions import ActionSpace
from vantage.spatial import Viewpoint
from vantage.types import Command
from vantage.worlds import MotionLimits

_STRAIGHT = 1e-3  # m aside, up to which translations lead in one direction


def joined(
    actions: ActionSpace, names: Sequence[str], here: Viewpoint, limits: MotionLimits | None
) -> tuple[Command | None, int]:
    """The first action of a plan as a command, and how many of those after it the same command does: translations that
    lead on in one direction, and turns. No views are taken between them.

    Args:
        names: of the actions; the command is None where there is none, or the first is no motion.
        here: where the camera is.
        limits: of one command; None to join nothing.
    """
    first = actions.decision(names[0], here) if names else None
    if not isinstance(first, Command):
        return None, 0
    if limits is None or first.target is None:
        return first, 0
    at, further = first.target, 0
    for name in names[1:]:
        there = actions.apply(name, at)
        if there == at or limits.violation(here, there) is not None or not _leads_on(here, at, there):
            break
        at, further = there, further + 1
    return (Command(target=at) if further else first), further


def _leads_on(here: Viewpoint, at: Viewpoint, there: Viewpoint) -> bool:
    """Whether the way from one viewpoint to the next goes on in the direction from the first."""
    gone, step = at.position - here.position, there.position - at.position
    length, further = math.hypot(*gone), math.hypot(*step)
    return min(length, further) < _STRAIGHT or float(gone @ step) > (1.0 - 1e-6) * length * further
