"""Ways to a posture: straight, or over the parking position where the straight way is barred."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.chain import Chain
from vantage.worlds.rig.safety import RigSafety


class Routes:
    """Args:
    park: joint positions by name; the other joints stay as they are, or as they shall be.
    """

    def __init__(self, chain: Chain, safety: RigSafety, park: Mapping[str, float]) -> None:
        self._safety = safety
        self._parked = {i: park[joint.name] for i, joint in enumerate(chain.joints) if joint.name in park}

    def find(self, start: Matrix, target: Matrix) -> tuple[list[Matrix], str]:
        """Postures to pass, the target last, and why there is no way, in words; one of them is empty."""
        straight = self._safety.path_violation(start, target)
        if straight is None:
            return [target], ""
        if self._parked:
            up, across = np.array(start, dtype=np.float64), np.array(target, dtype=np.float64)
            for i, position in self._parked.items():
                up[i] = across[i] = position
            way = [up, across, target]
            if all(self._safety.path_violation(a, b) is None for a, b in zip([start, up, across], way, strict=True)):
                return way, ""
        return [], straight
