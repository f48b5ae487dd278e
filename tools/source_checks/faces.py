"""Every package has a face: a docstring and the names that others may import, which are loaded on first use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from source_checks.trees import Library, statements

# Who judges or moves loads none of those that reason.
LOADS_NO_REASONER = (
    "vantage.benchmarks.scoring",
    "vantage.reports.scoring",
    "vantage.nodes.evaluator.evaluator_node",
    "vantage.nodes.world.world_node",
)
REASONERS = ("vantage.answering", "vantage.perception", "vantage.questions.parsing")
SCORING, MOST_FOR_SCORING = "vantage.reports.scoring", 88


def wrong_faces(library: Library) -> Iterator[str]:
    """A package says what it is, and its face names what exists."""
    for folder in library.packages:
        if not ast.get_docstring(library.parsed(folder / "__init__.py")):
            yield f"{folder / '__init__.py'}: the package says nowhere what it is; give it a docstring"
        try:
            face = library.face_of(library.dotted(folder))
        except ValueError as error:
            yield str(error)
            continue
        for name, module in face.items():
            path = library.modules.get(module)
            if path is None:
                yield f"{folder / '__init__.pyi'}: names {module}, which is not there"
            elif name not in library.defined_in(path):
                yield f"{folder / '__init__.pyi'}: names {name}, which {module} does not define"
            if (folder / f"{name}.py").exists():
                yield f"{folder / '__init__.pyi'}: {name} is a module of the package too; give one another name"


def wrong_imports(library: Library) -> Iterator[str]:
    """A module imports from another package what that package's face names, or a whole module; nothing private."""
    for module, path in library.modules.items():
        home = module.rpartition(".")[0]
        for item in statements(library.parsed(path)):
            if not isinstance(item, ast.ImportFrom) or not (item.module or "").startswith(library.name):
                continue
            named = item.module or ""
            owner = named.rpartition(".")[0]
            inside = home == owner or home.startswith(f"{owner}.")
            if owner.startswith(f"{library.name}.") and not inside and named in library.modules:
                yield f"{path}:{item.lineno}: import from {owner}, not from {named}"
            for name in item.names:
                if name.name.startswith("_") and not name.name.startswith("__"):
                    yield f"{path}:{item.lineno}: {name.name} is private to {named}; name it without the underscore"


def heavy_scoring(library: Library) -> Iterator[str]:
    """Who judges or moves loads no reasoner, and scoring a bag needs few modules."""
    for module in LOADS_NO_REASONER:
        for loaded in sorted(each for each in library.loaded_with(module) if each.startswith(REASONERS)):
            yield f"{library.modules[module]}: loads {loaded}, which reasons; import it where it is used"
    if (count := len(library.loaded_with(SCORING))) > MOST_FOR_SCORING:
        yield f"{library.modules[SCORING]}: loads {count} modules, but scoring may load {MOST_FOR_SCORING}"


def typed_extras(library: Library, tools: Path, settings: str, of_extras: set[str]) -> Iterator[str]:
    """Mypy asks for no package of an extra: each that is imported is among those it leaves alone.

    Args:
        settings: the text of pyproject.toml.
        of_extras: the top-level modules that extras bring.
    """
    left_alone = set(re.findall(r'^  "(\w+)\.\*",$', settings, re.MULTILINE))
    for path in [*library.modules.values(), *sorted(tools.rglob("*.py"))]:
        for item in statements(library.parsed(path)):
            if isinstance(item, ast.Import):
                named = {name.name for name in item.names}
            elif isinstance(item, ast.ImportFrom) and item.module:
                named = {item.module}
            else:
                continue
            for name in sorted({each.split(".")[0] for each in named} & of_extras - left_alone):
                yield f"{path}:{item.lineno}: mypy would look for {name}; name it in the overrides of pyproject.toml"
