"""Houses of ProcTHOR as scene specifications.

The house is built of walls 2 cm thick inward of their lines, or as thick as the file says (``metadata.wallThickness``,
which exports of this software have). What is on or in what comes from the geometry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vantage.errors import SceneError
from vantage.scenes.procthor.asset_database import AssetDatabase
from vantage.scenes.procthor.house_building import build, inner_rooms
from vantage.scenes.procthor.house_contents import missing_assets, read_objects
from vantage.scenes.procthor.house_file import read_house
from vantage.scenes.procthor.house_nudging import nudged
from vantage.scenes.procthor.house_placement import Placement, settled
from vantage.scenes.procthor.house_plan import read_plan
from vantage.scenes.procthor.materials import MaterialDatabase
from vantage.scenes.spec import SceneSpec, check_spec

IMPORT_VERSION = 1
_MOST_OBJECTS = 5000
_SHOWN = 5


@dataclass(frozen=True)
class ImportedHouse:
    """A house and what could not be taken over as it is.

    Attributes:
        missing: names of the assets whose size the database does not know.
        warnings: sentences, empty when all is well.
    """

    spec: SceneSpec
    missing: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def load_procthor(path: str | Path, index: int = 0, assets: AssetDatabase | None = None) -> SceneSpec:
    """One house of a file; see ``import_house``, which also says what was missing."""
    return import_house(path, index, assets).spec


def import_house(path: str | Path, index: int = 0, assets: AssetDatabase | None = None) -> ImportedHouse:
    """One house of a ProcTHOR file of schema 1.0.0, also compressed or of many houses.

    Args:
        path: a ``.json`` or ``.jsonl`` file, or one of these with ``.gz``.
        index: of the house in the file, from 0.
        assets: tells how large objects are; without it, and for assets that it lacks, usual sizes are taken.

    Raises:
        FormatError: the file cannot be read, or a key is missing or its value of the wrong type.
        SceneError: there is no such house, or it contradicts itself; the message says where.
    """
    house, where = read_house(path, index)
    plan = read_plan(house, where)
    items = read_objects(house, assets, where)
    count = sum(1 for obj in items for _ in obj.all())
    if count > _MOST_OBJECTS:
        raise SceneError(f"{where} has {count} objects, at most {_MOST_OBJECTS} can be imported")
    rooms = inner_rooms(plan)
    structure, openings = build(plan, rooms, MaterialDatabase() if assets is None else assets.materials)
    placement = Placement({room.room_id: room.outline for room in plan.rooms}, {room.room_id: room for room in rooms})
    objects = [*structure, *placement.make(items, len(structure) + 1)]
    xs, ys = ([corner[axis] for room in rooms for corner in room.outline] for axis in (0, 1))
    name = re.sub(r"[^a-z0-9]+", "_", Path(path).name.split(".")[0].lower()).strip("_") or "house"
    spec = SceneSpec(
        f"{name}_{index}",
        0,
        IMPORT_VERSION,
        (min(xs), min(ys), 0.0),
        (max(xs), max(ys), plan.height),
        tuple(objects),
        rooms,
        tuple(openings),
    )
    check_spec(spec)
    missing = missing_assets(items)
    source = "no asset database was given" if assets is None else "the asset database lacks them"
    leaning = [each.name for obj in items for each in obj.all() if each.leaning]
    told = (
        (missing, f"assets have the usual sizes of their kind, for {source}"),
        (leaning, "objects that lean are shown upright"),
        (placement.clipped, "objects that reach out of their rooms are clipped"),
        (placement.left_out, "objects that are in no room are left out"),
    )
    slanted = f"slanted walls are shown with right angles, up to {plan.slant_off:.2f} m from where they are"
    warnings = (
        *([slanted] if plan.slant_off else []),
        *(f"{len(names)} {words}: {_listed(names)}" for names, words in told if names),
    )
    return ImportedHouse(nudged(settled(spec)), missing, warnings)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" and others" if len(names) > _SHOWN else "")
