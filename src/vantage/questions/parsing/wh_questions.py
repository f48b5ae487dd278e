"""Questions for a word: a place, a room, a name, an attribute or printed text."""

from __future__ import annotations

from dataclasses import replace

from vantage.questions.parsing import meanings
from vantage.questions.parsing.descriptions import IsMost
from vantage.questions.parsing.modifiers import MADE, MARKED, STANDS
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.patterns import Build, Captures, either
from vantage.questions.parsing.places import room_of
from vantage.questions.parsing.vocabulary import PLACE_NOUNS
from vantage.questions.parsing.yes_no_questions import BE, CAN, DID, DO, LEAVE, OWN, PUT_OFF, SEE, WE, WITH_IT
from vantage.questions.programs import Program

WHAT = "what|which"
KIND = "[kind|type|sort of] [a]"
_OF = "of|from|with|in"
NAMING = "name|give|identify|state|report|determine|specify|describe|indicate|mention|provide|tell|characterize"
_HAS = "has|have|show|shows|possess|come|comes|bear|bears|take|takes|wear|wears|display|displays"
_ITS = "( the [current] ATTRIBUTE of SUBJECT | SUBJECT 's [current] ATTRIBUTE )"
_MAKER = f"( {WE} | the maker|makers|builder|builders|carpenter|manufacturer|designer|producer )"
_MAKE = (
    "( make|made|build|built|construct|constructed|craft|crafted|produce|produced|carve|carved|fashion|fashioned|form|"
    "formed|sew|sewn|weave|woven|knit|cast|manufacture|manufactured | put together )"
)
_CHOOSE = (
    "( use|used|choose|chose|chosen|pick|picked|select|selected|employ|employed|take|taken|apply|applied | "
    "go|gone for | settle|settled on | opt|opted for )"
)
_FOR = f"[for|in|on|with] [ making|building|crafting|producing [of] | the making of | to {_MAKE} ]"
_SHOWING = "showing|displaying|bearing|carrying|announcing|indicating|advertising|featuring|giving|saying"
_OPEN_AT = "[open|opened|turned|set|flipped|fixed] at|to|on"
_PRINT_ON = (
    "[the|any] PRINTED [that is] [written|printed] on|of|at|across|under|below|beneath|in [the "
    "front|side|top|outside of] SUBJECT"
)


def _attribute(found: Captures) -> Program | None:
    return meanings.query(found["SUBJECT"], found["ATTRIBUTE"])


def _attribute_there(found: Captures) -> Program | None:
    """What color the curtains are in the bedroom."""
    narrowed = found["SUBJECT"].narrowed(found["PLACE"])
    return None if narrowed is None or not found["PLACE"] else meanings.query(narrowed, found["ATTRIBUTE"])


def _material(found: Captures) -> Program | None:
    asked = found.get("ATTRIBUTE", "material")
    return meanings.query(found["SUBJECT"], "material") if asked == "material" else None


def queried(attribute: str) -> Build:
    """What makes a question for an attribute of the subject."""
    return lambda found: meanings.query(found["SUBJECT"], attribute)


def _attribute_of_member(found: Captures) -> Program | None:
    """What color of mug is on the table."""
    narrowed = found["GROUP"].narrowed(found["PREDICATE"])
    if narrowed is None or narrowed.determiner or not narrowed.description.label:
        return None
    return meanings.query(narrowed, found["ATTRIBUTE"])


def _called(found: Captures) -> Program | None:
    """The name of an object that was not named, or what an object with a name is called."""
    named = found["SUBJECT"].description.label
    return meanings.query(found["SUBJECT"], "text" if named else "label")


