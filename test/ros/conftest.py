"""Helpers of these tests; where ROS or the built interfaces are absent, they are left out and the header says so."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

_MISSING = [name for name in ("rclpy", "vantage_eqa", "tf2_msgs") if importlib.util.find_spec(name) is None]
collect_ignore_glob = ["test_*.py"] if _MISSING else []


def pytest_report_header() -> str:
    return f"test/ros: left out, because {', '.join(_MISSING)} cannot be imported" if _MISSING else "test/ros: included"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Real nodes over a real network on a machine that is busy with other tests: one more try, reported as a rerun."""
    if config.pluginmanager.hasplugin("rerunfailures"):
        here = Path(__file__).parent
        for item in items:
            if here in item.path.parents:
                item.add_marker(pytest.mark.flaky(reruns=1))
