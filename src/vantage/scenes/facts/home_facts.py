"""What a scene is as tasks know it: things and rooms by name, their states, and what is on or in what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from vantage.goals import Fact, SceneFacts, SceneObject
from vantage.scenes.generator import can_be_picked_up
from vantage.scenes.geometry import known_masses
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.scenes.spec import OPPOSITES, SceneSpec

ON, IN = "on", "in"  # relations of facts: what stands on a thing, and what is in a thing or a room


def scene_facts(scene: SceneSpec | SceneGraph) -> SceneFacts:
    """Everything but the building itself. Each thing is ``on`` or ``in`` what carries it, and ``in`` its room.

    States come in pairs, and a thing that is in one of a pair can be in the other. What is open or closed can change
    that where it has joints, which a specification tells; of a graph every such thing can.

    Raises:
        SceneError: the specification contradicts itself.
    """
    graph = _graph(scene)
    stiff = {obj.instance_id for obj in scene.objects if not obj.joints} if isinstance(scene, SceneSpec) else set()
    names, rooms = object_names(graph), room_names(graph)
    items = graph.objects()
    carried = (
        Fact(node.relation, (names[node.instance_id], names[node.parent])) for node in items if node.parent in names
    )
    housed = (Fact(IN, (names[node.instance_id], rooms[node.room])) for node in items if node.room)
    return SceneFacts(
        (
            *(_object(node, names[node.instance_id], node.instance_id in stiff) for node in items),
            *(SceneObject(name) for name in rooms.values()),
        ),
        (*carried, *housed),
    )


def object_names(scene: SceneSpec | SceneGraph) -> Mapping[int, str]:
    """Names in ``scene_facts``, by instance id: a label with the id, such as ``coffee_table_31``."""
    items = scene.objects() if isinstance(scene, SceneGraph) else scene.objects
    return {item.instance_id: f"{_word(item.label)}_{item.instance_id}" for item in items if not item.is_structure}


def room_names(scene: SceneSpec | SceneGraph) -> Mapping[int, str]:
    """Names of rooms in ``scene_facts``, by room id: their labels, with the id where several have the same."""
    labels = Counter(room.label for room in scene.rooms)
    return {
        room.room_id: _word(room.label) + (f"_{room.room_id}" if labels[room.label] > 1 else "") for room in scene.rooms
    }


def carriable_masses(spec: SceneSpec) -> Mapping[str, float]:
    """What can be picked up at all, by name in ``scene_facts``, with its mass in kg (estimated where nobody knows)."""
    home, names = known_masses(spec), object_names(spec)
    return {names[obj.instance_id]: obj.mass for obj in home.objects if can_be_picked_up(obj, home)}


def _graph(scene: SceneSpec | SceneGraph) -> SceneGraph:
    return SceneGraph.from_spec(scene) if isinstance(scene, SceneSpec) else scene


def _object(node: GraphNode, name: str, stiff: bool) -> SceneObject:
    pairs = [pair for pair in OPPOSITES if any(state in node.states for state in pair)]
    possible = (
        state for pair in pairs for state in pair if state in node.states or not (stiff and pair == ("open", "closed"))
    )
    return SceneObject(name, node.states, tuple(possible))


def _word(label: str) -> str:
    return label.replace(" ", "_")