ATTRIBUTES: tuple[tuple[str, Build], ...] = (
    (f"[in|of|at|on|with] {WHAT} {KIND} ATTRIBUTE {BE}|'s SUBJECT [ADVERBS] [painted|in|of|made|at|like]", _attribute),
    (f"{WHAT} {BE} [the] [current|exact|main|overall] ATTRIBUTE of SUBJECT", _attribute),
    (f"{WHAT} {BE} SUBJECT 's [current] ATTRIBUTE", _attribute),
    ("[the] [current] ATTRIBUTE of SUBJECT", _attribute),
    ("SUBJECT 's [current] ATTRIBUTE", _attribute),
    (f"{WHAT} {KIND} ATTRIBUTE {DID} {_MAKER} paint|painted|make|made|give|given SUBJECT [in|from]", _attribute),
    (f"{WHAT} {KIND} ATTRIBUTE {DID} {_MAKER} {_CHOOSE} {_FOR} SUBJECT", _attribute),
    (f"{WHAT} {KIND} ATTRIBUTE ( {BE} | has|have been ) {_CHOOSE} {_FOR} SUBJECT", _attribute),
    (f"what {DID} {_MAKER} use|used|employ|employed {_FOR} SUBJECT", _material),
    (f"{WHAT} {KIND} [ATTRIBUTE] {DID} {_MAKER} {_MAKE} SUBJECT [out] of|from|with", _material),
    (f"[out] of|from|with {WHAT} {KIND} [ATTRIBUTE] {DID} {_MAKER} {_MAKE} SUBJECT", _material),
    ("the ATTRIBUTE [that|which] SUBJECT consists of", _material),
    (f"{WHAT} {BE} the ATTRIBUTE [that|which] SUBJECT consists of", _material),
    ("the ATTRIBUTE [that|which] SUBJECT is|are|has|have|'s [made|painted] [in | of | from | out of]", _attribute),
    (f"{WHAT} ATTRIBUTE [of] GROUP {BE} PREDICATE", _attribute_of_member),
    (f"[in|with|of] {WHAT} {KIND} ATTRIBUTE {DO} SUBJECT {_HAS} [in]", _attribute),
    (f"[in] {WHAT} {KIND} ATTRIBUTE SUBJECT {_HAS} [in|got]", _attribute),
    (f"[in] {WHAT} {KIND} ATTRIBUTE SUBJECT {BE} PLACE", _attribute_there),
    (f"{WHAT} ATTRIBUTE {DO} {WE} have|own|use for|on|in SUBJECT", _attribute),
    (f"SUBJECT {_HAS} [got] [in] [a] {WHAT} {KIND} ATTRIBUTE", _attribute),
    (f"SUBJECT {BE} [painted|colored|made|shaped] [of|in|from] [a] {WHAT} {KIND} ATTRIBUTE", _attribute),
    (f"the ATTRIBUTE of SUBJECT {BE} what", _attribute),
    (f"SUBJECT 's ATTRIBUTE {BE} what", _attribute),
    ("NOUN FEATURE", lambda found: meanings.query(replace(found["NOUN"], determiner="the"), found["FEATURE"])),
    ("NOUN , FEATURE", lambda found: meanings.query(replace(found["NOUN"], determiner="the"), found["FEATURE"])),
    (f"how would|can|could|do|should {WE} describe|characterize|name|call {_ITS}", _attribute),
    (
        f"{WHAT} ATTRIBUTE would|could|should|do|can {WE} call|name|say|consider|describe SUBJECT [as|is|has]",
        _attribute,
    ),
    (f"{WHAT} {BE} {_ITS} like", _attribute),
    (f"how {BE} {_ITS}", _attribute),
    (f"{WHAT} {BE} the ATTRIBUTE [that|which] SUBJECT {BE}|{_HAS} [in|painted|made|of]", _attribute),
    (f"{WHAT} {BE} SUBJECT like in ATTRIBUTE", _attribute),
    (f"{WHAT} {KIND} ATTRIBUTE {BE} [there] [used|found|seen|to be seen] on SUBJECT", _attribute),
    (f"{WHAT} [ATTRIBUTE] {BE} used to make SUBJECT", _material),
    (f"{WHAT} [ATTRIBUTE] {BE} used|needed for|in [making|the making of] SUBJECT", _material),
    (f"{WHAT} [ATTRIBUTE] went into [making] SUBJECT", _material),
    (f"SUBJECT {BE} {MADE} [out] {_OF} {WHAT}", _material),
    (f"SUBJECT consists of {WHAT} [ATTRIBUTE]", _material),
    (f"[in] {WHAT} {KIND} ATTRIBUTE SUBJECT {BE}|has|have [painted|in|made|of]", _attribute),
    (f"{WHAT} the [current] ATTRIBUTE of SUBJECT {BE}", _attribute),
    (f"{WHAT} SUBJECT 's ATTRIBUTE {BE}", _attribute),
    (f"SUBJECT {BE} [of|in] {WHAT} ATTRIBUTE", _attribute),
    (f"SUBJECT has|have {WHAT} ATTRIBUTE", _attribute),
    (f"{WHAT} ATTRIBUTE has|have SUBJECT [got]", _attribute),
    (f"SUBJECT , [in] {WHAT} ATTRIBUTE", _attribute),
    (f"[in] {WHAT} {KIND} ATTRIBUTE {DO} SUBJECT look|appear|seem [to be|have]", _attribute),
    (f"[in] {WHAT} {KIND} ATTRIBUTE would|might|could|may SUBJECT be|have", _attribute),
    (f"{NAMING} the [current] ATTRIBUTE of SUBJECT", _attribute),
    (f"{NAMING} SUBJECT 's ATTRIBUTE", _attribute),
    (f"how {BE} SUBJECT colored|painted", queried("color")),
    (f"{WHAT} {KIND} ATTRIBUTE {DID} {WE} get|buy|bought|order|have|choose|got SUBJECT in|of", _attribute),
    (f"how {BE} SUBJECT shaped", queried("shape")),
    (f"how big|large|small {BE} SUBJECT", queried("size")),
    (f"how big|large|small SUBJECT {BE}", queried("size")),
    (f"[{_OF}] {WHAT} {KIND} [ATTRIBUTE] {BE} SUBJECT {MADE} [out] [{_OF}]", _material),
    (f"out of {WHAT} {KIND} [ATTRIBUTE] {BE} SUBJECT {MADE}", _material),
    (f"[{_OF}] {WHAT} {KIND} [ATTRIBUTE] would|might|could SUBJECT be {MADE} [out] [{_OF}]", _material),
    (f"[{_OF}] {WHAT} {KIND} [ATTRIBUTE] SUBJECT {BE} {MADE} [out] [{_OF}]", _material),
    (f"{WHAT} {KIND} [ATTRIBUTE] {DO} SUBJECT consist of", _material),
    (f"of {WHAT} {KIND} [ATTRIBUTE] {DO} SUBJECT consist", _material),
    (f"{WHAT} [ATTRIBUTE] SUBJECT consists of", _material),
    (f"{WHAT} {KIND} ATTRIBUTE {BE} used to make SUBJECT", _material),
    (f"{WHAT} {KIND} ATTRIBUTE makes up SUBJECT", _material),
    (f"SUBJECT {BE} {MADE} {_OF} {WHAT} [ATTRIBUTE]", _material),
)
PRINTS: tuple[tuple[str, Build], ...] = (
    (f"what {DO}|is {_PRINT_ON} say|read|show|spell [out]", queried("text")),
    (f"what {_PRINT_ON} says|reads|say|read", queried("text")),
    (f"[{NAMING} [me|us]] {_PRINT_ON}", queried("text")),
    ("what SUBJECT says|reads|say|read [on it]", queried("text")),
    (f"what {BE}|should [be] [there] in SUBJECT [,] ( according to|by | going by ) the|its PRINTED", queried("text")),
    (f"{WHAT} PRINTED {BE} SUBJECT ADVERBS ( {_SHOWING} | {_OPEN_AT} )", queried("text")),
    (f"{WHAT} PRINTED SUBJECT {BE} ADVERBS ( {_SHOWING} | {_OPEN_AT} )", queried("text")),
    (f"{WHAT} PRINTED SUBJECT shows|displays|bears|has|carries|says|gives|indicates [on it]", queried("text")),
    (f"{WHAT} PRINTED {BE} it [,] according to SUBJECT", queried("text")),
    (f"{WHAT} FOODS {BE} SUBJECT [,] ( according to|by | going by | judging by ) the|its PRINTED", queried("text")),
    (f"according to SUBJECT [,] {WHAT} PRINTED {BE} it", queried("text")),
    (f"what {DO} SUBJECT have|say [WRITTEN] on it|its|the|their PRINTED", queried("text")),
    (f"{WHAT} [PRINTED] might|could|would|may be WRITTEN on SUBJECT", queried("text")),
    (f"can|could {WE} ( read | make out | decipher ) {_PRINT_ON}", queried("text")),
    ("what does|do|did|is SUBJECT say|read|spell|tell [us|me] [on it]", queried("text")),
    ("SUBJECT says|reads [on it] what", queried("text")),
    (f"what {BE} SUBJECT saying", queried("text")),
    ("what has|have SUBJECT [got] [WRITTEN] on it|them", queried("text")),
    (f"what {DO} SUBJECT have WRITTEN on it|them", queried("text")),
    (f"what [PRINTED] {BE} [there] to [be] read [ADVERBS] on SUBJECT", queried("text")),
    (f"{WHAT} PRINTED {DO} {WE} see|find|read on SUBJECT", queried("text")),
    (f"{WHAT} PRINTED appears|appear on SUBJECT", queried("text")),
    ("what appears [WRITTEN] on SUBJECT 's PRINTED", queried("text")),
    (f"what {BE} [WRITTEN] on SUBJECT 's PRINTED", queried("text")),
    (f"how does {_PRINT_ON} read", queried("text")),
    ("how does SUBJECT 's PRINTED read", queried("text")),
    (f"{WHAT} [PRINTED] {DO}|is it say|read|show [written|printed] on SUBJECT", queried("text")),
    ("what it says on SUBJECT", queried("text")),
    (f"what {DO}|is SUBJECT 's PRINTED say|read", queried("text")),
    (f"what {BE} SUBJECT 's PRINTED", queried("text")),
    (f"{WHAT} {BE} [on] {_PRINT_ON}", queried("text")),
    (
        f"{WHAT} {BE} [ADVERBS] WRITTEN [ADVERBS] on|across [the side|front|spine|back|lid|top of] SUBJECT",
        queried("text"),
    ),
    (f"{WHAT} PRINTED {BE} [there] [ADVERBS] [WRITTEN] on|across|by SUBJECT", queried("text")),
    (f"{WHAT} PRINTED {STANDS} on SUBJECT", queried("text")),
    (f"{WHAT} PRINTED {DO} SUBJECT have|bear|carry|show|display|say|give|indicate [on it]", queried("text")),
    (f"{WHAT} [PRINTED] can ( {WE} read | be read | {WE} see ) on SUBJECT", queried("text")),
    (f"what [PRINTED] {CAN} {WE} read on SUBJECT", queried("text")),
    (f"what {BE} SUBJECT called|named", _called),
    (f"[with|as] {WHAT} [PRINTED] {BE} SUBJECT {MARKED} [as|with]", queried("text")),
    (f"how {BE} SUBJECT {MARKED}", queried("text")),
    (f"read|reading [me] [out] [aloud] {_PRINT_ON}", queried("text")),
    ("read|reading [me] [out] [aloud] what is [WRITTEN] on SUBJECT", queried("text")),
    ("read|reading [me] [out] [aloud] what it says on SUBJECT", queried("text")),
    ("read|reading [me] [out] [aloud] SUBJECT 's PRINTED", queried("text")),
    ("read|reading [me] [out] [aloud] SUBJECT", queried("text")),
    ("read|reading [me] [out] [aloud] what SUBJECT says", queried("text")),
    ("the PRINTED on|of SUBJECT says|reads what", queried("text")),
)


