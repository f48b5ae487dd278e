"""English questions about objects in homes, understood by grammar alone.

The grammar knows many forms of questions and any noun. What it does not understand it says so about, by returning
None; it never guesses and never raises.

Of all readings of a sentence the cheapest is taken, with or without the polite words around it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from vantage.errors import FormatError
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.parsing import compound, context, fronting, politeness
from vantage.questions.parsing.accounting import left_over, said_by, unknown_sorts
from vantage.questions.parsing.descriptions import Modifier
from vantage.questions.parsing.grammar import FORMS, RULES
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.nouns import singular
from vantage.questions.parsing.patterns import Captures, Chart
from vantage.questions.parsing.spelling import corrected, unknown_words
from vantage.questions.parsing.tokens import Sentence, Token, read_sentence
from vantage.questions.programs import (
    Alike,
    Between,
    Count,
    Program,
    Query,
    Relate,
    Step,
    Verify,
    VerifyRelation,
    program_text,
    read_program,
)

Modifiers = tuple[Modifier, ...]

_TURNS = 3
_MOST_CORES = 60  # read for one sentence; questions need up to 20
_MOST_NAMED, _MOST_SHOWN = 3, 30  # words that are named, and letters of each
_PADDED = 0.3  # leaving words out costs


@dataclass(frozen=True)
class Reading:
    """A program, the number that is claimed of what it is about, and how unlikely it is that this was meant.

    Attributes:
        tokens: from which it was read.
    """

    program: Program
    number: int | None
    cost: float
    tokens: tuple[Token, ...]


def read(sentence: Sentence) -> Reading | None:
    """The cheapest reading of a sentence; None when it is no question that the grammar knows."""
    return _Reader().read(sentence)


class _Reader:
    """Reads one sentence, whatever stands around its question, with bounded effort.

    What is left of a sentence without courtesy, statements and topics is read anew, so that the same words come up
    often; each is read once.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Sentence, Modifiers, int], Reading | None] = {}

    def read(self, sentence: Sentence, ahead: Modifiers = (), turns: int = _TURNS) -> Reading | None:
        """The cheapest reading, where ``ahead`` was said before of the objects in question.

        Words may be moved or left out so many times as there are ``turns``.
        """
        found = self._without_courtesy(sentence, ahead, turns)
        if found is not None and not found.cost:
            return found
        tokens = politeness.unpadded(sentence.tokens)
        if 0 < len(tokens) < len(sentence.tokens):
            plain = self._without_courtesy(replace(sentence, tokens=tokens), ahead, turns)
            if plain is not None and (found is None or plain.cost + _PADDED < found.cost):
                return plain
        return found

    def _without_courtesy(self, sentence: Sentence, ahead: Modifiers, turns: int) -> Reading | None:
        """The cheapest reading of what is left when courtesy is taken off either end."""
        found: list[Reading] = []
        for start, end in politeness.cores(Chart(sentence, RULES)):
            asked = sentence.asked or end - start < len(sentence.tokens)
            core = replace(sentence, tokens=sentence.tokens[start:end], asked=asked)
            reading = self._core(core, ahead, turns)
            if reading is not None:
                found.append(reading)
                if not reading.cost:
                    break
        return min(found, key=lambda reading: reading.cost, default=None)

    def _core(self, core: Sentence, ahead: Modifiers, turns: int) -> Reading | None:
        """The reading of a sentence as it stands, else of the same words rearranged."""
        key = core, ahead, turns
        if key not in self._known:
            if len(self._known) >= _MOST_CORES:
                return None
            self._known[key] = None
            chart = Chart(core, RULES, ahead)
            self._known[key] = _cheapest(chart) or (None if ahead or not turns else self._rearranged(chart, turns - 1))
        return self._known[key]

    def _rearranged(self, chart: Chart, turns: int) -> Reading | None:
        """The reading of a sentence that does not begin with its question."""
        turned = (_cheapest(Chart(moved, RULES)) for moved in fronting.turned(chart))
        referred = (self.read(moved, (), turns) for moved in fronting.topics(chart))
        placed = (_cheapest(Chart(rest, RULES, ahead)) for rest, ahead in fronting.placed(chart))
        shared = (self.read(moved, (), turns) for moved in fronting.shared(chart))
        led = (self._led(lead, turns) for lead in fronting.leading_statements(chart))
        apart = (self.read(moved, (), turns) for moved in context.appositions(chart))
        again = (self.read(moved, (), turns) for moved in context.questions_going_back(chart))
        anew = (self.read(moved, (), turns) for moved in context.restatements(chart))
        return next(
            (found for found in chain(anew, turned, referred, shared, placed, apart, again, led) if found), None
        )

    def _led(self, lead: fronting.LeadingStatement, turns: int) -> Reading | None:
        """The reading of a question behind a statement; of the same objects, it is about those in the same place."""
        found = self.read(lead.question, (), turns)
        if lead.place and lead.about is not None and (found is None or not _says_where(found.program)):
            there = self.read(fronting.there_left_out(lead.question), lead.place, turns)
            if there is not None and lead.about.description.kind in ParsedQuestion("", there.program).labels:
                return there
        return found


