"""What proves the two commands: bare first, then the extras, and every part has its turn and its line."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from needs import NEEDS

ROOT = Path(__file__).resolve().parents[2]
MAKE = """#!/bin/sh
echo "$* data=${VANTAGE_DATA-} venv=$(ls -d .venv 2>/dev/null)" >> log
test "$1" != "$FAILING"
"""


@pytest.fixture
def clone(tmp_path):
    """A folder with ``.ci/run`` alone, and a ``make`` that writes down what it is told."""
    folder = tmp_path / "clone"
    (folder / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci" / "run")
    for name in ("make", "c++", "chromium", "chromedriver"):
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(MAKE)
        tool.chmod(0o755)
    # As of a Debian that has all it needs; nothing may be installed from a test.
    (tmp_path / "bin" / "python3").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "bin" / "python3").chmod(0o755)
    return folder


def run(clone, **environ):
    path = f"{clone.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if name != "PYTHON"}
    done = subprocess.run(
        [clone / ".ci" / "run"],
        env={**kept, "PATH": path, **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, (clone / "log").read_text().splitlines()


def test_bare_comes_first_and_knows_no_data(clone):
    data = clone.parent / "shared" / "data"
    data.mkdir(parents=True)
    status, _, told = run(clone, VANTAGE_DATA="/somewhere")
    assert status == 0
    assert told == ["demo data= venv=", "test data= venv=", f"test-all data={data} venv="]


@pytest.mark.parametrize("failing", ["demo", "test", "test-all"])
def test_a_failed_part_is_told_and_the_others_run(clone, failing):
    status, out, told = run(clone, FAILING=failing)
    assert status == 1
    assert [line.split()[0] for line in told] == ["demo", "test", "test-all"]
    ends = re.findall(r"^ci: (passed|FAILED) after \d+ s: make (\S+)$", out, re.MULTILINE)
    assert ends == [("FAILED" if part == failing else "passed", part) for part in ("demo", "test", "test-all")]
    assert re.search(r"make test-all\nci: \d+ s in all\n$", out)


@pytest.mark.parametrize(("extra", "kept"), [("models", False), ("test", True)])
def test_an_environment_with_extras_is_not_bare(clone, extra, kept):
    stamp = clone / ".venv" / ".vantage" / "stamps" / f"list-{extra}"
    stamp.parent.mkdir(parents=True)
    stamp.write_text("")
    status, out, told = run(clone)
    assert status == 0
    assert told[0] == f"demo data= venv={'.venv' if kept else ''}"
    assert ("is made anew" in out) != kept


def test_the_lists_of_extras_agree():
    made = re.search(r"^EXTRAS := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split()
    in_ci = re.search(r"^for list in (.*); do$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)[1].split()
    needed = {word for need in NEEDS.values() if need.extra for word in re.findall(r'WITH="?([\w -]+)', need.mend)}
    assert made == in_ci
    assert {word for words in needed for word in words.split()} == set(made)
    assert all((ROOT / "requirements" / f"{name}.txt").is_file() for name in made)
