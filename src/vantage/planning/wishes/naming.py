"""What of a scene is meant by a name in words: by kind, by synonyms, by the main word, by slips of writing.

What nothing in the scene fits has no meaning there. Kinds that people call by each other's names count as one, such as
fridge and freezer, stove and oven, rug and floor (``questions.lexicon.other_words``), and what is a kind of the thing
that is said is meant by it; nothing else is taken because nothing better is at hand.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import lru_cache

from vantage.goals import SceneFacts, kind_of, object_key
from vantage.questions.lexicon import (
    called_alike,
    canonical,
    clear_nouns,
    is_kind_of,
    loosely,
    names_thing,
    singular,
)

_PARTS = frozenset(
    (
        *(
            "door",
            "lid",
            "button",
            "switch",
            "lightswitch",
            "drawer",
            "dial",
            "knob",
            "handle",
            "top",
            "surface",
            "cover",
        ),
        *("power", "plug", "cord", "head", "ear", "arm", "foot", "mouth", "lap", "shoulder", "eye", "side", "edge"),
    )
)  # of things and of people; who names one need not mean a thing of its own
_SLIP = 0.86  # similarity of writing
_MOST_OTHER = 6  # letters that only one of two names has that differ by slips
_LEAST = 4  # letters of a word that may have slips


class Names:
    """Names of things, by the words for them.

    Args:
        learned: other words for kinds, as a training set has them.
    """

    def __init__(self, learned: Mapping[str, Iterable[str]] | None = None) -> None:
        self._also: dict[str, frozenset[str]] = {
            _plain(word): frozenset(map(_plain, kinds)) for word, kinds in (learned or {}).items()
        }

    def meant(self, words: tuple[str, ...], scene: SceneFacts) -> tuple[str, ...]:
        """The kinds of a scene that a name fits best, as ``kind_of`` has them; none where nothing does."""
        said = _plain(" ".join(words))
        kinds = dict.fromkeys(kind_of(item.name) for item in scene.objects)
        ranked = [(level, kind) for kind in kinds if (level := self._fit(said, _plain(kind.replace("_", " "))))]
        best = min((level for level, _ in ranked), default=0)
        return tuple(kind for level, kind in ranked if level == best)

    def _fit(self, said: str, kind: str) -> int:
        """How well a name fits a kind: 1 best, 0 not at all."""
        if said == kind:
            return 1
        if _synonyms(said, kind):
            return 2
        also = self._also.get(said, frozenset())
        if kind in also or said in self._also.get(kind, frozenset()):
            return 3
        if called_alike(said, kind):
            return 4
        if (_main_word(said, kind) and not other_sort(said, kind)) or _sort_of(said, kind):
            return 5
        if is_kind_of(kind, said) or (not names_thing(kind) and _means(kind.rpartition(" ")[2], said)):
            return 6
        if any(_synonyms(said, other) or called_alike(said, other) for other in self._also.get(kind, ())):
            return 7
        return 8 if _slip(said, kind) else 0

    def known(self, words: tuple[str, ...]) -> bool:
        """Whether a name is that of a kind of thing at all, there or not."""
        said = _plain(" ".join(words))
        return said in self._also or names_thing(said) or names_thing(said.rpartition(" ")[2])

    def usual(self, words: tuple[str, ...]) -> bool:
        """Whether a name is that of a kind of thing which homes usually have, and seldom means anything else."""
        said = _plain(" ".join(words))
        return said in self._also or not clear_nouns().isdisjoint((said, said.rpartition(" ")[2]))


def is_part(words: tuple[str, ...]) -> bool:
    """Whether a name is that of a part, of a thing or of somebody."""
    return bool(words) and singular(words[-1]) in _PARTS


def instances(kind: str, scene: SceneFacts) -> tuple[str, ...]:
    """The names of all things of a kind, each once."""
    return tuple(dict.fromkeys(item.name for item in scene.objects if kind_of(item.name) == kind))


@lru_cache(maxsize=65536)
def _plain(name: str) -> str:
    return singular(object_key(name).replace("_", " "))


@lru_cache(maxsize=65536)
def _synonyms(one: str, other: str) -> bool:
    return canonical(one) == canonical(other)


@lru_cache(maxsize=65536)
def _means(head: str, said: str) -> bool:
    """Whether the main word of a kind names what is said, or a kind of it: a storm light is a lamp."""
    return len(head) >= _LEAST and (called_alike(head, said) or is_kind_of(head, said))


@lru_cache(maxsize=65536)
def _main_word(said: str, kind: str) -> bool:
    """Whether one of two names is the other with more words before it, or the kind begins with what is said."""
    first, second = said.split(), kind.split()
    if len(first) == len(second) == 1:
        return said.replace("-", "") == kind
    if "".join(first) == "".join(second):
        return True
    shorter, longer = sorted((first, second), key=len)
    return longer[-len(shorter) :] == shorter or (len(first) < len(second) and second[: len(first)] == first)


@lru_cache(maxsize=65536)
def _sort_of(said: str, kind: str) -> bool:
    """Whether a name that is none of another thing tells what sort of a kind is meant: a scatter cushion, a sofa
    cushion."""
    _, between, head = said.rpartition(" ")
    return bool(between) and not names_thing(said) and (_synonyms(head, kind) or called_alike(head, kind))


@lru_cache(maxsize=65536)
def other_sort(said: str, kind: str) -> bool:
    """Whether a known name that ends with a kind is that of another thing: a bedside table, a filing cabinet."""
    if " " not in said or not names_thing(said) or not said.endswith(f" {kind}"):
        return False
    label = canonical(said)
    if label != said:
        return label != kind and label not in loosely(kind)
    return not (called_alike(said, kind) or is_kind_of(said, kind))


@lru_cache(maxsize=65536)
def _slip(said: str, kind: str) -> bool:
    one, other = said.replace(" ", ""), kind.replace(" ", "")
    shorter, longer = sorted((len(one), len(other)))
    if shorter < _LEAST or 2 * shorter < _SLIP * (shorter + longer) or len(set(one) ^ set(other)) > _MOST_OTHER:
        return False
    return difflib.SequenceMatcher(None, one, other).ratio() >= _SLIP
