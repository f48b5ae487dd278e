"""Tests say what they need: they are skipped and counted where it is absent, and none that needs an extra is silent."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from needs import FIXTURES, NEEDS, TEST, file_needs, marked

OF_EXTRAS = {module for need in NEEDS.values() if need.extra for module in need.modules}

CONFTEST = f"""
import sys

sys.path.insert(0, {str(TEST / "support")!r})

import needs
import pytest

needs.NEEDS["gone"] = needs.Need("make setup WITH=gone", ("no_such_module",), extra=True)
needs.NEEDS["away"] = needs.Need("make setup WITH=away", ("json", "no_other_module"), extra=True)
needs.NEEDS["here"] = needs.Need("make setup WITH=here", ("json",), extra=True)
needs.FIXTURES["borrowed"] = "gone"


def pytest_configure(config):
    config.pluginmanager.register(needs, "needs")


@pytest.fixture
def borrowed():
    raise AssertionError("was tried")


@pytest.fixture
def twice(borrowed):
    return borrowed
"""

TESTS = """
import pytest


def test_of_nothing_special():
    pass


@pytest.mark.needs("here")
def test_with_what_is_there():
    pass


@pytest.mark.needs("gone")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_with_what_is_not_there(number):
    raise AssertionError("was tried")


@pytest.mark.needs("here", "gone", "away")
def test_with_several():
    raise AssertionError("was tried")


def test_with_a_fixture(twice):
    raise AssertionError("was tried")


def test_of_another_kind():
    pytest.skip("there is no moon tonight")
"""

IMPORTING = """
import no_such_module
import pytest

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.needs("here", "gone")]


@pytest.mark.parametrize("letter", "abc")
@pytest.mark.parametrize(("one", "other"), [(1, 2), (3, 4)])
def test_one(letter, one, other):
    no_such_module.use()


def test_other():
    no_such_module.use()
"""


def run(folder: Path, *words: str) -> tuple[int, str]:
    """Exit status and output of pytest over a folder of tests that use the plugin."""
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    (folder / "conftest.py").write_text(CONFTEST)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr


def rows(output: str) -> list[str]:
    """The lines of the table."""
    _, _, rest = output.partition(" not run here ")
    return [" ".join(line.split()) for line in rest.splitlines()[1:] if re.match(r" +\d+\+? (more|not)", line)]


@pytest.mark.parametrize("processes", ["0", "2"])
def test_what_is_absent_is_skipped_untried_and_counted(tmp_path: Path, processes: str) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "test_importing.py").write_text(IMPORTING)
    status, output = run(tmp_path, "-rs", "-n", processes)
    assert status == 0, output
    assert re.search(r"\b2 passed, 8 skipped", output), output
    assert rows(output) == [
        "7+ more with gone make setup WITH=gone",
        "1 more with away and gone make test-all",
        "1 not run: there is no moon tonight",
    ]
    assert "needs gone (make setup WITH=gone)" in output


def test_nothing_is_told_where_nothing_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text("def test_it():\n    pass\n")
    status, output = run(tmp_path)
    assert status == 0, output
    assert "not run here" not in output


def test_the_mark_chooses(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "test_importing.py").write_text(IMPORTING)
    status, output = run(tmp_path, "-m", "needs")
    assert status == 0, output
    assert re.search(r"\b1 passed, 7 skipped, 2 deselected", output), output


def test_a_name_that_nobody_knows_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS.replace('"here"', '"heer"'))
    status, output = run(tmp_path)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "no test can need 'heer'; choose one of openai, " in output


def imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Pairs of (top-level module, name taken from it or empty) of the import statements in a piece of code."""
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            yield from ((name.name.split(".")[0], "") for name in part.names)
        elif isinstance(part, ast.ImportFrom) and part.module and not part.level:
            yield from ((part.module.split(".")[0], name.name) for name in part.names)


