"""Bags full of hostile text: what is scored, reported and drawn of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from gold_bags import CODEC, NOISY, GoldListener, Telling, gold
from hostile import ESCAPES, HALVES, HOSTILE, KINDS, LONG, assert_tame
from open_field import START, OpenFieldWorld, make_episode

from vantage.cli.main import main
from vantage.errors import RecordingError
from vantage.recording.bags import BagWriter
from vantage.recording.markers import correction_markers
from vantage.recording.publishers import PlannerPublisher, QaPublisher, WorldPublisher
from vantage.reports.report import write_report
from vantage.runs.episode import EpisodeRunner
from vantage.types import Answer, NoiseReport, NoiseType, Question, Truth, Verdict


class Parsed(HTMLParser):
    """Tags of a page, attributes that would do or load something, and the texts between them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.active: list[tuple[str, str | None]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for key, value in attrs:
            loads = key in ("src", "href", "xlink:href") and not (value or "").startswith(("#", "data:image/jpeg;"))
            if key.startswith("on") or loads:
                self.active.append((key, value))

    handle_startendtag = handle_starttag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def record(folder: Path, name: str, text: str, truth: Truth | None) -> Path:
    """A bag in which every text that a stranger can set is ``text``."""
    noise = NoiseReport(NoiseType.COLOR, text, text, text, 0.5, text)
    agent = Telling(["yaw-"], Answer(text, text, Verdict.CORRECTED, 0.9, noise, perception=text, model=text))
    agent.name, agent.perception = text, text
    episode = replace(
        make_episode(name, start=START),
        episode_id=text,
        benchmark=text,
        scene=text,
        questions=(Question(text, text),),
    )
    with BagWriter(folder, name) as bag:
        publishers = [
            GoldListener(bag, truth, lambda _: {1: 1.0}),
            PlannerPublisher(CODEC, bag.write),
            WorldPublisher(CODEC, bag.write, lambda topic: not topic.optional),
            QaPublisher(CODEC, bag.write),
        ]
        EpisodeRunner(OpenFieldWorld(), agent, publishers).run(episode, 0)
        return bag.finish(text)


def false(text: str) -> Truth:
    """Gold data of a false question, with the same text everywhere."""
    said = {"question_id": text, "kind": text, "answer": text, "accepted": (text,)}
    return gold(replace(NOISY, **said, false_claim=text, correction=text, corrected_question=text), None)


@pytest.fixture(scope="module")
def bags(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each kind of text by itself and all of them together, scored, and one that cannot be."""
    folder = tmp_path_factory.mktemp("hostile") / "bags"
    for number, text in enumerate([*KINDS.values(), HOSTILE]):
        record(folder, f"bag-{number}", text, false(text))
    record(folder, "no-gold", HOSTILE, None)
    return folder


def test_scores_of_hostile_bags_are_tame_and_complete_in_json(bags: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(bags)]) == 1
    printed = capsys.readouterr()
    assert_tame(printed.out)
    assert_tame(printed.err)
    assert "not scored, because incomplete (1)" in printed.out
    assert main(["score", str(bags), "--json"]) == 1
    [line] = capsys.readouterr().out.splitlines()
    assert line.isascii()
    assert_tame(line, lines=1, longest=10**9)
    found = json.loads(line)
    assert {HOSTILE, LONG, ESCAPES} <= {episode["answer"] for episode in found["episodes"]}


def test_the_report_of_hostile_bags_shows_and_loads_nothing_of_them(bags: Path, tmp_path: Path) -> None:
    page = write_report(bags, tmp_path / "report.html").read_bytes().decode("utf-8")
    parsed = Parsed()
    parsed.feed(page)
    parsed.close()
    assert "script" not in parsed.tags
    assert parsed.active == []
    for match in re.finditer(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", page):
        pytest.fail(f"{match[0]!r} in {page[max(0, match.start() - 80) : match.end() + 20]!r}")
    assert max(map(len, parsed.texts)) < 10_000, "texts are cut"
    assert "alert(" in "".join(parsed.texts), "it is shown as text"


@pytest.mark.parametrize("name", [*KINDS.values(), "..", ".", "", "a/b", "/tmp/owned", "CON\x00", "-rf", "a" * 101])
def test_a_bag_is_never_written_under_a_hostile_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "bags"
    folder.mkdir()
    with pytest.raises(RecordingError, match="cannot name a bag"):
        BagWriter(folder, name)
    assert [path.name for path in tmp_path.rglob("*")] == ["bags"]


def test_words_in_rviz_are_short_tame_lines() -> None:
    message = correction_markers(CODEC, 1, {3: ((0.0, 0.0, 1.0), (LONG, HALVES))}, [4])
    added, gone = message.markers
    assert_tame(added.text, lines=2, longest=160)
    assert "script" in added.text
    assert r"\ud800" in added.text
    assert (added.id, gone.id, gone.text) == (3, 4, "")
