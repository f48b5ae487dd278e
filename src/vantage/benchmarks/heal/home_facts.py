"""What generated homes are as tasks know them: things by name, their states, where they are, and in which rooms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vantage.benchmarks.heal.base_tasks import Vocabulary
from vantage.goals import SceneFacts
from vantage.scenes.facts import IN, ON, object_names, room_names, scene_facts
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import OPPOSITES, SceneSpec
from vantage.splats import load_home

STATES = ("open", "closed", "on", "off")  # that tasks ask for
VOCABULARY = Vocabulary(STATES, tuple(state for pair in OPPOSITES for state in pair), (IN, ON))


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
        rooms = {-number: name for number, name in room_names(spec).items()}
        return cls(spec, SceneGraph.from_spec(spec), scene_facts(spec), {**object_names(spec), **rooms})

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
