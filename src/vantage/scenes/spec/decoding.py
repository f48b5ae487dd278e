"""Reads the fields of scene files one by one and says in one sentence which of them is wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from vantage.errors import FormatError
from vantage.registry import did_you_mean
from vantage.types import Point
from vantage.wording import shown


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """A JSON object.

    Raises:
        FormatError: it is something else.
    """
    if not isinstance(value, Mapping):
        raise FormatError(f"{where} must be a JSON object, got {type(value).__name__}")
    return value


def item(record: Mapping[str, Any], key: str, where: str) -> Any:
    """The value of a key that must be there.

    Raises:
        FormatError: the key is missing.
    """
    if key not in record:
        raise FormatError(f"{where} lacks '{key}'")
    return record[key]


def text(record: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """A string; ``default`` stands in for a missing key.

    Raises:
        FormatError: missing without default, or no string.
    """
    value = record.get(key, default) if default is not None else item(record, key, where)
    if not isinstance(value, str):
        raise FormatError(f"'{key}' of {where} must be text, got {shown(value)}")
    return value


def integer(record: Mapping[str, Any], key: str, where: str, default: int | None = None) -> int:
    """A whole number; ``default`` stands in for a missing key.

    Raises:
        FormatError: missing without default, or no integer.
    """
    value = record.get(key, default) if default is not None else item(record, key, where)
    if not isinstance(value, int) or isinstance(value, bool):
        raise FormatError(f"'{key}' of {where} must be an integer, got {shown(value)}")
    return value


def number(value: Any, where: str) -> float:
    """A finite number.

    Raises:
        FormatError: it is something else, NaN and infinity included.
    """
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        raise FormatError(f"{where} must be a finite number, got {shown(value)}")
    return float(value)


def numbers(record: Mapping[str, Any], key: str, length: int, where: str) -> tuple[float, ...]:
    """A list of finite numbers of a given length.

    Raises:
        FormatError: missing, of another length or not finite.
    """
    value = item(record, key, where)
    if not isinstance(value, list) or len(value) != length:
        raise FormatError(f"'{key}' of {where} must be a list of {length} numbers, got {shown(value)}")
    return tuple(number(entry, f"'{key}' of {where}") for entry in value)


def point(record: Mapping[str, Any], key: str, where: str) -> Point:
    """Three finite numbers.

    Raises:
        FormatError: as ``numbers``.
    """
    x, y, z = numbers(record, key, 3, where)
    return x, y, z


def words(record: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """A list of strings, empty when the key is missing.

    Raises:
        FormatError: it holds something else.
    """
    value = record.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise FormatError(f"'{key}' of {where} must be a list of words, got {shown(value)}")
    return tuple(value)


def records(record: Mapping[str, Any], key: str, where: str, default: list[Any] | None = None) -> list[Any]:
    """A list of anything; ``default`` stands in for a missing key.

    Raises:
        FormatError: missing without default, or no list.
    """
    value = record.get(key, default) if default is not None else item(record, key, where)
    if not isinstance(value, list):
        raise FormatError(f"'{key}' of {where} must be a list, got {type(value).__name__}")
    return value


def no_others(record: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """Make sure that a record has no keys but the known ones.

    Raises:
        FormatError: it has another one; the message proposes the closest.
    """
    for key in record:
        if key not in known:
            raise FormatError(f"{where} has the unknown key {shown(key)}{did_you_mean(str(key), list(known))}")


def schema(value: Any, expected: str, version: int, where: str) -> Mapping[str, Any]:
    """The top level of a file of this schema and version.

    Raises:
        FormatError: another schema or a version this software does not read.
    """
    record = mapping(value, where)
    found = record.get("schema")
    if found != expected:
        raise FormatError(f"{where} must have the schema '{expected}', found {shown(found)}")
    if integer(record, "version", where) != version:
        raise FormatError(f"{where} has version {shown(record['version'])}, this software reads version {version}")
    return record
