"""Homes by their specification, for worlds and tools that need no cloud."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vantage.errors import ConfigError, SceneError
from vantage.scenes.geometry import first_view
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec, load_spec
from vantage.spatial import Viewpoint
from vantage.splats.scene import Box, check_start, checked_start_region
from vantage.splats.scene_description import SCENE_FILE, SPEC_FILE, SceneDescription, read_description, refuse_links_out
from vantage.types import Point


@dataclass(frozen=True, eq=False)
class Home:
    """A home whose things are known one by one; its cloud, where it has one, was not read.

    Attributes:
        graph: of the specification.
        bounds_min, bounds_max: where a camera may be, m.
        floor: z of the floor, m.
        start: a good first view.
        start_region: corners of the free space in which episodes may start, m.
        shows: what it shows, in words.
        source: the file that it came from.
    """

    name: str
    spec: SceneSpec
    graph: SceneGraph
    bounds_min: Point
    bounds_max: Point
    floor: float
    start: Viewpoint
    start_region: Box | None
    shows: str
    source: Path


def load_home(path: str | Path) -> Home:
    """Load a home from its folder, its scene file or its specification, whether it has a cloud or not.

    Raises:
        ConfigError: there is nothing, or the scene file has unknown keys or wrong values.
        FormatError: the specification cannot be read.
        SceneError: there is no specification, it contradicts itself, or the scene has captures placed into it.
    """
    source = Path(path)
    if not source.exists():
        raise ConfigError(f"no home at {source}; give the folder of a home, its {SCENE_FILE} or its {SPEC_FILE}")
    refuse_links_out(source)
    if source.is_dir():
        source = source / (SCENE_FILE if (source / SCENE_FILE).is_file() else SPEC_FILE)
    about = None
    if source.suffix.lower() in (".yaml", ".yml"):
        about = read_description(source)
        if about.objects:
            raise SceneError(
                f"{source} has captures placed into it, of which no shapes are known; give a home without 'objects'"
            )
    specification = source if about is None else about.specification
    if not specification.is_file():
        raise SceneError(
            f"{source.parent} holds no {SPEC_FILE}, so nothing is known of the shapes of its things; give a home made "
            "by 'vantage scene make' or 'vantage scene convert'"
        )
    return _home(load_spec(specification), about, source)


def is_unpainted(path: str | Path) -> bool:
    """Whether a path is that of a home without a cloud, by its folder or scene file.

    Raises:
        ConfigError: the scene file has unknown keys or wrong values.
    """
    source = Path(path)
    source = source / SCENE_FILE if source.is_dir() else source
    if source.suffix.lower() not in (".yaml", ".yml") or not source.is_file():
        return False
    about = read_description(source)
    return about.cloud is None and about.specification.is_file()


def _home(spec: SceneSpec, about: SceneDescription | None, source: Path) -> Home:
    known = {} if about is None else about.known
    low, high = known.get("bounds_min", spec.bounds_min), known.get("bounds_max", spec.bounds_max)
    start = known.get("start") or first_view(spec)
    check_start(start, low, high, str(source))
    floor = known.get("floor")
    return Home(
        spec.name if about is None else about.name,
        spec,
        SceneGraph.from_spec(spec),
        low,
        high,
        low[2] if floor is None else floor,
        start,
        checked_start_region(known.get("start_region"), start, low, high, str(source)),
        known.get("shows", ""),
        source,
    )
