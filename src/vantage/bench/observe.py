"""What taking a view into the observed scene costs, against a plain NumPy perceiver, and how true that scene is.

After a walk, the places, associations and attributes of the observed scene are compared with those of the true one.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.bench.step import bench_episode
from vantage.bench.stopwatch import Times, measure
from vantage.config import Settings
from vantage.errors import SceneError
from vantage.perception import Perceiver
from vantage.perception.map import CoverageMap, ObservedObject, ObservedScene
from vantage.perception.perceivers import DegradedPerceiver
from vantage.registry import PERCEIVERS, WORLDS
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.spatial import Viewpoint
from vantage.splats import SplatScene, load_scene
from vantage.splats.space import FreeSpace, cached_free_space
from vantage.types import Detection, Observation
from vantage.worlds import MotionLimits

ASPECTS = ("label", "color", "material", "shape", "states")
_PHANTOM = 0.25  # m beside the true box from which on an observed object is nowhere
BOUND_MS = 5.0  # of a whole update, median
STAGES = ("perceive", "remember", "cover", "whole update")
_EYE = 1.3  # m above the floor
_APART = 1.2  # m between the places of the walk
_TURNS = 8
_PITCHES = (-0.45, -0.1)
_SEED = 1


def bench_observe(
    folder: Path, settings: Settings, views: int, repetitions: int, perceivers: tuple[str, ...], errors: bool
) -> dict[str, Any]:
    """Times of each stage and perceiver over walks through a scene, and on request what the walk got wrong.

    Args:
        views: of one walk.
        repetitions: walks, each from an empty memory.

    Raises:
        SceneError: the scene has no graph, or no place to look from.
        UnknownNameError: no such perceiver.
    """
    scene = load_scene(folder)
    observations = walk(scene, settings, views)
    data: dict[str, Any] = {
        "size": [settings.camera.width, settings.camera.height],
        "things": 0 if scene.graph is None else len(scene.graph.nodes),
        "views": len(observations),
        "bound_ms": BOUND_MS,
        "perceivers": {},
    }
    frames = itertools.cycle(observations)
    least = settings.agent.min_pixels
    reference = measure("plain NumPy perceiver", lambda: plain_pixels(next(frames), least), len(observations))
    data["reference"] = reference.data()
    for name in perceivers:
        times = _stages(name, scene, settings, observations, repetitions)
        figures = {stage: found.data(reference if stage == "perceive" else None) for stage, found in times.items()}
        met = times["whole update"].median_ms <= BOUND_MS
        data["perceivers"][name] = {"stages": figures, "met": met}
        if errors and scene.graph is not None:
            found = perception_errors(_perceiver(name, settings), observations, scene.graph, least)
            data["perceivers"][name]["errors"] = found.data()
    return data


def observe_table(data: dict[str, Any]) -> list[str]:
    """One line for each figure."""
    width, height = data["size"]
    lines = [f"{data['views']} views of {data['things']} things at {width} x {height}", _line(data["reference"])]
    for name, found in data["perceivers"].items():
        lines += [_line(figures) for figures in found["stages"].values()]
        lines[-1] += f"   (bound {data['bound_ms']:g} ms: {'met' if found['met'] else 'NOT MET'})"
        if "errors" in found:
            lines += _error_lines(name, found["errors"])
    return lines


def _line(figures: dict[str, Any]) -> str:
    faster = f"   {figures['speedup']:.0f} x faster than {figures['reference']}" if "speedup" in figures else ""
    return f"{figures['name']:38} median {figures['median_ms']:8.3f} ms   p95 {figures['p95_ms']:8.3f} ms{faster}"


def _error_lines(name: str, errors: dict[str, Any]) -> list[str]:
    told = ", ".join(
        f"{aspect} {found['right']} right {found['wrong']} wrong {found['unknown']} unknown"
        for aspect, found in errors["attributes"].items()
    )
    return [
        f"{name + ': errors':38} of {errors['detectable']} things {errors['missed']} missed, "
        f"{errors['merged']} merged, "
        f"{errors['split']} split, {errors['false']} false; position median {errors['position_median_m']:.3f} m, "
        f"p95 {errors['position_p95_m']:.3f} m",
        f"{name + ': attributes':38} {told}",
    ]


def walk(scene: SplatScene, settings: Settings, views: int, world: str = "splat") -> list[Observation]:
    """Views from free places of a scene, as many as asked for, evenly over the scene, in any registered world.

    Raises:
        SceneError: there is no place to look from.
        UnknownNameError: no such world.
    """
    settings = replace(
        settings, world=replace(settings.world, scenes=str(scene.source), renderer="cpu", instances=True)
    )
    episode, space = bench_episode(scene), cached_free_space(scene, settings.world.voxel, settings.world.body_radius)
    with closing(WORLDS.create(world, settings)) as shown:
        shown.reset(episode, _SEED)
        viewpoints = _viewpoints(scene.floor + _EYE, space, shown.info.limits)
        if not viewpoints:
            raise SceneError(f"scene '{scene.name}' has no free place at {_EYE} m to look from; name another scene")
        chosen = [viewpoints[k] for k in np.linspace(0, len(viewpoints) - 1, min(views, len(viewpoints))).astype(int)]
        return [shown.reset(replace(episode, start=start), _SEED) for start in chosen]


def _viewpoints(z: float, space: FreeSpace, limits: MotionLimits) -> list[Viewpoint]:
    low, high = limits.bounds_min, limits.bounds_max
    xs, ys = ([float(v) for v in np.arange(low[k] + 0.5 * _APART, high[k], _APART)] for k in (0, 1))
    spots = [(x, y, z) for x in xs for y in ys]
    spots = [spot for spot in spots if space.problem(np.array(spot)) is None]
    views = [
        Viewpoint(*spot, float(np.pi * (2 * turn / _TURNS - 1)), pitch)
        for spot in spots
        for turn in range(_TURNS)
        for pitch in _PITCHES
    ]
    return [view for view in views if limits.pose_violation(view) is None]


def _perceiver(name: str, settings: Settings) -> Perceiver:
    made: Perceiver = PERCEIVERS.create(name, min_pixels=settings.agent.min_pixels, settings=settings, seed=_SEED)
    return made


def _stages(
    name: str, scene: SplatScene, settings: Settings, observations: list[Observation], repetitions: int
) -> dict[str, Times]:
    perceiver = _perceiver(name, settings)
    milliseconds: dict[str, list[float]] = {stage: [] for stage in STAGES}
    for number in range(repetitions + 1):  # the first walk compiles
        memory = ObservedScene(min_pixels=settings.agent.min_pixels)
        coverage = CoverageMap(scene.bounds_min, scene.bounds_max, settings.world.voxel)
        for observation in observations:
            started = time.perf_counter()
            detections = perceiver.perceive(observation)
            perceived = time.perf_counter()
            memory.add(observation, detections)
            remembered = time.perf_counter()
            coverage.add(observation)
            ended = time.perf_counter()
            spent = perceived - started, remembered - perceived, ended - remembered, ended - started
            if number > 0:
                for stage, duration in zip(STAGES, spent, strict=True):
                    milliseconds[stage].append(1e3 * duration)
    return {stage: Times(f"{name}: {stage}", tuple(found)) for stage, found in milliseconds.items()}


def plain_pixels(observation: Observation, min_pixels: int) -> dict[int, tuple[int, NDArray[np.float64]]]:
    """Pixels and bounds (2, 3; m) of each instance by the plainest NumPy there is, edges of the image not spared."""
    ids, depth = observation.instances, observation.depth
    assert ids is not None
    assert depth is not None
    camera = observation.depth_camera
    found: dict[int, tuple[int, NDArray[np.float64]]] = {}
    T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
    for key in np.unique(ids[ids != 0]):
        mask = (ids == key) & (depth > 0)
        count = int((ids == key).sum())
        if count < min_pixels or not mask.any():
            continue
        rows, columns = np.nonzero(mask)
        z = depth[mask].astype(np.float64)
        x = (columns + 0.5 - camera.cx) * z / camera.fx
        y = (rows + 0.5 - camera.cy) * z / camera.fy
        points = np.stack([x, y, z], axis=1) @ T_world_camera_optical[:3, :3].T + T_world_camera_optical[:3, 3]
        found[int(key)] = count, np.percentile(points, (2, 98), axis=0)
    return found


@dataclass(frozen=True)
class Accuracy:
    """What was said of an aspect of objects that have it."""

    right: int = 0
    wrong: int = 0
    unknown: int = 0

    def data(self) -> dict[str, int]:
        return {"right": self.right, "wrong": self.wrong, "unknown": self.unknown}


@dataclass(frozen=True)
class PerceptionErrors:
    """The observed scene against the true one; the building itself does not count.

    Attributes:
        detectable: true objects of which some view shows enough pixels.
        missed: of these, how many no observed object stands for.
        merged: of these, how many were taken for a part of another object.
        split: observed objects too many, because one object was taken for several.
        false: observed objects that stand for one that is not there.
        position_m: distance between the centres of the observed and the true box of each object found, m.
        attributes: accuracy of each of ``ASPECTS`` over the objects found.
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
    shown: dict[int, Counter[int]] = defaultdict(Counter)  # by observed object, its detections of each true one
    detectable: set[int] = set()
    frames = 0
    for observation in observations:
        detections, truth = _with_truth(perceiver, observation)
        for key, true_id in zip(memory.add(observation, detections), truth, strict=True):
            shown[key][true_id] += 1
        detectable.update(truth)
        frames += 1
    nodes = {node.instance_id: node for node in graph.objects()}
    stands_for, detections_of = _stands_for(memory, shown, nodes)
    objects_of: dict[int, list[ObservedObject]] = defaultdict(list)
    false = 0
    for key, true_id in stands_for.items():
        obj = memory.get(key)
        assert obj is not None
        if _beside(obj, nodes[true_id]) > _PHANTOM:
            false += 1
        else:
            objects_of[true_id].append(obj)
    best = {
        true_id: max(objects, key=lambda obj: detections_of[obj.instance_id][true_id])
        for true_id, objects in objects_of.items()
    }
    wanted = detectable & set(nodes)
    swallowed = {true_id for counts in detections_of.values() for true_id in counts} - set(best)
    pairs = [(obj, nodes[true_id]) for true_id, obj in best.items()]
    return PerceptionErrors(
        perceiver.name,
        frames,
        len(wanted),
        len(wanted - set(best) - swallowed),
        len(wanted & swallowed),
        sum(len(objects) - 1 for objects in objects_of.values()),
        false,
        tuple(math.dist(obj.center, node.center) for obj, node in pairs),
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
    """The true object that most detections of each observed one were of, and the detections of what it became."""
    now: dict[int, Counter[int]] = defaultdict(Counter)
    for key, counts in shown.items():
        obj = memory.get(key)
        if obj is not None:
            now[obj.instance_id].update(counts)
    found = {key: counts.most_common(1)[0][0] for key, counts in now.items()}
    return {key: true_id for key, true_id in found.items() if true_id in nodes}, now


def _beside(obj: ObservedObject, node: GraphNode) -> float:
    """How far the centre of an observed object is from the true box, m."""
    low, high, center = np.array(node.bounds_min), np.array(node.bounds_max), np.array(obj.center)
    return float(np.linalg.norm(np.maximum(np.maximum(low - center, center - high), 0.0)))


def _accuracy(aspect: str, pairs: Iterable[tuple[ObservedObject, GraphNode]]) -> Accuracy:
    outcomes: Counter[str] = Counter()
    for obj, node in pairs:
        said, true = getattr(obj, aspect), getattr(node, aspect)
        if not true:
            continue
        if aspect == "states":
            said, true = tuple(sorted(said)), tuple(sorted(true))
        outcomes["unknown" if not said else "right" if said == true else "wrong"] += 1
    return Accuracy(outcomes["right"], outcomes["wrong"], outcomes["unknown"])
