"""The homes of a set: generated from seeds, or imported from files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from vantage.errors import FormatError, SceneError, UsageError
from vantage.files import read_json
from vantage.scenes.generator import MAX_ROOMS, USUAL_LAYOUT, HomeLayout
from vantage.scenes.graph import SceneGraph
from vantage.scenes.procthor import AssetDatabase, holds_houses, house_count, import_house, is_house_file
from vantage.scenes.spec import SPEC_SCHEMA, SceneSpec, load_spec
from vantage.splats import SPEC_FILE
from vantage.splats.synthesis import make_scene, save_home

_HOMES_PER_SEED = 1000


class Home(Protocol):
    """A home of a set, by which any process can make it.

    ``name`` is that of its folder, unique in the set; ``seed`` decides what is drawn by chance in it.
    """

    @property
    def name(self) -> str: ...

    @property
    def seed(self) -> int: ...

    def write(self, scenes: Path) -> None:
        """Write its folder among the scenes of a set.

        Raises:
            SceneError, FormatError: no home can be made of its seed or file.
        """
        ...


@dataclass(frozen=True)
class GeneratedHome:
    """A home with a number of rooms, generated from its seed."""

    seed: int
    rooms: int
    layout: HomeLayout = USUAL_LAYOUT

    @property
    def name(self) -> str:
        return f"home_{self.seed}"

    def write(self, scenes: Path) -> None:
        make_scene(self.seed, scenes / self.name, self.name, rooms=self.rooms, layout=self.layout)


@dataclass(frozen=True)
class ImportedHome:
    """A ProcTHOR house, or a home by its specification.

    Attributes:
        path: of the file.
        index: of the house in its file; None for a specification.
        assets: file of the asset database; None for the usual one.
    """

    name: str
    seed: int
    path: Path
    index: int | None = None
    assets: Path | None = None

    def spec(self) -> SceneSpec:
        """The home under its name in the set.

        Raises:
            SceneError, FormatError: the file holds no such home, or the home contradicts itself.
        """
        if self.index is None:
            found = load_spec(self.path)
        else:
            found = import_house(self.path, self.index, AssetDatabase.find(self.assets)).spec
        return replace(found, name=self.name)

    def write(self, scenes: Path) -> None:
        spec = self.spec()
        objects = sum(not obj.is_structure for obj in spec.objects)
        number = "" if self.index is None else f"house {self.index} of "
        shows = f"{number}{self.path.name}: {len(spec.rooms)} rooms with {objects} things"
        save_home(spec, scenes / self.name, shows)


def homes_of(
    scenes: int | str | Path,
    rooms: tuple[int, int],
    seed: int,
    most: int,
    assets: str | Path | None = None,
    progress: Callable[[str], None] = lambda line: None,
    layout: HomeLayout = USUAL_LAYOUT,
) -> list[Home]:
    """The homes of a set.

    Args:
        scenes: a number of homes to generate, a file of houses or a specification, or a folder of such files and of
            scene folders.
        rooms: least and greatest number of rooms of a generated home; the homes take all numbers between in turn.
        seed: of the set.
        most: how many homes the set can have questions about; of more in files, the first are taken.
        assets: asset database for houses; None for the usual one.
        progress: is told of each house that cannot be imported and so is left out.
        layout: of generated homes.

    Raises:
        UsageError: impossible numbers, or there is no such file or folder.
        SceneError: no home of the files can be imported.
        FormatError: a file can not be read.
    """
    if isinstance(scenes, int):
        low, high = rooms
        if not 1 <= low <= high <= MAX_ROOMS:
            raise UsageError(
                f"cannot make homes of {low} to {high} rooms; give two numbers from 1 to {MAX_ROOMS}, "
                "the smaller one first"
            )
        return [GeneratedHome(_HOMES_PER_SEED * seed + k, low + k % (high - low + 1), layout) for k in range(scenes)]
    return _imported(Path(scenes), seed, most, None if assets is None else Path(assets), progress)


def _imported(source: Path, seed: int, most: int, assets: Path | None, progress: Callable[[str], None]) -> list[Home]:
    found: list[Home] = []
    names: set[str] = set()
    for path, index in _places(source, progress):
        stem = path.parent.name if path.name == SPEC_FILE else path.name.split(".")[0]
        name = re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_") or "house"
        name += "" if index is None else f"_{index}"
        if name in names:
            name += f"_{len(names)}"
        home = ImportedHome(name, _HOMES_PER_SEED * seed + len(found), path, index, assets)
        try:
            SceneGraph.from_spec(home.spec()).check()
        except (SceneError, FormatError) as error:
            progress(f"left out: {error}")
            continue
        found.append(home)
        names.add(name)
        if len(found) == most:
            break
    if not found:
        each = "the files in it" if source.is_dir() else "it"
        raise SceneError(f"{source} gives no home; see what 'vantage scene check' says of {each}")
    return found


def _places(source: Path, progress: Callable[[str], None]) -> Iterator[tuple[Path, int | None]]:
    """Files, with the numbers of the houses in them; None for specifications. ``progress`` is told of each file of a
    folder that cannot be read and so is left out."""
    if not source.exists():
        raise UsageError(f"there is no {source}; give --scenes a number, a file of houses or a folder of such")
    if source.is_file():
        yield from _places_in(source)
        return
    for path in sorted(source.iterdir()):
        if path.is_dir() and (path / SPEC_FILE).is_file():
            yield path / SPEC_FILE, None
        elif path.is_file() and is_house_file(path):
            try:
                places = list(_places_in(path))
            except FormatError as error:
                progress(f"left out: {error}")
            else:
                yield from places


def _places_in(path: Path) -> Iterator[tuple[Path, int | None]]:
    """The houses of a file, or the one home of a specification; nothing of other JSON."""
    if holds_houses(path):
        yield from ((path, index) for index in range(house_count(path)))
    elif read_json(path)["schema"] == SPEC_SCHEMA:
        yield path, None
