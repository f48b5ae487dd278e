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
_OPPOSITES_OF: dict[str, set[str]] = {}
for _one, _other in _OPPOSITES:
    _OPPOSITES_OF.setdefault(_one, set()).add(_other)
    _OPPOSITES_OF.setdefault(_other, set()).add(_one)
RESTING = frozenset({"on", "ontop", "in", "inside"})  # by ``word_key``: the first thing is in or on the second


def contradictions(goal: Goal, scene: SceneFacts) -> tuple[Fault, ...]:
    """What cannot be reached at once of what a goal asks for without a choice; what it also denies is told by
    ``ungrounded``. Things of which a scene has several by one name may stand in any relation to each other."""
    fixed = [literal for part in goal.parts if len(part) == 1 for literal in part[0]]
    return (*_opposite_states(fixed), *_cycles(fixed, scene))


def _opposite_states(literals: Iterable[Literal]) -> list[Fault]:
    states: dict[str, set[str]] = {}
    found = []
    for literal in literals:
        if isinstance(literal, NodeGoal) and literal.holds:
            asked, state = states.setdefault(object_key(literal.object), set()), word_key(literal.state)
            if not asked.isdisjoint(_OPPOSITES_OF.get(state, ())):
                found.append(Fault(FaultKind.CONTRADICTION, literal.object, literal.state))
            asked.add(state)
    return found


def _cycles(literals: Iterable[Literal], scene: SceneFacts) -> list[Fault]:
    """Things that would lie in or on themselves, at each relation that is part of it."""
    counts = Counter(object_key(item.name) for item in scene.objects)
    resting = [
        literal
        for literal in literals
        if isinstance(literal, EdgeGoal)
        and literal.holds
        and word_key(literal.relation) in RESTING
        and all(counts[object_key(name)] < 2 for name in literal.objects)
    ]
    left = {(object_key(literal.subject), object_key(literal.object)): literal for literal in resting}
    while left:  # what rests on nothing else, and what carries nothing, is in no circle
        carried, carriers = {one for one, _ in left}, {other for _, other in left}
        inner = {pair: literal for pair, literal in left.items() if pair[0] in carriers and pair[1] in carried}
        if len(inner) == len(left):
            break
        left = inner
    return [Fault(FaultKind.CONTRADICTION, literal.subject, literal.relation) for literal in left.values()]
