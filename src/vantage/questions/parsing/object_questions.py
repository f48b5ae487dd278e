"""Questions for an object: what is at a place, which of several is meant, which of two is more of something."""

from __future__ import annotations

from vantage.questions.parsing import meanings
from vantage.questions.parsing.attribute_questions import KIND, NAMING, WHAT
from vantage.questions.parsing.descriptions import IsMost
from vantage.questions.parsing.modifiers import MADE, STANDS
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.patterns import Build, Captures
from vantage.questions.parsing.place_questions import ROOM, WHERE
from vantage.questions.parsing.yes_no_questions import BE, CAN, DID, DO, LEAVE, OWN, SEE, WE, WITH_IT
from vantage.questions.programs import Program

_REACH = "[ to|from ( ONE | ASKER ) | ONE ]"  # of what is near or far
_ONE_OF_TWO = "[ ( SORTED | one|room|place | [one] of the|these two [SORTED] | [one] of these|those|them ) ]"


def _object(found: Captures) -> Program | None:
    other = "OTHER" in found
    said = tuple(item for key in ("PREDICATE", "VERBAL", "PLACE", "AHEAD") for item in found.get(key, ()))
    return meanings.identify_object(said, other)


def _elsewise(found: Captures) -> Program | None:
    """What else is there."""
    others = meanings.elsewise(found["PLACE"], found["NP"])
    return None if others is None else meanings.identify_object(others, other=True)


def _member(found: Captures) -> Program | None:
    said = (*found.get("PREDICATE", ()), *found.get("VERBAL", ()))
    return meanings.identify(found["AMONG"] if "AMONG" in found else found["GROUP"], *said)


def _member_of_kind(found: Captures) -> Program | None:
    """Which mug is red; not "what the mug is on"."""
    return None if found["GROUP"].determiner == "the" else _member(found)


def _subject(found: Captures) -> Program | None:
    told = not found["SUBJECT"].description.is_plain or found["SUBJECT"].description.most is not None
    named = bool(found["SUBJECT"].description.label)
    return meanings.identify(found["SUBJECT"]) if told and not named else None


def _content(found: Captures) -> Program | None:
    place = meanings.held(found["SUBJECT"], found["HAVE"], found.get("RELATION", ""))
    return None if not place else meanings.identify_object(place)


def _converse(found: Captures) -> Program | None:
    return meanings.converse(found["RELATION"], found["SUBJECT"])


def _converse_there(found: Captures) -> Program | None:
    narrowed = found["SUBJECT"].narrowed(found.get("PLACE", ()))
    return None if narrowed is None else meanings.converse(found["RELATION"], narrowed)


def _which_of_two(found: Captures) -> Program | None:
    quantity = found["MORE"] if "MORE" in found else found["MOST"] if "MOST" in found else found["WEIGHS"]
    return meanings.most_of_two(quantity, found["SUBJECT"], found["SUBJECT2"], found.get("ONE"))


def _extreme(found: Captures) -> Phrase | None:
    among: Phrase = found["AMONG"]
    return among.narrowed((IsMost(*found["MOSTLY"]),))


def _of_extreme(found: Captures) -> Program | None:
    """Of the mugs, what color is the largest one?"""
    phrase = _extreme(found)
    return None if phrase is None else meanings.query(phrase, found["ATTRIBUTE"])


def _extreme_is(found: Captures) -> Program | None:
    phrase = _extreme(found)
    return None if phrase is None else meanings.verify(phrase, found["PREDICATE"])


