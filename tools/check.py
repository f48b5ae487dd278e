"""Check a change: ruff, mypy, lint-imports and the sources on one core, the tests that the change reaches beside them.

`make check` calls it. What is told at the end is one line for each part; the status is 1 where one failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from process_count import processes

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
STATIC = (
    ("ruff", [str(BIN / "ruff"), "check", "."]),
    ("sources", [sys.executable, "tools/check_sources.py"]),
    ("lint-imports", [str(BIN / "lint-imports")]),
    ("mypy", [str(BIN / "mypy")]),
)
NO_TESTS = 5  # pytest's status where none was left to run


def part(name: str, command: list[str]) -> tuple[bool, str]:
    """Whether a check passes, and a line that says so; what it printed comes before that line if it fails."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    line = f"check: {'passed' if not done.returncode else 'FAILED'} after {time.monotonic() - started:.0f} s: {name}"
    if done.returncode:
        print(done.stdout + done.stderr, flush=True)
    print(line, flush=True)
    return not done.returncode, line


def changed_tests(since: str, seconds: float) -> list[str] | None:
    """The test files that the change reaches; None where they cannot be told."""
    command = [sys.executable, "tools/changed_tests.py", "--seconds", str(seconds)]
    command += ["--since", since] if since else []
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else None


def run_tests(files: list[str], words: list[str]) -> tuple[bool, str]:
    """Whether the tests of some files pass, and a line that says so; pytest prints as it goes."""
    started = time.monotonic()
    shared = processes(os.cpu_count() or 1, files)
    command = [str(BIN / "pytest"), "-q", "-n", str(shared), "--dist", "loadfile", *files, *words]
    passed = subprocess.run(command, cwd=ROOT, check=False).returncode in (0, NO_TESTS)
    return passed, f"check: {'passed' if passed else 'FAILED'} after {time.monotonic() - started:.0f} s: pytest"


def main() -> int:
    parser = argparse.ArgumentParser(prog="check", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--since", default="", help="a commit (default: where the branch left main, else HEAD)")
    parser.add_argument(
        "--seconds", type=float, default=150.0, help="of tests at most, after the nearest (%(default)s)"
    )
    options, words = parser.parse_known_args()
    with ThreadPoolExecutor(1) as pool:
        static = pool.submit(lambda: [part(name, command) for name, command in STATIC])
        files = changed_tests(options.since, options.seconds)
        told = [run_tests(files, words)] if files else []
        told = [*static.result(), *told]
    print("\n".join(line for _, line in told))
    return int(files is None or not all(passed for passed, _ in told))


if __name__ == "__main__":
    sys.exit(main())
