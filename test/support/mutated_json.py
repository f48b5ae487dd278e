"""JSON documents with one value swapped, missing or impossible, the same for the same seed."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**19,
    10**25,
    -(10**9),
    1e308,
    float("nan"),
    float("inf"),
    float("-inf"),
    "",
    "x",
    "1e999",
    "[" * 2000,
    "../../etc",
    "\ud800",
    "\x00\x1b[2J\u202e\n",
    "y" * 100_000,
    [],
    {},
    [None],
    [[]],
    {"x": 1},
    {"\udfff": 1},
)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in a document, but itself."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*way, key)
        yield from places(item, (*way, key))


def mutated(document: Any, chance: random.Random) -> tuple[str, Any]:
    """What was done, and a copy with it done."""
    changed = copy.deepcopy(document)
    way = chance.choice(list(places(changed)))
    *before, key = way
    holder = changed
    for step in before:
        holder = holder[step]
    kind = chance.choice(("missing", "added", "swapped", "swapped", "swapped", "swapped"))
    if kind == "missing":
        del holder[key]
    elif kind == "added" and isinstance(holder, dict):
        holder[chance.choice(("secret", "\ud800", "\x1b[2J", ""))] = copy.deepcopy(chance.choice(WRONG))
    else:
        kind, wrong = "swapped", copy.deepcopy(chance.choice(WRONG))
        holder[key] = wrong
    return f"{'.'.join(map(str, way))} {kind}: {holder.get(key) if isinstance(holder, dict) else ''!a}"[:200], changed
