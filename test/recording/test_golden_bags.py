"""Bags recorded once stay readable, and score as they did, whatever becomes of the program.

``golden/noisyeqa.tar.gz`` holds a noisy question and its clean twin, as ``vantage run noisyeqa --agent search``
recorded them in pictures of 96 x 72; ``golden/noisyeqa.json`` holds what ``vantage score --json`` made of them then.
Neither is ever made again: what no longer fits them breaks the recordings that people have.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from archives import unpack

from vantage.cli.main import main
from vantage.recording.bags import decode_pixels, read_bag
from vantage.recording.recordings import read_recording
from vantage.recording.topics import IMAGE_COMPRESSED, RECORDING_SUMMARY, absolute
from vantage.reports.report import write_report
from vantage.types import NoiseType, Verdict

GOLDEN = Path(__file__).parent / "golden"
CLEAN, NOISY = "home_14000-01-clean", "home_14000-01-noisy"


@pytest.fixture(scope="module")
def bags(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden")
    unpack(GOLDEN / "noisyeqa.tar.gz", folder)
    return folder


def test_they_score_as_they_did(bags: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(bags), "--json"]) == 0
    now = {episode["episode_id"]: episode for episode in json.loads(capsys.readouterr().out)["episodes"]}
    before = json.loads((GOLDEN / "noisyeqa.json").read_text(encoding="utf-8"))
    assert sorted(now) == [episode["episode_id"] for episode in before] == [CLEAN, NOISY]
    for episode in before:
        assert {key: now[episode["episode_id"]].get(key) for key in episode} == pytest.approx(episode, abs=1e-9)


@pytest.mark.parametrize("name", [CLEAN, NOISY])
def test_every_message_is_read(bags: Path, name: str) -> None:
    counts: dict[str, int] = {}
    for topic, _, message in read_bag(bags / name):
        counts[absolute(topic.name)] = counts.get(absolute(topic.name), 0) + 1
        if topic is IMAGE_COMPRESSED:
            assert decode_pixels(message).shape == (72, 96, 3)
    recording = read_recording(bags / name)
    assert not recording.shortfall()
    assert counts.pop(absolute(RECORDING_SUMMARY.name)) == 1
    assert {key: count for key, count in recording.counts.items() if count} == counts


def test_what_was_said_is_read(bags: Path) -> None:
    noisy, clean = read_recording(bags / NOISY), read_recording(bags / CLEAN)
    (corrected,), (answered,) = noisy.answers, clean.answers
    assert (corrected.verdict, answered.verdict) == (Verdict.CORRECTED, Verdict.ANSWERED)
    assert corrected.noise.noise_type is NoiseType.COLOR
    assert (corrected.noise.false_claim, corrected.noise.correction) == ("the cabinet is pink", "the cabinet is gray")
    assert answered.noise.noise_type is NoiseType.NONE
    assert noisy.truth is not None
    assert noisy.truth.questions[0].corrected_question == "I think the gray cabinet is open, is that right?"


def test_a_report_is_made_of_them(bags: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    write_report(bags, page)
    text = page.read_text(encoding="utf-8")
    assert "I think the pink cabinet is open, is that right?" in text