_UPON = either("on", "in", "inside", "on top of", "at", "on or in", "in or on", "upon", "within")
_WHERE = "( where|whereabouts [exactly|abouts] )"
_THE_HOME = "[of|in the|our|this|my house|home|apartment|flat|place]"
_ROOM = either(
    f"{WHAT} {KIND} room {_THE_HOME}",
    "which [one] of the|our|these|your|my|all rooms",
    f"{WHAT} part|area|corner of the|our|this house|home|apartment|flat|place",
)
_THIS_OR_THAT = "[in] [the] ROOMED or [in] [the] ROOMED2"
_THE_ROOM = (
    f"[ {WHAT} {BE} | name|identify|show|find | what do|would {WE} call ] the [name of the] [kind|type|sort of] room"
)
_THE = (
    f"[ {WHAT}|where {BE} | {NAMING} [me|us] [about] | show|find|point|identify [me|us] [out|to] ] "
    "the [exact|precise|right|usual|current|very]"
)
_THE_PLACE = f"{_THE} SURFACE"
_WHERE_IT = "( where | in which | that | which | )"
_AT_WHICH = f"( where | {_UPON} which | that | which | )"
_REACH = "[ to|from ( ONE | ASKER ) | ONE ]"  # of what is near or far
_ONE_OF_TWO = "[ ( SORTED | one|room|place | [one] of the|these two [SORTED] | [one] of these|those|them ) ]"


