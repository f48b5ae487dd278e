"""Which closed things may be opened to look for what was not found: those that usually keep it, by a ruling each.

To open something to look into it is a goal of its own. The guard judges it as it judges any other: what the robot
cannot do, what is unsafe, and what somebody has to confirm first stay closed. So does everything where the task says
that something shall not be opened. What may lie in something closed is not replaced by a thing of another name.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from vantage.goals import Goal, NodeGoal, Reason, ReasonKind, Ruling, SceneFacts, TaskText, kind_of, objects_of
from vantage.planning.guard.guard import Guard
from vantage.planning.guard.licences import Licence, Licences
from vantage.planning.guard.task_words import TaskWords, called, named, written_together
from vantage.questions.lexicon import canonical, rows

_PLACES = Path(__file__).parent / "hiding_places.tsv"
_ANYTHING = "*"  # in the table, for what is kept in a place beside the usual things
_DENIALS = frozenset({"not", "never", "without", "don", "dont", "no", "nothing", "leave", "keep", "stay", "remain"})
_OPENING = frozenset({"open", "opening", "opened", "closed", "shut"})


def keeps(place: str, thing: str, seldom: bool = False) -> bool:
    """Whether things of a kind are usually kept in what closes of another kind; kinds with spaces between words.

    Args:
        seldom: also what is usually kept in other things that close, and may lie there at all.
    """
    kept = _kept().get(canonical(place), frozenset())
    return canonical(thing) in kept or (seldom and _ANYTHING in kept and _is_kept(canonical(thing)))


def closes(kind: str) -> bool:
    """Whether things of a kind usually close, so that something is kept in them."""
    return canonical(kind) in _kept()


def may_open_to_look(
    guard: Guard, name: str, thing: str, scene: SceneFacts, said: str, seldom: bool = False
) -> Ruling | None:
    """The ruling on opening something to look for a thing; None where such a thing is not kept there, or where the task
    says that something shall stay closed.

    Args:
        name: of what would be opened, as ``scene`` has it.
        thing: kind of what is looked for, with spaces between words.
        said: the task for which it is looked for.
        seldom: see ``keeps``.
    """
    kind, words = kind_of(name).replace("_", " "), TaskWords(said)
    if not keeps(kind, thing, seldom) or (words.say_any(_DENIALS) and words.say_any(_OPENING)):
        return None
    task = TaskText("", f"Open the {kind}.")
    return guard.judge(task, Goal.of([NodeGoal(name, "open")]), scene, complete=False)


def instead_of_hidden(task: TaskText, goal: Goal, scene: SceneFacts) -> tuple[Reason, ...]:
    """That things of a goal take the place of others, which the words name, and of which none was seen in a scene: they
    are a kind of these, as a mug is of a cup, and the others may lie in something closed."""
    licences = Licences(task, scene)
    kinds = frozenset().union(*(named(kind_of(each.name)) for each in scene.objects))
    hidden = [
        name
        for name in licences.words.things()
        if written_together(name) not in kinds and _is_kept(canonical(name.replace("_", " ")))
    ]
    found = []
    for name in objects_of(goal) if hidden else ():
        instead = [each for each in hidden if written_together(each) in called(kind_of(name))]
        if instead and licences.of(name) is Licence.KIND:
            found.append(Reason(ReasonKind.REPURPOSED, name, f"instead of {instead[0].replace('_', ' ')}"))
    return tuple(found)


def _is_kept(thing: str) -> bool:
    """Whether a kind of thing is usually kept in anything that closes."""
    return any(thing in things for things in _kept().values())


@lru_cache(maxsize=1)
def _kept() -> dict[str, frozenset[str]]:
    """
    Raises:
        FormatError: the table was damaged.
    """
    found: dict[str, frozenset[str]] = {}
    for places, things in rows(_PLACES, 2):
        kept = frozenset(thing if thing == _ANYTHING else canonical(thing) for thing in things.split(";") if thing)
        for place in places.split(";"):
            found[canonical(place)] = found.get(canonical(place), frozenset()) | kept
    return found
