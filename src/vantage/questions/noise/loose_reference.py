"""What a description may mean to somebody who looks: with nouns, colors and places taken as loosely as people do.

A purple mug is also meant by "the blue cup", and what stands 0.7 m from a sofa may be called next to it. Where a
description has to fit one object, nothing else may fit it so; where it has to fit none, nothing at all may.
"""

from __future__ import annotations

from functools import lru_cache

from vantage.questions.execution import Truths
from vantage.questions.generation import looks_unlike
from vantage.questions.kinds import STRUCTURE
from vantage.questions.lexicon import may_be_called
from vantage.questions.noise.clear_contrasts import alike, called_either
from vantage.questions.programs import Filter, ObjectSet, Relate
from vantage.scenes.graph import GraphNode

_HAS = {  # what people see on such an object without its being listed
    "bed": ("blanket", "pillow", "quilt"),
    "laptop": ("keyboard",),
    "lantern": ("candle",),
    "plant": ("pot",),
    "sink": ("faucet",),
}
_LOOKS = ("color", "material", "shape")
_LOOSER = {"on": "at", "in": "at", "next to": "near"}


@lru_cache(maxsize=65536)
def may_mean(word: str, label: str) -> bool:
    """Whether somebody may call an object of a kind so, or means such objects by a narrower word."""
    return may_be_called(label, word) or may_be_called(word, label) or called_either(word, label)


@lru_cache(maxsize=65536)
def may_be_seen(word: str, label: str) -> bool:
    """Whether somebody may find what a noun stands for in an object of a kind, or in a part of one."""
    return may_mean(word, label) or word in _HAS.get(label, ())


def may_be_meant(objects: ObjectSet, truths: Truths) -> frozenset[int]:
    """Ids of all objects that a description may mean.

    Args:
        truths: of the scene; with those in closed containers or without.
    """
    return frozenset(node.instance_id for node in _fitting(objects, truths))


def _fitting(objects: ObjectSet, truths: Truths) -> list[GraphNode]:
    if isinstance(objects, Filter):
        return [node for node in _fitting(objects.objects, truths) if _fits(node, objects, truths)]
    if isinstance(objects, Relate):
        anchors = _fitting(objects.anchor.objects, truths)
        relation = _LOOSER.get(objects.relation, objects.relation)
        return [
            node
            for node in _fitting(objects.objects, truths)
            if any(truths.stands(node, relation, anchor, None) for anchor in anchors)
        ]
    return [node for node in truths.objects if node.label not in STRUCTURE]


def _fits(node: GraphNode, condition: Filter, truths: Truths) -> bool:
    attribute, value = condition.attribute, condition.value
    if attribute == "label":
        return may_mean(value, node.label)
    if attribute == "size":
        return True  # small and large depend on what else one has seen
    if attribute in _LOOKS:
        true = truths.word(node, attribute)
        if attribute == "material" and not looks_unlike(node, value):
            return True
        return not true or alike(attribute, true, value)
    return truths.has(node, attribute, value)
