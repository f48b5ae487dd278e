import os
import subprocess
import sys

import pytest

from vantage import registry
from vantage.errors import UnknownNameError, UsageError


def test_every_built_in_entry_resolves():
    for table in (registry.WORLDS, registry.AGENTS, registry.PERCEIVERS, registry.JUDGES, registry.BENCHMARKS):
        assert table.names(), table.kind
        for name in table.names():
            assert callable(table.get(name))


def test_unknown_names_get_a_proposal():
    with pytest.raises(UnknownNameError, match=r"unknown agent 'serach'; did you mean 'search'\?"):
        registry.AGENTS.get("serach")
    with pytest.raises(UnknownNameError, match="known: none"):
        registry.Registry("thing").get("x")


def test_of_very_many_names_only_the_closest_are_told():
    known = [f"group.name_{k}" for k in range(40)]
    assert registry.did_you_mean("group.name_7", known).count("group.") == 3
    assert "group.name_7'" in registry.did_you_mean("group.name_7", known)
    assert registry.did_you_mean("xyz", known) == " (40 are known, and none is like it)"


def test_names_are_taken_once():
    table = registry.Registry("thing")
    table.register("one", lambda value: value + 1)
    assert table.create("one", 1) == 2
    with pytest.raises(UsageError, match="registered already"):
        table.register("one", print)


PACKAGE = """
class Still:
    name, perception = "still", "none"

    def __init__(self, settings, **_):
        pass
"""
POINTS = """
[vantage.agents]
still = other_agents:Still
search = other_agents:Still
broken = other_agents:Missing

[vantage.worlds]
void = no_such_module:Void
"""
ASKING = """
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.registry import AGENTS, WORLDS
print(AGENTS.names(), AGENTS.create("still", Settings()).name, AGENTS.get("search").__module__)
for table, name in ((AGENTS, "broken"), (WORLDS, "void")):
    try:
        table.get(name)
    except UsageError as error:
        print(error)
"""


def test_other_packages_add_entries(tmp_path):
    (tmp_path / "other_agents.py").write_text(PACKAGE)
    described = tmp_path / "other_agents-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: other-agents\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(POINTS)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-c", ASKING], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    names, broken, void = done.stdout.splitlines()
    assert "'broken', 'coverage'" in names
    assert names.endswith("still vantage.planning.agents.search_agent"), "a built-in name keeps its meaning"
    assert "agent 'broken' comes from another package, and other_agents:Missing cannot be imported" in broken
    assert "world 'void' comes from another package" in void


OTHERS = """
from vantage.benchmarks import Option
from vantage.benchmarks.base import BaseBenchmark


class Careless:
    name, phases, options = "careless", ("answer",), ()


class Demanding(BaseBenchmark):
    def __init__(self, something):
        pass


class Greedy(BaseBenchmark):
    name = "greedy"
    options = (Option("seed", "as another"), Option("run", "100 % of them"))

    def make(self, folder, *, run, **_):
        print("made with", run)
        raise SystemExit(0)
"""
SOUND = """
[vantage.benchmarks]
careless = others:Careless
demanding = others:Demanding
greedy = others:Greedy [some_extra]
"""


def test_a_package_that_is_damaged_harms_only_itself(tmp_path):
    (tmp_path / "others.py").write_text(OTHERS)
    for name, points in (("sound", SOUND), ("torn", "[vantage.agents]\nno equals sign here\n")):
        described = tmp_path / f"{name}-1.0.dist-info"
        described.mkdir()
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (described / "entry_points.txt").write_text(points)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))

    def vantage(*words):
        command = [sys.executable, "-m", "vantage.cli.main", *words]
        return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)

    helped = vantage("episodes", "make", "--help")
    assert helped.returncode == 0, helped.stderr
    assert "100 % of them" in helped.stdout
    for name, why in (
        ("careless", "is none, because it lacks answer_marks, categories,"),
        ("demanding", "comes from another package and cannot be made: TypeError"),
    ):
        made = vantage("episodes", "make", name, "--out", str(tmp_path / "out"))
        assert made.returncode == 2
        assert f"benchmark '{name}' {why}" in made.stderr
        assert "Traceback" not in made.stderr
    wrong = vantage("episodes", "make", "greedy", "--out", str(tmp_path / "out"), "--run", "3")
    assert (wrong.returncode, wrong.stdout) == (0, "made with 3\n"), wrong.stderr
