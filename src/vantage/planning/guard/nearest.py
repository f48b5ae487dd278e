"""What a scene has that comes nearest to a name that it lacks, to be offered; and names that merely look the same."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from vantage.goals import SceneFacts, kind_of, object_key
from vantage.planning.guard.task_words import called
from vantage.questions.lexicon import semantic_neighbours

_MOST = 3
_ALIKE = 0.75  # of the letters of a name
_LONGEST = 100  # characters of a name that is compared
# Small letters of other alphabets that look like Latin ones (Unicode Technical Standard 39, confusables).
_LOOK = str.maketrans("авекмнорстухѕіјԁһԛԝαβγεηικνορτυχω", "abekmhopctyxsijdhqwabyenikvoptuxw")


@lru_cache(maxsize=8192)
def look_of(name: str) -> str:
    """By what names that look the same are found: without marks and what is not seen, in letters that look alike."""
    plain = unicodedata.normalize("NFKD", name[:_LONGEST]).casefold()
    seen = "".join(sign for sign in plain if unicodedata.category(sign) not in ("Mn", "Cf", "Cc"))
    return object_key(seen.translate(_LOOK))


class LookAlikes:
    """The names of a scene by how they look."""

    def __init__(self, scene: SceneFacts) -> None:
        self._names: dict[str, list[str]] = {}
        if not all(map(str.isascii, scene.possible)):
            for name in scene.possible:
                self._names.setdefault(look_of(name), []).append(name)

    def of(self, name: str) -> tuple[str, ...]:
        """Names that are others than one of the scene and look the same."""
        if not self._names:
            return ()
        key = object_key(name)
        return tuple(other for other in self._names.get(look_of(name), ()) if other != key)


def nearest(name: str, scene: SceneFacts) -> tuple[str, ...]:
    """Names of things that are there: those that look the same first, then those that the name may mean, then those of
    a related kind, then those that are written in a similar way."""
    by_key = {object_key(item.name): item.name for item in scene.objects}
    if not by_key:
        return ()
    look, kind = look_of(name), kind_of(name[:_LONGEST])
    words = called(kind)
    near = {neighbour.label for neighbour in semantic_neighbours(kind.replace("_", " "))}
    tiers: Iterable[Iterable[str]] = (
        (key for key in by_key if look_of(key) == look),
        (key for key in by_key if not words.isdisjoint(called(kind_of(key)))),
        (key for key in by_key if kind_of(key).replace("_", " ") in near),
        difflib.get_close_matches(object_key(name[:_LONGEST]), list(by_key)[:1000], _MOST, _ALIKE),
    )
    found = dict.fromkeys(by_key[key] for tier in tiers for key in tier)
    return tuple(found)[:_MOST]
