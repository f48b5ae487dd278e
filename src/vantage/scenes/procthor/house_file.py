"""Houses in the files of ProcTHOR: JSON, or JSON lines with a house each, also compressed with gzip.

The schema is that of ProcTHOR-10K, version 1.0.0 (Deitke et al. 2022), or 0.0.1 from before.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from vantage.errors import FormatError, SceneError
from vantage.files import MOST_JSON, opened, parse_json, read_json
from vantage.scenes.procthor.house_versions import OLDER, SCHEMA, in_current_form
from vantage.scenes.spec import decoding

MOST_LINES = 100_000  # of a file
_MOST_TIMES = 100  # the size of a packed file that it may have unpacked; JSON does not come near
SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")


def is_house_file(path: str | Path) -> bool:
    """Whether the name is one that files of houses have."""
    return Path(path).name.lower().endswith(SUFFIXES)


def holds_houses(path: str | Path) -> bool:
    """Whether a file is one of houses, and not another JSON file that says of which schema it is.

    Raises:
        FormatError: the file is missing or no JSON.
    """
    source = Path(path)
    if source.suffix.lower() != ".json":
        return is_house_file(source)
    document = read_json(source)
    return not isinstance(document, dict) or "schema" not in document


def read_house(path: str | Path, index: int = 0) -> tuple[Mapping[str, Any], str]:
    """One house of a file, and where it is in words for sentences about it.

    Raises:
        FormatError: the file is missing, empty, cut off or no JSON, or the house is of another schema.
        SceneError: the file has no house of this index.
    """
    source = Path(path)
    where = f"house {index} of {source}"
    found: Any = None
    with _explained(f"a house from {source}"), _opened(source) as file:
        count = 0
        for count, each in enumerate(_houses(file, source), start=1):
            if count == index + 1:
                found = each
                break
    if not 0 <= index < count:
        raise SceneError(f"{source} has no house {index}; it has {count}, counted from 0")
    if isinstance(found, bytes):
        with _explained(where):
            found = parse_json(found.decode(), where)
    house = decoding.mapping(found, where)
    metadata = decoding.mapping(decoding.item(house, "metadata", where), f"'metadata' of {where}")
    version = decoding.text(metadata, "schema", f"'metadata' of {where}")
    if version not in (SCHEMA, *OLDER):
        known = " and ".join((*OLDER, SCHEMA))
        raise FormatError(f"{where} has the schema version '{version[:40]}', this software reads {known}")
    return in_current_form(house), where


def house_count(path: str | Path) -> int:
    """How many houses a file has.

    Raises:
        FormatError: the file is missing, empty, cut off or no JSON.
    """
    source = Path(path)
    with _explained(f"a house from {source}"), _opened(source) as file:
        return sum(1 for _ in _houses(file, source))


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """What goes wrong while something is read becomes one sentence that names it."""
    try:
        yield
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise FormatError(f"cannot read {what}: {error}; get the file anew") from error


@contextmanager
def _opened(source: Path) -> Iterator[BinaryIO | gzip.GzipFile]:
    with opened(source) as raw, ExitStack() as stack:
        packed = source.name.lower().endswith(".gz")
        yield stack.enter_context(_BoundedGzip(raw)) if packed else raw


class _BoundedGzip(gzip.GzipFile):
    """Unpacks to at most ``_MOST_TIMES`` the size of the file, and a house more; then it raises ``ValueError``."""

    def __init__(self, raw: BinaryIO) -> None:
        super().__init__(fileobj=raw)
        self._most = MOST_JSON + _MOST_TIMES * os.fstat(raw.fileno()).st_size

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(size)
        if self.tell() > self._most:
            raise ValueError(f"it unpacks to more than {_MOST_TIMES} times its size")
        return line


def _houses(file: BinaryIO | gzip.GzipFile, source: Path) -> Iterator[Any]:
    """The houses of a file in turn: of JSON lines as bytes that are not decoded yet."""
    if ".jsonl" in source.name.lower():
        empty, lines = True, 0
        while line := file.readline(MOST_JSON + 1):
            _require_size(line, source)
            lines += 1
            if lines > MOST_LINES:
                raise FormatError(f"{source} has more than {MOST_LINES} lines, so it holds no houses; split it")
            if line.strip():
                empty = False
                yield line
        if empty:
            raise FormatError(f"{source} is empty; it should have a house on each line")
        return
    data = file.read(MOST_JSON + 1)
    if not data.strip():
        raise FormatError(f"{source} is empty; it should hold a house")
    _require_size(data, source)
    document = parse_json(data.decode(), str(source))
    if document == []:
        raise FormatError(f"{source} is empty; it should hold a house")
    yield from document if isinstance(document, list) else [document]


def _require_size(data: bytes, source: Path) -> None:
    if len(data) > MOST_JSON:
        raise FormatError(f"a house in {source} has more than {MOST_JSON} bytes, so it is none; check the path")
