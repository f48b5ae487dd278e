"""What the answer to a question rests on: what has to be seen, lifted and opened, and whether all of it can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vantage.benchmarks.excalibur.evidence import Evidence
from vantage.benchmarks.excalibur.question_labels import SIZES
from vantage.questions import Executor, Truths, programs as steps
from vantage.scenes.graph import GraphNode

NARROWING = (steps.Filter, steps.Relate, steps.Compared)
MOST_MEMBERS = 8  # of a count, and of what has to be looked at to know that something is not there
_RATIO, _APART = 1.2, 0.1  # times as heavy, and kg heavier: what can be told apart by lifting
_SIZE_RATIO = 1.15
_MOST_LIFTED = 4  # things that one question may have to be lifted for
_HEAVY = 6.0  # kg: what nobody can lift


class NotGatheredError(Exception):
    """The evidence for a question cannot be gathered; says why, in words."""


@dataclass(frozen=True)
class Needed:
    """Instance ids of what has to be seen, lifted and opened to answer a question."""

    targets: tuple[int, ...]
    to_weigh: tuple[int, ...]
    to_open: tuple[int, ...]


class NeededEvidence:
    """Tells what questions about one house rest on."""

    def __init__(self, truths: Truths, executor: Executor, evidence: Evidence) -> None:
        self._truths, self._executor, self._evidence = truths, executor, evidence

    def of(self, program: steps.Program, objects: Iterable[int]) -> Needed:
        """What a question rests on.

        Args:
            objects: on which its value rests by its outcome.

        Raises:
            NotGatheredError: not all of that can be found out.
        """
        lifted = self._to_lift(program)
        self._check_sizes(program)
        targets = self._targets(program, objects)
        opened = self._to_open(program, (*targets, *lifted))
        if not targets:
            raise NotGatheredError("it turns on nothing that can be seen")
        for key in targets:
            if key not in self._evidence.seen:
                raise NotGatheredError(f"object {key} cannot be seen from free floor")
        return Needed(targets, lifted, opened)

    def compared(self, program: steps.Program, quantities: Sequence[str]) -> Iterator[tuple[GraphNode, GraphNode]]:
        """Things, and what they are compared with in one of these quantities."""
        for step in steps_of(program):
            if isinstance(step, steps.Compared) and step.quantity in quantities:
                other = self.members(step.one.objects)[0]
                yield from ((node, other) for node in self.members(step.objects) if node is not other)
            elif isinstance(step, steps.CompareQuantity) and step.quantity in quantities:
                yield self.members(step.first.objects)[0], self.members(step.second.objects)[0]

    def members(self, objects: steps.ObjectSet) -> list[GraphNode]:
        """The members of a set; none where a premise of it fails."""
        return [self._truths.nodes[key] for key in self._executor.members(objects) or ()]

    def ratios(self, program: steps.Program, quantity: str) -> list[float]:
        """How many times as much the one with more of each two things has that are compared in a quantity.

        Raises:
            NotGatheredError: nobody knows how much one has.
        """
        ratios = []
        for node, other in self.compared(program, (quantity,)):
            first, second = self._truths.amount(node, quantity), self._truths.amount(other, quantity)
            if not first or not second:
                raise NotGatheredError(
                    f"the {quantity} of object {(other if first else node).instance_id} is not known"
                )
            ratios.append(max(first, second) / min(first, second))
        return ratios

    def _to_lift(self, program: steps.Program) -> tuple[int, ...]:
        """What has to be lifted. What is too heavy to be lifted is known to be heavier than what is not."""
        found: dict[int, None] = {}
        for node, other in self.compared(program, ("mass",)):
            if other.instance_id not in self._evidence.lifted:
                raise NotGatheredError(f"object {other.instance_id} cannot be lifted")
            if node.instance_id not in self._evidence.lifted:
                if 0.0 < node.mass < _HEAVY:
                    raise NotGatheredError(f"object {node.instance_id} cannot be lifted")
                continue
            low, high = sorted((node.mass, other.mass))
            if high < _RATIO * low or high - low < _APART:
                raise NotGatheredError(
                    f"objects {node.instance_id} and {other.instance_id} are too nearly of one weight to be told apart"
                )
            found.update(dict.fromkeys((other.instance_id, node.instance_id)))
        weighed = any(getattr(step, "quantity", "") == "mass" for step in steps_of(program))
        if weighed and not 2 <= len(found) <= _MOST_LIFTED:
            raise NotGatheredError(f"{len(found)} things would have to be lifted, not 2 to {_MOST_LIFTED}")
        return tuple(found)

    def _check_sizes(self, program: steps.Program) -> None:
        """
        Raises:
            NotGatheredError: sizes that are compared cannot be told apart by looking.
        """
        for quantity in SIZES:
            if any(ratio < _SIZE_RATIO for ratio in self.ratios(program, quantity)):
                raise NotGatheredError(f"things that are compared are too nearly of one {quantity} to be told apart")

    def _targets(self, program: steps.Program, objects: Iterable[int]) -> tuple[int, ...]:
        """Things that the answer rests on: those that are named or counted, and those that the last condition of what
        is there, or not, is put to."""
        found = [key for key in objects if key > 0]
        for step in steps_of(program):
            if isinstance(step, steps.Unique):
                found += self._executor.members(step.objects) or ()
        if isinstance(program, steps.Exist) and isinstance(program.objects, NARROWING):
            last = self._executor.members(program.objects.objects) or ()
            found += last if len(last) <= MOST_MEMBERS and not found else ()
        return tuple(dict.fromkeys(key for key in found if key > 0))

    def _to_open(self, program: steps.Program, targets: Sequence[int]) -> tuple[int, ...]:
        """What has to be opened."""
        evidence = self._evidence
        opened = [evidence.holders[key] for key in targets if key in evidence.holders]
        for step in steps_of(program):
            if isinstance(step, steps.Relate) and step.relation == "in":
                anchor = self.members(step.anchor.objects)[0]
                if "closed" in anchor.states:
                    if anchor.instance_id not in evidence.opened:
                        raise NotGatheredError(f"object {anchor.instance_id} cannot be opened")
                    opened.append(anchor.instance_id)
        return tuple(dict.fromkeys(opened))


def steps_of(step: object) -> Iterator[steps.Step]:
    """All steps of a program, itself included."""
    if not isinstance(step, steps.Step):
        return
    yield step
    for name in step.__dataclass_fields__:
        yield from steps_of(getattr(step, name))
