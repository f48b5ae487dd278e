"""What ``vantage score`` and ``vantage report`` say of the golden bags, and every message that these hold."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from archives import unpack

from golden_texts.holding import GOLDEN
from golden_texts.plain_messages import plain
from vantage.cli.main import main
from vantage.errors import RecordingError
from vantage.recording.bags import find_bags, read_bag
from vantage.reports.scoring import runs_of

ARCHIVES = GOLDEN / "bags"
OLDER = Path(__file__).resolve().parents[2] / "recording" / "golden" / "noisyeqa.tar.gz"  # without checksums
_MARKED = ("bag", "judge_score", "judge_reason", "success", "noise_detected", "noise_corrected", "false_alarm")
_RUN = ("benchmark", "agent", "perception", "model")
_OF_MARKS = ("success", "judge_score", "c", "spl", "detection_rate", "correction_rate", "false_alarm_rate")
_READ_ALOUD = ("alt", "aria-label", "title")  # attributes that hold text for people


def groups() -> list[str]:
    """The names of all groups of bags."""
    return [*sorted(path.name.removesuffix(".tar.xz") for path in ARCHIVES.glob("*.tar.xz")), "older"]


def unpacked(group: str, scratch: Path) -> Path:
    """The folder of a group's bags."""
    folder = scratch / group
    path = OLDER if group == "older" else ARCHIVES / f"{group}.tar.xz"
    unpack(path, folder)
    return folder


def texts(group: str, scratch: Path) -> dict[str, str]:
    """Scores as JSON and as printed, NoisyEQA's tables, the text of the report, and the messages of a group."""
    folder = unpacked(group, scratch)
    page = scratch / f"{group}.html"
    found = {
        "score.json": json.dumps(json.loads(_said("score", folder, "--json")), indent=1) + "\n",
        "score.txt": _said("score", folder),
    }
    if "noisyeqa" in json.loads(found["score.json"]):
        found["score.md"] = _said("score", folder, "--markdown")
    _said("report", folder, "--out", page)
    found["report.txt"] = text_of(page.read_text(encoding="utf-8"))
    found["messages.txt"] = messages(folder)
    return {name: text.replace(str(folder), "BAGS") for name, text in found.items()}


def judged(scores: str) -> dict[str, Any]:
    """What the judge decided of the episodes in a ``score.json``, and the figures that follow from that."""
    document = json.loads(scores)
    return {
        "versions": sorted({episode["judge_version"] for episode in document["episodes"]}),
        "marks": [{key: episode[key] for key in _MARKED} for episode in document["episodes"]],
        "figures": [
            {**{key: group[key] for key in _RUN}, **{key: group["figures"][key]["value"] for key in _OF_MARKS}}
            for group in document["groups"]
        ],
    }


def messages(folder: Path) -> str:
    """A line for each topic of each complete bag: how many messages, and a hash of all that they say."""
    lines = []
    for run in runs_of(folder):
        for bag in find_bags(run)[0]:
            digests: dict[str, Any] = {}
            counts: dict[str, int] = {}
            with contextlib.suppress(RecordingError):  # what is damaged is named by the scores
                for topic, stamp, message in read_bag(bag):
                    said = f"{stamp} {plain(message)}\n"
                    digests.setdefault(topic.name, hashlib.sha256()).update(said.encode())
                    counts[topic.name] = counts.get(topic.name, 0) + 1
            where = bag.relative_to(folder).as_posix()
            lines += [f"{where} {name} {counts[name]} {digests[name].hexdigest()[:16]}" for name in sorted(digests)]
    return "\n".join(lines) + "\n"


def text_of(page: str) -> str:
    """The text of a page, one line for each piece; styles, scripts and pictures are left out."""
    reader = _Text()
    reader.feed(page)
    return "\n".join(reader.lines) + "\n"


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("style", "script"):
            self._hidden += 1
        self.lines += [f"[{name}] {value}" for name, value in attrs if name in _READ_ALOUD and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("style", "script"):
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text and not self._hidden:
            self.lines.append(text)


def _said(*words: object) -> str:
    """What a command prints to stdout, whatever its exit status: incomplete bags make it 1."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main([str(word) for word in words])
    return out.getvalue()
