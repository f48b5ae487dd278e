"""Facts of a scene: what is there, in which state it is and can be, and how things stand to each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

_NUMBER = re.compile(r"_\d+$")
_SENSE = re.compile(r"\.[a-z]\.\d+$")  # as WordNet numbers them: ``cup.n.01``


@lru_cache(maxsize=16384)
def object_key(name: str) -> str:
    """By what names of objects are compared: small letters, and ``_`` between words."""
    key = name.strip().lower()
    usual = "__" not in key and len(key.split(None, 1)) < 2  # nothing to be replaced
    return key if usual else re.sub(r"[\s_]+", "_", key)


@lru_cache(maxsize=4096)
def word_key(word: str) -> str:
    """By what states, relations and actions are compared: ``Toggled_On`` and ``ToggledOn`` are one."""
    key = word.lower()
    return key if key.isalnum() else re.sub(r"[\W_]+", "", key)


@lru_cache(maxsize=16384)
def kind_of(name: str) -> str:
    """What kind of thing a name tells of: ``cup`` of ``cup_2`` and ``cup.n.01_2``, the name itself where it is no
    instance."""
    key = _NUMBER.sub("", object_key(name))
    return _SENSE.sub("", key) if "." in key else key


@dataclass(frozen=True)
class SceneObject:
    """One thing.

    Attributes:
        name: as a scene calls it; several may have the same.
        initial: states that it is in.
        possible: states that it can be in.
    """

    name: str
    initial: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fact:
    """A state of one object, or a relation of several; ``holds`` is false where it is denied."""

    predicate: str
    objects: tuple[str, ...]
    holds: bool = True


@dataclass(frozen=True)
class SceneFacts:
    """All that is known of a scene; what it does not name is not there.

    Attributes:
        facts: relations, and states that are not listed with their objects.
    """

    objects: tuple[SceneObject, ...] = ()
    facts: tuple[Fact, ...] = ()

    @cached_property
    def possible(self) -> Mapping[str, frozenset[str]]:
        """What each object can be, by ``object_key`` and ``word_key``; objects of one name count as one. A state in
        which an object is, or is said not to be, is a possible one."""
        found: dict[str, set[str]] = {}
        for item in self.objects:
            states = found.setdefault(object_key(item.name), set())
            states.update(word_key(state) for state in (*item.possible, *item.initial))
        for fact in self.facts:
            if len(fact.objects) == 1 and object_key(fact.objects[0]) in found:
                found[object_key(fact.objects[0])].add(word_key(fact.predicate))
        return {name: frozenset(states) for name, states in found.items()}

    def has(self, name: str) -> bool:
        return object_key(name) in self.possible

    def without(self, name: str) -> SceneFacts:
        """The scene without every object of a name, and without what is told of it."""
        gone = object_key(name)
        return SceneFacts(
            tuple(item for item in self.objects if object_key(item.name) != gone),
            tuple(fact for fact in self.facts if gone not in map(object_key, fact.objects)),
        )

    def renamed(self, names: Mapping[str, str]) -> SceneFacts:
        """The same scene with other names, by ``object_key`` of the old ones."""
        return SceneFacts(
            tuple(replace(item, name=names.get(object_key(item.name), item.name)) for item in self.objects),
            tuple(
                replace(fact, objects=tuple(names.get(object_key(name), name) for name in fact.objects))
                for fact in self.facts
            ),
        )
