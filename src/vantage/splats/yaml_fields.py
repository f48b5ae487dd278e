"""Reads the keys of a YAML file one by one and says in one sentence which of them is wrong."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vantage.errors import ConfigError
from vantage.registry import did_you_mean
from vantage.spatial import Viewpoint
from vantage.types import Point
from vantage.wording import shown

_LONGEST_PATH, _LONGEST_NAME = 4095, 255  # bytes, of a path and of each part of it, as file systems have it


class Fields:
    """The keys of a mapping, each taken once and checked; ``done`` reports what nobody took."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self._values = values
        self._known: list[str] = []
        self.where = where

    def _take(self, key: str) -> Any:
        self._known.append(key)
        return self._values.get(key)

    def _wrong(self, key: str, expected: str) -> ConfigError:
        return ConfigError(f"{self.where}: '{key}' must be {expected}, got {shown(self._values[key])}")

    def need(self, key: str, read: Any) -> Any:
        value = read(key)
        if value is None:
            raise ConfigError(f"{self.where}: '{key}' is missing")
        return value

    def has(self, key: str) -> bool:
        """Whether the key is there with a value."""
        return self._take(key) is not None

    def skip(self, key: str) -> None:
        """Let a key pass, whatever it says."""
        self._known.append(key)

    def text(self, key: str) -> str | None:
        value = self._take(key)
        if value is not None and not isinstance(value, str):
            raise self._wrong(key, "text")
        return value

    def truth(self, key: str) -> bool | None:
        value = self._take(key)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def number(self, key: str) -> float | None:
        value = self._take(key)
        if value is None:
            return None
        if not _is_number(value):
            raise self._wrong(key, "a finite number")
        return float(value)

    def positive(self, key: str, default: float) -> float:
        value = self.number(key)
        if value is None:
            return default
        if value <= 0:
            raise ConfigError(f"{self.where}: {key} must be positive, got {value}")
        return value

    def text_or_id(self, key: str) -> str | int | None:
        value = self._take(key)
        if value is None or (isinstance(value, (str, int)) and not isinstance(value, bool)):
            return value
        raise self._wrong(key, "a label or the number of an instance")

    def numbers(self, key: str, *lengths: int) -> tuple[float, ...] | None:
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) not in lengths or not all(_is_number(entry) for entry in value):
            raise self._wrong(key, f"a list of {' or '.join(map(str, lengths))} finite numbers")
        return tuple(float(entry) for entry in value)

    def point(self, key: str) -> Point | None:
        values = self.numbers(key, 3)
        return None if values is None else (values[0], values[1], values[2])

    def part(self, key: str) -> Fields | None:
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self._wrong(key, "a mapping of keys and values")
        return Fields(value, f"{self.where}: {key}")

    def parts(self, key: str) -> list[Fields]:
        value = self._take(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
            raise self._wrong(key, "a list of mappings of keys and values")
        return [Fields(entry, f"{self.where}: {key}[{at}]") for at, entry in enumerate(value)]

    def box(self, key: str) -> tuple[Point, Point] | None:
        part = self.part(key)
        if part is None:
            return None
        low, high = part.need("min", part.point), part.need("max", part.point)
        part.done()
        return low, high

    def viewpoint(self, key: str) -> Viewpoint | None:
        part = self.part(key)
        if part is None:
            return None
        x, y, z = part.need("position", part.point)
        view = Viewpoint(x, y, z, part.number("yaw") or 0.0, part.number("pitch") or 0.0)
        part.done()
        return view

    def path(self, key: str, folder: Path) -> Path | None:
        value = self.text(key)
        if value is None:
            return None
        expanded = os.path.expandvars(value)
        if len(expanded) > _LONGEST_PATH or any(
            len(os.fsencode(part)) > _LONGEST_NAME for part in Path(expanded).parts
        ):
            raise self._wrong(key, "the path of a file")
        if "$" in expanded:
            raise ConfigError(
                f"{self.where}: '{key}' is {shown(value)}, but that environment variable is not set; set it"
            )
        return folder / expanded

    def done(self) -> None:
        for key in self._values:
            if key not in self._known:
                name = key if isinstance(key, str) and shown(key) == repr(key) else shown(key)
                raise ConfigError(f"{self.where}: unknown key '{name}'{did_you_mean(name, sorted(self._known))}")


def _is_number(value: Any) -> bool:
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an integer of hundreds of digits
        return False