def _says_where(step: Step) -> bool:
    """Whether a place is named anywhere in a program."""
    if isinstance(step, (Relate, Between)) or getattr(step, "attribute", "") == "room":
        return True
    return any(_says_where(part) for part in vars(step).values() if isinstance(part, Step))


def _cheapest(chart: Chart) -> Reading | None:
    """The cheapest reading of all tokens."""
    best: Reading | None = None
    for end, cost, captures, build in FORMS.matches(chart, 0):
        if end == len(chart.words) and (best is None or cost < best.cost):
            program = build({**captures, "AHEAD": chart.ahead})
            if program is not None:
                best = Reading(program, _number(program, captures), cost, chart.sentence.tokens)
    return best


def _number(program: Program, captures: Captures) -> int | None:
    """The number said of what a program is about."""
    about = captures.get("SUBJECT", captures.get("GROUP"))
    if isinstance(program, Count):
        about = captures.get("GROUP", about)
        if isinstance(about, Phrase) and about.determiner == "the":  # how many of the five
            return None
    elif not isinstance(program, (Alike, Query, Verify, VerifyRelation)):
        return None
    elif isinstance(program, Query) and isinstance(about, Phrase) and about.one(numbered=True) != program.one:
        return None  # of the two clocks, the one on the wall
    return about.claimed if isinstance(about, Phrase) else None


def parse(text: str) -> ParsedQuestion | None:
    """The program that answers a question, or None when the question is not understood."""
    found = understand(text)
    return found if isinstance(found, ParsedQuestion) else None


@dataclass(frozen=True)
class NotUnderstood:
    """Why a question was not understood, as the end of a sentence; empty where nothing particular can be said."""

    reason: str = ""


def understand(text: str) -> ParsedQuestion | NotUnderstood:
    """The program that answers a question, or why it is not understood."""
    written = read_sentence(text)
    if written is None:
        return NotUnderstood()
    sentence, corrections = corrected(written)
    reading = read(sentence)
    if reading is None:
        both = _both(sentence)
        if both is not None:
            return replace(both, text=text.strip(), corrections=corrections)
    unknown = [word for word in unknown_words(sentence.tokens) if reading is None or _names(reading.program, word)]
    if unknown:
        return NotUnderstood(f"I do not know the word {_quoted(unknown)}")
    if reading is None:
        sorts = unknown_sorts(sentence)
        return NotUnderstood(f"I do not know what kind of thing {_quoted(sorts)} is" if sorts else "")
    rest = left_over(sentence.tokens, reading.tokens, reading.program)
    if rest:
        return NotUnderstood(f"I cannot tell what {_quoted(rest)} means in it")
    try:
        program = read_program(program_text(reading.program))
    except FormatError:  # nested too deeply to be carried out
        return NotUnderstood()
    return ParsedQuestion(text.strip(), program, reading.number, corrections)


def _both(sentence: Sentence) -> ParsedQuestion | None:
    """Two questions with "and" between them, where both are understood."""
    for first, second in compound.halves(sentence):
        reading = read(first)
        again = None if reading is None else compound.named_again(second, first, reading.program)
        other = None if again is None else read(again)
        if reading is None or again is None or other is None:
            continue
        unused = [
            left_over(part.tokens, found.tokens, found.program) for part, found in ((first, reading), (again, other))
        ]
        if not any(unused):
            return ParsedQuestion(
                "", reading.program, reading.number, (), (ParsedQuestion("", other.program, other.number),)
            )
    return None


def _names(program: Program, word: str) -> bool:
    """Whether a word is part of what objects or rooms are called in a program."""
    spelled = {word, singular(word)[0]}
    return any(attribute == "label" and spelled & set(value.split()) for attribute, value in said_by(program).values)


def _quoted(words: Iterable[str]) -> str:
    return " or ".join(f"'{word[:_MOST_SHOWN]}'" for word in list(dict.fromkeys(words))[:_MOST_NAMED])
