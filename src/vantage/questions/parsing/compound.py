"""Two questions in one breath: "What color is the mug and where is it?" is taken apart, and "it" is named again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vantage.questions.parsing.grammar import RULES
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.patterns import Chart
from vantage.questions.parsing.tokens import ASKING, Sentence, Token
from vantage.questions.program_parts import subject
from vantage.questions.programs import Count, Exist, Program

_PRONOUNS = frozenset({"it", "they", "them"})
_JOINTS = frozenset({"and", ",", "also", "then", "if", "so"})
_INDEFINITE = frozenset({"a", "an", "any", "some"})


def halves(sentence: Sentence) -> Iterator[tuple[Sentence, Sentence]]:
    """The ways in which a sentence is two questions with "and" between them."""
    tokens = sentence.tokens
    for at in (index for index, token in enumerate(tokens) if token.word == "and"):
        end = next((index + 1 for index in range(at - 1, -1, -1) if tokens[index].word not in _JOINTS), 0)
        begin = next((index for index in range(at, len(tokens)) if tokens[index].word not in _JOINTS), len(tokens))
        if end and begin < len(tokens) and tokens[begin].word in ASKING:
            yield replace(sentence, tokens=tokens[:end]), replace(sentence, tokens=tokens[begin:])


def named_again(question: Sentence, before: Sentence, program: Program) -> Sentence | None:
    """A question with what "it" stands for: that which the question before was about; None where nothing is named."""
    at = next((index for index, token in enumerate(question.tokens) if token.word in _PRONOUNS), None)
    if at is None:
        return question
    chart = Chart(before, RULES)
    for begin in range(len(before.tokens)):
        for found in chart.read("NP", begin):
            if _is_about(found.value, program):
                name = tuple(_definite(token) for token in before.tokens[begin : found.end])
                return replace(question, tokens=(*question.tokens[:at], *name, *question.tokens[at + 1 :]))
    return None


def _is_about(phrase: Phrase, program: Program) -> bool:
    if isinstance(program, (Exist, Count)):
        return phrase.objects() == program.objects
    one = phrase.one(numbered=True)
    return one is not None and one == subject(program)


def _definite(token: Token) -> Token:
    return replace(token, word="the") if token.word in _INDEFINITE else token