FORMS: tuple[tuple[str, Build], ...] = (
    (f"{WHAT} {BE} [there] PREDICATE", _object),
    (f"{WHAT} [OTHER] [{KIND} SORTED] {BE} [there] PLACE BESIDES NP", _elsewise),
    (f"{WHAT} [OTHER] [SORTED] BESIDES NP {BE} [there] PLACE", _elsewise),
    (f"BESIDES NP , {WHAT} [OTHER] [SORTED] {BE} [there] PLACE", _elsewise),
    (f"{WHAT} [OTHER] {BE} [there] PREDICATE", _object),
    (f"{WHAT} {KIND} SORTED {BE} [there] PREDICATE", _object),
    ("what [OTHER] VERBAL", _object),
    (f"{WHAT} {BE} that|this|it [SORTED] [,] PLACE", _object),
    (f"{WHAT} {KIND} SORTED {BE} that|this|it PLACE", _object),
    (f"{WHAT} might|could|may|would|can [that|this|it] be PREDICATE", _object),
    (f"there {BE} what", _object),
    (f"what PLACE {BE} PREDICATE", _object),
    (f"what {CAN} {WE} {SEE} when|if {WE} look PLACE", _object),
    (f"what {BE}|has|have been PREDICATE", _object),
    (f"{WHAT} {BE} it that ( {BE} PREDICATE | VERBAL )", _object),
    (f"what [else] ( {WE} can | you ) {SEE} PLACE", _object),
    (f"what {DID} {WE} {OWN} PLACE", _object),
    (f"what [else] {BE} ( there to see|find | to be {SEE} | {SEE} ) PLACE", _object),
    (f"{WHAT} {BE} [there] PLACE to be {SEE}", _object),
    (f"what has|have {WE} got PLACE", _object),
    (f"{NAMING} what|everything|anything is PLACE", _object),
    (f"AMONG ( {WHAT} ATTRIBUTE {BE} | what|which is the ATTRIBUTE of ) the MOSTLY [one]", _of_extreme),
    (f"AMONG {WHERE} {BE} the MOSTLY [one]", lambda found: _of_extreme({**found, "ATTRIBUTE": "place"})),
    (f"AMONG [in] {ROOM} {BE} the MOSTLY [one] [in]", lambda found: _of_extreme({**found, "ATTRIBUTE": "room"})),
    (
        f"AMONG what {BE} the MOSTLY [one] {MADE} [out] [of|from]",
        lambda found: _of_extreme({**found, "ATTRIBUTE": "material"}),
    ),
    (f"AMONG what {BE} written|printed on the MOSTLY [one]", lambda found: _of_extreme({**found, "ATTRIBUTE": "text"})),
    ("AMONG what does the MOSTLY [one] say", lambda found: _of_extreme({**found, "ATTRIBUTE": "text"})),
    (f"AMONG {BE} the MOSTLY [one] PREDICATE", _extreme_is),
    (f"what [OTHER] {CAN} {WE} {SEE} [PLACE]", _object),
    (f"what [OTHER] {DID} {WE} {LEAVE} [PLACE]", _object),
    (f"what {DO} {WE} have PLACE", _object),
    (f"what [OTHER] can be {SEE} PLACE", _object),
    (f"what [OTHER] {BE} there to see PLACE", _object),
    (f"{WHAT} {BE} [the name of] SUBJECT", _subject),
    (f"{WHAT} {KIND} SORTED {BE} SUBJECT", _subject),
    (f"{NAMING} [me|us] SUBJECT", _subject),
    (f"{WHAT} SUBJECT {BE}", _subject),
    (f"{WHAT} GROUP {BE} PREDICATE", _member_of_kind),
    (f"{WHAT} GROUP VERBAL", _member_of_kind),
    (f"AMONG {WHAT} [one] [of them|these|those] ( {BE} PREDICATE | VERBAL )", _member),
    (f"AMONG {WHAT} SORTED ( {BE} PREDICATE | VERBAL )", _member),
    (f"{WHAT} [one] of GROUP {BE} PREDICATE", _member),
    (f"{WHAT} [one] of GROUP VERBAL", _member),
    (f"what {DO} SUBJECT HAVE [{WITH_IT}]", _content),
    (f"what {BE} SUBJECT ADVERBS RELATION", _converse),
    (f"what {BE} SUBJECT ADVERBS RELATION PLACE", _converse_there),
    (f"{WHAT} [{KIND} SORTED] {DO} SUBJECT {STANDS} ADVERBS RELATION", _converse),
    (f"{WHAT} [{KIND} SORTED] {DID} {WE} {LEAVE} SUBJECT RELATION [PLACE]", _converse_there),
    (f"{WHAT} {KIND} SORTED VERBAL", _object),
    (f"{WHAT} [OTHER] [SORTED] {BE} ADVERBS PLACE with NP", _elsewise),
    (f"{WHAT} FOODS {BE} [there] [left] PREDICATE", _object),
    (f"{WHAT} FOODS have|has {WE} got [left] PLACE", _object),
    (f"{WHAT} FOODS {DO} {WE} have [left] PLACE", _object),
    (f"RELATION what {BE} SUBJECT ADVERBS", _converse),
    (
        f"{WHAT}|who {_ONE_OF_TWO} {BE} [the] MORE [one|room|thing|object] {_REACH} [,] SUBJECT or SUBJECT2",
        _which_of_two,
    ),
    (f"{WHAT} {_ONE_OF_TWO} {BE} [the] MOST [one] {_REACH} [,] SUBJECT or SUBJECT2", _which_of_two),
    (
        f"{WHAT} [one] of SUBJECT and|or SUBJECT2 {BE} [the] ( MORE | MOST ) [one] {_REACH}",
        _which_of_two,
    ),
    (f"SUBJECT or SUBJECT2 , {WHAT} {_ONE_OF_TWO} {BE} [the] ( MORE | MOST ) [one] {_REACH}", _which_of_two),
    (
        f"( between|of|comparing|compare|take|from | out of ) SUBJECT and|with|or|to SUBJECT2 , {WHAT} "
        f"[one|thing] {BE} [the] ( MORE | MOST ) [one] {_REACH}",
        _which_of_two,
    ),
    (f"{WHAT} {BE} the ( MORE | MOST ) [one] of|between|among SUBJECT and|or SUBJECT2", _which_of_two),
    (f"{WHAT} {_ONE_OF_TWO} stands|is|sits MORE [,] SUBJECT or SUBJECT2", _which_of_two),
    (f"{WHAT} {_ONE_OF_TWO} WEIGHS [,] SUBJECT or SUBJECT2", _which_of_two),
    (f"{WHAT} [one] of SUBJECT and|or SUBJECT2 WEIGHS", _which_of_two),
)
