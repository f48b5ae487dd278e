"""What the parser makes of every question in the tables beside its tests."""

from __future__ import annotations

from pathlib import Path

from vantage.questions.parsing.parser import parse
from vantage.questions.programs import program_text

TABLES = Path(__file__).resolve().parents[2] / "questions"


def texts() -> dict[str, str]:
    """For each table, a line for each of its questions: the question, its number, its labels and its program."""
    return {name: "".join(f"{line(each)}\n" for each in asked) for name, asked in questions().items()}


def questions() -> dict[str, list[str]]:
    """The questions of each table, by the name of the file that tells their programs."""
    return {f"{path.stem}.txt.xz": _column(path) for path in sorted(TABLES.glob("*.tsv"))}


def _column(path: Path) -> list[str]:
    rows = path.read_text(encoding="utf-8").splitlines()[1:]
    return [row.split("\t")[0] for row in rows if row.strip()]


def line(question: str) -> str:
    """What is told of a question."""
    parsed = parse(question)
    if parsed is None:
        return f"{question} => not understood"
    number = "" if parsed.number is None else f" [{parsed.number}]"
    return f"{question} => {program_text(parsed.program)}{number} looking for {', '.join(parsed.labels) or '-'}"
