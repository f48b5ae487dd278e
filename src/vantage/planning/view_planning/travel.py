"""What a plan shows on its way: unknown space that its views show together, each part once, and what is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map import CoverageMap
from vantage.planning.actions import ActionSpace, Offset
from vantage.planning.view_planning.information_gain import REACH, Panorama
from vantage.planning.view_planning.turning import Detour
from vantage.spatial import Viewpoint

Worth = Callable[[Panorama, NDArray[np.float64]], NDArray[np.float32]]  # of the views (positions, yaws, pitches)
Heading = tuple[int, int]  # indices of a yaw and a pitch

_PATIENCE = 0.97  # what a look is worth one action later
_IN_PASSING = 0.5  # of the mean of what all views show of what is wanted, beside the best of them


@dataclass(frozen=True)
class Plan:
    """Actions, and the viewpoints that they lead to, the present one first."""

    actions: tuple[str, ...]
    path: tuple[Viewpoint, ...]


Step = str | Offset  # of a plan: a rotation by its name, or a translation


def orders(
    current: Viewpoint,
    actions: ActionSpace,
    first: Sequence[str],
    way: Sequence[Offset],
    sweep: Sequence[str],
    detours: Sequence[Detour] = (),
) -> list[Plan]:
    """Plans that turn to a first heading, travel, and sweep on: in this order, the other way about, and the turns of
    the sweep spread over the way; and those that turn to the first heading by detours, on which they travel.

    Orders in which a translation would be made at a heading that does not allow it are left out.
    """
    ordered: list[tuple[Step, ...]] = [(*first, *way, *sweep)]
    if way and first:
        ordered.append((*way, *first, *sweep))
    if way and sweep:
        ordered.append((*first, *_spread(way, sweep)))
        ordered.append((*first, *sweep, *way))
    ordered += [(*detour.there, *way, *detour.onwards, *sweep) for detour in detours]
    ordered += _halting(current, actions, (*first, *sweep), way)
    plans = (_plan(current, actions, each) for each in dict.fromkeys(ordered))
    return [plan for plan in plans if plan is not None]


def _halting(
    current: Viewpoint, actions: ActionSpace, turns: Sequence[str], way: Sequence[Offset]
) -> list[tuple[Step, ...]]:
    """Turns with a share of the way at each heading that allows all of it; nothing where all do, or none."""
    if not way or actions.frame == "world":
        return []
    needed = set(way)
    halts = [
        number
        for number, here in enumerate(actions.replay(current, turns))
        if needed <= {offset for _, offset in actions.lattice_moves(here)}
    ]
    if not halts or len(halts) > len(turns):
        return []
    found: list[Step] = []
    for number in range(len(turns) + 1):
        if number in halts:
            k = halts.index(number)
            found += way[len(way) * k // len(halts) : len(way) * (k + 1) // len(halts)]
        found += turns[number : number + 1]
    return [tuple(found)]


def _plan(current: Viewpoint, actions: ActionSpace, steps: Sequence[Step]) -> Plan | None:
    """The steps by the names of actions; None where one cannot be taken at the heading that it comes to."""
    names: list[str] = []
    path = [current]
    for step in steps:
        name = step if isinstance(step, str) else _translation(actions, path[-1], step)
        if name is None:
            return None
        names.append(name)
        path.append(actions.apply(name, path[-1]))
    return Plan(tuple(names), tuple(path))


def _translation(actions: ActionSpace, here: Viewpoint, wanted: Offset) -> str | None:
    return next((name for name, offset in actions.lattice_moves(here) if offset == wanted), None)


def _spread(way: Sequence[Offset], among: Sequence[str]) -> list[Step]:
    """Translations of a way with rotations evenly among them, of which one comes last."""
    found: list[Step] = []
    given = 0
    for number, offset in enumerate(way, start=1):
        found.append(offset)
        due = len(among) * number // len(way)
        found += among[given:due]
        given = due
    return found


def leading_sweeps(rate: NDArray[np.floating[Any]], places: int, each: int) -> list[tuple[int, int]]:
    """Of the rates (positions, sweeps), indices of the best sweep at each of the best positions, and of the next best
    ones at the best position of all; the best first, none that is worth nothing."""
    best = rate.argmax(axis=1)
    order = np.argsort(-rate[np.arange(len(rate)), best], kind="stable")[:places]
    found = [(int(place), int(best[place])) for place in order]
    found += [(found[0][0], int(sweep)) for sweep in np.argsort(-rate[found[0][0]], kind="stable")[1:each]]
    return [(place, sweep) for place, sweep in found if rate[place, sweep] > 0.0]


class PlanValuation:
    """Values whole plans in one state of the map.

    Args:
        heading: indices of the heading of a viewpoint; None where the panorama does not have it.
        is_taken: whether a view was taken before: it shows nothing again.
        weights: what each unknown voxel is worth.
        wanted: worth of views for another reason than unknown space.
        reach: how far a look into unknown space counts, m.
    """

    def __init__(
        self,
        panorama: Panorama,
        coverage: CoverageMap,
        heading: Callable[[Viewpoint], Heading],
        is_taken: Callable[[Viewpoint], bool],
        weights: NDArray[np.float32],
        wanted: Worth | None,
        reach: float = REACH,
    ) -> None:
        self._panorama, self._coverage, self._weights, self._wanted = panorama, coverage, weights, wanted
        self._heading, self._is_taken, self._reach = heading, is_taken, reach
        self._shown: dict[tuple[float, float, float], NDArray[np.float32]] = {}

    def worth(self, plans: Sequence[Plan]) -> list[float]:
        """What each plan is worth, in weighted voxels: later looks count less."""
        self._look_from(plans)
        return [self._worth(plan) for plan in plans]

    def _worth(self, plan: Plan) -> float:
        views = [viewpoint for viewpoint in plan.path[1:] if not self._is_taken(viewpoint)]
        if not views:
            return 0.0
        later = _PATIENCE ** np.arange(len(views))
        headings = [self._heading(viewpoint) for viewpoint in views]
        positions = np.array([viewpoint.position for viewpoint in views])
        gains = self._panorama.gains_in_turn(self._coverage, self._weights, positions, headings, self._reach)
        unknown = float(gains @ later)
        if not self._shown:
            return unknown
        shown = later * [self._shown[_key(view)][heading] for view, heading in zip(views, headings, strict=True)]
        return unknown + float(shown.max() + _IN_PASSING * shown.mean())

    def _look_from(self, plans: Sequence[Plan]) -> None:
        """Work out what is wanted of all places on the way of some plans, each once."""
        if self._wanted is None:
            return
        places = {_key(viewpoint): viewpoint.position for plan in plans for viewpoint in plan.path[1:]}
        new = {key: position for key, position in places.items() if key not in self._shown}
        if new:
            self._shown.update(zip(new, self._wanted(self._panorama, np.array(list(new.values()))), strict=True))


def _key(viewpoint: Viewpoint) -> tuple[float, float, float]:
    return round(viewpoint.x, 3), round(viewpoint.y, 3), round(viewpoint.z, 3)
