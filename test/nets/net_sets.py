"""Sets of the nets that several files read, made once in a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_texts import sets
from made_once import made_once


def small_search_net(factory: pytest.TempPathFactory) -> Path:
    """The folder of the small set of search."""
    return made_once(factory, "net-search", lambda folder: sets.make("search", sets.SETS["search"], folder))