@cache
def uses(path: Path, support: Path) -> dict[str, set[str]]:
    """The modules of extras that each function of a file reaches; under the empty name those of importing the file.

    Followed are calls by name, fixtures, and what is taken from files in ``support``.
    """
    tree = ast.parse(path.read_bytes())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    found: dict[str, set[str]] = {"": set()}
    for module, name in (pair for node in tree.body if node not in functions.values() for pair in imports(node)):
        found[""] |= {module} & OF_EXTRAS
        helper = support / f"{module}.py"
        if helper.is_file() and helper != path:
            of_helper = uses(helper, support)
            found[""] |= of_helper[""]
            found[name] = of_helper.get(name, set())
    for function, node in functions.items():
        found[function] = {module for module, _ in imports(node)} & OF_EXTRAS
        found[function] |= {each for module, _ in imports(node) for each in outside(support / f"{module}.py", support)}
    mentioned = {function: words(node) for function, node in functions.items()}
    calls = {function: mentioned[function] & set(found) - {function, ""} - set(FIXTURES) for function in functions}
    while added := [
        (one, more) for one in functions if (more := set().union(*map(found.get, calls[one])) - found[one])
    ]:
        for function, modules in added:
            found[function] |= modules
    return found


def outside(helper: Path, support: Path) -> set[str]:
    return uses(helper, support)[""] if helper.is_file() else set()


def words(node: ast.AST) -> set[str]:
    """Every name that a function mentions: variables, arguments and words in quotation marks."""
    parts = list(ast.walk(node))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    names |= {part.arg for part in parts if isinstance(part, ast.arg)}
    return names | {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def unmarked(path: Path, support: Path = TEST / "support") -> list[str]:
    """A sentence for each test of a file that reaches a module of an extra which no mark of it names."""
    tree = ast.parse(path.read_bytes())
    whole, found = file_needs(tree), uses(path, support)
    places = [("", whole)]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            fixtures = {FIXTURES[word] for word in words(node) if word in FIXTURES}
            places.append((node.name, whole | marked(node.decorator_list) | fixtures))
    return [
        f"{path.name}: {name or 'the whole file'} needs {module} and has no mark for it"
        for name, names in places
        for module in sorted(found[name] - {module for need in names for module in NEEDS[need].modules})
    ]


def test_every_test_that_imports_a_module_of_an_extra_is_marked() -> None:
    files = sorted(TEST.rglob("test_*.py"))
    assert len(files) > 100
    assert [sentence for path in files for sentence in unmarked(path)] == []


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import torch\n", ["the whole file needs torch"]),
        ("import helped\n", ["the whole file needs openai"]),
        ("def test_it():\n    from openai import OpenAI\n", ["test_it needs openai"]),
        ("from helper import late\n\ndef test_it():\n    late()\n", ["test_it needs rapidocr"]),
        (
            "def late():\n    import torch\n\ndef test_it():\n    late()\n\ndef test_other(): pass\n",
            ["test_it needs torch"],
        ),
        (
            "@pytest.fixture\ndef eyes():\n    import torch\n\n@pytest.fixture\ndef face(eyes): pass\n\n"
            "@pytest.mark.usefixtures('face')\ndef test_it(): pass\n",
            ["test_it needs torch"],
        ),
        ("@pytest.mark.needs('ocr')\ndef test_it():\n    import torch\n", ["test_it needs torch"]),
        ("@pytest.mark.needs('models')\ndef test_it():\n    import torch\n", []),
        ("pytestmark = pytest.mark.needs('models')\nimport torch\n\ndef test_it():\n    torch.zeros(1)\n", []),
        ("def test_it(tiny_vlm):\n    import torch\n", []),
        ("from helper import late\n\ndef test_it(): pass\n", []),
    ],
)
def test_a_test_without_its_mark_is_found(tmp_path: Path, source: str, told: list[str]) -> None:
    (tmp_path / "helped.py").write_text("import openai\n")
    (tmp_path / "helper.py").write_text("def late():\n    import rapidocr\n")
    (tmp_path / "test_it.py").write_text(source)
    found = unmarked(tmp_path / "test_it.py", support=tmp_path)
    assert found == [f"test_it.py: {sentence} and has no mark for it" for sentence in told]
