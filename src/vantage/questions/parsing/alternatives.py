"""Questions about several objects at once, and those that put an alternative in words of their own.

"Are the two mugs the same color?", "Which of the towels is bigger, the green or the white one?", "Is it empty, or is
there still coffee in it?".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vantage.questions.kinds import NUMBERS, OPPOSITES
from vantage.questions.lexicon import canonical
from vantage.questions.parsing import meanings
from vantage.questions.parsing.descriptions import Has, IsMost, LiesBetween, Stands
from vantage.questions.parsing.modifiers import SAME
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.nouns import is_kind, singular
from vantage.questions.parsing.patterns import Build, Captures, Chart, Found, Rule, rule, table
from vantage.questions.parsing.vocabulary import ROOM_WORDS
from vantage.questions.parsing.yes_no_questions import ALIKE, BE, DID, DO, IN_COMMON, LEAVE, OWN, WE
from vantage.questions.programs import Program


def _alike(found: Captures) -> Program | None:
    return meanings.all_alike(found["SHARED"], found["GROUP"])


def _print_alike(found: Captures) -> Program | None:
    return meanings.all_alike("text", found["GROUP"])


def _which_of(found: Captures) -> Program | None:
    """Which of the towels is bigger, the green or the white one?"""
    group = _group(found)
    if group.description.of_rooms:
        return None
    picked = *found["PICK"], *found["PICK2"]
    if group.description.places and any(isinstance(item, (Stands, LiesBetween)) for item in picked):
        return None  # at two places at once
    first, second = group.narrowed(found["PICK"]), group.narrowed(found["PICK2"])
    quantity = found["MORE"] if "MORE" in found else found["MOST"]
    if first is None or second is None:
        return None
    return meanings.most_of_two(quantity, first, second, found.get("ONE"))


def _which_is(found: Captures) -> Program | None:
    """Which of the towels is clean, the green or the white one?"""
    told = (
        None
        if _group(found).description.of_rooms
        else _group(found).narrowed((*found.get("PREDICATE", ()), *found.get("VERBAL", ())))
    )
    picked = meanings.told_apart_by(found["PICK"], found["PICK2"])
    if told is None or picked is None:
        return None
    return meanings.query(told, picked)


def _group(found: Captures) -> Phrase:
    among: Phrase = found["AMONG"] if "AMONG" in found else found["GROUP"]
    return replace(among, determiner="the", number=None)


def _state_or(found: Captures) -> Program | None:
    """Did I switch it off, or is it on?"""
    return meanings.query(found["SUBJECT"], "state") if _is_state(found["QUALITIES2"]) and _alone(found) else None


def _state_or_else(found: Captures) -> Program | None:
    """Is it empty, or is there still coffee in it?"""
    one = found["SUBJECT"].claimed is None
    return (
        meanings.query(found["SUBJECT"], "state") if one and _is_state(found["QUALITIES"]) and _alone(found) else None
    )


def _state_or_changed(found: Captures) -> Program | None:
    """Has somebody emptied it, or is it still full?"""
    one = found["SUBJECT"].claimed is None and _is_state(found.get("QUALITIES", ()))
    return meanings.query(found["SUBJECT"], "state") if one else None


def _undone(found: Captures) -> Program | None:
    """Did we forget to switch it off? Then it is on."""
    said = found.get("QUALITIES", ())
    done = found["CHANGED"] if "CHANGED" in found else said[0].value if _is_state(said) else ""
    return meanings.verify(found["SUBJECT"], (Has("state", OPPOSITES[done]),)) if done in OPPOSITES else None


def _most_of(found: Captures) -> Program | None:
    group = _group(found).narrowed((IsMost(*found["MOST"]),))
    return None if group is None else meanings.identify(group)


def _count(found: Captures) -> Program | None:
    return meanings.count(found["GROUP"], *found.get("PREDICATE", ()))


def _lidded(chart: Chart, start: int) -> Iterator[Found]:
    """What has a lid or a seat that is up or down, named by that."""
    yield from (
        found for found in chart.read("SUBJECT", start) if chart.word(found.end - 1) in ("lid", "seat", "cover")
    )


def _raised(found: Captures) -> Program | None:
    if "RAISED2" in found:
        return meanings.query(found["LIDDED"], "state")
    return meanings.verify(found["LIDDED"], (Has("state", found["RAISED"]),))


def _alone(found: Captures) -> bool:
    """Whether the other words speak of no other object."""
    kinds = {canonical(singular(word)[0]) for key in ("REST", "ELSE") for word in found.get(key, ()) if is_kind(word)}
    return kinds <= {found["SUBJECT"].description.kind}


def _is_state(said: meanings.Modifiers) -> bool:
    return all(isinstance(item, Has) and item.attribute == "state" for item in said)


def _sought(found: Captures) -> Program | None:
    """Has anyone seen my keys?"""
    sought = found["SUBJECT"]
    told = sought.determiner == "the" and not sought.description.whereabouts
    return meanings.query(sought, "place") if told else None


RULES: dict[str, Rule] = {
    "ROOMED": table(ROOM_WORDS),
    "LIDDED": _lidded,
    "NUMERAL": table({word: word for word in NUMBERS[1:]}),
    "RAISED": table({"up": "open", "raised": "open", "down": "closed", "lowered": "closed"}),
    # One of several, told by what the others are not: "the red one", "the one in the hall", "the bedroom one".
    "PICK": rule(
        ("[the] ADJECTIVES [one|ones]", lambda found: found["ADJECTIVES"]),
        ("the ADJECTIVES NOUN", lambda found: found["ADJECTIVES"] if found["NOUN"].description.is_plain else None),
        ("the ROOMED one|ones", lambda found: (Has("room", found["ROOMED"]),)),
        ("[the one|ones [that is|are]] ADVERBS PLACE", lambda found: found["PLACE"] or None),
        ("the one|ones MODIFIER", lambda found: found["MODIFIER"] or None),
    ),
}
_EITHER = "[,] PICK [,] or PICK2"
_REACH = "[ to|from ( ONE | ASKER ) | ONE ]"  # of what is near or far
_WHICH = "[on|in] what|which"
_TURN = "turn|turned|switch|switched|put|leave|left|pull|pulled|shut|blow"

FORMS: tuple[tuple[str, Build], ...] = (
    (
        "[has|have] ( anyone|anybody|someone|somebody [of you] | any of you ) seen SUBJECT [anywhere|lately|around]",
        _sought,
    ),
    (f"{BE} [n't] GROUP [all|both] {ALIKE}", _alike),
    (f"{BE} [n't] GROUP [all|both] [exactly] alike|identical in SHARED", _alike),
    (f"{DO} [n't] GROUP [all|both] ( have|share|come in|with {ALIKE} | match in SHARED | {IN_COMMON} )", _alike),
    (f"has|have [n't] GROUP [all|both] [got] {ALIKE}", _alike),
    (f"IF GROUP are|have|share [all|both] {ALIKE}", _alike),
    (
        f"{DO} [n't] GROUP [all|both] ( say|read | have|bear|show|carry [WRITTEN] ) {SAME} PRINTED [on them|it]",
        _print_alike,
    ),
    (f"{DO} [n't] GROUP [all|both] say|read {SAME} [thing]", _print_alike),
    (f"{_WHICH} [one] of GROUP {BE} [the] ( MORE | MOST ) [one] {_REACH} {_EITHER}", _which_of),
    (f"what|which GROUP {BE} [the] ( MORE | MOST ) [one] {_REACH} {_EITHER}", _which_of),
    (f"GROUP , what|which [one|pair] [of them] {BE} [the] ( MORE | MOST ) [one] {_REACH} {_EITHER}", _which_of),
    (f"AMONG what|which [one|pair] [of them] {BE} [the] ( MORE | MOST ) [one] {_REACH} {_EITHER}", _which_of),
    (f"{_WHICH} [one] of GROUP ( {BE}|has|have|do|does PREDICATE | VERBAL ) {_EITHER}", _which_is),
    (f"what|which GROUP ( {BE} PREDICATE | VERBAL ) {_EITHER}", _which_is),
    (f"AMONG what|which [one|pair] [of them] ( {BE} PREDICATE | VERBAL ) {_EITHER}", _which_is),
    (f"{BE} it PICK or PICK2 GROUP that|which {BE} PREDICATE", _which_is),
    (f"{BE} GROUP PICK or PICK2 that|which {BE} PREDICATE", _which_is),
    (f"{DID} {WE} {OWN} NUMERAL or NUMERAL2 GROUP [PREDICATE]", _count),
    (f"have|has {WE} got NUMERAL or NUMERAL2 GROUP [PREDICATE]", _count),
    (f"{BE} there NUMERAL or NUMERAL2 GROUP [PREDICATE]", _count),
    (
        f"{DO} SUBJECT say|read [WRITTEN] WORDS or WORDS2 [on it]",
        lambda found: meanings.query(found["SUBJECT"], "text"),
    ),
    (f"one of GROUP ( {BE} PREDICATE | VERBAL ) , [what|which [one]] [{BE} it] [,] PICK [,] or PICK2", _which_is),
    (f"{DO} [n't] GROUP [all|both] match [in] SHARED [wise]", _alike),
    (f"{_WHICH} one {BE} the MOST [one] of GROUP", _most_of),
    (f"GROUP , [all|both] ( {ALIKE} | [of|in] same SHARED ) [ [,] or [is it|are they] different|not ]", _alike),
    (f"{DID} {WE} CHANGED SUBJECT [yet|already] [,] or {BE} it|they ADVERBS QUALITIES", _state_or_changed),
    (f"{DID} {WE} CHANGED SUBJECT [yet|already] [,] or {BE} it|they ADVERBS CHANGED2", _state_or_changed),
    (f"{DID} {WE} {_TURN} SUBJECT QUALITIES2 [,] or {BE} it|they ADVERBS QUALITIES", _state_or_changed),
    (
        f"{BE} there [still] anything|something|any|some [left] in SUBJECT [,] or {BE} it|they ADVERBS QUALITIES",
        _state_or_changed,
    ),
    (f"{BE} [n't] LIDDED ADVERBS RAISED [or RAISED2]", _raised),
    (f"{DID} {WE} {LEAVE}|forget|forgot LIDDED RAISED [or RAISED2]", _raised),
    (f"{DID} {WE} forget|forgotten|forgot|fail|failed to CHANGED SUBJECT", _undone),
    (f"{DID} {WE} forget|forgotten|forgot to turn|switch|put|leave SUBJECT QUALITIES", _undone),
    (f"{BE} SUBJECT QUALITIES [,] or REST", _state_or_else),
    (f"{BE}|{DO}|has|have ELSE or {BE} SUBJECT QUALITIES", _state_or_else),
    (f"{DID} {WE} ELSE or {BE} SUBJECT ADVERBS QUALITIES", _state_or_else),
    (f"{BE}|{DO}|has|have SUBJECT ELSE [,] or {BE} it|they ADVERBS QUALITIES2", _state_or),
    (
        f"did|has|have {WE} [forget|remember|manage to] {_TURN} SUBJECT ( QUALITIES | out | up ) "
        f"or {BE} it ADVERBS QUALITIES2",
        _state_or,
    ),
)
