"""What all tests share: the helpers in ``test/support`` and a place for real data."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "support"))


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep what tests compute out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def data_folder():
    """The folder of real data; tests that need it are skipped where it is absent."""
    folder = os.environ.get("VANTAGE_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("VANTAGE_DATA does not name a folder of real data")
    return Path(folder)
