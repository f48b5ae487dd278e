"""A small set, made once for all processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_e3vs import e3vs_splits, told_once  # noqa: F401

from vantage.benchmarks.protocol import Told


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return told_once(tmp_path_factory)


@pytest.fixture(scope="session")
def whole(made: Told) -> Path:
    """The folder of the splits."""
    return Path(made.data["folder"])
