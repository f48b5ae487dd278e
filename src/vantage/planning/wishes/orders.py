"""A wish about a home, clause by clause: what shall be done with which things, and what is merely told of them.

Each verb has a frame: what is put takes a place, what is opened takes none, what is taken tells where it is, and what
is switched has "on" or "off" before or behind its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vantage.planning.wishes.noun_phrases import NounPhrase, Where, noun_phrase, preposition, whereabouts
from vantage.planning.wishes.placing import DESTINATIONS, at_all, is_room, placed
from vantage.planning.wishes.predicates import Predicates
from vantage.planning.wishes.sentence import DENIALS, ENDINGS, Clause
from vantage.planning.wishes.verbs import Change
from vantage.planning.wishes.wordings import ENDS, MOST_WORDS, SIGNS, base_form, does, is_no_thing, verb_use, words_of
from vantage.questions.lexicon import names_thing

_TURNED = {"on": Change.SWITCH_ON, "off": Change.SWITCH_OFF}
_ASIDE = frozenset({"back", "down", "up", "out", "away", "over", "through", "both", "all", "again", "straight"})
_ASIDE |= {"somewhere", "anywhere", "carefully", "gently", "quickly", "please", "neatly"}
_LEFT = {"left open": Change.OPEN, "left closed": Change.CLOSE}
_SOMEBODY = frozenset({"me", "us", "him", "her", "them"})
_ANYBODY = frozenset({"who", "whoever", "somebody", "someone", "nobody", "everybody", "everyone"})
_HAVING = frozenset({"have", "need", "want", "like", "love"})
_TURNING = frozenset({"switch", "put", "take", "want", "close", "on"})  # uses of verbs with "on" or "off"
_AFTER_STATE = frozenset({"", ",", "and", "please", "for", "so", "would", "could", "then", "now", "again", "before"})
_AFTER_STATE |= {"while", "too", "when", "as", "if", "because", "thanks", "to", "after", "until", "will"}


def read_clauses(text: str, most: int = MOST_WORDS) -> tuple[Clause, ...]:
    """What a text asks for and tells, in order.

    Args:
        most: words and signs that are read.
    """
    found: list[Clause] = []
    sentence: list[str] = []
    for word in (*words_of(text)[:most], "."):
        if word in ENDS:
            sentence += ["please"] * (word == "!" and bool(sentence))
            if sentence:
                told = _Sentence(sentence, told=word == "?" and _asks_to_look(sentence)).clauses()
                if sentence[-1] == "too" or sentence[-2:] == ["as", "well"]:
                    told = _also(told, found)
                found = [*_placed_later(found, told), *told]
            sentence = []
        else:
            sentence.append(word)
    return tuple(found)


def _asks_to_look(sentence: Sequence[str]) -> bool:
    """ "See the hat over there?", "can you see the box?", which is no wish."""
    at = sentence.index("see") if "see" in sentence[:3] else None
    return at is not None and sentence[at + 1 : at + 2] != ["to"] and "that" not in sentence[at + 1 : at + 2]


def _placed_later(before: list[Clause], told: Sequence[Clause]) -> list[Clause]:
    """What was asked for, with the place that is told of it behind: "bring the book to the hall. It's on the bed." """
    if not before or len(told) != 1 or told[0].change is not None or len(told[0].things) != 1:
        return before
    last, thing = before[-1], told[0].things[0]
    asked = last.change is not None and len(last.things) == 1 and last.things[0].words and not last.things[0].wheres
    wheres = [where for where in thing.wheres if where.place is not None and where.relation in ("in", "on")]
    if not asked or thing.pronoun not in ("it", "they") or not wheres:
        return before
    return [*before[:-1], replace(last, things=(last.things[0].at(*wheres),))]


def _also(told: list[Clause], before: Sequence[Clause]) -> list[Clause]:
    """What is told behind an order with "too" is asked for as well: "Turn off the radio. The lamp in the hall too." """
    last = before[-1] if before else None
    if last is None or last.change is None or last.denied or any(clause.change for clause in told):
        return told
    return [replace(clause, change=last.change, place=last.place) for clause in told]


class _Sentence(Predicates):
    """
    Args:
        told: it asks for nothing.
    """

    def __init__(self, words: Sequence[str], *, told: bool = False) -> None:
        super().__init__(words)
        self._told = told

    def clauses(self) -> list[Clause]:
        told = not any(does(word, "modal") or word in ("you", "please") for word in self._words[1:4])
        self._done = self._told or (self._words[0] in _ANYBODY and told)  # "who keeps leaving the door open"
        while self._at < len(self._words):
            before = self._at
            self._step()
            self._at = max(self._at, before + 1)
        return self._found

    def _step(self) -> None:
        word = self._here()
        if word in DENIALS:
            self._denied = True
        elif word in SIGNS:
            self._wished = self._denied = self._done = False
        elif preposition(self._words, self._at)[0] == "never":  # "without bumping into the globe"
            while self._here() and self._here() not in SIGNS:
                self._at += 1
            return
        elif word in ("sure", "certain"):
            self._wished = True
        elif self._at == 0 and self._state(0) is not None and self._ends_at(1):  # "Off, please"
            self._tell(self._state(0), (NounPhrase(pronoun="it"),))
        elif (word == "let" and self._lets_in()) or (self._here(-1) in ("", ",", "and", "then") and self._fronted()):
            return
        elif self._is_verb():
            self._order(verb_use(word))
            return
        elif self._subject():
            return
        else:
            where, end = whereabouts(self._words, self._at)
            if where is not None and (
                is_room(where) or where.relation in ("near", "under")
            ):  # "it smells in the kitchen"
                self._tell(None, (NounPhrase(pronoun="it").at(where),))
                self._at = end
                return
        self._at += 1

    def _fronted(self) -> bool:
        """ "Off with the lamp", "into the sink with it", "into the sink goes the plate"."""
        if self._here() in _TURNED and self._here(1) == "with":
            change, start = _TURNED[self._here()], self._at
            self._at += 2
            things = self._things()
            if not things:
                self._at = start
                return False
            self._tell(change, self._all_located(things))
            return True
        where, end = whereabouts(self._words, self._at)
        if where is None or where.place is None or where.relation not in ("in", "on", "to", "over"):
            return False
        *rest, last = where.place.wheres or (None,)
        if last is not None and last.relation == "with" and last.place is not None and self._ends_at(end):
            self._at = end
            self._tell(Change.PLACE, (last.place,), Where(where.relation, _at_only(where.place, rest)))
            return True
        at = end
        subject, end = noun_phrase(self._words, at)  # "in the bin it goes"
        if subject is None or not subject.pronoun:
            subject, end = None, at
        if end < len(self._words) and base_form(self._words[end]) == "go":
            subject, end = (subject, end + 1) if subject else noun_phrase(self._words, end + 1)
            if subject is not None:
                self._at = end
                self._tell(Change.PLACE, (subject,), where)
                return True
        return False

    def _lets_in(self) -> bool:
        """ "Let some fresh air in through the window", which is opened."""
        at = self._at + 1
        phrase, at = noun_phrase(self._words, at)
        if (
            phrase is None
            or not phrase.words
            or not is_no_thing(phrase.words[-1])
            or self._words[at : at + 1] != ["in"]
        ):
            return False
        things: tuple[NounPhrase, ...] = ()
        self._at = at + 1
        if self._here() in ("through", "by", "from"):
            self._at += 1
            things = self._things()
        things = self._all_located(things or (NounPhrase(("window",)),))
        self._tell(Change.OPEN, tuple(each if each.wheres else each.at(Where("in", None, True)) for each in things))
        return True

    # -- verbs

    def _order(self, use: str) -> None:
        verb, start = base_form(self._here()), self._at
        self._at += 1
        if use == "sure" or (verb == "see" and self._here() in ("to", "that")):
            self._wished = True
            return
        if use == "want" and verb == "have" and self._is_done():
            return
        turned = self._turned(verb) if use in _TURNING and not does(verb, "staying") else None
        closing = use == "put" and self._here() in ("down", "up") and self._here(1) not in ("", ",")
        while self._here() in ("up", "down", "back", "away", "out", "over", "for", "me", "us") and not turned:
            if self._here() == "out" and self._here(1) == "of":
                break
            self._at += 1
        things = self._things()
        if use in ENDINGS and things and _goes_on(things[0]):  # "to start cooking"
            return
        if not things:
            self._at = max(self._at, start + 1)
            if use == "want":
                self._want_it()
            return
        if turned is None and use in _TURNING:
            turned, things = self._turned_at_end(verb, use, things)
        if turned is not None and self._says_no_place(use):
            things = self._all_located(things)
            other = _TURNED.get(self._here(), turned)
            if other is not turned and len(things) > 1 and self._here(1) in _AFTER_STATE:
                self._tell(turned, things[:-1])  # "turn the radio off and the lamp on"
                turned, things = other, things[-1:]
                self._at += 1
            self._tell(turned, things)
            if self._here() in ("and", "or") and _TURNED.get(self._here(1), turned) is not turned:
                self._tell(_TURNED[self._here(1)], things)
        elif use in ENDINGS:
            self._tell(ENDINGS[use], self._all_located(things))
        elif use == "switch":
            self._tell(None, things)
        elif use == "fill":
            self._fill(things)
        elif use == "want":
            self._wanted(things)
        else:
            self._put(things, use, closing)

    def _is_done(self) -> bool:
        """Whether something was done, which is no order: "I have left a book on the bed"."""
        at = self._at
        while at < len(self._words) and does(self._words[at], "adverb"):
            at += 1
        word = self._words[at] if at < len(self._words) else ""
        if does(word, "done") or (word.endswith("ed") and verb_use(word)):
            self._at, self._done = at + 1, True
        return self._done

    def _want_it(self) -> None:
        """A wish without a name: "which I would like on the table"."""
        self._wished = True
        where, end = whereabouts(self._words, self._at)
        if where is not None and where.relation in ("in", "on", "near"):
            self._at = end
            self._tell(Change.PLACE, (NounPhrase(pronoun="it"),), where)

    def _turned(self, verb: str) -> Change | None:
        """On or off, right behind a verb."""
        here = self._here()
        if here in _TURNED and not (here == "off" and self._here(1) == "of"):
            self._at += 1
            return _TURNED[here]
        if (here == "up" and does(verb, "on with up")) or (here == "down" and does(verb, "off with down")):
            self._at += 1
            return Change.SWITCH_ON if here == "up" else Change.SWITCH_OFF
        return None

    def _turned_at_end(
        self, verb: str, use: str, things: tuple[NounPhrase, ...]
    ) -> tuple[Change | None, tuple[NounPhrase, ...]]:
        """On or off behind what is turned, and behind where it is: "turn the lamp in the hall off"."""
        turned = self._turned_behind(verb, use)
        if turned is not None:
            return turned, things
        start = self._at
        located = self._all_located(things)
        turned = self._turned_behind(verb, use) if self._at > start else None
        if turned is None:
            self._at = start
        return turned, things if turned is None else located

    def _turned_behind(self, verb: str, use: str) -> Change | None:
        start, word = self._at, self._here()
        while use != "switch" and (word in ("switched", "turned") or does(word, "wide")):
            self._at += 1
            word = self._here()
        ends = self._here(1) in _AFTER_STATE
        turned: Change | None = None
        if word in _TURNED and (ends or use == "switch"):
            turned = _TURNED[word]
        elif word == "up" and (
            does(verb, "on with up") or self._words[self._at + 1 : self._at + 3] == ["and", "running"]
        ):
            turned = Change.SWITCH_ON
            self._at += 2 if self._here(1) == "and" and self._here(2) == "running" else 0
        elif word == "down" and does(verb, "off with down"):
            turned = Change.SWITCH_OFF
        elif ends and use in ("put", "take", "want") and does(word, "set going"):
            turned = Change.SWITCH_ON
        elif ends and use in ("put", "take"):
            turned = next((change for said, change in _LEFT.items() if does(word, said)), None)
        self._at = start if turned is None else self._at + 1
        return turned

    def _says_no_place(self, use: str) -> bool:
        """Whether "put on the lamp" is not "put on the table the lamp"."""
        return (
            use != "put"
            or preposition(self._words, self._at)[0] in ("",)
            or preposition(self._words, self._at)[0].endswith("!")
        )

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
            elif word == "and" and places and self._goes_on_to(self._at + 1):
                self._at += 1
            elif word == "inside" and not places:
                places.append((word, Where("in", None)))
                self._at += 1
            elif word == "there" or (word == "home" and not places):
                places.append((word, Where("to", None)))
                self._at += 1
            elif word == "to" and self._here(1) in _SOMEBODY:
                self._at += 2
            elif word in _ASIDE:
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
        told = use == "take" and not all(each.pronoun in ("it", "them") for each in things)
        if told and not any(said in DESTINATIONS or where.place is None for said, where in goals):
            self._tell(None, tuple(each.at(*(where for _, where in goals)) for each in things))
            return
        self._tell(Change.PLACE, *placed(things, goals))

    def _goes_on_to(self, at: int) -> bool:
        """Whether it is said at a word where something shall be that comes from somewhere: "and into the sink"."""
        length = preposition(self._words, at)[1]
        return bool(length) and " ".join(self._words[at : at + length]) in DESTINATIONS

    def _fill(self, things: tuple[NounPhrase, ...]) -> None:
        filled = things[0]
        contents = tuple(where.place for where in filled.wheres if where.relation == "with" and where.place)
        if contents:
            self._tell(Change.PLACE, contents, Where("in", NounPhrase(filled.words, filled.pronoun, filled.number)))


def _goes_on(thing: NounPhrase) -> bool:
    """Whether a name is what somebody does: cooking."""
    return thing.words[:1] != () and thing.words[0].endswith("ing") and not names_thing(thing.words[0])


def _at_only(place: NounPhrase, wheres: Sequence[Where | None]) -> NounPhrase:
    return NounPhrase(place.words, place.pronoun, place.number, place.every, tuple(filter(None, wheres)))
