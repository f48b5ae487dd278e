"""``calls.jsonl`` in the folder of a bag: the calls to models of its episode, one JSON object a line.

They are beside the recording and not in it, for a call has no time on the world's clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from vantage.bounded_json import bounded_json
from vantage.errors import FormatError, RecordingError
from vantage.files import cannot_write, read_text, write_whole

_MOST_BYTES = 256 << 20
_NAME = "calls.jsonl"


def calls_beside(bag: str | Path) -> Path:
    """The file of calls in the folder of a bag."""
    return Path(bag) / _NAME


def write_calls(bag: str | Path, calls: Iterable[Mapping[str, Any]]) -> None:
    """Write the calls of an episode whole; no file where there were none.

    Raises:
        RecordingError: the disk does not take them.
    """
    path, lines = calls_beside(bag), [json.dumps(call, ensure_ascii=False, sort_keys=True) for call in calls]
    try:
        if lines:
            write_whole(path, "\n".join(lines) + "\n", 0o600)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise RecordingError(cannot_write(path, error, "choose another output folder")) from error


def read_calls(bag: str | Path) -> list[dict[str, Any]]:
    """The calls of the episode of a bag; none where nothing was noted.

    Raises:
        FormatError: the file is damaged; the message names the line.
    """
    path = calls_beside(bag)
    if not path.is_file():
        return []
    found = []
    try:
        lines = read_text(path, _MOST_BYTES).removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} cannot be read: {error}; remove the file, or run the episode anew") from error
    for number, line in enumerate(lines, 1):
        try:
            call = bounded_json(line)
        except ValueError as error:
            raise FormatError(f"{path}, line {number}: {error}; remove the file, or run the episode anew") from error
        if not isinstance(call, dict):
            raise FormatError(f"{path}, line {number}: is no JSON object; remove the file, or run the episode anew")
        found.append(call)
    return found
