"""What a person may let a robot do: all but what a rule of the robot calls unsafe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from vantage.errors import UsageError
from vantage.goals import EdgeGoal, Feasibility, Literal, NodeGoal
from vantage.planning.guard.guard import Guard
from vantage.planning.guard.robots import Robot
from vantage.types import CLOSE, OPEN
from vantage.worlds import MOVE_ARM, PERSON, PUT, SWITCH, TAKE, Warrant, WarrantIssuer

GRANTS = {
    "pick": frozenset({TAKE}),
    "put": frozenset({TAKE, PUT}),
    "open": frozenset({OPEN}),
    "close": frozenset({CLOSE}),
    "switch": frozenset({SWITCH}),
    "move": frozenset({MOVE_ARM}),
}
"""What an arm may do for each kind of a person's warrant."""


def grant_of_person(
    robot: Robot,
    kinds: Sequence[str],
    objects: Sequence[str],
    *,
    episode_id: str,
    source: str,
    issued: int,
    seconds: float,
    commands: int,
) -> Warrant:
    """A person's warrant.

    Args:
        kinds: of ``GRANTS``.
        objects: names, such as ``mug_59``, or labels of what may be touched.
        issued: stamp of the newest observation, ns.
        seconds: that it lasts, on the world's clock.
        commands: of the arm, at most.

    Raises:
        UsageError: it names no object, or a rule of the robot calls it unsafe.
        WarrantError: no such warrant can be.
    """
    if not objects or not all(name.strip() for name in objects):
        raise UsageError("a warrant without objects would be for all things; name those that may be touched")
    ruling = Guard(robot).dangers(dict.fromkeys(_literals(kinds, objects)))
    if ruling.feasibility is Feasibility.UNSAFE:
        raise UsageError(f"nobody may allow that, as robot '{robot.name}' forbids it: {ruling.words}")
    return WarrantIssuer().issue(
        PERSON,
        episode_id,
        source,
        f"{' and '.join(kinds)} {' and '.join(objects)}",
        frozenset().union(*(GRANTS[kind] for kind in kinds)),
        objects,
        commands=commands,
        issued=issued,
        seconds=seconds,
    )


def _literals(kinds: Sequence[str], objects: Sequence[str]) -> Iterator[Literal]:
    """All that the kinds may bring about with the objects."""
    for kind in kinds:
        for name in objects:
            if kind in ("pick", "put"):
                yield EdgeGoal("robot", "holds", name)
            elif kind == "switch":
                yield NodeGoal(name, "on")
                yield NodeGoal(name, "off")
            elif kind in ("open", "close"):
                yield NodeGoal(name, "open" if kind == "open" else "closed")
        if kind == "put":
            for one, other in permutations(objects, 2):
                yield EdgeGoal(one, "on", other)
                yield EdgeGoal(one, "in", other)
