"""Helpers of these tests, and a reason where ROS is absent."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

pytest.importorskip("rclpy", reason="these tests need rclpy")
pytest.importorskip("vantage_eqa", reason="these tests need the built interfaces")
