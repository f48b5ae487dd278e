"""Where a check takes a rig: places that are free, near and far, and how they are told."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from vantage.errors import WorldError
from vantage.spatial import Matrix, Viewpoint
from vantage.worlds.rig.assembly import Assembly
from vantage.worlds.rig.check.findings import FailedError
from vantage.worlds.rig.kinematics.chain import PRISMATIC
from vantage.worlds.rig.kinematics.trajectory import plan
from vantage.worlds.rig.kinematics.unwinding import FAR

_POSTURES = 50
_ENDLESS = math.pi  # rad or m: as far as is gone from 0 where a joint knows no limit
_EDGE = 0.05  # share of a joint's travel that is kept from its ends
_LINE = np.linspace(0.0, 1.0, 41)[1:]
_SHARES = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1)


@dataclass
class Places:
    """Of one connected rig; nothing here moves it."""

    rig: Assembly

    def limits(self) -> tuple[Matrix, Matrix]:
        """Soft limits (N,), finite ones in place of none."""
        chain = self.rig.description.chain
        low = np.where(np.isfinite(chain.lower), chain.lower, np.minimum(-_ENDLESS, chain.upper - 2.0 * _ENDLESS))
        return low, np.where(np.isfinite(chain.upper), chain.upper, np.maximum(_ENDLESS, low + 2.0 * _ENDLESS))

    def postures(self, count: int) -> Matrix:
        """(count, N): all over the joints' travel, the same in every check."""
        return np.random.default_rng(0).uniform(*self.limits(), (count, self.rig.description.chain.size))

    def start(self, away_from: Matrix | None = None) -> Matrix:
        """(N,): the middle of the rig's space, or its parking position above it, or wherever it may stand.

        Args:
            away_from: (N,) where it must not be.
        """
        description, (low, high) = self.rig.description, self.limits()
        middle = 0.5 * (low + high)
        for i, joint in enumerate(description.chain.joints):
            middle[i] = description.safety.park.get(joint.name, middle[i])
        for q in (middle, *self.postures(_POSTURES)):
            here = away_from is not None and np.all(np.abs(q - away_from) <= description.chain.resolution)
            if not here and self.rig.world.may_stand(q) and self._permitted(q):
                return np.asarray(q)
        return middle

    def turned(self) -> Viewpoint:
        """Close to where the camera is, in a direction that is free."""
        here, limits = self.rig.world.viewpoint, self.rig.world.info.limits
        step, turn = min(0.05, limits.max_translation), min(0.1, limits.max_rotation)
        changes = [{"yaw": here.yaw + turn}, {"yaw": here.yaw - turn}]
        changes += [{axis: getattr(here, axis) + way} for axis in "xyz" for way in (step, -step)]
        for change in changes:
            if self.rig.world.refusal(replace(here, **change)) is None:
                return replace(here, **change)
        raise FailedError("no motion is free from here; give the rig room")

    def far(self, one_command: bool = False) -> Matrix:
        """(N,): the free place that takes longest to get to straight, as far as one command may go if need be."""
        chain, (low, high) = self.rig.description.chain, self.limits()
        here, best, longest = self.rig.driver.state().positions, None, 0.0
        for i in range(chain.size):
            ends = low[i] + _EDGE * (high[i] - low[i]), high[i] - _EDGE * (high[i] - low[i])
            if chain.joints[i].kind != PRISMATIC:  # an unwind would be slow
                ends = max(ends[0], here[i] - FAR), min(ends[1], here[i] + FAR)
            for end in ends:
                target = here.copy()
                target[i] = end
                for share in _SHARES:
                    q = here + share * (target - here)
                    seconds = plan(here, q, chain.joints).duration
                    if seconds > longest and self.free(here, q) and (not one_command or self._commanded(q)):
                        best, longest = q, seconds
                        break
        if best is None:
            raise FailedError("no motion is free from here; give the rig room")
        return np.asarray(best)

    def free(self, here: Matrix, q: Matrix) -> bool:
        """Whether the rig may stand all along the straight line between joint positions (N,)."""
        return all(self.rig.world.may_stand(here + share * (q - here)) for share in _LINE)

    def _commanded(self, q: Matrix) -> bool:
        """Whether one command may go to joint positions (N,)."""
        world, target = self.rig.world, self.rig.description.chain.viewpoint(q)
        if world.unwinds(q) or world.info.limits.violation(world.viewpoint, target) is not None:
            return False
        return world.refusal(target) is None

    def _permitted(self, q: Matrix) -> bool:
        """Whether an episode may begin with the camera as it is at joint positions (N,), held level."""
        try:
            self.rig.world.positions_at(self.rig.description.chain.viewpoint(q))
        except WorldError:
            return False
        return True


def pose_words(v: Viewpoint) -> str:
    x, y, z, yaw, pitch = (_digits(value) for value in (v.x, v.y, v.z, v.yaw, v.pitch))
    return f"({x}, {y}, {z}) m, yaw {yaw}, pitch {pitch} rad"


def joint_words(q: Matrix) -> str:
    return "(" + ", ".join(_digits(value) for value in q) + ")"


def _digits(value: float) -> str:
    """Without a minus before zero."""
    return f"{round(float(value), 3) + 0.0:.3f}"
