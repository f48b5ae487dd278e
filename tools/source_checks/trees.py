"""The library's files, each parsed once, and what the faces of packages name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Library:
    """The modules and packages below a folder such as ``src``, by their dotted names."""

    def __init__(self, source: Path = ROOT / "src", name: str = "vantage") -> None:
        self.source = source
        self.name = name
        self._parsed: dict[Path, ast.Module] = {}
        self._faces: dict[str, dict[str, str]] = {}
        self._defined: dict[Path, set[str]] = {}

    @cached_property
    def packages(self) -> list[Path]:
        """Folders of packages."""
        return sorted(path.parent for path in (self.source / self.name).rglob("__init__.py"))

    @cached_property
    def modules(self) -> dict[str, Path]:
        """Files of modules, packages left out, by name."""
        paths = sorted((self.source / self.name).rglob("*.py"))
        return {self.dotted(path): path for path in paths if path.name != "__init__.py"}

    def dotted(self, path: Path) -> str:
        """The name of a module's file or a package's folder."""
        return ".".join(path.relative_to(self.source).with_suffix("").parts)

    def parsed(self, path: Path) -> ast.Module:
        """What a file says.

        Raises:
            SyntaxError: it is not Python.
        """
        if path not in self._parsed:
            self._parsed[path] = ast.parse(path.read_bytes(), filename=str(path))
        return self._parsed[path]

    def defined_in(self, path: Path) -> set[str]:
        """Names that a module binds at its top, imports included."""
        if path not in self._defined:
            self._defined[path] = {name for item in self.parsed(path).body for name in _bound(item)}
        return self._defined[path]

    def face_of(self, package: str) -> dict[str, str]:
        """Modules of the names that a package offers, by its stub.

        Raises:
            ValueError: the stub says something else than where names come from.
        """
        if package not in self._faces:
            stub = self.source / package.replace(".", "/") / "__init__.pyi"
            statements = self.parsed(stub).body if stub.exists() else []
            face: dict[str, str] = {}
            for item in statements:
                if not isinstance(item, ast.ImportFrom) or item.level != 1 or not item.module:
                    raise ValueError(
                        f"{stub}: line {item.lineno} is not of the form 'from .module import name as name'"
                    )
                face |= {name.name: f"{package}.{item.module}" for name in item.names}
            self._faces[package] = face
        return self._faces[package]

    def modules_behind(self, statement: ast.ImportFrom) -> Iterator[tuple[str, str]]:
        """Each name that a statement imports, and the module that defines it, through the face of a package."""
        module = statement.module or ""
        if not module.startswith(self.name) or statement.level:
            return
        for name in statement.names:
            if module in self.modules:
                yield name.name, module
            elif f"{module}.{name.name}" in self.modules:
                yield name.name, f"{module}.{name.name}"
            elif name.name in self.face_of(module):
                yield name.name, self.face_of(module)[name.name]

    def loaded_with(self, module: str) -> set[str]:
        """Every module that is loaded with one: not what its functions import, nor for types alone."""
        reached, waiting = {module}, [module]
        while waiting:
            tree = self.parsed(self.modules[waiting.pop()])
            statements = [each for each in tree.body if isinstance(each, ast.ImportFrom)]
            behind = {found for statement in statements for _, found in self.modules_behind(statement)}
            waiting += behind - reached
            reached |= behind
        return reached


def statements(node: ast.AST, skip: Callable[[ast.stmt], bool] = lambda item: False) -> Iterator[ast.stmt]:
    """Every statement in a piece of code, those in functions and classes too; expressions are not looked into.

    Args:
        skip: whether a statement is left out, with all that is in its body.
    """
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for item in getattr(node, part, ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            if isinstance(item, ast.stmt):
                if part == "body" and skip(item):
                    continue
                yield item
            yield from statements(item, skip)


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement binds where it stands."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from ((name.asname or name.name).split(".")[0] for name in statement.names)
    else:
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                yield from _bound(child)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                yield from (name for item in child.body for name in _bound(item))
            else:
                names = [item for item in ast.walk(child) if isinstance(item, ast.Name)]
                yield from (item.id for item in names if isinstance(item.ctx, ast.Store))
