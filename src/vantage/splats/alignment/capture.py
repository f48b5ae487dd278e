"""A capture that is to be aligned: a bare cloud, or a scene file whose pose and scale are to be found anew."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from vantage.decoding import Section
from vantage.errors import ConfigError, SceneError
from vantage.file_references import DATA
from vantage.spatial import Matrix
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats import load_cloud
from vantage.splats.scene_description import SCENE_FILE, SPEC_FILE, no_cloud, read_pose
from vantage.splats.scene_file import is_cloud


@dataclass(frozen=True, eq=False)
class Capture:
    """A cloud in its own frame and what a scene file said about it.

    Attributes:
        texts: ``cloud`` and ``classes`` of a scene file as they were written, environment variables included.
        classes: the file of the classes of the instances, which an alignment leaves as they are.
        up: (3,) up in the cloud frame according to the scene file, or None.
        metres_per_unit: according to the scene file, or None.
        metric: whether that is known to give metres; False where the scene file says that nobody knows.
        words: ``name``, ``shows`` and ``attribution``, where they are known.
    """

    cloud: GaussianCloud
    path: Path
    texts: dict[str, str] = field(default_factory=dict)
    up: Matrix | None = None
    metres_per_unit: float | None = None
    words: dict[str, str] = field(default_factory=dict)
    metric: bool = True
    classes: Path | None = None

    def files_for(self, scene_file: Path) -> dict[str, str]:
        """How a scene file names them: as before where that holds a variable, relative where beside it, or by that of
        the user's data.

        Raises:
            SceneError: they lie elsewhere, where a scene file may not lead.
        """
        files = {"cloud": self.path} | ({} if self.classes is None else {"classes": self.classes})
        folder, data = scene_file.resolve().parent, os.environ.get(DATA)
        named: dict[str, str] = {}
        for key, path in files.items():
            full, text = path.resolve(), self.texts.get(key, "")
            if "$" in text:
                named[key] = text
            elif full.is_relative_to(folder):
                named[key] = str(full.relative_to(folder))
            elif data and full.is_relative_to(Path(data).resolve()):
                named[key] = f"${{{DATA}}}/{full.relative_to(Path(data).resolve())}"
            else:
                raise SceneError(
                    f"{scene_file} could not name {path}, because scene files name only what lies beside or beneath "
                    f"them, or in the folder of ${DATA}; write it to {path.resolve().parent} or move the capture there"
                )
        return named


def open_capture(path: str | Path) -> Capture:
    """Read a cloud or a scene file.

    Raises:
        ConfigError: there is nothing, or the scene file has unknown keys or wrong values.
        FormatError: the cloud cannot be read.
        SceneError: the scene has a graph or objects, which an alignment would tear from their places.
    """
    source = Path(path)
    if not source.exists():
        raise ConfigError(f"no capture at {source}; give a cloud such as a .ply file, or a scene file")
    if source.is_dir() and (source / SCENE_FILE).is_file():
        source = source / SCENE_FILE
    elif is_cloud(source):
        return Capture(load_cloud(source), source, words={"name": source.resolve().stem})
    elif source.is_dir():
        raise SceneError(f"{source} holds no {SCENE_FILE} and no cloud; give one capture")
    section = Section.of_file(source, null_is_absent=True)
    if "cloud" not in section and (source.parent / SPEC_FILE).is_file():
        raise no_cloud(source)
    place = section.path("cloud")
    if place is None:
        raise section.error("cloud", "is empty; name the file of the capture")
    for key in ("graph", "objects"):
        if key in section:
            raise SceneError(
                f"{source} has '{key}', which would not fit a scene that is turned; align its cloud {place} instead"
            )
    words = {"name": source.parent.resolve().name if source.name == SCENE_FILE else source.stem}
    words |= {key: text for key in ("name", "shows", "attribution") if (text := section.text(key, ""))}
    unit = section.positive("metres_per_unit") if "metres_per_unit" in section else None
    metric = section.switch("metric", True)
    classes = section.path("classes", "")
    T_world_cloud = read_pose(section.section("T_world_cloud")) if "T_world_cloud" in section else None
    section.skip("floor", "bounds", "start", "start_region")
    section.done()
    up = None if T_world_cloud is None else np.asarray(T_world_cloud[2, :3])
    texts = {key: section.text(key, "") for key in ("cloud", "classes")}
    return Capture(load_cloud(place), place, texts, up, unit, words, metric, classes)
