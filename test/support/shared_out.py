"""How several processes share the tests: by how long tests take, and those that wait beside those that compute.

What runs in one process, one test after another, is a unit: a file, or a long test of a file in which nothing is made
for all tests of the file. ``test/durations.json`` says in whole seconds how long units take; what it does not name
takes less than two. ``tools/measure_tests.py`` makes it anew. The longest units begin first, so that none is left alone
at the end.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

TEST = Path(__file__).resolve().parents[1]
DURATIONS = TEST / "durations.json"
# Tests that run in real time: they mostly wait, so that others compute beside them.
_WAITING = ("test/ros/", "test/nodes/", "test/nets/test_traces", "test/worlds/rig/", "test/cli/test_rig")


@cache
def durations() -> dict[str, int]:
    """Seconds of each unit that takes two or more."""
    found: dict[str, int] = json.loads(DURATIONS.read_text())
    return found


def unit_of(nodeid: str) -> str:
    """The unit of a test."""
    return nodeid if nodeid in durations() else nodeid.split("::")[0]


def seconds_of(unit: str) -> int:
    return durations().get(unit, 1)


def waits(unit: str) -> bool:
    """Whether the tests of a unit run in real time."""
    return unit.startswith(_WAITING)


def from_another_end(place: int, processes: int, root: Path = TEST) -> list[str]:
    """Everything in a folder of tests, begun elsewhere by each process, so that few compile the same file at one time.

    Args:
        place: of the process, from 0 on.
    """
    files = sorted(root.rglob("test_*.py"))
    parts = [*dict.fromkeys(str(root / file.relative_to(root).parts[0]) for file in files)]
    first = files[place % processes * len(files) // processes]  # one that replaces another has a number beyond all
    begun = parts.index(str(root / first.relative_to(root).parts[0]))
    return parts[begun:] + parts[:begun]
