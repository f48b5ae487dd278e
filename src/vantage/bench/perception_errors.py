"""How an observed scene differs from the true one after a walk: places, associations and attributes."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vantage.perception.map.observed_scene import ObservedObject, ObservedScene
from vantage.perception.perceivers.degraded import DegradedPerceiver
from vantage.perception.protocol import Perceiver
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.types import Detection, Observation

ASPECTS = ("label", "color", "material", "shape", "states")

_PHANTOM = 0.25  # m beside the true box from which on an observed thing is nowhere


@dataclass(frozen=True)
class Accuracy:
    """What was said of an aspect of things that have it."""

    right: int = 0
    wrong: int = 0
    unknown: int = 0

    def data(self) -> dict[str, int]:
        return {"right": self.right, "wrong": self.wrong, "unknown": self.unknown}


@dataclass(frozen=True)
class PerceptionErrors:
    """The observed scene against the true one; the building itself does not count.

    Attributes:
        detectable: true things of which some view shows enough pixels.
        missed: of these, how many no observed thing stands for.
        merged: of these, how many were taken for a part of another thing.
        split: observed things too many, because one thing was taken for several.
        false: observed things that stand for one that is not there.
        position_m: distance between the centres of the observed and the true box of each thing found, m.
        attributes: accuracy of each of ``ASPECTS`` over the things found.
    """

    perceiver: str
    frames: int
    detectable: int
    missed: int
    merged: int
    split: int
    false: int
    position_m: tuple[float, ...]
    attributes: Mapping[str, Accuracy] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        """Plain data for ``json``."""
        places = np.array(self.position_m) if self.position_m else np.array([math.nan])
        return {
            "perceiver": self.perceiver,
            "frames": self.frames,
            "detectable": self.detectable,
            "missed": self.missed,
            "merged": self.merged,
            "split": self.split,
            "false": self.false,
            "position_median_m": round(float(np.median(places)), 4),
            "position_p95_m": round(float(np.percentile(places, 95)), 4),
            "attributes": {aspect: found.data() for aspect, found in self.attributes.items()},
        }


def perception_errors(
    perceiver: Perceiver, observations: Iterable[Observation], graph: SceneGraph, min_pixels: int
) -> PerceptionErrors:
    """Look through a perceiver at each observation in turn, remember, and compare with the truth.

    Raises:
        VantageError: the perceiver cannot work with the observations.
    """
    memory = ObservedScene(min_pixels=min_pixels)
    shown: dict[int, Counter[int]] = defaultdict(Counter)  # by observed thing, its detections of each true one
    detectable: set[int] = set()
    frames = 0
    for observation in observations:
        detections, truth = _with_truth(perceiver, observation)
        for key, true_id in zip(memory.add(observation, detections), truth, strict=True):
            shown[key][true_id] += 1
        detectable.update(truth)
        frames += 1
    nodes = {node.instance_id: node for node in graph.things()}
    stands_for, detections_of = _stands_for(memory, shown, nodes)
    things_of: dict[int, list[ObservedObject]] = defaultdict(list)
    false = 0
    for key, true_id in stands_for.items():
        thing = memory.get(key)
        assert thing is not None
        if _beside(thing, nodes[true_id]) > _PHANTOM:
            false += 1
        else:
            things_of[true_id].append(thing)
    best = {
        true_id: max(things, key=lambda thing: detections_of[thing.instance_id][true_id])
        for true_id, things in things_of.items()
    }
    wanted = detectable & set(nodes)
    swallowed = {true_id for counts in detections_of.values() for true_id in counts} - set(best)
    pairs = [(thing, nodes[true_id]) for true_id, thing in best.items()]
    return PerceptionErrors(
        perceiver.name,
        frames,
        len(wanted),
        len(wanted - set(best) - swallowed),
        len(wanted & swallowed),
        sum(len(things) - 1 for things in things_of.values()),
        false,
        tuple(math.dist(thing.center, node.center) for thing, node in pairs),
        {aspect: _accuracy(aspect, pairs) for aspect in ASPECTS},
    )


def _with_truth(perceiver: Perceiver, observation: Observation) -> tuple[tuple[Detection, ...], tuple[int, ...]]:
    if isinstance(perceiver, DegradedPerceiver):
        return perceiver.perceive_with_truth(observation)
    detections = perceiver.perceive(observation)
    return detections, tuple(detection.instance_id for detection in detections)


def _stands_for(
    memory: ObservedScene, shown: Mapping[int, Counter[int]], nodes: Mapping[int, GraphNode]
) -> tuple[dict[int, int], dict[int, Counter[int]]]:
    """The true thing that most detections of each observed one were of, and the detections of what it became."""
    now: dict[int, Counter[int]] = defaultdict(Counter)
    for key, counts in shown.items():
        thing = memory.get(key)
        if thing is not None:
            now[thing.instance_id].update(counts)
    found = {key: counts.most_common(1)[0][0] for key, counts in now.items()}
    return {key: true_id for key, true_id in found.items() if true_id in nodes}, now


def _beside(thing: ObservedObject, node: GraphNode) -> float:
    """How far the centre of an observed thing is from the true box, m."""
    low, high, center = np.array(node.bounds_min), np.array(node.bounds_max), np.array(thing.center)
    return float(np.linalg.norm(np.maximum(np.maximum(low - center, center - high), 0.0)))


def _accuracy(aspect: str, pairs: Iterable[tuple[ObservedObject, GraphNode]]) -> Accuracy:
    outcomes: Counter[str] = Counter()
    for thing, node in pairs:
        said, true = getattr(thing, aspect), getattr(node, aspect)
        if not true:
            continue
        if aspect == "states":
            said, true = tuple(sorted(said)), tuple(sorted(true))
        outcomes["unknown" if not said else "right" if said == true else "wrong"] += 1
    return Accuracy(outcomes["right"], outcomes["wrong"], outcomes["unknown"])
