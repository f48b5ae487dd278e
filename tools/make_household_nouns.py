"""Computes the tables of nouns of ``vantage.questions.lexicon.other_words`` from WordNet: those that texts were found
to use, and seldom ones with the known words for what they name.

Needs the Debian package ``wordnet-base``::

    python tools/make_household_nouns.py            # writes the tables
    python tools/make_household_nouns.py --check    # says whether the tables are up to date
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from vantage.errors import MissingExtraError, VantageError
from vantage.files import write_whole
from vantage.questions.lexicon import other_words
from vantage.questions.lexicon.wordnet import WordNet, installed

ARTIFACTS, FOOD = 6, 13  # numbers of lexicographers' files
WIDEST = 200  # kinds below a hypernym, beyond which it says too little ("device", "container")
NARROWEST = 40  # kinds below a sense, up to which its own kinds are told
STEPS = 3  # upwards
SHARE = 2  # how much oftener the first sense of a noun may be found than another that is usual
OUTSIDE = ("weaponry", "ship", "aircraft", "military vehicle", "drug", "building", "road", "sail", "game equipment")
_NOUN = re.compile(r"[a-z]+(?:[ -][a-z]+){0,2}")
_SELDOM_HEAD = "# seldom noun\twords for the same\tbroader words\t(from WordNet 3.0, Princeton University)"
_HEAD = "# noun\twords for the same\tbroader words\tnarrower words\t(from WordNet 3.0, Princeton University)"


class Nouns:
    """The nouns of artifacts and food, each with its usual senses."""

    def __init__(self, wordnet: WordNet, counts: Counter[tuple[str, int]]) -> None:
        self._wordnet, self._counts = wordnet, counts
        self._outside = {
            low for word in OUTSIDE for offset in wordnet.senses(word)[:1] for low in wordnet.kinds(offset)
        }
        self._width = lru_cache(maxsize=None)(self._counted)
        self.usual = lru_cache(maxsize=None)(self._usual)

    def words(self) -> list[str]:
        """Every noun that has a usual sense among artifacts or food."""
        return [word for word in self._all() if self._is_told(word) and self.usual(word)]

    def seldom(self, known: Collection[str]) -> list[tuple[str, str, str]]:
        """Rows of nouns that are not known, with the known words for the same and broader ones.

        Of a noun that texts were not found to use every sense counts, of any other its usual ones.
        """
        rows = []
        for word in self._all():
            if word in known or not _NOUN.fullmatch(word):
                continue
            same: set[str] = set()
            broader: set[str] = set()
            for offset in self.usual(word) if self._is_told(word) else self._kept(word):
                same.update(self._known(offset, known))
                for above, steps in self._wordnet.ancestors(offset).items():
                    if 0 < steps <= STEPS and self._width(above) <= WIDEST:
                        broader.update(self._known(above, known))
            if same or broader:
                rows.append((word, ";".join(sorted(same)), ";".join(sorted(broader - same))))
        return rows

    def _all(self) -> list[str]:
        found: set[str] = set()
        for root in ("artifact", "food", "beverage", "foodstuff"):
            for offset in self._wordnet.senses(root):
                if self._wordnet.synset(offset).topic in (3, ARTIFACTS, FOOD):
                    for low in self._wordnet.kinds(offset):
                        found.update(self._wordnet.synset(low).words)
        return sorted(found)

    def _is_told(self, word: str) -> bool:
        """Whether texts were found to use a noun; others are left out."""
        return bool(_NOUN.fullmatch(word)) and self._counts[word, 1] > 0

    def row(self, word: str) -> tuple[str, ...]:
        same: set[str] = set()
        broader: set[str] = set()
        narrower: set[str] = set()
        for offset in self.usual(word):
            same.update(self._said(offset))
            for above, steps in self._wordnet.ancestors(offset).items():
                if 0 < steps <= STEPS and self._width(above) <= WIDEST:
                    broader.update(self._said(above))
            if self._width(offset) <= NARROWEST:
                for below in self._wordnet.synset(offset).below:
                    narrower.update(self._said(below))
        narrower -= same | broader | {word}
        broader -= same | {word}
        return word, *(";".join(sorted(each - {word})) for each in (same, broader, narrower))

    def _said(self, offset: int) -> Iterator[str]:
        """Words of a sense of which it is a usual one."""
        for word in self._wordnet.synset(offset).words:
            if self._is_told(word) and offset in self.usual(word):
                yield word.replace("-", " ")

    def _known(self, offset: int, known: Collection[str]) -> Iterator[str]:
        """Known words of a sense of which it is a usual one, or the most usual one among artifacts and food."""
        for word in self._wordnet.synset(offset).words:
            if word in known and offset in (*self.usual(word), *self._kept(word)[:1]):
                yield word.replace("-", " ")

    def _kept(self, word: str) -> tuple[int, ...]:
        """All senses of a noun among artifacts and food."""
        senses = self._wordnet.senses(word)
        return tuple(
            offset
            for offset in senses
            if self._wordnet.synset(offset).topic in (ARTIFACTS, FOOD) and offset not in self._outside
        )

    def _usual(self, word: str) -> tuple[int, ...]:
        """Senses of a noun among artifacts and food in which it is mostly used: the first of all its senses, and those
        that texts were found to use half as often; of a noun that none was found to use, the first of these."""
        senses, kept, first = self._wordnet.senses(word), self._kept(word), self._counts[word, 1]
        if not first:
            return kept[:1]
        return tuple(each for each in kept if SHARE * self._counts[word, senses.index(each) + 1] >= first)

    def _counted(self, offset: int) -> int:
        return sum(1 for _ in islice(self._wordnet.kinds(offset), WIDEST + 1))


def counted_senses(folder: Path) -> Counter[tuple[str, int]]:
    """How often each sense of a noun was found in texts, by noun and number.

    Raises:
        MissingExtraError: the file of these counts cannot be read.
    """
    found: Counter[tuple[str, int]] = Counter()
    try:
        lines = (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise MissingExtraError(f"the counts of WordNet cannot be read: {error}; install wordnet-base") from error
    for line in lines:
        key, number, count = line.split()
        word, _, sense = key.partition("%")
        if sense.startswith("1:"):
            found[word.replace("_", " "), int(number)] += int(count)
    return found


def table_texts(wordnet: WordNet, counts: Counter[tuple[str, int]]) -> dict[Path, str]:
    """The texts of both tables."""
    nouns = Nouns(wordnet, counts)
    told = [row for row in map(nouns.row, nouns.words()) if any(row[1:])]
    seldom = nouns.seldom(other_words.household_nouns() | {word for word, *_ in told})
    tables = ((other_words.HOUSEHOLD_NOUNS, _HEAD, told), (other_words.SELDOM_NOUNS, _SELDOM_HEAD, seldom))
    return {path: "\n".join((head, *map("\t".join, rows))) + "\n" for path, head, rows in tables}


def main(arguments: list[str] | None = None) -> int:
    """Write or check the table; 1 where it cannot be made or is out of date."""
    parser = argparse.ArgumentParser(description="Make the tables of household nouns.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args(arguments)
    try:
        wordnet = installed()
        if wordnet is None:
            raise MissingExtraError("WordNet is not installed; install wordnet-base or set WNSEARCHDIR")
        found = table_texts(wordnet, counted_senses(wordnet.folder))
        if options.check:
            late = [path.name for path, text in found.items() if path.read_text(encoding="utf-8") != text]
            print(f"{', '.join(late)}: out of date; make it anew" if late else "the tables are up to date")
            return 1 if late else 0
        for path, text in found.items():
            write_whole(path, text)
    except VantageError as error:
        print(error, file=sys.stderr)
        return 1
    for path, text in found.items():
        print(f"{path.name}: {len(text.splitlines()) - 1} nouns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
