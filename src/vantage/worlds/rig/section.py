"""A part of a YAML file that is read key by key; what is wrong is told with the key and what was expected."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from vantage.errors import ConfigError, FormatError
from vantage.files import read_text
from vantage.registry import did_you_mean
from vantage.wording import shown

_MOST_BYTES = 1 << 20
_MISSING = object()


class Section:
    """A mapping within a file. Read what is expected, then call ``done`` so that misspelt keys are told.

    Every reader takes a default; without one the key must be there. All raise ConfigError with the full key.

    Attributes:
        where: the file and the key, for messages.
        folder: of the file; relative paths in it start there.
    """

    def __init__(self, values: Any, where: str, folder: Path) -> None:
        if not isinstance(values, Mapping):
            raise ConfigError(f"{where}: expected keys with values, got {_shown(values)}")
        self._values = values
        self._read: set[str] = set()
        self.where, self.folder = where, folder

    @staticmethod
    def of_file(path: str | Path) -> Section:
        """The whole of a YAML file.

        Raises:
            ConfigError: it cannot be read or is no mapping.
        """
        source = Path(path)
        try:
            values = yaml.load(read_text(source, _MOST_BYTES), Loader=_Loader)
        except FileNotFoundError as error:
            raise ConfigError(f"{source} does not exist; check the path") from error
        except FormatError as error:
            raise ConfigError(str(error)) from error
        except RecursionError as error:
            raise ConfigError(f"cannot read {source} as YAML: it is nested too deeply; write it anew") from error
        except (OSError, ValueError, yaml.YAMLError) as error:  # ValueError: not UTF-8, or no number or date after all
            raise ConfigError(f"cannot read {source} as YAML: {' '.join(str(error).split())}; mend it") from error
        return Section(values, str(source), source.parent)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def error(self, key: str, problem: str) -> ConfigError:
        """An error about one key, to be raised."""
        return ConfigError(f"{self._name(key)}: {problem}")

    def number(self, key: str, default: Any = _MISSING, low: float = -math.inf, high: float = math.inf) -> float:
        """A finite number in [low, high]."""
        value = self._take(key, default)
        if not _is_number(value):
            raise self.error(key, f"expected a number, got {_shown(value)}")
        if not low <= value <= high:
            raise self.error(key, f"expected a number in [{low:g}, {high:g}], got {value:g}")
        return float(value)

    def whole(self, key: str, default: Any = _MISSING, low: int = -(2**63), high: int = 2**63) -> int:
        """A whole number in [low, high]."""
        value = self._take(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.error(key, f"expected a whole number in [{low}, {high}], got {_shown(value)}")
        return value

    def text(self, key: str, default: Any = _MISSING, choices: Sequence[str] | None = None) -> str:
        """Text, one of ``choices`` where they are given."""
        value = self._take(key, default)
        if not isinstance(value, str):
            raise self.error(key, f"expected text, got {_shown(value)}")
        if choices is not None and value not in choices:
            hint, _, known = did_you_mean(value, [*choices]).partition(" (known: ")
            raise self.error(key, f"expected one of {known[:-1]}, got {_shown(value)}{hint}")
        return value

    def switch(self, key: str, default: Any = _MISSING) -> bool:
        """True or false."""
        value = self._take(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"expected true or false, got {_shown(value)}")
        return value

    def numbers(self, key: str, count: int, default: Any = _MISSING) -> tuple[float, ...]:
        """A list of so many finite numbers."""
        value = self._take(key, default)
        if not isinstance(value, (list, tuple)) or len(value) != count or not all(_is_number(v) for v in value):
            raise self.error(key, f"expected a list of {count} numbers, got {_shown(value)}")
        return tuple(float(v) for v in value)

    def path(self, key: str, default: Any = _MISSING) -> Path | None:
        """A path, relative to the file; None where the text is empty."""
        text = self.text(key, default)
        try:
            return (self.folder / Path(text).expanduser()) if text else None
        except RuntimeError as error:
            raise self.error(key, f"nobody here is called as in '{text}'; write the path in full") from error

    def section(self, key: str, default: Any = _MISSING) -> Section:
        """A mapping within this one."""
        return Section(self._take(key, default), self._name(key), self.folder)

    def sections(self, key: str, default: Any = _MISSING) -> list[Section]:
        """A list of mappings."""
        value = self._take(key, default)
        if not isinstance(value, (list, tuple)):
            raise self.error(key, f"expected a list, got {_shown(value)}")
        return [Section(item, f"{self._name(key)}[{i}]", self.folder) for i, item in enumerate(value)]

    def with_values(self, **values: Any) -> Section:
        """A copy in which some keys have other values."""
        return Section({**self._values, **values}, self.where, self.folder)

    def names(self) -> list[str]:
        """All keys, for mappings whose keys are names; they count as read."""
        self._read.update(self._values)
        return [str(key) for key in self._values]

    def done(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self._values:
            if key not in self._read:
                raise self.error(str(key), f"unknown key{did_you_mean(str(key), sorted(self._read))}")

    def _name(self, key: str) -> str:
        return f"{self.where}: {key}" if ": " not in self.where else f"{self.where}.{key}"

    def _take(self, key: str, default: Any) -> Any:
        self._read.add(key)
        value = self._values.get(key, default)
        if value is _MISSING:
            raise self.error(key, "is missing")
        return value


class _Loader(yaml.SafeLoader):
    """Takes ``1e-5`` for a number, as YAML 1.2 does, and refuses a key that is given twice instead of keeping one."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node: yaml.MappingNode = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(None, None, f"'{key.value}' is given twice", key.start_mark)
                seen.add(key.value)
        return node


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)


def _is_number(value: Any) -> bool:
    """Whether a value is a number that a float can hold."""
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def _shown(value: Any) -> str:
    return "nothing" if value is None else shown(value)
