"""Things that a wish does not mean: of a kind that it names, and not where it says that they are; or merely told as a
place, where what it asks for is missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from vantage.goals import SceneFacts, TaskText, object_key, rooms_of
from vantage.planning.wishes import Names, NounPhrase, Referents, read_clauses
from vantage.questions.lexicon import clear_nouns, singular

_MOST_WORDS = 200  # of a wish; what is said further behind of where things are is not looked at


@dataclass(frozen=True)
class _Said:
    """A name in a wish.

    Attributes:
        place: it is where something shall be.
        meant: keys of what it means.
        broadly: keys of what it would mean but for what is said of it.
        elsewhere: for each place that is said of it, keys of the place, and of what it would mean without.
    """

    phrase: NounPhrase
    place: bool
    meant: frozenset[str]
    broadly: frozenset[str]
    elsewhere: tuple[tuple[frozenset[str], frozenset[str]], ...]


class SaidPlaces:
    """What a wish says of where things are. Tasks with a name, and scenes without rooms, tell nothing here."""

    def __init__(self, task: TaskText, scene: SceneFacts) -> None:
        self._task, self._scene = task, scene

    def instead_of(self, name: str, places: frozenset[str] = frozenset()) -> str:
        """The words for what is meant where a thing of the kind is in another place or state; empty otherwise.

        Args:
            places: keys of where it shall be, which tell nothing of where it is.
        """
        key, told = object_key(name), ""
        for said in self._said:
            if key in said.meant or any(places & where and key in found for where, found in said.elsewhere):
                return ""
            if key in said.broadly:
                told = _told(said.phrase)
        return told

    def instead_of_missing(self, name: str) -> str:
        """The words for what shall be changed and is not there, where a thing is spoken of as a place alone."""
        key = object_key(name)
        if any(key in said.broadly for said in self._said if not said.place):
            return ""
        return self._missing

    def means(self, name: str) -> bool:
        """Whether the words mean a thing, with what they say of where it is."""
        return any(object_key(name) in said.meant for said in self._said)

    @cached_property
    def _missing(self) -> str:
        return next((said.phrase.text for said in self._said if not said.place and _is_missing(said)), "")

    @cached_property
    def _said(self) -> tuple[_Said, ...]:
        if self._task.name or not self._task.text.strip() or not rooms_of(self._scene):
            return ()
        things = Referents(self._scene, Names())
        found: list[_Said] = []
        for clause in read_clauses(self._task.text, _MOST_WORDS):
            places = (clause.place.place,) if clause.place and clause.place.place else ()
            for phrase in (*clause.things, *places):
                things.note_places(phrase)
                if not phrase.words and phrase.pronoun != "one":
                    continue
                meant = things.meant(phrase)
                asked = clause.change is not None and not clause.denied
                found.append(_read(phrase, meant, things, phrase in places, asked))
                things.places += [name for name in meant[:1] if phrase in places]
        return tuple(found)


def _read(phrase: NounPhrase, meant: tuple[str, ...], things: Referents, place: bool, asked: bool) -> _Said:
    elsewhere = []
    for where in phrase.wheres[:4]:
        if where.place is not None and where.relation != "state":
            others = replace(phrase, wheres=tuple(each for each in phrase.wheres if each is not where))
            elsewhere.append((_keys(things.meant(where.place)), _keys(things.meant(others))))
    broadly = _keys(things.broadly(phrase)) if phrase.words else frozenset()
    return _Said(phrase, place or not asked and not broadly, _keys(meant), broadly, tuple(elsewhere))


def _is_missing(said: _Said) -> bool:
    """Whether a name is an everyday one and nothing there is of its kind."""
    words = said.phrase.words
    usual = words and not clear_nouns().isdisjoint((singular(said.phrase.text), singular(words[-1])))
    return bool(usual) and not said.broadly and not said.meant


def _keys(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(object_key, names))


def _told(phrase: NounPhrase) -> str:
    places = (where.place.text for where in phrase.wheres if where.place is not None and where.relation != "state")
    return " of the ".join(dict.fromkeys((phrase.text, *filter(None, places))))
