"""The tests that a change reaches, nearest first, in a small project under git."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import changed_tests
from process_count import processes
from source_checks.reach import Reach, chosen

FILES = {
    "src/vantage/__init__.py": '"""All."""\n',
    "src/vantage/errors.py": "class VantageError(Exception): pass\n",
    "src/vantage/registry.py": 'AGENTS = {"curious": "vantage.planning.curious_agent:CuriousAgent"}\n',
    "src/vantage/planning/__init__.py": '"""Plans."""\n',
    "src/vantage/planning/__init__.pyi": "from .curious_agent import CuriousAgent as CuriousAgent\n",
    "src/vantage/planning/curious_agent.py": "def act():\n    from vantage.errors import VantageError\n",
    "src/vantage/runs/__init__.py": '"""Runs."""\n',
    "src/vantage/runs/episode.py": "from vantage.planning import CuriousAgent\n",
    "src/vantage/runs/typed.py": "if TYPE_CHECKING:\n    from vantage.planning import CuriousAgent\n",
    "src/vantage/runs/words.txt": "look\n",
    "config/robot.yaml": "{}\n",
    "tools/make.py": "pass\n",
    "test/support/rooms.py": "from vantage.errors import VantageError\n",
    "test/planning/test_curious_agent_turns.py": "from vantage.planning import CuriousAgent\n",
    "test/runs/conftest.py": "import rooms\n",
    "test/runs/test_episode.py": "from vantage.runs.episode import run\n",
    "test/runs/test_typed.py": "import vantage.runs.typed\n",
    "test/cli/test_run.py": 'COMMAND = ["run", "--agent", "curious"]\n',
    "test/test_config.py": 'PATH = ROOT / "config" / "robot.yaml"\n',
    "test/test_make.py": "import make\n",
    "test/test_none.py": "",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def reached(project: Path, *changed: str) -> dict[str, int]:
    found = Reach(project).distances(list(changed))
    return {path.relative_to(project / "test").as_posix(): distance for path, distance in found.items()}


def test_imports_are_followed_through_faces_fixtures_and_the_registry(project: Path) -> None:
    assert reached(project, "src/vantage/planning/curious_agent.py") == {
        "planning/test_curious_agent_turns.py": 1,  # mirrors it
        "cli/test_run.py": 2,  # names what the registry has
        "runs/test_episode.py": 3,
    }
    assert reached(project, "src/vantage/errors.py") == {
        "planning/test_curious_agent_turns.py": 3,
        "cli/test_run.py": 3,
        "runs/test_episode.py": 4,  # by the fixtures of its folder, or by what it tests
        "runs/test_typed.py": 4,
    }


def test_other_files_reach_those_who_name_or_use_them(project: Path) -> None:
    assert reached(project, "test/cli/test_run.py") == {"cli/test_run.py": 0}
    assert reached(project, "test/support/rooms.py") == {"runs/test_episode.py": 3, "runs/test_typed.py": 3}
    assert reached(project, "tools/make.py") == {"test_make.py": 2}
    assert reached(project, "config/robot.yaml") == {"test_config.py": 1}
    assert reached(project, "src/vantage/runs/words.txt").keys() == {"runs/test_episode.py", "runs/test_typed.py"}
    assert reached(project, "docs/none.md", "src/vantage/gone.py") == {}


def test_what_takes_too_long_is_left_out_and_told(project: Path) -> None:
    tests = [project / "test" / f"test_{number:02}.py" for number in range(20)]
    distances = {test: 1 if number < 2 else 2 for number, test in enumerate(tests)}
    names, told = chosen(distances, project, seconds=8.0)
    assert names[:2] == ["test/test_00.py", "test/test_01.py"]
    assert len(names) == 8
    assert names[-1] == "test/test_19.py", "the sample is spread"
    assert told == "8 test files run, the nearest of 20 that reach them; make test runs all"
    assert chosen(distances, project, seconds=20.0)[1] == "20 test files run"
    assert len(chosen(distances, project, seconds=0.0)[0]) == 2, "the nearest run in any case"
    assert chosen({}, project, seconds=8.0) == ([], "no test reaches them")


def test_known_durations_count(project: Path, tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "durations.json").write_text(json.dumps({"test/test_a.py::test_x": 30, "test/test_a.py": 31}))
    distances = {tmp_path / "test" / f"test_{letter}.py": 2 for letter in "ab"}
    assert len(chosen(distances, tmp_path, seconds=62.0)[0]) == 2
    assert len(chosen(distances, tmp_path, seconds=61.0)[0]) == 1
    (tmp_path / "test" / "durations.json").write_text("{damaged")
    assert len(chosen(distances, tmp_path, seconds=2.0)[0]) == 2


def test_what_git_says_has_changed(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        named = ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"]
        command = ["git", *named, *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True).stdout

    git("init", "-q", "-b", "main")
    for name in ("kept.py", "edited.py", "moved.py", "ignored.txt"):
        (tmp_path / name).write_text(f"{name}\n")
    (tmp_path / ".gitignore").write_text("*.log\n")
    git("add", ".")
    git("commit", "-qm", "first")
    assert changed_tests.usual_start(tmp_path) == "HEAD"
    git("switch", "-qc", "work")
    (tmp_path / "edited.py").write_text("new\n")
    git("commit", "-qam", "second")
    (tmp_path / "moved.py").rename(tmp_path / "there.py")
    (tmp_path / "made.log").write_text("")
    start = changed_tests.usual_start(tmp_path)
    assert start == git("rev-parse", "main").strip()
    assert changed_tests.changed_files(start, tmp_path) == ["edited.py", "moved.py", "there.py"]
    assert changed_tests.changed_files("HEAD", tmp_path) == ["moved.py", "there.py"]
    with pytest.raises(changed_tests.CommitError, match="nowhere"):
        changed_tests.changed_files("nowhere", tmp_path)


def test_few_files_need_no_process_of_their_own(project: Path) -> None:
    assert processes(4, []) == 4
    assert processes(4, ["-k", "bags"]) == 4
    assert processes(4, [str(project / "test" / "runs")]) == 0
    assert processes(4, [f"{project}/test/runs/test_episode.py::test_it", "-x"]) == 0
    assert processes(4, [str(project / "test")]) == 2
    assert processes(1, [str(project / "test")]) == 0
