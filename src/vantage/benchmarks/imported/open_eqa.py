"""The questions of OpenEQA (``open-eqa-v0.json`` and parts of it): a JSON list of records.

A record has ``question``, ``answer``, ``category``, ``question_id``, ``episode_history`` and, for some, further right
answers as ``extra_answers``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vantage.benchmarks.imported.imported_set import ForeignBenchmark, ForeignQuestion, checked, read_source, scene_name
from vantage.errors import FormatError
from vantage.files import refuse_halves
from vantage.registry import did_you_mean

BENCHMARK = "open-eqa"
# The seven categories, by what they ask for: kinds of ours where there is one.
CATEGORIES = {
    "object recognition": "recognition",
    "attribute recognition": "attribute",
    "spatial understanding": "spatial",
    "object state recognition": "state",
    "functional reasoning": "function",
    "world knowledge": "knowledge",
    "object localization": "location",
}
_NEEDED = ("question", "answer", "category", "question_id", "episode_history")
_EXTRA = "extra_answers"


class OpenEqaBenchmark(ForeignBenchmark):
    """OpenEQA's questions, without its recordings."""

    name = BENCHMARK

    def read(self, path: str | Path) -> tuple[ForeignQuestion, ...]:
        """Every record of a file.

        Raises:
            FormatError: it is no JSON list of such records, or an id comes twice; says in which line.
        """
        return read_open_eqa(path)


def read_open_eqa(path: str | Path) -> tuple[ForeignQuestion, ...]:
    """Every record of a file, in order; see ``OpenEqaBenchmark.read``."""
    return checked((_question(record, where) for record, where in _records(read_source(path), path)), path)


def _records(text: str, path: str | Path) -> Iterator[tuple[Any, str]]:
    """The elements of a JSON list, each with file and line."""
    decoder, at, line = json.JSONDecoder(), 0, 1

    def skip(position: int) -> int:
        while position < len(text) and text[position] in " \t\r\n":
            position += 1
        return position

    at = skip(0)
    if text[at] != "[":
        raise FormatError(f"{path}, line {1 + text.count(chr(10), 0, at)}: expected a JSON list of records")
    at, counted = skip(at + 1), 0
    while at < len(text) and text[at] != "]":
        line, counted = line + text.count("\n", counted, at), at
        try:
            record, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise FormatError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from error
        except RecursionError as error:
            raise FormatError(f"{path}, line {line}: the record is nested too deeply") from error
        refuse_halves(record, f"{path}, line {line}")
        yield record, f"{path}, line {line}"
        at = skip(at)
        if at < len(text) and text[at] == ",":
            at = skip(at + 1)
            if at < len(text) and text[at] == "]":
                raise FormatError(f"{path}, line {1 + text.count(chr(10), 0, at)}: a record is missing after the comma")
        elif at < len(text) and text[at] != "]":
            raise FormatError(f"{path}, line {1 + text.count(chr(10), 0, at)}: expected a comma between two records")
    if at >= len(text):
        raise FormatError(f"{path}, line {1 + text.count(chr(10))}: the list does not end; the file is cut")
    if skip(at + 1) < len(text):
        raise FormatError(f"{path}, line {1 + text.count(chr(10), 0, skip(at + 1))}: something follows the list")


def _question(record: Any, where: str) -> ForeignQuestion:
    if not isinstance(record, dict):
        raise FormatError(f"{where}: expected a record, got {str(record)[:60]!r}")
    known = [*_NEEDED, _EXTRA]
    strange = sorted(set(record) - set(known))
    if strange:
        raise FormatError(f"{where}: unknown key '{strange[0]}'{did_you_mean(strange[0], known)}")
    for key in _NEEDED:
        if not isinstance(record.get(key), str) or not record[key].strip():
            raise FormatError(f"{where}: '{key}' must be a text that is not empty")
    extra = record.get(_EXTRA, [])
    if not isinstance(extra, list) or not all(isinstance(item, str) for item in extra):
        raise FormatError(f"{where}: '{_EXTRA}' must be a list of texts")
    category = record["category"].strip()
    if category not in CATEGORIES:
        raise FormatError(f"{where}: unknown category '{category}'{did_you_mean(category, list(CATEGORIES))}")
    text = record["question"].strip()
    others = tuple(item.strip() for item in extra if item.strip())
    return ForeignQuestion(
        where=where,
        question_id=record["question_id"].strip(),
        scene=scene_name(record["episode_history"].strip()),
        text=text,
        bare=text,
        kind=CATEGORIES[category],
        answer=record["answer"].strip(),
        accepted=others,
    )
