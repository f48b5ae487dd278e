"""Real parts over a set: print read by OCR, a small vision-language model, and a llama.cpp server; plumbing mostly, for
what models so small say is worth nothing.
"""

from __future__ import annotations

import json
import re
import time
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from faulty_server import Step
from guide import Guide
from llama_server import llama_url  # noqa: F401
from scripted_server import Asked, ScriptedServer
from small_e3vs import make_small, one_of_each_pair, part_of
from tiny_vlm import tiny_vlm  # noqa: F401

from vantage.benchmarks.labelling.needed_visibility import needs_of
from vantage.benchmarks.sets.episodes_io import load_set, load_truths, save_set
from vantage.cli.main import main
from vantage.perception.perceivers.ocr import OcrReader
from vantage.recording.recordings import Recording, read_recording
from vantage.types import Truth, Verdict

LEGIBLE = ("--set", "camera.width=512", "--set", "camera.height=512")  # as sets of the usual size have it
STEPS = 2


def run(folder: Path, out: Path, *words: str) -> int:
    return main(["run", "e3vs", "--episodes", str(folder), "--out", str(out), *words])


def only(out: Path) -> Recording:
    """The recording of a run of one episode."""
    [bag] = out.iterdir()
    return read_recording(bag)


def scored(capsys: pytest.CaptureFixture[str], out: Path, *words: str) -> dict[str, Any]:
    capsys.readouterr()
    main(["score", str(out), *words, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture(scope="module")
def short(e3vs_splits: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One question that allows few actions."""
    test = e3vs_splits / "test"
    folder = part_of(test, tmp_path_factory.mktemp("sets") / "short", one_of_each_pair(test)[1:2])
    whole = load_set(folder)
    truths = load_truths(folder, whole.episodes)
    fewer = [replace(episode, max_steps=STEPS) for episode in whole.episodes]
    return save_set(folder, whole.info, fewer, list(truths.values())).folder


# Print --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Truth]:
    """A set of one question that is answered only by who reads print, and its gold data; OCR reads this one."""
    made = tmp_path_factory.mktemp("sets") / "of-another-home"  # the home of the other tests asks for no print
    make_small(made, seed=15)
    train = made / "test"
    truths = load_truths(train, load_set(train).episodes)
    reads = [truth for truth in truths.values() if needs_of(truth.questions[0]).print]
    folder = tmp_path_factory.mktemp("sets") / "printed"
    return part_of(train, folder, [reads[0].episode_id]), reads[0]


@pytest.mark.needs("ocr")
def test_print_that_a_question_turns_on_is_read_where_it_can_be_seen(
    printed: tuple[Path, Truth], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, truth = printed
    words = ("--agent", "search", "--start", "goal", *LEGIBLE)
    assert run(folder, tmp_path / "read", *words) == 0
    assert only(tmp_path / "read").answers[0].text == truth.questions[0].answer
    [setup] = scored(capsys, tmp_path / "read")["e3vs"]["setups"]
    assert setup["categories"]["all"]["mark"]["value"] == 5.0
    monkeypatch.setattr(OcrReader, "lines_in", lambda self, picture: [])
    assert run(folder, tmp_path / "unread", *words) == 0
    [setup] = scored(capsys, tmp_path / "unread")["e3vs"]["setups"]
    assert setup["categories"]["all"]["mark"]["value"] == 1.0


@pytest.mark.needs("ocr", "openai")
def test_a_pilot_is_told_print_that_was_read_as_a_quotation(printed: tuple[Path, Truth], tmp_path: Path) -> None:
    folder, truth = printed
    [word] = needs_of(truth.questions[0]).words or {truth.questions[0].answer}
    with ScriptedServer(Guide(folder)) as server:
        model = ("--model", "openai:guide", "--set", f"model.url={server.url}")
        words = ("--agent", "pilot_map", "--perception", "ocr", "--start", "goal")
        assert run(folder, tmp_path / "bags", *words, *model, *LEGIBLE) == 0
        [asked] = server.asked
    assert f'on which "{word}" is printed' in asked.text


# A model that sees ---------------------------------------------------------------------------------------------------


@pytest.mark.needs("models")
def test_a_small_vision_language_model_steers_within_its_budget_and_judges_the_last_look(
    short: Path,
    tiny_vlm: Path,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    small = ("--set", "model.max_new_tokens=16", "--set", "model.device=cpu")
    agents = ("--agent", "pilot,vqa,crop", "--set", "control.retries=0")
    assert run(short, tmp_path, *agents, "--model", f"transformers:{tiny_vlm}", *small) == 0
    for agent in ("pilot", "vqa", "crop"):
        recording = only(tmp_path / f"{agent}-nacot")
        [answer] = recording.answers
        assert answer.verdict is not Verdict.NEEDS_MODEL, answer.text
        assert len(recording.motions) == (STEPS if agent == "pilot" else 0)
        faults, _, defaults = answer.noise.explanation.partition("; chosen for the model ")
        replies = {"pilot": STEPS + 1, "vqa": 0, "crop": 1}[agent]
        assert sum(map(int, re.findall(r"\d+", faults))) == replies, "it was trained to say a color"
        assert defaults == (f"{replies} times." if replies else "")
    judge = ("--judge", f"model:transformers:{tiny_vlm}", "--set", "judge.retries=1", *small)
    told = scored(capsys, tmp_path, *judge)
    marked = [each["judge_score"] for each in told["episodes"]]
    reasons = [each["reason"] for each in told["incomplete"]]
    assert len(marked) + len(reasons) == 3
    assert all(1 <= mark <= 5 for mark in marked)
    assert all("mark" in reason and "\n" not in reason for reason in reasons)


# A llama.cpp server --------------------------------------------------------------------------------------------------


@pytest.mark.needs("openai", "llama")
def test_a_server_whose_model_sees_nothing_is_refused_before_anything_runs_and_may_guess(
    short: Path,
    llama_url: str,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--model", "openai:smollm2", "--set", f"model.url={llama_url}", "--set", "model.max_new_tokens=20")
    assert run(short, tmp_path / "bags", "--agent", "pilot", *words) == 1
    told = capsys.readouterr().err.strip()
    assert "model 'smollm2' takes no pictures" in told
    assert len(told.splitlines()) == 1
    assert not any((tmp_path / "bags").glob("*"))
    assert run(short, tmp_path / "blind", "--agent", "blind", *words) == 0
    [answer] = only(tmp_path / "blind").answers
    assert answer.verdict is Verdict.ANSWERED
    assert answer.text


@pytest.mark.real_time
@pytest.mark.needs("openai", "llama")
def test_a_llama_cpp_server_steers_in_bounded_time(short: Path, llama_url: str, tmp_path: Path) -> None:  # noqa: F811
    """Its model has no eyes: what stands between takes the pictures out of each request."""

    def without_pictures(asked: Asked) -> Step:
        messages = [
            {"role": message["role"], "content": asked.text if message["role"] == "user" else message["content"]}
            for message in asked.body["messages"]
        ]
        body = json.dumps({**asked.body, "messages": messages}).encode()
        request = urllib.request.Request(f"{llama_url}/chat/completions", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=100.0) as reply:
            return Step(reply.read())

    began = time.monotonic()
    with ScriptedServer(without_pictures) as server:
        model = ("--model", "openai:smollm2", "--set", f"model.url={server.url}", "--set", "model.timeout=100")
        bounds = ("--set", "model.max_new_tokens=40", "--set", "control.retries=0", "--set", "model.retries=0")
        assert run(short, tmp_path / "bags", "--agent", "pilot", *model, *bounds) == 0
        calls = len(server.asked)
    assert time.monotonic() - began < 100.0 * (STEPS + 2)
    recording = only(tmp_path / "bags")
    [answer] = recording.answers
    assert answer.verdict is not Verdict.NEEDS_MODEL, answer.text
    assert len(recording.motions) <= STEPS
    assert calls == len(recording.motions) + 1
    assert answer.model.startswith("smollm2/pilot#")
