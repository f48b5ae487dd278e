"""Homes by name: the specifications in scene folders, with or without a cloud beside them, and ProcTHOR houses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from vantage.errors import ConfigError, FormatError, UnknownNameError
from vantage.file_references import is_within
from vantage.registry import did_you_mean
from vantage.scenes.procthor import AssetDatabase, holds_houses, house_count, import_house, is_house_file
from vantage.scenes.spec import SceneSpec, load_spec
from vantage.splats import SPEC_FILE

Place = tuple[Path, int | None]  # a file, and the number of a house in it; None for a specification


def list_homes(scenes: str | Path) -> dict[str, Place]:
    """Names and places of the homes at a place: a specification, a scene folder that has one, a file of ProcTHOR
    houses, or a folder of these. A house of a file of several has its number behind the file's name: ``test_3``.

    Raises:
        ConfigError: there is nothing at that place.
        FormatError: a file cannot be read.
    """
    place = Path(scenes)
    if not str(scenes) or not place.exists():
        raise ConfigError(f"no homes at '{scenes}'; set world.scenes to a folder of homes or to one home")
    if place.is_file():
        return _homes_in(place)
    if (place / SPEC_FILE).is_file():
        return {place.resolve().name: (place / SPEC_FILE, None)}
    found: dict[str, Place] = {}
    for entry in sorted(place.iterdir()):
        if entry.name.startswith("."):
            continue
        if (entry / SPEC_FILE).is_file():
            found[entry.name] = (entry / SPEC_FILE, None)
        elif entry.is_file() and is_house_file(entry):
            found |= _homes_in(entry)
    return found


def _homes_in(file: Path) -> dict[str, Place]:
    name = file.resolve().parent.name if file.name == SPEC_FILE else file.name.split(".")[0]
    if not holds_houses(file):
        return {name: (file, None)}
    count = house_count(file)
    return {name: (file, 0)} if count == 1 else {f"{name}_{number}": (file, number) for number in range(count)}


def load_home(scenes: str | Path, name: str) -> SceneSpec:
    """The home of a name at a place; see ``list_homes``.

    Raises:
        ConfigError: there is nothing at that place.
        UnknownNameError: no home of that name.
        FormatError, SceneError: its file is wrong.
    """
    homes = list_homes(scenes)
    if name not in homes:
        raise UnknownNameError(f"unknown home '{name}' in {scenes}{did_you_mean(name, sorted(homes))}")
    file, number = homes[name]
    if file.is_symlink() and not is_within(file, file.parent):
        raise FormatError(f"{file} is a link that leads out of {file.parent}; put the file itself there")
    if number is None:
        return replace(load_spec(file), name=name)
    return replace(import_house(file, number, AssetDatabase.find(None)).spec, name=name)
