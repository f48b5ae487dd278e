"""What a scene file says, before anything that it names is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vantage.decoding import Section
from vantage.errors import ConfigError
from vantage.file_references import why_link_out
from vantage.spatial import Matrix, Viewpoint, rigid
from vantage.splats.compose import Placement
from vantage.splats.object_entries import read_objects, read_upright
from vantage.splats.scene import Box

SCENE_FILE, GRAPH_FILE, SPEC_FILE = "scene.yaml", "graph.json", "spec.json"


@dataclass(frozen=True, eq=False)
class SceneDescription:
    """A scene file.

    Attributes:
        source: the file.
        cloud, graph, classes: files that it names, None where it names none.
        known: what it says of bounds, floor, start and the like, as the fields of ``SplatScene``.
        unit, T_world_cloud: m per unit of the cloud, and where its frame is in the world.
        objects: captures to place into the scene, each with its place.
    """

    source: Path
    name: str
    cloud: Path | None
    graph: Path | None
    classes: Path | None
    known: dict[str, Any]
    unit: float
    T_world_cloud: Matrix
    objects: list[tuple[Path, Placement]]

    @property
    def specification(self) -> Path:
        """Where the specification of a home would be."""
        return self.source.parent / SPEC_FILE


def read_description(source: Path) -> SceneDescription:
    """Read a scene file.

    Raises:
        ConfigError: it has unknown keys or wrong values.
    """
    section = Section.of_file(source, null_is_absent=True)
    cloud, graph, classes = (section.path(key, "") for key in ("cloud", "graph", "classes"))
    known: dict[str, Any] = {
        "start": _read_viewpoint(section, "start"),
        "floor": section.number("floor") if "floor" in section else None,
        "shows": section.text("shows", ""),
        "attribution": section.text("attribution", ""),
        "metric": section.switch("metric") if "metric" in section else None,
        "start_region": _read_box(section, "start_region"),
    }
    bounds = _read_box(section, "bounds")
    if bounds is not None:
        known["bounds_min"], known["bounds_max"] = bounds
    unit = section.positive("metres_per_unit", 1.0)
    T_world_cloud = read_pose(section.section("T_world_cloud", {}))
    name = section.text("name", "")
    name = name or (source.parent.resolve().name if source.name == SCENE_FILE else source.stem)
    objects = read_objects(section, "objects")
    section.done()
    return SceneDescription(source, name, cloud, graph, classes, known, unit, T_world_cloud, objects)


def refuse_links_out(folder: Path) -> None:
    """
    Raises:
        ConfigError: a link in the folder of a scene leads out of it.
    """
    if folder.is_dir() and (out := why_link_out(folder)):
        raise ConfigError(out)


def no_cloud(source: Path) -> ConfigError:
    """What is wrong with a scene file, for those who need the cloud that it does not name."""
    if (source.parent / SPEC_FILE).is_file():
        return ConfigError(
            f"{source} is a home without a cloud; paint it with 'vantage scene make --from {source.parent} --out DIR', "
            "or show it in a world that needs none"
        )
    return ConfigError(f"{source} names no cloud; add 'cloud: <file>'")


def _read_box(section: Section, key: str) -> Box | None:
    if key not in section:
        return None
    part = section.section(key)
    box = part.point("min"), part.point("max")
    part.done()
    return box


def _read_viewpoint(section: Section, key: str) -> Viewpoint | None:
    if key not in section:
        return None
    part = section.section(key)
    viewpoint = Viewpoint(*part.point("position"), part.number("yaw", 0.0), part.number("pitch", 0.0))
    part.done()
    return viewpoint


def read_pose(section: Section) -> Matrix:
    """The rigid transform (4, 4) that ``T_world_cloud`` of a scene file says; the identity where it says nothing.

    Raises:
        ConfigError: unknown keys or wrong values.
    """
    R_world_cloud, position = read_upright(section), section.point("position", (0.0, 0.0, 0.0))
    section.done()
    return rigid(R_world_cloud, np.array(position))
