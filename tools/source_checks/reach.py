"""Which tests reach which files by imports, and how far away those are."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from source_checks.trees import Library, statements

UNKNOWN_S = 1.0  # for a test file that test/durations.json does not name
_QUOTED = re.compile(r'"([^"\n]+)"')
_ENTRY = re.compile(r"(vantage(?:\.\w+)+):\w+")


class Reach:
    """Imports between the library's modules, the tools, the files that tests share and the tests of a project."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.library = Library(root / "src")
        self._words: dict[Path, set[str]] = {}

    @cached_property
    def tests(self) -> list[Path]:
        return sorted((self.root / "test").rglob("test_*.py"))

    @cached_property
    def _shared(self) -> list[Path]:
        """Python files below test/ that are no tests."""
        return sorted(path for path in (self.root / "test").rglob("*.py") if not path.name.startswith("test_"))

    @cached_property
    def _tools(self) -> dict[str, Path]:
        folder = self.root / "tools"
        return {".".join(path.relative_to(folder).with_suffix("").parts): path for path in folder.rglob("*.py")}

    @cached_property
    def _registered(self) -> dict[str, set[Path]]:
        """Files behind the names of the registry."""
        found: dict[str, set[Path]] = defaultdict(set)
        registry = self.library.modules.get("vantage.registry")
        for item in ast.walk(self.library.parsed(registry)) if registry else ():
            if isinstance(item, ast.Dict):
                for key, value in zip(item.keys, item.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(value, ast.Constant):
                        entry = _ENTRY.fullmatch(str(value.value))
                        if entry and entry[1] in self.library.modules:
                            found[str(key.value)].add(self.library.modules[entry[1]])
        return found

    @cached_property
    def importers(self) -> dict[Path, set[Path]]:
        """Who imports a file, in functions too, but not for types alone."""
        found: dict[Path, set[Path]] = defaultdict(set)
        for path in [*self.library.modules.values(), *self._tools.values(), *self._shared, *self.tests]:
            for behind in self._imported(path):
                found[behind].add(path)
        return found

    def _imported(self, path: Path) -> Iterator[Path]:
        is_test = path.is_relative_to(self.root / "test")
        for item in statements(self.library.parsed(path), skip=_for_types):
            if isinstance(item, ast.ImportFrom):
                yield from (self.library.modules[module] for _, module in self.library.modules_behind(item))
                yield from self._beside(path, item.module or "", [name.name for name in item.names])
            elif isinstance(item, ast.Import):
                for name in item.names:
                    if name.name in self.library.modules:
                        yield self.library.modules[name.name]
                    yield from self._beside(path, name.name, [])
        if is_test and path.name.startswith("test_"):
            folders = [folder for folder in path.parents if folder.is_relative_to(self.root / "test")]
            yield from (folder / "conftest.py" for folder in folders[:-1] if (folder / "conftest.py").is_file())
            for word in self.words(path) & self._registered.keys():
                yield from self._registered[word]

    def _beside(self, path: Path, module: str, names: list[str]) -> Iterator[Path]:
        """A file of the tools, one that all tests share, or one that lies in the same folder."""
        for tool in (module, *(f"{module}.{name}" for name in names)):
            if tool in self._tools:
                yield self._tools[tool]
        if path.is_relative_to(self.root / "test"):
            first = module.split(".")[0]
            for folder in (self.root / "test" / "support", path.parent):
                if (folder / f"{first}.py").is_file():
                    yield folder / f"{first}.py"
                elif (folder / first / "__init__.py").is_file() or (first and (folder / first).is_dir()):
                    yield from (folder / first).rglob("*.py")

    def words(self, path: Path) -> set[str]:
        """What a file says in quotation marks, on one line."""
        if path not in self._words:
            self._words[path] = set(_QUOTED.findall(path.read_text(encoding="utf-8")))
        return self._words[path]

    def distances(self, changed: list[str]) -> dict[Path, int]:
        """Of each test that a change reaches: 0 if it changed itself, 1 if it mirrors what did, else imports between.

        Args:
            changed: paths from the root; of a file that is no module of Python, tests that name it are reached.
        """
        paths = [self.root / each for each in changed]
        tests = set(self.tests)
        found = {path: 0 for path in paths if path in tests}
        reached: dict[Path, int] = {}
        for path in paths:
            if path.suffix == ".py" and (path.exists() or path.is_relative_to(self.library.source)):
                reached[path] = 0
            elif path.is_relative_to(self.library.source):  # a face, a template or a list of words
                reached |= dict.fromkeys(path.parent.glob("*.py"), 0)
            else:
                found |= {test: 1 for test in self._naming(path) if test not in found}
            found |= {test: 1 for test in self.tests if test not in found and self._mirrors(test, path)}
        waiting = list(reached)
        while waiting:
            near = waiting.pop(0)
            for importer in self.importers.get(near, ()):
                if importer not in reached:
                    reached[importer] = reached[near] + 1
                    waiting.append(importer)
        further = {test: reached[test] + 1 for test in self.tests if test in reached and test not in found}
        return found | further

    def _mirrors(self, test: Path, path: Path) -> bool:
        """Whether a test lies where that of a module is expected, as test/scenes/test_rooms.py of scenes/rooms.py."""
        own = self.library.source / self.library.name
        if path.suffix != ".py" or not path.is_relative_to(own):
            return False
        expected = self.root / "test" / path.relative_to(own).parent
        return test.is_relative_to(expected) and test.stem.startswith(f"test_{path.stem}")

    def _naming(self, path: Path) -> Iterator[Path]:
        """Tests that name a file, in one piece or in parts."""
        relative = path.relative_to(self.root)
        for test in self.tests:
            words = self.words(test)
            if set(relative.parts) <= words or any(relative.as_posix() in word for word in words):
                yield test


def _for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def chosen(distances: dict[Path, int], root: Path, seconds: float) -> tuple[list[str], str]:
    """The nearest of some tests, and a sentence that says how many there are.

    Those that changed themselves or mirror what did are chosen all. Of a distance that `seconds` do not allow in full,
    tests evenly spread over the folders are taken.
    """
    durations = _durations(root)
    taken: list[Path] = []
    spent = 0.0
    for distance in sorted(set(distances.values())):
        group = sorted(test for test, each in distances.items() if each == distance)
        needed = sum(durations.get(test, UNKNOWN_S) for test in group)
        if distance > 1 and spent + needed > seconds:
            share = max(0.0, seconds - spent) / needed
            step, sample = 0.0, []
            for test in group:
                step += share
                if step >= 1.0:
                    step -= 1.0
                    sample.append(test)
            taken += sample
            break
        taken += group
        spent += needed
    names = [path.relative_to(root).as_posix() for path in taken]
    if not distances:
        return [], "no test reaches them"
    left = (
        f", the nearest of {len(distances)} that reach them; make test runs all" if len(taken) < len(distances) else ""
    )
    return names, f"{len(taken)} test files run{left}"


def _durations(root: Path) -> dict[Path, float]:
    """Seconds that test files take, where test/durations.json says so."""
    found: dict[Path, float] = defaultdict(float)
    try:
        named = json.loads((root / "test" / "durations.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return found
    for unit, took in named.items():
        found[root / unit.split("::")[0]] += float(took)
    return dict(found)
