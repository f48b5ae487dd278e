"""Reads the nouns of WordNet 3 from its plain files (``man wndb``), where these are installed."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vantage.errors import MissingExtraError

_PLACES = ("/usr/share/wordnet", "/usr/local/share/wordnet/dict", "/usr/share/wordnet/dict", "/opt/wordnet/dict")
_HYPERNYMS = ("@", "@i")
_HYPONYMS = ("~", "~i")


@dataclass(frozen=True)
class Synset:
    """One sense, shared by all the words that have it.

    Attributes:
        offset: where it stands in the file of nouns; this identifies it.
        topic: number of its lexicographer's file: 6 is that of artifacts, 13 of food, 20 of plants.
        words: in small letters, with spaces.
        above, below: offsets of what it is a kind of, and of its kinds.
    """

    offset: int
    topic: int
    words: tuple[str, ...]
    above: tuple[int, ...]
    below: tuple[int, ...]


class WordNet:
    """The nouns of WordNet; every look-up reads one line of its files."""

    def __init__(self, folder: str | Path) -> None:
        """Opens ``index.noun`` and ``data.noun`` in a folder, which stays known as ``folder``.

        Raises:
            MissingExtraError: they are not there.
        """
        self.folder = Path(folder)
        try:
            self._index, self._data = (_mapped(Path(folder) / name) for name in ("index.noun", "data.noun"))
        except (OSError, ValueError) as error:
            raise MissingExtraError(
                f"the files of WordNet cannot be read in {folder}: {error}; install wordnet-base or set WNSEARCHDIR"
            ) from error

    def senses(self, word: str) -> tuple[int, ...]:
        """Offsets of the senses of a noun, the most usual one first; none for an unknown word."""
        lemma = "_".join(word.lower().split())
        line = self._index_line(lemma) if lemma else None
        if line is None:
            return ()
        fields = line.split()
        return tuple(int(offset) for offset in fields[-int(fields[2]) :])

    def synset(self, offset: int) -> Synset:
        """The sense at an offset."""
        return _parsed(offset, self._line(self._data, offset))

    def ancestors(self, offset: int) -> dict[int, int]:
        """Offsets of all that a sense is a kind of, itself included, each with the least number of steps to it."""
        found, edge, steps = {offset: 0}, [offset], 0
        while edge:
            steps += 1
            edge = [up for known in edge for up in self.synset(known).above if up not in found]
            found.update(dict.fromkeys(edge, steps))
        return found

    def kinds(self, offset: int) -> Iterator[int]:
        """Offsets of all that is a kind of a sense, itself included, each once."""
        seen, edge = {offset}, [offset]
        while edge:
            yield from edge
            edge = [low for known in edge for low in self.synset(known).below if low not in seen]
            edge = list(dict.fromkeys(edge))
            seen.update(edge)

    def _index_line(self, lemma: str) -> str | None:
        """Binary search: the lines are sorted by their first word, in the order of bytes."""
        wanted, low, high = lemma.encode(), 0, len(self._index)
        while low < high:
            start = self._index.rfind(b"\n", 0, (low + high) // 2) + 1
            line = self._line(self._index, start)
            found = line.partition(" ")[0].encode()
            if found == wanted:
                return line
            if line.startswith("  ") or found < wanted:
                low = start + len(line.encode()) + 1
            else:
                high = start
        return None

    @staticmethod
    def _line(data: mmap.mmap, start: int) -> str:
        end = data.find(b"\n", start)
        return data[start : len(data) if end < 0 else end].decode("utf-8", "replace")


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _parsed(offset: int, line: str) -> Synset:
    fields = line.split(" | ")[0].split()
    number = int(fields[3], 16)
    words = tuple(word.lower().replace("_", " ") for word in fields[4 : 4 + 2 * number : 2])
    pointers = fields[5 + 2 * number :]
    marks = list(zip(pointers[0::4], pointers[1::4], strict=False))
    above = tuple(int(target) for mark, target in marks if mark in _HYPERNYMS)
    below = tuple(int(target) for mark, target in marks if mark in _HYPONYMS)
    return Synset(offset, int(fields[1]), words, above, below)


@lru_cache(maxsize=1)
def installed() -> WordNet | None:
    """WordNet in the folder that WNSEARCHDIR names or in one of the usual places; None where there is none."""
    for place in (os.environ.get("WNSEARCHDIR", ""), *_PLACES):
        if place and (Path(place) / "data.noun").is_file() and (Path(place) / "index.noun").is_file():
            return WordNet(place)
    return None
