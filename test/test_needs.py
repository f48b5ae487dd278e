"""Tests say what they need: they are skipped and counted where it is absent, and none that needs an extra is silent.

That this holds of all tests is checked by ``tools/check_sources.py``.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import needs
import pytest
from needs import TEST

from source_checks.needs_marks import NeedsMarks

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
    (tmp_path / "test_unmarked.py").write_text("raise AssertionError('was imported')\n")
    status, output = run(tmp_path, "-m", "needs")
    assert status == 0, output
    assert re.search(r"\b1 passed, 7 skipped, 2 deselected", output), output


def test_files_that_can_hold_the_mark_are_known_by_their_words(tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text(
        "import pytest\n@pytest.fixture\ndef page(browser): pass\n"
        "@pytest.fixture(params=['page'])\ndef shown(request): pass\n@pytest.fixture\ndef other(): pass\n"
        "def helper(browser): pass\n"
    )
    assert needs.needy_fixtures(tmp_path) == {*needs.FIXTURES, "page", "shown"}
    named = needs.needy_fixtures(tmp_path)
    assert needs.may_need("@pytest.mark.needs('ocr')\ndef test_it(): pass\n", named)
    assert needs.may_need("def test_it(shown): pass\n", named)
    assert not needs.may_need("def test_it(shown_twice): pass\n", named)


def test_a_name_that_nobody_knows_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS.replace('"here"', '"heer"'))
    status, output = run(tmp_path)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "no test can need 'heer'; choose one of openai, " in output


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
    path = tmp_path / "test_it.py"
    found = list(NeedsMarks(needs, support=tmp_path).unmarked(path))
    assert found == [f"{path}: {sentence} and has no mark for it" for sentence in told]
