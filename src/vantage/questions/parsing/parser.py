"""English questions about things in homes, understood by grammar alone.

The grammar knows many forms of questions and any noun. What it does not understand it says so about, by returning
None; it never guesses and never raises.
"""

from __future__ import annotations

from vantage.errors import FormatError
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.parsing.reading import read
from vantage.questions.parsing.tokens import read_sentence
from vantage.questions.programs import program_text, read_program


def parse(text: str) -> ParsedQuestion | None:
    """The program that answers a question, or None when the question is not understood."""
    sentence = read_sentence(text)
    reading = None if sentence is None else read(sentence)
    if reading is None:
        return None
    try:
        program = read_program(program_text(reading.program))
    except FormatError:  # nested too deeply to be carried out
        return None
    return ParsedQuestion(text.strip(), program, reading.number)
