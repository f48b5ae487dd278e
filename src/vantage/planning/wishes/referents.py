"""Which things of a scene a name in a wish means: by kind, state and room, and by where it tells that they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from vantage.goals import SceneFacts, kind_of, object_key, word_key
from vantage.planning.wishes.naming import Names, instances, is_part
from vantage.planning.wishes.noun_phrases import NounPhrase, Where
from vantage.planning.wishes.wordings import does
from vantage.questions.lexicon import called_alike, canonical, household_nouns, names_thing, singular

_MOST_NAMED = 8  # kinds that "one" may mean
_LOOSE = frozenset({"near", "under", "over", "with", "to"})
_INSIDE = frozenset({"cupboard", "cupboards", "compartment", "shelf", "shelves"})  # parts of what is named before
_SAID = dict.fromkeys(("filthy", "grubby", "grimy", "mucky", "unwashed"), "dirty") | {"spotless": "clean"}


class Referents:
    """Things by their names.

    Args:
        names: by which words find kinds.
    """

    def __init__(self, scene: SceneFacts, names: Names) -> None:
        self._scene, self._names = scene, names
        self.last: tuple[str, ...] | None = ()  # what pronouns mean; None for something that is not there
        self._rooms_said: dict[tuple[str, ...], str | None] = {}
        self._known: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._named: list[tuple[str, ...]] = []  # kinds, by their words
        self.some_of_last = 0  # how many of them pronouns mean; 0 for all
        self.absent = ""  # the name of that
        self.places: list[str] = []  # that were named, the last one at the end
        self.lacking = ""  # the name of what was looked for last and is not there

    @cached_property
    def _told(self) -> dict[str, list[tuple[str, str]]]:
        """Relations of each thing, and to what."""
        found: dict[str, list[tuple[str, str]]] = {}
        for fact in self._scene.facts:
            if fact.holds and len(fact.objects) == 2:
                name, place = map(object_key, fact.objects)
                found.setdefault(name, []).append((word_key(fact.predicate), place))
        return found

    @cached_property
    def _rooms(self) -> dict[str, str]:
        """Names of rooms in words, with their names in the scene."""
        owners = {place for told in self._told.values() for relation, place in told if relation in ("in", "inside")}
        return {
            canonical(kind_of(item.name).replace("_", " ")): item.name
            for item in self._scene.objects
            if (key := object_key(item.name)) in owners and key not in self._told and not self._scene.possible[key]
        }

    @cached_property
    def _states(self) -> dict[str, frozenset[str]]:
        return {object_key(item.name): frozenset(map(word_key, item.initial)) for item in self._scene.objects}

    def is_so(self, name: str, state: str) -> bool:
        return word_key(state) in self._states[object_key(name)]

    def is_at(self, name: str, relation: str, place: str) -> bool:
        """Whether a thing is in or on another one, as told."""
        around = self._told.get(object_key(name), ())
        return any(found == (word_key(relation), object_key(place)) for found in around)

    def usual(self, phrase: NounPhrase) -> bool:
        """Whether a name seldom means anything but a thing of homes."""
        return self._names.usual(phrase.words)

    def meant(self, phrase: NounPhrase) -> tuple[str, ...]:
        """All things that a name may mean, in the order of the scene; none where none is there."""
        if phrase.pronoun == "one" and (told := self._one(phrase)):
            self.lacking = ""
            return told
        if phrase.pronoun:
            found = tuple(self.last or ())
            self.lacking = "" if found else self.absent or phrase.pronoun
            return found
        self.lacking = ""
        found = self._by_words(phrase.words)
        for where in phrase.wheres:
            if found:
                there = self._there(found, where)
                found = there or (found if where.loose else ())
        if not found:
            self.lacking = self.lacking or phrase.text
        return found

    def _one(self, phrase: NounPhrase) -> tuple[str, ...]:
        """What "one" means: of the kinds that were named, the last one first, one that has things there; "one" without
        a place means the kind of the last thing."""
        around = {where.place.words for where in phrase.wheres if where.place is not None}
        for words in reversed(self._named[-_MOST_NAMED:]):
            if words in around:
                continue
            found = self._of_kind(words)
            for where in phrase.wheres:
                found = self._there(found, where) if found else ()
                if where.relation == "state" and where.place is not None:
                    found = self._able(found, where.place.words[0])
            if found:
                return tuple(name for name in found if name in (self.last or ())) or found
        return ()

    def _able(self, found: tuple[str, ...], said: str) -> tuple[str, ...]:
        """Those that can be in a state; all where nothing in the scene can."""
        state, possible = _SAID.get(said, said), self._scene.possible
        known = any(state in states for states in possible.values())
        return tuple(name for name in found if state in possible[object_key(name)]) if known else found

    def broadly(self, phrase: NounPhrase) -> tuple[str, ...]:
        """All things of the kind that a name says, wherever and however they are."""
        words = phrase.words
        while len(words) > 1 and (length := self._room_length(words) or int(does(words[0], "state word"))):
            words = words[length:]
        return self._of_kind(words) if words else ()

    def rooms_of(self, phrase: NounPhrase) -> tuple[str, ...]:
        """The room that a name is that of."""
        room = self._room(phrase.words) if phrase.words else None
        return () if room is None else (room,)

    def is_room(self, name: str) -> bool:
        return name in self._rooms.values()

    def note_places(self, phrase: NounPhrase) -> None:
        """Keeps where a thing is said to be, so that "there" means it."""
        for where in phrase.wheres:
            if where.place is not None and where.place.words:
                self.places += self.meant(where.place)[:1]

    def _by_words(self, words: tuple[str, ...]) -> tuple[str, ...]:
        if not words:
            return ()
        room = self._room(words)
        if room and not (len(words) == 1 and instances(canonical(words[0]), self._scene)):
            return (room,)
        tests: list[Callable[[str], bool]] = []
        while len(words) > 1:
            length = self._room_length(words)
            if length:
                tests.append(self._in_room(words, length))
            elif does(words[0], "state word"):
                tests.append(self._in_state(words[0]))
            elif self._is_name(words):
                break
            words = words[max(length, 1) :]
        found = self._of_kind(words)
        if found and (not self._named or self._named[-1] != words):
            self._named.append(words)
        for test in tests:
            found = tuple(filter(test, found))
        return self._where_named(words, found)

    def _where_named(self, words: tuple[str, ...], found: tuple[str, ...]) -> tuple[str, ...]:
        """Of things those by what the first word of their name tells of: bedside lamps, sofa cushions; all where none
        is."""
        if len(words) < 2 or len(found) < 2:
            return found
        if words[0] != "bedside":
            places = self._of_kind(words[:1]) if names_thing(words[0]) else ()
            return tuple(name for name in found if self._within(name, set(map(object_key, places)))) or found
        beds = set(map(object_key, self._of_kind(("bed",))))
        by_bed = {place for key in beds for _, place in self._told.get(key, ())}
        stands = set(map(object_key, self._of_kind(("nightstand",)))) - set(map(object_key, found))
        beside = tuple(name for name in found if self._within(name, stands))
        return beside or tuple(name for name in found if self._within(name, by_bed)) or found

    def _is_name(self, words: tuple[str, ...]) -> bool:
        """Whether the first word belongs to the name of a kind."""
        if names_thing(singular(" ".join(words))) or names_thing(words[0]):
            return True
        return bool(self._names.meant(words, self._scene))

    def _room(self, words: tuple[str, ...]) -> str | None:
        """The name of a room in the scene, by any word for it."""
        if words not in self._rooms_said:
            said = canonical(" ".join(words))
            alike = (name for called, name in self._rooms.items() if called_alike(said, called))
            self._rooms_said[words] = self._rooms.get(said) or next(alike, None)
        return self._rooms_said[words]

    def _room_length(self, words: tuple[str, ...]) -> int:
        for length in (2, 1):
            if len(words) > length and does(words[length - 1], "room"):
                return length
        return 0

    def _in_room(self, words: tuple[str, ...], length: int) -> Callable[[str], bool]:
        """A test of who is in a room; where the whole is an everyday name, such as kitchen knife, no test."""
        room, whole = self._room(words[:length]), singular(" ".join(words))
        if whole in household_nouns() and (
            room is None or not any(self._is_in(each, room) for each in self._of_kind(words[length:]))
        ):
            return lambda name: True
        return lambda name: room is not None and self._is_in(name, room)

    def _in_state(self, said: str) -> Callable[[str], bool]:
        state = _SAID.get(said, said)

        def fits(name: str) -> bool:
            return state not in self._scene.possible[object_key(name)] or self.is_so(name, state)

        return fits

    def _of_kind(self, words: tuple[str, ...]) -> tuple[str, ...]:
        if words not in self._known:
            self._known[words] = self._search(words)
        return self._known[words]

    def _search(self, words: tuple[str, ...]) -> tuple[str, ...]:
        tries = [words]
        if "of" in words[1:-1]:  # "carton of milk"
            at = words.index("of")
            tries += [(*words[at + 1 :], *words[:at]), words[at + 1 :], words[:at]]
        if is_part(words) and len(words) > 1:
            tries.insert(0 if self._room(words[:-1]) is None else 1, words[:-1])
        if len(words) > 1 and words[-1] in _INSIDE:  # "the counter cupboard" of a counter
            tries.append(words[:-1])
        if len(words) > 1 and not names_thing(words[0]) and not names_thing(singular(" ".join(words))):
            tries.append(words[1:])
        for each in tries:
            kinds = self._names.meant(each, self._scene)
            if kinds:
                found = {name: None for kind in kinds for name in instances(kind, self._scene)}
                return tuple(item.name for item in self._scene.objects if item.name in found)
        return ()

    def _is_in(self, name: str, room: str) -> bool:
        key, seen = object_key(name), set[str]()
        while key not in seen:
            seen.add(key)
            around = self._told.get(key, ())
            if any(place == object_key(room) for _, place in around):
                return True
            key = next((place for _, place in around), key)
        return False

    def _there(self, found: tuple[str, ...], where: Where) -> tuple[str, ...]:
        """Of things those that are where it is told; all where facts of the scene do not tell such a thing."""
        if where.relation == "state" and where.place is not None:
            return tuple(filter(self._in_state(where.place.words[0]), found))
        if where.place is None:
            places: tuple[str, ...] = tuple(self.places[-1:])
            if not places:
                return found
        else:
            kept, last = self.lacking, self.last
            places = found and self.meant(where.place)
            lacked, self.lacking, self.last = self.lacking, kept, last
            if not places:
                last_word = where.place.words[-1] if where.place.words else ""
                of_room = where.relation == "to" and does(last_word, "room")  # "the door to the balcony"
                beside_the_point = where.relation in (*_LOOSE, "of") or bool(where.place.pronoun)
                if of_room:
                    self.lacking = lacked
                    return ()
                beside_the_point |= not names_thing(singular(last_word)) and not does(last_word, "room")
                self.lacking = kept if beside_the_point else lacked
                return found if beside_the_point else ()
        keys = set(map(object_key, places))
        if where.relation in ("under", "over"):
            return tuple(name for name in found if self._carries(name, keys)) or found
        if where.relation in ("with", "near"):
            return tuple(name for name in found if self._carries(name, keys) or self._beside(name, keys)) or found
        if where.relation in _LOOSE:
            leads = where.relation == "to" and keys <= set(map(object_key, self._rooms.values()))
            return (tuple(name for name in found if self._within(name, keys)) if leads else ()) or found
        exactly = tuple(
            name for name in found if any(told in self._told.get(object_key(name), ()) for told in _exact(where, keys))
        )
        return exactly or tuple(name for name in found if self._within(name, keys))

    def _within(self, name: str, keys: set[str]) -> bool:
        """Whether a thing is in or on one of several, however deep."""
        waiting, seen = [object_key(name)], set[str]()
        while waiting:
            key = waiting.pop()
            if key in seen:
                continue
            seen.add(key)
            around = [place for _, place in self._told.get(key, ())]
            if keys.intersection(around):
                return True
            waiting += around
        return False

    def _carries(self, name: str, keys: set[str]) -> bool:
        return any((place == object_key(name)) for key in keys for _, place in self._told.get(key, ()))

    def _beside(self, name: str, keys: set[str]) -> bool:
        """Whether a thing is on or in what one of the others is on or in, rooms left out."""
        rooms = set(map(object_key, self._rooms.values()))
        mine = {place for _, place in self._told.get(object_key(name), ())} - rooms
        return any(place in mine for key in keys - {object_key(name)} for _, place in self._told.get(key, ()))


def _exact(where: Where, keys: Iterable[str]) -> list[tuple[str, str]]:
    """Facts of what is just so in or on a thing as is said."""
    return [(word_key(where.relation), key) for key in keys]


def prefer(found: Sequence[str], *tests: Callable[[str], bool]) -> tuple[str, ...]:
    """Those that meet as many tests, in turn, as leave any."""
    kept: Iterable[str] = found
    for test in tests:
        kept = tuple(filter(test, kept)) or tuple(kept)
    return tuple(kept)
