"""Exact answers: runs a program (``programs``) on a true scene graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from vantage.config import RelationSettings
from vantage.questions import programs as steps
from vantage.questions.truths import Truths
from vantage.scenes.geometry.relations import SIDES
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.types import Point


@dataclass(frozen=True)
class Outcome:
    """What a program comes to.

    Attributes:
        value: a truth value, a number or a word; None when there is a problem.
        things: ids that the value rests on, of rooms ``-room_id``; with a problem, those among which it is not decided.
        problem: empty, ``none`` or ``several`` where one thing was expected, or ``unknown`` where the graph does not
            have the word or the number (a mass that nobody knows, a view from an asker who is nowhere).
    """

    value: bool | int | str | None
    things: tuple[int, ...] = ()
    problem: str = ""


def execute(
    program: steps.Program,
    graph: SceneGraph,
    asker: Point | None = None,
    settings: RelationSettings | None = None,
    hidden: bool = False,
) -> Outcome:
    """The exact outcome of a program.

    Args:
        program: what is asked, in the words of the graph.
        graph: the truth.
        asker: where the asker stands (world frame, m), for sides and distances that name no other place.
        settings: thresholds of relations and comparisons, the usual ones when not given.
        hidden: whether things inside closed containers count. Usually they do not: nobody can see them.
    """
    return Executor(graph, asker, settings, hidden).run(program)


class Executor:
    """Runs several programs on one graph; see ``execute`` for the arguments."""

    def __init__(
        self,
        graph: SceneGraph,
        asker: Point | None = None,
        settings: RelationSettings | None = None,
        hidden: bool = False,
    ) -> None:
        self._truths = Truths(graph, settings or RelationSettings(), hidden)
        self._asker = asker

    def run(self, program: steps.Program) -> Outcome:
        """The exact outcome of a program."""
        try:
            return self._answer(program)
        except _PremiseError as failure:
            return Outcome(None, failure.things, failure.problem)

    def members(self, step: steps.Things) -> tuple[int, ...] | None:
        """Ids of the members of a set, in the order of the graph; None where a premise of the step fails."""
        try:
            return _ids(self._set(step))
        except _PremiseError:
            return None

    def _answer(self, program: steps.Program) -> Outcome:
        if isinstance(program, steps.Count):
            counted = self._set(program.things)
            return Outcome(len(counted), _ids(counted))
        if isinstance(program, steps.Exist):
            found = self._set(program.things)
            return Outcome(bool(found), _ids(found))
        if isinstance(program, steps.Query):
            return self._query(self._one(program.one), program.attribute)
        if isinstance(program, steps.Verify):
            one = self._one(program.one)
            return Outcome(self._truths.has(one, program.attribute, program.value), _ids([one]))
        if isinstance(program, steps.VerifyRelation):
            one, anchor = self._one(program.one), self._one(program.anchor)
            viewer = self._viewer(program.relation, program.viewer)
            return Outcome(self._truths.stands(one, program.relation, anchor, viewer), _ids([one, anchor]))
        if isinstance(program, steps.CompareNumber):
            left, right = self._set(program.first), self._set(program.second)
            return Outcome(_NUMERIC[program.relation](len(left), len(right)), _ids([*left, *right]))
        first, second = self._one(program.first), self._one(program.second)
        both = _ids([first, second])
        if isinstance(program, steps.CompareAttribute):
            return Outcome(self._truths.same(first, second, program.attribute), both)
        more, less = (self._amount(node, program.quantity, None) for node in (first, second))
        if program.least:
            more, less = less, more
        return Outcome(more > less and more >= self._truths.settings.ratio * less, both)

    def _query(self, one: GraphNode, attribute: str) -> Outcome:
        word = self._truths.word(one, attribute)
        if not word:
            raise _PremiseError("unknown", _ids([one]))
        rests = [one.instance_id]
        if attribute == "place" and one.parent:
            rests.append(one.parent)
        elif attribute in ("place", "room") and one.room:
            rests.append(-one.room)
        return Outcome(word, tuple(dict.fromkeys(rests)))

    def _one(self, step: steps.One) -> GraphNode:
        found = self._set(step.things)
        if isinstance(step, steps.Most):
            anchor = None if step.anchor is None else self._one(step.anchor)
            found = self._extreme([node for node in found if node is not anchor], step, anchor)
        if len(found) != 1:
            raise _PremiseError("several" if found else "none", _ids(found))
        return found[0]

    def _extreme(self, nodes: list[GraphNode], step: steps.Most, anchor: GraphNode | None) -> list[GraphNode]:
        """The node with the most or the least, and those that come so near to it that nobody could tell."""
        amounts = [(self._amount(node, step.quantity, anchor), node) for node in nodes]
        ratio, values = self._truths.settings.ratio, [amount for amount, _ in amounts]
        if step.least:
            return [node for amount, node in amounts if amount <= ratio * min(values)]
        return [node for amount, node in amounts if ratio * amount >= max(values)]

    def _amount(self, node: GraphNode, quantity: str, anchor: GraphNode | None) -> float:
        if quantity == "distance":
            return self._truths.distance(node, anchor or self._spot())
        amount = self._truths.amount(node, quantity)
        if amount is None:
            raise _PremiseError("unknown", _ids([node]))
        return amount

    def _spot(self) -> Point:
        if self._asker is None:
            raise _PremiseError("unknown", ())
        return self._asker

    def _viewer(self, relation: str, viewer: steps.One | None) -> Point | None:
        if relation not in SIDES:
            return None
        return self._spot() if viewer is None else self._one(viewer).center

    def _set(self, step: steps.Things) -> list[GraphNode]:
        if isinstance(step, steps.Scene):
            return self._truths.things
        if isinstance(step, steps.Rooms):
            return self._truths.rooms
        if isinstance(step, steps.Filter):
            return [node for node in self._set(step.things) if self._truths.has(node, step.attribute, step.value)]
        if isinstance(step, steps.Relate):
            anchor, viewer = self._one(step.anchor), self._viewer(step.relation, step.viewer)
            nodes = self._set(step.things)
            return [node for node in nodes if self._truths.stands(node, step.relation, anchor, viewer)]
        if isinstance(step, steps.Between):
            first, second = self._one(step.first), self._one(step.second)
            return [node for node in self._set(step.things) if self._truths.is_between(node, first, second)]
        if isinstance(step, steps.Union):
            either = (*self._set(step.first), *self._set(step.second))
            return [self._truths.nodes[key] for key in _ids(either)]
        if isinstance(step, steps.Intersect):
            common = set(_ids(self._set(step.second)))
            return [node for node in self._set(step.first) if node.instance_id in common]
        one = self._one(step.one)
        others = self._truths.rooms if one.instance_id < 0 else self._truths.things
        return [node for node in others if node is not one and self._truths.same(one, node, step.attribute)]


class _PremiseError(Exception):
    """A premise of a step does not hold."""

    def __init__(self, problem: str, things: tuple[int, ...]) -> None:
        super().__init__(problem)
        self.problem, self.things = problem, things


_NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "equal": lambda first, second: first == second,
    "more": lambda first, second: first > second,
    "fewer": lambda first, second: first < second,
}


def _ids(nodes: Iterable[GraphNode]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(node.instance_id for node in nodes))
