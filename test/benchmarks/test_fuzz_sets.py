"""Sets with one value swapped, missing or impossible: commands say what is wrong in one sentence, or work."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from mutated_json import mutated
from sampling import portions

from vantage.benchmarks.sets.episodes_io import EpisodeSet
from vantage.cli.main import main

FILES = ("set.json", "episodes.jsonl", "truth.jsonl")


@pytest.fixture
def hurried(search_set: EpisodeSet, tmp_path: Path) -> Path:
    """A copy whose episodes end after two steps."""
    folder = tmp_path / "set"
    shutil.copytree(search_set.folder, folder)
    lines = [json.loads(line) for line in (folder / "episodes.jsonl").read_text().splitlines()]
    (folder / "episodes.jsonl").write_text("\n".join(json.dumps({**line, "max_steps": 2}) for line in lines))
    return folder


def damage(folder: Path, name: str, chance: random.Random) -> str:
    """Change one value of a file; returns what was done."""
    path = folder / name
    documents = [json.loads(line) for line in ([path.read_text()] if name == "set.json" else path.open())]
    number = chance.randrange(len(documents))
    done, documents[number] = mutated(documents[number], chance)
    path.write_text("\n".join(json.dumps(document) for document in documents))
    return f"{name}: {done}"


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    """Status and lines on stderr; a traceback would fail the test."""
    status = main(words)
    return status, capsys.readouterr().err.splitlines()


@pytest.mark.parametrize("numbers", portions(range(100), 30))
@pytest.mark.parametrize("name", FILES)
def test_showing_a_damaged_set_never_ends_in_a_traceback(
    hurried: Path, name: str, numbers: range, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, refused = (hurried / name).read_bytes(), 0
    for number in numbers:
        (hurried / name).write_bytes(whole)
        done = damage(hurried, name, random.Random(number))
        status, lines = told(capsys, "episodes", "show", "search", str(hurried))
        assert status in (0, 1, 2), done
        assert len(lines) == bool(status), (done, lines)
        refused += bool(status)
    assert refused > 0.3 * len(numbers), "what is no set is refused"


@pytest.mark.parametrize("numbers", portions(range(1000, 1012), 4))
@pytest.mark.parametrize("name", FILES)
def test_checking_and_running_a_damaged_set_never_end_in_a_traceback(
    hurried: Path, name: str, numbers: range, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (hurried / name).read_bytes()
    for number in numbers:
        (hurried / name).write_bytes(whole)
        done = damage(hurried, name, random.Random(number))
        out = hurried / f"bags-{number}"
        for words in (
            ("episodes", "validate", "search", str(hurried)),
            ("run", "search", "--agent", "static", "--episodes", str(hurried), "--out", str(out)),
        ):
            status, lines = told(capsys, *words)
            assert status in (0, 1, 2), done
            assert not any("Traceback" in line for line in lines), done
        shutil.rmtree(out, ignore_errors=True)
