"""What all tests share: the helpers in ``test/support``, what tests need, and a place for real data."""

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent / "support"))
# Threads for sums of a few numbers cost more than they save, here and in whatever tests start. Before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import needs
import shared_out
from made_once import shared
from sampling import examples

# What a shell starts in the background ignores Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says nothing on a machine that does other objects beside.
settings.register_profile(
    "any machine",
    max_examples=examples(100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
settings.register_profile("search", settings.get_profile("any machine"), derandomize=False)  # --hypothesis-profile
settings.load_profile("any machine")


def pytest_configure(config):
    config.pluginmanager.register(needs, "needs")
    process = getattr(config, "workerinput", None)
    if process is not None and [config.rootpath / each for each in config.args] == [shared_out.TEST]:
        config.args = shared_out.from_another_end(int(process["workerid"][2:]), process["workercount"])


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is imported stays: it is not looked through for garbage meanwhile, nor ever again, and the rest seldom."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep what tests compute out of the user's cache, and their key of warrants apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(shared(tmp_path_factory) / "cache"))
        patch.setenv("VANTAGE_WARRANT_KEY", str(tmp_path_factory.mktemp("keys") / "warrants.key"))
        yield


@pytest.fixture(scope="session")
def data_folder():
    """The folder of real data; whoever uses it is skipped where it is absent."""
    return needs.data_folder()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Several processes take units in the order of their first tests: the longest ones come first."""
    if hasattr(config, "workerinput"):
        items.sort(
            key=lambda item: (-shared_out.seconds_of(shared_out.unit_of(item.nodeid)), item.nodeid.split("::")[0])
        )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from by_duration import ByDuration

    return ByDuration(config, log)
