"""Ways to a posture: straight, over the parking position where the straight way is barred, or around what bars it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics.chain import Chain
from vantage.worlds.rig.safety.motion_checks import RigSafety
from vantage.worlds.rig.safety.route_search import find_way


class Routes:
    """Args:
    park: joint positions by name; the other joints stay as they are, or as they shall be.
    """

    def __init__(self, chain: Chain, safety: RigSafety, park: Mapping[str, float]) -> None:
        self._chain, self._safety = chain, safety
        self._parked = {i: park[joint.name] for i, joint in enumerate(chain.joints) if joint.name in park}

    def find(self, start: Matrix, target: Matrix) -> tuple[list[Matrix], str]:
        """Postures to pass, the target last, and why there is no way, in words; one of them is empty.

        Every leg passes ``RigSafety.path_violation`` as it is. The same question has the same answer.
        """
        barred = self._safety.path_violation(start, target)
        if barred is None:
            return [target], ""
        wrong = self._safety.posture_violation(target)
        if wrong is not None or not np.isfinite(start).all():
            return [], wrong or barred
        way = self._over_park(start, target) or find_way(start, target, self._chain.joints, self._free)
        return way, "" if way else f"{barred}, and no way around was found"

    def _over_park(self, start: Matrix, target: Matrix) -> list[Matrix]:
        """Empty where that is barred too, or no parking position is known."""
        if not self._parked:
            return []
        up, across = np.array(start, dtype=np.float64), np.array(target, dtype=np.float64)
        for i, position in self._parked.items():
            up[i] = across[i] = position
        way = [up, across, target]
        return way if all(map(self._free, [start, up, across], way)) else []

    def _free(self, start: Matrix, target: Matrix) -> bool:
        return self._safety.path_violation(start, target) is None
