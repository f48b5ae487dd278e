"""Which parameters the executables of this package declare, read from their source: no ROS is needed."""

from __future__ import annotations

import ast
import configparser
from pathlib import Path

from source_checks.trees import Library
from vantage.config import all_settings

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Library()


def executables() -> dict[str, Path]:
    """The module behind each console script."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    lines = config["options.entry_points"]["console_scripts"].strip().splitlines()
    scripts = [tuple(part.strip() for part in line.split("=")) for line in lines]
    return {name: module_path(target.split(":")[0]) for name, target in scripts}


def module_path(module: str) -> Path:
    return ROOT / "src" / (module.replace(".", "/") + ".py")


def declared_parameters(source: Path) -> dict[str, type]:
    """Name and type of each parameter of the node in a module, those of its base class included."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    found: dict[str, type] = {"use_sim_time": bool}
    imported = {
        name: module
        for item in ast.walk(tree)
        if isinstance(item, ast.ImportFrom)
        for name, module in LIBRARY.modules_behind(item)
        if module.startswith("vantage.nodes.")
    }
    for item in ast.walk(tree):
        if isinstance(item, ast.ClassDef):
            for base in item.bases:
                if isinstance(base, ast.Name) and base.id in imported:
                    found |= declared_parameters(module_path(imported[base.id]))
        elif isinstance(item, ast.Call) and isinstance(item.func, ast.Name):
            if item.func.id == "declare":
                found[ast.literal_eval(item.args[1])] = type(ast.literal_eval(item.args[2]))
            elif item.func.id == "declare_settings":
                groups = ast.literal_eval(_value(tree, item.args[1]))
                found["settings_of"] = str
                found |= {
                    f"{group}.{part.name}": type(part.default) for group, part in all_settings() if group in groups
                }
    return found


def _value(tree: ast.Module, node: ast.expr) -> ast.expr:
    """The expression itself, or what the module binds to its name."""
    if not isinstance(node, ast.Name):
        return node
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == node.id for target in statement.targets
        ):
            return statement.value
    raise LookupError(f"no value of {node.id} found")
