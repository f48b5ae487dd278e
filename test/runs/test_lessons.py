"""What an agent may learn of the gold data of a set that it runs: those of the half for fitting alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from eai_files import write_eai

from vantage.benchmarks.registered import benchmark_of
from vantage.config import Settings
from vantage.planning.goals import Lessons
from vantage.runs import make_agent
from vantage.runs.priors import lessons_of


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("heal")
    benchmark_of("heal").make(root / "set", source=write_eai(root / "data"))
    return root / "set"


def with_gold(made: Path, out: Path, split: str, answer: str) -> Path:
    """The set with another answer in the gold data of one half."""
    out.mkdir()
    for path in made.iterdir():
        (out / path.name).write_bytes(path.read_bytes())
    lines = [json.loads(line) for line in (made / "truth.jsonl").read_text().splitlines()]
    for line in lines:
        for question in line["questions"]:
            if line["split"] == split:
                question["answer"] = answer
    (out / "truth.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return out


def test_gold_data_of_the_test_half_reach_no_agent(made: Path, tmp_path: Path) -> None:
    splits = {json.loads(line)["split"] for line in (made / "truth.jsonl").read_text().splitlines()}
    assert splits == {"fit", "test"}
    learned = lessons_of(made)
    assert learned != Lessons()
    assert lessons_of(with_gold(made, tmp_path / "a", "test", '{"node goals": [["Open", "x"]]}')) == learned
    assert lessons_of(with_gold(made, tmp_path / "b", "fit", "")) != learned


def test_nothing_is_learned_without_a_set() -> None:
    assert lessons_of(None) == Lessons()


def test_the_embedded_interpreter_is_made_with_lessons(made: Path) -> None:
    assert make_agent("interpreter", Settings(), made).control == ""
    assert make_agent("interpreter", Settings()).control == ""
