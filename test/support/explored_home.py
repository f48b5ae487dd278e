"""Homes with what can be found out in them, told by the specification rather than by the geometry of a robot."""

from __future__ import annotations

from functools import cache

import numpy as np

from vantage.benchmarks.excalibur.evidence import Evidence
from vantage.benchmarks.excalibur.question_drafts import HouseQuestions
from vantage.config import RelationSettings
from vantage.scenes.generator import can_be_picked_up, generate_home, varied
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec


@cache
def explored(seed: int, rooms: int = 3) -> tuple[SceneSpec, SceneGraph, Evidence]:
    home = varied(generate_home(seed, rooms), seed)
    return home, SceneGraph.from_spec(home), all_found(home)


def all_found(home: SceneSpec) -> Evidence:
    """Somebody sees everything but what is in two closed things, opens what has a handle and lifts what is light."""
    objects = {obj.instance_id: obj for obj in home.objects}
    things = [obj for obj in home.objects if not obj.is_structure]
    opened = frozenset(obj.instance_id for obj in things if obj.joints and "closed" in obj.states)
    holders, hidden = {}, set()
    for obj in things:
        closed, at = [], obj
        while at.parent in objects:
            if at.relation == "in" and "closed" in objects[at.parent].states:
                closed.append(at.parent)
            at = objects[at.parent]
        if len(closed) == 1 and closed[0] in opened:
            holders[obj.instance_id] = closed[0]
        elif closed:
            hidden.add(obj.instance_id)
    seen = frozenset(obj.instance_id for obj in things) - hidden
    lifted = frozenset(key for key in seen if can_be_picked_up(objects[key], home))
    return Evidence(seen, lifted, holders, opened)


def asking(seed: int, rooms: int = 3, evidence: Evidence | None = None) -> HouseQuestions:
    _, graph, found = explored(seed, rooms)
    return HouseQuestions(graph, evidence or found, RelationSettings(), np.random.default_rng(seed))
