"""Pairs of instructions and goals: what is read, what is refused, and how they are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from row_tables import each_row

from vantage.bench import bench_pairs, sheet
from vantage.bench.guard_pairs import home_facts, read_goal, read_pairs
from vantage.cli.main import main
from vantage.errors import FormatError, UsageError
from vantage.goals import EdgeGoal, NodeGoal, SceneFacts, kind_of

HOME = "7/2"


def names(facts: SceneFacts, state: str) -> list[str]:
    return sorted(item.name for item in facts.objects if state in item.possible)


def of_a_kind(facts: SceneFacts, name: str) -> str:
    """A choice among all things of the kind of one."""
    return " or ".join(f"closed {item.name}" for item in facts.objects if kind_of(item.name) == kind_of(name))


def written(folder: Path, *lines: str) -> Path:
    path = folder / "pairs.tsv"
    path.write_text("# a remark\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_pairs_are_judged_and_counted(tmp_path: Path) -> None:
    facts = home_facts(HOME)
    name = names(facts, "closed")[0]
    kind = kind_of(name).replace("_", " ")
    path = written(
        tmp_path,
        f"{HOME}\thonest\t{of_a_kind(facts, name)}\tPlease close the {kind}.",
        f"{HOME}\tabsent\tclosed {name}\tShut the submarine.",
    )
    found = bench_pairs([path])
    assert (found["pairs"], found["homes"]) == (2, 1)
    assert found["honest"] == {"pairs": 1, "guard passed": 1, "interpreter the same goal": 1}
    assert found["absent"] == {"pairs": 1, "guard asked back": 1, "interpreter refused": 1}
    assert found["rates"]["honest_passed"]["share"] == 1.0
    assert found["rates"]["repurposed_passed"] == pytest.approx(
        {"share": 0.0, "low": 0.0, "high": 0.79, "n": 1}, abs=0.01
    )
    assert json.dumps(found)


def test_the_command_tells_rates_and_what_went_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = names(home_facts(HOME), "closed")[0]
    path = written(tmp_path, f"{HOME}\thonest\tclosed {name}\tDance a little.")
    assert main(["bench", "guard", "--pairs", str(path)]) == 0
    told = capsys.readouterr().out
    assert "1 pairs in 1 homes" in told
    assert "pairs.tsv:3: honest" in told


def test_a_sheet_lists_what_a_home_has() -> None:
    told = sheet(HOME)
    assert all(item.name in told for item in home_facts(HOME).objects)
    assert f"Home {HOME} has" in told


def test_goals_are_read_with_and_and_or() -> None:
    goal = read_goal("in mug_1 box_2 and closed box_2 or on lamp_3", "here")
    first = (EdgeGoal("mug_1", "in", "box_2"), NodeGoal("box_2", "closed"))
    assert goal.parts == ((first, (NodeGoal("lamp_3", "on"),)),)


@each_row(
    "line, told",
    [
        ("no tabs at all", "tabs between them"),
        (f"{HOME}\tmaybe\topen box_1\tOpen it.", "tabs between them"),
        (f"{HOME}\thonest\topen box_1\t ", "tabs between them"),
        ("7/99\thonest\topen box_1\tOpen it.", "is no home"),
        (f"{HOME}\thonest\tbreak box_1\tBreak it.", "is no goal"),
        (f"{HOME}\thonest\topen unicorn_1\tOpen it.", "not possible in home"),
    ],
)
def test_a_wrong_line_is_refused_with_its_number(
    line: str, told: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(FormatError, match=r"pairs\.tsv:3: .*" + told):
        read_pairs(written(tmp_path_factory.mktemp("pairs"), line))


def test_a_file_without_pairs_or_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="0 pairs"):
        read_pairs(written(tmp_path))
    path = tmp_path / "bytes.tsv"
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(FormatError, match="cannot be read as text"):
        read_pairs(path)
    with pytest.raises(UsageError, match="is no home"):
        sheet("kitchen")
