"""Print how many processes of pytest some arguments are worth: `python tools/process_count.py 4 test/scenes -k rooms`.

A process of its own takes a second or two before its first test, so a few files run in the one that is there anyway,
which is said by 0. The first argument is the most; the others are those of pytest.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

FILES_EACH = 4


def processes(most: int, arguments: Sequence[str]) -> int:
    """One for every few test files below the paths that are named, 0 for a few files, `most` where none is named."""
    paths = [Path(each.partition("::")[0]) for each in arguments if not each.startswith("-")]
    paths = [path for path in paths if path.exists()]
    if not paths:
        return most
    files = {file for path in paths for file in (path.rglob("test_*.py") if path.is_dir() else [path])}
    wanted = min(most, -(-len(files) // FILES_EACH))
    return wanted if wanted > 1 else 0


def main() -> int:
    print(processes(int(sys.argv[1]), sys.argv[2:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
