"""What generated homes are as tasks know them: things by name, their states, where they are, and in which rooms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vantage.benchmarks.heal.base_tasks import Vocabulary
from vantage.benchmarks.heal.home_tasks import Terms
from vantage.goals import Fact, SceneFacts, SceneObject
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.scenes.spec import OPPOSITES, SceneSpec
from vantage.splats import load_home

TERMS = Terms("open", "closed", "on", "off", "in", "on", "next_to")
STATES = tuple(state for pair in OPPOSITES for state in pair)
VOCABULARY = Vocabulary(("open", "closed", "on", "off"), STATES, ("in", "on", "next_to"))


@dataclass(frozen=True)
class HomeFacts:
    """What is known of a home.

    Attributes:
        names: of its things in ``facts``, by instance id, and of its rooms, by their ids with a minus.
    """

    spec: SceneSpec
    graph: SceneGraph
    facts: SceneFacts
    names: Mapping[int, str]

    @classmethod
    def of(cls, spec: SceneSpec) -> HomeFacts:
        """
        Raises:
            SceneError: the specification contradicts itself.
        """
        graph = SceneGraph.from_spec(spec)
        names = {node.instance_id: f"{_word(node.label)}_{node.instance_id}" for node in graph.objects()}
        labels = [room.label for room in graph.rooms]
        for room in graph.rooms:
            alone = labels.count(room.label) == 1
            names[-room.room_id] = _word(room.label) + ("" if alone else f"_{room.room_id}")
        jointed = {obj.instance_id for obj in spec.objects if obj.joints}
        things = [_object(node, names, node.instance_id in jointed) for node in graph.objects()]
        rooms = [SceneObject(names[-room.room_id]) for room in graph.rooms]
        facts = [
            Fact(node.relation, (names[node.instance_id], names[node.parent]))
            for node in graph.objects()
            if node.parent in names
        ]
        facts += [Fact("in", (names[node.instance_id], names[-node.room])) for node in graph.objects() if node.room]
        return cls(spec, graph, SceneFacts((*things, *rooms), tuple(facts)), names)

    def carried_by(self, things: Iterable[int]) -> tuple[int, ...]:
        """Things with all that is on or in them, however deep."""
        found = set(things)
        while True:
            more = {node.instance_id for node in self.graph.nodes if node.parent in found} - found
            if not more:
                return tuple(sorted(found))
            found |= more

    def without(self, things: Iterable[int]) -> SceneFacts:
        scene = self.facts
        for thing in things:
            scene = scene.without(self.names[thing])
        return scene


def read_home(folder: str | Path) -> HomeFacts:
    """
    Raises:
        ConfigError, FormatError, SceneError: no home lies in the folder.
    """
    return HomeFacts.of(load_home(folder).spec)


def _object(node: GraphNode, names: Mapping[int, str], jointed: bool) -> SceneObject:
    possible = tuple(
        state
        for pair in OPPOSITES
        if any(s in node.states for s in pair)
        for state in pair
        if state in node.states or pair != ("open", "closed") or jointed
    )
    return SceneObject(names[node.instance_id], node.states, possible)


def _word(label: str) -> str:
    return label.replace(" ", "_")
