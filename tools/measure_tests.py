"""Write how long the tests take into ``test/durations.json``, by which several processes share them.

``make test PYTEST_ARGS="--junitxml=/tmp/tests.xml"``, on a machine that does nothing else, then
``.venv/bin/python tools/measure_tests.py /tmp/tests.xml``. Units that those results do not name keep what is held of
them as long as their file is there.
"""

from __future__ import annotations

import argparse
import json
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HELD = ROOT / "test" / "durations.json"
_ALONE = 10.0  # s; a test that takes longer may run apart from the others of its file
_LEAST = 2  # s; what takes less is not named
_TOGETHER = ('scope="module"', 'scope="class"')  # what is made once for all tests of a file


def measured(results: Path) -> dict[str, float]:
    """Seconds of each test, its setup and teardown included.

    Raises:
        ValueError: it is no file of results in the form of JUnit.
    """
    try:
        cases = list(ElementTree.parse(results).iter("testcase"))
    except ElementTree.ParseError as error:
        raise ValueError(f"{results} is no file of results: {error}; run pytest with --junitxml={results}") from error
    found: dict[str, float] = {}
    for case in cases:
        nodeid = f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}"
        found[nodeid] = found.get(nodeid, 0.0) + float(case.attrib.get("time", 0.0))
    return found


def units(tests: Mapping[str, float], root: Path = ROOT) -> dict[str, int]:
    """Rounded seconds of each unit that takes two or more: of files, and of long tests that can run alone."""
    total: dict[str, float] = defaultdict(float)
    for nodeid, seconds in tests.items():
        file = nodeid.split("::")[0]
        alone = seconds >= _ALONE and not _shares(root / file)
        total[nodeid if alone else file] += seconds
    return {unit: rounded(seconds) for unit, seconds in sorted(total.items()) if rounded(seconds) >= _LEAST}


def rounded(seconds: float) -> int:
    """Coarsely, so that another measurement changes few lines."""
    return round(seconds) if seconds < 10 else 5 * round(seconds / 5)


def kept(held: Mapping[str, int], files: Iterable[str], root: Path = ROOT) -> dict[str, int]:
    """What is held of units whose files were not measured and are there."""
    new = set(files)
    return {
        unit: seconds
        for unit, seconds in held.items()
        if (file := unit.split("::")[0]) not in new and (root / file).is_file()
    }


def _shares(file: Path) -> bool:
    return not file.is_file() or any(words in file.read_text(encoding="utf-8") for words in _TOGETHER)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("results", type=Path, nargs="+", help="what pytest --junitxml wrote")
    tests: dict[str, float] = {}
    for results in parser.parse_args(words).results:
        try:
            tests |= measured(results)
        except (OSError, ValueError) as error:
            print(f"measure_tests: {error}", file=sys.stderr)
            return 1
    held = json.loads(HELD.read_text()) if HELD.exists() else {}
    now = kept(held, {nodeid.split("::")[0] for nodeid in tests}) | units(tests)
    HELD.write_text(json.dumps(dict(sorted(now.items())), indent=0) + "\n")
    print(f"{len(now)} units take {sum(now.values())} s; {HELD.relative_to(ROOT)} says so")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
