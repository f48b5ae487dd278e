"""The faces of packages as Python sees them; what they name is checked by ``tools/check_sources.py``."""

from __future__ import annotations

import subprocess
import sys

from source_checks.trees import Library


def test_a_face_loads_nothing_before_it_is_used() -> None:
    code = "import sys, vantage.recording, vantage.nodes, vantage.splats; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
    assert not {"vantage.recording.bags", "vantage.nodes.graph", "rclpy", "numpy"} & set(loaded.split())


def test_the_face_is_what_its_stub_says() -> None:
    import vantage.recording

    assert sorted(Library().face_of("vantage.recording")) == dir(vantage.recording)
    assert vantage.recording.read_bag is sys.modules["vantage.recording.bags"].read_bag
