"""Ways around what bars the straight line in joint space: two random trees that grow towards each other, then cuts.

The trees are those of RRT-Connect (Kuffner and LaValle, "RRT-Connect: An Efficient Approach to Single-Query Path
Planning", 2000). The cuts remove what is random about the way that they find. Equal questions have equal answers: lots
are drawn from a fixed seed, and effort is counted in checks, not in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.chain import PRISMATIC, Joint
from vantage.worlds.rig.trajectory import plan

Free = Callable[[Matrix, Matrix], bool]  # whether a straight line from one posture (N,) to another is free

MOST_CHECKS = 8_000  # 1 to 2 s
_STEPS = 40  # of a branch from one corner of the limits to the other
_CUTS = 150  # tries
_ASIDE = 0.3  # rad beyond start and target that joints turn when they only turn the camera
_UNLIMITED = 3.2, 2.0  # rad and m beyond start and target of a joint without limits
_SEED = 0
WIDE = 0.5
DOMAIN = 10.0
_DRAWS = 50


def find_way(
    start: Matrix, target: Matrix, joints: Sequence[Joint], free: Free, most_checks: int = MOST_CHECKS
) -> list[Matrix]:
    """Postures (N,) to pass from ``start``, the target last; every leg was found free. Empty where none was found.

    ``free`` is asked ``most_checks`` times at most, and a few hundred times more to shorten what was found.
    """
    begin, end = np.array(start, dtype=np.float64), np.array(target, dtype=np.float64)
    lots = np.random.default_rng(_SEED)
    way = _Search(begin, end, joints, free, most_checks, lots).run()
    return shortened(way, joints, free, lots)[1:] if way else []


def shortened(way: Sequence[Matrix], joints: Sequence[Joint], free: Free, lots: np.random.Generator) -> list[Matrix]:
    """A way from the same start to the same end that takes no longer, every leg of it free.

    A straight line instead of several legs never takes longer; from the middle of one leg to the middle of another it
    may, as the rig comes to rest at each corner.
    """
    short = _skipped(list(way), free)
    for _ in range(_CUTS if len(short) > 2 else 0):
        first, second = np.sort(lots.uniform(0.0, len(short) - 1.0, 2))
        i, j = int(first), int(second)
        if i == j:
            continue
        a = short[i] + (first - i) * (short[i + 1] - short[i])
        b = short[j] + (second - j) * (short[j + 1] - short[j])
        old, new = short[i : j + 2], [short[i], a, b, short[j + 1]]
        if _time(new, joints) < _time(old, joints) and all(map(free, new, new[1:])):
            short[i : j + 2] = new
    return _skipped(short, free)


def _skipped(way: list[Matrix], free: Free) -> list[Matrix]:
    """From each posture on straight to the last one that can be reached so."""
    kept, i = way[:1], 0
    while i < len(way) - 1:
        i = next(j for j in range(len(way) - 1, i, -1) if j == i + 1 or free(way[i], way[j]))
        kept.append(way[i])
    return kept


def _time(way: Sequence[Matrix], joints: Sequence[Joint]) -> float:
    """s."""
    return sum(plan(a, b, joints).duration for a, b in zip(way, way[1:], strict=False))


class _Search:
    """From ``start`` to ``target``, both (N,). Distances are times, s: those of the joints at full speed, as a vector's
    length."""

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
        self._speed = np.array([joint.speed for joint in joints])
        slides = np.array([joint.kind == PRISMATIC for joint in joints])
        between = np.minimum(start, target), np.maximum(start, target)
        self._limits = np.array([joint.lower for joint in joints]), np.array([joint.upper for joint in joints])
        turns, slide = _UNLIMITED
        beyond = np.where(slides, slide, turns)
        low = np.where(np.isfinite(self._limits[0]), self._limits[0], between[0] - beyond)
        high = np.where(np.isfinite(self._limits[1]), self._limits[1], between[1] + beyond)
        self._wide = low, high
        self._narrow = (
            np.where(slides, low, np.maximum(low, between[0] - _ASIDE)),
            np.where(slides, high, np.minimum(high, between[1] + _ASIDE)),
        )
        self._step = float(np.linalg.norm((high - low) / self._speed)) / _STEPS
        self._trees = _Tree(start, self._speed), _Tree(target, self._speed)

    def run(self) -> list[Matrix]:
        """Start, what lies between, and target; empty where the checks do not suffice."""
        growing, other = 0, 1
        while self._checks > 0:
            reached = self._grow(growing, self._drawn(growing))
            if reached is not None and self._connect(other, reached):
                there, back = (tree.way(tree.met) for tree in self._trees)
                return [*there, *back[-2::-1]]
            growing, other = other, growing
        return []

    def _drawn(self, which: int) -> Matrix:
        low, high = self._wide if self._lots.random() < WIDE else self._narrow
        for _ in range(_DRAWS):
            drawn = np.asarray(self._lots.uniform(np.minimum(low, high), high))
            if self._trees[which].attracts(drawn):
                break
        return drawn

    def _connect(self, which: int, goal: Matrix) -> bool:
        """Grow a tree towards a posture until it is there or cannot go on."""
        reached = self._grow(which, goal)
        while reached is not None and reached is not goal:
            reached = self._grow(which, goal)
        return reached is not None

    def _grow(self, which: int, goal: Matrix) -> Matrix | None:
        """A step from the nearest posture of a tree towards another; where it ends, or None where it is barred."""
        tree = self._trees[which]
        nearest, distance = tree.nearest(goal)
        root = tree.postures[nearest]
        grown = goal
        if distance > self._step:
            grown = np.clip(root + self._step / distance * (goal - root), *self._limits)
        if self._checks <= 0:
            return None
        self._checks -= 1
        if not (self._free(root, grown) if which == 0 else self._free(grown, root)):
            tree.domain[nearest] = min(tree.domain[nearest], DOMAIN * self._step)
            return None
        tree.add(grown, nearest)
        return grown


class _Tree:
    """Postures that lead to its first one, or that it leads to.

    Attributes:
        postures: (N,) each.
        met: number of the posture added last.
    """

    def __init__(self, root: Matrix, speed: Matrix) -> None:
        self.postures: list[Matrix] = []
        self.met = -1
        self.domain: list[float] = []
        self._parents: list[int] = []
        self._speed = speed
        self._times = np.empty((256, len(root)))
        self.add(root, -1)

    def add(self, posture: Matrix, parent: int) -> None:
        self.met += 1
        if self.met == len(self._times):
            self._times = np.concatenate([self._times, np.empty_like(self._times)])
        self._times[self.met] = posture / self._speed
        self.postures.append(posture)
        self.domain.append(np.inf)
        self._parents.append(parent)

    def nearest(self, posture: Matrix) -> tuple[int, float]:
        """Number of the nearest posture and its distance, s."""
        apart = self._times[: self.met + 1] - posture / self._speed
        squares = np.einsum("ij,ij->i", apart, apart)
        nearest = int(np.argmin(squares))
        return nearest, float(np.sqrt(squares[nearest]))

    def attracts(self, posture):
        nearest, distance = self.nearest(posture)
        return distance <= self.domain[nearest]

    def way(self, number: int) -> list[Matrix]:
        """From the first posture to one by its number."""
        way = []
        while number >= 0:
            way.append(self.postures[number])
            number = self._parents[number]
        return way[::-1]
