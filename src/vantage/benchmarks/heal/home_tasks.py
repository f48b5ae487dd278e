"""Tasks in generated homes, by rules: open, close, switch on or off, put something somewhere, bring something.

Every goal is one that the home supports and that is not reached yet. A thing of which the home has several may be
any of them: the goal has an alternative for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from vantage.benchmarks.heal.home_room import FreeRoom
from vantage.benchmarks.heal.home_words import (
    BRING_TO_ROOM,
    BRING_TO_THING,
    CLOSE,
    NAMES,
    OPEN,
    PUT_IN,
    PUT_ON,
    SWITCH_OFF,
    SWITCH_ON,
)
from vantage.goals import EdgeGoal, Goal, Literal, NodeGoal, objects_of
from vantage.questions.lexicon import with_article
from vantage.scenes.facts import IN, ON
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.scenes.spec import OPENINGS, SceneSpec

_EACH = 2  # tasks of one kind in a home
_MOST_ALIKE = 2  # things of one label that a task may mean
_ROOMY = 0.8  # of what a thing is put in or on: how large it may be, along each side
_FOOD = frozenset({"apple", "banana", "bread", "can", "jar", "milk carton", "orange"})
_DISHES = frozenset({"bowl", "cup", "fork", "glass", "mug", "plate", "spoon"})
_CLOTH = frozenset({"blanket", "hat", "pillow", "towel"})
_INTO: Mapping[str, frozenset[str] | None] = {  # what belongs there; None for anything that fits
    "basket": None,
    "box": None,
    "cabinet": None,
    "chest": None,
    "crate": None,
    "dishwasher": _DISHES | {"pan", "pot"},
    "dresser": _CLOTH | {"book", "remote"},
    "fridge": _FOOD | {"bottle", "bowl"},
    "laundry basket": _CLOTH,
    "microwave": _DISHES - {"fork", "glass", "spoon"},
    "suitcase": _CLOTH | {"book", "shoe"},
    "wardrobe": _CLOTH | {"backpack", "shoe", "umbrella"},
    "washing machine": _CLOTH - {"hat"},
}
_ONTO = frozenset(
    {"armchair", "bed", "bench", "bookshelf", "chair", "counter", "desk", "dresser", "nightstand", "sofa", "table"}
)


@dataclass(frozen=True)
class HomeDraft:
    """A task in a home that is not worded yet.

    Attributes:
        kind: of ``home_words.KINDS``.
        things: instance ids of what it may mean, first of what is handled, then of the place; no rooms.
        phrases: the thing and the place, with articles; the latter is empty where the task names none.
    """

    kind: str
    name: str
    goal: Goal
    things: tuple[tuple[int, ...], ...]
    phrases: tuple[str, str]


def drafts(spec: SceneSpec, names: Mapping[int, str], rng: np.random.Generator) -> tuple[HomeDraft, ...]:
    """Tasks in a home, at most two of each kind, by lot.

    Args:
        names: of its things and rooms in the facts of the home, rooms by their ids with a minus.
    """
    home = _Home(spec, names)
    made: list[HomeDraft] = []
    for each in (home.states(), home.places(PUT_IN), home.places(PUT_ON), home.rooms(), home.things()):
        found = list(each)
        order = [found[index] for index in rng.permutation(len(found))]
        for kind in dict.fromkeys(draft.kind for draft in found):
            made += islice(_different(draft for draft in order if draft.kind == kind and home.has_room(draft)), _EACH)
    return tuple(made)


def _different(found: Iterable[HomeDraft]) -> Iterator[HomeDraft]:
    """Without those that handle the same thing as one before, or are called the same."""
    handled, names = set[tuple[int, ...]](), set[str]()
    for draft in found:
        if draft.name not in names and draft.things[0] not in handled:
            handled.add(draft.things[0])
            names.add(draft.name)
            yield draft


class _Home:
    """A home, asked for tasks of each kind."""

    def __init__(self, spec: SceneSpec, names: Mapping[int, str]) -> None:
        self._names = names
        self._graph = SceneGraph.from_spec(spec)
        self._specs = {obj.instance_id: obj for obj in spec.objects}
        self._by_label: dict[str, list[GraphNode]] = {}
        for node in self._graph.objects():
            self._by_label.setdefault(node.label, []).append(node)
        self._room = FreeRoom(spec, _ONTO)
        self._light = {obj.instance_id for obj in spec.objects if self._room.can_take(obj.instance_id)}

    def states(self) -> Iterator[HomeDraft]:
        """To open what is closed, to close what is open, to switch what is on or off."""
        for kind, before, state in (
            (OPEN, "closed", "open"),
            (CLOSE, "open", "closed"),
            (SWITCH_ON, "off", "on"),
            (SWITCH_OFF, "on", "off"),
        ):
            for label, nodes in self._few():
                jointed = all(self._specs[node.instance_id].joints for node in nodes)
                if label in OPENINGS or not all(before in node.states for node in nodes):
                    continue
                if kind in (SWITCH_ON, SWITCH_OFF) or jointed:
                    goals = [NodeGoal(self._names[node.instance_id], state) for node in nodes]
                    yield _draft(kind, label, nodes, "", (), goals)

    def places(self, kind: str) -> Iterator[HomeDraft]:
        """To put light things in or on what has room for them."""
        relation = IN if kind == PUT_IN else ON
        for (label, nodes), (place, others) in product(self._few(light=True), self._few()):
            known = _INTO.get(place, frozenset()) if kind == PUT_IN else None if place in _ONTO else frozenset()
            if label == place or (known is not None and label not in known):
                continue
            pairs = list(product(nodes, others))
            if all(self._may_move(*pair) and self._fits(*pair, inside=kind == PUT_IN) for pair in pairs):
                yield _draft(kind, label, nodes, place, others, self._edges(pairs, relation))

    def rooms(self) -> Iterator[HomeDraft]:
        """To bring light things to another room, of which the home has one alone."""
        labels = [room.label for room in self._graph.rooms]
        for (label, nodes), room in product(self._few(light=True), self._graph.rooms):
            if labels.count(room.label) == 1 and all(node.room and node.room != room.room_id for node in nodes):
                goals = [EdgeGoal(self._names[node.instance_id], IN, self._names[-room.room_id]) for node in nodes]
                yield _draft(BRING_TO_ROOM, label, nodes, room.label, (), goals)

    def things(self) -> Iterator[HomeDraft]:
        """To bring light things to furniture in another room, which is to put them on it."""
        for (label, nodes), (place, others) in product(self._few(light=True), self._few()):
            pairs = list(product(nodes, others))
            if place in _ONTO and all(
                pair[0].room != pair[1].room and self._may_move(*pair) and self._fits(*pair, inside=False)
                for pair in pairs
            ):
                yield _draft(BRING_TO_THING, label, nodes, place, others, self._edges(pairs, ON))

    def has_room(self, draft: HomeDraft) -> bool:
        """Whether every thing that a task may mean has room at every place that it may mean."""
        things = draft.things[0]
        if draft.kind == BRING_TO_ROOM:
            rooms = [-key for key, name in self._names.items() if key < 0 and name in objects_of(draft.goal)]
            return all(self._room.in_room(*pair) for pair in product(things, rooms))
        places = draft.things[1] if len(draft.things) > 1 else ()
        return all(self._room.at(*pair, inside=draft.kind == PUT_IN) for pair in product(things, places))

    def _few(self, light: bool = False) -> Iterator[tuple[str, list[GraphNode]]]:
        """Things of a label that a task can mean."""
        for label, nodes in self._by_label.items():
            if len(nodes) <= _MOST_ALIKE and (not light or all(node.instance_id in self._light for node in nodes)):
                yield label, nodes

    def _edges(self, pairs: Sequence[tuple[GraphNode, GraphNode]], relation: str) -> list[Literal]:
        return [
            EdgeGoal(self._names[one.instance_id], relation, self._names[other.instance_id]) for one, other in pairs
        ]

    def _may_move(self, node: GraphNode, place: GraphNode) -> bool:
        """Whether neither is on or in the other, however deep."""
        return not (self._within(node, place) or self._within(place, node))

    def _within(self, node: GraphNode, place: GraphNode) -> bool:
        while node.parent:
            node = self._graph.node(node.parent)
            if node.instance_id == place.instance_id:
                return True
        return False

    def _fits(self, node: GraphNode, place: GraphNode, inside: bool) -> bool:
        if inside and "closed" in place.states and not self._specs[place.instance_id].joints:
            return False
        small, large = (node.extents, place.extents) if inside else (node.extents[:2], place.extents[:2])
        return all(a <= _ROOMY * b for a, b in zip(sorted(small), sorted(large), strict=True))


def _draft(
    kind: str,
    label: str,
    nodes: Sequence[GraphNode],
    place: str,
    others: Sequence[GraphNode],
    goals: Sequence[Literal],
) -> HomeDraft:
    part = tuple((goal,) for goal in goals)
    things = tuple(tuple(node.instance_id for node in each) for each in (nodes, others) if each)
    phrases = _called(label, len(nodes)), _called(place, max(len(others), 1)) if place else ""
    return HomeDraft(kind, NAMES[kind].format(x=label, y=place), Goal((part,)), things, phrases)


def _called(label: str, number: int) -> str:
    return f"the {label}" if number == 1 else with_article(label)
