"""What all readers of a sentence share: its words, names with places behind them, and what was found so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vantage.planning.wishes.noun_phrases import NounPhrase, Where, noun_phrase, whereabouts
from vantage.planning.wishes.placing import at_all, is_room
from vantage.planning.wishes.verbs import Change
from vantage.planning.wishes.wordings import SIGNS, base_form, does, gives, name_length, verb_use

DENIALS = frozenset({"not", "never"})
STATES = {
    "state on": Change.SWITCH_ON,
    "state off": Change.SWITCH_OFF,
    "state open": Change.OPEN,
    "state closed": Change.CLOSE,
}
ENDINGS = {"open": Change.OPEN, "close": Change.CLOSE, "on": Change.SWITCH_ON, "off": Change.SWITCH_OFF}
OPPOSITE = {
    Change.OPEN: Change.CLOSE,
    Change.CLOSE: Change.OPEN,
    Change.SWITCH_ON: Change.SWITCH_OFF,
    Change.SWITCH_OFF: Change.SWITCH_ON,
}
_WHO_MAY = frozenset({"you", "somebody", "someone", "anybody", "anyone"})
_MOST_THINGS = 12  # of one verb


@dataclass(frozen=True)
class Clause:
    """What is said of things.

    Attributes:
        change: what shall be done; None where something is only told of them.
        place: where they shall be.
        denied: that it shall not be done.
    """

    change: Change | None
    things: tuple[NounPhrase, ...]
    place: Where | None = None
    denied: bool = False


class Reader:
    """Reads a sentence from its first word to its last."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words, self._at = words, 0
        self._found: list[Clause] = []
        self._wished = False  # "I want", "make sure"
        self._denied = False
        self._done = False  # "I have left"

    def _here(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._words[at] if 0 <= at < len(self._words) else ""

    def _is_verb(self) -> bool:
        word, before = self._here(), self._here(-1)
        use = verb_use(word)
        if not use or use == "go" or (word in ("light", "lights") and does(self._here(1), "going out")):
            return False
        if use == "want" and base_form(word) in ("have", "need", "want", "like", "love") and before in ("", ","):
            return before == "" and base_form(word) == "have"
        return (
            not before
            or does(before, "before a verb")
            or does(before, "adverb")
            or (does(before, "modal") and self._words[0] in _WHO_MAY)  # "somebody should close it"
            or before in SIGNS
            or word.endswith("ing")
        )

    def _is_verb_at(self, at: int) -> bool:
        kept, self._at = self._at, at
        try:
            return self._is_verb()
        finally:
            self._at = kept

    def _ends_at(self, at: int) -> bool:
        """Whether nothing follows but signs and words with which people are addressed."""
        return all(word in SIGNS or does(word, "addressed") for word in self._words[at : at + 4])

    def _things(self) -> tuple[NounPhrase, ...]:
        """Names with commas and "and" between them."""
        found: list[NounPhrase] = []
        while len(found) < _MOST_THINGS:
            phrase, end = self._next_name(bool(found))
            if phrase is None:
                break
            found.append(phrase)
            self._at = end
        return tuple(found)

    def _next_name(self, further: bool) -> tuple[NounPhrase | None, int]:
        """A name that begins here and where it ends; a further one behind a comma or "and" alone."""
        at = self._at
        if further:
            while at < len(self._words) and self._words[at] in (",", "and"):
                at += 1
            if at == self._at or (at < len(self._words) and self._is_verb_at(at)):
                return None, self._at
        phrase, end = noun_phrase(self._words, at)
        if phrase is None:
            return None, self._at
        if further:
            bare = phrase.words[:1] == (self._words[at],) and not name_length(phrase.words[:4])
            said = end < len(self._words) and (does(self._words[end], "being") or does(self._words[end], "modal"))
            unknown = bare and not name_length(phrase.words[-1:])
            if (phrase.pronoun and phrase.pronoun != "one") or said or unknown:
                return None, self._at
        return phrase, end

    def _located(self, things: tuple[NounPhrase, ...]) -> tuple[NounPhrase, ...]:
        """With the places behind them, which tell where they are."""
        while True:
            if self._here() == "there":
                self._at += 1
                things = at_all(things, Where("in", None))
                continue
            where, end = whereabouts(self._words, self._at)
            if where is None or where.relation in ("with",):
                return things
            self._at = end
            things = at_all(things, where)

    def _all_located(self, things: tuple[NounPhrase, ...]) -> tuple[NounPhrase, ...]:
        """With the places behind them, and with further things behind these: "the lamp in the hall and the radio"."""
        things = self._located(things)
        while len(things) < _MOST_THINGS:
            phrase, end = self._next_name(True)
            if phrase is None:
                break
            self._at = end
            before = things[-1].wheres[-1:]
            if before and is_room(before[0]) and phrase.words and does(phrase.words[-1], "room"):
                things += (replace(things[-1], wheres=(*things[-1].wheres[:-1], Where("in", phrase))),)
                continue
            things += self._located((phrase,))
        return things

    def _tell(self, change: Change | None, things: tuple[NounPhrase, ...], place: Where | None = None) -> None:
        if self._done and change is not None:
            change, things, place = None, at_all(things, place) if place else things, None
        if change in OPPOSITE:
            things = tuple(map(_giver, things))
        if self._denied and change in OPPOSITE and self._wished:
            self._found.append(Clause(OPPOSITE[change], things, place))
        else:
            self._found.append(Clause(change, things, place, self._denied))


def _giver(thing: NounPhrase) -> NounPhrase:
    """What gives that which is turned on or off, where this has a place: the stove for "the heat on the stove"."""
    if not thing.words or not gives(thing.words[-1]) or len(thing.words) > 2:
        return thing
    places = (where.place for where in thing.wheres if where.relation in ("on", "to", "of", "from", "in"))
    place = next((place for place in places if place is not None), None)
    if place is None or (place.words and does(place.words[-1], "room")):
        return thing
    return replace(place, wheres=(*place.wheres, *thing.wheres[1:]))
