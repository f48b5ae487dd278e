"""What a wish about a home asks of its scene: clause by clause, with the things that names and pronouns mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vantage.goals import Literal, SceneFacts, fault_of, kind_of, object_key
from vantage.planning.goals.dialects import Dialect, place_goal, state_goals
from vantage.planning.wishes import (
    Change,
    Clause,
    Names,
    NounPhrase,
    Referents,
    Where,
    gives,
    is_no_thing,
    is_part,
    is_room_word,
    prefer,
    read_clauses,
)
from vantage.questions.lexicon import is_for, names_thing, singular

_OPPOSITE_STATES = {
    Change.OPEN: ("closed",),
    Change.CLOSE: ("open",),
    Change.SWITCH_ON: ("off",),
    Change.SWITCH_OFF: ("on",),
}


@dataclass(frozen=True)
class WishDraft:
    """Goals with the changes that ask for them, and the names of what is not there.

    Attributes:
        read: something was asked for that the frames of verbs tell; otherwise nothing is known of the wish.
    """

    goals: tuple[tuple[Literal, Change], ...]
    lacks: tuple[str, ...]
    read: bool


def draft_wish(text: str, scene: SceneFacts, names: Names, dialect: Dialect) -> WishDraft:
    """
    Args:
        text: the wish.
        names: by which words find things.
    """
    clauses = read_clauses(text)
    return _Drafting(scene, names, dialect).of(clauses)


class _Drafting:
    def __init__(self, scene: SceneFacts, names: Names, dialect: Dialect) -> None:
        self._scene, self._dialect = scene, dialect
        self._things = Referents(scene, names)
        self._goals: list[tuple[Literal, Change]] = []
        self._lacks: list[str] = []
        self._read = False
        self._mentioned: tuple[str, ...] = ()  # one after another since the last change

    def of(self, clauses: tuple[Clause, ...]) -> WishDraft:
        for clause in clauses:
            if clause.change is None or clause.denied:
                self._mention(clause)
            elif clause.change is Change.PLACE and clause.place is not None:
                self._place(clause.things, clause.place)
            else:
                self._turn(clause.change, clause.things)
        goals = {literal.key: (literal, change) for literal, change in self._goals}
        return WishDraft(tuple(goals.values()), tuple(dict.fromkeys(self._lacks)), self._read)

    def _mention(self, clause: Clause) -> None:
        """What is told of things without a wish; what is not there is lacking only where a pronoun means it."""
        found: list[str] = []
        lacking = ""
        for phrase in clause.things:
            self._things.note_places(phrase)
            if phrase.words and is_no_thing(phrase.words[-1]):  # "somebody breaks his neck on that ball"
                found += (name for where in phrase.wheres if where.place for name in self._things.meant(where.place))
            if (phrase.pronoun and phrase.pronoun != "one") or (phrase.words and is_no_thing(phrase.words[-1])):
                continue
            meant = self._things.meant(phrase)
            number = len(clause.things) == 1 and (phrase.number or int(not (phrase.plural or phrase.every)))
            found += meant if number else self._some(phrase, meant)
            self._things.some_of_last = int(number)
            lacking = lacking or ("" if meant or not self._is_thing(phrase) else self._things.lacking)
        if found:
            self._things.last = tuple(found)
            self._mentioned = (*self._mentioned, found[0]) if self._things.some_of_last == 1 else tuple(found)
            if not any(where.place and where.place.words for phrase in clause.things for where in phrase.wheres):
                self._things.places += [name for name in found if not self._scene.possible[object_key(name)]]
        elif lacking:
            self._things.last, self._things.absent = None, lacking

    def _is_thing(self, phrase: NounPhrase) -> bool:
        """Whether a name that nothing bears is one that a pronoun may mean: all but words that seldom mean a thing,
        where something that is there was told of, be it as a place."""
        told = self._things.last or any(where.place and self._things.meant(where.place) for where in phrase.wheres)
        return not told or self._things.usual(phrase)

    def _turn(self, change: Change, things: tuple[NounPhrase, ...]) -> None:
        self._read = True
        told: list[str] = []
        for phrase in things:
            found = self._able(phrase, change)
            if not found:
                self._lack(phrase)
                continue
            tests: list[Callable[[str], bool]] = [
                lambda name, state=state: self._things.is_so(name, state)  # type: ignore[misc]
                for state in _OPPOSITE_STATES.get(change, ())
            ]
            for name in self._some(phrase, found, *tests):
                goals = state_goals(self._dialect, change, name, self._scene)
                self._goals += [(goal, change) for goal in goals if fault_of(goal, self._scene) is None]
                told.append(name)
        self._remember(told)

    def _lack(self, phrase: NounPhrase) -> None:
        """That a thing is not there; a pronoun for something that is known to be missing tells nothing new."""
        if phrase.words and is_no_thing(phrase.words[-1]):
            return
        if not (phrase.pronoun and self._lacks):
            self._lacks.append(self._things.lacking or phrase.text or phrase.pronoun)

    def _able(self, phrase: NounPhrase, change: Change) -> tuple[str, ...]:
        """What a name means of what can be changed so; of a pronoun the last thing that can."""

        def can(name: str) -> bool:
            return bool(state_goals(self._dialect, change, name, self._scene))

        found = tuple(filter(can, self._things.meant(phrase)))
        of_another = gives(phrase.words[-1]) or is_part(phrase.words[-1:]) if phrase.words and not found else False
        if of_another:  # "turn the heat off", "put the lid down"
            found = tuple(filter(can, self._things.last or ()))
        if not found and (phrase.pronoun or of_another) and self._things.last is not None:
            found = tuple(filter(can, reversed(self._things.places)))[:1]
        return found

    def _place(self, things: tuple[NounPhrase, ...], where: Where) -> None:
        self._read = True
        ones = [self._things.meant(phrase) if phrase.pronoun == "one" else () for phrase in things]
        places = self._where(where, things)
        if not places and not _is_idle(where):
            self._lacks.append(self._things.lacking or "place")
        told: list[str] = []
        for phrase, one in zip(things, ones, strict=True):
            found = one or self._things.meant(phrase)
            if not found:
                self._lack(phrase)
            if not found or not places:
                continue
            relation = _onto(where.relation, places[0])

            def elsewhere(name: str) -> bool:
                return name not in places and not any(self._things.is_at(name, relation, place) for place in places)  # noqa: B023

            def stands_for(name: str) -> bool:
                return name not in places

            for name in self._some(phrase, tuple(filter(stands_for, found)), elsewhere):
                if where.place is None and self._is_asked(name, places[0]):
                    told.append(name)
                    continue
                goal = place_goal(self._dialect, name, relation, places[0], self._scene)
                if goal is not None and fault_of(goal, self._scene) is None:
                    self._goals.append((goal, Change.PLACE))
                    told.append(name)
        self._remember(told)
        self._things.places += places[:1]

    def _is_asked(self, name: str, place: str) -> bool:
        """Whether a thing shall be at a place already, so that "there" says it once more."""
        return any(literal.objects == (name, place) for literal, _ in self._goals)

    def _is_elsewhere(self, place: str) -> bool:
        """Whether what was told of last is not at a place already, so that "there" may mean it."""
        last = self._things.last or ()
        return not any(self._things.is_at(name, relation, place) for name in last for relation in ("on", "in"))

    def _where(self, where: Where, things: tuple[NounPhrase, ...]) -> tuple[str, ...]:
        if where.place is None:
            places = [name for name in self._things.places if where.relation != "on" or not self._things.is_room(name)]
            self._things.lacking = "" if places else "there"
            return tuple(prefer(places, self._is_elsewhere)[-1:])
        self._things.note_places(where.place)
        kept = self._things.last
        if where.place.pronoun == "it" and not kept and kept is not None:  # "the hat on the wardrobe should go in it"
            for phrase in things:
                self._things.note_places(phrase)
            return tuple(self._things.places[-1:])
        found = self._things.meant(where.place)
        self._things.last = kept
        return found

    def _some(self, phrase: NounPhrase, found: tuple[str, ...], *tests: Callable[[str], bool]) -> tuple[str, ...]:
        """As many of what a name may mean as it says: all of several that are named without a number."""
        number = self._things.some_of_last
        if phrase.pronoun in ("them", "they", "these", "those") and number == 1:
            several = tuple(dict.fromkeys(self._mentioned))
            return several if len(several) > 1 else prefer(found, *tests)[:1]
        if phrase.pronoun in ("it", "him", "them", "they", "these", "those", "this", "that"):
            return _at_first(found, *tests)[:number] if number else found
        if phrase.every or (phrase.plural and not phrase.number):
            return found
        return prefer(found, *tests)[: phrase.number or 1]

    def _remember(self, told: list[str]) -> None:
        if told:
            self._things.last, self._things.some_of_last, self._mentioned = tuple(told), 0, ()


def _onto(relation: str, place: str) -> str:
    """Who is said to be in an armchair or in bed is on it."""
    kind = kind_of(place).replace("_", " ")
    return "on" if relation == "in" and (is_for(kind, "sit down") or is_for(kind, "sleep")) else relation


def _at_first(found: tuple[str, ...], *tests: Callable[[str], bool]) -> tuple[str, ...]:
    """Those that meet the tests before all others."""
    better = prefer(found, *tests)
    return (*better, *(name for name in found if name not in better))


def _is_idle(where: Where) -> bool:
    """Whether a place is none of a home: "I need it on the trip"."""
    words = where.place.words if where.place is not None else ()
    return bool(words) and not names_thing(singular(words[-1])) and not is_room_word(words[-1])
