"""Long work told to whoever waits for it, not too often."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Tell = Callable[[str], None]
_T = TypeVar("_T")


def quiet(line: str) -> None:
    """Tells nobody."""


def paced(items: Sequence[_T], doing: str, tell: Tell, every: float = 10.0) -> Iterator[_T]:
    """The items; in between, at most once in ``every`` s, how many of them are done, such as ``scored 40 of 192``."""
    told = time.monotonic()
    for done, item in enumerate(items):
        if done and time.monotonic() - told >= every:
            told = time.monotonic()
            tell(f"{doing} {done} of {len(items)}")
        yield item
