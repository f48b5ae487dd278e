"""Questions for an attribute of an object or for what is printed on it."""

from __future__ import annotations

from dataclasses import replace

from vantage.questions.parsing import meanings
from vantage.questions.parsing.modifiers import MADE, MARKED, STANDS
from vantage.questions.parsing.patterns import Build, Captures
from vantage.questions.parsing.yes_no_questions import BE, CAN, DID, DO, WE
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
