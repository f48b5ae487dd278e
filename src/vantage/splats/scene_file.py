"""A scene on disk: a folder with ``scene.yaml``, a cloud and, where one exists, a scene graph; or a bare cloud.

``scene.yaml``::

    name: plant
    cloud: plant.splat                 # beside this file, or ${VARIABLE}/path; left out by homes without a cloud
    T_world_cloud:                     # where the cloud's frame is in the world (Z up, metres)
      up: -y                           # the cloud's axis that points up, or rotation: [x, y, z, w]
      position: [0.0, 0.0, 0.4]        # m
    metres_per_unit: 0.8               # applied before T_world_cloud
    metric: true                       # whether that is known to give metres; left out where nobody says
    floor: 0.0                         # z, m
    bounds: {min: [-1, -1, 0], max: [1, 1, 2]}     # m, where a camera may be
    start: {position: [-1, 0, 0.5], yaw: 0.0, pitch: 0.0}      # m, rad
    start_region: {min: [-1.2, -0.2, 0.4], max: [-0.8, 0.2, 0.6]}    # m, where episodes may start
    shows: a houseplant in a pot
    attribution: who made the capture, and its licence
    graph: graph.json
    classes: classes.npy               # (M,) the class of each instance id, 0 for none
    objects: [...]                     # captures to place into the scene, see ``object_entries``
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.decoding import read_yaml, yaml_text
from vantage.errors import ConfigError, SceneError, UnknownNameError, UsageError
from vantage.files import write_whole
from vantage.registry import did_you_mean
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec, save_spec
from vantage.spatial import Viewpoint
from vantage.splats.cloud import GaussianCloud
from vantage.splats.compose import stand_object
from vantage.splats.formats import (
    META,
    SUFFIXES,
    TRAINED,
    is_scenesplat,
    load_cloud,
    read_classes,
    read_cloud,
    save_ply,
    write_classes,
)
from vantage.splats.scene import (
    Box,
    SplatScene as SplatScene,
    check_graph,
    check_start,
    checked_start_region,
    moved,
    robust_bounds as robust_bounds,
)
from vantage.splats.scene_description import (
    GRAPH_FILE as GRAPH_FILE,
    SCENE_FILE as SCENE_FILE,
    SPEC_FILE as SPEC_FILE,
    no_cloud,
    read_description,
    read_pose as read_pose,
    refuse_links_out,
)

CLOUD_FILE, CLASSES_FILE = "cloud.ply", "classes.npy"
_YAML = (".yaml", ".yml")


def load_scene(path: str | Path) -> SplatScene:
    """Load a scene folder, a scene file or a bare cloud, file or folder, the latter as it is: Z up and in metres.

    Raises:
        ConfigError: the scene file has unknown keys or wrong values, or there is none.
        FormatError: the cloud or the graph cannot be read.
        SceneError: cloud and graph contradict each other.
    """
    return _load(Path(path), may_place=True)


def scene_start(path: str | Path) -> Viewpoint | None:
    """Where the file of a scene, which need have no cloud, says that episodes start; None where it says nothing.

    Raises:
        ConfigError: the scene file cannot be read, or holds a start that is none.
    """
    source = Path(path) / SCENE_FILE if Path(path).is_dir() else Path(path)
    if not source.is_file() or source.suffix.lower() not in _YAML:
        return None
    start: Viewpoint | None = read_description(source).known["start"]
    return start


def load_graph(folder: str | Path) -> SceneGraph:
    """The graph of a scene folder, placed objects included; the cloud is read only where there are such objects.

    Raises:
        ConfigError, FormatError, SceneError: see ``load_scene``; there is no graph.
    """
    refuse_links_out(Path(folder))
    source = Path(folder) / SCENE_FILE
    if not source.is_file() or "objects" not in read_yaml(source):
        return SceneGraph.load(Path(folder) / GRAPH_FILE)
    graph = load_scene(folder).graph
    if graph is None:
        raise SceneError(f"{source} names no graph; add 'graph: {GRAPH_FILE}'")
    return graph


def load_object(path: str | Path) -> tuple[GaussianCloud, str]:
    """A capture to be placed into a scene, from a cloud or from a scene file that says how it stands; and its credits.

    Raises:
        ConfigError: the scene file is wrong or places objects itself.
        FormatError, SceneError: as ``load_scene``.
    """
    source = Path(path)
    if is_cloud(source) and not (source / SCENE_FILE).is_file():
        return load_cloud(source), ""
    capture = _load(source, may_place=False)
    return capture.cloud, capture.attribution


def _load(source: Path, may_place: bool) -> SplatScene:
    if not source.exists():
        raise ConfigError(f"no scene at {source}; give a scene folder, a scene file, or a cloud such as a .ply file")
    refuse_links_out(source)
    if source.is_dir() and (source / SCENE_FILE).is_file():
        source = source / SCENE_FILE
    elif is_cloud(source):
        loaded = read_cloud(source)
        return _complete(source.resolve().stem, loaded.cloud, None, {"classes": loaded.classes}, source)
    elif source.is_dir():
        inside = ", ".join(sorted(list_scenes(source))) or "none"
        raise SceneError(f"{source} holds no {SCENE_FILE} and no cloud; give one scene (scenes in there: {inside})")
    about = read_description(source)
    if about.cloud is None:
        raise no_cloud(source)
    if about.objects and not may_place:
        raise ConfigError(
            f"{source} places objects itself, so it cannot be placed into a scene; name its cloud instead"
        )
    known = dict(about.known)
    loaded = read_cloud(about.cloud)
    cloud = loaded.cloud
    known["classes"] = loaded.classes if about.classes is None else read_classes(about.classes)
    if about.unit != 1.0 or not np.array_equal(about.T_world_cloud, np.eye(4)):
        cloud = moved(cloud, about.T_world_cloud, about.unit, str(source))
    graph = None if about.graph is None else SceneGraph.load(about.graph)
    scene = _complete(about.name, cloud, graph, known, source)
    for at, (path, placement) in enumerate(about.objects):
        capture, credits = load_object(path)
        try:
            scene = credited(stand_object(scene, capture, placement), credits)
        except (SceneError, UsageError) as error:
            raise SceneError(f"{source}: objects[{at}]: {error}") from error
    return scene


def credited(scene: SplatScene, attribution: str) -> SplatScene:
    """The scene with one more whom to credit."""
    if not attribution or attribution in scene.attribution:
        return scene
    return dataclasses.replace(scene, attribution="; ".join(filter(None, (scene.attribution, attribution))))


def _complete(
    name: str, cloud: GaussianCloud, graph: SceneGraph | None, known: Mapping[str, Any], source: Path
) -> SplatScene:
    """Fill in what the file does not say, and check that all parts agree."""
    low, high = known.get("bounds_min"), known.get("bounds_max")
    if low is None or high is None:
        low, high = (graph.bounds_min, graph.bounds_max) if graph is not None else robust_bounds(cloud)
    if any(a >= b for a, b in zip(low, high, strict=True)):
        raise SceneError(f"{source}: the bounds {low} to {high} m are empty; set 'bounds' with min below max")
    check_start(known.get("start"), low, high, str(source))
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
        checked_start_region(known.get("start_region"), known.get("start"), low, high, str(source)),
        known.get("classes"),
        known.get("metric"),
    )
    if graph is not None:
        check_graph(graph, cloud, low, high, str(source))
    return scene


def list_scenes(scenes_path: str | Path) -> dict[str, Path]:
    """Names and paths of the scenes at a place: one scene, or a folder of scene folders, scene files and clouds.

    A cloud stands back behind a scene folder or file of the same name, which says how it stands.

    Raises:
        ConfigError: there is nothing at that place.
    """
    place = Path(scenes_path)
    if not str(scenes_path) or not place.exists():
        raise ConfigError(f"no scenes at '{scenes_path}'; set world.scenes to a folder of scenes or to one scene")
    if place.is_file() or (place / SCENE_FILE).is_file() or is_cloud(place):
        return {_name_of(place): place}
    described: dict[str, Path] = {}
    bare: dict[str, Path] = {}
    for entry in sorted(place.iterdir()):
        if entry.name.startswith("."):
            continue
        if (entry / SCENE_FILE).is_file() or (entry.is_file() and entry.suffix.lower() in _YAML):
            described.setdefault(_name_of(entry), entry)
        elif is_cloud(entry):
            bare.setdefault(_name_of(entry), entry)
    return dict(sorted((bare | described).items()))


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
    cloud: GaussianCloud | None,
    *,
    name: str | None = None,
    start: Viewpoint | None = None,
    shows: str = "",
    attribution: str = "",
    bounds: Box | None = None,
    floor: float | None = None,
    start_region: Box | None = None,
    classes: NDArray[np.int32] | None = None,
    metric: bool | None = None,
) -> Path:
    """Write a scene folder that ``load_scene`` reads, the scene file last; returns the folder.

    Bounds default to those of the graph. The cloud is in the world frame already; a home with a specification and a
    graph needs none. ``classes`` and ``metric`` are those of ``SplatScene``.

    Raises:
        SceneError: cloud and graph contradict each other, there is neither a cloud nor both others, or the start or its
            region lie outside the bounds.
    """
    target = Path(folder)
    if cloud is None and (spec is None or graph is None):
        raise SceneError(f"{target} would hold no cloud and no home; give a cloud, or a specification and its graph")
    if bounds is None:
        bounds = _bounds(graph, cloud, target)
    if graph is not None and cloud is not None:
        check_graph(graph, cloud, *bounds, str(target))
    document: dict[str, Any] = {"name": name or (graph.name if graph is not None else target.name)}
    if cloud is not None:
        document["cloud"] = CLOUD_FILE
    if metric is not None:
        document["metric"] = metric
    document["bounds"] = _corners(bounds)
    document["floor"] = float(bounds[0][2] if floor is None else floor)
    check_start(start, *bounds, str(target))
    if start is not None:
        position = [float(value) for value in start.position]
        document["start"] = {"position": position, "yaw": float(start.yaw), "pitch": float(start.pitch)}
    if start_region is not None:
        checked_start_region(start_region, None, *bounds, str(target))
        document["start_region"] = _corners(start_region)
    document.update({key: text for key, text in (("shows", shows), ("attribution", attribution)) if text})
    if cloud is not None:
        save_ply(cloud, target / CLOUD_FILE)
    if spec is not None:
        save_spec(spec, target / SPEC_FILE)
    if graph is not None:
        graph.save(target / GRAPH_FILE)
        document["graph"] = GRAPH_FILE
    if classes is not None:
        write_classes(classes, target / CLASSES_FILE)
        document["classes"] = CLASSES_FILE
    write_whole(target / SCENE_FILE, yaml_text(document))
    return target


def _bounds(graph: SceneGraph | None, cloud: GaussianCloud | None, target: Path) -> Box:
    if graph is not None:
        return graph.bounds_min, graph.bounds_max
    if cloud is None:
        raise SceneError(f"{target} has neither bounds nor a graph nor a cloud; give one of them")
    return robust_bounds(cloud)


def _corners(box: Box) -> dict[str, list[float]]:
    return {"min": [float(value) for value in box[0]], "max": [float(value) for value in box[1]]}


def _name_of(path: Path) -> str:
    if path.is_dir():
        return path.resolve().name
    return path.resolve().parent.name if path.name == SCENE_FILE else path.stem


def is_cloud(path: Path) -> bool:
    """Whether a path is that of a file or folder that holds a cloud, judged by names."""
    if path.is_dir():
        return is_scenesplat(path) or any((path / name).is_file() for name in (TRAINED, META))
    return path.suffix.lower() in SUFFIXES or path.name == META
