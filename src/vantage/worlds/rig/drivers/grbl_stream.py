"""A motion as short pieces, fed so that never more than a moment of it waits in the controller."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.kinematics.trajectory import Profile

PIECE = 0.035  # s of motion on one line
BRAKE = 0.1  # s within which each motion can end
_SPARE = 0.01  # s of the longest queue that are left for what is not known
_RECOVERY = 3.0 * BRAKE  # s after which the controller is at speed again
_STEPS = 3  # by which an axis may be off the line


@dataclass(frozen=True, eq=False)
class Piece:
    """One line of G-code.

    Attributes:
        end: s into the profile when the piece is done.
        seconds: that it takes.
        goal: (N,) m or rad.
        rate: F in inverse time mode (G93), 1/min.
    """

    end: float
    seconds: float
    goal: Matrix
    rate: float


def pieces(profile: Profile, braking: Matrix) -> Iterator[Piece]:
    """Cut a profile.

    The rate of a piece sets the speed that the controller tends to within it. It gets there with its own acceleration
    b, not with that of the profile, a: with the mean speed v of a piece of T s within a ramp, v + a^2 T / (2 b) makes
    the piece last T s exactly.

    Args:
        braking: (N,) m/s^2 or rad/s^2, acceleration of the controller, at least that of the joints.
    """
    way = np.abs(profile.target - profile.start)
    total = profile.duration
    count = math.ceil(total / PIECE)
    hardest = min(float(b) / float(w) for b, w in zip(braking, way, strict=True) if w > 0.0)
    sharpness = min(1.0, profile.acceleration / hardest)
    for i in range(count):
        begin, end = total * i / count, total * (i + 1) / count
        part = profile.share(end) - profile.share(begin)
        mean = part / (end - begin)
        peak = profile.velocity(min(max(begin, 0.5 * total), end))
        rate = 60.0 * (mean + sharpness * (peak - mean)) / part
        yield Piece(end, end - begin, profile.target if i == count - 1 else profile.at(end), rate)


class Feed:
    """How much of a motion waits in the controller, and whether it is where it should be. Times are monotonic s.

    Motion that waits, as long as it takes at full speed, and the braking at its end must not exceed ``QUEUE``. Where a
    line comes so late that the controller may have slowed down, it also has to get up to speed again: for a while less
    may wait, and only reports count.

    Args:
        resolution: (N,) one step of each joint, m or rad.
        following: s by which a joint may be behind or ahead of the others, and for which all may stand still.
        capacity: of the controller's planner, blocks.
    """

    def __init__(self, profile: Profile, resolution: Matrix, following: float, capacity: int) -> None:
        self._profile, self._resolution, self._following, self._capacity = profile, resolution, following, capacity
        self._way = profile.target - profile.start
        self._leader = int(np.argmax(np.abs(self._way) / resolution))  # with the most steps to go it tells time best
        self._sent = 0.0  # s of the profile that are on their way to the controller
        self._soonest = self._latest = 0.0  # when it has done them if lines come as sent, or as acknowledged
        self._slowed = -math.inf  # when it last may have slowed down
        self._reached, self._seen = 0.0, -math.inf  # s of the profile, and when that was
        self._advanced = math.inf  # when the controller was last seen to get on or had nothing to do
        self._blocks = 0

    def send(self, piece: Piece, now: float) -> None:
        """A piece is on its way."""
        self._check_speed(piece, now)
        self._soonest = max(self._soonest, now) + piece.seconds
        self._sent = piece.end
        self._blocks += 1

    def taken(self, piece: Piece, now: float) -> None:
        """The controller has it now."""
        self._check_speed(piece, now + piece.seconds)
        self._latest = max(self._latest, now) + piece.seconds

    def pause(self, piece: Piece, now: float) -> float:
        """s until the next piece may be sent, as far as can be told now; 0 for at once."""
        ramp = max(self._ramp(piece.end - piece.seconds), self._ramp(piece.end))
        most = QUEUE - _SPARE - ramp * (2.0 if self._is_slow(now) else 1.0)
        if self._blocks > most / piece.seconds + 1:
            return piece.seconds
        return max(0.0, self.waiting(now) + piece.seconds - most)

    def waiting(self, now: float) -> float:
        """s of motion in the controller: as reckoned, within what the newest report allows."""
        most = self._sent - self._reached
        if self._is_slow(now):
            return most
        return max(0.0, min(most, max(self._latest - now, most - max(0.0, now - self._seen))))

    def _ramp(self, t: float) -> float:
        """s that braking from the speed at t s takes longer than going on would."""
        return 0.5 * self._profile.velocity(t) / self._profile.acceleration

    def _check_speed(self, piece: Piece, now: float) -> None:
        """The controller, which always plans to end at rest, brakes where the next piece comes too late."""
        begin = piece.end - piece.seconds
        if begin > 0.0 and self._soonest - now < self._ramp(begin):
            self._slowed = now

    def _is_slow(self, now: float) -> bool:
        return now - self._slowed < _RECOVERY

    def see(self, positions: Matrix, free: int, seen: float) -> int | None:
        """A report: joint positions (N,) and free blocks. Which joint is not on its way; None where all are."""
        share = (positions - self._profile.start)[self._leader] / self._way[self._leader]
        reached = time_at(self._profile, float(share))
        left = np.abs(positions - self._profile.at(self._sent))[self._leader]
        if reached > self._reached or left <= _STEPS * self._resolution[self._leader] or math.isinf(self._advanced):
            self._advanced = seen
        self._reached, self._seen, self._blocks = reached, seen, max(0, self._capacity - free)
        late, early = reached - self._following, min(reached + self._following, self._sent)
        ends = np.array([self._profile.at(late), self._profile.at(early)])
        off = np.maximum(ends.min(axis=0) - positions, positions - ends.max(axis=0)) / self._resolution
        if off.max() <= _STEPS and seen - self._advanced <= self._following:
            return None
        moving = np.abs(self._way) > _STEPS * self._resolution
        done = np.full(len(positions), np.inf)
        np.divide(positions - self._profile.start, self._way, out=done, where=moving)
        return int(np.argmin(done))


def time_at(profile: Profile, share: float) -> float:
    """s after which so much of the line lies behind; the inverse of ``Profile.share``."""
    ramp, a = profile.ramp, profile.acceleration
    early = 0.5 * a * ramp**2
    if share <= early:
        return math.sqrt(2.0 * max(0.0, share) / a)
    if share >= 1.0 - early:
        return profile.duration - math.sqrt(2.0 * max(0.0, 1.0 - share) / a)
    return ramp + (share - early) / (a * ramp)
