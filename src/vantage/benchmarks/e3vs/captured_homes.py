"""Homes that were captured: scene folders, scene files and bare clouds, for which there is no specification."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from vantage.errors import VantageError
from vantage.scenes.procthor import is_house_file
from vantage.splats import SPEC_FILE, list_scenes, load_scene, save_scene

_HOMES_PER_SEED = 1000


@dataclass(frozen=True)
class CapturedHome:
    """A capture; a ``Home`` of a set."""

    name: str
    seed: int
    path: Path

    def write(self, scenes: Path) -> None:
        """Write its folder among the scenes of a set.

        Raises:
            SceneError, FormatError, ConfigError: it cannot be read.
        """
        scene = load_scene(self.path)
        bounds = (scene.bounds_min, scene.bounds_max)
        save_scene(scenes / self.name, None, scene.graph, scene.cloud, name=self.name, bounds=bounds, floor=scene.floor)


def captured_homes(source: Path, seed: int) -> list[CapturedHome]:
    """The captures of a folder, or the one that a path names; none where it holds other homes."""
    if not source.exists() or (source.is_file() and is_house_file(source)):
        return []
    try:
        found = list_scenes(source)
    except VantageError:
        return []
    captures = [path for path in found.values() if not (path / SPEC_FILE).is_file()]
    return [
        CapturedHome(re.sub(r"[^A-Za-z0-9._-]+", "_", path.stem).strip("._-") or "capture", number, path.resolve())
        for number, path in enumerate(sorted(captures), start=_HOMES_PER_SEED * seed)
    ]
