"""What a goal cannot have at once: opposite states of one thing, and things in each other or in themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from vantage.goals.facts import SceneFacts, object_key, word_key
from vantage.goals.goals import EdgeGoal, Goal, Literal, NodeGoal
from vantage.goals.grounding import Fault, FaultKind

_OPPOSITES = (
    *(("on", "off"), ("toggledon", "off"), ("open", "closed"), ("clean", "dirty"), ("clean", "dusty")),
    *(("clean", "stained"), ("pluggedin", "pluggedout"), ("plugged", "unplugged"), ("sitting", "lying")),
    *(("hot", "cold"), ("hot", "frozen"), ("dry", "wet"), ("dry", "soaked"), ("full", "empty")),
    *(("folded", "unfolded"), ("cooked", "uncooked"), ("free", "occupied"), ("hanged", "unhanged")),
)
_OPPOSITE = {(one, other) for pair in _OPPOSITES for one, other in (pair, pair[::-1])}
_CARRIED = frozenset({"on", "ontop", "inside"})  # the first thing rests in or on the second


def opposite(one: str, other: str) -> bool:
    """Whether one thing cannot be in two states at once."""
    return (word_key(one), word_key(other)) in _OPPOSITE


def contradictions(goal: Goal, scene: SceneFacts) -> tuple[Fault, ...]:
    """What cannot be reached at once of what a goal asks for without a choice; what it also denies is told by
    ``ungrounded``. Things of which a scene has several by one name may stand in any relation to each other."""
    fixed = [literal for part in goal.parts if len(part) == 1 for literal in part[0]]
    return (*_opposite_states(fixed), *_cycles(fixed, scene))


def _opposite_states(literals: Iterable[Literal]) -> list[Fault]:
    states: dict[str, list[NodeGoal]] = {}
    for literal in literals:
        if isinstance(literal, NodeGoal) and literal.holds:
            states.setdefault(object_key(literal.object), []).append(literal)
    found = []
    for several in states.values():
        for number, literal in enumerate(several):
            if any(opposite(literal.state, other.state) for other in several[:number]):
                found.append(Fault(FaultKind.CONTRADICTION, literal.object, literal.state))
    return found


def _cycles(literals: Iterable[Literal], scene: SceneFacts) -> list[Fault]:
    """Things that would lie in or on themselves, each told once, at the relation that closes the circle."""
    counts = Counter(object_key(item.name) for item in scene.objects)
    below: dict[str, set[str]] = {}
    found = []
    for literal in literals:
        if not (isinstance(literal, EdgeGoal) and literal.holds and word_key(literal.relation) in _CARRIED):
            continue
        one, other = object_key(literal.subject), object_key(literal.object)
        if max(counts[one], counts[other]) > 1:
            continue
        if one == other or _rests_on(other, one, below):
            found.append(Fault(FaultKind.CONTRADICTION, literal.subject, literal.relation))
        else:
            below.setdefault(one, set()).add(other)
    return found


def _rests_on(thing: str, other: str, below: dict[str, set[str]]) -> bool:
    left, seen = [thing], {thing}
    while left:
        for lower in below.get(left.pop(), ()):
            if lower == other:
                return True
            if lower not in seen:
                seen.add(lower)
                left.append(lower)
    return False
