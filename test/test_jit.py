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

AT_ONCE = KERNEL.replace("print(", 'print("ready", flush=True)\ninput()\nprint(')


def environment(folder: Path) -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def run(folder: Path) -> str:
    return subprocess.run(
        [sys.executable, "-c", "import adding"],
        env=environment(folder),
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


def test_of_processes_that_need_it_at_once_one_compiles(tmp_path: Path) -> None:
    (tmp_path / "adding.py").write_text(AT_ONCE)
    (tmp_path / "parts.py").write_text("AMOUNT = 10\n")
    started = [
        subprocess.Popen(
            [sys.executable, "-c", "import adding"],
            env=environment(tmp_path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    try:
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in started:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        said = sorted(process.communicate(timeout=120)[0].strip() for process in started)
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert said == ["11 0", "11 1", "11 1"]
    assert not list(tmp_path.rglob("*.lock"))
