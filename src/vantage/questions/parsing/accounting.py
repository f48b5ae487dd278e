"""Whether a program says all that its question says: a content word that went nowhere means that it was misread.

Words that only build a sentence, and those by which the grammar tells its forms apart, say nothing of their own. Every
other word must stand behind a label, a value or an attribute of the program. A clause of which the program uses nothing
is context, and may say what it likes, unless it goes on about what was named before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import pairwise

from vantage.questions.kinds import FURNITURE, NUMBERS
from vantage.questions.lexicon import SORTS, canonical, names
from vantage.questions.parsing.nouns import LONGEST, OUTSIDES, STUFF, is_kind, name_of, singular
from vantage.questions.parsing.patterns import literals
from vantage.questions.parsing.politeness import FILLERS
from vantage.questions.parsing.tokens import Sentence, Token
from vantage.questions.parsing.use_phrases import FRAME_WORDS, uses_in
from vantage.questions.parsing.vocabulary import (
    ATTRIBUTE_NOUNS,
    COLLECTIVES,
    COLOR_WORDS,
    DRINKS,
    EVERYWHERE,
    FLAT_STRUCTURE,
    HERE,
    INTENSIFIERS,
    MATERIAL_WORDS,
    OBJECT_WORDS,
    OPENING_PARTS,
    PLACE_NOUNS,
    PREDICATE_STATES,
    PRINT_NOUNS,
    RELATION_WORDS,
    ROOM_WORDS,
    SHADES,
    SHAPE_NOUNS,
    SHAPE_WORDS,
    SIZE_WORDS,
    WEIGHT_WORDS,
)
from vantage.questions.parsing.word_classes import ADVERBS, FUNCTION_WORDS, IDLE, OWNERS, REFUSED
from vantage.questions.program_parts import inner_steps
from vantage.questions.programs import Program, Query, QueryEach

_VALUES = (
    ("color", COLOR_WORDS),
    ("material", MATERIAL_WORDS),
    ("shape", {**SHAPE_WORDS, **SHAPE_NOUNS}),
    ("size", SIZE_WORDS),
    ("weight", WEIGHT_WORDS),
    ("state", PREDICATE_STATES),
)
_MOODS = frozenset({"worried", "afraid", "scared", "anxious"})
_WHY = frozenset({"without", "because", "since"})
_PURPOSES = frozenset((word, who) for word in ("so", "where", "and") for who in ("i", "we"))
_PURPOSES |= frozenset(
    (word, who)
    for word in ("when", "before", "after", "while", "because", "cause", "until")
    for who in ("i", "we", "he", "she", "they", "my", "our")
)
_ASKING = frozenset(["is", "are", "do", "does", "did", "has", "have", "where", "what", "which", "how"])
_POINTING = frozenset({"that", "this", "those", "these"})
_TELLING_APART = {("the", "one"), ("the", "ones"), ("that", "one")}
_TAG = 3  # words of "is n't it"
_ANAPHORS = frozenset({"it", "they", "them", "its", "their", "this", "that", "these", "those"})


@cache
def closed_class() -> frozenset[str]:
    """Words that build sentences, and say nothing of an object."""
    phrases = (
        *RELATION_WORDS,
        *HERE,
        *EVERYWHERE,
        *ATTRIBUTE_NOUNS,
        *PRINT_NOUNS,
        *OBJECT_WORDS,
        *PLACE_NOUNS,
        *FILLERS,
    )
    spoken = frozenset(word for phrase in phrases for word in phrase.split())
    plain = (
        FUNCTION_WORDS
        | ADVERBS
        | IDLE
        | OWNERS
        | SHADES
        | INTENSIFIERS
        | COLLECTIVES
        | OUTSIDES
        | frozenset(NUMBERS)
        | _MOODS
    )
    said = literals() | spoken | plain | {f"{word}s" for word in COLLECTIVES} | {"'s", "own", ","}
    return said - OPENING_PARTS


@dataclass(frozen=True)
class Said:
    """What a program says: the labels and values in it, and the attributes that it is about."""

    values: frozenset[tuple[str, str]]
    attributes: frozenset[str]
    offers: bool  # it asks for what may be one of several words of the question

    @property
    def texts(self) -> frozenset[str]:
        """Words of the print that it names."""
        printed = (value for attribute, value in self.values if attribute == "text")
        return frozenset(word for value in printed for word in value.lower().split())


def said_by(program: Program) -> Said:
    """What a program says."""
    values: set[tuple[str, str]] = set()
    attributes: set[str] = set()
    for step in inner_steps(program):
        parts = {item.name: getattr(step, item.name) for item in fields(step)}
        if "value" in parts:
            attribute = "label" if parts["attribute"] == "room" else parts["attribute"]
            values.add((attribute, parts["value"]))
        attributes.update(part for part in parts.values() if isinstance(part, str))
    return Said(frozenset(values), frozenset(attributes), isinstance(program, (Query, QueryEach)))


def left_over(tokens: Sequence[Token], read: Sequence[Token], program: Program) -> tuple[str, ...]:
    """The content words of a question for which its program has no use, in their order.

    Args:
        tokens: of the whole question, with commas between its clauses.
        read: those of them that the program was read from.
    """
    said = said_by(program)
    if homes := tuple(
        value for attribute, value in said.values if attribute == "label" and value in EVERYWHERE - {"picture"}
    ):
        return homes  # everything is there, and it is no object
    used = {(token.start, token.end) for token in read}
    named = [(token.start, token.end) for token in read if token.stands_for is not None]
    found = list(_depicted(tuple(token.word for token in read)))
    told: set[tuple[str, str]] = set()
    unread: list[tuple[Sequence[Token], set[tuple[str, str]], list[str]]] = []
    clauses = list(_clauses(tokens))
    for number, clause in enumerate(clauses):
        values, rest = _accounted(clause, said)
        following = [tuple(token.word for token in each) for each in clauses[number + 1 : number + 2]]
        corrected = any(each[:2] == ("i", "mean") or each[0] == "like" for each in following)
        anew = corrected and any(word in _ASKING for word in following[0][1:3])  # the whole question, in other words
        apart = not any((token.start, token.end) in used for token in (clause[0], clause[-1]))  # no mere opening
        if apart and number < len(clauses) - 1 and not corrected:
            found += _asked_too(clause)
        if anew and (clause[0].start, clause[0].end) not in used:
            found += [word for word in rest if is_kind(word)]
        own = [token for token in clause if (token.start, token.end) in used]
        inside = [token for token in clause if any(start <= token.start and token.end <= end for start, end in named)]
        if inside and all(
            token in inside for token in own
        ):  # a statement of which the question names the objects again
            told |= values
            purpose = clause[max(0, clause.index(inside[0]) - 1)].word == "for"  # "a cloth for the table"
            named_again = {token.word for token in inside}
            found += [word for word in rest if word in named_again or (_tells(word) and not purpose)]
            continue
        if own:
            told |= values
            goes_on = clause[0].word in _ANAPHORS and clause not in (clauses[0], clauses[-1])  # about which of them?
            found += [*rest, clause[0].word] if goes_on else rest
        else:
            unread.append((clause, values, rest))
    if unread and not (said.values or told or "room" in said.attributes):
        return ("which",)  # it says nothing of any object, and the statement before it does
    pointed = any(
        token.word in _POINTING and is_kind(after.word) for token, after in pairwise(read)
    )  # "that rug": the one that was spoken of
    for clause, values, rest in unread:
        if pointed and any(attribute == "label" for attribute, _ in values & said.values):
            found += rest or [clause[0].word]
        if tuple(token.word for token in clause[:2]) in _TELLING_APART:
            found += rest or [clause[1].word]  # "the one in the hall"
        goes_on = clause[0].word in _ANAPHORS and clause is not clauses[0]  # "it is raining" is about nothing else
        if (values & said.values) - told or goes_on:
            found += rest
    return tuple(found)


def unknown_sorts(sentence: Sentence) -> tuple[str, ...]:
    """Compound nouns of which only the last word is known: "house key" is some key, and nobody here knows which."""
    words = [token.word for token in sentence.tokens]
    qualities = {word for _, table in _VALUES for phrase in table for word in phrase.split()}
    plain = closed_class() | (qualities - STUFF) | REFUSED
    return tuple(
        f"{first} {last}"
        for first, last in pairwise(words)
        if first.isalpha() and (first not in plain or first in EVERYWHERE) and first not in ROOM_WORDS
        if (is_kind(last) or first in STUFF) and last not in plain and name_of((first, last)) is None
    )


def _depicted(words: tuple[str, ...]) -> Iterator[str]:
    """A picture that hangs somewhere, of which the question asks what is to be seen in it."""
    for at, word in enumerate(words[:-1]):
        if word in ("picture", "image") and words[max(0, at - 2) : at] == ("in", "the"):
            yield from (word,) if words[at + 1] in RELATION_WORDS else ()


def _clauses(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for end in [*(index for index, token in enumerate(tokens) if token.word == ","), len(tokens)]:
        if end > begin:
            yield tokens[begin:end]
        begin = end + 1


def _accounted(clause: Sequence[Token], said: Said) -> tuple[set[tuple[str, str]], list[str]]:
    """The values of a program that a clause names, and its content words that name nothing of it."""
    words = tuple(token.word for token in clause)
    values: set[tuple[str, str]] = set()
    named: set[int] = set()
    for start in range(len(words)):
        for end in range(min(start + LONGEST, len(words)), start, -1):
            if " ".join(words[start:end]) in RELATION_WORDS:
                named.update(range(start, end))
            for value in _meanings(words[start:end], said):
                values.add(value)
                named.update(range(start, end if _is_whole(words[start:end], value[1], said) else end - 1))
    offered = said.offers and "or" in words
    known = closed_class()
    if "use" in said.attributes:
        known = known | FRAME_WORDS
        for use, start, end in uses_in(words):
            if ("use", use) in said.values:
                values.add(("use", use))
                named.update(range(start, end))
    if "state" in said.attributes:
        known = known | OPENING_PARTS | DRINKS
    if "place" in said.attributes:  # "on which shelf", "on the same table as"
        surfaces = FURNITURE - FLAT_STRUCTURE
        known = known | surfaces | {f"{word}s" for word in surfaces}
    aside = _aside(words)
    rest = [
        token.word or "a quotation"
        for index, token in enumerate(clause)
        if index not in named
        and index not in aside
        and token.word not in known
        and not token.word.isdigit()
        and not (offered or _is_printed(token, said))
    ]
    return values, rest


def _asked_too(clause: Sequence[Token]) -> list[str]:
    """The first word of a question about objects named before, which is asked besides the one that was read."""
    goes_on = any(token.word in _ANAPHORS or token.word in ATTRIBUTE_NOUNS for token in clause[1:])
    return [clause[0].word] if clause[0].word in _ASKING and goes_on and len(clause) > _TAG else []


def _tells(word: str) -> bool:
    """Whether a word alone names a kind of objects, a room, or how an object looks."""
    return (
        is_kind(word)
        or word in ROOM_WORDS
        or any(word in table for attribute, table in _VALUES if attribute != "state")
    )


def _aside(words: tuple[str, ...]) -> range:
    """Where somebody says why they ask: "I can't read it without my glasses"."""
    begins = [index for index, word in enumerate(words) if word in _WHY] if words[0] in ("i", "we") else []
    begins += [index for index, word in enumerate(words) if index and words[index : index + 2] in _PURPOSES]
    return range(begins[0], len(words)) if begins else range(0)


def _is_whole(words: tuple[str, ...], label: str, said: Said) -> bool:
    """Whether a name means the object itself: a "toilet seat" is the toilet only where states are asked about."""
    part = words[-1] in OPENING_PARTS and not label.endswith(singular(words[-1])[0])
    return not part or "state" in said.attributes or " ".join(words) in names()


def _meanings(words: tuple[str, ...], said: Said) -> Iterator[tuple[str, str]]:
    """What of a program these words name."""
    phrase = " ".join(words)
    for attribute, table in _VALUES:
        if phrase in table and ((attribute, table[phrase]) in said.values or attribute in said.attributes):
            yield attribute, table[phrase]
    name = name_of(words)
    labels = {ROOM_WORDS.get(phrase), ROOM_WORDS.get(phrase.removesuffix("s")), canonical(singular(phrase)[0])}
    labels.add(None if name is None else name.label)
    named = ((attribute, label) for attribute, label in said.values if attribute == "label")
    yield from (each for each in named if each[1] in labels or (each[1] in SORTS and canonical(each[1]) in labels))


def _is_printed(token: Token, said: Said) -> bool:
    return bool(said.texts) and (token.quoted or token.word in said.texts)
