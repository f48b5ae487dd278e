"""What of a scene is meant by a name in words: by kind, by synonyms, by the main word, by slips of writing.

What nothing in the scene fits has no meaning there. Kinds that people call by each other's names count as one, such as
fridge and freezer, stove and oven, rug and floor; nothing else is taken because nothing better is at hand.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import lru_cache

from vantage.goals import SceneFacts, kind_of, object_key
from vantage.questions.lexicon import canonical, loosely, share_meaning, singular, table

_GROUPS = (
    ("fridge", "refrigerator", "electric refrigerator", "freezer"),
    ("radio", "stereo", "music player", "sound system", "record player"),
    ("television", "tv", "telly"),
    ("groceries", "grocery", "food", "food food", "meal", "dish of food", "snack"),
    ("vegetable", "food vegetable", "salad"),
    ("computer", "laptop", "pc", "desktop"),
    ("glass", "drinking glass", "water glass", "tumbler"),
    ("cup", "mug", "coffee cup"),
    ("book", "novel", "hardback", "textbook"),
    ("phone", "telephone", "cellphone", "cell phone", "mobile", "smartphone"),
    ("headset", "headphone", "earphone", "earbud"),
    ("couch", "sofa", "settee"),
    ("bin", "trashcan", "trash can", "garbage can", "wastebasket", "dustbin", "ashcan"),
    ("light", "lamp", "floor lamp", "ceiling lamp", "table lamp", "walllamp", "desk lamp", "bulb"),
    ("clothes", "clothing", "clothes pants", "pants", "laundry", "clothes shirt", "clothes dress", "garment"),
    ("washing machine", "washer", "clothes washer"),
    ("coffee maker", "coffee machine", "coffe maker", "coffeemaker"),
    ("detergent", "laundry detergent", "washing powder"),
    ("stove", "oven", "cooker", "stovetop"),
    ("eyeglass", "glasses", "spectacles"),
    ("sunglasses", "sunglass"),
    ("toothpaste", "tooth paste"),
    ("carpet", "rug", "floor"),
    ("can", "pop", "soda", "soda can"),
    ("car", "vehicle"),
    ("dish", "plate", "dishes"),
    ("hand", "hands both"),
    ("cat", "kitty", "kitten"),
    ("person", "character", "agent", "robot"),
    ("counter", "countertop", "kitchen counter"),
    ("cabinet", "kitchen cabinet", "cupboard"),
    ("rag", "cloth", "piece of cloth"),
)
PARTS = frozenset(
    [
        "door",
        "lid",
        "button",
        "switch",
        "switches",
        "drawer",
        "dial",
        "knob",
        "handle",
        "top",
        "surface",
        "cover",
        "power",
    ]
)
_SLIP = 0.86  # similarity of writing
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
        if _grouped(said, kind):
            return 4
        if _main_word(said, kind):
            return 5
        if any(_synonyms(said, other) or _grouped(said, other) for other in self._also.get(kind, ())):
            return 6
        return 7 if _slip(said, kind) else 0

    def known(self, words: tuple[str, ...]) -> bool:
        """Whether a name is that of a kind of thing at all, there or not."""
        said = _plain(" ".join(words))
        return said in self._also or said in _known_words() or said.rpartition(" ")[2] in _known_words()


def instances(kind: str, scene: SceneFacts) -> tuple[str, ...]:
    """The names of all things of a kind, each once."""
    return tuple(dict.fromkeys(item.name for item in scene.objects if kind_of(item.name) == kind))


@lru_cache(maxsize=65536)
def _plain(name: str) -> str:
    return singular(object_key(name).replace("_", " "))


@lru_cache(maxsize=65536)
def _synonyms(one: str, other: str) -> bool:
    return canonical(one) == canonical(other) or share_meaning(one, other) or other in loosely(one)


@lru_cache(maxsize=65536)
def _grouped(one: str, other: str) -> bool:
    return any(one in group and other in group for group in _plain_groups())


@lru_cache(maxsize=1)
def _plain_groups() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(_plain, group)) | frozenset(group) for group in _GROUPS)


@lru_cache(maxsize=1)
def _known_words() -> frozenset[str]:
    return frozenset(table()) | frozenset(word for group in _plain_groups() for word in group)


def _main_word(said: str, kind: str) -> bool:
    """Whether one of two names is the other with more words before it, or the kind begins with what is said."""
    first, second = said.split(), kind.split()
    if len(first) == len(second) == 1:
        return said.replace("-", "") == kind
    if "".join(first) == "".join(second):
        return True
    shorter, longer = sorted((first, second), key=len)
    return longer[-len(shorter) :] == shorter or (len(first) < len(second) and second[: len(first)] == first)


def _slip(said: str, kind: str) -> bool:
    one, other = said.replace(" ", ""), kind.replace(" ", "")
    return min(len(one), len(other)) >= _LEAST and difflib.SequenceMatcher(None, one, other).ratio() >= _SLIP
