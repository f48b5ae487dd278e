"""Compiled code on disk is never older than what it was made from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

KERNEL = """
from parts import AMOUNT
from vantage.jit import kernel

@kernel
def add(x):
    return x + AMOUNT

print(add(1), sum(add.stats.cache_hits.values()))
"""


def run(folder: Path) -> str:
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", "import adding"],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout.strip()


def test_a_changed_module_beside_a_kernel_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "adding.py").write_text(KERNEL)
    (tmp_path / "parts.py").write_text("AMOUNT = 10\n")
    assert run(tmp_path) == "11 0"
    assert run(tmp_path) == "11 1"
    (tmp_path / "parts.py").write_text("AMOUNT = 20\n")
    assert run(tmp_path) == "21 0"
