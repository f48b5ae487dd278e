"""Every package has a face: a docstring and the names that others may import, which are loaded on first use."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

from faces import SOURCE, dotted, face_of, file_of, modules_behind
from row_tables import each_row

PACKAGES = sorted(path.parent for path in (SOURCE / "vantage").rglob("__init__.py"))
MODULES = sorted(path for path in (SOURCE / "vantage").rglob("*.py") if path.name != "__init__.py")
REASONERS = ("vantage.answering", "vantage.perception", "vantage.questions.parsing")


def defined_in(path: Path) -> set[str]:
    """Names that a module binds at its top, imports included."""
    names = set()
    for statement in ast.parse(path.read_text()).body:
        for item in ast.walk(statement):
            if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store):
                names.add(item.id)
            elif isinstance(item, ast.FunctionDef | ast.ClassDef):
                names.add(item.name)
            elif isinstance(item, ast.alias):
                names.add((item.asname or item.name).split(".")[0])
    return names


@cache
def imported_modules(path: Path) -> frozenset[str]:
    """Of this library, as the module is loaded: not those in functions or for types alone."""
    statements = [item for item in ast.parse(path.read_text()).body if isinstance(item, ast.ImportFrom)]
    return frozenset(module for item in statements for _, module in modules_behind(item))


def closure(module: str) -> set[str]:
    """Every module that is loaded with one."""
    reached, waiting = {module}, [module]
    while waiting:
        path = file_of(waiting.pop())
        assert path is not None
        behind = imported_modules(path)
        waiting += behind - reached
        reached |= behind
    return reached


@each_row("folder", PACKAGES)
def test_a_package_says_what_it_is_and_its_face_names_what_exists(folder: Path) -> None:
    assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text())), f"{folder} says nowhere what it is"
    for name, module in face_of(dotted(folder)).items():
        path = file_of(module)
        assert path is not None, f"the face of {folder} names {module}, which is not there"
        assert name in defined_in(path), f"the face of {folder} names {name}, which {module} does not define"
        assert not (folder / f"{name}.py").exists(), f"{name} is a module of {folder} too"


def test_other_packages_import_from_the_face() -> None:
    """A module imports from another package what that package's face names, or a whole module of it."""
    wrong = []
    for path in MODULES:
        home = dotted(path.parent)
        for item in ast.walk(ast.parse(path.read_text())):
            module = item.module or "" if isinstance(item, ast.ImportFrom) else ""
            owner = module.rpartition(".")[0]
            inside = home == owner or home.startswith(f"{owner}.")
            if owner.startswith("vantage.") and not inside and file_of(module):
                wrong.append(f"{path.relative_to(SOURCE)}: import from {owner}, not from {module}")
    assert not wrong, "\n".join(wrong)


@each_row(
    "module",
    [
        "vantage.benchmarks.scoring",
        "vantage.reports.scoring",
        "vantage.nodes.evaluator.evaluator_node",
        "vantage.nodes.world.world_node",
    ],
)
def test_who_judges_or_moves_loads_no_reasoner(module: str) -> None:
    assert not [each for each in closure(module) if each.startswith(REASONERS)]


def test_scoring_a_bag_needs_few_modules() -> None:
    assert len(closure("vantage.reports.scoring")) <= 75


def test_a_face_loads_nothing_before_it_is_used() -> None:
    code = "import sys, vantage.recording, vantage.nodes, vantage.splats; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
    assert not {"vantage.recording.bags", "vantage.nodes.graph", "rclpy", "numpy"} & set(loaded.split())


def test_the_face_is_what_its_stub_says() -> None:
    import vantage.recording

    assert sorted(face_of("vantage.recording")) == dir(vantage.recording)
    assert vantage.recording.read_bag is sys.modules["vantage.recording.bags"].read_bag
