"""``vantage run`` killed, interrupted and resumed: nothing is left behind, nothing is lost, nothing is mixed up."""

from __future__ import annotations

import json
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from marked_processes import Marked, until
from sampling import REST
from small_search import small_search_set

from vantage.cli.main import main
from vantage.recording.folder_lock import LOCK
from vantage.reports.scoring import score_runs

RUN = "import sys; from vantage.cli.main import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four questions in one home."""
    return small_search_set(tmp_path_factory, max_steps=8)


@pytest.fixture(scope="module")
def undisturbed(episodes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "bags"
    assert main(words(episodes, out)) == 0
    return out


@pytest.fixture
def recorded(undisturbed: Path, tmp_path: Path) -> Path:
    """A copy of the bags."""
    return Path(shutil.copytree(undisturbed, tmp_path / "bags"))


def words(episodes: Path, out: Path, *more: str) -> list[str]:
    return ["run", "search", "--agent", "random", "--episodes", str(episodes), "--out", str(out), *more]


def start(episodes: Path, out: Path, *more: str) -> Marked:
    return Marked([sys.executable, "-c", RUN, *words(episodes, out, *more)])


def scored(out: Path) -> object:
    return score_runs(out).to_json()


def partial(out: Path) -> bool:
    """Whether an episode is being recorded."""
    return any(out.glob("*.partial/writer-*/*/*.mcap"))


def refusal(capsys: pytest.CaptureFixture[str], *given: str) -> str:
    """The one sentence with which the command fails."""
    capsys.readouterr()
    assert main(given) == 1
    told = capsys.readouterr().err.strip()
    assert len(told.splitlines()) == 1
    return told


def contents(folder: Path) -> dict[str, bytes]:
    return {str(item.relative_to(folder)): item.read_bytes() for item in folder.rglob("*") if item.is_file()}


@pytest.mark.real_time
@pytest.mark.parametrize("times", [1, pytest.param(3, marks=REST)])
def test_a_run_killed_at_any_moment_leaves_no_process_and_is_resumed_to_the_same_table(
    episodes: Path, undisturbed: Path, tmp_path: Path, times: int
) -> None:
    out = tmp_path / "bags"
    moments = random.Random(times)
    for _ in range(times):
        with start(episodes, out, "--workers", "2", "--resume") as started:
            until(lambda: partial(out) or started.process.poll() is not None)
            time.sleep(moments.uniform(0.0, 1.5))
            started.process.kill()
            assert started.is_gone()
    assert main(words(episodes, out, "--workers", "2", "--resume")) == 0
    assert scored(out) == scored(undisturbed)
    assert {item.name for item in out.iterdir()} == {item.name for item in undisturbed.iterdir()}


@pytest.mark.parametrize(
    ("workers", "number", "group", "status"),
    [("1", signal.SIGINT, True, 130), ("2", signal.SIGINT, True, 130), ("2", signal.SIGTERM, False, 143)],
)
def test_a_run_that_is_ended_by_a_signal_says_so_in_one_line(
    episodes: Path, tmp_path: Path, workers: str, number: int, group: bool, status: int
) -> None:
    out = tmp_path / "bags"
    with start(episodes, out, "--workers", workers, "--agent", "search") as started:
        until(lambda: partial(out))
        if group:
            started.kill_group(number)
        else:
            started.process.send_signal(number)
        assert started.is_gone()
        _, told = started.process.communicate()
        assert started.process.returncode == status
    assert [line for line in told.splitlines() if not line.startswith("[")] == ["vantage: interrupted"]
    assert not (out / LOCK).exists()


def test_a_second_run_into_the_same_folder_is_refused_while_the_first_goes_on(
    episodes: Path, undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bags"
    with start(episodes, out, "--workers", "2") as first:
        until(lambda: partial(out))
        told = refusal(capsys, *words(episodes, out, "--resume"))
        assert f"{out} is being written to by process {first.process.pid}" in told
        assert first.process.wait(300) == 0
    assert scored(out) == scored(undisturbed)


@pytest.mark.parametrize(
    ("more", "difference"),
    [
        (["--seed", "7"], "with seed = 0, and this run has 7"),
        (["--perception", "degraded"], "with agent.perception = 'privileged', and this run has 'degraded'"),
        (["--set", "agent.min_pixels=60"], "with agent.min_pixels = 120, and this run has 60"),
        (["--set", "degraded.miss=0.5"], "with degraded.miss = 0.02, and this run has 0.5"),
    ],
)
def test_bags_of_another_setup_are_not_taken_for_done(
    episodes: Path, recorded: Path, more: list[str], difference: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(recorded)
    told = refusal(capsys, *words(episodes, recorded, "--resume", *more))
    assert f"was recorded {difference}; choose another --out" in told
    assert contents(recorded) == before


def test_another_agent_does_not_go_on_with_a_run(
    episodes: Path, recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = refusal(capsys, *words(episodes, recorded, "--resume", "--agent", "coverage"))
    assert "agent.name = 'random', and this run has 'coverage'" in told


@pytest.mark.parametrize(
    "more", [["--set", "world.threads=1"], ["--set", "run.step_timeout=99"], ["--set", "model.url=http://elsewhere/v1"]]
)
def test_what_changes_no_answer_does_not_keep_a_run_from_going_on(
    episodes: Path, recorded: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(sorted(recorded.iterdir())[0])
    assert main(words(episodes, recorded, "--resume", *more)) == 0
    assert capsys.readouterr().out.startswith("1 episodes in ")


def test_a_set_that_was_changed_is_neither_run_nor_resumed(
    episodes: Path, recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = Path(shutil.copytree(episodes, tmp_path / "set"))
    truth = changed / "truth.jsonl"
    truth.write_text(truth.read_text().replace('"premise_holds": true', '"premise_holds": false', 1) + "\n")
    for out in (recorded, tmp_path / "new"):
        told = refusal(capsys, *words(changed, out, "--resume"))
        assert f"{changed} was changed after it was made" in told
    assert not (tmp_path / "new").exists()
    described = json.loads((changed / "set.json").read_text())
    (changed / "set.json").write_text(json.dumps({**described, "content_hash": ""}))
    assert "of another episode set" in refusal(capsys, *words(changed, recorded, "--resume"))


def no_bag(bag: Path) -> None:
    shutil.rmtree(bag)
    bag.mkdir()
    (bag / "notes.txt").write_text("years of work")


def bag_with_notes(bag: Path) -> None:
    (bag / "notes.txt").write_text("years of work")


def a_file(bag: Path) -> None:
    shutil.rmtree(bag)
    bag.write_text("years of work")


def a_link(bag: Path) -> None:
    bag.rename(bag.parents[1] / "elsewhere")
    bag.symlink_to(bag.parents[1] / "elsewhere")


def without_setup(bag: Path) -> None:
    metadata = bag / "metadata.yaml"
    metadata.write_text(metadata.read_text().replace("vantage_setup", "another_setup"))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (no_bag, "is not a bag that was recorded here"),
        (bag_with_notes, "is not a bag that was recorded here"),
        (a_file, "is not a bag that was recorded here"),
        (a_link, "is not a bag that was recorded here"),
        (without_setup, "does not say with which setup it was recorded"),
    ],
)
def test_what_was_not_recorded_here_is_never_deleted(
    episodes: Path, recorded: Path, capsys: pytest.CaptureFixture[str], make: Callable[[Path], None], sentence: str
) -> None:
    make(sorted(recorded.iterdir())[1])
    before = contents(recorded.parent)
    assert sentence in refusal(capsys, *words(episodes, recorded, "--resume"))
    assert contents(recorded.parent) == before


def test_a_damaged_bag_of_this_run_is_recorded_again(episodes: Path, undisturbed: Path, recorded: Path) -> None:
    bag = sorted(recorded.iterdir())[2]
    file = bag / f"{bag.name}.mcap"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    assert main(words(episodes, recorded, "--resume")) == 0
    assert scored(recorded) == scored(undisturbed)


def test_what_a_run_left_that_was_killed_after_its_last_bag_is_cleared(
    episodes: Path, recorded: Path, undisturbed: Path
) -> None:
    left = recorded / f"{sorted(recorded.iterdir())[0].name}.partial" / "writer-1-00000000"
    left.mkdir(parents=True)
    (left / "lock").write_text("")
    assert main(words(episodes, recorded, "--resume")) == 0
    assert contents(recorded).keys() == contents(undisturbed).keys()


@pytest.mark.parametrize("where", ["file", "file/bags", "/proc/bags"])
def test_where_nothing_can_be_written_is_told_before_the_first_episode(
    episodes: Path, tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    told = refusal(capsys, *words(episodes, tmp_path / where))
    assert f"cannot write {tmp_path / where}: " in told
    assert told.endswith("; choose another output folder")
