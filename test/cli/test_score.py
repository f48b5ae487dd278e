"""``vantage score`` with a model as judge, over real HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from faulty_server import BlindServer, Step, completion
from noisy_bags import CLEAN, CORRECTED, NOISY, record_half, told

from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.cli.main import main
from vantage.config import Settings
from vantage.models.model_factory import shared_model
from vantage.registry import JUDGES
from vantage.types import Verdict


class Marker(BaseHTTPRequestHandler):
    """An OpenAI-compatible server that gives 4 to corrected answers, two marks to wrong ones, and 5 to all others."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = json.dumps(body["messages"]).partition("<machine>")[2].partition("</machine>")[0]
        mark = "Your mark: **4**/5" if "corrected" in said else "2 or 3" if "in the box" in said else "Your mark: 5."
        message = {"role": "assistant", "content": mark}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
        reply = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Marker)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def bags(tmp_path: Path) -> Path:
    right = told("The ball is red, not green. Answer: on the table.", 0.9, Verdict.CORRECTED, CORRECTED)
    record_half(tmp_path / "bags", "s1-01", NOISY, right, 2)
    record_half(tmp_path / "bags", "s1-01", CLEAN, told("on the table", 0.9), 1)
    record_half(tmp_path / "bags", "s2-01", NOISY, told("in the box", 0.4), 1)
    return tmp_path / "bags"


@pytest.mark.needs("openai")
def test_a_model_served_over_http_marks_bags(
    bags: Path, server: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    words = ["score", str(bags), "--judge", "model:openai:m", "--set", f"model.url={server}", "--json"]
    assert main(words) == 1, "one recording got no mark"
    document = json.loads(capsys.readouterr().out)
    marks = {episode["episode_id"]: episode["judge_score"] for episode in document["episodes"]}
    assert marks == {"s1-01-noisy": 4.0, "s1-01-clean": 5.0}
    (left,) = document["incomplete"]
    assert left["episode_id"] == "s2-01-noisy"
    assert "several marks (2 and 3)" in left["reason"]
    assert all(episode["judge"].startswith("model:") for episode in document["episodes"])


@pytest.mark.needs("openai")
def test_a_server_that_is_not_there_leaves_episodes_without_a_mark(
    bags: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    dead = ["--set", "model.url=http://127.0.0.1:9/v1", "--set", "model.timeout=1", "--set", "model.retries=0"]
    assert main(["score", str(bags), "--judge", "model:openai:m", *dead, "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["episodes"] == []
    assert len(document["incomplete"]) == 3
    assert all("no mark" in each["reason"] for each in document["incomplete"])


def test_wrong_judges_are_refused_in_words(bags: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for judge, said in (
        ("rulez", "did you mean 'rules'"),
        ("model", "model:openai:NAME"),
        ("model:nobody:x", "openai"),
    ):
        assert main(["score", str(bags), "--judge", judge]) == 2
        assert said in capsys.readouterr().err


class LookingJudge:
    """Shows a model the frames of the case."""

    name, version = "looking", "1"

    def __init__(self, which: str, settings: Settings) -> None:
        self._model = shared_model(which, settings.model)

    def rehearse(self) -> None:
        self._model.rehearse(pictures=True)

    def judge(self, case: Case) -> Judgement:
        return Judgement(5, self._model.chat("Is it right?", case.frames()))


@pytest.mark.needs("openai")
def test_a_judge_that_shows_frames_to_a_model_without_eyes_marks_nothing(
    bags: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(JUDGES._entries, "model", LookingJudge)
    with BlindServer(Step(completion("Yes."))) as server:
        words = ["score", str(bags), "--judge", "model:openai:eyes", "--set", f"model.url={server.url}"]
        assert main(words) == 1
        assert len(server.requests) == 3, "several pictures, one, and none"
    told = capsys.readouterr()
    assert not told.out
    assert told.err.count("\n") == 1
    assert "model 'eyes' takes no pictures" in told.err
