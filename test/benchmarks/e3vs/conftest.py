"""A small set, made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_e3vs import make_small

from vantage.benchmarks.protocol import Told


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return make_small(tmp_path_factory.mktemp("sets") / "e3vs")


@pytest.fixture(scope="session")
def whole(made: Told) -> Path:
    """The folder of the splits."""
    return Path(made.data["folder"])
