"""One test for a whole table of cases, which lists every row that fails."""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

# A row would see in these what rows before it did, so that a test that uses one needs ``parametrize``.
_KEPT_BETWEEN_ROWS = {"monkeypatch", "capsys", "capfd", "caplog", "recwarn"}


def each_row(names: str, rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test function for each row, in one test that fails with a list of all rows that fail.

    For tables whose rows take no time: it is called as ``pytest.mark.parametrize`` is and saves what a test of its own
    for each row costs. Each row gets a new folder as ``tmp_path``; all other fixtures are shared by the rows. Two
    tables above one function stand for all combinations of their rows.

    Args:
        names: the parameters that a row gives, separated by commas.
        rows: for each case a tuple, or the value itself where there is one name.
    """
    parameters = [name.strip() for name in names.split(",")]
    cases = [_values(row, len(parameters)) for row in rows]
    assert cases, "a table has rows"

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function)
        fixtures = [each for name, each in signature.parameters.items() if name not in parameters]
        assert not _KEPT_BETWEEN_ROWS & set(signature.parameters), "use parametrize with these fixtures"

        @functools.wraps(function)
        def run(**shared: Any) -> None:
            failures = []
            for number, values in enumerate(cases, start=1):
                row = dict(zip(parameters, values, strict=True))
                if "tmp_path" in shared:
                    row["tmp_path"] = shared["tmp_path"] / str(number)
                    row["tmp_path"].mkdir()
                try:
                    function(**{**shared, **row})
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
                    given = ", ".join(f"{name}={row[name]!r}" for name in parameters)
                    failures.append(f"row {number}: {given}\n    {_told(error, function)}")
            if failures:
                listed = "\n".join(failures)
                pytest.fail(f"{len(failures)} of {len(cases)} rows fail\n{listed}", pytrace=False)

        run.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run

    return decorate


def _values(row: Any, number: int) -> tuple[Any, ...]:
    if isinstance(row, ParameterSet):
        return tuple(row.values)
    return (row,) if number == 1 else tuple(row)


def _told(error: BaseException, function: Callable[..., None]) -> str:
    """What went wrong and in which line of the test: for an assertion, what pytest tells of both sides."""
    file = inspect.unwrap(function).__code__.co_filename
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    where = f"{Path(file).name}:{lines[-1]}: " if lines else ""
    kind = "" if isinstance(error, AssertionError | pytest.fail.Exception) else f"{type(error).__name__}: "
    return (where + kind + str(error)).replace("\n", "\n    ")
