"""Many alike cases: a sample of them in ``make test``, always the same one, and all others in ``make test-all``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import pytest

_LEAST = 3  # examples of a property in a sample
T = TypeVar("T")
REST = pytest.mark.needs("time")


def examples(count: int) -> int:
    """For ``settings(max_examples=...)``: a quarter of so many in ``make test``, all of them in ``make test-all``."""
    return count if os.environ.get("VANTAGE_SLOW_TESTS") else min(count, max(_LEAST, count // 4))


def portions(draws: Sequence[T], few: int) -> list[Any]:
    """For ``parametrize``: the first few draws as one test, and the others as another that needs time."""
    return [pytest.param(draws[:few], id="few"), pytest.param(draws[few:], id="rest", marks=REST)]


def few_of_each(cases: Iterable[T], family: Callable[[T], object], most: int) -> tuple[list[T], list[T]]:
    """The first cases of each family, at most so many, and all others; each part in the order of the cases."""
    seen: Counter[object] = Counter()
    few: list[T] = []
    rest: list[T] = []
    for case in cases:
        kind = family(case)
        seen[kind] += 1
        (few if seen[kind] <= most else rest).append(case)
    return few, rest
