"""Helpers of these tests; where ROS or the built interfaces are absent, they are left out and the header says so."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

_MISSING = [name for name in ("rclpy", "vantage_eqa", "tf2_msgs") if importlib.util.find_spec(name) is None]
collect_ignore_glob = ["test_*.py"] if _MISSING else []


def pytest_report_header() -> str:
    return f"test/ros: left out, because {', '.join(_MISSING)} cannot be imported" if _MISSING else "test/ros: included"
