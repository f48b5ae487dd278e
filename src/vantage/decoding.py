"""YAML and JSON files as typed values: one dialect, one reader of keys, one sentence for what is wrong.

Files are YAML 1.2: ``on`` is a word, ``1e-1`` a number and ``2024-05-01`` a text. PyYAML alone reads YAML 1.1, where
``on`` means true. Source of the patterns: YAML 1.2.2, section 10.3.2 (core schema).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import msgspec
import yaml

from vantage.bounded_yaml import MOST_BYTES, BoundedEvents
from vantage.errors import ConfigError, FormatError, VantageError
from vantage.file_references import referenced
from vantage.files import read_text
from vantage.registry import did_you_mean
from vantage.types import Point
from vantage.wording import shown

T = TypeVar("T")

_MOST_DIGITS = 400  # of one number
_MISSING = object()
_TRUTHS = {"yes": True, "on": True, "no": False, "off": False}  # as YAML 1.1 has them
_INNER = re.compile(r"(?P<problem>.*?)(?: - at `(?:key` in `)?\$(?P<place>[^`]*)`)?", re.DOTALL)
_KINDS = {
    "float": "a finite number",
    "int": "an integer",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "keys with values",
}

_MERGE = "tag:yaml.org,2002:merge"
_NULL, _BOOL, _INT, _FLOAT = (f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float"))
_PATTERNS = {
    _NULL: (re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
    _BOOL: (re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")),
    _INT: (re.compile(r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$"), list("-+0123456789")),
    _FLOAT: (
        re.compile(
            r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
            r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
        ),
        list("-+.0123456789"),
    ),
}


class _Loader(BoundedEvents, yaml.SafeLoader):
    """YAML 1.2 with merge keys, within bounds, and without keys given twice."""

    yaml_constructors: ClassVar[dict[str | None, Any]] = {}

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node: yaml.MappingNode = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(None, None, f"'{key.value}' is given twice", key.start_mark)
                seen.add(key.value)
        return node


class _Dumper(yaml.SafeDumper):
    """Quotes what either version of YAML would not read as the text that it is."""


def _scalar(loader: _Loader, node: Any) -> Any:
    text = loader.construct_scalar(node)
    pattern = _PATTERNS[node.tag][0]
    if not pattern.match(text) or len(text) > _MOST_DIGITS:
        raise yaml.constructor.ConstructorError(None, None, "a value that is no number, truth or null", node.start_mark)
    if node.tag == _NULL:
        return None
    if node.tag == _BOOL:
        return text.lower() == "true"
    if node.tag == _INT:
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))


def _text(loader: _Loader, node: Any) -> str:
    text = str(loader.construct_scalar(node))
    if any(0xD800 <= ord(letter) <= 0xDFFF for letter in text):
        raise yaml.constructor.ConstructorError(None, None, "half of a letter (a surrogate)", node.start_mark)
    return text


def _undefined(loader: _Loader, node: Any) -> Any:
    raise yaml.constructor.ConstructorError(None, None, "a tag that no file here has", node.start_mark)


_Loader.yaml_implicit_resolvers = {}
for _tag, (_pattern, _first) in _PATTERNS.items():
    _Loader.add_implicit_resolver(_tag, _pattern, _first)
    _Dumper.add_implicit_resolver(_tag, _pattern, _first)
    _Loader.add_constructor(_tag, _scalar)
for _kind in ("seq", "map"):
    _name = f"tag:yaml.org,2002:{_kind}"
    _Loader.add_constructor(_name, yaml.SafeLoader.yaml_constructors[_name])
_Loader.add_implicit_resolver(_MERGE, re.compile(r"^<<$"), ["<"])
for _tag in (_MERGE, "tag:yaml.org,2002:str"):
    _Loader.add_constructor(_tag, _text)
_Loader.add_constructor(None, _undefined)


def read_yaml(path: str | Path) -> Mapping[str, Any]:
    """The keys and values of a YAML file.

    Raises:
        ConfigError: missing, no regular file, beyond the bounds of ``bounded_yaml``, not YAML, a key given twice, or no
            mapping.
    """
    source = Path(path)
    try:
        document = parse_yaml(read_text(source, MOST_BYTES))
    except FileNotFoundError as error:
        raise ConfigError(f"{source} does not exist; check the path") from error
    except FormatError as error:
        raise ConfigError(str(error)) from error
    except (OSError, ValueError, yaml.YAMLError) as error:  # ValueError: not UTF-8
        raise ConfigError(f"cannot read {source} as YAML: {' '.join(str(error).split())}; correct it") from error
    if not isinstance(document, Mapping):
        raise ConfigError(f"{source}: expected keys with values, got {_shown(document)}")
    return document


def parse_yaml(text: str) -> Any:
    """
    Raises:
        ValueError, yaml.YAMLError: it is no YAML, or beyond the bounds of ``bounded_yaml``.
    """
    return yaml.load(text, _Loader)


def yaml_text(document: Mapping[str, Any], inline: bool = False) -> str:
    """What ``read_yaml`` reads back; ``inline`` puts the innermost lists and mappings into one line each."""
    return yaml.dump(
        dict(document),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None if inline else False,
        width=120 if inline else 80,
    )


def plain_value(text: str) -> Any:
    """What a text on a command line means in YAML; the text itself where that is nothing."""
    try:
        return parse_yaml(text)
    except (yaml.YAMLError, ValueError):
        return text


def truth(value: Any) -> Any:
    """True and false for the words that YAML 1.1 has for them; any other value as it is."""
    return _TRUTHS.get(value.lower(), value) if isinstance(value, str) else value


def decode(
    kind: type[T],
    value: Any,
    where: str,
    *,
    names: Mapping[str, str] | None = None,
    error: type[VantageError] = FormatError,
) -> T:
    """A dataclass from the mapping that a file holds. Keys that it does not know are passed over.

    Args:
        names: fields of the dataclass by the keys that the file has for them, where they differ.
        where: the file and the place in it, for messages.

    Raises:
        FormatError, or ``error``: a key is missing, or a value is of the wrong type, out of range or not finite.
    """
    if not isinstance(value, Mapping):
        raise error(f"{where} must be a JSON object, got {type(value).__name__}")
    back = {field: key for key, field in (names or {}).items()}
    renamed = {(names or {}).get(key, key): item for key, item in value.items()} if names else value
    try:
        found = msgspec.convert(renamed, kind)
    except msgspec.ValidationError as problem:
        raise error(_sentence(str(problem), renamed, where, back)) from problem
    if (place := _not_finite(value)) is not None:
        raise error(f"'{place}' of {where} must be a finite number")
    return found


def _sentence(problem: str, value: Any, where: str, back: Mapping[str, str]) -> str:
    """What msgspec finds wrong, with the key as the file has it, what was expected and what is there."""
    match = _INNER.fullmatch(problem)
    text, place = (match["problem"], match["place"] or "") if match else (problem, "")
    steps: list[str | int] = [int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", place)]
    shown_steps = [back.get(str(step), step) if k == 0 else step for k, step in enumerate(steps)]
    name = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in shown_steps).lstrip(".")
    if missing := re.fullmatch(r"Object missing required field `(.*)`", text):
        owner = f"'{name}' of {where}" if name else where
        return f"{owner} lacks '{back.get(missing[1], missing[1]) if not name else missing[1]}'"
    for step in steps:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return f"'{name}' of {where}: {text}"
    expected = re.match(r"Expected `(\w+)`(?: of length (\d+)| ([<>]=? \S+))?", text)
    if expected is None:
        return f"'{name}' of {where} must be a finite number, got {shown(value)}"
    words = _KINDS.get(expected[1], expected[1])
    words += f" of {expected[2]} values" if expected[2] else f" {expected[3]}" if expected[3] else ""
    return f"'{name}' of {where} must be {words}, got {shown(value)}"


def _not_finite(value: Any) -> str | None:
    """The place of a number that is NaN or infinite."""
    left: list[tuple[str, Any]] = [("", value)]
    while left:
        place, item = left.pop()
        if isinstance(item, Mapping):
            left += [(f"{place}.{key}" if place else str(key), part) for key, part in item.items()]
        elif isinstance(item, (list, tuple)):
            left += [(f"{place}[{k}]", part) for k, part in enumerate(item)]
        elif isinstance(item, float) and not math.isfinite(item):
            return place
    return None


class Section:
    """A mapping within a YAML or JSON file. Read what is expected, then call ``done`` so that misspelt keys are told.

    Every reader takes a default; without one the key must be there. All raise ``fault`` with the full key.

    Attributes:
        fault: the class of errors.
        where: the file and the key, for messages.
        folder: of the file; relative paths in it start there.
        null_is_absent: whether a key without a value counts as left out.
    """

    fault: ClassVar[type[VantageError]] = ConfigError

    def __init__(self, values: Any, where: str, folder: Path, null_is_absent: bool = False) -> None:
        if not isinstance(values, Mapping):
            raise self.fault(f"{where}: expected keys with values, got {_shown(values)}")
        self._values = values
        self._read: set[str] = set()
        self.where, self.folder, self.null_is_absent = where, folder, null_is_absent

    @staticmethod
    def of_file(path: str | Path, null_is_absent: bool = False) -> Section:
        """The whole of a YAML file.

        Raises:
            ConfigError: as ``read_yaml``.
        """
        return Section(read_yaml(path), str(path), Path(path).parent, null_is_absent)

    def __contains__(self, key: str) -> bool:
        """Whether the key is there; it counts as read."""
        self._read.add(key)
        return key in self._values and not (self.null_is_absent and self._values[key] is None)

    def error(self, key: str, problem: str) -> VantageError:
        """An error about one key, to be raised."""
        return self.fault(f"{self._name(key)}: {problem}")

    def value(self, key: str, default: Any = _MISSING) -> Any:
        """Whatever stands there."""
        return self._take(key, default)

    def number(self, key: str, default: Any = _MISSING, low: float = -math.inf, high: float = math.inf) -> float:
        """A finite number in [low, high]."""
        value = self._take(key, default)
        if not _is_number(value):
            raise self.error(key, f"expected a number, got {_shown(value)}")
        if not low <= value <= high:
            raise self.error(key, f"expected a number in [{low:g}, {high:g}], got {value:g}")
        return float(value)

    def positive(self, key: str, default: Any = _MISSING) -> float:
        """A finite number above 0."""
        value = self.number(key, default)
        if value <= 0:
            raise self.error(key, f"expected a positive number, got {value:g}")
        return value

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

    def text_or_whole(self, key: str, default: Any = _MISSING) -> str | int:
        """A label, or the number of an instance."""
        value = self._take(key, default)
        if not isinstance(value, (str, int)) or isinstance(value, bool):
            raise self.error(key, f"expected a label or the number of an instance, got {_shown(value)}")
        return value

    def switch(self, key: str, default: Any = _MISSING) -> bool:
        """True or false; the words of YAML 1.1 for them count, too."""
        value = self._take(key, default)
        found = truth(value)
        if not isinstance(found, bool):
            raise self.error(key, f"expected true or false, got {_shown(value)}")
        return found

    def numbers(self, key: str, count: int | tuple[int, ...], default: Any = _MISSING) -> tuple[float, ...]:
        """A list of so many finite numbers."""
        counts = (count,) if isinstance(count, int) else count
        value = self._take(key, default)
        if not isinstance(value, (list, tuple)) or len(value) not in counts or not all(_is_number(v) for v in value):
            words = " or ".join(map(str, counts))
            raise self.error(key, f"expected a list of {words} numbers, got {_shown(value)}")
        return tuple(float(v) for v in value)

    def point(self, key: str, default: Any = _MISSING) -> Point:
        """A list of three finite numbers."""
        x, y, z = self.numbers(key, 3, default)
        return x, y, z

    def path(self, key: str, default: Any = _MISSING) -> Path | None:
        """A path, relative to the file and not out of its folder (see ``file_references``); None where the text is
        empty."""
        text = self.text(key, default)
        try:
            return referenced(text, self.folder) if text else None
        except ValueError as error:
            raise self.error(key, str(error)) from error

    def section(self, key: str, default: Any = _MISSING) -> Section:
        """A mapping within this one."""
        return Section(self._take(key, default), self._name(key), self.folder, self.null_is_absent)

    def sections(self, key: str, default: Any = _MISSING) -> list[Section]:
        """A list of mappings."""
        value = self._take(key, default)
        if not isinstance(value, (list, tuple)):
            raise self.error(key, f"expected a list, got {_shown(value)}")
        return [
            Section(item, f"{self._name(key)}[{i}]", self.folder, self.null_is_absent) for i, item in enumerate(value)
        ]

    def with_values(self, **values: Any) -> Section:
        """A copy in which some keys have other values."""
        return Section({**self._values, **values}, self.where, self.folder, self.null_is_absent)

    def names(self) -> list[str]:
        """All keys, for mappings whose keys are names; they count as read."""
        self._read.update(self._values)
        return [str(key) for key in self._values]

    def skip(self, *keys: str) -> None:
        """Let keys pass, whatever they say."""
        self._read.update(keys)

    def done(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self._values:
            if key not in self._read:
                name = key if isinstance(key, str) and shown(key) == repr(key) else shown(key)
                raise self.error(name, f"unknown key{did_you_mean(name, sorted(self._read))}")

    def _name(self, key: str) -> str:
        return f"{self.where}: {key}" if ": " not in self.where else f"{self.where}.{key}"

    def _take(self, key: str, default: Any) -> Any:
        self._read.add(key)
        value = self._values.get(key, default)
        if value is None and self.null_is_absent:
            value = default
        if value is _MISSING:
            raise self.error(key, "is missing")
        return value


def _is_number(value: Any) -> bool:
    """Whether a value is a number that a float can hold."""
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def _shown(value: Any) -> str:
    return "nothing" if value is None else shown(value)
