"""Questions about a house as chains of steps (EXCALIBUR, section 3.3), in families after CLEVR (Johnson et al. 2017).

A draft is kept where every condition narrows what it is put on, where the answer stays the same when thresholds are
drawn somewhat otherwise, and where everything that it turns on can be seen, lifted or opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vantage.benchmarks.excalibur.evidence import Evidence
from vantage.benchmarks.excalibur.program_draws import SIZES, NothingDrawnError, ProgramDraws, families_of
from vantage.benchmarks.excalibur.question_labels import (
    ADJACENT,
    COLOR,
    CONTAINED,
    COUNT,
    HEAVIER,
    LARGER,
    MATERIAL,
    ON_TOP,
    YES_NO,
)
from vantage.config import RelationSettings
from vantage.questions import Executor, Truths, programs as steps
from vantage.questions.generation import told_clearly, worded_program
from vantage.questions.lexicon import UNCOUNTED
from vantage.scenes.graph import GraphNode, SceneGraph

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
_RATIO, _APART = 1.2, 0.1  # times as heavy, and kg heavier: what can be told apart by lifting
_SIZE_RATIO = 1.15
_MOST_LIFTED = 4  # things that one question may have to be lifted for
_MOST_MEMBERS = 8  # of a count, and of what has to be looked at to know that something is not there
_MOST_NUMBER, _MOST_APART = 5, 2  # of two numbers that are compared, and of their difference
_NUMBERS_LATE = 0.5  # of questions that compare numbers, before which other families are tried
_ZEROS_DROPPED = 0.75  # of counts of nothing, which are found most easily
_LEAST_EACH, _MOST_VALUES = 2, 4  # things that are asked about together, and words that such an answer has
_SIZES_APART = 2.5  # times as large: farther apart, the names of the things tell which is larger
_SHIFTED = (0.75, 1.25)  # times the thresholds of relations, with which the answer is the same


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
    """

    def __init__(
        self, graph: SceneGraph, evidence: Evidence, relations: RelationSettings, rng: np.random.Generator
    ) -> None:
        self._rng, self._evidence = rng, evidence
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
        lifted = [node for node in self._things if node.instance_id in evidence.lifted]
        self._draws = ProgramDraws(self._truths, self._executor, self._things, lifted, rng)

    def draw(self, kind: str, relations: frozenset[str], yes: bool, tries: int = 120) -> Draft | None:
        """A question of a type that turns on these relations and no others; None where none was found.

        Which family it is of is drawn first, so that it tells nothing of the answer.

        Args:
            yes: the answer of a yes/no question.
            tries: of each family.
        """
        families = families_of(kind, relations)
        order = self._rng.permutation(len(families)).tolist()
        if self._rng.random() < _NUMBERS_LATE:
            order.sort(key=lambda place: families[place] == "compare_number")
        for place in order:
            number = self._draws.of(steps.NUMERIC)
            for _ in range(tries):
                try:
                    program = self._draws.draw(families[place], relations, yes, number)
                except NothingDrawnError:
                    continue
                draft = self._checked(program, families[place], kind, relations, yes)
                if draft is not None:
                    return draft
        return None

    # Checks -----------------------------------------------------------------------------------------------------------

    def _checked(
        self, program: steps.Program, family: str, kind: str, relations: frozenset[str], yes: bool
    ) -> Draft | None:
        if relations_of(program) != relations or not told_clearly(program):
            return None
        outcome = self._executor.run(program)
        if outcome.value is None or (kind == YES_NO and outcome.value is not yes):
            return None
        if kind == COUNT and outcome.value == 0 and self._rng.random() < _ZEROS_DROPPED:
            return None
        if not self._is_fair(program) or has_uncounted(program):
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
        opened = self._to_open(program, (*targets, *lifted))
        if opened is None or not targets or not set(targets) <= self._evidence.seen:
            return None
        text = worded_program(program, self._rng)
        answer = answer_words(outcome.value)
        return Draft(text, program, family, kind, relations, answer, targets, lifted, opened)

    def _is_fair(self, program: steps.Program) -> bool:
        """Whether what has to be looked at is neither too much nor so little that the answer goes without saying."""
        if isinstance(program, steps.Count):
            return len(self._members(program.objects)) <= _MOST_MEMBERS
        if isinstance(program, steps.CompareNumber):
            low, high = sorted(len(self._members(each)) for each in (program.first, program.second))
            return low >= 1 and high <= _MOST_NUMBER and high - low <= _MOST_APART
        if isinstance(program, steps.QueryEach):
            values = self._executor.run(program).value
            several = _LEAST_EACH <= len(self._members(program.objects)) <= _MOST_MEMBERS
            return several and isinstance(values, tuple) and len(values) <= _MOST_VALUES
        if isinstance(program, steps.Exist) and isinstance(program.objects, _NARROWING):
            found, tried = self._members(program.objects), self._members(program.objects.objects)
            return len(found or tried) <= _MOST_MEMBERS
        return True

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
        for node, other in self._compared(program, ("mass",)):
            if other.instance_id not in self._evidence.lifted:
                return None
            if node.instance_id not in self._evidence.lifted:
                if 0.0 < node.mass < _HEAVY:
                    return None
                continue
            low, high = sorted((node.mass, other.mass))
            if high < _RATIO * low or high - low < _APART:
                return None
            found.update(dict.fromkeys((other.instance_id, node.instance_id)))
        if any(True for _ in self._compared(program, ("mass",))) and not 2 <= len(found) <= _MOST_LIFTED:
            return None
        return tuple(found)

    def _is_clear(self, program: steps.Program) -> bool:
        """Whether sizes that are compared differ enough to be told apart by looking, and are not all told by names."""
        for quantity in SIZES:
            ratios = []
            for node, other in self._compared(program, (quantity,)):
                amounts = self._truths.amount(node, quantity), self._truths.amount(other, quantity)
                if None in amounts:
                    return False
                low, high = sorted(amounts)  # type: ignore[type-var]
                if high < _SIZE_RATIO * low:  # type: ignore[operator]
                    return False
                ratios.append(high / low)  # type: ignore[operator]
            if ratios and min(ratios) > _SIZES_APART:
                return False
        return True

    def _compared(self, program: steps.Program, quantities: Sequence[str]) -> Iterator[tuple[GraphNode, GraphNode]]:
        """Things, and what they are compared with in one of these quantities."""
        for step in steps_of(program):
            if isinstance(step, steps.Compared) and step.quantity in quantities:
                other = self._members(step.one.objects)[0]
                yield from ((node, other) for node in self._members(step.objects) if node is not other)
            elif isinstance(step, steps.CompareQuantity) and step.quantity in quantities:
                yield self._members(step.first.objects)[0], self._members(step.second.objects)[0]

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


_HEAVY = 6.0  # kg: what nobody can lift
_NARROWING = (steps.Filter, steps.Relate, steps.Compared)


def steps_of(step: object) -> Iterator[steps.Step]:
    """All steps of a program, itself included."""
    if not isinstance(step, steps.Step):
        return
    yield step
    for name in step.__dataclass_fields__:
        yield from steps_of(getattr(step, name))


def has_uncounted(program: steps.Program) -> bool:
    """Whether it speaks of several, or of any, of what nobody counts, such as bread."""
    sets = [getattr(program, name, None) for name in ("objects", "first", "second")]
    labels = set()
    for objects in sets:
        while isinstance(objects, _NARROWING):
            labels.add(getattr(objects, "value", ""))
            objects = objects.objects
    return not labels.isdisjoint(UNCOUNTED)


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
