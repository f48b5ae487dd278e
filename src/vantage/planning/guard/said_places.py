"""Things that a wish does not mean although its words license them: of a kind that it names, and not where it says that
they are; told as a place alone, where something else shall be changed; or named by a part of another name alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from vantage.goals import SceneFacts, TaskText, kind_of, object_key, rooms_of
from vantage.planning.guard.task_words import TaskWords
from vantage.planning.wishes import (
    Change,
    Clause,
    Names,
    NounPhrase,
    Referents,
    gives,
    is_no_thing,
    is_part,
    is_room_word,
    other_sort,
    read_clauses,
)
from vantage.questions.lexicon import household_nouns, names_thing, singular

_MOST_WORDS = 200  # of a wish; what is said further behind of where things are is not looked at
_MOST_PLACES = 4  # of one name


@dataclass(frozen=True)
class _Said:
    """A name in a wish.

    Attributes:
        asked: what shall be done with it; None where it is only told of, or a place.
        place: it is where something is or shall be.
        meant: keys of what it means.
        broadly: keys of what it would mean but for what is said of it.
        elsewhere: for each place that is said of it, keys of the place, and of what it would mean without.
    """

    phrase: NounPhrase
    asked: Change | None
    place: bool
    meant: frozenset[str]
    broadly: frozenset[str]
    elsewhere: tuple[tuple[frozenset[str], frozenset[str]], ...]


class SaidPlaces:
    """What a wish says of where things are. Tasks with a name, and scenes without rooms, tell nothing here."""

    def __init__(self, task: TaskText, scene: SceneFacts) -> None:
        self._task, self._scene = task, scene
        self._rooms = frozenset(map(object_key, rooms_of(scene)))

    def means(self, name: str) -> bool:
        """Whether the words mean a thing, with what they say of where it is."""
        return any(object_key(name) in said.meant for said in self._said)

    def instead_of(self, name: str, places: Iterable[str] = (), *, changed: bool = False, moved: bool = False) -> str:
        """The words for what is meant instead of a thing; empty where it may be meant.

        Args:
            places: where it shall be, which tells nothing of where it is.
            changed: it is what the goal moves or changes, no place.
            moved: the goal moves it.
        """
        if not self._said or object_key(name) in self._rooms:
            return ""
        other = self._elsewhere(name, frozenset(map(object_key, places))) or self._part_of_name(name)
        return other or (self._place_alone(name, moved) if changed else "")

    def _elsewhere(self, name: str, places: frozenset[str]) -> str:
        """What is meant where a thing of the kind is in another place or state."""
        key, told = object_key(name), ""
        for said in self._said:
            if key in said.meant or any(places & where and key in found for where, found in said.elsewhere):
                return ""
            if key in said.broadly:
                told = _told(said.phrase)
        return told

    def _place_alone(self, name: str, moved: bool) -> str:
        """What shall be changed, where a thing is not told of but as a place: what is missing, or is there."""
        key, asked = object_key(name), [said for said in self._said if said.asked is not None and not said.place]
        if any(key in said.broadly or key in said.meant for said in self._said if not said.place):
            return ""
        missing = next((said.phrase.text for said in asked if _is_missing(said, moved)), "")
        if missing or any(said.phrase.pronoun for said in asked):
            return missing
        as_place = any(key in said.meant for said in self._said if said.place)
        return next((said.phrase.text for said in asked if as_place and said.broadly), "")

    def _part_of_name(self, name: str) -> str:
        """The name of which one for a thing is a mere part: "bread bin" means no bread, a bedside table no table."""
        key, kind = object_key(name), kind_of(name).replace("_", " ")
        if any(key in said.broadly for said in self._said):
            return ""
        for said in self._said:
            *before, last = said.phrase.words or ("",)
            if not before or is_part(said.phrase.words) or gives(last):
                continue
            words = TaskWords(" ".join(word for word in before if not is_room_word(word)))
            if not names_thing(singular(last)) and (words.name_itself(name) or not words.name(name)):
                continue
            other = other_sort(singular(said.phrase.text), kind) and TaskWords(last).name(name)
            if other or words.name(name):
                return said.phrase.text
        return ""

    @cached_property
    def _said(self) -> tuple[_Said, ...]:
        if self._task.name or not self._task.text.strip() or not self._rooms:
            return ()
        things = Referents(self._scene, Names())
        found: list[_Said] = []
        for clause in read_clauses(self._task.text, _MOST_WORDS):
            found += _read(clause, things)
        return tuple(found)


def _read(clause: Clause, things: Referents) -> list[_Said]:
    found: list[_Said] = []
    asked = None if clause.denied else clause.change
    for phrase in clause.things:
        around = [where.place for where in phrase.wheres[:_MOST_PLACES] if where.place and where.relation != "state"]
        found += (_one(place, None, True, things) for place in around)
        found.append(_one(phrase, asked, False, things))
        if clause.change is None:  # "the bathroom is steamed up", and "there" means it
            things.places += things.rooms_of(phrase)
    if clause.place is not None and clause.place.place is not None:
        aim = clause.place.place
        around = [where.place for where in aim.wheres[:_MOST_PLACES] if where.place and where.relation != "state"]
        found += (_one(place, None, True, things) for place in (*around, aim))
        things.places += things.meant(aim)[:1]
    return found


def _one(phrase: NounPhrase, asked: Change | None, place: bool, things: Referents) -> _Said:
    things.note_places(phrase)
    if not phrase.words and phrase.pronoun != "one":
        return _Said(phrase, asked, place, frozenset(), frozenset(), ())
    meant = things.meant(phrase)
    elsewhere = []
    for where in phrase.wheres[:_MOST_PLACES]:
        if where.place is not None and where.relation != "state":
            others = replace(phrase, wheres=tuple(each for each in phrase.wheres if each is not where))
            elsewhere.append((_keys(things.meant(where.place)), _keys(things.meant(others))))
    broadly = things.broadly(phrase) if phrase.words else meant
    return _Said(phrase, asked, place, _keys(meant), _keys(broadly), tuple(elsewhere))


def _is_missing(said: _Said, moved: bool) -> bool:
    """Whether a name is that of a thing and nothing there is of its kind; what shall be put somewhere is a thing."""
    words = said.phrase.words
    if not words or said.broadly or said.meant or is_part(words) or gives(words[-1]) or is_no_thing(words[-1]):
        return False
    usual = not household_nouns().isdisjoint((singular(said.phrase.text), singular(words[-1])))
    return usual or (moved and said.asked is Change.PLACE)


def _keys(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(object_key, names))


def _told(phrase: NounPhrase) -> str:
    places = (where.place.text for where in phrase.wheres if where.place is not None and where.relation != "state")
    return " of the ".join(dict.fromkeys((phrase.text, *filter(None, places))))
