"""A world on trial: commands with the promises that every result must keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from vantage.errors import VantageError
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Cause, Command, Episode, Observation, Status, StepResult
from vantage.worlds.protocol import World
from vantage.worlds.warrants import Warrant, person_warrant

CLOSE = 1e-6  # m or rad
SOURCE = "conformance"
_MOST = 10_000  # commands of the arm in one check


class CheckFailedError(Exception):
    """One check failed."""


def require(condition: Any, message: str) -> None:
    if not condition:
        raise CheckFailedError(message)


class Trial:
    """A world freshly reset, and the number of its next command."""

    def __init__(self, world: World, episode: Episode, seed: int) -> None:
        self.world, self.episode, self.seed = world, episode, seed
        self.world.clear_stop()
        self.reset()

    def reset(self, warranted: bool = True) -> Observation:
        """
        Args:
            warranted: whether the arm, where there is one, may do anything.
        """
        self.last = self.world.reset(self.episode, self.seed)
        self.next = 1
        if warranted and "arm" in self.world.info.acts:
            self.world.grant(self.warrant())
        return self.last

    def warrant(self, commands: int = _MOST) -> Warrant:
        """A person's, for the running episode."""
        return person_warrant(self.episode, SOURCE, self.last.stamp, commands)

    @property
    def here(self) -> Viewpoint:
        return self.last.viewpoint

    def send(self, target: Viewpoint | None, **changes: Any) -> StepResult:
        """Step; the number is used up unless the command differs in who, which episode or which number."""
        command = Command(target, episode_id=self.episode.episode_id, source=SOURCE, sequence=self.next)
        result = self.world.step(replace(command, **changes))
        before, self.last = self.last, result.observation
        require(self.last.stamp > before.stamp, f"stamp {self.last.stamp} after {before.stamp} did not increase")
        require(result.command.sequence == changes.get("sequence", self.next), "the result belongs to another command")
        require(result.reason or result.status == Status.DONE, f"{result.status.name} came without a reason")
        rejected = result.status == Status.REJECTED
        fits = (result.cause != Cause.NONE) == rejected
        if result.cause == Cause.NO_HANDLE:
            fits = result.status == Status.COLLIDED
        require(fits, f"{result.status.name} came with cause {result.cause.name}")
        if not {"sequence", "source", "episode_id"} & set(changes):
            self.next += 1
        if result.status in (Status.COLLIDED, Status.REJECTED):  # a stop may come amid a motion
            told = f"{result.status.name} moved the camera to {self.here}: {result.reason}"
            require(self.same(before.viewpoint, self.here), told)
        return result

    def refused(self, target: Viewpoint | None, status: Status, what: str, **changes: Any) -> Cause:
        before = self.here
        result = self.send(target, **changes)
        require(result.status == status, f"{what} gave {result.status.name} instead of {status.name}")
        require(self.same(before, self.here), f"{what} moved the camera to {self.here}")
        return result.cause

    def out_of_turn(self, cause: Cause, what: str, **changes: Any) -> None:
        told = self.refused(self.turned(), Status.REJECTED, what, **changes)
        require(told == cause, f"{what} was rejected for {told.name} instead of {cause.name}")

    def turned(self) -> Viewpoint:
        """A target that is always free: a small turn to the left."""
        angle = min(0.2, 0.5 * self.world.info.limits.max_rotation)
        return replace(self.here, yaw=wrap_angle(self.here.yaw + angle))

    def done(self, target: Viewpoint, what: str) -> None:
        result = self.send(target)
        require(result.status == Status.DONE, f"{what} gave {result.status.name}: {result.reason}")
        require(self.same(self.here, target), f"{what} aimed at {target} and reached {self.here}")

    def same(self, a: Viewpoint, b: Viewpoint) -> bool:
        """Whether two poses are the same within the tolerance of the world."""
        close = max(CLOSE, self.world.info.tolerance)
        angles = (wrap_angle(a.yaw - b.yaw), a.pitch - b.pitch)
        return a.distance(b) <= close and all(abs(angle) <= close for angle in angles)


Check = Callable[[Trial], None]


@contextmanager
def raises(kind: type[VantageError], what: str) -> Iterator[None]:
    try:
        yield
    except kind:
        return
    raise CheckFailedError(f"{what} did not raise {kind.__name__}")
