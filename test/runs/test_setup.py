"""What is wrong with a whole run is said once, before its first episode, whoever runs it."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from faulty_server import BlindServer, FaultyServer, Step, completion
from imported_questions import unseen_set
from small_search import FEW, small_search_set

from vantage.answering.calibration import Judged, calibrate, write_calibration
from vantage.cli.main import main
from vantage.config import AgentSettings, ModelSettings, Settings
from vantage.errors import ModelError, NoServerError
from vantage.models.budget import PROCESS_LEDGER
from vantage.models.model_factory import shared_model
from vantage.models.prompts import prompt
from vantage.planning.needs import Need
from vantage.recording.recordings import read_recording
from vantage.runs.setup import rehearse_models, require_server

EYES = ("--model", "openai:eyes", "--perception", "privileged", "--set", "model.retries=0")
BLIND = ("--world", "none", "--agent", "blind", "--model", "openai:x", "--set", "model.retries=0")


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two questions in one home."""
    return small_search_set(tmp_path_factory, FEW, max_steps=6)


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five questions without scenes."""
    return unseen_set(tmp_path_factory.mktemp("foreign"), 5)


@pytest.fixture
def calibration(tmp_path: Path) -> str:
    """For a model that nobody here runs."""
    path = tmp_path / "c.json"
    judged = [Judged(k / 40, k > 20, str(k)) for k in range(40)]
    write_calibration(path, calibrate(judged, 0.1, "symbolic/nap", "degraded"))
    return str(path)


def run(capsys: pytest.CaptureFixture[str], benchmark: str, episodes: Path, out: Path, *words: str) -> tuple[int, str]:
    """Status and what was told to stderr."""
    status = main(["run", benchmark, "--episodes", str(episodes), "--out", str(out), *words])
    return status, capsys.readouterr().err


def answers(bags: Path) -> list[str]:
    return [answer.text for bag in sorted(bags.iterdir()) for answer in read_recording(bag).answers]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_calibration_for_others_is_refused_once(
    episodes: Path, tmp_path: Path, calibration: str, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--calibration", calibration, "--mode", "nacot", "--workers", workers]
    status, told = run(capsys, "search", episodes, tmp_path / "bags", *words)
    assert status == 2
    assert "calibrates answers of 'symbolic/nap', not 'symbolic/nacot'" in told
    assert len(told.strip().splitlines()) == 1
    assert not (tmp_path / "bags").exists()


@pytest.mark.needs("models")
def test_a_model_folder_that_is_not_there_is_told_once(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--model", f"transformers:{tmp_path / 'nowhere'}"]
    status, told = run(capsys, "search", episodes, tmp_path / "bags", *words)
    assert status == 1
    assert told == f"vantage: the model folder {tmp_path / 'nowhere'} does not exist; check the path\n"
    assert not (tmp_path / "bags").exists()


def test_nobody_looks_round_in_no_place(episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--world", "none", "--agent", "search"]
    status, told = run(capsys, "search", episodes, tmp_path / "bags", *words)
    assert (status, len(told.strip().splitlines())) == (2, 1)
    assert "use --agent blind" in told
    assert not (tmp_path / "bags").exists()


def test_a_set_without_scenes_needs_no_world(unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = run(capsys, "open-eqa", unseen, tmp_path / "bags", "--agent", "blind")
    assert (status, len(told.strip().splitlines())) == (2, 1)
    assert "add --world none --agent blind" in told
    assert not (tmp_path / "bags").exists()
    assert run(capsys, "open-eqa", unseen, tmp_path / "bags", "--agent", "blind", "--world", "none")[0] == 0


@pytest.mark.needs("openai")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_is_not_there_is_told_before_anything_runs(
    unseen: Path, tmp_path: Path, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    words = [*BLIND, "--set", f"model.url={url}", "--workers", workers]
    status, told = run(capsys, "open-eqa", unseen, tmp_path / "bags", *words)
    assert status == 1
    assert told.count("\n") == 1
    assert "no server is at model.url" in told
    assert "cannot be reached" in told
    assert not (tmp_path / "bags").exists()


@pytest.mark.needs("openai")
def test_a_server_that_is_silent_is_told_before_anything_runs(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/v1"
        words = [*BLIND, "--set", f"model.url={url}", "--set", "model.timeout=0.5"]
        status, told = run(capsys, "open-eqa", unseen, tmp_path / "bags", *words)
    assert status == 1
    assert told.count("\n") == 1
    assert "no server is at model.url" in told
    assert "did not reply within 0.5 s" in told
    assert not (tmp_path / "bags").exists()


@pytest.mark.needs("openai")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_is_silent_call_after_call_ends_the_run_which_can_be_resumed(
    unseen: Path, tmp_path: Path, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultyServer(Step(stall=True)) as server:
        words = [*BLIND, "--set", f"model.url={server.url}", "--set", "model.timeout=2.0", "--workers", workers]
        status, told = run(capsys, "open-eqa", unseen, tmp_path / "bags", *words)
    assert status == 1
    assert told.count("or it is always silent") == 1
    assert any(bag.name.endswith(".partial") for bag in (tmp_path / "bags").iterdir())
    with FaultyServer(Step(completion("Glass."))) as server:
        again = [*BLIND, "--set", f"model.url={server.url}", "--workers", workers, "--resume"]
        assert run(capsys, "open-eqa", unseen, tmp_path / "bags", *again)[0] == 0
    assert answers(tmp_path / "bags") == ["Glass."] * 5


@pytest.mark.needs("openai")
def test_a_server_that_is_silent_now_and_then_does_not_end_the_run(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, silent = Step(completion("Glass.")), Step(stall=True)
    with FaultyServer(good, silent, silent, good, silent) as server:
        words = [*BLIND, "--set", f"model.url={server.url}", "--set", "model.timeout=0.5"]
        assert run(capsys, "open-eqa", unseen, tmp_path / "bags", *words)[0] == 0
        assert len(server.requests) == 5
    assert answers(tmp_path / "bags").count("Glass.") == 2


@pytest.mark.needs("openai")
def test_a_server_that_goes_away_ends_the_run_at_once(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultyServer(Step(completion("Glass."))) as server:
        url = server.url
    model = shared_model("openai:x", ModelSettings(url=url, retries=0))
    before = PROCESS_LEDGER.usage
    require_server("q-0", before)
    with pytest.raises(NoServerError):
        model.chat("What is there?")
    with pytest.raises(NoServerError, match="of episode 'q-0' was answered"):
        require_server("q-0", before)


@pytest.mark.needs("openai")
def test_replies_that_were_kept_need_no_server(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultyServer(Step(completion("Glass."))) as server:
        words = [*BLIND, "--set", f"model.url={server.url}", "--set", f"model.cache={tmp_path / 'kept'}"]
        assert run(capsys, "open-eqa", unseen, tmp_path / "first", *words)[0] == 0
    assert run(capsys, "open-eqa", unseen, tmp_path / "second", *words)[0] == 0


@pytest.mark.needs("openai")
def test_an_episode_without_a_reply_is_run_again(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bags = tmp_path / "bags"
    good = Step(completion("Glass."))
    with FaultyServer(good, Step(completion("")), good) as server:
        assert run(capsys, "open-eqa", unseen, bags, *BLIND, "--set", f"model.url={server.url}")[0] == 0
    with FaultyServer(good) as server:
        again = [*BLIND, "--set", f"model.url={server.url}", "--resume"]
        assert run(capsys, "open-eqa", unseen, bags, *again)[0] == 0
        assert len(server.requests) == 1
    assert answers(bags) == ["Glass."] * 5


@pytest.mark.needs("openai")
@pytest.mark.parametrize(
    "words",
    [
        EYES,
        (*EYES, "--workers", "2"),
        ("--agent", "random", "--perception", "vlm", "--set", "pixels.model=openai:eyes", "--set", "model.retries=0"),
    ],
    ids=["answers", "two workers", "perceives"],
)
def test_a_model_that_takes_no_pictures_is_told_before_anything_runs(
    episodes: Path, tmp_path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with BlindServer(Step(completion("Yes."))) as server:
        status, told = run(capsys, "search", episodes, tmp_path / "bags", *words, "--set", f"model.url={server.url}")
        assert len(server.requests) == 3, "several pictures, one, and none"
    assert status == 1
    assert told.count("\n") == 1
    assert "model 'eyes' takes no pictures" in told
    assert "HTTP 400 (image input is not supported by this model)" in told
    assert not (tmp_path / "bags").exists()


@pytest.mark.needs("openai")
def test_a_server_that_hangs_over_the_first_picture_is_told_before_anything_runs(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultyServer(Step(stall=True)) as server:
        words = [*EYES, "--set", f"model.url={server.url}", "--set", "model.timeout=0.5"]
        status, told = run(capsys, "search", episodes, tmp_path / "bags", *words)
        assert len(server.requests) == 1
    assert (status, told.count("\n")) == (1, 1)
    assert "model 'openai:eyes'" in told
    assert "did not reply within 0.5 s" in told
    assert not (tmp_path / "bags").exists()


@pytest.mark.needs("openai")
def test_a_model_that_sees_is_shown_one_tiny_picture_in_a_whole_run(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultyServer(Step(completion("Yes."))) as server:
        words = ["--agent", "static", *EYES, "--mode", "plain", "--set", f"model.url={server.url}"]
        assert run(capsys, "search", episodes, tmp_path / "bags", *words)[0] == 0
        asked = [json.dumps(body) for _, body in server.requests]
    tiny = prompt("tiny_picture").text
    assert tiny in asked[0]
    assert [tiny in each for each in asked].count(True) == 1
    assert len(asked) > 2


@pytest.mark.needs("openai")
def test_who_shows_no_pictures_sends_no_tiny_one(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with BlindServer(Step(completion("Glass."))) as server:
        status, _ = run(capsys, "open-eqa", unseen, tmp_path / "bags", *BLIND, "--set", f"model.url={server.url}")
        assert len(server.requests) == 5
    assert status == 0
    assert answers(tmp_path / "bags") == ["Glass."] * 5


@pytest.mark.needs("openai")
def test_the_other_models_of_a_setup_are_looked_for_too_and_who_can_wait_is_told(tmp_path: Path) -> None:
    with BlindServer(Step(completion("Glass."))) as server:
        url = server.url
        group = ModelSettings(url=url, retries=0, timeout=2.0)
        settings = Settings(model=group, agent=AgentSettings(model="openai:reads"))
        rehearse_models({Need.MODEL}, settings)
        assert not server.requests
        with pytest.raises(ModelError, match="'reads' takes no pictures"):
            rehearse_models({Need.MODEL, Need.PERCEPTION}, settings)
    told: list[str] = []
    rehearse_models({Need.MODEL, Need.PERCEPTION}, settings, told.append)
    assert len(told) == 1
    assert "no server is at model.url for model 'openai:reads'" in told[0]
    with pytest.raises(NoServerError, match="'openai:reads'"):
        rehearse_models({Need.MODEL}, settings)
