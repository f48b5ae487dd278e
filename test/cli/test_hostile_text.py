"""Hostile text on the way through the command line: shown escaped, and exact in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hostile import ESCAPES, HOSTILE, KINDS, assert_tame
from imported_questions import unseen_set

from vantage.cli.main import main
from vantage.errors import EpisodeError
from vantage.planning.agents.single_view_agents import BlindAgent
from vantage.registry import AGENTS
from vantage.types import Answer, Episode, Observation, StepResult, Verdict
from vantage.worlds.protocol import WorldInfo

ASKED = [text for name, text in KINDS.items() if name != "halves"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions without scenes, of every kind of hostile text that a set may hold."""
    folder = unseen_set(tmp_path_factory.mktemp("hostile"), len(ASKED))
    for name, keys in (("episodes.jsonl", ("text",)), ("truth.jsonl", ("answer", "kind"))):
        records = [json.loads(line) for line in (folder / name).read_text().splitlines()]
        for record, text in zip(records, ASKED, strict=True):
            record["questions"][0].update(dict.fromkeys(keys, text))
        (folder / name).write_text("\n".join(map(json.dumps, records)))
    described = json.loads((folder / "set.json").read_text())
    (folder / "set.json").write_text(json.dumps({**described, "content_hash": ""}))  # it was changed on purpose
    return folder


class Mocking(BlindAgent):
    """Answers in the words of the question, or gives up in hostile ones."""

    name = "mocking"

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self._asked = episode.questions[0]

    def act(self, observation: Observation, last: StepResult | None) -> Answer:
        if self._asked.text == ESCAPES:
            raise EpisodeError(HOSTILE)
        return Answer(self._asked.question_id, self._asked.text, Verdict.ANSWERED, 0.5)


def test_a_set_of_hostile_questions_is_shown_one_line_each(hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["episodes", "show", "open-eqa", str(hostile)]) == 0
    printed = capsys.readouterr().out
    assert_tame(printed)
    assert sum(line.startswith("q-") for line in printed.splitlines()) == len(ASKED)
    assert not any(line.startswith("vantage: all is well") for line in printed.splitlines())
    assert main(["episodes", "show", "open-eqa", str(hostile), "--json"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert line.isascii()
    assert [item["questions"][0]["text"] for item in json.loads(line)["episodes"]] == ASKED


def test_a_run_tells_hostile_answers_and_reasons_one_line_each(
    hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(AGENTS._entries, "mocking", Mocking)
    words = ("run", "open-eqa", "--world", "none", "--agent", "mocking", "--episodes", str(hostile))
    assert main([*words, "--out", str(tmp_path / "bags")]) == 1
    printed = capsys.readouterr()
    assert_tame(printed.err, lines=len(ASKED))
    assert all(line.startswith("[") for line in printed.err.splitlines())
    assert r"failed: " in printed.err
    assert r"\x1b[2J" in printed.err
    assert_tame(printed.out, lines=1)
    assert main(["score", str(tmp_path / "bags")]) == 1
    assert_tame(capsys.readouterr().out)
    assert main(["score", str(tmp_path / "bags"), "--json"]) == 1
    [line] = capsys.readouterr().out.splitlines()
    assert line.isascii()
    answers = {episode["answer"] for episode in json.loads(line)["episodes"]}
    assert answers >= {text for text in ASKED if text != ESCAPES}


@pytest.mark.parametrize("text", KINDS.values(), ids=KINDS)
def test_errors_about_hostile_names_are_one_tame_sentence(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["run", text, "--episodes", "x", "--out", "y"],
        ["episodes", "show", "search", text.replace("\0", "")],
        ["score", "x", "--judge", text],
        ["scene", "make", "--out", "x", "--set", f"camera.width={text}"],
        ["scene", "make", "--out", "x", "--set", f"{text}=1"],
        [text],
    ):
        assert main(words) in (1, 2)
        printed = capsys.readouterr()
        assert_tame(printed.err, lines=1)
        assert printed.err.startswith("vantage: ")
        assert printed.out == ""
        assert main([*words, "--json"]) in (1, 2)
        [line] = capsys.readouterr().out.splitlines()
        assert line.isascii()
        assert json.loads(line)["ok"] is False
