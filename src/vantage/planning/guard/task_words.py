"""What the words of a task name: things by their kinds, and whatever else is asked about their words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice, pairwise

from vantage.goals import kind_of
from vantage.planning.guard.household_knowledge import CATEGORIES, CONTROLS, FORMS, other_words, same_words
from vantage.questions.lexicon import clear_nouns, names_thing, singular

_MOST_TEXT = 200_000  # characters of a task; what follows licenses nothing
_MOST_PLACES = 1000  # words of a task of which it is looked at what stands before them
_LONGEST_NAME = 4  # words of a name
_SHORTEST_HEAD = 3  # letters of the last word of a name that may stand for it
_WORD = re.compile(r"[^\W\d_]+")
_ENDS = re.compile(r"[.;:!?\n]")
_NO_HEADS = frozenset({"room", "office", "switch", "machine", "player", "control", "tool", "paper", "agent", "board"})
_MOST_BEFORE = 5  # words before a name that are looked at
_ARTICLES = frozenset({"the", "a", "an", "my", "your", "our", "his", "her", "their", "this", "that"})
_USING = frozenset({"in", "into", "inside", "on", "onto", "with", "using", "to", "at", "start", "run", "open", "close"})
_BETWEEN = str.maketrans("", "", " _-'’")


class TaskWords:
    """The words of a task, in small letters, as they stand and in the singular, and runs of up to four of them.

    Args:
        text: the task, its name included where it has one.
        wish: it is a wish without a name, in which "living room" does not speak of any room.
    """

    def __init__(self, text: str, *, wish: bool = False) -> None:
        self._wish = wish
        plain = unicodedata.normalize("NFKC", text[:_MOST_TEXT]).casefold()
        self._sentences = tuple(_WORD.findall(sentence) for sentence in _ENDS.split(plain))
        self._words = tuple(word for sentence in self._sentences for word in sentence)

    def __bool__(self) -> bool:
        return bool(self._words)

    @cached_property
    def known(self) -> frozenset[str]:
        """Every word, as it stands and in the singular."""
        said = frozenset(self._words)
        if self._wish and "room" in said:
            before = [word for word, here in pairwise(("", *self._words)) if here == "room"]
            said -= {"room"} if all(names_thing(f"{word} room") for word in before) else frozenset()
        return said | {_one(word) for word in said}

    @cached_property
    def _runs(self) -> frozenset[str]:
        """Runs of words, written together, the last word in the singular."""
        words, last = self._words, tuple(map(_one, self._words))
        runs: set[tuple[str, ...]] = set()
        for length in range(2, _LONGEST_NAME + 1):
            runs.update(zip(*(words[at:] for at in range(length - 1)), last[length - 1 :], strict=False))
        return self.known.union(map("".join, runs))

    def say_any(self, words: Iterable[str]) -> bool:
        """Whether one of several words stands there, each taken as it is."""
        return not self.known.isdisjoint(words)

    def things(self) -> tuple[str, ...]:
        """Things of homes that they name, in order, each by the longest run of words; a word with which a sentence
        begins is a verb."""
        found: dict[str, None] = {}
        for sentence in self._sentences:
            at = 1
            while at < len(sentence):
                run = next((n for n in range(_LONGEST_NAME, 0, -1) if _noun(sentence[at : at + n]) in clear_nouns()), 0)
                if run:
                    found[_noun(sentence[at : at + run]).replace(" ", "_")] = None
                at += max(run, 1)
        return tuple(found)

    def name(self, object_name: str) -> bool:
        """Whether they name the kind of an object: by its name, the last word of it, a synonym or a broader
        word."""
        return not self._runs.isdisjoint(called(kind_of(object_name)))

    def name_itself(self, object_name: str) -> bool:
        """Whether they name the kind of an object, not only what it is a kind of."""
        return not self._runs.isdisjoint(named(kind_of(object_name)))

    def said_of(self, kind: str) -> frozenset[str]:
        """By which of their words they name a kind of object, each written together and in the singular."""
        return self._runs & called(kind)

    def name_in(self, room: str, object_name: str) -> bool:
        """Whether they name an object of a room: "kitchen window", "the window in the kitchen"."""
        place = written_together(room)
        names = called(kind_of(object_name))
        after = (f"{name}{word}{place}" for name in names for word in ("inthe", "ofthe"))
        return not self._runs.isdisjoint((*(f"{place}{name}" for name in names), *after))

    def only_use(self, object_name: str, asking: Iterable[str]) -> bool:
        """Whether they name a thing, and each time only as a place or a tool, or as what shall run: "put the dishes in
        the dishwasher"; behind a word that asks it is what is asked about, as in "dust on the shelf". Of a long text
        the first words count.

        Args:
            asking: words that ask for a state of something.
        """
        names, asked = called(kind_of(object_name)), frozenset(asking)
        ends = {name[at:] for name in names for at in range(len(name))} & self._places.keys()
        found = False
        for sentence, end in (place for word in ends for place in self._places[word]):
            length = _name_length(sentence[:end], names)
            *_, other, word = ("", "", *_without_articles(sentence[: end - length])) if length else ("", "", "")
            if length and (word not in _USING or _one(other) in asked):
                return False
            found = found or bool(length)
        return found

    @cached_property
    def _places(self) -> Mapping[str, list[tuple[Sequence[str], int]]]:
        """Where each word stands, in the singular: the sentence, and the number of its words up to this one; of a long
        text the first words."""
        found: dict[str, list[tuple[Sequence[str], int]]] = {}
        places = ((sentence, end) for sentence in self._sentences for end in range(1, len(sentence) + 1))
        for sentence, end in islice(places, _MOST_PLACES):
            found.setdefault(_one(sentence[end - 1]), []).append((sentence, end))
        return found


def _name_length(words: Sequence[str], names: Collection[str]) -> int:
    """Of how many words the longest of several names is with which words end; 0 where they end with none."""
    lengths = range(min(_LONGEST_NAME, len(words)), 0, -1)
    return next((n for n in lengths if "".join((*words[-n:-1], _one(words[-1]))) in names), 0)


def _without_articles(words: Sequence[str]) -> list[str]:
    """The last words of a sentence, articles left out."""
    return [word for word in words[-_MOST_BEFORE:] if word not in _ARTICLES]


def _noun(words: Sequence[str]) -> str:
    return _one(" ".join(words))


@lru_cache(maxsize=8192)
def called(kind: str) -> frozenset[str]:
    """What a kind of object may be called, each written together and in the singular."""
    names = _names(kind)
    return frozenset(map(written_together, names.union(*map(other_words, names))))


@lru_cache(maxsize=8192)
def named(kind: str) -> frozenset[str]:
    """Of these the names and words for the same alone."""
    names = _names(kind)
    return frozenset(map(written_together, names.union(*map(same_words, names))))


def _names(kind: str) -> set[str]:
    parts = [part for part in kind.split("_") if part] or [kind]
    names = {" ".join(parts)}
    if len(parts) > 1 and parts[0] in CATEGORIES:
        names.add(parts[0])
        parts = parts[1:]
        names.add(" ".join(parts))
    if parts[-1] in FORMS | CONTROLS and len(parts) > 1:
        parts = parts[:-1]
        names.add(" ".join(parts))
    if "of" in parts[1:-1]:
        names.add(parts[parts.index("of") + 1])
    if len(parts[-1]) >= _SHORTEST_HEAD and parts[-1] not in _NO_HEADS:
        names.add(parts[-1])
    return names | {_one(name) for name in names}


@lru_cache(maxsize=16384)
def written_together(name: str) -> str:
    return _one(name.casefold().replace("_", " ").strip()).translate(_BETWEEN)


@lru_cache(maxsize=16384)
def _one(word: str) -> str:
    return singular(word)
