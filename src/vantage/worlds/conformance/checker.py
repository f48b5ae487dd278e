"""Conformance checks of a World, through its protocol alone, so that they hold for any backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vantage.errors import VantageError, WorldError
from vantage.types import Changes, Episode
from vantage.worlds.conformance.arm_checks import ARM_CHECKS
from vantage.worlds.conformance.camera_checks import CAMERA_CHECKS
from vantage.worlds.conformance.object_checks import OBJECT_CHECKS
from vantage.worlds.conformance.trial import Check, CheckFailedError, Trial
from vantage.worlds.protocol import World


class ConformanceError(WorldError):
    """A world breaks its protocol; the message names each failed check and why it failed."""


def check_world(make_world: Callable[[], World], episode: Episode, *, seed: int = 7) -> tuple[str, ...]:
    """Run every check on a fresh world and return the names of the checks.

    The start of ``episode`` must leave room to move by 5 cm in some direction, and the arm, where there is one, too; no
    handle and nothing to hold is in its reach. The world is closed afterwards, also
    when a check fails.

    Raises:
        ConformanceError: at least one check failed.
    """
    failures: list[str] = []
    names: list[str] = []
    world = make_world()
    try:
        for name, check in _checks(world):
            names.append(name)
            try:
                check(Trial(world, episode, seed))
            except CheckFailedError as failure:
                failures.append(f"{name}: {failure}")
            except VantageError as error:
                failures.append(f"{name}: raised {type(error).__name__}: {error}")
    finally:
        world.close()
    names.append("close_twice")
    try:
        world.close()
    except VantageError as error:
        failures.append(f"close_twice: raised {type(error).__name__}: {error}")
    if failures:
        raise ConformanceError(
            f"{len(failures)} of {len(names)} conformance checks failed and must be mended: " + "; ".join(failures)
        )
    return tuple(names)


def _checks(world: World) -> Iterator[tuple[str, Check]]:
    """Those of an arm come last: what a world over ROS can do is known once it was reset."""
    yield from CAMERA_CHECKS.items()
    if "arm" in world.info.acts:
        yield from (OBJECT_CHECKS if world.info.changes is Changes.KINEMATIC else ARM_CHECKS).items()
