"""Names of things in a wish: how many are meant, what is said of them, and where they are said to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from vantage.planning.wishes.verbs import NUMBERS, PREPOSITIONS
from vantage.planning.wishes.wordings import SIGNS, does, name_length, verb_use
from vantage.questions.lexicon import names_thing, singular

_JOINS = frozenset(
    {"and", "or", "so", "then", "because", "if", "when", "while", "before", "after", "please", "but", "where"}
)
_PEOPLE = frozenset({"i", "you", "we", "he", "she", "they", "somebody", "someone", "nobody", "who", "me", "us", "him"})
_PARTICLES = frozenset({"up", "down", "away", "back", "out", "over", "there", "here", "on", "off", "now", "again"})
_SELDOM_NOUNS = frozenset({"not", "never", "wide", "as", "too", "very", "afterwards", "first", "would", "could"})
_MERE = frozenset({"other", "same", "right", "only", "big", "small", "little", "large", "new", "old", "last"})
_DEPTH = 3  # of what is said of what is said of a thing
_MOST_BEFORE = 8  # articles, numbers and such before a name; more is no name


@dataclass(frozen=True)
class Where:
    """That a thing is somewhere.

    Attributes:
        place: None for the one that was said last.
        loose: it may be said of another thing instead.
    """

    relation: str
    place: NounPhrase | None
    loose: bool = False


@dataclass(frozen=True)
class NounPhrase:
    """What a thing is called.

    Attributes:
        words: without articles; none for a pronoun.
        pronoun: ``it``, ``them``, ``one``; empty for a name.
        number: of them; 0 where none is said.
        every: all that there are.
        wheres: where it is said to be.
    """

    words: tuple[str, ...] = ()
    pronoun: str = ""
    number: int = 0
    every: bool = False
    wheres: tuple[Where, ...] = field(default=())

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def plural(self) -> bool:
        return bool(self.words) and singular(self.words[-1]) != self.words[-1]

    def at(self, *wheres: Where) -> NounPhrase:
        """The same, said to be somewhere besides."""
        return replace(self, wheres=(*self.wheres, *wheres))


def preposition(words: Sequence[str], at: int) -> tuple[str, int]:
    """The relation that begins at a word, and its length in words; empty and 0 where none does."""
    for length in (3, 2, 1):
        run = " ".join(words[at : at + length])
        if len(words) - at >= length and run in PREPOSITIONS:
            told = PREPOSITIONS[run]
            if run == "over" and not (at + 1 < len(words) and does(words[at + 1], "determiner")):
                continue
            return ("over" if told == "over" else told if told != "beside the point" else f"{run}!"), length
    return "", 0


def noun_phrase(words: Sequence[str], at: int, depth: int = 0) -> tuple[NounPhrase | None, int]:
    """The name or pronoun that begins at a word, and where it ends."""
    reading = _Phrase(words, at, depth)
    found = reading.read()
    return found, reading.at if found else at


def whereabouts(words: Sequence[str], at: int, depth: int = 0) -> tuple[Where | None, int]:
    """A place that begins at a word: "on the table", "in there"; and where it ends."""
    relation, length = preposition(words, at)
    if not relation or relation.endswith("!") or relation == "never" or depth > _DEPTH:
        return None, at
    following = words[at + length] if at + length < len(words) else ""
    if (
        following.endswith("ing")
        and verb_use(following)
        and not name_length(tuple(words[at + length : at + length + 4]))
    ):
        return None, at  # "by opening"
    if following == "there":
        return Where(relation, None), at + length + 1
    length += _part_length(words, at + length)
    place, end = noun_phrase(words, at + length, depth + 1)
    return (Where(relation, place), end) if place else (None, at)


def _part_length(words: Sequence[str], at: int) -> int:
    """How many words say which part of a place is meant, so that the place itself stands behind them: "the top of"."""
    begin = at + 1 if at < len(words) and does(words[at], "determiner") else at
    part, behind = (*words[begin : begin + 2], "", "")[:2]
    if part in ("place", "spot", "home") and begin > at and preposition(words, begin + 1)[0] in ("on", "in", "near"):
        return begin + 1 + preposition(words, begin + 1)[1] - at  # "to its place on the shelf"
    said = does(part, "part of") and behind == "of"
    return begin + 2 - at if said else 0


def _tell_sorts(words: Sequence[str]) -> bool:
    """Whether all words before "one" tell which one: the dirty one, the bedroom one."""
    return all(does(word, "state word") or does(word, "room") or word in _MERE for word in words)


def _sort(word: str) -> Where:
    return Where("state" if does(word, "state word") else "in", NounPhrase((word,)))


class _Phrase:
    def __init__(self, words: Sequence[str], at: int, depth: int) -> None:
        self._words, self.at, self._depth = words, at, depth

    def _here(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self._words[at] if at < len(self._words) else "."

    def read(self) -> NounPhrase | None:
        number, every, said = self._determiners()
        words = self._name()
        if not words:
            if self._here() in ("one", "ones") or said in ("one", "another"):
                several = self._here() == "ones" and number != 1
                self.at += self._here() in ("one", "ones")
                return self._said_of(NounPhrase(pronoun="one", number=0 if several else 1, every=several))
            pronoun = said if does(said, "pronoun") else self._here() if does(self._here(), "pronoun") else ""
            if not pronoun:
                return None
            if pronoun != said:
                self.at += 1
            self._skip(("both", "all"))
            return NounPhrase(pronoun=pronoun, number=number, every=every)
        if self._here() in ("one", "ones") and _tell_sorts(words):
            several = self._here() == "ones" and number != 1
            self.at += 1
            sorts = (_sort(word) for word in words if word not in _MERE)
            one = NounPhrase(pronoun="one", number=0 if several else 1, every=several, wheres=tuple(sorts))
            return self._said_of(one)
        return self._said_of(NounPhrase(words, "", number, every))

    def _determiners(self) -> tuple[int, bool, str]:
        number, every, said = 0, False, ""
        ends = min(self.at + _MOST_BEFORE, len(self._words))
        while self.at < ends:
            word = self._here()
            if does(word, "several of") and self._here(1) == "of":
                whole = does(self._here(2), "determiner") or does(self._here(2), "pronoun")
                if not whole and word not in ("pair", "couple"):
                    break
                number, every, said = (0, True, word) if whole and word != "couple" else (2, every, word)
                self.at += 1
            elif word in NUMBERS and said == "the" and self._here(1) == "of":
                number, every = 0, True
            elif word in NUMBERS or word.isdigit():
                number = NUMBERS.get(word) or min(int(word[:3]), 100)
            elif word in ("a", "an", "another", "any", "each"):
                number, every = (0, True) if word == "each" else (1, every)
            elif does(word, "every"):
                every = True
            elif word == "of" and (number or every or said):
                pass
            elif not does(word, "determiner"):
                break
            said = word
            self.at += 1
        return number, every, said

    def _name(self) -> tuple[str, ...]:
        found: list[str] = []
        while self.at < len(self._words):
            word = self._here()
            if word == "'s":
                found.clear()
                self.at += 1
                continue
            if word == "of":
                if not found or not self._goes_on_with_of():
                    break
                found.append(word)
                self.at += 1
                continue
            if self._ends(word, found):
                break
            length = name_length(tuple(self._words[self.at : self.at + 4]))
            taken = max(length, 1)
            found += self._words[self.at : self.at + taken]
            self.at += taken
        return tuple(found)

    def _goes_on_with_of(self) -> bool:
        """Whether "of" tells what is in a thing: "a carton of milk"; with an article it tells where it is."""
        return not does(self._here(1), "determiner") and bool(
            name_length(tuple(self._words[self.at + 1 : self.at + 4]))
        )

    def _ends(self, word: str, found: Sequence[str]) -> bool:
        if word in SIGNS or word in _JOINS or word in _PEOPLE or word in _SELDOM_NOUNS or does(word, "pronoun"):
            return True
        if does(word, "relative") or does(word, "being") or word in _PARTICLES:
            return True
        if found and does(word, "set going") and not names_thing(f"{found[-1]} {word}"):
            return True
        relation, _ = preposition(self._words, self.at)
        if relation:
            return True
        if not found:
            return does(word, "determiner") or (does(word, "modal") and not names_thing(word))
        if does(word, "determiner") or does(word, "modal") or does(word, "lying"):
            return True
        last = does(word, "state open") or does(word, "state closed")
        does_so = self._depth and word.endswith("s") and not names_thing(singular(word))
        if does_so and names_thing(singular(found[-1])) and not names_thing(singular(f"{found[-1]} {word}")):
            return True  # "the towel in the basket smells"
        if last or verb_use(word):
            named = names_thing(singular(" ".join((*found[-2:], word)))) or names_thing(singular(f"{found[-1]} {word}"))
            return not named and not (does(found[-1], "room") and word in ("light", "lights"))
        return does(word, "adverb") or word in ("does", "did") or (word == "do" and self._here(1) == "not")

    # -- what is said of it

    def _said_of(self, phrase: NounPhrase) -> NounPhrase:
        while self._depth <= _DEPTH:
            where, end = self._clause()
            if where is None:
                return phrase
            phrase, self.at = phrase.at(where), end
        return phrase

    def _clause(self) -> tuple[Where | None, int]:
        """What stands behind a name and tells where it is: "that is on the desk", "of the kitchen", "with the lid"."""
        at, words = self.at, self._words
        if at >= len(words):
            return None, at
        if words[at] == "of" and at + 1 < len(words) and does(words[at + 1], "determiner"):
            place, end = noun_phrase(words, at + 1, self._depth + 1)
            return (Where("of", place), end) if place else (None, at)
        if words[at] == "with":
            place, end = noun_phrase(words, at + 1, self._depth + 1)
            if place and end + 1 < len(words) and words[end] in ("on", "in") and words[end + 1] in ("it", "them"):
                end += 2  # "the table with the bread on it"
            return (Where("with", place), end) if place else (None, at)
        start, begun = at, False
        if words[at] == "where":
            place, end = noun_phrase(words, at + 1, self._depth + 1)
            closes = place and end < len(words) and does(words[end], "being")
            return (Where("with", place), end + 1) if closes else (None, start)
        if does(words[at], "relative"):
            at, begun = at + 1, True
            at = self._past_somebody(at)
        while at < len(words) and (
            (begun and (does(words[at], "being") or does(words[at], "adverb"))) or does(words[at], "lying")
        ):
            begun, at = True, at + 1
            while at < len(words) and does(words[at], "adverb") and words[at] != "to":
                at += 1
        if not begun:
            return None, start
        if at < len(words) and does(words[at], "state word"):
            return Where("state", NounPhrase((words[at],))), at + 1
        where, end = whereabouts(words, at, self._depth)
        return (where, end) if where else (None, start)

    def _past_somebody(self, at: int) -> int:
        """Behind "I have left" or "somebody put", where this begins at a word."""
        words, end = self._words, at
        if end < len(words) and words[end] in _PEOPLE:
            end += 1
            while end < len(words) and (does(words[end], "modal") or does(words[end], "adverb")):
                end += 1
            if end < len(words) and does(words[end], "done"):
                return end + 1
        return at

    def _skip(self, words: Sequence[str]) -> None:
        while self._here() in words:
            self.at += 1
