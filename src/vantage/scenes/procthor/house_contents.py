"""The objects of a ProcTHOR house, in the frame of the world, with what is on and in them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vantage.errors import SceneError
from vantage.scenes.procthor.asset_database import HANGING, Asset, AssetDatabase, guessed_asset, in_words
from vantage.scenes.procthor.house_plan import LARGEST, coordinates
from vantage.scenes.spec import decoding
from vantage.types import Point

_DEEPEST = 8  # objects on objects on objects
_LEVEL = 5.0  # degrees: an object that leans more cannot be shown as it is
_STANDING = 1.3  # m: the middles of what stands on the floor are lower
_UNKNOWN_SIZE: Point = (0.2, 0.2, 0.2)  # m
_STATES = (
    ("isOn", "on", "off"),
    ("isToggled", "on", "off"),
    ("isDirty", "dirty", "clean"),
    ("isOpen", "open", "closed"),
    ("isFilledWithLiquid", "full", "empty"),
)


@dataclass(frozen=True)
class HouseObject:
    """An object of a house.

    Attributes:
        name: unique in its house.
        asset: what it is, as far as the database or its name tells.
        known: whether the database has its asset.
        center: of its box, m; yaw: where its front looks, rad.
        states: that the file names.
        children: on and in it.
        leaning: whether it stands askew in the file.
        open_parts: names of its parts that stand open, where the file says so.
    """

    name: str
    asset: Asset
    known: bool
    center: Point
    yaw: float
    states: tuple[str, ...]
    children: tuple[HouseObject, ...]
    leaning: bool = False
    open_parts: tuple[str, ...] = ()

    @property
    def bottom(self) -> float:
        """Height of its lowest point, m."""
        return self.center[2] - 0.5 * self.asset.size[2]

    def moved(self, dx: float, dy: float, dz: float) -> HouseObject:
        """The object somewhere else, with all that is on and in it."""
        x, y, z = self.center
        children = tuple(child.moved(dx, dy, dz) for child in self.children)
        return replace(self, center=(x + dx, y + dy, z + dz), children=children)

    def footprint(self, frame: HouseObject | None = None) -> tuple[tuple[float, float], tuple[float, float]]:
        """Corners (low, high) of its box seen from above, m: in the world, or in the frame of another object."""
        (x, y, _), turn = self.center, self.yaw
        if frame is not None:
            dx, dy, turn = x - frame.center[0], y - frame.center[1], self.yaw - frame.yaw
            c, s = math.cos(frame.yaw), math.sin(frame.yaw)
            x, y = c * dx + s * dy, c * dy - s * dx
        c, s = abs(math.cos(turn)), abs(math.sin(turn))
        depth, width, _ = self.asset.size
        a, b = 0.5 * (c * depth + s * width), 0.5 * (s * depth + c * width)
        return (x - a, y - b), (x + a, y + b)

    def all(self) -> Iterator[HouseObject]:
        """The object and all that is on and in it, at any depth."""
        yield self
        for child in self.children:
            yield from child.all()


def read_objects(house: Mapping[str, Any], assets: AssetDatabase | None, where: str) -> tuple[HouseObject, ...]:
    """All objects of a house that stand on the floor or hang on walls, with what is on and in them.

    Raises:
        FormatError: a key is missing or its value of the wrong type.
        SceneError: an object is absurdly far away, or objects are nested absurdly deep.
    """
    entries = decoding.records(house, "objects", where)
    return tuple(_object(entry, assets, where, 0) for entry in entries)


def _object(entry: Any, assets: AssetDatabase | None, where: str, depth: int) -> HouseObject:
    record = decoding.mapping(entry, f"an object of {where}")
    name = decoding.text(record, "id", f"an object of {where}")
    what = f"object '{name}' of {where}"
    if depth > _DEEPEST:
        raise SceneError(f"{what} is nested deeper than {_DEEPEST} things; put it on something nearer to the floor")
    asset_id = decoding.text(record, "assetId", what)
    center = coordinates(decoding.item(record, "position", what), f"the position of {what}")
    rotation = decoding.mapping(decoding.item(record, "rotation", what), f"'rotation' of {what}")
    tilts = [decoding.number(rotation.get(axis, 0.0), f"'rotation' of {what}") for axis in "xyz"]
    found = _described(record, asset_id, what) or (assets.get(asset_id) if assets is not None else None)
    asset = found or guessed_asset(asset_id) or Asset(asset_id, in_words(asset_id) or "thing", _UNKNOWN_SIZE)
    if found is None and depth == 0 and 0.02 < center[2] < _STANDING and asset.kind not in HANGING:
        asset = replace(asset, size=(*asset.size[:2], 2.0 * center[2]))  # it stands on the floor
    children = decoding.records(record, "children", what, [])
    return HouseObject(
        name,
        asset,
        found is not None,
        center,
        math.remainder(0.5 * math.pi - math.radians(tilts[1]), math.tau),
        _states(record, what),
        tuple(_object(child, assets, where, depth + 1) for child in children),
        any(abs(math.remainder(tilts[k], 360.0)) > _LEVEL for k in (0, 2)),
        decoding.words(more, "open", what) if isinstance(more := record.get("vantage"), dict) else (),
    )


def _described(record: Mapping[str, Any], asset_id: str, what: str) -> Asset | None:
    """What an export of this software says of an object beyond the schema of ProcTHOR."""
    if "vantage" not in record:
        return None
    what = f"'vantage' of {what}"
    more = decoding.mapping(record["vantage"], what)
    size = decoding.point(more, "size", what)
    if not 0 < min(size) <= max(size) <= LARGEST:
        raise SceneError(f"{what} has the size {size}; every extent must be positive and at most {LARGEST:g} m")
    words = {key: decoding.text(more, key, what, "") for key in ("color", "material", "entry", "label", "text")}
    mass = decoding.number(more.get("mass", 0.0), f"'mass' of {what}")
    return Asset(asset_id, words["label"], size, mass=max(mass, 0.0), **words)


def _states(record: Mapping[str, Any], what: str) -> tuple[str, ...]:
    states = [yes if record[key] else no for key, yes, no in _STATES if isinstance(record.get(key), bool)]
    if record.get("openness") is not None:
        openness = decoding.number(record["openness"], f"'openness' of {what}")
        states.append("open" if openness >= 0.5 else "closed")
    return tuple(dict.fromkeys(states))


def missing_assets(objects: Sequence[HouseObject]) -> tuple[str, ...]:
    """Names of the assets that the database lacks, sorted."""
    return tuple(sorted({each.asset.asset_id for obj in objects for each in obj.all() if not each.known}))
