"""Questions about a house as chains of steps (EXCALIBUR, section 3.3), in eleven families after CLEVR (2017).

A draft is kept where every condition narrows what it is put on, where the answer stays the same when thresholds are
drawn somewhat otherwise, and where everything that it turns on can be seen, lifted or opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from vantage.benchmarks.excalibur.evidence import Evidence
from vantage.config import ExcaliburSettings, RelationSettings
from vantage.questions import Executor, Truths, programs as steps
from vantage.questions.generation import told_clearly, worded_program
from vantage.scenes.graph import GraphNode, SceneGraph

YES_NO, COUNT, QUERY = TYPES = ("yes/no", "count", "query")
COLOR, MATERIAL, CONTAINED, ADJACENT, ON_TOP, HEAVIER, LARGER = RELATIONS = (
    "color",
    "material",
    "contained",
    "adjacent",
    "on top",
    "heavier",
    "larger",
)
FAMILIES = (
    "exist",
    "exist_related",
    "exist_compared",
    "count",
    "count_chained",
    "query",
    "query_each",
    "verify",
    "compare_attribute",
    "compare_number",
    "compare_quantity",
)
_BY_STEP = {"in": CONTAINED, "next to": ADJACENT, "on": ON_TOP}
_STEPS = {relation: step for step, relation in _BY_STEP.items()}
_SIZES = ("size", "length")
_MOST_LIFTED = 4  # things that one question may have to be lifted for
_MOST_MEMBERS = 12  # of a count
_SHIFTED = (0.75, 1.25)  # times the thresholds of relations, with which the answer is the same

T = TypeVar("T")


@dataclass(frozen=True)
class Draft:
    """One question and what is known of it.

    Attributes:
        kind: of ``TYPES``.
        relations: of ``RELATIONS``, those that it turns on.
        targets, to_weigh, to_open: instance ids of what has to be seen, lifted and opened to answer it.
    """

    text: str
    program: steps.Program
    family: str
    kind: str
    relations: frozenset[str]
    answer: str
    targets: tuple[int, ...]
    to_weigh: tuple[int, ...]
    to_open: tuple[int, ...]


class HouseQuestions:
    """Draws questions about one house.

    Args:
        relations: thresholds by which the gold answers are.
        limits: what is too near to be told apart.
    """

    def __init__(
        self,
        graph: SceneGraph,
        evidence: Evidence,
        relations: RelationSettings,
        rng: np.random.Generator,
        limits: ExcaliburSettings | None = None,
    ) -> None:
        self._rng, self._evidence, self._limits = rng, evidence, limits or ExcaliburSettings()
        self._truths = Truths(graph, relations, hidden=True)
        self._executor = Executor(graph, None, relations, hidden=True)
        known = replace(
            graph, nodes=tuple(node for node in graph.nodes if node.is_structure or node.instance_id in evidence.seen)
        )
        shifted = [
            replace(relations, touch=share * relations.touch, beside=share * relations.beside) for share in _SHIFTED
        ]
        self._others = [Executor(known, None, relations, hidden=True)]
        self._others += [Executor(graph, None, each, hidden=True) for each in shifted]
        self._things = [node for node in self._truths.objects if node.instance_id in evidence.seen]
        self._lifted = [node for node in self._things if node.instance_id in evidence.lifted]

    def draw(self, kind: str, relations: frozenset[str], yes: bool, tries: int = 300) -> Draft | None:
        """A question of a type that turns on these relations and no others; None where none was found.

        Args:
            yes: the answer of a yes/no question.
        """
        for _ in range(tries):
            family = self._of(_FAMILIES_OF[kind])
            try:
                program = self._drawn(family, relations)
            except _NothingError:
                continue
            draft = self._checked(program, family, kind, relations, yes)
            if draft is not None:
                return draft
        return None

    # Programs ---------------------------------------------------------------------------------------------------------

    def _drawn(self, family: str, relations: frozenset[str]) -> steps.Program:
        words = [each for each in (COLOR, MATERIAL) if each in relations]
        if family in ("exist", "exist_related", "exist_compared"):
            objects = self._described(self._any(relations), relations)
            return steps.Exist(objects if self._chance(0.5) else self._altered(objects))
        if family in ("count", "count_chained"):
            return steps.Count(self._described(self._any(relations), relations))
        if family == "query":
            asked = self._of(words or ["room", "label"])
            return steps.Query(self._one(relations - {asked} if self._chance(0.7) else relations, asked), asked)
        if family == "query_each":
            asked = self._of(words or ["room", "label"])
            rest = relations - {asked}
            return steps.QueryEach(self._described(self._any(rest), rest, asked), asked)
        if family == "verify":
            asked = self._of(words)
            one = self._one(relations - {asked} if self._chance(0.7) else relations, asked)
            return steps.Verify(one, asked, self._value(asked))
        if family == "compare_attribute":
            asked = self._of(words)
            first, second = self._split(relations - {asked})
            return steps.CompareAttribute(asked, self._one(first, asked), self._one(second, asked))
        if family == "compare_number":
            first, second = self._split(relations)
            pair = (self._described(self._any(part), part) for part in (first, second))
            return steps.CompareNumber(self._of(steps.NUMERIC), *pair)
        asked = self._of([each for each in (HEAVIER, LARGER) if each in relations])
        first, second = self._split(relations - {asked})
        things = self._lifted if asked == HEAVIER else self._things
        return steps.CompareQuantity(
            self._quantity(asked), self._one(first, "", things), self._one(second, "", things), self._chance(0.5)
        )

    def _described(
        self, node: GraphNode, relations: frozenset[str], untold: str = "", depth: int = 2
    ) -> steps.ObjectSet:
        """Objects like one, told by all these relations.

        Args:
            untold: attribute that must not be told.
        """
        objects: steps.ObjectSet = steps.Scene()
        narrow = bool(relations - {COLOR, MATERIAL})
        if untold != "label" and self._chance(0.6 if narrow or relations else 1.0):
            objects = steps.Filter(objects, "label", node.label)
        for attribute in (COLOR, MATERIAL):
            if attribute in relations and attribute != untold:
                objects = steps.Filter(objects, attribute, self._word(node, attribute))
        if untold != "room" and self._chance(0.3):
            objects = steps.Filter(objects, "room", self._word(node, "room"))
        order = [each for each in (ON_TOP, CONTAINED, ADJACENT, HEAVIER, LARGER) if each in relations]
        for relation in order:
            objects = self._related(objects, node, relation, relations, depth)
        if objects == steps.Scene():
            raise _NothingError
        return objects

    def _related(
        self, objects: steps.ObjectSet, node: GraphNode, relation: str, relations: frozenset[str], depth: int
    ) -> steps.ObjectSet:
        if relation in (HEAVIER, LARGER):
            pool = self._lifted if relation == HEAVIER else self._things
            one = self._unique(self._of([each for each in pool if each is not node]), relations, depth - 1)
            return steps.Compared(objects, self._quantity(relation), one, self._chance(0.5))
        step = _STEPS[relation]
        if relation == ADJACENT:
            pool = [each for each in self._things if self._truths.stands(node, step, each, None)]
        else:
            pool = [each for each in self._things if each.instance_id == node.parent and node.relation == step]
        return steps.Relate(objects, step, self._unique(self._of(pool), relations, depth - 1))

    def _one(
        self, relations: frozenset[str], untold: str = "", things: Sequence[GraphNode] | None = None
    ) -> steps.Unique:
        """A description of exactly one thing that is told by all these relations."""
        node = self._of(things) if things is not None and not relations else self._any(relations, things)
        objects = self._described(node, relations, untold)
        if self._executor.members(objects) != (node.instance_id,):
            raise _NothingError
        return steps.Unique(objects)

    def _unique(self, node: GraphNode, relations: frozenset[str], depth: int) -> steps.Unique:
        """A plain description of one thing by what the question turns on anyway."""
        words = [each for each in (COLOR, MATERIAL) if each in relations and self._chance(0.5)]
        deeper = relations - {COLOR, MATERIAL} if depth > 0 and self._chance(0.25) else frozenset()
        objects: steps.ObjectSet = steps.Filter(steps.Scene(), "label", node.label)
        for attribute in words:
            objects = steps.Filter(objects, attribute, self._word(node, attribute))
        if self._executor.members(objects) != (node.instance_id,):
            objects = steps.Filter(objects, "room", self._word(node, "room"))
        if self._executor.members(objects) != (node.instance_id,) and deeper:
            objects = self._related(objects, node, self._of(sorted(deeper)), relations, depth)
        if self._executor.members(objects) != (node.instance_id,):
            raise _NothingError
        return steps.Unique(objects)

    def _altered(self, objects: steps.ObjectSet) -> steps.ObjectSet:
        """With one condition changed, so that it likely fits nothing."""
        if isinstance(objects, steps.Filter):
            if self._chance(0.4) and objects.objects != steps.Scene():
                return replace(objects, objects=self._altered(objects.objects))
            value = self._of(self._things).label if objects.attribute == "label" else self._value(objects.attribute)
            return replace(objects, value=value)
        if isinstance(objects, (steps.Relate, steps.Compared)):
            if self._chance(0.6):
                return replace(objects, objects=self._altered(objects.objects))
            if isinstance(objects, steps.Compared):
                return replace(objects, least=not objects.least)
            return replace(objects, anchor=self._unique(self._of(self._things), frozenset(), 0))
        raise _NothingError

    def _split(self, relations: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        first = frozenset(each for each in sorted(relations) if self._chance(0.5))
        return first, relations - first

    def _any(self, relations: frozenset[str], things: Sequence[GraphNode] | None = None) -> GraphNode:
        """A thing that has what the relations tell."""
        pool = (
            self._lifted if HEAVIER in relations and self._chance(0.7) else self._things if things is None else things
        )
        if CONTAINED in relations:
            pool = [node for node in self._things if node.relation == "in"]
        elif ON_TOP in relations:
            pool = [node for node in self._things if node.relation == "on"]
        return self._of(pool)

    def _quantity(self, relation: str) -> str:
        return "mass" if relation == HEAVIER else self._of(_SIZES)

    def _value(self, attribute: str) -> str:
        """A word of an attribute, as common as it is in the house."""
        return self._word(self._of(self._things), attribute)

    def _word(self, node: GraphNode, attribute: str) -> str:
        word = self._truths.word(node, attribute)
        if not word:
            raise _NothingError
        return word

    def _of(self, choices: Sequence[T]) -> T:
        if not choices:
            raise _NothingError
        return choices[int(self._rng.integers(len(choices)))]

    def _chance(self, share: float) -> bool:
        return bool(self._rng.random() < share)

    # Checks -----------------------------------------------------------------------------------------------------------

    def _checked(
        self, program: steps.Program, family: str, kind: str, relations: frozenset[str], yes: bool
    ) -> Draft | None:
        if relations_of(program) != relations or not told_clearly(program):
            return None
        outcome = self._executor.run(program)
        if outcome.value is None or (kind == YES_NO and outcome.value is not yes):
            return None
        if kind == COUNT and not 0 <= int(outcome.value) <= _MOST_MEMBERS:  # type: ignore[arg-type]
            return None
        if any(other.run(program).value != outcome.value for other in self._others):
            return None
        sets = [step for step in steps_of(program) if isinstance(step, _NARROWING)]
        if not all(self._narrows(step) for step in sets):
            return None
        lifted = self._to_lift(program)
        if lifted is None or not self._is_clear(program):
            return None
        targets = self._targets(program, outcome.objects)
        opened = self._to_open(program, targets)
        if opened is None or not set(targets) <= self._evidence.seen:
            return None
        text = worded_program(program, self._rng)
        answer = answer_words(outcome.value)
        return Draft(text, program, family, kind, relations, answer, targets, lifted, opened)

    def _narrows(self, step: steps.ObjectSet) -> bool:
        before, after = self._executor.members(step.objects), self._executor.members(step)  # type: ignore[union-attr]
        return before is not None and after is not None and len(after) < len(before)

    def _members(self, objects: steps.ObjectSet) -> list[GraphNode]:
        return [self._truths.nodes[key] for key in self._executor.members(objects) or ()]

    def _to_lift(self, program: steps.Program) -> tuple[int, ...] | None:
        """What has to be lifted, where all of it can be, and can be told apart by lifting; None otherwise.

        What is too heavy to be lifted is known to be heavier than what is not.
        """
        found: dict[int, None] = {}
        for node, other in weighed_pairs(program, self._executor, self._truths.nodes):
            if other.instance_id not in self._evidence.lifted:
                return None
            if node.instance_id not in self._evidence.lifted:
                if 0.0 < node.mass < _HEAVY:
                    return None
                continue
            low, high = sorted((node.mass, other.mass))
            if high < self._limits.mass_ratio * low or high - low < self._limits.mass_apart:
                return None
            found.update(dict.fromkeys((other.instance_id, node.instance_id)))
        if (
            any(True for _ in weighed_pairs(program, self._executor, self._truths.nodes))
            and not 2 <= len(found) <= _MOST_LIFTED
        ):
            return None
        return tuple(found)

    def _is_clear(self, program: steps.Program) -> bool:
        """Whether sizes that are compared differ enough to be told apart by looking."""
        for quantity in _SIZES:
            for node, other in compared_pairs(program, self._executor, self._truths.nodes, (quantity,)):
                amounts = self._truths.amount(node, quantity), self._truths.amount(other, quantity)
                if None in amounts:
                    return False
                low, high = sorted(amounts)  # type: ignore[type-var]
                if high < self._limits.size_ratio * low:  # type: ignore[operator]
                    return False
        return True

    def _targets(self, program: steps.Program, objects: Iterable[int]) -> tuple[int, ...]:
        """Things that the answer rests on: those that are named or counted, and those that the last condition of what
        is there, or not, is put to."""
        found = [key for key in objects if key > 0]
        for step in steps_of(program):
            if isinstance(step, steps.Unique):
                found += self._executor.members(step.objects) or ()
        if isinstance(program, steps.Exist) and isinstance(program.objects, _NARROWING):
            last = self._executor.members(program.objects.objects) or ()
            found += last if len(last) <= _MOST_MEMBERS and not found else ()
        return tuple(dict.fromkeys(key for key in found if key > 0))

    def _to_open(self, program: steps.Program, targets: Sequence[int]) -> tuple[int, ...] | None:
        """What has to be opened; None where that cannot be."""
        evidence = self._evidence
        opened = [evidence.holders[key] for key in targets if key in evidence.holders]
        for step in steps_of(program):
            if isinstance(step, steps.Relate) and step.relation == "in":
                anchor = self._members(step.anchor.objects)[0]
                if "closed" in anchor.states:
                    if anchor.instance_id not in evidence.opened:
                        return None
                    opened.append(anchor.instance_id)
        return tuple(dict.fromkeys(opened))


class _NothingError(Exception):
    """No such program can be drawn from what was drawn so far."""


_HEAVY = 6.0  # kg: what nobody can lift
_NARROWING = (steps.Filter, steps.Relate, steps.Compared)
_FAMILIES_OF = {
    YES_NO: (
        "exist",
        "exist_related",
        "exist_compared",
        "verify",
        "compare_attribute",
        "compare_number",
        "compare_quantity",
    ),
    COUNT: ("count", "count_chained"),
    QUERY: ("query", "query_each"),
}


def steps_of(step: object) -> Iterator[steps.Step]:
    """All steps of a program, itself included."""
    if not isinstance(step, steps.Step):
        return
    yield step
    for name in step.__dataclass_fields__:
        yield from steps_of(getattr(step, name))


def kind_of(program: steps.Program) -> str:
    """The type of a question, of ``TYPES``."""
    if isinstance(program, steps.Count):
        return COUNT
    return QUERY if isinstance(program, (steps.Query, steps.QueryEach)) else YES_NO


def weighed_pairs(
    program: steps.Program, executor: Executor, nodes: Mapping[int, GraphNode]
) -> Iterator[tuple[GraphNode, GraphNode]]:
    """Things whose masses a program compares."""
    return compared_pairs(program, executor, nodes, ("mass",))


def compared_pairs(
    program: steps.Program, executor: Executor, nodes: Mapping[int, GraphNode], quantities: Sequence[str]
) -> Iterator[tuple[GraphNode, GraphNode]]:
    """Things, and what they are compared with in one of these quantities."""

    def members(objects: steps.ObjectSet) -> list[GraphNode]:
        return [nodes[key] for key in executor.members(objects) or ()]

    for step in steps_of(program):
        if isinstance(step, steps.Compared) and step.quantity in quantities:
            other = members(step.one.objects)[0]
            yield from ((node, other) for node in members(step.objects) if node is not other)
        elif isinstance(step, steps.CompareQuantity) and step.quantity in quantities:
            yield members(step.first.objects)[0], members(step.second.objects)[0]


def relations_of(program: steps.Program) -> frozenset[str]:
    """The relations that a program turns on, of ``RELATIONS``."""
    found = set()
    for step in steps_of(program):
        attribute = getattr(step, "attribute", "")
        if attribute in (COLOR, MATERIAL):
            found.add(attribute)
        if isinstance(step, (steps.Relate, steps.VerifyRelation)) and step.relation in _BY_STEP:
            found.add(_BY_STEP[step.relation])
        if isinstance(step, (steps.Compared, steps.CompareQuantity, steps.Most)):
            found.add(HEAVIER if step.quantity == "mass" else LARGER)
    return frozenset(found)


def answer_words(value: object) -> str:
    """An answer as gold data say it: yes, no, digits, or words with commas between, in alphabetical order."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(sorted(value))
    return str(value)