def _place_of_kind(found: Captures) -> Program | None:
    """On which shelf it is."""
    kind = found["GROUP"]
    if kind.description.label == "floor":  # a storey
        return None
    named = kind.description.is_plain and bool(kind.description.label) and not (kind.determiner or kind.plural)
    return meanings.query(found["SUBJECT"], "place") if named and not kind.description.of_rooms else None


def _place_within(found: Captures) -> Program | None:
    narrowed = found["SUBJECT"].narrowed(found["PLACE"])
    return None if narrowed is None else meanings.query(narrowed, "place")


def _room_of_any(found: Captures) -> Program | None:
    return None if found["GROUP"].plural else meanings.query(found["GROUP"], "room")


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


def _room_choice(found: Captures) -> Program | None:
    """The washing machine: kitchen or bathroom?"""
    rooms = room_of(found["NP"]), room_of(found["NP2"])
    return meanings.query(found["SUBJECT"], "room") if all(rooms) else None


def _of_extreme(found: Captures) -> Program | None:
    """Of the mugs, what color is the largest one?"""
    phrase = _extreme(found)
    return None if phrase is None else meanings.query(phrase, found["ATTRIBUTE"])


def _extreme_is(found: Captures) -> Program | None:
    phrase = _extreme(found)
    return None if phrase is None else meanings.verify(phrase, found["PREDICATE"])


