"""Detections of everything in sight in a scene graph, and question answering that knows them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hand_made import hand_made, node, small

from vantage.answering.engine import QuestionAnswering
from vantage.config import RelationSettings
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.questions.execution import Truths
from vantage.scenes.graph.graph import SceneGraph
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Detection, Observation

__all__ = ["detections_of", "hand_made", "node", "remembered", "scene_of", "small", "view"]


def detections_of(graph: SceneGraph) -> list[Detection]:
    """Everything that is not inside a closed container, seen well and completely."""
    truths = Truths(graph, RelationSettings(), hidden=False)
    kinds = {room.room_id: room.label for room in graph.rooms}
    return [
        Detection(
            n.instance_id,
            n.label,
            n.color,
            n.material,
            0.95,
            2000,
            (10, 10, 50, 50),
            n.center,
            n.bounds_min,
            n.bounds_max,
            n.states,
            shape=n.shape,
            text=n.text,
            room=kinds.get(n.room, "") if n.label == "floor" else "",
        )
        for n in graph.nodes
        if not truths.is_hidden(n)
    ]


def view(stamp=1, x=0.0, y=0.0) -> Observation:
    """An observation without images of anything."""
    lens = Intrinsics.from_fov(4, 3, 1.2)
    return Observation(stamp, Viewpoint(x, y, 1.3, 0.0, 0.0), lens, np.zeros((3, 4, 3), np.uint8))


def remembered(graph: SceneGraph, **options: Any) -> QuestionAnswering:
    """Question answering that knows all that is in sight."""
    answering = QuestionAnswering(PrivilegedPerceiver(), **options)
    answering.memory.add(view(), detections_of(graph))
    return answering


def scene_of(*detections: Detection) -> ObservedScene:
    scene = ObservedScene()
    scene.add(view(), detections)
    return scene
