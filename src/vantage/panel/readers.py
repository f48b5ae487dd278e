"""The replies of the readers of a panel: one file for each, written whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from vantage.errors import FormatError, UsageError
from vantage.files import MOST_JSON, read_json, read_text, unreadable, write_whole
from vantage.panel.panel_folder import READERS, Panel, read_as
from vantage.wording import shown

PERSON, MODEL = "person", "model"
_SCHEMA = "vantage.panel-reader/1"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True)
class Reader:
    """What one reader replied.

    Attributes:
        panel: name of the panel.
        reader: name, which is that of the file too.
        kind: ``PERSON`` or ``MODEL``.
        model: which model it is; empty for a person.
        replies: by number of the frame, as far as it was asked; None for a reply that could not be used.
    """

    schema: str
    panel: str
    reader: str
    kind: str
    model: str
    replies: dict[int, str | None]

    @property
    def who(self) -> str:
        """Name and kind, for people."""
        return f"{self.reader} ({self.model if self.kind == MODEL else PERSON})"


def new_reader(panel: Panel, name: str, kind: str, model: str, replies: Mapping[int, str | None]) -> Reader:
    """A reader of a panel."""
    return Reader(_SCHEMA, panel.name, name, kind, model if kind == MODEL else "", dict(replies))


def reader_name(model: str) -> str:
    """The name of a reader for ``NAME:WHICH``, as that of a file."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip("-._")[:64] or MODEL


def reader_path(panel: Panel, name: str) -> Path:
    """Where the replies of a reader belong.

    Raises:
        UsageError: the name cannot be that of a file, or the reader has answered.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"a reader cannot be called {shown(name)}; use up to 64 letters, digits, '.', '_' and '-'")
    path = panel.folder / READERS / f"{name}.json"
    if path.exists():
        raise UsageError(f"reader '{name}' has answered this panel; give another name, or remove {path}")
    return path


def write_reader(path: Path, reader: Reader) -> None:
    """
    Raises:
        OSError: it cannot be written.
    """
    values: dict[str, Any] = asdict(reader)
    values["replies"] = {str(number): reply for number, reply in sorted(reader.replies.items())}
    write_whole(path, json.dumps(values, indent=1) + "\n")


def read_reader(path: Path, panel: Panel) -> Reader:
    """
    Raises:
        FormatError: it cannot be read, is of another panel, or holds replies that were not offered.
    """
    reader = read_as(path, Reader)
    if reader.schema != _SCHEMA or reader.panel != panel.name:
        raise FormatError(f"{path} answers another panel; remove it")
    if reader.kind not in (PERSON, MODEL):
        raise FormatError(f"{path} is of kind {shown(reader.kind)}, neither {PERSON} nor {MODEL}; correct it")
    _check_offered(panel, reader.replies, str(path))
    return reader


def read_readers(panel: Panel) -> list[Reader]:
    """All readers that have answered, by name.

    Raises:
        FormatError: a file cannot be used, or two are of one reader.
    """
    folder = panel.folder / READERS
    paths = sorted(path for path in folder.glob("*.json") if not path.name.startswith(".")) if folder.is_dir() else []
    readers = [read_reader(path, panel) for path in paths]
    names = [reader.reader for reader in readers]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FormatError(f"{folder} holds two files of reader '{twice}'; keep one")
    return readers


def take_replies(panel: Panel, path: str | Path, name: str, kind: str, model: str = "") -> Reader:
    """Take in replies that were written by hand, and keep them beside the panel.

    The file is CSV with the columns number and reply, or a JSON object of replies by number. Case does not matter.

    Args:
        model: which one it is; the reader's name where it is not said.

    Raises:
        UsageError: the reader has answered before.
        FormatError: the file cannot be read, names a frame twice, or holds a reply that was not offered.
    """
    kept = reader_path(panel, name)
    said = _json_replies(Path(path)) if str(path).endswith(".json") else _csv_replies(Path(path))
    if not said:
        raise FormatError(f"{path} holds no reply; give lines of number and reply")
    numbers = [number for number, _ in said]
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if twice is not None:
        raise FormatError(f"{path} replies to frame {twice} twice; keep one reply")
    offered = {frame.number: {reply.lower(): reply for reply in frame.replies} for frame in panel.asked}
    replies = {number: offered.get(number, {}).get(reply.strip().lower(), reply) for number, reply in said}
    _check_offered(panel, replies, str(path))
    reader = new_reader(panel, name, kind, model or name, replies)
    write_reader(kept, reader)
    return reader


def _check_offered(panel: Panel, replies: Mapping[int, str | None], where: str) -> None:
    offered = {frame.number: frame.replies for frame in panel.asked}
    for number, reply in replies.items():
        if number not in offered:
            raise FormatError(f"{where} replies to frame {number}; the panel has frames 1 to {len(offered)}")
        if reply is not None and reply not in offered[number]:
            known = ", ".join(offered[number])
            raise FormatError(f"{where}: {shown(reply)} was not offered for frame {number}; give one of {known}")


def _json_replies(path: Path) -> list[tuple[int, str]]:
    values = read_json(path)
    if not isinstance(values, dict) or not all(key.isdecimal() and isinstance(values[key], str) for key in values):
        raise FormatError(f'{path} is no object of replies by number; write one such as {{"1": "mug"}}')
    return [(int(key), reply) for key, reply in values.items()]


def _csv_replies(path: Path) -> list[tuple[int, str]]:
    try:
        rows = [row for row in csv.reader(io.StringIO(read_text(path, MOST_JSON))) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"cannot read {path}: {unreadable(error)}") from error
    rows = rows[1:] if rows and rows[0][0].strip().lower() == "number" else rows
    for row in rows:
        if len(row) != 2 or not row[0].strip().isdecimal():
            raise FormatError(f"{path}: {shown(','.join(row))} is no number and reply; write lines such as 1,mug")
    return [(int(row[0]), row[1]) for row in rows]
