"""Which closed things may be opened to look for what was not found: those that usually keep it, by a ruling each.

To open something to look into it is a goal of its own. The guard judges it as it judges any other: what the robot
cannot do, what is unsafe, and what somebody has to confirm first stay closed.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from vantage.goals import Goal, NodeGoal, Ruling, SceneFacts, TaskText, kind_of
from vantage.planning.guard.guard import Guard
from vantage.questions.lexicon import canonical, rows

_PLACES = Path(__file__).parent / "hiding_places.tsv"


def keeps(place: str, thing: str) -> bool:
    """Whether things of a kind are usually kept in what closes of another kind; kinds with spaces between words."""
    return canonical(thing) in _kept().get(canonical(place), frozenset())


def may_open_to_look(guard: Guard, name: str, thing: str, scene: SceneFacts) -> Ruling | None:
    """The ruling on opening something to look for a thing; None where such a thing is not kept there.

    Args:
        name: of what would be opened, as ``scene`` has it.
        thing: kind of what is looked for, with spaces between words.
    """
    kind = kind_of(name).replace("_", " ")
    if not keeps(kind, thing):
        return None
    task = TaskText("", f"Open the {kind}.")
    return guard.judge(task, Goal.of([NodeGoal(name, "open")]), scene, complete=False)


@lru_cache(maxsize=1)
def _kept() -> dict[str, frozenset[str]]:
    """
    Raises:
        FormatError: the table was damaged.
    """
    found: dict[str, frozenset[str]] = {}
    for places, things in rows(_PLACES, 2):
        kept = frozenset(canonical(thing) for thing in things.split(";") if thing)
        for place in places.split(";"):
            found[canonical(place)] = found.get(canonical(place), frozenset()) | kept
    return found
