"""What can be asked about a scene graph without ambiguity."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from vantage.questions.kinds import STRUCTURE, SUPPORTS
from vantage.scenes.graph import GraphNode, SceneGraph

_FLOOR = 0.05  # m: higher bottoms do not rest on the floor
_SMALL = 0.65  # m: larger things are furniture, and nobody asks where the bed is
_HIGHEST_TOP = 1.4  # m: tops above it are hard to look at
_EITHER_RELATION = ("bookshelf", "shelf")  # people say "in" and "on" for the same place


class Facts:
    """A scene graph, seen as a source of questions.

    Things inside closed containers, structure and whatever hangs on or in these are never asked about, but they count
    when a description has to be unique.
    """

    def __init__(self, graph: SceneGraph) -> None:
        self.graph = graph
        self._nodes = {node.instance_id: node for node in graph.nodes}
        self._labels = Counter(node.label for node in graph.nodes)

    @cached_property
    def things(self) -> tuple[GraphNode, ...]:
        """Small things in sight, on or in a thing or on the floor."""
        return tuple(
            node
            for node in self.graph.nodes
            if node.label not in STRUCTURE
            and node.label not in SUPPORTS
            and not self.hidden(node)
            and max(b - a for a, b in zip(node.bounds_min, node.bounds_max, strict=True)) <= _SMALL
            and (self.support(node) is not None or self.on_floor(node))
        )

    @cached_property
    def supports(self) -> tuple[GraphNode, ...]:
        """Things on which, or in which, something can be looked for; each the only one with its label."""
        parents = {self.support_id(thing) for thing in self.things}
        return tuple(
            node
            for node in self.graph.nodes
            if self._labels[node.label] == 1
            and node.label not in STRUCTURE
            and (node.instance_id in parents or node.label in SUPPORTS)
            and not self.hidden(node)
            and (node.bounds_max[2] <= _HIGHEST_TOP or node.label == "bookshelf")
        )

    def hidden(self, node: GraphNode) -> bool:
        """Whether a closed container holds it."""
        while node.parent in self._nodes:
            parent = self._nodes[node.parent]
            if node.relation == "in" and "closed" in parent.states:
                return True
            node = parent
        return False

    def on_floor(self, node: GraphNode) -> bool:
        """Whether it stands on the bare floor."""
        parent = self._nodes.get(node.parent)
        on_structure = parent is None or parent.label == "floor"
        return on_structure and node.bounds_min[2] - self.graph.bounds_min[2] <= _FLOOR

    def support(self, node: GraphNode) -> GraphNode | None:
        """What it is directly on or in, structure left out."""
        parent = self._nodes.get(node.parent)
        return None if parent is None or parent.label in STRUCTURE else parent

    def support_id(self, node: GraphNode) -> int:
        """Identity of its support, 0 for none."""
        support = self.support(node)
        return 0 if support is None else support.instance_id

    def named_support(self, node: GraphNode) -> GraphNode | None:
        """Its support, when the support's label names it."""
        support = self.support(node)
        return support if support in self.supports else None

    def at(self, support: GraphNode, label: str = "") -> tuple[GraphNode, ...]:
        """Things in sight that are on or in a support, at any depth (an apple in a bowl on a table)."""
        return tuple(
            node
            for node in self.graph.nodes
            if label in ("", node.label) and not self.hidden(node) and self._is_below(support.instance_id, node)
        )

    def _is_below(self, support_id: int, node: GraphNode) -> bool:
        while node.parent in self._nodes:
            if node.parent == support_id:
                return True
            node = self._nodes[node.parent]
        return False

    def of(self, label: str, color: str = "", material: str = "") -> tuple[GraphNode, ...]:
        """All things, hidden ones included, that fit a description."""
        return tuple(
            node
            for node in self.graph.nodes
            if node.label == label and color in ("", node.color) and material in ("", node.material)
        )

    def place(self, node: GraphNode) -> str:
        """Where it is, in words: ``on the table``; empty when its place has no name."""
        support = self.support(node)
        if support is None:
            return "on the floor" if self.on_floor(node) else ""
        return f"{node.relation or 'on'} the {support.label}"

    def other_places(self, node: GraphNode) -> tuple[str, ...]:
        """Other wordings of the same place."""
        support = self.support(node)
        if support is None or support.label not in _EITHER_RELATION:
            return ()
        return (f"{'on' if node.relation == 'in' else 'in'} the {support.label}",)

    def relation_to(self, support: GraphNode) -> str:
        """The preposition for things at a support."""
        inside = [node for node in self.at(support) if node.parent == support.instance_id and node.relation == "in"]
        return "in" if inside or "open" in support.states else "on"
