"""Questions for a word: an attribute, a place, a name, or what is printed on a thing."""

from __future__ import annotations

from vantage.questions.parsing import meanings
from vantage.questions.parsing.forms_yes_no import BE, CAN, DO, LEAVE, SEE, WE, WITH_IT
from vantage.questions.parsing.modifiers import MADE, STANDS
from vantage.questions.parsing.patterns import Build, Captures, either
from vantage.questions.parsing.prints import MARKED
from vantage.questions.programs import Program

_WHAT = "what|which"
_KIND = "[kind|type|sort of] [a]"
_OF = "of|from|with|in"
_UPON = either("on", "in", "inside", "on top of", "at", "on or in", "in or on", "upon", "within")
_WHERE = "( where|whereabouts [exactly|abouts|else] )"
_NAMING = "name|give|identify|state|report|determine|specify"
_THE_HOME = "[of|in the house|home|apartment|flat]"
_REACH = "[to|from ( ONE | ASKER )]"  # of what is near or far
_ONE_OF_TWO = "[ ( SORTED | one | [one] of the|these two [SORTED] | of them ) ]"
_PRINT_ON = "[the|any] PRINTED [that is] [written|printed] on|of|at|across [the front|side|top|outside of] SUBJECT"


def _attribute(found: Captures) -> Program | None:
    return meanings.query(found["SUBJECT"], found["ATTRIBUTE"])


def _material(found: Captures) -> Program | None:
    asked = found.get("ATTRIBUTE", "material")
    return meanings.query(found["SUBJECT"], "material") if asked == "material" else None


def _queried(attribute: str) -> Build:
    return lambda found: meanings.query(found["SUBJECT"], attribute)


def _attribute_of_member(found: Captures) -> Program | None:
    """What color of mug is on the table."""
    narrowed = found["GROUP"].narrowed(found["PREDICATE"])
    if narrowed is None or narrowed.determiner or not narrowed.description.label:
        return None
    return meanings.query(narrowed, found["ATTRIBUTE"])


def _called(found: Captures) -> Program | None:
    """The name of a thing that was not named, or what a thing with a name is called."""
    named = found["SUBJECT"].description.label
    return meanings.query(found["SUBJECT"], "text" if named else "label")


def _place_of_kind(found: Captures) -> Program | None:
    """On which shelf it is."""
    kind = found["GROUP"]
    named = kind.description.is_plain and bool(kind.description.label) and not (kind.determiner or kind.plural)
    return meanings.query(found["SUBJECT"], "place") if named and not kind.description.of_rooms else None


def _place_within(found: Captures) -> Program | None:
    narrowed = found["SUBJECT"].narrowed(found["PLACE"])
    return None if narrowed is None else meanings.query(narrowed, "place")


def _room_of_any(found: Captures) -> Program | None:
    return None if found["GROUP"].plural else meanings.query(found["GROUP"], "room")


def _thing(found: Captures) -> Program | None:
    other = "OTHER" in found
    said = tuple(item for key in ("PREDICATE", "VERBAL", "PLACE", "AHEAD") for item in found.get(key, ()))
    return meanings.identify_thing(said, other)


def _member(found: Captures) -> Program | None:
    said = (*found.get("PREDICATE", ()), *found.get("VERBAL", ()))
    return meanings.identify(found["AMONG"] if "AMONG" in found else found["GROUP"], *said)


def _subject(found: Captures) -> Program | None:
    return meanings.identify(found["SUBJECT"]) if not found["SUBJECT"].description.label else None


def _content(found: Captures) -> Program | None:
    place = meanings.held(found["SUBJECT"], found["HAVE"], found.get("RELATION", ""))
    return None if not place else meanings.identify_thing(place)


def _converse(found: Captures) -> Program | None:
    return meanings.converse(found["RELATION"], found["SUBJECT"])


def _which_of_two(found: Captures) -> Program | None:
    quantity = found["MORE"] if "MORE" in found else found["MOST"] if "MOST" in found else found["WEIGHS"]
    return meanings.most_of_two(quantity, found["SUBJECT"], found["SUBJECT2"], found.get("ONE"))


