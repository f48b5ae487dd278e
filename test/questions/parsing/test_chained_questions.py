"""Chained questions in wordings of CLEVR's templates and of people, which no template of ours has."""

from pathlib import Path

from row_tables import each_row

from vantage.questions.parsing.parser import parse
from vantage.questions.programs import program_text

TABLE = Path(__file__).with_name("chained_questions.tsv")
ROWS = [tuple(line.split("\t")) for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]


@each_row("text, program", ROWS)
def test_chained_questions(text, program):
    parsed = parse(text)
    assert parsed is not None
    assert program_text(parsed.program) == program
