"""``vantage run`` with a model that answers: the real tiny one, over a small search set."""

import json

import pytest
from small_search import FEW, small_search_set
from tiny_vlm import tiny_vlm  # noqa: F401

from vantage.answering.vlm.model_answering import prompt_version
from vantage.cli.main import main
from vantage.recording.call_files import read_calls
from vantage.recording.recordings import read_recording


@pytest.fixture(scope="module")
def episodes(tmp_path_factory):
    """Two questions of six steps."""
    return small_search_set(tmp_path_factory, FEW, max_steps=6)


@pytest.mark.parametrize(("agent", "mode"), [("vlm", "plain"), ("static", "nap"), ("vlm", "nacot")])
def test_a_set_is_run_recorded_and_scored(episodes, tiny_vlm, tmp_path, capsys, agent, mode):  # noqa: F811
    words = ["--agent", agent, "--model", f"transformers:{tiny_vlm}", "--mode", mode, "--perception", "privileged"]
    out = str(tmp_path / "bags")
    limits = ["--set", "model.max_new_tokens=8"]
    assert main(["run", "search", "--episodes", str(episodes), "--out", out, *words, *limits, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["episodes"]
    assert [row["state"] for row in rows] == ["FINISHED", "FINISHED"]
    for row in rows:
        (answer,) = read_recording(tmp_path / "bags" / row["episode_id"]).answers
        assert answer.model.endswith(f"/{mode}#{prompt_version(mode)}")
        assert answer.text
        assert 0.0 <= answer.confidence <= 1.0
    assert main(["score", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    scored = told["episodes"]
    assert told["calls"][0]["episodes"] == 2
    assert [item["model"].partition("#")[0].split("/")[-1] for item in scored] == [mode, mode]
    for row in rows:
        calls = read_calls(tmp_path / "bags" / row["episode_id"])
        assert calls
        assert all(call["prompt"] and call["pictures"] and call["seconds"] >= 0.0 for call in calls)
        assert [call["step"] for call in calls] == sorted(call["step"] for call in calls)
    assert main(["score", out]) == 0
    assert "calls to models" in capsys.readouterr().out


@pytest.mark.needs("models")
def test_a_folder_that_holds_no_model_fails_with_one_sentence(episodes, tmp_path, capsys):
    words = ["--agent", "vlm", "--model", f"transformers:{tmp_path}", "--out", str(tmp_path / "bags")]
    status = main(["run", "search", "--episodes", str(episodes), *words])
    captured = capsys.readouterr()
    assert status == 1
    assert str(tmp_path) in captured.out + captured.err
