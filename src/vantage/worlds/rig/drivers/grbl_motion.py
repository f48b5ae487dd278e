"""One motion of a Grbl controller: cut into short pieces, streamed, and compared with the reports.

Pieces are sent as the controller uses them up, so that never more than ``QUEUE`` s of motion wait in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.drivers.grbl_axes import Axes
from vantage.worlds.rig.drivers.grbl_controller import ANSWER, GrblController
from vantage.worlds.rig.kinematics import Profile, plan

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


class PieceQueue:
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
        """s until the next piece may be sent, as estimated now; 0 for at once."""
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


_IDLE = 4  # reports in a row: Grbl may say Idle once just before it starts with a line that it has taken
_QUIET = 0.5 * ANSWER  # s without a report: then not one answer was lost, but all
_EXACT = 0.6  # steps: rounding alone; more may mean that a last piece is still to come


class Motion:
    """One motion from rest at ``start`` to rest at ``target``, both (N,); ``step`` does whatever is due.

    Args:
        braking: (N,) how hard the controller accelerates, m/s^2 or rad/s^2; ``capacity`` of its planner, blocks.
        following: as for ``PieceQueue``.
        turning: rad/s that no joint that turns exceeds.

    Attributes:
        done: it is at rest at the target.
    """

    def __init__(
        self,
        controller: GrblController,
        braking: Matrix,
        capacity: int,
        axes: Axes,
        start: Matrix,
        target: Matrix,
        following: float,
        turning: float = math.inf,
    ) -> None:
        self._controller, self._monitor = controller, controller.monitor
        self._axes, self._target = axes, target
        profile = plan(start, target, axes.joints, BRAKE, turning)
        self._feed = PieceQueue(profile, axes.resolution, following, capacity)
        self._pieces = pieces(profile, braking)
        self._next: Piece | None = next(self._pieces)
        self._open: Piece | None = None
        self._since = 0.0  # monotonic s: when a piece was sent or taken last
        self._seen = self._monitor.seen
        self._idle = 0
        self.done = False

    def step(self) -> float:
        """Send what may be sent and look at what came, in the link's thread; returns the most s until the next call.
        What is wrong becomes the fault of the monitor.
        """
        monitor = self._monitor
        if self._over():
            return math.inf
        if monitor.seen != self._seen:
            self._look()
        now = self._monitor.clock.monotonic()
        if self._open is not None and not monitor.pending:
            self._feed.taken(self._open, now)
            self._open, self._since = None, now
        if self._over() or (self._open is None and self._next is None):
            return math.inf
        if self._open is not None:
            if now - self._since > ANSWER and now - monitor.seen > _QUIET:
                monitor.fall_silent()
            elif now - self._since > ANSWER:
                self._fail("acknowledgement", "a line stays without an answer: acknowledgement lost; check the cable")
            return max(0.0, self._since + ANSWER - now)
        pause = self._feed.pause(self._next, now) if self._next is not None else math.inf
        if pause > 0.0:
            return pause
        return self._send(now)

    def _over(self) -> bool:
        return self.done or self._monitor.braked or bool(self._monitor.fault)

    def _send(self, now: float) -> float:
        piece = self._next
        assert piece is not None
        self._feed.send(piece, now)
        self._open, self._since, self._next = piece, now, next(self._pieces, None)
        self._controller.send(f"G21G90G93G53G1{self._axes.words(piece.goal)}F{piece.rate:.3f}")
        return ANSWER

    def _look(self) -> None:
        """At a new report."""
        monitor = self._monitor
        report, self._seen = monitor.report, monitor.seen
        if report is None or report.position is None or self._over():
            return
        if report.state not in ("Run", "Idle"):
            self._fail("state", f"the controller went into state {report.state} during a motion; see to it, then clear")
            return
        positions = self._axes.positions(report.position)
        astray = self._feed.see(positions, report.blocks, self._seen)
        if astray is not None:
            joint = self._axes.joints[astray]
            self._fail(
                "following",
                f"is axis {self._axes.letters[astray]} stuck? Joint '{joint.name}' is at {positions[astray]:.5f} "
                f"{joint.unit}, which is not on its way; free it, then clear",
            )
        elif self._open is None and self._next is None and monitor.reported > self._since:
            self._arrive(positions, report.state == "Idle")

    def _arrive(self, positions: Matrix, idle: bool) -> None:
        """Where everything was taken, it must come to rest at the target."""
        off = np.abs(positions - self._target) / self._axes.tolerance
        self._idle = self._idle + 1 if idle else 0
        if (self._idle and np.all(off <= _EXACT)) or (self._idle >= _IDLE and np.all(off <= 1.0)):
            self.done = True
            with self._monitor.news:
                self._monitor.news.notify_all()
        elif self._idle >= _IDLE:
            worst = int(np.argmax(off))
            joint = self._axes.joints[worst]
            self._fail(
                "missed",
                f"joint '{joint.name}' came to rest at {positions[worst]:.6f} {joint.unit} instead of "
                f"{self._target[worst]:.6f}; look what is in its way, then clear and home",
            )

    def _fail(self, kind: str, sentence: str) -> None:
        self._monitor.fail(kind, sentence)
