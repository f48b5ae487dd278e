"""Every test that imports a module of an extra has a mark that says so; see test/support/needs.py."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from source_checks.trees import statements


class Needs(Protocol):
    """What test/support/needs.py says of needs."""

    NEEDS: dict[str, Any]
    FIXTURES: dict[str, str]

    def file_needs(self, tree: ast.Module) -> set[str]: ...
    def marked(self, expressions: list[ast.expr]) -> set[str]: ...


class NeedsMarks:
    """The tests of a folder and the files that they share, each parsed once."""

    def __init__(self, needs: Needs, support: Path) -> None:
        self._needs = needs
        self._support = support
        self._of_extras = {module for need in needs.NEEDS.values() if need.extra for module in need.modules}
        self._uses: dict[Path, dict[str, set[str]]] = {}

    def unmarked(self, path: Path) -> Iterator[str]:
        """A sentence for each test of a file that reaches a module of an extra which no mark of it names."""
        tree = ast.parse(path.read_bytes(), filename=str(path))
        needs, whole, found = self._needs, self._needs.file_needs(tree), self._uses_of(path, tree)
        places = [("", whole)]
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and found[node.name]:
                fixtures = {needs.FIXTURES[word] for word in words(node) if word in needs.FIXTURES}
                places.append((node.name, whole | needs.marked(node.decorator_list) | fixtures))
        for name, names in places:
            marked = {module for need in names & needs.NEEDS.keys() for module in needs.NEEDS[need].modules}
            for module in sorted(found[name] - marked):
                yield f"{path}: {name or 'the whole file'} needs {module} and has no mark for it"

    def _uses_of(self, path: Path, tree: ast.Module) -> dict[str, set[str]]:
        """The modules of extras that each function reaches; under the empty name those of importing the file.

        Followed are calls by name, fixtures, and what is taken from the files that tests share.
        """
        if path in self._uses:
            return self._uses[path]
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        found: dict[str, set[str]] = {"": set()}
        for module, name in (pair for node in tree.body if node not in functions.values() for pair in imports(node)):
            found[""] |= {module} & self._of_extras
            helper = self._support / f"{module}.py"
            if helper.is_file() and helper != path:
                of_helper = self._of_helper(helper)
                found[""] |= of_helper[""]
                found[name] = of_helper.get(name, set())
        for function, node in functions.items():
            found[function] = {module for module, _ in imports(node)} & self._of_extras
            helpers = [self._support / f"{module}.py" for module, _ in imports(node)]
            found[function] |= {each for helper in helpers if helper.is_file() for each in self._of_helper(helper)[""]}
        if not any(found.values()):
            self._uses[path] = found
            return found
        mentioned = {function: words(node) for function, node in functions.items()}
        fixtures = set(self._needs.FIXTURES)
        calls = {function: mentioned[function] & set(found) - {function, ""} - fixtures for function in functions}
        while added := [
            (one, more) for one in functions if (more := set().union(*map(found.__getitem__, calls[one])) - found[one])
        ]:
            for function, modules in added:
                found[function] |= modules
        self._uses[path] = found
        return found

    def _of_helper(self, helper: Path) -> dict[str, set[str]]:
        if helper not in self._uses:
            return self._uses_of(helper, ast.parse(helper.read_bytes(), filename=str(helper)))
        return self._uses[helper]


def imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Pairs of (top-level module, name taken from it or empty) of the import statements in a piece of code."""
    for part in (node, *statements(node)):
        if isinstance(part, ast.Import):
            yield from ((name.name.split(".")[0], "") for name in part.names)
        elif isinstance(part, ast.ImportFrom) and part.module and not part.level:
            yield from ((part.module.split(".")[0], name.name) for name in part.names)


def words(node: ast.AST) -> set[str]:
    """Every name that a function mentions: variables, arguments and words in quotation marks."""
    parts = list(ast.walk(node))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    names |= {part.arg for part in parts if isinstance(part, ast.arg)}
    return names | {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
