"""What words do in a wish about a home, as the table ``wordings.tsv`` has them, and how a text is cut into words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from vantage.questions.lexicon import names_thing, rows, singular

MOST_WORDS = 2_000
ENDS = frozenset({".", ";", ":", "!", "?"})
SIGNS = frozenset({*ENDS, ",", "(", ")"})
PERSONS = frozenset({"i", "you", "we", "he", "she", "they", "somebody", "someone", "anyone", "anybody", "it", "not"})
_TABLE = Path(__file__).with_name("wordings.tsv")
_TOKEN = re.compile(r"[^\W_]+(?:-[^\W_]+)*|['’](?:s|d|ll|re|ve|m)\b|n['’]t\b|['’]|[.,;:!?()]")
_SHORT = (("can't", "can not"), ("won't", "will not"), ("n't", " not"))
_WRITTEN = {"'d": "would", "'ll": "will", "'re": "are", "'ve": "have", "'m": "am"}
_SAYING = frozenset({"it", "that", "there", "here", "let", "he", "she", "who", "what", "this"})
_SAID = ("state on", "state off", "state open", "state closed", "adverb", "placing", "suiting", "lying")
_LONGEST = 4  # words of a name
_LEAST = 3  # letters of a name that is known alone


@lru_cache(maxsize=1)
def uses() -> Mapping[str, frozenset[str]]:
    """Words by what they do.

    Raises:
        FormatError: the table was damaged.
    """
    return {use: frozenset(words.split(";")) for words, use in rows(_TABLE, 2)}


def does(word: str, use: str) -> bool:
    """Whether a word may do this in a wish."""
    return word in uses()[use]


def words_of(text: str) -> tuple[str, ...]:
    """Words and signs of a text in small letters, contractions written out; of a long text the first ones."""
    plain = text[: MOST_WORDS * 40].lower().replace("’", "'")
    for short, full in _SHORT:
        plain = plain.replace(short, full)
    found: list[str] = []
    tokens = _TOKEN.findall(plain)[:MOST_WORDS]
    for token, behind in zip(tokens, (*tokens[1:], ""), strict=False):
        if token == "'s":
            found.append("is" if (found and found[-1] in _SAYING) or _is_said(behind) else token)
        elif token != "'":
            found.append(_WRITTEN.get(token, token))
    return tuple("could" if _may(found, at) else word for at, word in enumerate(found))


def _is_said(word: str) -> bool:
    """Whether a word tells how or where a thing is, so that "'s" before it is "is"."""
    return any(does(word, use) for use in _SAID) or (word.endswith("ing") and not names_thing(word))


def _may(words: Sequence[str], at: int) -> bool:
    """Whether a word is the verb "can": with somebody before or behind it."""
    around = {words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""}
    return words[at] == "can" and not around.isdisjoint(PERSONS)


@lru_cache(maxsize=16384)
def base_form(word: str) -> str:
    """A verb of the table that a word is a form of; the word itself where there is none."""
    verbs = _verbs()
    if word in verbs:
        return word
    for ending, stem in (("ing", ""), ("ing", "e"), ("s", ""), ("es", ""), ("ed", ""), ("ed", "e"), ("ies", "y")):
        if word.endswith(ending):
            found = word[: -len(ending)] + stem
            if found in verbs:
                return found
            if len(found) > 3 and found[-1] == found[-2] and found[:-1] in verbs:
                return found[:-1]
    return word


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    kinds = ("put", "take", "fill", "open", "close", "switch", "on", "off", "want", "go", "sure")
    return frozenset().union(*(uses()[kind] for kind in kinds))


def gives(word: str) -> bool:
    """Whether a word is one for what a thing gives that runs, such as heat or sound."""
    return does(word, "output")


def is_room_word(word: str) -> bool:
    """Whether a word names a room, or ends the name of one."""
    return does(word, "room")


def is_no_thing(word: str) -> bool:
    """Whether a word is one for what nobody can lay hands on, such as air or room for something."""
    return does(word, "no thing")


def verb_use(word: str) -> str:
    """What a word does as a verb: ``put``, ``take``, ``fill``, ``open``, ``close``, ``switch``, ``on``, ``off``,
    ``want``, ``go``, ``sure``; empty where it is none."""
    verb = base_form(word)
    for use in ("put", "take", "fill", "open", "close", "switch", "want", "go", "sure"):
        if does(verb, use):
            return use
    return next((use for use in ("on", "off") if does(verb, use)), "")


def name_length(words: tuple[str, ...]) -> int:
    """How many of the first words make up a name of a thing; 0 where they are none."""
    for length in range(min(_LONGEST, len(words)), 0, -1):
        run = words[:length]
        if len(run[-1]) >= _LEAST and not SIGNS.intersection(run) and names_thing(singular(" ".join(run))):
            return length
    return 0
