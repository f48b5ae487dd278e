"""JSON in replies: found between other words, and checked against a schema.

The part of JSON Schema that prompts here use is small, and a checker of one's own keeps it working without any extra.
A keyword that it does not know is refused, never passed over.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from vantage.errors import UsageError

_LOOKED_AT = 100_000  # characters of a reply that is not JSON as a whole
_STARTS = 64  # braces and brackets in it from which JSON is tried to be read; each may cost all that follows

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_BOUNDS: dict[str, tuple[Callable[[Any, Any], bool], tuple[type, ...], str]] = {
    "minimum": (lambda value, bound: value >= bound, (int, float), "is below"),
    "maximum": (lambda value, bound: value <= bound, (int, float), "is above"),
    "minItems": (lambda value, bound: len(value) >= bound, (list,), "has fewer items than"),
    "maxItems": (lambda value, bound: len(value) <= bound, (list,), "has more items than"),
    "minLength": (lambda value, bound: len(value) >= bound, (str,), "has fewer characters than"),
    "maxLength": (lambda value, bound: len(value) <= bound, (str,), "has more characters than"),
}
_OTHER = {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf"}
_NOTES = {"title", "description", "$schema", "default", "examples"}
_START = re.compile(r"[{\[]")


class ReplyFaultError(ValueError):
    """What is wrong with a reply, as the end of a sentence that begins with "because"."""


def json_in(text: str, schema: Mapping[str, Any]) -> Any:
    """The JSON value of a reply, which may stand in a code fence or between sentences.

    Raises:
        ReplyFaultError: there is none, or it does not follow the schema.
        UsageError: the schema has keywords that are not supported.
    """
    check_schema(schema)
    found = list(_values(text))
    if not found:
        raise ReplyFaultError("it holds no JSON value" if text.strip() else "it is empty")
    faults = [fault(value, schema) for value in found]
    for value, wrong in zip(found, faults, strict=True):
        if wrong is None:
            return value
    raise ReplyFaultError(f"it does not follow the schema: {faults[0]}")


def _values(text: str) -> Iterator[Any]:
    """Every outermost JSON value: the whole text, or the first objects and lists from left to right."""
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    try:
        yield decoder.decode(text)
        return
    except (ValueError, RecursionError):
        pass
    at, text = 0, text[:_LOOKED_AT]
    for _ in range(_STARTS):
        start = _START.search(text, at)
        if start is None:
            return
        try:
            value, at = decoder.raw_decode(text, start.start())
            yield value
        except RecursionError:
            return
        except ValueError:
            at = start.end()


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def check_schema(schema: Mapping[str, Any]) -> None:
    """
    Raises:
        UsageError: a keyword that is not supported, at any depth.
    """
    unknown = set(schema) - _OTHER - _NOTES - set(_BOUNDS)
    if unknown:
        raise UsageError(f"JSON schema keyword '{min(unknown)}' is not supported; use {', '.join(sorted(_OTHER))}")
    for part in [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]:
        check_schema(part)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), Mapping):
            check_schema(schema[key])


def fault(value: Any, schema: Mapping[str, Any], where: str = "the value") -> str | None:
    """The first thing in which a value does not follow a schema, in words; None where it does."""
    if "type" in schema and not _is(value, schema["type"]):
        return f"{where} is not of type {schema['type']}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is none of {json.dumps(schema['enum'])}"
    if "const" in schema and value != schema["const"]:
        return f"{where} is not {json.dumps(schema['const'])}"
    for name, (holds, kinds, words) in _BOUNDS.items():
        if name in schema and isinstance(value, kinds) and not holds(value, schema[name]):
            return f"{where} {words} {schema[name]}"
    if "anyOf" in schema and all(fault(value, part, where) for part in schema["anyOf"]):
        return f"{where} is none of the kinds allowed"
    if isinstance(value, dict):
        return _fault_in_object(value, schema, where)
    if isinstance(value, list) and "items" in schema:
        faults = (fault(item, schema["items"], f"{where}[{i}]") for i, item in enumerate(value))
        return next((found for found in faults if found), None)
    return None


def _fault_in_object(value: dict[str, Any], schema: Mapping[str, Any], where: str) -> str | None:
    for name in schema.get("required", ()):
        if name not in value:
            return f"{where} lacks '{name}'"
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, item in value.items():
        if name not in known and others is False:
            return f"{where} has an unknown '{name[:40]}'"
        part = known.get(name, others if isinstance(others, Mapping) else {})
        if found := fault(item, part, f"'{name[:40]}'"):
            return found
    return None


def _is(value: Any, kinds: str | list[str]) -> bool:
    names = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, bool):
        return "boolean" in names
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return any(isinstance(value, _TYPES[name]) or (name == "integer" and _whole(value)) for name in names)


def _whole(value: Any) -> bool:
    return isinstance(value, float) and value.is_integer()
