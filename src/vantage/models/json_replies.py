"""JSON in replies: found between other words, and checked against a JSON schema."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from vantage.bounded_json import bounded_json, check_json
from vantage.errors import UsageError
from vantage.registry import did_you_mean

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_LOOKED_AT = 100_000  # characters, from the end, of a reply that is not JSON as a whole
_STARTS = 64  # braces and brackets in it from which JSON is tried to be read; each may cost all that follows

_NOTES = {"title", "description", "$schema", "default", "examples"}
_WORDS = {
    "minimum": "is below",
    "maximum": "is above",
    "minItems": "has fewer items than",
    "maxItems": "has more items than",
    "minLength": "has fewer characters than",
    "maxLength": "has more characters than",
    "pattern": "does not match",
}
_START = re.compile(r"[{\[]")


def _is_number(_: Any, value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


@cache
def _validator() -> Any:
    """The class that checks; only whoever checks waits until it is imported."""
    from jsonschema import Draft202012Validator, validators

    checker = Draft202012Validator.TYPE_CHECKER.redefine("number", _is_number)
    return validators.extend(Draft202012Validator, type_checker=checker)


class ReplyFaultError(ValueError):
    """What is wrong with a reply, as the end of a sentence that begins with "because"."""


def json_in(text: str, schema: Mapping[str, Any]) -> Any:
    """The JSON value of a reply, which may stand in a code fence or between sentences: the last one that fits.

    Raises:
        ReplyFaultError: there is none, or it does not follow the schema.
        UsageError: the schema is wrong; see ``check_schema``.
    """
    check_schema(schema)
    found = list(_values(text))
    if not found:
        raise ReplyFaultError("it holds no JSON value" if text.strip() else "it is empty")
    wrong = None
    for value in reversed(found):
        wrong = fault(value, schema)
        if wrong is None:
            return value
    raise ReplyFaultError(f"it does not follow the schema: {wrong}")


def _values(text: str) -> Iterator[Any]:
    """Every outermost JSON value: the whole text, or the objects and lists from left to right, the first and the last
    of very many."""
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    try:
        yield bounded_json(text, parse_constant=_no_constant)
        return
    except ValueError:
        pass
    text = text[-_LOOKED_AT:]
    starts = [found.start() for found in _START.finditer(text)]
    if len(starts) > _STARTS:
        starts = [*starts[: _STARTS // 2], *starts[-_STARTS // 2 :]]
    at = 0
    for start in starts:
        if start < at:
            continue
        try:
            value, at = decoder.raw_decode(text, start)
            check_json(text[start:at])
            yield value
        except RecursionError:
            return
        except ValueError:
            at = start + 1


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def check_schema(schema: Mapping[str, Any]) -> None:
    """Make sure that replies can be checked against a schema: a keyword that nothing knows would be passed over.

    Raises:
        UsageError: it is no JSON schema (draft 2020-12), or has an unknown keyword, at any depth.
    """
    from jsonschema.exceptions import SchemaError

    try:
        _validator().check_schema(schema)
    except SchemaError as error:
        raise UsageError(f"the JSON schema is wrong at '{error.json_path}': {error.message}") from error
    _check_keywords(schema)


def _check_keywords(schema: Mapping[str, Any]) -> None:
    known = {*_validator().VALIDATORS, *_NOTES} - {"$ref", "$dynamicRef"}
    for keyword in schema:
        if keyword not in known:
            raise UsageError(f"JSON schema keyword '{keyword}' is not supported{did_you_mean(keyword, sorted(known))}")
    for part in [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]:
        _check_keywords(part)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), Mapping):
            _check_keywords(schema[key])


def fault(value: Any, schema: Mapping[str, Any]) -> str | None:
    """The first object in which a value does not follow a schema, in words; None where it does."""
    from referencing import Registry

    error = next(_validator()(schema, registry=Registry()).iter_errors(value), None)
    return None if error is None else _sentence(error)


def _sentence(error: ValidationError) -> str:
    keyword, bound, where = error.validator, error.validator_value, _place(error.absolute_path)
    if keyword == "type":
        return f"{where} is not of type {bound}"
    if keyword == "enum":
        return f"{where} is none of {json.dumps(bound)}"
    if keyword == "const":
        return f"{where} is not {json.dumps(bound)}"
    if keyword == "anyOf":
        return f"{where} is none of the kinds allowed"
    if keyword == "required":
        return f"{where} lacks '{next(name for name in bound if name not in error.instance)}'"
    if keyword == "additionalProperties":
        known = error.schema.get("properties", {})
        return f"{where} has an unknown '{next(name for name in error.instance if name not in known)[:40]}'"
    if keyword in _WORDS:
        return f"{where} {_WORDS[keyword]} {bound}"
    return f"{where} breaks the rule '{keyword}'"


def _place(path: Sequence[str | int]) -> str:
    """The innermost name on the way to a value, and the numbers of items from there."""
    place = "the value"
    for step in path:
        place = f"'{step[:40]}'" if isinstance(step, str) else f"{place}[{step}]"
    return place
