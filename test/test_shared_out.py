"""How the processes of a run share the tests: by measured durations, and what waits beside what computes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import shared_out
from made_once import made_once, shared
from sampling import few_of_each, portions

import measure_tests

TEST = Path(shared_out.__file__).parents[1]
RESULTS = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest">
<testcase classname="test.apart" name="test_long[a.b]" time="21.4" />
<testcase classname="test.apart" name="test_short" time="1.2" />
<testcase classname="test.apart" name="test_short" time="1.1" />
<testcase classname="test.together" name="test_long" time="21.4" />
<testcase classname="test.together" name="test_longer" time="30.0" />
<testcase classname="test.quick" name="test_quick" time="0.2" />
</testsuite></testsuites>
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree of three files of tests, of which one makes something for all of its tests."""
    (tmp_path / "test").mkdir()
    for name, source in (("apart", ""), ("together", '@pytest.fixture(scope="module")\n'), ("quick", "")):
        (tmp_path / "test" / f"{name}.py").write_text(source)
    (tmp_path / "results.xml").write_text(RESULTS)
    return tmp_path


def test_long_tests_are_units_of_their_own_where_nothing_is_made_for_all_tests_of_the_file(root: Path) -> None:
    assert measure_tests.units(measure_tests.measured(root / "results.xml"), root) == {
        "test/apart.py": 2,
        "test/apart.py::test_long[a.b]": 20,
        "test/together.py": 50,
    }


def test_what_was_not_measured_is_kept_while_its_file_is_there(root: Path) -> None:
    held = {"test/apart.py::test_gone": 30, "test/quick.py": 4, "test/no_file.py": 9}
    assert measure_tests.kept(held, ["test/apart.py"], root) == {"test/quick.py": 4}


def test_each_process_begins_to_collect_elsewhere_and_collects_everything(tmp_path: Path) -> None:
    for name in ("a/test_1.py", "a/test_2.py", "b/c/test_3.py", "d/test_4.py", "test_5.py", "support/other.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [[Path(part).name for part in shared_out.from_another_end(k, 3, tmp_path)] for k in range(3)]
    assert found == [["a", "b", "d", "test_5.py"], ["a", "b", "d", "test_5.py"], ["d", "test_5.py", "a", "b"]]


def test_durations_are_written_whole_and_no_results_are_told(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure_tests, "ROOT", root)
    monkeypatch.setattr(measure_tests, "HELD", root / "test" / "durations.json")
    (root / "broken.xml").write_text("<testsuites>")
    assert measure_tests.main([str(root / "broken.xml")]) == 1
    assert "is no file of results" in capsys.readouterr().err
    assert not measure_tests.HELD.exists()
    assert measure_tests.main([str(root / "results.xml")]) == 0
    assert sum(json.loads(measure_tests.HELD.read_text()).values()) > 40


def test_every_duration_is_of_a_file_that_is_there() -> None:
    held = json.loads(shared_out.DURATIONS.read_text())
    assert list(held) == sorted(held)
    assert [unit for unit in held if not (TEST.parent / unit.split("::")[0]).is_file()] == []
    assert [unit for unit, seconds in held.items() if not (isinstance(seconds, int) and seconds >= 2)] == []


class Node:
    """A process to which tests are given."""

    shutting_down = False

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
        self.sent: list[int] = []

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.sent += numbers

    def shutdown(self) -> None:
        self.shutting_down = True


TESTS = [
    *(f"test/ros/test_{name}.py::test_{number}" for name in "abcdefgh" for number in range(3)),
    *(f"test/planning/test_{name}.py::test_{number}" for name in "abcdefgh" for number in range(3)),
]


@pytest.mark.parametrize(("processes", "waiting"), [(1, 1), (2, 1), (4, 2), (12, 4)])
def test_half_of_the_processes_take_what_waits_and_all_is_run_once(processes: int, waiting: int) -> None:
    scheduling = pytest.importorskip("by_duration")
    nodes = [Node(f"gw{number}") for number in range(processes)]
    options = SimpleNamespace(loadscopereorder=True)
    config = SimpleNamespace(option=options, getvalue=lambda name: ["popen"] * processes)
    shares: Any = scheduling.ByDuration(config, None)
    for node in nodes:
        shares.add_node(node)
    for node in nodes:
        shares.add_node_collection(node, TESTS)
    shares.schedule()
    done: list[int] = []
    while any(node.sent for node in nodes):
        if len({shared_out.waits(unit) for unit in shares.workqueue}) == 2:
            assert sum(shared_out.waits(TESTS[node.sent[0]]) for node in nodes) == waiting
        for node in nodes:
            if node.sent:
                done.append(node.sent.pop(0))
                shares.mark_test_complete(node, done[-1])
    assert sorted(done) == list(range(len(TESTS)))
    assert shared_out.waits(TESTS[done[0]])
    assert all(node.shutting_down for node in nodes)


class Factory:
    """Gives the folder of a run of tests, as pytest does."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.getbasetemp: Callable[[], Path] = lambda: folder


def test_a_folder_is_made_once_and_whoever_changes_it_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    made: list[Path] = []

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / ".cache").mkdir(parents=True)
        (folder / "text").write_text("one")

    one, other = Factory(tmp_path / "one"), Factory(tmp_path / "other")
    assert shared(one) == shared(other)
    folder = made_once(one, "texts", make)
    (folder / ".cache" / "kept").write_text("x")
    assert made_once(other, "texts", make) == folder == made[0]
    assert len(made) == 1
    (folder / "text").write_text("another")
    with pytest.raises(AssertionError, match="changed text in the shared folder texts"):
        made_once(one, "texts", make)


def test_what_was_not_made_to_the_end_is_made_again(tmp_path: Path) -> None:
    factory = Factory(tmp_path / "run")

    def fail(folder: Path) -> None:
        folder.mkdir()
        (folder / "half").write_text("x")
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        made_once(factory, "texts", fail)
    assert [path.name for path in made_once(factory, "texts", Path.mkdir).iterdir()] == []


def test_a_sample_has_the_first_cases_of_every_family() -> None:
    few, rest = few_of_each(["a1", "b1", "a2", "c1", "a3"], lambda case: case[0], 1)
    assert (few, rest) == (["a1", "b1", "c1"], ["a2", "a3"])
    sample, others = portions(range(10), 3)
    assert (sample.values, others.values) == ((range(3),), (range(3, 10),))
    assert [mark.args for mark in others.marks] == [("time",)]
    assert not sample.marks
