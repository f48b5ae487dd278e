"""A task in words as changes: which verb is said of which things, and where these shall be.

No grammar is built. From left to right, verbs begin a change, prepositions begin a place, and what stands between is
the name of a thing. What follows a preposition that tells no place is left out, so that what is only passed by is
never asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from vantage.planning.goals.asked_changes import Asked, Phrase
from vantage.planning.wishes import (
    ANOTHER,
    DENIALS,
    EACH,
    FILLERS,
    LEAVES,
    NUMBERS,
    POWERS,
    PREPOSITIONS,
    SITUATED,
    STATE_WORDS,
    STATES,
    SWITCHES,
    VERBS,
    WIDELY,
    WISHED,
    Change,
    lemma,
)

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.,;:!?()]")
_PRONOUNS = frozenset({"it", "them"})
_MOST_WORDS = 2_000
_PLACES = frozenset({"on", "in", "near", "under", "from", "to", "over"})
_BEING = frozenset({"is", "are", "it's", "stand", "stands"})  # that something is so, or shall be where that is wished
_BECOMING = frozenset({"be", "been", "stay", "remain", "turned", "switched"})
_NEEDING = frozenset({"needs", "need", "wants", "requires"})
_BEHIND = frozenset(  # what stands behind the last word of a clause
    ("", *".,;:!?", "for", "please", "now", "and", "when", "before", "so", "again", "until", "while", "then", "tonight")
)
_DESTINATIONS = frozenset({"onto", "on to", "into", "in to", "to", "over to"})
_BEGINNINGS = frozenset(words.split()[0] for words in PREPOSITIONS) - {"of"}
_OPPOSITE = {
    Change.OPEN: Change.CLOSE,
    Change.CLOSE: Change.OPEN,
    Change.SWITCH_ON: Change.SWITCH_OFF,
    Change.SWITCH_OFF: Change.SWITCH_ON,
}
_SEPARATORS = frozenset(".,;:!?()")
_TAKERS = frozenset({"take", "keep", "collect", "gather"})
_PARTICLES = 6  # words between a verb and its on or off
_DETERMINERS = frozenset({"the", "a", "an", "my", "your", "each", "all", "every", "one", "this", "that", "of", "both"})


def read_changes(text: str) -> tuple[Asked, ...]:
    """The changes that a text asks for, in order."""
    return _Reader(_TOKEN.findall(text.lower())[:_MOST_WORDS]).changes()


@dataclass
class _State:
    change: Change = Change.OTHER
    things: list[Phrase] = field(default_factory=list)
    relation: str = ""
    places: list[Phrase] = field(default_factory=list)
    aside: bool = False
    instead: bool = False
    verb: str = ""
    denied: bool = False  # "do not"
    passive: bool = False  # said of what was named before
    both: bool = False  # "on and off", which cannot be


class _Reader:
    _MACHINES = frozenset({"machine", "machines", "room", "up", "board"})  # "washing machine" is no verb

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._now = _State()
        self._found: list[Asked] = []
        self._last: list[Phrase] = []  # what pronouns mean
        self._both = False
        self._tools: list[Phrase] = []
        self._used: set[int] = set()  # particles that belong to a verb before

    def changes(self) -> tuple[Asked, ...]:
        while self._at < len(self._tokens):
            self._step()
        self._end()
        return tuple(self._found)

    def _step(self) -> None:
        token = self._tokens[self._at]
        if token in _SEPARATORS:
            if token in ".;!?":
                self._end()
            elif self._now.aside or self._now.relation in ("beside the point", "never"):
                self._end(keep=True)
            self._at += 1
        elif self._at in self._used or token == "and" or token == "or":
            self._at += 1
        elif self._is_state():
            self._be()
        elif token in STATES and token in VERBS and self._peek(-1) in _BEING:  # how it is, not how it shall be
            self._at += 1
        elif (length := self._preposition()) and self._at not in self._used:
            self._place(" ".join(self._tokens[self._at : self._at + length]))
            self._at += length
        elif self._is_verb():
            self._begin(token)
        else:
            self._name()

    # -- verbs

    def _is_verb(self) -> bool:
        token = self._tokens[self._at]
        if token not in SWITCHES and token not in POWERS and lemma(token) not in VERBS:
            return False
        before = self._tokens[self._at - 1] if self._at else "."
        if before in _NEEDING and token.endswith("ing"):
            return True
        if before in _DETERMINERS or before in NUMBERS or before in STATE_WORDS or before.isdigit():
            return False
        if token == "light" or token == "lights":
            return before in (".", "and", "to") and self._peek(1) in _DETERMINERS
        following = self._peek(1)
        if (
            token.endswith("ing")
            and token not in VERBS
            and following not in _DETERMINERS
            and following not in _PRONOUNS
        ):
            return before in _SEPARATORS and following not in self._MACHINES
        if token in SITUATED and self._peek(1) in _BEGINNINGS:
            return True
        bare = before in _SEPARATORS or before in FILLERS or before in DENIALS or before in ("and", "or", "to", "by")
        if not bare and lemma(token) == token and before not in PREPOSITIONS:
            return following in _DETERMINERS or following in _PRONOUNS or following in SWITCHES
        return True

    def _begin(self, token: str) -> None:
        before, verb, said = self._peek(-1), lemma(token), bool(self._now.things and not self._now.places)
        self._end()
        self._both = False
        change = self._switched() or VERBS.get(verb, Change.OTHER)
        if verb == "put" and self._peek(1) == "on":  # what is worn
            self._used.add(self._at + 1)
            change = Change.WEAR
        passive = before in _NEEDING or before in _BEING or before in _BECOMING
        if said and (verb in SITUATED or (passive and change is Change.OTHER)):
            change = Change.PLACE
        self._now = _State(change, verb=verb, denied=before in DENIALS, passive=passive, both=self._both)
        self._at += 1

    def _switched(self) -> Change | None:
        """On or off, where such a word belongs to the verb."""
        verb, leaves = self._tokens[self._at], self._tokens[self._at] in LEAVES
        if verb in POWERS and self._peek(1) in ("up", "down"):
            self._used.add(self._at + 1)
            return Change.SWITCH_ON if self._peek(1) == "up" else Change.SWITCH_OFF
        if verb not in SWITCHES and not leaves:
            return None
        for at in range(self._at + 1, min(self._at + 1 + _PARTICLES, len(self._tokens))):
            token = self._tokens[at]
            if token in _SEPARATORS:
                return None
            if token in ("on", "off"):
                if (leaves and self._token(at + 1) not in _BEHIND) or (verb == "shut" and token == "on"):
                    return None
                self._used.add(at)
                if self._token(at + 1) == "and" and self._token(at + 2) in ("on", "off"):
                    self._used.add(at + 2)
                    self._both = self._token(at + 2) != token
                return Change.SWITCH_ON if token == "on" else Change.SWITCH_OFF
        return None

    def _is_state(self) -> bool:
        """Whether it is said here that something shall be so: "is on", "is closed"; not where a place follows."""
        if self._tokens[self._at] not in STATES:
            return False
        back = 1
        while self._peek(-back) in WIDELY:
            back += 1
        before = self._peek(-back)
        if before in _BEING and not self._is_wished():
            return False
        if before in _BEING or before in _BECOMING:
            return self._peek(1) not in _DETERMINERS
        return before in self._known_words() and self._is_last()

    def _is_last(self) -> bool:
        """Whether no name follows here."""
        return self._peek(1) in _BEHIND or self._peek(1) in _BEGINNINGS

    def _is_wished(self) -> bool:
        """Whether what is told here shall be, and is not merely so."""
        at = self._at - 1
        while at >= 0 and self._tokens[at] not in ".;!?":
            if self._tokens[at] in WISHED or self._tokens[at] in ("should", "must", "shall"):
                return True
            at -= 1
        return False

    def _known_words(self) -> frozenset[str]:
        """Last words of what "I need" is said of."""
        return frozenset(word for phrase in self._now.things for word in phrase.words[-1:])

    def _be(self) -> None:
        change = STATES[self._tokens[self._at]]
        if self._now.denied:
            change = _OPPOSITE.get(change, Change.OTHER)
        things = self._now.things or self._now.places or self._last
        if things and self._now.change in (Change.OTHER, Change.PLACE):
            told = list(things)
            if self._now.places:
                told = list(self._now.places)
            self._found.append(Asked(change, tuple(told)))
            self._last = told
            if self._now.change is Change.OTHER or self._now.denied:
                self._now = _State()
        self._at += 1

    # -- places

    def _preposition(self) -> int:
        for length in (3, 2, 1):
            words = " ".join(self._tokens[self._at : self._at + length])
            if words in PREPOSITIONS and len(self._tokens) - self._at >= length:
                return length
        return 0

    def _place(self, words: str) -> None:
        now, relation = self._now, PREPOSITIONS[words]
        if words == "of" and not now.places:
            return
        if self._at and self._tokens[self._at - 1] == "or" and now.places:
            change, things = now.change, list(now.things or self._last)
            self._end()
            self._now = _State(change, things, relation, instead=True)
            return
        if relation == "to" and self._at + 1 < len(self._tokens) and lemma(self._tokens[self._at + 1]) in VERBS:
            return
        if not now.relation:
            now.relation = relation
            return
        if now.relation == "never":
            return
        if not now.places:
            beyond = relation == "beside the point" and now.relation != "beside the point"
            if not beyond and (now.relation, relation) != ("in", "on"):
                now.relation = relation
            return
        if now.relation == "from" and now.change is not Change.REMOVE and words in _DESTINATIONS:
            now.relation, now.places = relation, []
            return
        # said of the place itself: where that is
        places, change = list(now.places), now.change
        self._flush()
        self._now = _State(change if change is Change.PLACE else Change.OTHER, places, relation, [], True)

    # -- things

    def _name(self) -> None:
        phrase, pronoun = self._phrase()
        if phrase is None and not pronoun:
            return
        named = [phrase] if phrase is not None else self._meant()
        now = self._now
        if now.places and now.change is Change.PLACE and not now.aside and phrase is not None and self._then_place():
            change = now.change
            self._flush()
            self._now = now = _State(change)
        if now.aside and now.places and phrase is not None and self._then_place():
            self._flush()
            self._now = now = _State(Change.PLACE)
        if now.relation:
            now.places += named
        else:
            now.things += named

    def _then_place(self) -> bool:
        """Whether a place follows at once, so that the thing just named is one to be put there."""
        return bool(self._preposition()) and PREPOSITIONS[self._words_here()] in _PLACES and self._was_separated

    def _words_here(self) -> str:
        return " ".join(self._tokens[self._at : self._at + self._preposition()])

    def _meant(self) -> list[Phrase]:
        return list(self._tools or self._last) if self._now.change is Change.PLACE else list(self._last)

    def _phrase(self) -> tuple[Phrase | None, bool]:
        """The longest run of words that can be a name; whether it is a pronoun."""
        words: list[str] = []
        state, number, each, another = list[str](), 0, False, False
        self._was_separated = self._at > 0 and self._tokens[self._at - 1] in (",", "and", ";")
        start = self._at
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token == "and" and state and not words and self._peek(1) in STATE_WORDS:
                self._at += 1
                continue
            stops = token in _SEPARATORS or token in ("and", "or") or bool(self._preposition())
            stops = stops or bool(words and token in STATES and self._is_last())
            if stops or (self._at in self._used) or (self._at > start and (self._is_verb() or self._is_state())):
                break
            self._at += 1
            if token in _PRONOUNS:
                return None, True
            if token in STATE_WORDS:
                state.append(STATE_WORDS[token])
            elif token in NUMBERS or token.isdigit():
                if words:
                    continue
                number = NUMBERS.get(token) or min(int(token[:3]), 100)
            elif token in EACH:
                each = True
            elif token in ANOTHER:
                another = True
            elif token in FILLERS or (token in WIDELY and self._peek(0) in STATES):
                if words:
                    break
            else:
                words.append(token)
        if not words and another:
            return Phrase((), tuple(state), number, each, True), False
        return (Phrase(tuple(words), tuple(state), number, each, another) if words else None), False

    def _peek(self, ahead: int) -> str:
        return self._token(self._at + ahead)

    def _token(self, at: int) -> str:
        return self._tokens[at] if 0 <= at < len(self._tokens) else ""

    # -- ends

    def _end(self, keep: bool = False) -> None:
        """A change is told; the next begins anew, or goes on with the same verb."""
        change = self._now.change
        self._flush()
        self._now = _State(change if keep else Change.OTHER)

    def _flush(self) -> None:
        now, before = self._now, len(self._found)
        self._tell(now)
        if now.both:
            self._found += [replace(asked, change=_OPPOSITE[asked.change]) for asked in self._found[before:]]

    def _tell(self, now: _State) -> None:
        if now.denied:
            self._last = list(now.things) or self._last
        elif now.change is Change.USE and now.things:
            self._tools = list(now.things)
        elif now.things and now.change is not Change.USE:
            relation = now.relation if now.places and now.relation in _PLACES else ""
            things, places = tuple(now.things), tuple(now.places) if relation else ()
            if now.change is Change.PLACE and now.relation == "with" and now.places:  # "fill the jar with sweets"
                things, relation, places = tuple(now.places), "in", things
            if now.verb in _TAKERS and relation == "near":  # where that is, not where it shall be
                relation, places = "", ()
            self._found.append(Asked(now.change, things, relation, places, now.aside, now.instead))
            if now.change is Change.PLACE:
                self._tools = []
            if not now.aside:
                self._last = list(now.things)
        elif now.change in (Change.PLACE, Change.SWITCH_ON, Change.SWITCH_OFF) and now.places and now.relation:
            told = tuple(self._last) if now.change is not Change.PLACE else tuple(self._meant())
            if told:
                places = tuple(now.places) if now.relation in _PLACES else ()
                self._found.append(Asked(now.change, told, now.relation if places else "", places, now.aside))
        elif self._last and (now.change in (Change.SWITCH_ON, Change.SWITCH_OFF) or self._is_said_before(now)):
            self._found.append(Asked(now.change, tuple(self._last)))

    @staticmethod
    def _is_said_before(now: _State) -> bool:
        """Whether a change is one of what was named before: "the window needs cleaning"."""
        return now.passive and not now.relation and now.change not in (Change.OTHER, Change.USE, Change.PLACE)
