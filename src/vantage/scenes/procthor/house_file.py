"""Houses in the files of ProcTHOR: JSON, or JSON lines with a house each, also compressed with gzip.

The schema is that of ProcTHOR-10K, version 1.0.0 (Deitke et al. 2022).
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from vantage.errors import FormatError, SceneError
from vantage.files import MOST_JSON, opened
from vantage.scenes.spec import decoding

SCHEMA = "1.0.0"
SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")


def is_house_file(path: str | Path) -> bool:
    """Whether the name is one that files of houses have."""
    return Path(path).name.lower().endswith(SUFFIXES)


def read_house(path: str | Path, index: int = 0) -> tuple[Mapping[str, Any], str]:
    """One house of a file, and where it is in words for sentences about it.

    Raises:
        FormatError: the file is missing, empty, cut off or no JSON, or the house is of another schema.
        SceneError: the file has no house of this index.
    """
    source = Path(path)
    try:
        document = _read(source, index)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise FormatError(f"cannot read a house from {source}: {error}; get the file anew") from error
    where = f"house {index} of {source}"
    house = decoding.mapping(document, where)
    metadata = decoding.mapping(decoding.item(house, "metadata", where), f"'metadata' of {where}")
    version = decoding.text(metadata, "schema", f"'metadata' of {where}")
    if version != SCHEMA:
        raise FormatError(f"{where} has the schema version '{version[:40]}', this software reads {SCHEMA}")
    return house, where


def _read(source: Path, index: int) -> Any:
    name = source.name.lower()
    with opened(source) as raw, ExitStack() as stack:
        file = stack.enter_context(gzip.GzipFile(fileobj=raw)) if name.endswith(".gz") else raw
        if ".jsonl" in name:
            return _line(file, index, source)
        data = file.read(MOST_JSON + 1)
    _require_size(data, source)
    document = json.loads(data)
    houses = document if isinstance(document, list) else [document]
    if not 0 <= index < len(houses):
        raise _no_such_house(source, index, len(houses))
    return houses[index]


def _line(file: BinaryIO | gzip.GzipFile, index: int, source: Path) -> Any:
    number = 0
    while line := file.readline(MOST_JSON + 1):
        _require_size(line, source)
        if line.strip():
            if number == index:
                return json.loads(line)
            number += 1
    if number == 0:
        raise FormatError(f"{source} is empty; it should have a house on each line")
    raise _no_such_house(source, index, number)


def _require_size(data: bytes, source: Path) -> None:
    if not data.strip():
        raise FormatError(f"{source} is empty; it should hold a house")
    if len(data) > MOST_JSON:
        raise FormatError(f"a house in {source} has more than {MOST_JSON} bytes, so it is none; check the path")


def _no_such_house(source: Path, index: int, count: int) -> SceneError:
    return SceneError(f"{source} has no house {index}; it has {count}, counted from 0")
