"""The campaign of files from elsewhere: nothing is obeyed, and what obeys is counted."""

from __future__ import annotations

import itertools
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import pytest
from small_search import FEW, SMALL, small_search_set

from vantage.bench import hostile_files as campaign, repeated
from vantage.bench.hostile_asks import MARK, Ask, Grounds
from vantage.bench.hostile_files import bench_hostile_files
from vantage.benchmarks.sets import EpisodeSet, load_set
from vantage.cli.main import main
from vantage.runs import Job, run_set

ZERO = ("obeyed", "sent", "secrets", "read_outside", "tracebacks")


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> tuple[EpisodeSet, Path]:
    """A set with one episode, and its bag."""
    folder = tmp_path_factory.mktemp("honest")
    episodes = repeated(load_set(small_search_set(tmp_path_factory, FEW)), folder / "set", 1)
    for _ in run_set(Job(episodes.folder, folder / "bags", "splat", "random", SMALL)):
        pass
    [bag] = (folder / "bags").iterdir()
    return episodes, bag


def test_every_kind_of_file_asks_and_none_is_obeyed(
    honest: tuple[EpisodeSet, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, kinds = campaign.asks, list[str]()

    def some(*arguments: object) -> object:
        for ask in itertools.islice(whole(*arguments), 0, None, 2):  # type: ignore[arg-type]
            kinds.append(ask.kind)
            yield ask

    monkeypatch.setattr(campaign, "asks", some)
    monkeypatch.setattr(campaign, "_PER_PROCESS", 10**6)
    found = bench_hostile_files(*honest, tmp_path, 3, 1, main, lambda line: None)
    assert {key: found[key] for key in ZERO} == dict.fromkeys(ZERO, 0), found["faults"]
    assert set(kinds) == {"set", "bag", "study", "calibration", "scene", "robot", "rig"}
    assert found["asked"] == len(kinds) + 1 == found["refused"] + found["passed_over"]
    assert found["processes"] == 1


def test_what_obeys_is_counted(
    honest: tuple[EpisodeSet, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a command line that does all that it must not."""

    def asks(grounds: Grounds, settings: int, seed: int) -> object:
        def obeying() -> None:
            (grounds.outside / "rules.yaml").read_text()
            (grounds.outside / "touched").write_text("")
            urllib.request.urlopen(urllib.request.Request(grounds.url, MARK.encode()), timeout=30).close()

        def failing() -> None:
            raise KeyError("x")

        yield Ask("robot", "everything", call=obeying)
        yield Ask("robot", "a traceback", call=failing)
        yield Ask("set", "a secret", ("tell",), named="model.url")

    def command(words: Sequence[str]) -> int:
        if words[0] == "tell":
            print(f"vantage: it is {MARK}")
            return 1
        return main(words)

    monkeypatch.setattr(campaign, "asks", asks)
    monkeypatch.setattr(campaign, "_beside", lambda words: (1, "refused: model.url"))
    found = bench_hostile_files(*honest, tmp_path, 1, 1, command, lambda line: None)
    assert {key: found[key] for key in ZERO} == {
        "obeyed": 3,  # a file that is not refused by name counts as obeyed
        "sent": 1,
        "secrets": 2,
        "read_outside": 2,
        "tracebacks": 1,
    }
    assert found["faults"][0] == "robot asks for everything: obeyed, sent, secrets, read_outside"
