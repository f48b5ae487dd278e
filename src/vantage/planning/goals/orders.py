"""A wish about a home, clause by clause: what shall be done with which things, and what is merely told of them.

Each verb has a frame: what is put takes a place, what is opened takes none, what is taken tells where it is, and what is
switched has "on" or "off" before or behind its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vantage.planning.goals.noun_phrases import NounPhrase, Where, noun_phrase, preposition, whereabouts
from vantage.planning.goals.verbs import Change
from vantage.planning.goals.wordings import ENDS, SIGNS, base_form, does, verb_use, words_of

_DENIALS = frozenset({"not", "never"})
_BEFORE_VERBS = frozenset(
    ("", ",", "and", "then", "please", "to", "you", "by", "just", "so", "or", "kindly", "not", "never", "mind", "now")
    + ("also", "first", "finally", "afterwards", "be", "get", "is", "being", "go", "needs", "need", "robot", "could")
    + ("that", "quickly", "carefully", "gently", "will", "can", "would", "there", "here")
)
_DESTINATIONS = frozenset(
    {"into", "onto", "on to", "in to", "to", "over to", "towards", "toward", "through to", "on top of"}
)
_TURNED = {"on": Change.SWITCH_ON, "off": Change.SWITCH_OFF}
_STATES = {
    "state on": Change.SWITCH_ON,
    "state off": Change.SWITCH_OFF,
    "state open": Change.OPEN,
    "state closed": Change.CLOSE,
}
_ENDINGS = {"open": Change.OPEN, "close": Change.CLOSE, "on": Change.SWITCH_ON, "off": Change.SWITCH_OFF}
OPPOSITE = {
    Change.OPEN: Change.CLOSE,
    Change.CLOSE: Change.OPEN,
    Change.SWITCH_ON: Change.SWITCH_OFF,
    Change.SWITCH_OFF: Change.SWITCH_ON,
}
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


def read_clauses(text: str) -> tuple[Clause, ...]:
    """What a text asks for and tells, in order; of a long text the first words."""
    found: list[Clause] = []
    sentence: list[str] = []
    for word in (*words_of(text), "."):
        if word in ENDS:
            if sentence:
                found += _Sentence(sentence).clauses()
            sentence = []
        else:
            sentence.append(word)
    return tuple(found)


class _Sentence:
    def __init__(self, words: Sequence[str]) -> None:
        self._words, self._at = words, 0
        self._found: list[Clause] = []
        self._wished = False  # "I want", "make sure"
        self._denied = False

    def clauses(self) -> list[Clause]:
        while self._at < len(self._words):
            before = self._at
            self._step()
            self._at = max(self._at, before + 1)
        return self._found

    def _here(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._words[at] if 0 <= at < len(self._words) else ""

    def _step(self) -> None:
        word = self._here()
        if word in _DENIALS:
            self._denied = True
        elif word in SIGNS:
            self._wished = self._denied = False
        elif self._is_verb():
            self._order(verb_use(word))
            return
        elif self._subject():
            return
        self._at += 1

    def _is_verb(self) -> bool:
        word, before = self._here(), self._here(-1)
        use = verb_use(word)
        if not use or use == "go":
            return False
        if use == "want" and base_form(word) in ("have", "need", "want", "like", "love") and before in ("", ","):
            return before == "" and base_form(word) == "have"
        return (
            before in _BEFORE_VERBS
            or before in ("i", "we")
            or does(before, "adverb")
            or before in SIGNS
            or word.endswith("ing")
        )

    # -- verbs

    def _order(self, use: str) -> None:
        verb, start = base_form(self._here()), self._at
        self._at += 1
        if use == "sure" or (verb == "see" and self._here() in ("to", "that")):
            self._wished = True
            return
        turned = self._turned() if use in ("switch", "put", "take", "want", "close") or verb == "fire" else None
        closing = use == "put" and self._here() in ("down", "up") and self._here(1) not in ("", ",")
        while self._here() in ("up", "down", "back", "away", "out", "over", "for", "me", "us") and not turned:
            if self._here() == "out" and self._here(1) == "of":
                break
            self._at += 1
        things = self._things()
        if not things:
            self._at = max(self._at, start + 1)
            if use == "want":
                self._wished = True
            return
        if turned is None and use in ("switch", "put", "take", "want", "close"):
            turned = self._turned_behind(use)
        if turned is not None and self._says_no_place(use):
            self._tell(turned, self._located(things))
        elif use in ("open", "close", "on", "off"):
            self._tell(_ENDINGS[use], self._located(things))
        elif use == "switch":
            self._tell(None, things)
        elif use == "fill":
            self._fill(things)
        elif use == "want":
            self._wanted(things)
        else:
            self._put(things, use, closing)

    def _turned(self) -> Change | None:
        """On or off, right behind a verb."""
        if self._here() in _TURNED and not (self._here() == "off" and self._here(1) == "of"):
            self._at += 1
            return _TURNED[self._here(-1)]
        return None

    def _turned_behind(self, use: str) -> Change | None:
        word = self._here()
        while use != "switch" and word in ("switched", "turned"):
            self._at += 1
            word = self._here()
        ends = self._here(1) in (
            "",
            ",",
            "and",
            "please",
            "for",
            "so",
            "would",
            "then",
            "now",
            "again",
            "before",
            "while",
        )
        if word in _TURNED and (ends or use == "switch"):
            self._at += 1
            return _TURNED[word]
        return None

    def _says_no_place(self, use: str) -> bool:
        """Whether "put on the lamp" is not "put on the table the lamp"."""
        return (
            use != "put"
            or preposition(self._words, self._at)[0] in ("",)
            or preposition(self._words, self._at)[0].endswith("!")
        )

    def _things(self) -> tuple[NounPhrase, ...]:
        """Names with commas and "and" between them."""
        found: list[NounPhrase] = []
        while len(found) < _MOST_THINGS:
            at = self._at
            if found:
                while at < len(self._words) and self._words[at] in (",", "and"):
                    at += 1
                if at == self._at or (at < len(self._words) and self._is_verb_at(at)):
                    break
            phrase, end = noun_phrase(self._words, at)
            if phrase is None or (found and phrase.pronoun):
                break
            if (
                found
                and end < len(self._words)
                and (does(self._words[end], "being") or does(self._words[end], "modal"))
            ):
                break
            found.append(phrase)
            self._at = end
        return tuple(found)

    def _is_verb_at(self, at: int) -> bool:
        kept, self._at = self._at, at
        try:
            return self._is_verb()
        finally:
            self._at = kept

    def _located(self, things: tuple[NounPhrase, ...]) -> tuple[NounPhrase, ...]:
        """With the places behind them, which tell where they are."""
        while True:
            if self._here() == "there":
                self._at += 1
                things = tuple(each.at(Where("in", None)) for each in things)
                continue
            where, end = whereabouts(self._words, self._at)
            if where is None or where.relation in ("with", "never"):
                return things
            self._at = end
            things = tuple(each.at(where) for each in things)

    def _put(self, things: tuple[NounPhrase, ...], use: str, closing: bool) -> None:
        places: list[tuple[str, Where]] = []
        down = ""
        while self._at < len(self._words):
            word = self._here()
            where, end = whereabouts(self._words, self._at)
            if where is not None:
                _, length = preposition(self._words, self._at)
                places.append((" ".join(self._words[self._at : self._at + length]), where))
                self._at = end
            elif word == "there" or (word == "home" and not places):
                places.append((word, Where("to", None)))
                self._at += 1
            elif word in ("back", "down", "up", "out", "away", "over", "through", "both", "all", "again", "straight"):
                down = word if word in ("down", "up") else down
                self._at += 1
            else:
                break
        sources = [where for _, where in places if where.relation == "from"]
        goals = [(said, where) for said, where in places if where.relation not in ("from", "with", "never")]
        things = tuple(each.at(*sources) for each in things)
        if not goals:
            lid = {"down": Change.CLOSE, "up": Change.OPEN}.get(down) if use == "put" and not sources else None
            self._tell(lid, things)
            return
        if use == "take" and not any(said in _DESTINATIONS or where.place is None for said, where in goals):
            self._tell(None, tuple(each.at(*(where for _, where in goals)) for each in things))
            return
        self._tell(Change.PLACE, *_placed(things, goals))

    def _fill(self, things: tuple[NounPhrase, ...]) -> None:
        filled = things[0]
        contents = tuple(where.place for where in filled.wheres if where.relation == "with" and where.place)
        if contents:
            self._tell(Change.PLACE, contents, Where("in", NounPhrase(filled.words, filled.pronoun, filled.number)))

    def _wanted(self, things: tuple[NounPhrase, ...]) -> None:
        """ "I want the lamp on", "leave the door open", "I need the mug on the table"."""
        self._wished = True
        self._predicate(things)

    # -- what is said of a subject

    def _subject(self) -> bool:
        start = self._at
        phrase, end = noun_phrase(self._words, self._at)
        if phrase is None:
            return False
        things = self._things()
        self._at = max(self._at, end)
        if not things:
            self._at = start
            return False
        if self._predicate(things):
            return True
        if self._here(-1) and preposition(self._words, self._at)[0]:
            said = " ".join(self._words[self._at : self._at + preposition(self._words, self._at)[1]])
            where, end = whereabouts(self._words, self._at)
            if where and said in _DESTINATIONS and start == 0:
                self._at = end
                self._tell(Change.PLACE, things, where)
                return True
        self._tell(None, things)
        return True

    def _predicate(self, things: tuple[NounPhrase, ...]) -> bool:
        """What behind a subject says that it shall be somewhere or in a state, or is."""
        shall, at = self._wished, self._at
        went = False
        while at < len(self._words):
            word = self._words[at]
            if does(word, "modal"):
                shall = True
            elif word in _DENIALS:
                self._denied = True
            elif verb_use(word) == "go":
                shall = went = True
            elif word in (
                "turned",
                "switched",
                "turning",
                "switching",
                "set",
                "put",
                "putting",
                "brought",
                "placed",
                "moved",
                "taken",
            ):
                shall = shall or word.endswith("ing")
            elif word.endswith("ing") and verb_use(word) in _ENDINGS and shall:
                self._at = at + 1
                self._tell(_ENDINGS[verb_use(word)], things)
                return True
            elif not (does(word, "being") or does(word, "adverb") or word in WIDE):
                break
            at += 1
        if at == self._at and not self._wished:
            return False
        place, end = whereabouts(self._words, at)
        if place is None and at < len(self._words) and self._words[at - 1] == "there" and went:
            place, end = Where("to", None), at
        if place is not None and place.relation not in ("from", "with", "never"):
            self._at = end
            more, end = whereabouts(self._words, end)
            if more is not None and is_room(more) and place.place is not None:
                place, self._at = Where(place.relation, place.place.at(more)), end
            if shall:
                self._tell(Change.PLACE, things, place)
            else:
                self._tell(None, tuple(each.at(place) for each in things))
            return True
        state = next(
            (change for use, change in _STATES.items() if at < len(self._words) and does(self._words[at], use)), None
        )
        if state is not None:
            self._at = at + 1
            self._tell(state if shall else None, things)
            return True
        self._at = at
        self._tell(None, things)
        return True

    def _tell(self, change: Change | None, things: tuple[NounPhrase, ...], place: Where | None = None) -> None:
        if self._denied and change in OPPOSITE and self._wished:
            self._found.append(Clause(OPPOSITE[change], things, place))
        else:
            self._found.append(Clause(change, things, place, self._denied))


WIDE = frozenset(
    {"wide", "fully", "completely", "properly", "tightly", "firmly", "swung", "stay", "remain", "end", "wanted"}
)


def is_room(where: Where) -> bool:
    """Whether a place is in a room, by its name."""
    return where.relation in ("in", "of") and bool(
        where.place and where.place.words and does(where.place.words[-1], "room")
    )


def _placed(things: tuple[NounPhrase, ...], goals: Sequence[tuple[str, Where]]) -> tuple[tuple[NounPhrase, ...], Where]:
    """Which of several places is where things shall be; those before it tell where they are, one behind it where that
    place is."""
    at = next((index for index, (said, _) in reversed(list(enumerate(goals))) if said in _DESTINATIONS), len(goals) - 1)
    if at == len(goals) - 1 and at > 0 and goals[at][0] not in _DESTINATIONS and is_room(goals[at][1]):
        at -= 1 if goals[at - 1][1].place is not None else 0
    before = tuple(where for _, where in goals[:at])
    aim = goals[at][1]
    if aim.place is not None:
        aim = Where(aim.relation, aim.place.at(*(where for _, where in goals[at + 1 :])))
    return tuple(each.at(*before) for each in things), aim
