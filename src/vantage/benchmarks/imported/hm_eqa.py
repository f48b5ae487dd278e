"""The questions of HM-EQA (Explore-EQA's ``questions.csv``): multiple choice, one row a question.

The choices are a Python list in one cell. They are read as a literal: splitting at quotes breaks rows whose choices
hold an apostrophe.
"""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Iterator
from pathlib import Path

from vantage.benchmarks.imported.imported_set import (
    ImportedBenchmark,
    ImportedQuestion,
    checked,
    read_source,
    scene_name,
)
from vantage.errors import FormatError

BENCHMARK = "hm-eqa"
LETTERS = "ABCDEFGH"
_NEEDED = ("scene", "floor", "question", "choices", "answer")
_KNOWN = (*_NEEDED, "question_formatted", "label")


class HmEqaBenchmark(ImportedBenchmark):
    """HM-EQA's questions, without its scans."""

    name = BENCHMARK

    def read(self, path: str | Path) -> tuple[ImportedQuestion, ...]:
        """Every row of a file.

        Raises:
            FormatError: columns are missing, or a row is damaged; says in which line.
        """
        return read_hm_eqa(path)


def read_hm_eqa(path: str | Path) -> tuple[ImportedQuestion, ...]:
    """Every row of a file, in order; see ``HmEqaBenchmark.read``."""
    return checked(_questions(read_source(path), path), path)


def _questions(text: str, path: str | Path) -> Iterator[ImportedQuestion]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = [name.strip() for name in reader.fieldnames or ()]
        lacking = [name for name in _NEEDED if name not in columns]
        if lacking:
            raise FormatError(f"{path}, line 1: the column '{lacking[0]}' is missing; expected {', '.join(_KNOWN)}")
        reader.fieldnames = columns
        before = reader.line_num
        for number, row in enumerate(reader, start=1):
            where, before = f"{path}, line {before + 1}", reader.line_num
            if None in row or None in row.values():
                raise FormatError(f"{where}: the row has {'more' if None in row else 'fewer'} cells than the header")
            yield _question({key: str(value).strip() for key, value in row.items()}, number, where)
    except csv.Error as error:
        raise FormatError(f"{path}, line {reader.reader.line_num}: {error}") from error


def _question(row: dict[str, str], number: int, where: str) -> ImportedQuestion:
    for key in ("scene", "question"):
        if not row[key]:
            raise FormatError(f"{where}: the cell '{key}' is empty")
    choices = _choices(row["choices"], where)
    letter = row["answer"].upper()
    if len(letter) != 1 or letter not in LETTERS[: len(choices)]:
        raise FormatError(
            f"{where}: the answer is '{row['answer'][:20]}', not one of {', '.join(LETTERS[: len(choices)])}"
        )
    answer = choices[LETTERS.index(letter)]
    listed = " ".join(f"{LETTERS[k]}) {choice}" for k, choice in enumerate(choices))
    return ImportedQuestion(
        where=where,
        question_id=f"{scene_name(row['scene'])}-{row['floor'] or '0'}-{number:04d}",
        scene=scene_name(row["scene"], row["floor"] or "0"),
        text=f"{row['question']} {listed}",
        bare=row["question"],
        kind=row.get("label") or "choice",
        answer=answer,
        accepted=(letter, f"{letter}) {answer}"),
    )


def _choices(cell: str, where: str) -> tuple[str, ...]:
    try:
        choices = ast.literal_eval(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FormatError(f"{where}: the choices {cell[:60]!r} are no list: {error}") from error
    if not isinstance(choices, list) or not all(isinstance(choice, str) and choice.strip() for choice in choices):
        raise FormatError(f"{where}: the choices must be a list of texts, got {cell[:60]!r}")
    if not 2 <= len(choices) <= len(LETTERS):
        raise FormatError(f"{where}: there are {len(choices)} choices; 2 to {len(LETTERS)} can be asked")
    return tuple(choice.strip() for choice in choices)
