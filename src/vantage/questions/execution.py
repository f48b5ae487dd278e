"""The exact executor: runs a program (``programs``) on a true scene graph.

Words are compared as the graph has them; whoever asks brings synonyms into that form first. Rooms take part as objects
with the id ``-room_id``, so that ids of rooms and objects never collide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from vantage.config import RelationSettings
from vantage.questions import programs as steps
from vantage.questions.lexicon import is_for
from vantage.scenes.geometry import SIDES, between, gap, measure, related, ruled_out
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.scenes.spec import signed_area
from vantage.types import Point


class Truths:
    """A scene graph as questions see it.

    Attributes:
        nodes: by id; a room is a node with the box of its inner space and its kind as label.
        objects: what ``scene()`` means: no structure, and nothing that is inside a closed container unless ``hidden``.
        rooms: what ``rooms()`` means.
    """

    def __init__(self, graph: SceneGraph, settings: RelationSettings, hidden: bool) -> None:
        self.settings = settings
        self._rooms = {-room.room_id: room for room in graph.rooms}
        self.nodes = {node.instance_id: node for node in graph.nodes}
        self.objects = [node for node in graph.objects() if hidden or not self.is_hidden(node)]
        self.rooms = [_room_node(key, graph) for key in self._rooms]
        self.nodes |= {node.instance_id: node for node in self.rooms}
        self._having: dict[tuple[str, str], frozenset[int]] = {}

    def is_hidden(self, node: GraphNode) -> bool:
        """Whether a closed container holds it, at any depth."""
        while node.parent in self.nodes:
            parent = self.nodes[node.parent]
            if node.relation == "in" and "closed" in parent.states:
                return True
            node = parent
        return False

    def is_at(self, node: GraphNode, anchor: GraphNode) -> bool:
        """Whether an object is on or in another, at any depth, or anywhere in a room."""
        if anchor.instance_id < 0:
            return node.instance_id > 0 and node.room == anchor.room
        while node.parent in self.nodes:
            if node.parent == anchor.instance_id:
                return True
            node = self.nodes[node.parent]
        return False

    def stands(self, node: GraphNode, relation: str, anchor: GraphNode, viewer: Point | None) -> bool:
        """Whether an object stands in a relation (of ``programs.RELATIONS``) to another, or is ``in`` a room."""
        if relation == "at" or (relation == "in" and anchor.instance_id < 0):
            return self.is_at(node, anchor)
        if relation in ("on", "in"):
            return node.parent == anchor.instance_id and node.relation == relation
        if node is anchor or self._excludes(relation, node, anchor):
            return False
        return related(relation, node, anchor, self.settings, viewer)

    def is_between(self, node: GraphNode, first: GraphNode, second: GraphNode) -> bool:
        """Whether an object is between two others."""
        if any(node is end or self._excludes("between", node, end) for end in (first, second)):
            return False
        return between(node, first, second, self.settings)

    def has(self, node: GraphNode, attribute: str, value: str) -> bool:
        """Whether an attribute has a value; an object has each of its states, and letters may be small or capital."""
        if attribute == "state":
            return value in node.states
        if attribute == "text":
            return bool(value.strip()) and _plain(node.text) == _plain(value)
        if attribute == "use":
            return is_for(node.label, value)
        return bool(value) and self.word(node, attribute) == value

    def having(self, attribute: str, value: str) -> frozenset[int]:
        """Ids of all objects and rooms of which an attribute has a value."""
        key = attribute, value
        if key not in self._having:
            nodes = (*self.objects, *self.rooms)
            self._having[key] = frozenset(node.instance_id for node in nodes if self.has(node, attribute, value))
        return self._having[key]

    def same(self, one: GraphNode, other: GraphNode, attribute: str) -> bool:
        """Whether two objects share an attribute that both have; places and rooms are the same, not just alike."""
        if attribute == "room":
            return one.room == other.room != 0
        if attribute == "place" and (one.parent or other.parent):
            return (one.relation, one.parent) == (other.relation, other.parent)
        if attribute == "place":
            return one.room == other.room
        word = self.word(one, attribute)
        return bool(word) and self.word(other, attribute) == word

    def word(self, node: GraphNode, attribute: str) -> str:
        """The value of an attribute (of ``programs.QUERIES``) in words; empty where no word is right."""
        if attribute == "state":
            return " and ".join(node.states)
        if attribute in _COMPARED:
            return self._relative_word(node, attribute)
        if attribute == "room":
            room = self._rooms.get(-node.room)
            return "" if room is None else room.label
        if attribute == "place":
            return self._place(node)
        word: str = getattr(node, attribute)
        return word

    def amount(self, node: GraphNode, quantity: str) -> float | None:
        """How much of a quantity (of ``programs.QUANTITIES`` but distance), SI; None where nobody knows.

        The size of a room is the area of its floor in m^2, of an object its largest extent in m.
        """
        if quantity == "mass":
            return node.mass if node.mass > 0 else None
        room = self._rooms.get(node.instance_id)
        if room is not None and quantity in ("size", "volume"):
            return signed_area(room.outline) * (room.height if quantity == "volume" else 1.0)
        return measure(quantity, node)

    def distance(self, node: GraphNode, place: GraphNode | Point) -> float:
        """Shortest distance of an object from another or from a point, m."""
        if not isinstance(place, GraphNode):
            place = GraphNode(0, "point", "", "", place, place)
        return gap(node, place)

    def _excludes(self, relation: str, node: GraphNode, anchor: GraphNode) -> bool:
        both_rooms = node.instance_id < 0 and anchor.instance_id < 0
        same_room = both_rooms or 0 in (node.room, anchor.room) or node.room == anchor.room
        return ruled_out(relation, self.is_at(node, anchor), self.is_at(anchor, node), same_room)

    def _place(self, node: GraphNode) -> str:
        if node.instance_id < 0:
            return ""
        parent = self.nodes.get(node.parent)
        if parent is not None:
            return f"{node.relation} the {parent.label}"
        room = self.word(node, "room")
        return f"in the {room}" if room else "on the floor"

    def _relative_word(self, node: GraphNode, attribute: str) -> str:
        """Small or large, light or heavy: in comparison with others of the label."""
        quantity, (less, more) = _COMPARED[attribute]
        mean, amount = self._means[quantity].get(_group(node)), self.amount(node, quantity)
        if mean is None or amount is None:
            return ""
        if amount >= self.settings.ratio * mean:
            return more
        return less if self.settings.ratio * amount <= mean else ""

    @cached_property
    def _means(self) -> dict[str, dict[tuple[str, bool], float]]:
        """By quantity, the mean of the objects of one label, where it is known of several."""
        return {quantity: self._mean_amounts(quantity) for quantity, _ in _COMPARED.values()}

    def _mean_amounts(self, quantity: str) -> dict[tuple[str, bool], float]:
        amounts: dict[tuple[str, bool], list[float]] = {}
        for node in (*self.objects, *self.rooms):
            if (amount := self.amount(node, quantity)) is not None:
                amounts.setdefault(_group(node), []).append(amount)
        return {key: sum(values) / len(values) for key, values in amounts.items() if len(values) > 1}


_COMPARED = {"size": ("size", steps.SIZES), "weight": ("mass", steps.WEIGHTS)}  # attribute: quantity, less and more


def _room_node(key: int, graph: SceneGraph) -> GraphNode:
    room = next(room for room in graph.rooms if room.room_id == -key)
    xs, ys = zip(*room.outline, strict=True)
    floor = graph.bounds_min[2]
    low, high = (min(xs), min(ys), floor), (max(xs), max(ys), floor + room.height)
    return GraphNode(key, room.label, "", "", low, high, room=room.room_id)


def _group(node: GraphNode) -> tuple[str, bool]:
    return node.label, node.instance_id < 0


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


@dataclass(frozen=True)
class Outcome:
    """What a program comes to.

    Attributes:
        value: a truth value, a number, a word or several words in the order of the alphabet; None when there is a
            problem.
        objects: ids that the value rests on, of rooms ``-room_id``; with a problem, those among which it is not
            decided.
        problem: empty, ``none`` or ``several`` where one object was expected (or ``none`` where some were), or
            ``unknown`` where the graph does not have the word or the number (a mass that nobody knows, a view from an
            asker who is nowhere).
    """

    value: bool | int | str | tuple[str, ...] | None
    objects: tuple[int, ...] = ()
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
        hidden: whether objects inside closed containers count. Usually they do not: nobody can see them.
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
            return Outcome(None, failure.objects, failure.problem)

    def members(self, step: steps.ObjectSet) -> tuple[int, ...] | None:
        """Ids of the members of a set, in the order of the graph; None where a premise of the step fails."""
        try:
            return _ids(self._set(step))
        except _PremiseError:
            return None

    def _answer(self, program: steps.Program) -> Outcome:
        if isinstance(program, steps.Count):
            counted = self._set(program.objects)
            return Outcome(len(counted), _ids(counted))
        if isinstance(program, steps.Exist):
            found = self._set(program.objects)
            return Outcome(bool(found), _ids(found))
        if isinstance(program, steps.Query):
            return self._query(self._one(program.one), program.attribute)
        if isinstance(program, steps.QueryEach):
            return self._query_each(self._set(program.objects), program.attribute)
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
        if isinstance(program, steps.Alike):
            members = self._set(program.one.objects)
            if len(members) < 2:
                raise _PremiseError("none", _ids(members))
            words = {self._query(node, program.attribute).value for node in members}
            return Outcome(len(words) == 1, _ids(members))
        first, second = self._one(program.first), self._one(program.second)
        both = _ids([first, second])
        if isinstance(program, steps.CompareAttribute):
            return Outcome(self._truths.same(first, second, program.attribute), both)
        return Outcome(self._exceeds(first, second, program.quantity, program.least), both)

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

    def _query_each(self, members: list[GraphNode], attribute: str) -> Outcome:
        if not members:
            raise _PremiseError("none", ())
        if attribute == "state":
            words = {state for node in members for state in node.states}
        else:
            words = {self._truths.word(node, attribute) for node in members} - {""}
        if not words:
            raise _PremiseError("unknown", _ids(members))
        return Outcome(tuple(sorted(words)), _ids(members))

    def _exceeds(self, first: GraphNode, second: GraphNode, quantity: str, least: bool) -> bool:
        more, less = (self._amount(node, quantity, None) for node in (first, second))
        if least:
            more, less = less, more
        return more > less and more >= self._truths.settings.ratio * less

    def _one(self, step: steps.One) -> GraphNode:
        found = self._set(step.objects)
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

    def _set(self, step: steps.ObjectSet) -> list[GraphNode]:
        if isinstance(step, steps.Scene):
            return self._truths.objects
        if isinstance(step, steps.Rooms):
            return self._truths.rooms
        if isinstance(step, steps.Filter):
            having = self._truths.having(step.attribute, step.value)
            return [node for node in self._set(step.objects) if node.instance_id in having]
        if isinstance(step, steps.Relate):
            anchor, viewer = self._one(step.anchor), self._viewer(step.relation, step.viewer)
            nodes = self._set(step.objects)
            return [node for node in nodes if self._truths.stands(node, step.relation, anchor, viewer)]
        if isinstance(step, steps.Between):
            first, second = self._one(step.first), self._one(step.second)
            return [node for node in self._set(step.objects) if self._truths.is_between(node, first, second)]
        if isinstance(step, steps.Compared):
            one = self._one(step.one)
            others = [node for node in self._set(step.objects) if node is not one]
            return [node for node in others if self._exceeds(node, one, step.quantity, step.least)]
        if isinstance(step, steps.Union):
            either = (*self._set(step.first), *self._set(step.second))
            return [self._truths.nodes[key] for key in _ids(either)]
        if isinstance(step, steps.Intersect):
            common = set(_ids(self._set(step.second)))
            return [node for node in self._set(step.first) if node.instance_id in common]
        one = self._one(step.one)
        others = self._truths.rooms if one.instance_id < 0 else self._truths.objects
        return [node for node in others if node is not one and self._truths.same(one, node, step.attribute)]


class _PremiseError(Exception):
    """A premise of a step does not hold."""

    def __init__(self, problem: str, objects: tuple[int, ...]) -> None:
        super().__init__(problem)
        self.problem, self.objects = problem, objects


_NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "equal": lambda first, second: first == second,
    "more": lambda first, second: first > second,
    "fewer": lambda first, second: first < second,
}


def _ids(nodes: Iterable[GraphNode]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(node.instance_id for node in nodes))
