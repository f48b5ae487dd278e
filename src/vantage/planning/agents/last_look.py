"""The look at the end: before an answer is given, the camera is brought to a view that shows what the answer rests on.

Benchmarks that ground an answer in the last look alone ask for that. A thing may have been made out from afar or in
passing, so the last look comes nearer, and is taken from the side from which the best frame showed what is told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.answering import LookFor
from vantage.perception.map import CoverageMap
from vantage.planning.view_planning import SLACK, Panorama, ViewPlanner, facing
from vantage.types import Detection, Observation, Point

_WORTH = 1500.0  # of a view that shows a thing, in weighted voxels; each further thing counts half as much
_FURTHER = 0.5
_MOST_MARGIN = 0.4  # m around the middle of a thing that are in view with it
_SIDE = 0.9  # how well a view must show the side that tells something
_MOST_VIEWS = 3  # that are gone for, one after the other, until one shows all
_NEXT_TO = 0.15  # m by which the middle of what is detected may be off


@dataclass(frozen=True)
class Shown:
    """A thing that the last look should show.

    Attributes:
        look: where it is, how large, and from how near it is shown well.
        seen_from: whence the side that matters was seen; None where any side will do.
        pixels: that it has to cover.
        whole: it may not be cut off by the image's border.
        within: m from which it must be looked at, however large it is.
        legible: its print must be read in the frame.
    """

    look: LookFor
    seen_from: Point | None = None
    pixels: int = 700
    whole: bool = True
    within: float = math.inf
    legible: bool = False

    @property
    def points(self) -> NDArray[np.float64]:
        """(1, 3), its middle, world frame, m."""
        return np.array(self.look.points[:1])

    @property
    def slack(self) -> float:
        """m before its middle that it may fill itself."""
        return SLACK + 0.5 * sorted(self.look.extents)[1]

    @property
    def margin(self) -> float:
        return min(0.5 * max(self.look.extents), _MOST_MARGIN)

    def is_in_reach(self, positions: NDArray[np.float64], within: float) -> NDArray[np.bool_]:
        """Which positions (M, 3) are within so many m of it, and on the side that matters, (M, 1)."""
        near = np.linalg.norm(self.points[None] - positions[:, None], axis=2) <= within
        if self.seen_from is None:
            return np.asarray(near)
        way = np.array(self.seen_from) - self.points
        normals = way / max(float(np.linalg.norm(way)), 1e-6)
        return np.asarray(near & (facing(positions, self.points, normals) >= _SIDE))

    def is_well_placed(self, positions: NDArray[np.float64]) -> NDArray[np.bool_]:
        """From which positions (M, 3) it should be large enough, and shows the side that matters, (M, 1)."""
        return self.is_in_reach(positions, min(self.look.closeness, self.within))

    def is_among(self, detections: Sequence[Detection]) -> bool:
        """Whether it was made out in a frame, large enough and not cut off."""
        reach = 0.5 * math.hypot(*self.look.extents) + _NEXT_TO
        return any(
            each.label == self.look.label
            and math.dist(each.center, self.look.points[0]) <= reach
            and each.pixels >= self.pixels
            and not (self.whole and each.truncated)
            and (bool(each.text) or not self.legible)
            for each in detections
        )


class LastLook:
    """Leads to a view that shows all of some things, or as many of them as one view can."""

    def __init__(self, planner: ViewPlanner, coverage: CoverageMap) -> None:
        self._planner, self._coverage = planner, coverage
        self._plan: list[str] = []
        self._views = 0
        self._most = 0.0

    def action(
        self, observation: Observation, detections: Sequence[Detection], things: Sequence[Shown], left: int
    ) -> str | None:
        """The next action towards such a view; None where it is reached, or none can be.

        Args:
            detections: in the observation.
            left: actions that may still be taken.
        """
        if not things or left <= 0 or all(self._shows(observation, detections, each) for each in things):
            return None
        if not self._plan:
            self._plan = self._way(observation, things, left)
        return self._plan.pop(0) if self._plan else None

    def interrupted(self) -> None:
        """An action was not carried out: the way is planned anew."""
        self._plan = []

    @staticmethod
    def _shows(observation: Observation, detections: Sequence[Detection], thing: Shown) -> bool:
        position = observation.viewpoint.position[None]
        return bool(thing.is_in_reach(position, thing.within).all()) and thing.is_among(detections)

    def _way(self, observation: Observation, things: Sequence[Shown], left: int) -> list[str]:
        if self._views >= _MOST_VIEWS:
            return []
        self._views += 1
        self._most = 0.0

        def worth(panorama: Panorama, positions: NDArray[np.float64]) -> NDArray[np.float32]:
            """Views that show as many as any are worth the same, others nothing, so that the nearest is taken."""
            found = np.zeros((len(positions), len(panorama.yaws), len(panorama.pitches)), np.float32)
            for number, thing in enumerate(things):
                each = thing.is_well_placed(positions) * _WORTH * (1.0 if number == 0 else _FURTHER)
                found += panorama.points_in_view(
                    self._coverage, positions, thing.points, each, thing.slack, thing.margin
                )
            self._most = self._most or float(found.max(initial=0.0))
            found[found < 0.99 * self._most] = 0.0
            return found

        def nothing(leads: bool) -> NDArray[np.float32]:
            return np.zeros(self._coverage.shape, np.float32)

        goal = self._planner.choose(observation.viewpoint, observation.intrinsics, left, nothing, worth)
        return [] if goal is None else list(goal.actions)
