"""What the faces of packages name, read from their stubs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"


def dotted(path: Path) -> str:
    """The name of a module or package."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def file_of(module: str) -> Path | None:
    """The file of a module; None for a package, and where there is none."""
    path = SOURCE / (module.replace(".", "/") + ".py")
    return path if path.exists() else None


@cache
def face_of(package: str) -> dict[str, str]:
    """Modules of the names that a package offers."""
    stub = SOURCE / package.replace(".", "/") / "__init__.pyi"
    imports = ast.parse(stub.read_text()).body if stub.exists() else []
    assert all(isinstance(item, ast.ImportFrom) and item.level == 1 and item.module for item in imports), stub
    return {name.name: f"{package}.{item.module}" for item in imports for name in item.names}  # type: ignore[attr-defined]


def modules_behind(statement: ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Each name that a statement imports, and the module that defines it, through the face of a package."""
    module = statement.module or ""
    for name in statement.names:
        if file_of(module):
            yield name.name, module
        elif file_of(f"{module}.{name.name}"):
            yield name.name, f"{module}.{name.name}"
        elif name.name in face_of(module):
            yield name.name, face_of(module)[name.name]
