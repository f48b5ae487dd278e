"""Questions about a house as chains of steps (EXCALIBUR, section 3.3), in families after CLEVR (Johnson et al. 2017).

A draft is kept where every condition narrows what it is put on, where the answer stays the same when thresholds are
drawn somewhat otherwise, and where everything that it turns on can be seen, lifted or opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vantage.benchmarks.excalibur.evidence import Evidence
from vantage.benchmarks.excalibur.needed_evidence import (
    MOST_MEMBERS,
    NARROWING,
    Needed,
    NeededEvidence,
    NotGatheredError,
    steps_of,
)
from vantage.benchmarks.excalibur.program_draws import NothingDrawnError, ProgramDraws, families_of
from vantage.benchmarks.excalibur.question_labels import (
    ADJACENT,
    COLOR,
    CONTAINED,
    HEAVIER,
    LARGER,
    MATERIAL,
    ON_TOP,
    SIZES,
    YES_NO,
)
from vantage.config import RelationSettings
from vantage.questions import Executor, Truths, programs as steps
from vantage.questions.generation import told_clearly, worded_program
from vantage.questions.lexicon import UNCOUNTED
from vantage.scenes.graph import SceneGraph

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
_MOST_NUMBER, _MOST_APART = 5, 2  # of two numbers that are compared, and of their difference
_NUMBERS_LATE = 0.5  # of questions that compare numbers, before which other families are tried
_LEAST_EACH, _MOST_VALUES = 2, 4  # things that are asked about together, and words that such an answer has
_FAR_APART = 2.5  # times as large or heavy: farther apart, the names of the things tell which has more
_MOST_TOLD = 2  # other things by which one is told
_NO_THINGS = frozenset({"doorway"})  # objects that nobody would call things
_SHIFTED = (0.75, 1.25)  # times the thresholds of relations, with which the answer is the same


@dataclass(frozen=True)
class Draft:
    """One question and what is known of it.

    Attributes:
        kind: of ``TYPES``.
        relations: of ``RELATIONS``, those that it turns on.
        needed: what has to be seen, lifted and opened to answer it.
    """

    text: str
    program: steps.Program
    family: str
    kind: str
    relations: frozenset[str]
    answer: str
    needed: Needed


class HouseQuestions:
    """Draws questions about one house.

    Args:
        relations: thresholds by which the gold answers are.
    """

    def __init__(
        self, graph: SceneGraph, evidence: Evidence, relations: RelationSettings, rng: np.random.Generator
    ) -> None:
        self._rng = rng
        self._truths = Truths(graph, relations, hidden=True)
        self._executor = Executor(graph, None, relations, hidden=True)
        self._needed = NeededEvidence(self._truths, self._executor, evidence)
        known = replace(
            graph, nodes=tuple(node for node in graph.nodes if node.is_structure or node.instance_id in evidence.seen)
        )
        shifted = [
            replace(relations, touch=share * relations.touch, beside=share * relations.beside) for share in _SHIFTED
        ]
        self._others = [Executor(known, None, relations, hidden=True)]
        self._others += [Executor(graph, None, each, hidden=True) for each in shifted]
        objects = [node for node in self._truths.objects if node.instance_id in evidence.seen]
        self._no_things = {node.instance_id for node in objects if node.label in _NO_THINGS}
        things = [node for node in objects if node.instance_id not in self._no_things]
        lifted = [node for node in things if node.instance_id in evidence.lifted]
        self._draws = ProgramDraws(self._truths, self._executor, things, lifted, rng)

    def draw(self, kind: str, relations: frozenset[str], yes: bool, family: str = "", tries: int = 120) -> Draft | None:
        """A question of a type that turns on these relations and no others; None where none was found.

        Which family it is of is drawn first, so that it tells nothing of the answer.

        Args:
            yes: the answer of a yes/no question.
            family: that it has to be of; any of that type and these relations where it is not given.
            tries: of each family.
        """
        families = (family,) if family else families_of(kind, relations)
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
        if not self._is_fair(program) or has_uncounted(program) or reads_badly(program):
            return None
        if any(other.run(program).value != outcome.value for other in self._others):
            return None
        asked = program.objects if isinstance(program, steps.Exist) else None  # which may be so of all, or of none
        sets = [step for step in steps_of(program) if isinstance(step, NARROWING) and step is not asked]
        if not all(self._narrows(step) for step in sets):
            return None
        try:
            needed = self._needed.of(program, outcome.objects)
        except NotGatheredError:
            return None
        if not self._no_things.isdisjoint(needed.targets):
            return None
        ratios = [self._needed.ratios(program, quantity) for quantity in ("mass", *SIZES)]
        if any(each and min(each) > _FAR_APART for each in ratios):
            return None
        text = worded_program(program, self._rng)
        answer = answer_words(outcome.value)
        return Draft(text, program, family, kind, relations, answer, needed)

    def _is_fair(self, program: steps.Program) -> bool:
        """Whether what has to be looked at is neither too much nor so little that the answer goes without saying."""
        if isinstance(program, steps.Count):
            return len(self._needed.members(program.objects)) <= MOST_MEMBERS
        if isinstance(program, steps.CompareNumber):
            first, second = (set(self._executor.members(each) or ()) for each in (program.first, program.second))
            low, high = sorted((len(first), len(second)))
            return (
                not (first <= second or second <= first)
                and low >= 1
                and high <= _MOST_NUMBER
                and high - low <= _MOST_APART
            )
        if isinstance(program, steps.QueryEach):
            values = self._executor.run(program).value
            several = _LEAST_EACH <= len(self._needed.members(program.objects)) <= MOST_MEMBERS
            return several and isinstance(values, tuple) and len(values) <= _MOST_VALUES
        if isinstance(program, steps.Exist) and isinstance(program.objects, NARROWING):
            return 0 < len(self._needed.members(program.objects.objects)) <= MOST_MEMBERS
        return True

    def _narrows(self, step: steps.ObjectSet) -> bool:
        before, after = self._executor.members(step.objects), self._executor.members(step)  # type: ignore[union-attr]
        return before is not None and after is not None and len(after) < len(before)


def has_uncounted(program: steps.Program) -> bool:
    """Whether it speaks of several, or of any, of what nobody counts, such as bread."""
    sets = [getattr(program, name, None) for name in ("objects", "first", "second")]
    labels = set()
    for objects in sets:
        while isinstance(objects, NARROWING):
            labels.add(getattr(objects, "value", ""))
            objects = objects.objects
    return not labels.isdisjoint(UNCOUNTED)


def reads_badly(program: steps.Program) -> bool:
    """Whether a room is told of a thing that is next to, on or in another one, a thing is told by three others, or what
    tells of a thing is itself told by its room and another one."""
    chains = [tuple(_chain(step)) for step in steps_of(program) if isinstance(step, NARROWING)]
    if any(sum(not isinstance(step, steps.Filter) for step in chain) > _MOST_TOLD for chain in chains):
        return True
    for step in (each for chain in chains for each in chain):
        if isinstance(step, steps.Relate) and _tells_room(step.objects):
            return True
        if isinstance(step, (steps.Relate, steps.Compared)):
            end = step.anchor if isinstance(step, steps.Relate) else step.one
            if _tells_room(end.objects) and any(not isinstance(each, steps.Filter) for each in _chain(end.objects)):
                return True
    return False


def _tells_room(objects: steps.ObjectSet) -> bool:
    return any(isinstance(step, steps.Filter) and step.attribute == "room" for step in _chain(objects))


def _chain(objects: steps.ObjectSet) -> Iterator[steps.Filter | steps.Relate | steps.Compared]:
    """The conditions of a set, the last one first."""
    while isinstance(objects, NARROWING):
        yield objects
        objects = objects.objects


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
