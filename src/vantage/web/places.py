"""Scenes and homes by name, and in which worlds each of them can be shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vantage.errors import FormatError, UsageError, VantageError
from vantage.splats import SCENE_FILE, SPEC_FILE, is_cloud, list_scenes, read_description
from vantage.worlds.house import list_homes

SPLAT, HOUSE = "splat", "house"
_YAML = (".yaml", ".yml")


@dataclass(frozen=True)
class Place:
    """Where a scene of one name lies.

    Attributes:
        scene: to be given to ``load_scene``; None where there is none.
        homes: where ``load_home`` finds the home of this name; None where there is none.
    """

    name: str
    scene: Path | None = None
    homes: Path | None = None

    @property
    def worlds(self) -> tuple[str, ...]:
        """In which it can be shown, the usual one first."""
        splat = self.scene is not None and (self.homes is None or _has_cloud(self.scene))
        return (SPLAT,) * splat + (HOUSE,) * (self.homes is not None)

    def world(self, wanted: str) -> str:
        """The wanted world where it can be shown in that, else the usual one."""
        worlds = self.worlds
        return wanted if wanted in worlds else worlds[0]


def places_at(path: Path) -> dict[str, Place]:
    """The scenes and homes at a path by name: one of them, or those in a folder.

    Raises:
        ConfigError, FormatError: there is nothing at that path, or a file cannot be read.
    """
    of_scene = is_cloud(path) or path.is_dir() or path.suffix.lower() in _YAML
    scenes = list_scenes(path) if of_scene else {}
    beside = path.parent if path.name == SCENE_FILE else path
    homes = _homes_at(beside, bool(scenes)) if beside.is_dir() or not of_scene else frozenset()
    return {
        name: Place(name, scenes.get(name), beside if name in homes else None) for name in sorted({*scenes, *homes})
    }


def _homes_at(path: Path, beside_scenes: bool) -> frozenset[str]:
    """Names of homes; beside scenes of those with a specification alone, for any file may lie there."""
    try:
        homes = list_homes(path)
    except FormatError:
        if beside_scenes:
            return frozenset()
        raise
    return frozenset(name for name, (file, _) in homes.items() if not beside_scenes or file.name == SPEC_FILE)


def require_world(places: dict[str, Place], world: str, path: Path) -> None:
    """
    Raises:
        UsageError: one of the places cannot be shown in a world.
    """
    lacking = [name for name, place in places.items() if world not in place.worlds]
    if lacking:
        what = "a home with a specification" if world == HOUSE else "a scene with a cloud"
        raise UsageError(f"{lacking[0]} at {path} cannot be shown as {world}, for it is not {what}; leave --world out")


def _has_cloud(scene: Path) -> bool:
    if scene.is_dir():
        if not (scene / SCENE_FILE).is_file():
            return is_cloud(scene)
        scene = scene / SCENE_FILE
    if scene.suffix.lower() not in _YAML:
        return True
    try:
        return read_description(scene).cloud is not None
    except VantageError:
        return True  # and who opens it is told what is wrong
