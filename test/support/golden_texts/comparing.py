"""What differs between a text that was held and the same one computed now, in one sentence for each difference."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\d)")
_MOST_SHOWN = 300  # characters of a value


def value_differences(held: Any, now: Any, tolerance: float = 1e-9, at: str = "") -> Iterator[str]:
    """Where two JSON values differ; numbers may differ by ``tolerance``, and 1 is 1.0."""
    if isinstance(held, dict) and isinstance(now, dict):
        for key in (*held, *(key for key in now if key not in held)):
            where = f"{at}.{key}" if at else str(key)
            if key not in now:
                yield f"{where}: was {_shown(held[key])}, is gone"
            elif key not in held:
                yield f"{where}: was not there, is {_shown(now[key])}"
            else:
                yield from value_differences(held[key], now[key], tolerance, where)
    elif isinstance(held, list) and isinstance(now, list):
        if len(held) != len(now):
            yield f"{at}: had {len(held)} items, has {len(now)}"
        for k, (one, other) in enumerate(zip(held, now, strict=False)):
            yield from value_differences(one, other, tolerance, f"{at}[{_named(one, k)}]")
    elif not _same(held, now, tolerance):
        yield f"{at}: was {_shown(held)}, is {_shown(now)}"


def line_differences(held: str, now: str, tolerance: float = 0.0) -> Iterator[str]:
    """Where two texts differ, line by line; numbers with a decimal point may differ by ``tolerance``,
    as they are or as a share."""
    before, after = held.splitlines(), now.splitlines()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        pairs = zip_longest(range(first, last), range(start, end))
        for one, other in pairs:
            if one is None:
                yield f"line {other + 1}: was not there, is {_shown(after[other])}"
            elif other is None:
                yield f"line {one + 1}: was {_shown(before[one])}, is gone"
            elif not _alike(before[one], after[other], tolerance):
                yield f"line {one + 1}: was {_shown(before[one])}, is {_shown(after[other])}"


def text_differences(name: str, held: str, now: str, tolerance: float) -> Iterator[str]:
    """As JSON where the file's name says so, else by lines."""
    if name.endswith(".json"):
        found = value_differences(json.loads(held), json.loads(now), tolerance)
    else:
        found = line_differences(held, now, tolerance)
    return (f"{name}: {each}" for each in found)


def _named(item: Any, number: int) -> str:
    """An item of a list by what it calls itself, so that a difference says in which episode it is."""
    if isinstance(item, dict):
        for key in ("bag", "episode_id", "name", "key"):
            if isinstance(item.get(key), str) and item[key]:
                return str(item[key])
    return str(number)


def _same(held: Any, now: Any, tolerance: float) -> bool:
    numbers = all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in (held, now))
    if numbers:
        return math.isclose(held, now, rel_tol=0.0, abs_tol=tolerance)
    return type(held) is type(now) and bool(held == now)


def _alike(held: str, now: str, tolerance: float) -> bool:
    if held == now or not tolerance:
        return held == now
    words, others = _NUMBER.split(held), _NUMBER.split(now)
    numbers = zip(_NUMBER.findall(held), _NUMBER.findall(now), strict=False)
    return words == others and all(one == two or _near(one, two, tolerance) for one, two in numbers)


def _near(one: str, other: str, tolerance: float) -> bool:
    """Whole numbers are exact; of real ones a float32 keeps seven digits."""
    if one.lstrip("-").isdigit() and other.lstrip("-").isdigit():
        return False
    return math.isclose(float(one), float(other), rel_tol=tolerance, abs_tol=tolerance)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}... ({len(text)} characters)"
