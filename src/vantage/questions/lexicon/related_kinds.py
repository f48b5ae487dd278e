"""Kinds of objects that people take for each other in words: synonyms, broader words, and related kinds.

The figures lie in a table that ``tools/make_lexicon.py`` computes from WordNet and sentence embeddings, so that neither
has to be installed. As in NoisyEQA (arXiv 2412.10726, section 3.3), the neighbours of a kind are those of the ten most
similar ones that overlap it in category (they share a hypernym that is not too wide) or serve the same function.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vantage.errors import FormatError
from vantage.questions.lexicon.synonyms import canonical, loosely
from vantage.questions.lexicon.wordnet import installed

TABLE = Path(__file__).with_name("related_kinds.tsv")
KINDS = Path(__file__).with_name("kinds.tsv")
_OUTSIDE = Path(__file__).with_name("stand_ins.tsv")
_STAND_IN = 0.5  # similarity of the first of them

_PLURALS = {
    "bookshelves": "bookshelf",
    "knives": "knife",
    "loaves": "loaf",
    "mice": "mouse",
    "scarves": "scarf",
    "shelves": "shelf",
    "shoes": "shoe",
}
_ENDINGS = (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss"), ("oes", "o"))


@dataclass(frozen=True)
class Neighbour:
    """A related kind.

    Attributes:
        similarity: cosine of the embeddings of the two words.
        reason: ``category`` or ``function``.
    """

    label: str
    similarity: float
    reason: str


@dataclass(frozen=True)
class Entry:
    """A kind as the table has it.

    Attributes:
        synonyms: other words of its sense.
        broader: kinds of the table that it is a kind of.
    """

    synonyms: frozenset[str]
    broader: frozenset[str]
    neighbours: tuple[Neighbour, ...]


def semantic_neighbours(label: str) -> tuple[Neighbour, ...]:
    """Related kinds that are not the same, the most similar one first.

    Of a word outside the table, those that stand in for it; none where nobody knows any.
    """
    kind = kind_of(label)
    entry = table().get(kind)
    return _stand_ins().get(kind, ()) if entry is None else entry.neighbours


def share_meaning(one: str, other: str) -> bool:
    """Whether two nouns share a sense (a synset of WordNet), so that they are synonyms; number does not matter.

    Words of the table have the sense of objects in homes there. Of other words all senses count where WordNet is
    installed; where it is not, only equal words mean the same.
    """
    first, second = kind_of(one), kind_of(other)
    if first == second or canonical(first) == canonical(second):
        return True
    known = table()
    if first in known and second in known:
        return second in known[first].synonyms and first in known[second].synonyms
    if first in known or second in known:
        entry, word = (known[first], second) if first in known else (known[second], first)
        return word in entry.synonyms
    wordnet = installed()
    return wordnet is not None and not set(wordnet.senses(first)).isdisjoint(wordnet.senses(second))


@lru_cache(maxsize=65_536)
def may_be_called(label: str, word: str) -> bool:
    """Whether a person may rightly call an object of a kind so.

    By a synonym, a broader word (a dog bed is a bed) or one that is used loosely.
    """
    first, second = kind_of(label), kind_of(word)
    entry = table().get(first)
    broader = first.endswith(f" {second}") or (entry is not None and second in entry.broader)
    return share_meaning(first, second) or broader or second in loosely(first)


@lru_cache(maxsize=65_536)
def related(one: str, other: str) -> bool:
    """Whether either kind may be called by the other's name or is among its neighbours."""
    first, second = kind_of(one), kind_of(other)
    near = any(neighbour.label == second for neighbour in semantic_neighbours(first))
    back = any(neighbour.label == first for neighbour in semantic_neighbours(second))
    return near or back or may_be_called(first, second) or may_be_called(second, first)


@lru_cache(maxsize=4096)
def kind_of(word: str) -> str:
    """The kind that a noun stands for: in small letters, in the singular, and by its most usual name."""
    plain = " ".join(word.lower().replace("_", " ").split())
    for candidate in (plain, singular(plain)):
        if candidate in table():
            return candidate
        if canonical(candidate) in table():
            return canonical(candidate)
    return canonical(singular(plain))


def singular(noun: str) -> str:
    """One of several objects; the last word of a compound is inflected."""
    first, space, last = noun.rpartition(" ")
    if last in _PLURALS:
        last = _PLURALS[last]
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")) and len(last) > 3:
        ending = next((pair for pair in _ENDINGS if last.endswith(pair[0])), ("s", ""))
        last = last.removesuffix(ending[0]) + ending[1]
    return f"{first}{space}{last}"


@lru_cache(maxsize=1)
def table() -> dict[str, Entry]:
    """The whole table by kind.

    Raises:
        FormatError: its file was damaged.
    """
    found = {}
    for fields in rows(TABLE, 4):
        pairs = [item.split(":") for item in _listed(fields[3])]
        neighbours = tuple(Neighbour(label, float(figure), reason) for label, figure, reason in pairs)
        found[fields[0]] = Entry(frozenset(_listed(fields[1])), frozenset(_listed(fields[2])), neighbours)
    return found


def rows(path: Path, columns: int) -> list[list[str]]:
    """The rows of a table of the package; lines that start with # are remarks.

    Raises:
        FormatError: a row has another number of columns.
    """
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    found = [line.split("\t") for line in lines]
    wrong = [fields[0] for fields in found if len(fields) != columns]
    if wrong:
        raise FormatError(f"{path.name}: the row '{wrong[0]}' does not have {columns} columns; restore the file")
    return found


@lru_cache(maxsize=1)
def _stand_ins() -> dict[str, tuple[Neighbour, ...]]:
    """The kinds nearest to words outside the table, nearest first; by hand, so that their similarity is a mere rank."""
    return {
        word: tuple(Neighbour(label, _STAND_IN - 0.1 * rank, "category") for rank, label in enumerate(_listed(labels)))
        for word, labels in rows(_OUTSIDE, 2)
    }


def _listed(field: str) -> list[str]:
    return [item for item in field.split(";") if item]
