"""Collision-free routes in joint space: straight, over the parking position, or by RRT-Connect around obstacles.

Two random trees grow towards each other (Kuffner and LaValle, "RRT-Connect: An Efficient Approach to Single-Query Path
Planning", 2000). Where a branch ran into something, only what is close extends it (Yershova, Jaillet, Simeon and
LaValle, "Dynamic-Domain RRTs", 2005), so that few checks are spent on walls. Shortcuts then remove random detours.
Equal questions have equal answers: the seed is fixed, and effort is counted in checks instead of seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics import PRISMATIC, Chain, Joint, plan
from vantage.worlds.rig.safety.motion_checks import RigSafety

Free = Callable[[Matrix, Matrix], bool]  # whether the straight line from one posture (N,) to another is free

MOST_CHECKS = 8_000  # for the trees
MOST_CUTS = 100  # tries to shorten a way, of up to three checks each

_STEPS = 20  # of a branch from one corner of the limits to the other
_DRAWN_ON = 3.0  # steps from which a posture that ran into something is still drawn on
_DRAWS = 16  # until a posture is taken that draws no branch on
_ASIDE = 0.3  # rad beyond start and target
_UNLIMITED = {True: 2.0, False: math.pi}  # m of a slide, rad of a hinge, beyond start and target where no limit is
_SEED = 0


def find_way(
    start: Matrix, target: Matrix, joints: Sequence[Joint], free: Free, most_checks: int = MOST_CHECKS
) -> list[Matrix]:
    """Postures (N,) to pass from ``start``, the target last; each leg was found free as it is. Empty: none was found.

    Args:
        free: asked ``most_checks`` times at most; to shorten what was found, a few hundred times more.
    """
    begin, end = np.array(start, dtype=np.float64), np.array(target, dtype=np.float64)
    lots = np.random.default_rng(_SEED)
    way = _Search(begin, end, joints, free, most_checks, lots).run()
    return shortened(way, joints, free, lots)[1:] if way else []


def shortened(way: Sequence[Matrix], joints: Sequence[Joint], free: Free, lots: np.random.Generator) -> list[Matrix]:
    """A way (of two postures at least) with the same ends that takes no longer; each new leg of it is free.

    One straight leg instead of several never takes longer. From somewhere on a leg to somewhere on another it may, as
    the rig comes to rest at each corner.
    """
    short = _skipped(list(way), free)
    for _ in range(MOST_CUTS):
        if len(short) < 3:
            break
        (i, first), (j, second) = ((int(at), at % 1.0) for at in np.sort(lots.uniform(0.0, len(short) - 1.0, 2)))
        if i == j:
            continue
        a, b = (short[n] + share * (short[n + 1] - short[n]) for n, share in ((i, first), (j, second)))
        old, new = short[i : j + 2], [short[i], a, b, short[j + 1]]
        if _duration(new, joints) < _duration(old, joints) and all(map(free, new, new[1:])):
            short[i : j + 2] = new
    return _skipped(short, free)


def _skipped(way: list[Matrix], free: Free) -> list[Matrix]:
    """From each posture straight on to the last one that can be reached so."""
    kept, i = way[:1], 0
    while i < len(way) - 1:
        i = next(j for j in range(len(way) - 1, i, -1) if j == i + 1 or free(way[i], way[j]))
        kept.append(way[i])
    return kept


def _duration(way: Sequence[Matrix], joints: Sequence[Joint]) -> float:
    """s."""
    return sum(plan(a, b, joints).duration for a, b in pairwise(way))


class _Search:
    """From ``start`` to ``target``, both (N,). Joints count by the time that they take: distances are in s."""

    def __init__(
        self,
        start: Matrix,
        target: Matrix,
        joints: Sequence[Joint],
        free: Free,
        checks: int,
        lots: np.random.Generator,
    ) -> None:
        self._free, self._checks, self._lots = free, checks, lots
        speed = np.array([joint.speed for joint in joints])
        slides = np.array([joint.kind == PRISMATIC for joint in joints])
        first, last = np.minimum(start, target), np.maximum(start, target)
        beyond = np.array([_UNLIMITED[bool(slide)] for slide in slides])
        self._lower = np.array([joint.lower for joint in joints])
        self._upper = np.array([joint.upper for joint in joints])
        low = np.where(np.isfinite(self._lower), self._lower, first - beyond)
        high = np.where(np.isfinite(self._upper), self._upper, last + beyond)
        near = (
            np.where(slides, low, np.clip(first - _ASIDE, low, high)),
            np.where(slides, high, np.clip(last + _ASIDE, low, high)),
        )
        self._ranges = (low, high), near
        self._step = float(np.linalg.norm((high - low) / speed)) / _STEPS
        self._trees = _Tree(start, speed), _Tree(target, speed)

    def run(self) -> list[Matrix]:
        """Start, what lies between, and target; empty where the checks do not suffice."""
        one, other = 0, 1
        while self._checks > 0:
            reached = self._grow(one, self._drawn(self._trees[one]))
            if reached is not None and self._connect(other, reached):
                there, back = (tree.way() for tree in self._trees)
                return [*there, *back[-2::-1]]
            one, other = other, one
        return []

    def _drawn(self, tree: _Tree) -> Matrix:
        """A posture (N,) to grow to. Every second one turns no joint much farther than start and target need, as turns
        of a camera alone hardly open a way."""
        low, high = self._ranges[int(self._lots.integers(2))]
        for _ in range(_DRAWS):
            drawn = np.asarray(self._lots.uniform(low, high))
            number, distance = tree.nearest(drawn)
            if not tree.blocked[number] or distance <= _DRAWN_ON * self._step:
                break
        return drawn

    def _connect(self, which: int, goal: Matrix) -> bool:
        """Grow a tree until it holds a posture, or cannot go on."""
        reached = self._grow(which, goal)
        while reached is not None and reached is not goal:
            reached = self._grow(which, goal)
        return reached is not None

    def _grow(self, which: int, goal: Matrix) -> Matrix | None:
        """A step from the nearest posture of a tree towards another; where it ends, or None where it is barred."""
        if self._checks <= 0:
            return None
        tree = self._trees[which]
        number, distance = tree.nearest(goal)
        root, grown = tree.postures[number], goal
        if distance > self._step:
            grown = np.clip(root + self._step / distance * (goal - root), self._lower, self._upper)
        self._checks -= 1
        if not (self._free(root, grown) if which == 0 else self._free(grown, root)):
            tree.blocked[number] = True
            return None
        tree.add(grown, number)
        return grown


class _Tree:
    """Postures that can be reached from the first one, or from which it can be reached.

    Attributes:
        postures: (N,) each.
        blocked: of each, whether a branch from it ran into something.
    """

    def __init__(self, root: Matrix, speed: Matrix) -> None:
        self.postures: list[Matrix] = []
        self.blocked: list[bool] = []
        self._parents: list[int] = []
        self._speed = speed
        self._times: Matrix = np.empty((256, len(root)))
        self.add(root, -1)

    def add(self, posture: Matrix, parent: int) -> None:
        count = len(self.postures)
        if count == len(self._times):
            self._times = np.concatenate([self._times, np.empty_like(self._times)])
        self._times[count] = posture / self._speed
        self.postures.append(posture)
        self.blocked.append(False)
        self._parents.append(parent)

    def nearest(self, posture: Matrix) -> tuple[int, float]:
        """Number of the nearest posture, and its distance, s."""
        apart = self._times[: len(self.postures)] - posture / self._speed
        squares = np.einsum("ij,ij->i", apart, apart)
        number = int(np.argmin(squares))
        return number, math.sqrt(squares[number])

    def way(self) -> list[Matrix]:
        """From the first posture to the one added last."""
        way, number = [], len(self.postures) - 1
        while number >= 0:
            way.append(self.postures[number])
            number = self._parents[number]
        return way[::-1]


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