_ATTRIBUTES: tuple[tuple[str, Build], ...] = (
    (f"[in|of|at|on] {_WHAT} {_KIND} ATTRIBUTE {BE}|'s SUBJECT [ADVERBS] [painted|in|of|made|at|like]", _attribute),
    (f"{_WHAT} {BE} [the] [current|exact|main|overall] ATTRIBUTE of SUBJECT", _attribute),
    (f"{_WHAT} {BE} SUBJECT 's [current] ATTRIBUTE", _attribute),
    ("[the] [current] ATTRIBUTE of SUBJECT", _attribute),
    (f"{_WHAT} ATTRIBUTE [of] GROUP {BE} PREDICATE", _attribute_of_member),
    (f"{_WHAT} {_KIND} ATTRIBUTE {DO} SUBJECT have|show|possess|come [in]", _attribute),
    (f"[in] {_WHAT} {_KIND} ATTRIBUTE SUBJECT {BE}|has|have [painted|in|made|of]", _attribute),
    (f"{_WHAT} the [current] ATTRIBUTE of SUBJECT {BE}", _attribute),
    (f"{_WHAT} SUBJECT 's ATTRIBUTE {BE}", _attribute),
    (f"SUBJECT {BE} [of|in] {_WHAT} ATTRIBUTE", _attribute),
    (f"SUBJECT has|have {_WHAT} ATTRIBUTE", _attribute),
    (f"{_WHAT} ATTRIBUTE has|have SUBJECT [got]", _attribute),
    (f"SUBJECT , [in] {_WHAT} ATTRIBUTE", _attribute),
    (f"[in] {_WHAT} {_KIND} ATTRIBUTE {DO} SUBJECT look|appear|seem [to be|have]", _attribute),
    (f"[in] {_WHAT} {_KIND} ATTRIBUTE would|might|could|may SUBJECT be|have", _attribute),
    (f"{_NAMING} the [current] ATTRIBUTE of SUBJECT", _attribute),
    (f"{_NAMING} SUBJECT 's ATTRIBUTE", _attribute),
    (f"how {BE} SUBJECT colored|painted", _queried("color")),
    (f"how {BE} SUBJECT shaped", _queried("shape")),
    (f"how big|large|small {BE} SUBJECT", _queried("size")),
    (f"how big|large|small SUBJECT {BE}", _queried("size")),
    (f"[{_OF}] {_WHAT} {_KIND} [ATTRIBUTE] {BE} SUBJECT {MADE} [out] [{_OF}]", _material),
    (f"out of {_WHAT} {_KIND} [ATTRIBUTE] {BE} SUBJECT {MADE}", _material),
    (f"[{_OF}] {_WHAT} {_KIND} [ATTRIBUTE] would|might|could SUBJECT be {MADE} [out] [{_OF}]", _material),
    (f"[{_OF}] {_WHAT} {_KIND} [ATTRIBUTE] SUBJECT {BE} {MADE} [out] [{_OF}]", _material),
    (f"{_WHAT} {_KIND} [ATTRIBUTE] {DO} SUBJECT consist of", _material),
    (f"of {_WHAT} {_KIND} [ATTRIBUTE] {DO} SUBJECT consist", _material),
    (f"{_WHAT} [ATTRIBUTE] SUBJECT consists of", _material),
    (f"{_WHAT} {_KIND} ATTRIBUTE {BE} used for|in SUBJECT", _material),
    (f"{_WHAT} {_KIND} ATTRIBUTE {BE} used to make SUBJECT", _material),
    (f"{_WHAT} {_KIND} ATTRIBUTE makes up SUBJECT", _material),
    (f"SUBJECT {BE} {MADE} {_OF} {_WHAT} [ATTRIBUTE]", _material),
)
_PLACES: tuple[tuple[str, Build], ...] = (
    (f"{_WHERE} {BE} SUBJECT ADVERBS", _queried("place")),
    (
        f"{_WHERE} {CAN} {WE} ( {SEE} | {LEAVE} | get|have | look for ) SUBJECT [at]",
        _queried("place"),
    ),
    (f"{_WHERE} {DO} SUBJECT {STANDS}", _queried("place")),
    (f"{_WHERE} can|could SUBJECT be {SEE}", _queried("place")),
    (f"{_WHERE} SUBJECT {BE} ADVERBS", _queried("place")),
    (f"SUBJECT {BE} where", _queried("place")),
    ("SUBJECT , where", _queried("place")),
    (f"{_WHERE} [{BE}] SUBJECT ADVERBS at|to", _queried("place")),
    (
        f"{_WHERE} {BE}|has|have|did SUBJECT ( gone | got to | disappeared [to] | vanished [to] | go | end up )",
        _queried("place"),
    ),
    (f"{_WHERE} has|have SUBJECT been ADVERBS", _queried("place")),
    (f"{_WHERE} PLACE {BE} SUBJECT ADVERBS", _place_within),
    (f"{_WHERE} {BE} there GROUP", lambda found: meanings.query(found["GROUP"], "place")),
    (f"{_UPON} {_WHAT} [SURFACE] {BE} SUBJECT ADVERBS", _queried("place")),
    (f"{_UPON} {_WHAT} [SURFACE] {CAN} {WE} {SEE} SUBJECT", _queried("place")),
    (f"{_UPON} {_WHAT} [SURFACE] {DO} SUBJECT {STANDS}", _queried("place")),
    (f"{_WHAT} [SURFACE] {BE} SUBJECT ADVERBS {_UPON}", _queried("place")),
    (f"{_UPON} {_WHAT} GROUP {BE} SUBJECT ADVERBS", _place_of_kind),
    (f"{_WHAT} GROUP {BE} SUBJECT ADVERBS {_UPON}", _place_of_kind),
    (f"{_WHERE} can|could|might|would|may|should SUBJECT be", _queried("place")),
    (f"{_WHAT} [SURFACE] {DO} SUBJECT {STANDS} {_UPON}", _queried("place")),
    (f"{_WHAT} SURFACE HAVE SUBJECT [{WITH_IT}]", _queried("place")),
    (f"{_WHAT} SURFACE SUBJECT {BE} ADVERBS {_UPON}", _queried("place")),
    ("find|locate|spot SUBJECT", _queried("place")),
    ("( look|search|watch for | point to|at | show [me] ) SUBJECT", _queried("place")),
    (f"[in] {_WHAT} room {_THE_HOME} {BE} SUBJECT ADVERBS [in|at]", _queried("room")),
    (f"[in] {_WHAT} room {_THE_HOME} SUBJECT {BE} ADVERBS [in]", _queried("room")),
    (f"in {_WHAT} room {_THE_HOME} {BE} there GROUP", _room_of_any),
    (f"in {_WHAT} room {_THE_HOME} {CAN} {WE} {SEE} GROUP", _room_of_any),
    (f"{_WHAT} room {_THE_HOME} {CAN} {WE} ( {SEE} | {LEAVE} ) GROUP in", _room_of_any),
    (f"in {_WHAT} room {_THE_HOME} {CAN} {WE} {LEAVE} GROUP", _room_of_any),
    (f"in {_WHAT} room {_THE_HOME} can|could GROUP be {SEE}", _room_of_any),
    (f"[in] {_WHAT} room {_THE_HOME} {DO} SUBJECT {STANDS} [in|to]", _queried("room")),
    (f"{_WHAT} room {_THE_HOME} HAVE GROUP [in it]", _room_of_any),
    (f"{_WHAT} {BE} the room ( with | that has | containing | that contains | where there is ) GROUP", _room_of_any),
    (f"{_WHAT} part of the house|home|apartment|flat {BE} SUBJECT in", _queried("room")),
)
_NAMES: tuple[tuple[str, Build], ...] = (
    (f"{_WHAT} {BE} [there] PREDICATE", _thing),
    (f"{_WHAT} [OTHER] {BE} [there] PREDICATE", _thing),
    (f"{_WHAT} {_KIND} SORTED {BE} [there] PREDICATE", _thing),
    ("what [OTHER] VERBAL", _thing),
    (f"what [OTHER] {CAN} {WE} ( {SEE} | {LEAVE} ) [PLACE]", _thing),
    (f"what {DO} {WE} have PLACE", _thing),
    (f"what [OTHER] can be {SEE} PLACE", _thing),
    (f"what [OTHER] {BE} there to see PLACE", _thing),
    (f"{_WHAT} {BE} [the name of] SUBJECT", _subject),
    (f"{_WHAT} {_KIND} SORTED {BE} SUBJECT", _subject),
    (f"{_NAMING} SUBJECT", _subject),
    (f"{_WHAT} SUBJECT {BE}", _subject),
    (f"{_WHAT} GROUP {BE} PREDICATE", _member),
    (f"{_WHAT} GROUP VERBAL", _member),
    (f"AMONG {_WHAT} [one] [of them|these|those] ( {BE} PREDICATE | VERBAL )", _member),
    (f"AMONG {_WHAT} SORTED ( {BE} PREDICATE | VERBAL )", _member),
    (f"{_WHAT} [one] of GROUP {BE} PREDICATE", _member),
    (f"{_WHAT} [one] of GROUP VERBAL", _member),
    (f"what {DO} SUBJECT HAVE [{WITH_IT}]", _content),
    (f"what {BE} SUBJECT ADVERBS RELATION", _converse),
    (f"{_WHAT} {_ONE_OF_TWO} {BE} [the] MORE [one] {_REACH} [,] SUBJECT or SUBJECT2", _which_of_two),
    (f"{_WHAT} {_ONE_OF_TWO} {BE} [the] MOST [one] {_REACH} [,] SUBJECT or SUBJECT2", _which_of_two),
    (
        f"{_WHAT} [one] of SUBJECT and|or SUBJECT2 {BE} [the] ( MORE | MOST ) [one] {_REACH}",
        _which_of_two,
    ),
    (f"{_WHAT} {_ONE_OF_TWO} WEIGHS [,] SUBJECT or SUBJECT2", _which_of_two),
    (f"{_WHAT} [one] of SUBJECT and|or SUBJECT2 WEIGHS", _which_of_two),
)
_PRINTS: tuple[tuple[str, Build], ...] = (
    (f"what {DO} {_PRINT_ON} say|read|show|spell", _queried("text")),
    (f"what {_PRINT_ON} says|reads|say|read", _queried("text")),
    ("what does|do|did SUBJECT say|read [on it]", _queried("text")),
    (f"what {DO} it say [written|printed] on SUBJECT", _queried("text")),
    ("what it says on SUBJECT", _queried("text")),
    (f"what {DO} SUBJECT 's PRINTED say|read", _queried("text")),
    (f"what {BE} SUBJECT 's PRINTED", _queried("text")),
    (f"{_WHAT} {BE} [on] {_PRINT_ON}", _queried("text")),
    (f"{_WHAT} {BE} [ADVERBS] WRITTEN [ADVERBS] on|across SUBJECT", _queried("text")),
    (f"{_WHAT} PRINTED {BE} [there] [ADVERBS] [written|printed] on|across SUBJECT", _queried("text")),
    (f"{_WHAT} PRINTED {STANDS} on SUBJECT", _queried("text")),
    (f"{_WHAT} PRINTED {DO} SUBJECT have|bear|carry|show|display|say [on it]", _queried("text")),
    (f"{_WHAT} [PRINTED] can ( {WE} read | be read | {WE} see ) on SUBJECT", _queried("text")),
    (f"what [PRINTED] {CAN} {WE} read on SUBJECT", _queried("text")),
    (f"what {BE} SUBJECT called|named", _called),
    (f"[with|as] {_WHAT} [PRINTED] {BE} SUBJECT {MARKED} [as|with]", _queried("text")),
    (f"how {BE} SUBJECT {MARKED}", _queried("text")),
    (f"read [me] [out] [aloud] {_PRINT_ON}", _queried("text")),
    ("read [me] [out] [aloud] what is [WRITTEN] on SUBJECT", _queried("text")),
    ("read [me] [out] [aloud] what it says on SUBJECT", _queried("text")),
    ("read [me] [out] [aloud] SUBJECT 's PRINTED", _queried("text")),
    ("read [me] [out] [aloud] SUBJECT", _queried("text")),
    ("the PRINTED on SUBJECT says|reads what", _queried("text")),
)
FORMS: tuple[tuple[str, Build], ...] = (*_ATTRIBUTES, *_PLACES, *_NAMES, *_PRINTS)
