"""Check the sources as text: faces of packages, imports between them, and the marks of tests that need an extra.

One line for each problem, and status 1 where there is one. Nothing of the project is imported.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from source_checks.faces import heavy_scoring, typed_extras, wrong_faces, wrong_imports
from source_checks.needs_marks import NeedsMarks
from source_checks.trees import ROOT, Library


def problems(root: Path = ROOT) -> Iterator[str]:
    """A sentence for each problem of the project in a folder.

    Raises:
        SyntaxError: a file is not Python.
    """
    support = root / "test" / "support"
    sys.path.insert(0, str(support))
    needs = importlib.import_module("needs")

    library = Library(root / "src")
    yield from wrong_faces(library)
    yield from wrong_imports(library)
    yield from heavy_scoring(library)
    of_extras = {module for need in needs.NEEDS.values() for module in need.modules}
    settings = (root / "pyproject.toml").read_text(encoding="utf-8")
    yield from typed_extras(library, root / "tools", settings, of_extras)
    marks = NeedsMarks(needs, support)
    for path in sorted((root / "test").rglob("test_*.py")):
        yield from marks.unmarked(path)


def main() -> int:
    found: list[str] = []
    try:
        for each in problems():
            found.append(each.replace(f"{ROOT}/", ""))
    except SyntaxError as error:
        found.append(f"{error.filename}:{error.lineno}: {error.msg}; mend it, then run this again")
    except ValueError as error:  # of a face that is told above
        found.append(f"{error}; the rest was not checked")
    print("\n".join([*found, f"sources: {len(found) or 'no'} problem{'s' * (len(found) != 1)}"]))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
