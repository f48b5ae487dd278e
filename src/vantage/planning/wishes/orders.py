"""A wish about a home, clause by clause: what shall be done with which things, and what is merely told of them.

Each verb has a frame: what is put takes a place, what is opened takes none, what is taken tells where it is, and what
is switched has "on" or "off" before or behind its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vantage.planning.wishes.noun_phrases import NounPhrase, Where, noun_phrase, preposition, whereabouts
from vantage.planning.wishes.placing import DESTINATIONS, at_all, is_room, placed
from vantage.planning.wishes.verbs import NUMBERS, Change
from vantage.planning.wishes.wordings import ENDS, MOST_WORDS, SIGNS, base_form, does, name_length, verb_use, words_of

_DENIALS = frozenset({"not", "never"})
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


def read_clauses(text: str, most: int = MOST_WORDS) -> tuple[Clause, ...]:
    """What a text asks for and tells, in order.

    Args:
        most: words and signs that are read.
    """
    found: list[Clause] = []
    sentence: list[str] = []
    for word in (*words_of(text)[:most], "."):
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
        elif preposition(self._words, self._at)[0] == "never":  # "without bumping into the globe"
            while self._here() and self._here() not in SIGNS:
                self._at += 1
            return
        elif word in ("sure", "certain"):
            self._wished = True
        elif self._is_verb():
            self._order(verb_use(word))
            return
        elif self._subject():
            return
        else:
            where, end = whereabouts(self._words, self._at)
            if where is not None and is_room(where):  # "it smells in the kitchen"
                self._tell(None, (NounPhrase(pronoun="it").at(where),))
                self._at = end
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
            not before
            or does(before, "before a verb")
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
            if self._here() in ("and", "or") and _TURNED.get(self._here(1), turned) is not turned:
                self._tell(_TURNED[self._here(1)], things)
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
                things = at_all(things, Where("in", None))
                continue
            where, end = whereabouts(self._words, self._at)
            if where is None or where.relation in ("with",):
                return things
            self._at = end
            things = at_all(things, where)

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
        goals = [(said, where) for said, where in places if where.relation not in ("from", "with")]
        things = at_all(things, *sources)
        if not goals:
            lid = {"down": Change.CLOSE, "up": Change.OPEN}.get(down) if use == "put" and not sources else None
            self._tell(lid, things)
            return
        if use == "take" and not any(said in DESTINATIONS or where.place is None for said, where in goals):
            self._tell(None, tuple(each.at(*(where for _, where in goals)) for each in things))
            return
        self._tell(Change.PLACE, *placed(things, goals))

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
        phrase, end = noun_phrase(self._words, self._at) if self._may_be_name() else (None, start)
        if phrase is None:
            return False
        things = self._things()
        self._at = max(self._at, end)
        if not things:
            self._at = start
            return False
        where, end = whereabouts(self._words, self._at)
        said = " ".join(self._words[self._at : self._at + preposition(self._words, self._at)[1]])
        if where is not None and said in DESTINATIONS and start == 0:
            self._at = end
            self._tell(Change.PLACE, things, where)
            return True
        if where is not None and self._goes_on(end):
            things, self._at = tuple(each.at(where) for each in things), end
        if self._predicate(things):
            return True
        things = self._located(things)
        self._tell(None, things)
        return True

    def _may_be_name(self) -> bool:
        """Whether a name begins here: with an article, a number, a pronoun, a noun or a word before that."""
        word, rest = self._here(), tuple(self._words[self._at : self._at + 5])
        if does(word, "determiner") or does(word, "pronoun") or word in NUMBERS or word.isdigit():
            return True
        return bool(name_length(rest[:4])) or (self._at == 0 and bool(name_length(rest[1:])))

    def _goes_on(self, at: int) -> bool:
        """Whether it is said here what is so of a subject, or shall be."""
        word = self._words[at] if at < len(self._words) else ""
        return does(word, "being") or does(word, "modal") or verb_use(word) == "go"

    def _predicate(self, things: tuple[NounPhrase, ...]) -> bool:
        """What behind a subject says that it shall be somewhere or in a state, or is."""
        shall, at = self._wished, self._at
        went = False
        source, end = whereabouts(self._words, at)
        if source is not None and source.relation == "from":
            things, at = tuple(each.at(source) for each in things), end
        while at < len(self._words):
            word = self._words[at]
            if does(word, "modal") or does(word, "wished"):
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
            elif word in ("up", "down", "out") and whereabouts(self._words, at + 1)[0] is not None:
                pass
            elif not (does(word, "being") or does(word, "adverb") or does(word, "wide")):
                break
            at += 1
        if at == self._at and not self._wished:
            return False
        place, end = whereabouts(self._words, at)
        if place is None and at < len(self._words) and self._words[at - 1] == "there" and went:
            place, end = Where("to", None), at
        if place is not None and place.relation not in ("from", "with"):
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
        needing = at > 0 and base_form(self._words[at - 1]) in ("need", "want")
        self._at = noun_phrase(self._words, at)[1] if needing else at
        self._tell(None, things)
        return True

    def _tell(self, change: Change | None, things: tuple[NounPhrase, ...], place: Where | None = None) -> None:
        if self._denied and change in OPPOSITE and self._wished:
            self._found.append(Clause(OPPOSITE[change], things, place))
        else:
            self._found.append(Clause(change, things, place, self._denied))
