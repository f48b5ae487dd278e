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


# Tests that wait in real time share two processes, which mostly wait; the rest goes by file.
_IN_REAL_TIME = {"ros": ("test/ros/", "test/nodes/"), "rig": ("test/worlds/rig/", "test/cli/test_rig")}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.split("::")[0]
            return next((name for name, starts in _IN_REAL_TIME.items() if file.startswith(starts)), file)

    return ByFile(config, log)
