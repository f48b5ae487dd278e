"""Hostile text over ROS: what ``vantage up`` and ``vantage confirm`` print of it, and what RViz is given."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from camera_stream import CameraStream
from hostile import KINDS, LONG, assert_tame
from imported_questions import unseen_set
from ros_fixtures import context_on, eventually, new_domain, spinning

from vantage.cli.main import main
from vantage.nodes.qa.correction_messages import CorrectionPublisher, correction_message
from vantage.nodes.qa.pending_corrections import Correction as Waiting
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.nodes.runtime.topics import advertise
from vantage.recording.to_messages import Codec
from vantage.recording.topics import CORRECTION, SEARCH_MARKERS
from vantage.runs.confirmation import Ruling
from vantage.types import Answer, NoiseReport, NoiseType, Question, Verdict

pytestmark = pytest.mark.real_time

ASKED = [text for name, text in KINDS.items() if name not in ("halves", "nul", "long")]  # NUL ends a text in ROS


def waiting(text: str) -> Waiting:
    """A correction in which every text is hostile."""
    noise = NoiseReport(NoiseType.COLOR, text, text, text, 0.9, text)
    answer = Answer(text, text, Verdict.NEEDS_CONFIRMATION, 0.9, noise)
    now = time.monotonic()
    return Waiting(text, Question(text, text), answer, text, now + 300.0, now)


def test_the_graph_tells_hostile_questions_one_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))
    folder = unseen_set(tmp_path, len(ASKED))
    records = [json.loads(line) for line in (folder / "episodes.jsonl").read_text().splitlines()]
    for record, text in zip(records, ASKED, strict=True):
        record["questions"][0]["text"] = text
    (folder / "episodes.jsonl").write_text("\n".join(map(json.dumps, records)))
    described = json.loads((folder / "set.json").read_text())
    (folder / "set.json").write_text(json.dumps({**described, "content_hash": ""}))  # it was changed on purpose
    words = ("up", "--world", "none", "--agent", "blind", "--episodes", str(folder), "--out", str(tmp_path / "bags"))
    assert main(words) == 0
    printed = capsys.readouterr()
    assert_tame(printed.out, lines=1)
    assert_tame(printed.err)
    told = [line for line in printed.err.splitlines() if line.startswith("[")]
    assert len(told) == len(ASKED)
    assert r"\x1b[2J" in printed.err
    assert not any(line.startswith("vantage: all is well") for line in printed.err.splitlines())


def test_a_person_is_asked_about_a_hostile_correction_in_tame_lines() -> None:
    text = LONG.replace("\0", "")
    domain = new_domain()
    environ = {**os.environ, "ROS_DOMAIN_ID": str(domain)}
    command = [sys.executable, "-m", "vantage.cli.main", "confirm", "--show", "--wait", "60"]
    with context_on(domain) as context:
        speaker = CameraStream(context)
        topic = advertise(speaker, CORRECTION, depth=100)
        message = correction_message(Codec(RclpyFactory()), 1, waiting(text), Ruling.OPEN)
        speaker.create_timer(0.3, lambda: topic.publish(message))  # said again and again, as nodes do
        with spinning(context, speaker):
            shown = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=120.0, check=False)
            exact = subprocess.run(
                [*command, "--json"], env=environ, capture_output=True, text=True, timeout=120.0, check=False
            )
    assert shown.returncode == exact.returncode == 0, shown.stderr + exact.stderr
    for told in (shown.stderr, exact.stderr):
        assert_tame(told, lines=2)
        assert told.startswith("question ")
    assert_tame(shown.stdout, lines=1)
    [row] = json.loads(exact.stdout)["corrections"]
    assert exact.stdout.isascii()
    assert (row["question"], row["question_id"]) == (text, text)


def test_words_over_objects_in_rviz_are_tame() -> None:
    with context_on() as context:
        node, listener = CameraStream(context), CameraStream(context)
        codec = Codec(RclpyFactory())
        with spinning(context, node, listener):
            teller = CorrectionPublisher(node, codec, lambda *_: None, lambda item: (1.0, 2.0, 3.0))
            eventually(lambda: node.count_subscribers("search/markers"))
            teller.tell(waiting(LONG.replace("\0", "")), Ruling.OPEN)
            eventually(lambda: listener.heard[SEARCH_MARKERS])
            [marker] = listener.heard[SEARCH_MARKERS][-1].markers
            assert_tame(marker.text, lines=2, longest=160)
            assert (marker.pose.position.x, marker.pose.position.y) == (1.0, 2.0)
