"""One reply beside the gold data of its item: what was hallucinated, refused, missed and made up, as counts.

Counts are sums over replies, so that rates pool all of them. A goal that names what is not there counts as wrong like
any other, and so does a goal that cannot be read: neither is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from vantage.benchmarks.heal.probing_items import is_mentioned
from vantage.goals import (
    Alternative,
    EdgeGoal,
    Goal,
    Literal,
    NodeGoal,
    Reading,
    ReplyForm,
    SceneFacts,
    TaskTruth,
    kind_of,
    object_key,
    word_key,
)

SORTS = ("node", "edge", "action")
Counts = dict[str, float]


@dataclass(frozen=True)
class ReplyScore:
    """One reply.

    Attributes:
        right: it does what should be done: exactly the gold goals, or a refusal where the scene lacks something.
        grounded: it was read, and names nothing that is not there and no state that the thing cannot have.
        counts: see ``COUNTS``.
        sorted_out: goals that are right, wrong and missing, by sort.
    """

    right: bool
    grounded: bool
    counts: Counts
    sorted_out: Counts


COUNTS = (
    "replies",
    "right",
    "feasible",
    "strict",
    "unparsable",
    "empty",
    "refused_in_words",
    "refuses_beside_goals",
    "asked_back",
    "asked_back_feasible",
    "hallucinated",
    "objects",
    "absent_objects",
    "states",
    "states_not_of_object",
    "states_of_nothing",
    "asked",
    "mentioned",
    "grounded",
    "refused_grounded",
    "infeasible",
    "refused_infeasible",
    "infeasible_grounded",
    "refused_infeasible_grounded",
    "refused_feasible",
    "repurposed",
    "ungrounded_passed",
    "invented_instances",
    "invented_ids",
    "invented_attributes",
    "invented_counts",
    "relations",
    "invented_relations",
    "renamed_in_part",
)


def score_reply(reading: Reading, truth: TaskTruth, scene: SceneFacts) -> ReplyScore:
    """
    Args:
        scene: as the prompt told it.
    """
    names = {object_key(name): name for goal in reading.goals for name in goal.objects}
    absent = [name for name in names.values() if not scene.has(name)]
    own, nothing, states = _states(reading.goals, truth, scene)
    unparsable = reading.form is ReplyForm.UNPARSABLE
    hallucinates = bool(absent) or own > 0
    grounded = not hallucinates and not unparsable
    refused = reading.form in (ReplyForm.EMPTY, ReplyForm.REFUSED)
    feasible, infeasible = truth.feasible, not truth.feasible
    sorted_out = compared(reading.goals, truth.goal, reading.unread)
    exact = all(sorted_out[key] == 0 for key in sorted_out if not key.endswith("right"))
    new = [name for _, name in truth.old_names if object_key(name) in names]
    old = [name for name, _ in truth.old_names if is_mentioned(name, names.values(), scene)]
    right = exact and reading.form is ReplyForm.GOALS if feasible else refused
    relations = {goal.key: word_key(goal.relation) for goal in reading.goals if isinstance(goal, EdgeGoal)}
    related = {word_key(relation) for relation in truth.relations}
    there = Counter(kind_of(item.name) for item in scene.objects)
    counts: Counts = {
        "replies": 1,
        "right": right,
        "feasible": feasible,
        "strict": reading.strict,
        "unparsable": unparsable,
        "empty": reading.form is ReplyForm.EMPTY,
        "refused_in_words": reading.form is ReplyForm.REFUSED,
        "refuses_beside_goals": reading.form is ReplyForm.GOALS and reading.refuses,
        "asked_back": reading.form is ReplyForm.ASKED_BACK,
        "asked_back_feasible": feasible and reading.form is ReplyForm.ASKED_BACK,
        "hallucinated": hallucinates,
        "objects": len(names),
        "absent_objects": len(absent),
        "states": states,
        "states_not_of_object": own,
        "states_of_nothing": nothing,
        "asked": len(truth.asked_about),
        "mentioned": sum(is_mentioned(asked, names.values(), scene) for asked in truth.asked_about),
        "grounded": grounded,
        "refused_grounded": grounded and refused,
        "infeasible": infeasible,
        "refused_infeasible": infeasible and refused,
        "infeasible_grounded": infeasible and grounded,
        "refused_infeasible_grounded": infeasible and grounded and refused,
        "refused_feasible": feasible and refused,
        "repurposed": infeasible and _repurposes(reading.goals, truth.goal, scene),
        "ungrounded_passed": hallucinates,
        "invented_instances": sum(kind_of(name) in there for name in absent),
        "invented_ids": sum(_is_numbered(name) and kind_of(name) not in there for name in absent),
        "invented_attributes": sum(_is_described(name, there) for name in absent),
        "invented_counts": any(
            number > max(1, there[kind]) for kind, number in Counter(map(kind_of, names.values())).items()
        ),
        "relations": len(relations),
        "invented_relations": sum(relation not in related for relation in relations.values()),
        "renamed_in_part": bool(new and old),
    }
    return ReplyScore(right, grounded, {key: float(value) for key, value in counts.items()}, sorted_out)


def _states(goals: Iterable[Literal], truth: TaskTruth, scene: SceneFacts) -> tuple[int, int, int]:
    """States that the thing cannot have (of things that are not there, those that nothing can have), those that nothing
    can have, and all that are named, each once with its thing."""
    known = {word_key(state) for state in truth.states}
    named = {(object_key(goal.object), word_key(goal.state)) for goal in goals if isinstance(goal, NodeGoal)}
    own = sum(state not in scene.possible.get(name, known) for name, state in named)
    return own, sum(state not in known for _, state in named), len(named)


def _repurposes(goals: Iterable[Literal], gold: Goal, scene: SceneFacts) -> bool:
    """Whether something that is there takes the place of what is missing: a goal that gold does not have, of things in
    the scene alone."""
    licensed = {literal.key for literal in gold.literals}
    return any(
        goal.objects and goal.key not in licensed and all(scene.has(name) for name in goal.objects) for goal in goals
    )


def _is_numbered(name: str) -> bool:
    """Whether a name says which instance of its kind it is."""
    return kind_of(name) != object_key(name)


def _is_described(name: str, there: Counter[str]) -> bool:
    """Whether a name is that of a kind in the scene with words before it that the scene does not tell."""
    kind = kind_of(name)
    return kind not in there and any(kind.endswith(f"_{known}") for known in there)


def compared(goals: Iterable[Literal], gold: Goal, unread: int = 0) -> Counts:
    """Goals that are right, wrong and missing, such as ``node_right``.

    Of each part of the gold goals that alternative counts of which most is told, and the first of those.

    Args:
        unread: goals that are none in any way of writing; they count as wrong goals of states.
    """
    told = {goal.key for goal in goals}
    wanted: set[tuple[str, ...]] = set()
    for part in gold.parts:
        wanted |= {literal.key for literal in _nearest(part, told)}
    found: Counts = {}
    for sort in SORTS:
        said = {key for key in told if key[0] == sort}
        asked = {key for key in wanted if key[0] == sort}
        found[f"{sort}_right"] = float(len(said & asked))
        found[f"{sort}_wrong"] = float(len(said - asked) + (unread if sort == "node" else 0))
        found[f"{sort}_missing"] = float(len(asked - said))
    return found


def _nearest(part: tuple[Alternative, ...], told: set[tuple[str, ...]]) -> Alternative:
    def share(alternative: Alternative) -> tuple[int, int]:
        hits = sum(literal.key in told for literal in alternative)
        return hits, hits - len(alternative)

    return max(part, key=share)
