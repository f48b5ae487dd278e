"""Checks of the sources as text find what is wrong in a small library; that the project's own pass is `make lint`'s."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from source_checks import faces
from source_checks.trees import ROOT, Library, statements

GOOD = {
    "src/vantage/__init__.py": '"""All."""\n',
    "src/vantage/errors.py": "class VantageError(Exception): pass\n",
    "src/vantage/reports/__init__.py": '"""Reports."""\n',
    "src/vantage/reports/__init__.pyi": "from .scoring import score as score\n",
    "src/vantage/reports/scoring.py": "from vantage.errors import VantageError\n\nscore = 1\n",
    "src/vantage/web/__init__.py": '"""Pages."""\n',
    "src/vantage/web/page.py": "from vantage.reports import score\n\ndef show():\n    import torch\n",
}


def library(folder: Path, changed: dict[str, str] | None = None) -> Library:
    """A small library with some files of the package vantage in place of others."""
    files = {**GOOD, **{f"src/vantage/{name}": text for name, text in (changed or {}).items()}}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Library(folder / "src")


def test_a_good_library_has_no_problem(tmp_path: Path) -> None:
    small = library(tmp_path)
    assert not [*faces.wrong_faces(small), *faces.wrong_imports(small)]
    assert small.loaded_with("vantage.web.page") == {"vantage.web.page", "vantage.reports.scoring", "vantage.errors"}


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("web/__init__.py", "import os\n", "the package says nowhere what it is"),
        (
            "reports/__init__.pyi",
            "from .scoring import mark as mark\n",
            "names mark, which vantage.reports.scoring does",
        ),
        (
            "reports/__init__.pyi",
            "from .marks import mark as mark\n",
            "names vantage.reports.marks, which is not there",
        ),
        (
            "reports/__init__.pyi",
            "from vantage.errors import VantageError\n",
            "is not of the form 'from .module import",
        ),
        ("reports/__init__.pyi", "def score() -> int: ...\n", "is not of the form 'from .module import"),
        ("reports/score.py", "", "score is a module of the package too"),
        ("web/page.py", "from vantage.reports.scoring import score\n", "import from vantage.reports, not from"),
        (
            "web/page.py",
            "def f():\n    from vantage.reports.scoring import score\n",
            "import from vantage.reports, not",
        ),
        ("web/page.py", "from vantage.errors import _hidden\n", "_hidden is private to vantage.errors"),
    ],
)
def test_a_wrong_face_or_import_is_told_with_its_file(tmp_path: Path, file: str, text: str, told: str) -> None:
    small = library(tmp_path, {file: text})
    found = [*faces.wrong_faces(small), *faces.wrong_imports(small)]
    assert len(found) == 1, found
    assert told in found[0]
    folder = file.rpartition("/")[0]
    assert found[0].startswith(f"{tmp_path}/src/vantage/{folder}/")


def test_what_a_module_binds_at_its_top(tmp_path: Path) -> None:
    text = (
        "import os.path, re as regex\nfrom sys import (argv as words)\na, (b, *c) = 1, (2, 3)\nd: int = 4\n"
        "if a:\n    e = 5\nelse:\n    def f(): inner = 6\ntry:\n    import g\nexcept ImportError:\n    h = None\n"
        "for i in c: j = i\nwith open(a) as k: l = 1\nclass M: attribute = 7\n"
    )
    small = library(tmp_path, {"errors.py": text})
    names = small.defined_in(small.modules["vantage.errors"])
    assert set("abcdefghijklM") | {"os", "regex", "words"} == names


def test_scoring_stays_light_and_judges_load_no_reasoner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reasoning = "from vantage.answering.solver import solve\n\nscore = solve\n"
    small = library(tmp_path, {"reports/scoring.py": reasoning, "answering/solver.py": "solve = 1\n"})
    monkeypatch.setattr(faces, "LOADS_NO_REASONER", ("vantage.reports.scoring",))
    assert "loads vantage.answering.solver, which reasons" in next(faces.heavy_scoring(small))
    monkeypatch.setattr(faces, "MOST_FOR_SCORING", 1)
    assert list(faces.heavy_scoring(small))[-1].endswith("loads 2 modules, but scoring may load 1")


def test_an_extra_that_mypy_would_look_for_is_named(tmp_path: Path) -> None:
    small = library(tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "make.py").write_text("from PIL import Image\nimport torch.nn, json\n")
    asked = [*faces.typed_extras(small, tmp_path / "tools", "module = [\n", {"torch", "PIL"})]
    assert [each.rpartition("/")[2].split(";")[0] for each in asked] == [
        "page.py:4: mypy would look for torch",
        "make.py:1: mypy would look for PIL",
        "make.py:2: mypy would look for torch",
    ]
    assert not [*faces.typed_extras(small, tmp_path / "tools", '  "torch.*",\n  "PIL.*",\n', {"torch", "PIL"})]


def test_a_file_that_is_not_python_is_one_line(tmp_path: Path) -> None:
    small = library(tmp_path, {"web/page.py": "def broken(:\n"})
    with pytest.raises(SyntaxError) as caught:
        list(faces.wrong_imports(small))
    assert caught.value.filename == str(tmp_path / "src/vantage/web/page.py")


def test_statements_of_types_alone_can_be_left_out() -> None:
    import ast

    tree = ast.parse(
        "if TYPE_CHECKING:\n    import a\nelse:\n    import b\nwhile c:\n    try: import d\n    finally: import e\n"
    )
    named = [item.names[0].name for item in statements(tree) if isinstance(item, ast.Import)]
    assert named == ["a", "b", "d", "e"]
    kept = statements(tree, skip=lambda item: isinstance(item, ast.If))
    assert [item.names[0].name for item in kept if isinstance(item, ast.Import)] == ["d", "e"]


def test_the_command_tells_problems_by_their_path_and_fails(tmp_path: Path) -> None:
    library(tmp_path, {"web/page.py": "from vantage.reports.scoring import score\n"})
    (tmp_path / "test" / "support").mkdir(parents=True)
    (tmp_path / "test" / "support" / "needs.py").write_text((ROOT / "test" / "support" / "needs.py").read_text())
    (tmp_path / "test" / "test_it.py").write_text("import torch\n")
    (tmp_path / "pyproject.toml").write_text("")
    code = (
        "import pathlib, sys\nimport check_sources\nfrom source_checks import faces\n"
        "faces.LOADS_NO_REASONER = ()\n"
        "print(*check_sources.problems(pathlib.Path(sys.argv[1])), sep='\\n')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT / "tools",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == [
        f"{tmp_path}/src/vantage/web/page.py:1: import from vantage.reports, not from vantage.reports.scoring",
        f"{tmp_path}/test/test_it.py: the whole file needs torch and has no mark for it",
    ]
