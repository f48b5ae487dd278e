"""A scene on disk: a folder with ``scene.yaml``, a cloud and, where one exists, a scene graph; or a bare cloud.

``scene.yaml``::

    name: plant
    cloud: plant.splat                 # beside this file, or ${VARIABLE}/path
    T_world_cloud:                     # where the cloud's frame is in the world (Z up, metres)
      up: -y                           # the cloud's axis that points up, or rotation: [x, y, z, w]
      position: [0.0, 0.0, 0.4]        # m
    metres_per_unit: 0.8               # applied before T_world_cloud
    floor: 0.0                         # z, m
    bounds: {min: [-1, -1, 0], max: [1, 1, 2]}     # m, where a camera may be
    start: {position: [-1, 0, 0.5], yaw: 0.0, pitch: 0.0}      # m, rad
    shows: a houseplant in a pot
    attribution: who made the capture, and its licence
    graph: graph.json
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from vantage.errors import ConfigError, SceneError, UnknownNameError
from vantage.files import write_whole
from vantage.registry import did_you_mean
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec
from vantage.spatial import Matrix, Viewpoint, rigid, rotation_from_quaternion
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats import SUFFIXES, load_cloud, save_ply
from vantage.splats.scene_check import check_graph
from vantage.splats.yaml_fields import Fields, read_yaml
from vantage.types import Point

SCENE_FILE, CLOUD_FILE, GRAPH_FILE, SPEC_FILE = "scene.yaml", "cloud.ply", "graph.json", "spec.json"
_YAML = (".yaml", ".yml")
_UP = {
    "x": [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
    "-x": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
    "y": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
    "-y": [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
    "z": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "-z": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
}


@dataclass(frozen=True, eq=False)
class SplatScene:
    """A cloud in the world frame (Z up, metres) and what is known about it.

    Attributes:
        bounds_min, bounds_max: where a camera may be, m.
        floor: z of the floor, m.
        start: a good first view, where the scene file names one.
        shows: what the scene shows, in words.
        attribution: whom to credit for a capture.
        source: the file or folder it came from.
    """

    name: str
    cloud: GaussianCloud
    graph: SceneGraph | None
    bounds_min: Point
    bounds_max: Point
    floor: float
    start: Viewpoint | None = None
    shows: str = ""
    attribution: str = ""
    source: Path = Path()


def load_scene(path: str | Path) -> SplatScene:
    """Load a scene folder, a scene file or a bare ``.ply`` or ``.splat``, the latter as it is: Z up and in metres.

    Raises:
        ConfigError: the scene file has unknown keys or wrong values, or there is none.
        FormatError: the cloud or the graph cannot be read.
        SceneError: cloud and graph contradict each other.
    """
    source = Path(path)
    if not source.exists():
        raise ConfigError(f"no scene at {source}; give a scene folder, a scene file, or a .ply or .splat file")
    if source.is_dir():
        if not (source / SCENE_FILE).is_file():
            inside = ", ".join(sorted(list_scenes(source))) or "none"
            raise SceneError(f"{source} holds no {SCENE_FILE}; give one scene (scenes in there: {inside})")
        source = source / SCENE_FILE
    if source.suffix.lower() in SUFFIXES:
        return _complete(source.stem, load_cloud(source), None, {}, source)
    fields = Fields(read_yaml(source), str(source))
    cloud_path = fields.path("cloud", source.parent)
    graph_path = fields.path("graph", source.parent)
    known: dict[str, Any] = {
        "start": fields.viewpoint("start"),
        "floor": fields.number("floor"),
        "shows": fields.text("shows") or "",
        "attribution": fields.text("attribution") or "",
    }
    bounds = fields.part("bounds")
    if bounds is not None:
        known["bounds_min"], known["bounds_max"] = bounds.need("min", bounds.point), bounds.need("max", bounds.point)
        bounds.done()
    unit = fields.number("metres_per_unit")
    unit = 1.0 if unit is None else unit
    if unit <= 0:
        raise ConfigError(f"{source}: metres_per_unit must be positive, got {unit}")
    T_world_cloud = _pose(fields.part("T_world_cloud"))
    name = fields.text("name") or (source.parent.resolve().name if source.name == SCENE_FILE else source.stem)
    fields.done()
    if cloud_path is None:
        raise ConfigError(f"{source} names no cloud; add 'cloud: <file>'")
    cloud = load_cloud(cloud_path)
    if unit != 1.0 or not np.array_equal(T_world_cloud, np.eye(4)):
        cloud = cloud.transformed(T_world_cloud, unit)
    graph = None if graph_path is None else SceneGraph.load(graph_path)
    return _complete(name, cloud, graph, known, source)


def _complete(
    name: str, cloud: GaussianCloud, graph: SceneGraph | None, known: Mapping[str, Any], source: Path
) -> SplatScene:
    """Fill in what the file does not say, and check that all parts agree."""
    low, high = known.get("bounds_min"), known.get("bounds_max")
    if low is None or high is None:
        low, high = (graph.bounds_min, graph.bounds_max) if graph is not None else robust_bounds(cloud)
    if any(a >= b for a, b in zip(low, high, strict=True)):
        raise SceneError(f"{source}: the bounds {low} to {high} m are empty; set 'bounds' with min below max")
    floor = known.get("floor")
    scene = SplatScene(
        name,
        cloud,
        graph,
        low,
        high,
        low[2] if floor is None else floor,
        known.get("start"),
        known.get("shows", ""),
        known.get("attribution", ""),
        source,
    )
    if graph is not None:
        check_graph(graph, cloud, low, high, str(source))
    return scene


def robust_bounds(cloud: GaussianCloud) -> tuple[Point, Point]:
    """Bounds of a capture that nobody measured: all but the outermost 1 % of its clearly visible Gaussians.

    They are widened by half the largest extent, except downwards, so that a camera can go around a single thing.
    """
    visible = cloud.means[cloud.opacities > 0.1] if (cloud.opacities > 0.1).any() else cloud.means
    low, high = np.percentile(visible.astype(np.float64), [1.0, 99.0], axis=0)
    margin = max(0.5 * float((high - low).max()), 1e-3)
    x0, y0, z0 = (low - [margin, margin, 0.0]).tolist()
    x1, y1, z1 = (high + margin).tolist()
    return (x0, y0, z0), (x1, y1, z1)


def list_scenes(scenes_path: str | Path) -> dict[str, Path]:
    """Names and paths of the scenes at a place: one scene, or a folder of scene folders, scene files and clouds.

    Raises:
        ConfigError: there is nothing at that place.
    """
    place = Path(scenes_path)
    if not str(scenes_path) or not place.exists():
        raise ConfigError(f"no scenes at '{scenes_path}'; set world.scenes to a folder of scenes or to one scene")
    if place.is_file() or (place / SCENE_FILE).is_file():
        return {_name_of(place): place}
    found: dict[str, Path] = {}
    for entry in sorted(place.iterdir()):
        if entry.name.startswith("."):
            continue
        if (entry / SCENE_FILE).is_file() or (entry.is_file() and entry.suffix.lower() in (*SUFFIXES, *_YAML)):
            found.setdefault(_name_of(entry), entry)
    return found


def find_scene(scenes_path: str | Path, name: str) -> Path:
    """The path of a scene, to be given to ``load_scene``. A scene is called as its folder, or file without suffix.

    Raises:
        ConfigError: there is nothing at ``scenes_path``.
        UnknownNameError: no scene of that name.
    """
    scenes = list_scenes(scenes_path)
    if name not in scenes:
        raise UnknownNameError(f"unknown scene '{name}' in {scenes_path}{did_you_mean(name, sorted(scenes))}")
    return scenes[name]


def save_scene(
    folder: str | Path,
    spec: SceneSpec | None,
    graph: SceneGraph | None,
    cloud: GaussianCloud,
    *,
    name: str | None = None,
    start: Viewpoint | None = None,
    shows: str = "",
    attribution: str = "",
    bounds: tuple[Point, Point] | None = None,
    floor: float | None = None,
) -> Path:
    """Write a scene folder that ``load_scene`` reads, the scene file last; returns the folder.

    Bounds default to those of the graph. The cloud is in the world frame already.

    Raises:
        SceneError: cloud and graph contradict each other.
    """
    target = Path(folder)
    if bounds is None:
        bounds = (graph.bounds_min, graph.bounds_max) if graph is not None else robust_bounds(cloud)
    if graph is not None:
        check_graph(graph, cloud, *bounds, str(target))
    document: dict[str, Any] = {"name": name or (graph.name if graph is not None else target.name), "cloud": CLOUD_FILE}
    document["bounds"] = {"min": [float(v) for v in bounds[0]], "max": [float(v) for v in bounds[1]]}
    document["floor"] = float(bounds[0][2] if floor is None else floor)
    if start is not None:
        position = [float(value) for value in start.position]
        document["start"] = {"position": position, "yaw": float(start.yaw), "pitch": float(start.pitch)}
    document.update({key: text for key, text in (("shows", shows), ("attribution", attribution)) if text})
    save_ply(cloud, target / CLOUD_FILE)
    if spec is not None:
        spec.save(target / SPEC_FILE)
    if graph is not None:
        graph.save(target / GRAPH_FILE)
        document["graph"] = GRAPH_FILE
    write_whole(target / SCENE_FILE, yaml.safe_dump(document, sort_keys=False, allow_unicode=True))
    return target


def _name_of(path: Path) -> str:
    if path.is_dir():
        return path.resolve().name
    return path.resolve().parent.name if path.name == SCENE_FILE else path.stem


def _pose(fields: Fields | None) -> Matrix:
    if fields is None:
        return np.eye(4)
    up, rotation, position = fields.text("up"), fields.numbers("rotation", 4), fields.point("position")
    fields.done()
    if up is not None and rotation is not None:
        raise ConfigError(f"{fields.where}: give 'up' or 'rotation', not both")
    if up is not None and up not in _UP:
        raise ConfigError(f"{fields.where}: 'up' must be one of {', '.join(_UP)}, got '{up}'")
    matrix = np.array(_UP[up or "z"], dtype=np.float64)
    if rotation is not None:
        if abs(math.hypot(*rotation) - 1.0) > 1e-3:
            raise ConfigError(
                f"{fields.where}: 'rotation' must be a unit quaternion [x, y, z, w], got {list(rotation)}"
            )
        matrix = rotation_from_quaternion(*rotation)
    return rigid(matrix, np.array(position or (0.0, 0.0, 0.0)))
