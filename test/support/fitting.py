"""Which objects a description fits, told from the nodes of a graph alone: a second opinion on the exact executor."""

from __future__ import annotations

from vantage.config import RelationSettings
from vantage.questions.programs import Filter, Relate, Scene, Unique
from vantage.scenes.geometry.relations import related

SETTINGS = RelationSettings()


def fitting(objects, graph, hidden=False):
    """Ids of the objects of a step that a pair of questions is made of."""
    if isinstance(objects, Scene):
        return {
            node.instance_id
            for node in graph.nodes
            if node.label not in ("floor", "wall", "ceiling") and (hidden or not shut_in(node, graph))
        }
    if isinstance(objects, Filter):
        return {key for key in fitting(objects.objects, graph, hidden) if _has(graph.node(key), objects, graph)}
    assert isinstance(objects, Relate)
    assert isinstance(objects.anchor, Unique)
    assert objects.viewer is None
    (anchor,) = fitting(objects.anchor.objects, graph)
    found = fitting(objects.objects, graph, hidden)
    return {key for key in found if _stands(graph.node(key), objects.relation, graph.node(anchor), graph)}


def above(node, graph):
    """What it is on or in, from near to far."""
    while node.parent:
        node = graph.node(node.parent)
        yield node


def shut_in(node, graph):
    while node.parent:
        parent = graph.node(node.parent)
        if node.relation == "in" and "closed" in parent.states:
            return True
        node = parent
    return False


def room_of(node, graph):
    return next((room.label for room in graph.rooms if room.room_id == node.room), "")


def _has(node, step, graph):
    if step.attribute == "state":
        return step.value in node.states
    if step.attribute == "room":
        return room_of(node, graph) == step.value
    if step.attribute == "size":
        alike = [_size(other) for other in graph.nodes if other.label == node.label and not shut_in(other, graph)]
        mean = sum(alike) / len(alike)
        return _size(node) >= SETTINGS.ratio * mean if step.value == "large" else SETTINGS.ratio * _size(node) <= mean
    return getattr(node, step.attribute).lower() == step.value.lower()


def _size(node):
    return max(high - low for low, high in zip(node.bounds_min, node.bounds_max, strict=True))


def _stands(node, relation, anchor, graph):
    if relation in ("on", "in"):
        return node.parent == anchor.instance_id and node.relation == relation
    if node is anchor or (node.room and anchor.room and node.room != anchor.room):
        return False
    if anchor in above(node, graph) or (node in above(anchor, graph) and relation != "under"):
        return False
    return related(relation, node, anchor, SETTINGS)
