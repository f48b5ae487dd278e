"""Sets and runs whose processes are killed: the same command goes on, nothing is lost, and the bytes are the same."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from marked_processes import Marked, until
from small_e3vs import SIZES, make_small, one_of_each_pair, part_of, small_e3vs

from vantage.benchmarks.sets.episodes_io import content_hash, load_set
from vantage.cli.main import main
from vantage.registry import BENCHMARKS
from vantage.reports.scoring import score_runs

SPLITS = ("train", "test")
SUPPORT = Path(__file__).parents[2] / "support"
RUN = "import sys; from vantage.cli.main import main; sys.exit(main(sys.argv[1:]))"
MAKE = (
    f"import sys; sys.path.insert(0, {str(SUPPORT)!r}); from small_e3vs import small_e3vs; "
    "from vantage.registry import BENCHMARKS; BENCHMARKS._entries['e3vs'] = small_e3vs; "
    "from vantage.cli.main import main; sys.exit(main(sys.argv[1:]))"
)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of the splits, but those of caches."""
    files = [path for name in SPLITS for path in (folder / name).rglob("*") if path.is_file()]
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in files
        if not any(part.startswith(".") for part in path.relative_to(folder).parts[:-1])
    }


def make_words(out: Path) -> list[str]:
    sizes = [word for name in ("scenes", "episodes", "pairs", "seed") for word in (f"--{name}", str(SIZES[name]))]
    sizes += ["--rooms", "1", "--workers", "2"]
    pictures = ["--set", "camera.width=128", "--set", "camera.height=128"]
    return ["episodes", "make", "e3vs", "--out", str(out), *sizes, *pictures]


def killed(command: list[str], at: Callable[[], bool], code: str = RUN, after: float = 0.0) -> bool:
    """Start a command and kill it -9 so many s after the moment; whether it still ran then. Nothing of it is left."""
    with Marked([sys.executable, "-c", code, *command]) as started:
        until(lambda: at() or started.process.poll() is not None)
        time.sleep(after)
        ran = started.process.poll() is None
        started.process.kill()
        assert started.is_gone()
    return ran


@pytest.mark.needs("time")
def test_a_set_whose_making_is_killed_has_the_bytes_of_one_made_at_once_with_any_number_of_workers(
    e3vs_splits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "set"
    stages = out / ".stages"
    assert killed(make_words(out), lambda: any(stages.glob("questions/*.json")), MAKE)  # a home was asked about
    assert not (out / "test").exists()
    monkeypatch.setitem(BENCHMARKS._entries, "e3vs", small_e3vs)
    assert main(make_words(out)) == 0
    assert contents(out) == contents(e3vs_splits), "which one worker made"
    for name in SPLITS:
        assert load_set(out / name).info.content_hash == content_hash(out / name)


def test_what_a_killed_process_left_half_written_gets_into_no_set(e3vs_splits: Path, tmp_path: Path) -> None:
    out = tmp_path / "set"
    shutil.copytree(e3vs_splits / ".stages", out / ".stages")
    for home in (out / ".stages" / "scenes").iterdir():
        (home / ".cloud.ply.x1y2z3.ply").write_bytes(b"ply")
    (out / ".stages" / "split-test" / "goals").mkdir(parents=True)
    make_small(out)
    assert contents(out) == contents(e3vs_splits)


def test_a_run_that_is_killed_is_resumed_to_the_same_scores(e3vs_splits: Path, tmp_path: Path) -> None:
    test = e3vs_splits / "test"
    folder = part_of(test, tmp_path / "set", one_of_each_pair(test)[:3])

    def words(out: Path) -> list[str]:
        small = ["--set", "agent.min_pixels=8"]
        return ["run", "e3vs", "--agent", "search", "--episodes", str(folder), "--out", str(out), "--resume", *small]

    out, alone = tmp_path / "bags", tmp_path / "alone"

    def recording() -> bool:
        return any(out.glob("*.partial/writer-*/*/*.mcap"))

    assert killed([*words(out), "--workers", "2"], recording)
    assert killed(words(out), recording, after=0.3)
    assert main(words(out)) == 0
    assert main(words(alone)) == 0
    assert score_runs(out).to_json() == score_runs(alone).to_json()
    assert {path.name for path in out.iterdir()} == {path.name for path in alone.iterdir()}