_PLACES: tuple[tuple[str, Build], ...] = (
    (f"{_WHERE} {BE} SUBJECT ADVERBS", queried("place")),
    (f"{_WHERE} {CAN} {WE} ( {SEE} | look for ) SUBJECT [at]", queried("place")),
    (f"{_WHERE} {DID} {WE} ( {LEAVE} | get|have ) SUBJECT [at|down|away|lying|standing|to]", queried("place")),
    (f"{_WHERE} {DID} {WE} {PUT_OFF} SUBJECT", queried("place")),
    (f"[in] {_ROOM} {DID} {WE} {PUT_OFF} SUBJECT [in]", queried("room")),
    (f"{_WHERE} {DO} SUBJECT {STANDS}", queried("place")),
    (f"{_WHERE} can|could SUBJECT be {SEE}", queried("place")),
    (f"{_WHERE} SUBJECT {BE} ADVERBS", queried("place")),
    (f"SUBJECT {BE}|stands|sits|lies|hangs where [exactly]", queried("place")),
    (f"SUBJECT {BE} ADVERBS where", queried("place")),
    (f"SUBJECT {BE} ADVERBS {_UPON} {WHAT} [SURFACE]", queried("place")),
    (f"{_WHERE} {BE} {WE} ( {LEAVE} | having ) SUBJECT", queried("place")),
    (f"{_WHERE} {BE} SUBJECT ADVERBS to be {SEE}", queried("place")),
    (f"{_WHERE} {BE} SUBJECT ADVERBS [being] {LEAVE}", queried("place")),
    (f"{_WHERE} {WE} [{DO}|have|has|can|could|might|last|had] {SEE} SUBJECT", queried("place")),
    (f"{_WHERE} {WE} [{DO}|have|has|last|had|might have] {LEAVE} SUBJECT", queried("place")),
    (
        f"{_WHERE} should|would|could|might|ought {WE} [to] ( look|search for | expect|hope to find | go for|to "
        "find ) SUBJECT",
        queried("place"),
    ),
    (f"{_WHERE} {BE} SUBJECT 's [usual] place|spot|home|location", queried("place")),
    (f"{_WHERE} to ( find | look for | get | search for ) SUBJECT", queried("place")),
    (f"( on | on top of | inside | in ) {WHAT} [SURFACE] {DO} {WE} ( {LEAVE} ) SUBJECT", queried("place")),
    (f"{WHAT} holds|supports|contains|carries SUBJECT [up]", queried("place")),
    ("[show|tell me|us] the way to SUBJECT", queried("place")),
    ("point [me] to|at|toward|towards SUBJECT", queried("place")),
    (f"{WHAT} {BE} SUBJECT ADVERBS upon", queried("place")),
    (f"what SUBJECT {BE} ADVERBS {_UPON}", queried("place")),
    (f"what {DID} {WE} {LEAVE} SUBJECT [down] {_UPON}", queried("place")),
    (f"{WHAT} {BE} SUBJECT ADVERBS {_UPON} , [{_UPON}] ONE or [{_UPON}] ONE2", queried("place")),
    (f"{WHAT} {BE} SUBJECT ADVERBS {_UPON} PLACE", _place_within),
    (f"help [me|us] [to] ( {SEE} | look for | get ) SUBJECT", queried("place")),
    ("SUBJECT , where", queried("place")),
    (f"{_WHERE} [{BE}] SUBJECT ADVERBS at|to", queried("place")),
    (
        f"{_WHERE} {BE}|has|have|did SUBJECT ( gone [to] | got to | disappeared [to] | vanished [to] | go | end "
        "up | wandered|run off [to] | hiding )",
        queried("place"),
    ),
    (f"{_WHERE} has|have SUBJECT been ADVERBS", queried("place")),
    (f"{_WHERE} SUBJECT {BE} ADVERBS to be {SEE}", queried("place")),
    (f"{_WHERE} could|can|might|would|may SUBJECT have gone|got|been [to]", queried("place")),
    (f"{_WHERE} {BE} it that {WE} [have] {LEAVE} SUBJECT", queried("place")),
    (f"{_WHERE} {BE} it that SUBJECT {BE}|{STANDS} ADVERBS", queried("place")),
    (
        f"is there anywhere|somewhere [that|where] {WE} can|could|might {SEE} GROUP",
        lambda found: meanings.query(found["GROUP"], "place"),
    ),
    ("direct|guide|lead|steer me|us to SUBJECT", queried("place")),
    (f"{_WHERE} PLACE {BE} SUBJECT ADVERBS", _place_within),
    (f"{_WHERE} {BE} there GROUP", lambda found: meanings.query(found["GROUP"], "place")),
    (f"{_UPON} {WHAT} [SURFACE] {BE} SUBJECT ADVERBS", queried("place")),
    (f"{_UPON} {WHAT} [SURFACE] {CAN} {WE} {SEE} SUBJECT", queried("place")),
    (f"{_UPON} {WHAT} [SURFACE] {DO} SUBJECT {STANDS}", queried("place")),
    (f"{WHAT} [SURFACE] {BE} SUBJECT ADVERBS {_UPON}", queried("place")),
    (f"{_UPON} {WHAT} GROUP {BE} SUBJECT ADVERBS", _place_of_kind),
    (
        f"{_UPON} {WHAT} [one] of AMONGST {DO} SUBJECT {STANDS} [ [,] the ADJECTIVES [one] or the ADJECTIVES2 [one] ]",
        queried("place"),
    ),
    (f"{_WHERE} would|might|could {WE} [have] {LEAVE} SUBJECT", queried("place")),
    (f"{WHAT} GROUP {BE} SUBJECT ADVERBS {_UPON}", _place_of_kind),
    (f"{_WHERE} can|could|might|would|may|should SUBJECT be", queried("place")),
    (f"{WHAT} [SURFACE] {DO} SUBJECT {STANDS} {_UPON}", queried("place")),
    (f"{WHAT} SURFACE HAVE SUBJECT [{WITH_IT}]", queried("place")),
    (f"{WHAT} SURFACE SUBJECT {BE} ADVERBS {_UPON}", queried("place")),
    ("find|locate|spot [me|us] SUBJECT", queried("place")),
    ("( look|search|watch for | point to|at | show [me] ) SUBJECT", queried("place")),
    (f"[in] {_ROOM} {BE} SUBJECT ADVERBS [in|at]", queried("room")),
    (f"[in] {_ROOM} {BE} SUBJECT ADVERBS [in] , {_THIS_OR_THAT}", queried("room")),
    (f"[in] {_ROOM} {DID} {WE} {LEAVE} SUBJECT [in] , {_THIS_OR_THAT}", queried("room")),
    (f"{_WHERE} {BE} SUBJECT ADVERBS , {_THIS_OR_THAT}", queried("room")),
    (f"[in] {_ROOM} SUBJECT {BE} ADVERBS [in]", queried("room")),
    (f"in {_ROOM} {BE} there GROUP", _room_of_any),
    (f"in {_ROOM} {CAN} {WE} {SEE} GROUP", _room_of_any),
    (f"{_ROOM} {CAN} {WE} {SEE} GROUP in", _room_of_any),
    (f"{_ROOM} {DID} {WE} {LEAVE} GROUP in", _room_of_any),
    (f"in {_ROOM} {DID} {WE} {LEAVE} GROUP", _room_of_any),
    (f"in {_ROOM} can|could GROUP be {SEE}", _room_of_any),
    (f"[in] {_ROOM} {DO} SUBJECT {STANDS} [in|to]", queried("room")),
    (f"{_ROOM} HAVE GROUP [in it]", _room_of_any),
    (f"{WHAT} {BE} the room ( with | containing | where there is | that|which HAVE ) GROUP", _room_of_any),
    (f"SUBJECT {BE} ADVERBS in {_ROOM}", queried("room")),
    (f"[in] {_ROOM} would|could|might|can|should SUBJECT be ADVERBS [in]", queried("room")),
    ("SUBJECT , [in] NP or [in] NP2", _room_choice),
    (f"SUBJECT , [in] {_ROOM}", queried("room")),
    (f"in {_ROOM} {DID} {WE} have|keep GROUP", _room_of_any),
    (f"{_ROOM} {DID} {WE} have|keep GROUP in", _room_of_any),
    (f"{_THE_ROOM} {_WHERE_IT} SUBJECT {BE} ADVERBS [in]", queried("room")),
    (f"{_THE_ROOM} {_WHERE_IT} SUBJECT {STANDS} [in]", queried("room")),
    (f"{_THE_ROOM} {_WHERE_IT} {WE} [can] ( {SEE} | {LEAVE} | have ) GROUP [in]", _room_of_any),
    (f"{_THE_ROOM} ( with | containing | where there is | that|which HAVE ) GROUP [in it]", _room_of_any),
    (f"{_THE_ROOM} of SUBJECT", queried("room")),
    (f"{WHAT} {BE} SUBJECT 's room", queried("room")),
    (f"{_THE_PLACE} {_AT_WHICH} SUBJECT {BE}|{STANDS} ADVERBS [{_UPON}]", queried("place")),
    (f"{_THE_PLACE} {_AT_WHICH} SUBJECT ( can|could|might be [{SEE}] | {BE} ADVERBS to be {SEE} )", queried("place")),
    (
        f"{_THE_PLACE} {_AT_WHICH} {WE} "
        f"( [{DO}|have|has|had|can|could] {SEE} | [{DO}|have|has|had] ( {LEAVE} | have ) ) SUBJECT",
        queried("place"),
    ),
    (f"{_THE} {'|'.join(PLACE_NOUNS)} of SUBJECT", queried("place")),
)
_NAMES: tuple[tuple[str, Build], ...] = (
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
    (f"AMONG {_WHERE} {BE} the MOSTLY [one]", lambda found: _of_extreme({**found, "ATTRIBUTE": "place"})),
    (f"AMONG [in] {_ROOM} {BE} the MOSTLY [one] [in]", lambda found: _of_extreme({**found, "ATTRIBUTE": "room"})),
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
FORMS: tuple[tuple[str, Build], ...] = (*ATTRIBUTES, *_PLACES, *_NAMES, *PRINTS)
