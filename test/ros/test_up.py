"""``vantage up`` says what is wrong with a setup before its graph is there, and gives models that judge their time."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from faulty_server import BlindServer, FaultyServer, Step, completion
from imported_questions import unseen_set
from ros_fixtures import new_domain

from vantage.cli.main import main
from vantage.config import ModelSettings, Settings
from vantage.nodes.graph import SCORE_TIMEOUT, allowed_score
from vantage.spatial import Viewpoint
from vantage.types import Episode, Phase, Question

BLIND = ("--world", "none", "--agent", "blind", "--model", "openai:x", "--set", "model.retries=0")


@pytest.fixture(autouse=True)
def _own_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five questions without scenes."""
    return unseen_set(tmp_path_factory.mktemp("foreign"), 5)


def up(capsys: pytest.CaptureFixture[str], out: Path, *words: str) -> tuple[int, list[str]]:
    """Status and the lines that were told to stderr."""
    status = main(["up", "--out", str(out), *words])
    return status, capsys.readouterr().err.strip().splitlines()


def test_nobody_looks_round_in_no_place(unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for job in (["--episodes", str(unseen)], []):
        status, told = up(capsys, tmp_path / "bags", *job, "--world", "none", "--agent", "search")
        assert (status, len(told)) == (2, 1)
        assert "use --agent blind" in told[0]
    assert not (tmp_path / "bags").exists()


def test_a_set_without_scenes_needs_no_world(unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = up(capsys, tmp_path / "bags", "--episodes", str(unseen), "--agent", "blind")
    assert (status, len(told)) == (2, 1)
    assert "add --world none --agent blind" in told[0]


def test_the_oracle_replays_a_set_and_serves_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = up(capsys, tmp_path / "bags", "--agent", "oracle")
    assert (status, len(told)) == (1, 1)
    assert "give it an episode set" in told[0]


@pytest.mark.needs("openai")
@pytest.mark.parametrize("listens", [False, True])
def test_a_server_that_is_not_there_or_silent_is_told_before_anything_starts(
    unseen: Path, tmp_path: Path, listens: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if listens:
            server.listen()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        words = [*BLIND, "--set", f"model.url={url}", "--set", "model.timeout=0.5", "--episodes", str(unseen)]
        status, told = up(capsys, tmp_path / "bags", *words)
    assert (status, len(told)) == (1, 1)
    assert "no server is at model.url" in told[0]
    assert ("within 0.5 s" if listens else "cannot be reached") in told[0]


@pytest.mark.needs("openai")
def test_a_server_that_is_silent_call_after_call_ends_the_graph(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultyServer(Step(stall=True)) as server:
        words = [*BLIND, "--set", f"model.url={server.url}", "--set", "model.timeout=0.5", "--episodes", str(unseen)]
        status, told = up(capsys, tmp_path / "bags", *words)
    assert status == 1
    assert "or it is always silent" in told[-1]
    assert 1 <= len(list((tmp_path / "bags").iterdir())) <= 3, "of five: calls before these count, too"


@pytest.mark.needs("openai")
def test_a_model_that_takes_no_pictures_is_told_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with BlindServer(Step(completion("Yes."))) as server:
        words = ["--model", "openai:eyes", "--perception", "privileged", "--set", f"model.url={server.url}"]
        status, told = up(capsys, tmp_path / "bags", *words, "--set", "world.scenes=config/captures")
    assert (status, len(told)) == (1, 1)
    assert "model 'eyes' takes no pictures" in told[0]
    assert not (tmp_path / "bags").exists()


def test_the_end_says_how_many_questions_were_not_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    episodes = unseen_set(tmp_path, 1, "Why do people hang pictures up?")
    words = ["--world", "none", "--agent", "blind", "--episodes", str(episodes)]
    assert main(["up", "--out", str(tmp_path / "bags"), *words]) == 0
    assert "but 1 of 1 ended with a question that needs a model" in capsys.readouterr().out


@pytest.mark.needs("openai")
def test_a_server_that_answers_is_asked(unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FaultyServer(Step(completion("Glass."))) as server:
        words = [*BLIND, "--set", f"model.url={server.url}", "--episodes", str(unseen)]
        status, told = up(capsys, tmp_path / "bags", *words)
    assert status == 0
    assert "Glass." in "".join(told)


def test_a_model_that_judges_has_a_call_for_each_question() -> None:
    questions = tuple(Question(f"q{k}", "What is it?", Phase.ANSWER.value) for k in range(3))
    episode = Episode("e", "", "s", Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0), questions, 10)
    settings = Settings(model=ModelSettings(timeout=200.0))
    assert allowed_score(episode, settings, "rules") == SCORE_TIMEOUT
    for judge in ("model", "model:openai:llama"):
        assert allowed_score(episode, settings, judge) == SCORE_TIMEOUT + 600.0
