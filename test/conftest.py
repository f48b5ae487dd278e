"""What all tests share: the helpers in ``test/support``, what tests need, and a place for real data."""

import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent / "support"))

import needs

# What a shell starts in the background ignores Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says nothing on a machine that does other objects beside.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("search", settings.get_profile("any machine"), derandomize=False)  # --hypothesis-profile
settings.load_profile("any machine")


def pytest_configure(config):
    config.pluginmanager.register(needs, "needs")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep what tests compute out of the user's cache, and their key of warrants apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("VANTAGE_WARRANT_KEY", str(tmp_path_factory.mktemp("keys") / "warrants.key"))
        yield


@pytest.fixture(scope="session")
def data_folder():
    """The folder of real data; whoever uses it is skipped where it is absent."""
    return needs.data_folder()


# Tests that wait in real time mostly wait, so that those of one group run one after another beside the rest.
_IN_REAL_TIME = {
    "ros rig": ("test/ros/test_rig_", "test/ros/test_ros2_", "test/ros/test_ros_camera", "test/ros/test_traj"),
    "ros": ("test/ros/", "test/nodes/", "test/nets/test_traces"),
    "rig": ("test/worlds/rig/", "test/cli/test_rig"),
}
# A file of these that began last would keep one process busy after all others have ended.
_LONG = (
    "test/cli/test_run",
    "test/bench/",
    "test/benchmarks/e3vs/test_e3vs_interrupted",
    "test/nets/",
    "test/perception/",
    "test/planning/",
    "test/splats/",
)


def _group(nodeid):
    """What runs in one process, one after another: a file, or all files of a group."""
    file = nodeid.split("::")[0]
    return next((name for name, starts in _IN_REAL_TIME.items() if file.startswith(starts)), file)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Several processes take groups in the order of their first tests: the longest ones come first."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: (_group(item.nodeid) not in _IN_REAL_TIME, not item.nodeid.startswith(_LONG)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return _group(nodeid)

    config.option.loadscopereorder = False  # would put groups of many tests first, however short those are
    return ByGroup(config, log)
