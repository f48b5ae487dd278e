"""Values in messages stay short, whatever they are."""

from __future__ import annotations

from typing import Any

import pytest

from vantage.wording import MOST_SHOWN, shown


def bomb() -> list[Any]:
    nested: list[Any] = ["lol"] * 9
    for _ in range(12):
        nested = [nested] * 9
    return nested


def test_small_values_are_shown_as_they_are() -> None:
    for value in (5, "two", 0.25, True, None, [1, 2.5], {"a": [1]}):
        assert shown(value) == repr(value)


@pytest.mark.parametrize(
    "value",
    [bomb(), "x" * 10**6, 1 << 100_000, [1 << 100_000], list(range(10**5)), {str(k): k for k in range(999)}],
    ids=["nested", "text", "number", "in a list", "list", "mapping"],
)
def test_large_values_are_cut(value: Any) -> None:
    assert len(shown(value)) <= MOST_SHOWN


def test_lists_in_themselves() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert len(shown(loop)) <= MOST_SHOWN
