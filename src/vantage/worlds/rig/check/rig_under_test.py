"""The rig that is checked: moves it, measures where it really is, and goes on after a stop."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from vantage.config import Settings
from vantage.errors import EpisodeError, HardwareError, VantageError, WorldError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Command, Episode, Event, Observation, Phase, Question, Status, StepResult
from vantage.worlds.rig.assembly import Assembly
from vantage.worlds.rig.check.check_report import FailedError, SkipError
from vantage.worlds.rig.clock import Clock, Flag, SystemClock
from vantage.worlds.rig.kinematics import FAR, PRISMATIC, plan
from vantage.worlds.rig.parts import Emulator

_POSTURES = 50
_ENDLESS = math.pi  # rad or m: as far as is gone from 0 where a joint knows no limit
_EDGE = 0.05  # share of a joint's travel that is kept from its ends
_LINE = np.linspace(0.0, 1.0, 41)[1:]
_SHARES = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1)


def pose_words(v: Viewpoint) -> str:
    x, y, z, yaw, pitch = (_digits(value) for value in (v.x, v.y, v.z, v.yaw, v.pitch))
    return f"({x}, {y}, {z}) m, yaw {yaw}, pitch {pitch} rad"


def joint_words(q: Matrix) -> str:
    return "(" + ", ".join(_digits(value) for value in q) + ")"


def _digits(value: float) -> str:
    """Without a minus before zero."""
    return f"{round(float(value), 3) + 0.0:.3f}"


IDLE = "command"  # kind of the event that no command came
SLACK = 0.15  # s by which an observation may be late on a busy machine
SPACING = 0.05  # s between two samples, at least, that determine a speed
_SOURCE = "rig check"
_PROMPT, _TRIES = 0.001, 20  # s that one look at the emulator may take, and how often a shorter one is tried for
_POLL = 0.005  # s
_BEGIN = 5.0  # s until a requested motion begins
_HANG = 10.0  # s beyond all deadlines
_STARTS = 3


JointSample = tuple[float, Matrix]  # monotonic time, s, and joint positions (N,)


def fastest(samples: Sequence[JointSample]) -> Matrix:
    """(N,): the highest speed at which each joint was seen to go, m/s or rad/s, by samples at least 50 ms apart. Of a
    motion that waits for its program now and then, the last samples alone would tell too little.

    Raises:
        FailedError: all samples are too close together.
    """
    first, speeds = samples[0], list[Matrix]()
    for sample in samples:
        if sample[0] - first[0] >= SPACING:
            speeds.append(np.abs(sample[1] - first[1]) / (sample[0] - first[0]))
            first = sample
    if not speeds:
        raise FailedError(
            f"sights within {1e3 * (samples[-1][0] - first[0]):.0f} ms tell no speed; run the check again"
        )
    return np.asarray(np.max(speeds, axis=0))


def _look(emulator: Emulator, clock: Clock) -> JointSample:
    """The joints as they were in the middle of the shortest of some looks, for a long one may be any time old."""
    shortest = math.inf
    for _ in range(_TRIES):
        before, positions, after = clock.monotonic(), emulator.positions(), clock.monotonic()
        if after - before < shortest:
            shortest, sample = after - before, (0.5 * (before + after), positions)
        if shortest <= _PROMPT:
            break
    return sample


@dataclass
class Motion:
    """A motion under way in a thread of its own.

    Attributes:
        way: where the joints should go, (N,) less where they were; m or rad.
        begun: monotonic time at which it was asked for; ``seconds`` what it took until it was over and seen.
        done: whether it went to its end; ``words`` why not.
    """

    way: Matrix
    begun: float
    over: Flag
    seconds: float = 0.0
    done: bool = False
    words: str = ""


@dataclass
class RigUnderTest:
    """One connected rig, its targets and its motions.

    Args:
        scene: for the simulated camera, where there is one.
    """

    rig: Assembly
    settings: Settings
    scene: str = ""
    _sequence: int = 0
    _idled: int = 0  # number of the newest event when the rig was last found idle
    _astray: bool = False  # whether the rig has left the episode

    @property
    def simulated(self) -> bool:
        """Whether nothing real moves, so that a stop may be cleared without anybody looking."""
        return self.rig.emulator is not None or not self.rig.world.real_time

    @property
    def clock(self) -> Clock:
        """That on which this waits: the rig's own, or the system's where time is simulated."""
        return self.rig.driver.clock if self.rig.world.real_time else SystemClock()

    @property
    def patience(self) -> float:
        """s after which a motion and the look at its end hang."""
        rules = self.rig.description.look
        return self.rig.description.motion_timeout + (1 + rules.retries) * (rules.timeout + rules.settle) + _HANG

    def require_time(self) -> None:
        """Skip the step in simulated time."""
        if not self.rig.world.real_time:
            raise SkipError("in simulated time a motion takes no time; --emulate proves this")

    # Where the rig is -----------------------------------------------------------------------------------------------

    def positions(self) -> Matrix:
        """(N,): where the joints really are; as the controller reports them where there is no emulator. m or rad."""
        return self.sample()[1]

    def sample(self) -> JointSample:
        """Where the joints are, and when it was so. Of emulated ones it is known to a millisecond, unless this thread
        is held up all the time."""
        if self.rig.emulator is not None:
            return _look(self.rig.emulator, self.clock)
        try:
            state = self.rig.driver.state()
        except HardwareError as error:
            raise FailedError(str(error)) from error
        return self.clock.monotonic() - max(0.0, 1e-9 * (self.rig.driver.clock.now() - state.stamp)), state.positions

    def watch(self, seconds: float, over: Callable[[], bool]) -> list[JointSample]:
        """Where the joints are during so many s from the first sample to the last, or until it is over."""
        ends, seen = self.clock.monotonic() + seconds, [self.sample()]
        while not over() and seen[-1][0] - seen[0][0] < max(seconds, SPACING):
            if self.clock.monotonic() > ends + _BEGIN:
                raise FailedError(f"the controller did not tell where it is for {_BEGIN:.0f} s")
            self.clock.sleep(_POLL)
            seen.append(self.sample())
        return seen

    def rest(self, timeout: float) -> JointSample:
        """Waits until nothing moves any more: since when at the earliest, monotonic s, and where, (N,) m or rad."""
        ends, (since, place) = self.clock.monotonic() + timeout, self.sample()
        seen = since
        while True:
            before, (seen, positions) = seen, self.sample()
            if np.any(np.abs(positions - place) > self.rig.description.chain.resolution):
                since, place = before, positions  # it came to rest after the sample before
            elif seen - since > SLACK and (self.rig.emulator is not None or not self.rig.driver.state().moving):
                return since, place
            if self.clock.monotonic() > ends:
                raise FailedError(f"the rig did not come to rest within {timeout:.1f} s")
            self.clock.sleep(_POLL)

    def newest_event(self) -> int:
        """Number of the newest event; 0 before the first."""
        events = self.rig.world.events(0)
        return events[-1].number if events else 0

    def fatal_event(self, since: int, kind: str) -> Event | None:
        """The first event of this kind after a number that stopped the rig."""
        events = self.rig.world.events(since)
        return next((event for event in events if event.kind == kind and event.fatal), None)

    # Motions --------------------------------------------------------------------------------------------------------

    def begin(self) -> Observation:
        """An episode at the start. What is learnt about the room on the way may call for another start."""
        for left in reversed(range(_STARTS)):
            q = self.start()
            try:
                seen = self.rig.world.reset(self.episode(self.rig.description.chain.viewpoint(q)), 0)
            except EpisodeError:
                if not left or self.rig.world.trouble or np.array_equal(q, self.start()):
                    raise
                continue
            self._sequence, self._astray = 0, False
            return seen
        raise AssertionError("unreachable")

    def episode(self, start: Viewpoint) -> Episode:
        scene = self.scene or self.rig.description.scene
        question = Question("q1", "Look around.", Phase.EXPLORE.value)
        return Episode(_SOURCE, "", scene, start, (question,), 10**6)

    def go_to(self, q: Matrix) -> None:
        """To joint positions (N,), which ends the episode."""
        self._astray = True
        self.rig.world.go_to(q, allow_unwind=True)

    def send(self, target: Viewpoint) -> StepResult:
        self._sequence += 1
        return self.rig.world.step(Command(target, "", None, _SOURCE, _SOURCE, self._sequence))

    def go_on(self) -> None:
        """Back to the start of an episode, as a person would go on after a stop; homes where that is due."""
        self.rig.world.clear_stop()
        self.begin()
        again = self.send(self.turned())
        if again.status != Status.DONE:
            raise FailedError(f"after clearing the stop: {again.reason}")

    def make_ready(self) -> None:
        """Into an episode again where motions have left it, or where a rig that wants commands all the time has stopped
        for want of one."""
        if not self.rig.world.trouble:
            if self._astray:
                self.begin()
        elif self.fatal_event(self._idled, IDLE) is not None:
            self._idled = self.newest_event()
            self.go_on()

    @contextmanager
    def long_move(self, one_command: bool = False) -> Iterator[Motion]:
        """The longest motion that is free, under way while the block runs; what became of it is known afterwards.

        Args:
            one_command: as far as one command of an episode may go, instead of all the way.
        """
        q = self.far(one_command)
        motion = Motion(q - self.rig.driver.state().positions, self.clock.monotonic(), self.clock.event())
        thread = threading.Thread(target=self._move, args=(q, one_command, motion), name="long move", daemon=True)
        thread.start()
        try:
            self._await_motion(motion)
            yield motion
        except BaseException as reason:
            if not motion.over.is_set():
                self.rig.world.stop("the check was interrupted")
            if isinstance(reason, (FailedError, SkipError, VantageError)):
                motion.over.wait(_HANG)
            raise
        if not motion.over.wait(self.patience):
            self.rig.world.stop("a motion hangs")
            raise FailedError(f"the motion neither ended nor failed within {self.patience:.0f} s")

    def _await_motion(self, motion: Motion) -> None:
        ends, start = motion.begun + _BEGIN, self.positions()
        while not motion.over.is_set() and not np.any(
            np.abs(self.positions() - start) > 0.02 * np.abs(motion.way).max()
        ):
            if self.clock.monotonic() > ends:
                raise FailedError(f"the rig did not begin to move within {_BEGIN:.0f} s")
            self.clock.sleep(_POLL)

    def _move(self, q: Matrix, one_command: bool, motion: Motion) -> None:
        try:
            if one_command:
                result = self.send(self.rig.description.chain.viewpoint(q))
                motion.done, motion.words = result.status == Status.DONE, result.reason
            else:
                self.go_to(q)
                motion.done = True
        except VantageError as error:
            motion.words = str(error)
        finally:
            motion.seconds = self.clock.monotonic() - motion.begun
            motion.over.set()

    # Targets; nothing here moves the rig ------------------------------------------------------------------------------

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
            if not here and self.rig.machine.may_stand(q) and self._permitted(q):
                return np.asarray(q)
        return middle

    def turned(self) -> Viewpoint:
        """Close to where the camera is, in a direction that is free."""
        here, limits = self.rig.machine.viewpoint, self.rig.world.info.limits
        step, turn = min(0.05, limits.max_translation), min(0.1, limits.max_rotation)
        changes = [{"yaw": here.yaw + turn}, {"yaw": here.yaw - turn}]
        changes += [{axis: getattr(here, axis) + way} for axis in "xyz" for way in (step, -step)]
        for change in changes:
            if self.rig.machine.refusal(replace(here, **change)) is None:
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
        return all(self.rig.machine.may_stand(here + share * (q - here)) for share in _LINE)

    def _commanded(self, q: Matrix) -> bool:
        """Whether one command may go to joint positions (N,)."""
        machine, target = self.rig.machine, self.rig.description.chain.viewpoint(q)
        if machine.unwinds(q) or self.rig.world.info.limits.violation(machine.viewpoint, target) is not None:
            return False
        return machine.refusal(target) is None

    def _permitted(self, q: Matrix) -> bool:
        """Whether an episode may begin with the camera as it is at joint positions (N,), held level."""
        try:
            self.rig.machine.positions_at(self.rig.description.chain.viewpoint(q))
        except WorldError:
            return False
        return True
