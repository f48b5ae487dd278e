"""What a sentence says of a subject: that it is somewhere or in a state, or shall be."""

from __future__ import annotations

from dataclasses import replace

from vantage.planning.wishes.noun_phrases import NounPhrase, Where, noun_phrase, preposition, whereabouts
from vantage.planning.wishes.placing import DESTINATIONS, is_room, placed
from vantage.planning.wishes.sentence import DENIALS, ENDINGS, STATES, Reader
from vantage.planning.wishes.verbs import NUMBERS, Change
from vantage.planning.wishes.wordings import base_form, does, gives, name_length, verb_use
from vantage.questions.lexicon import names_thing, singular

_STATE_OF = {Change.SWITCH_ON: "on", Change.SWITCH_OFF: "off", Change.OPEN: "open", Change.CLOSE: "closed"}
_MOVED = frozenset({"turned", "switched", "turning", "switching"})


class Predicates(Reader):
    """Reads subjects and what is said of them."""

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
        aims = said in DESTINATIONS and not self._goes_on(end)
        if start == 0 and self._asks_for(things):
            return True
        if where is not None and start == 0 and (aims or self._is_order(end)):
            self._at = end
            self._tell(Change.PLACE, things, where)
            return True
        if where is not None and (self._goes_on(end) or self._state(end)):
            things, self._at = tuple(each.at(where) for each in things), end
        things = self._all_told(things)
        state = self._state(self._at)
        if state is not None and start == 0:  # "Kitchen window open, please", "Lights out in the hall"
            where, end = whereabouts(self._words, self._at + 1)
            if self._ends_at(end if where else self._at + 1):
                self._at = end if where else self._at + 1
                self._tell(state, tuple(each.at(where) for each in things) if where else things)
                return True
        if self._wants() or self._predicate(things):
            return True
        if self._gapped(things, start):
            return True
        told = start == 0 or does(self._words[start - 1], "being") or does(self._words[start - 1], "done")
        things = self._located(things) if told else tuple(map(_loosely, self._located(things)))
        self._tell(None, things)
        return True

    def _gapped(self, things: tuple[NounPhrase, ...], start: int) -> bool:
        """Whether a name with a place has the verb of the clause before: "put the cup in the sink and the pear in the
        bowl"."""
        before = self._found[-1] if self._found else None
        if before is None or before.change is not Change.PLACE or before.place is None or before.denied:
            return False
        if self._words[start - 1] not in ("and", ",") or any(each.pronoun for each in things):
            return False
        goals: list[tuple[str, Where]] = []
        at = self._at
        while (found := whereabouts(self._words, at))[0] is not None:
            if found[0].place is not None:
                goals.append((" ".join(self._words[at : at + preposition(self._words, at)[1]]), found[0]))
            at = found[1]
        at += self._words[at : at + 1] == ["there"]
        goals = [(said, where) for said, where in goals if where.relation not in ("with", "from")]
        if not goals or not (self._ends_at(at) or self._words[at] in ("and", ",")):
            return False
        self._at = at
        self._tell(Change.PLACE, *placed(things, goals))
        return True

    def _asks_for(self, things: tuple[NounPhrase, ...]) -> bool:
        """Whether a mere name is an order: "some light, please", or the place of what was told of before:
        "Dishwasher, please"."""
        where, end = whereabouts(self._words, self._at)
        addressed = any(does(word, "addressed") for word in self._words[self._at :])
        if not addressed or len(things) != 1 or not things[0].words:
            return False
        if self._of_it(things[0]) and self._ends_at(end if where else self._at):
            self._tell(Change.SWITCH_ON, self._located(things))
        elif self._words[0] == things[0].words[0] and self._ends_at(self._at):
            self._tell(Change.PLACE, (NounPhrase(pronoun="it"),), Where("to", things[0]))
        else:
            return False
        return True

    def _of_it(self, thing: NounPhrase) -> bool:
        """Whether a name that ends here is one for what a thing gives: some light, a bit of heat."""
        begin = self._at - len(thing.words) - 1
        some = begin >= 0 and self._words[begin] in ("some", "more", "of", "little")
        return bool(thing.words) and some and (gives(thing.words[-1]) or thing.words[-1] == "light")

    def _all_told(self, things: tuple[NounPhrase, ...]) -> tuple[NounPhrase, ...]:
        """With all places behind them, where it goes on behind these."""
        start = self._at
        located = self._located(things)
        if self._at > start and self._goes_on(self._at):
            return located
        self._at = start
        return things

    def _wants(self) -> bool:
        """Whether a subject wants something of another thing: "my son wants his bear on the chair"."""
        if base_form(self._here()) not in ("want", "need", "like", "prefer"):
            return False
        start, denied = self._at, self._denied
        self._at += 1
        things = () if verb_use(self._here()) else self._things()
        if things and self._here() and self._predicate_of(things):
            return True
        self._at, self._denied = start, denied
        return False

    def _predicate_of(self, things: tuple[NounPhrase, ...]) -> bool:
        """What is wished of things; a wish that tells nothing of them is none."""
        number, self._wished = len(self._found), True
        if self._predicate(things) and any(clause.change for clause in self._found[number:]):
            return True
        del self._found[number:]
        self._wished = False
        return False

    def _is_order(self, at: int) -> bool:
        """Whether a sentence without a verb ends here with words for somebody: "Apple in the bowl, please"."""
        return at < len(self._words) and self._ends_at(at) and any(does(word, "addressed") for word in self._words[at:])

    def _state(self, at: int) -> Change | None:
        word = self._words[at] if at < len(self._words) else ""
        return next((change for use, change in STATES.items() if does(word, use)), None)

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

    def _wanted(self, things: tuple[NounPhrase, ...]) -> None:
        """ "I want the lamp on", "leave the door open", "I need the mug on the table"."""
        self._wished = True
        if len(things) == 1 and self._of_it(things[0]):  # "I need some light in here"
            things = self._located(things)
            self._tell(self._state(self._at) or Change.SWITCH_ON, things)
            return
        self._predicate(things)

    def _predicate(self, things: tuple[NounPhrase, ...]) -> bool:
        """What behind a subject says that it shall be somewhere or in a state, or is."""
        shall, at = self._wished, self._at
        went = False
        source, end = whereabouts(self._words, at)
        if source is not None and (
            source.relation == "from" or (shall and self._state(end) and self._says_no_more(end + 1))
        ):
            things, at = tuple(each.at(source) for each in things), end
        while at < len(self._words):
            word = self._words[at]
            if preposition(self._words, at)[1] > 1:  # "all over"
                break
            if does(word, "modal") or does(word, "wished"):
                shall = shall or word not in ("has", "have") or self._words[at + 1 : at + 2] == ["to"]
            elif word in DENIALS:
                self._denied = True
            elif word in ("do", "does", "did") and self._words[at + 1 : at + 2] == ["not"]:
                pass
            elif verb_use(word) == "go":
                shall = went = True
            elif word == "do" and shall and self._words[at + 1 : at + 2] == ["with"]:  # "could do with being shut"
                at += 1
            elif does(word, "does") and shall and self._ends_at(at + 1) and things[0].words:  # "the table will do"
                self._at = at + 1
                self._tell(Change.PLACE, (NounPhrase(pronoun="it"),), Where("to", things[0]))
                return True
            elif word.endswith("ing") and verb_use(word) in ENDINGS and shall:
                self._at = at + 1
                self._tell(ENDINGS[verb_use(word)], things)
                return True
            elif word == "inside" and shall and self._ends_at(at + 1):
                self._at = at + 1
                self._tell(Change.PLACE, things, Where("in", None))
                return True
            elif shall and does(word, "staying") and _are_things(things) and whereabouts(self._words, at + 1)[0]:
                pass  # "I want him to sit on the sofa"
            elif word in _MOVED or does(word, "done") or verb_use(word) in ("put", "take"):
                if not (word in _MOVED or does(word, "done") or word.endswith(("ing", "ed"))):
                    break
                shall = shall or word.endswith("ing")
            elif shall and (does(word, "suiting") or does(word, "suited")):
                at += self._words[at + 1 : at + 2] == ["off"]  # "better off"
            elif word in ("up", "down", "out") and whereabouts(self._words, at + 1)[0] is not None:
                pass
            elif not any(does(word, use) for use in ("being", "adverb", "wide", "lying")):
                break
            at += 1
        if at == self._at and not self._wished:
            return False
        place, end = whereabouts(self._words, at)
        if place is None and at < len(self._words) and self._words[at - 1] == "there" and went:
            place, end = Where("to", None), at
        if place is not None and place.relation not in ("from", "with"):
            self._say_place(things, place, end, shall)
            return True
        state = self._state(at)
        if state is not None:
            self._at = at + 1
            self._tell(*((state, things) if shall else (None, _so(things, _STATE_OF[state]))))
            return True
        word = self._words[at] if at < len(self._words) else ""
        needing = at > 0 and base_form(self._words[at - 1]) in ("need", "want")
        self._at = noun_phrase(self._words, at)[1] if needing else at
        if does(word, "state word") and not shall and not self._denied:
            self._at, things = at + 1, _so(things, word)
        elif does(word, "made clean") and self._denied:
            self._at, things, self._denied = at + 1, _so(things, "dirty"), False
        self._tell(None, things)
        return True

    def _says_no_more(self, at: int) -> bool:
        return self._ends_at(at) or self._words[at] in ("and", "but", ",")

    def _say_place(self, things: tuple[NounPhrase, ...], place: Where, end: int, shall: bool) -> None:
        self._at = end
        more, end = whereabouts(self._words, end)
        if more is not None and is_room(more) and place.place is not None:
            place, self._at = Where(place.relation, place.place.at(more)), end
        if shall:
            self._tell(Change.PLACE, things, place)
        else:
            self._tell(None, tuple(each.at(place) for each in things))


def _are_things(things: tuple[NounPhrase, ...]) -> bool:
    """Whether subjects are no people, who go where they want by themselves."""
    return all(each.pronoun or names_thing(singular(each.words[-1])) for each in things)


def _loosely(thing: NounPhrase) -> NounPhrase:
    """Where something is done with a thing need not be where it is: "I play my drum in the hall"."""
    return replace(thing, wheres=tuple(replace(where, loose=True) for where in thing.wheres))


def _so(things: tuple[NounPhrase, ...], state: str) -> tuple[NounPhrase, ...]:
    """Things that are told to be in a state, where one is."""
    return tuple(each.at(Where("state", NounPhrase((state,)), loose=True)) for each in things)
