"""Questions for the place or the room of an object."""

from __future__ import annotations

from vantage.questions.parsing import meanings
from vantage.questions.parsing.attribute_questions import KIND, NAMING, WHAT, queried
from vantage.questions.parsing.modifiers import STANDS
from vantage.questions.parsing.patterns import Build, Captures, either
from vantage.questions.parsing.places import room_of
from vantage.questions.parsing.vocabulary import PLACE_NOUNS
from vantage.questions.parsing.yes_no_questions import BE, CAN, DID, DO, LEAVE, PUT_OFF, SEE, WE, WITH_IT
from vantage.questions.programs import Program

_UPON = either("on", "in", "inside", "on top of", "at", "on or in", "in or on", "upon", "within")
WHERE = "( where|whereabouts [exactly|abouts] )"
_THE_HOME = "[of|in the|our|this|my house|home|apartment|flat|place]"
ROOM = either(
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


def _room_choice(found: Captures) -> Program | None:
    """The washing machine: kitchen or bathroom?"""
    rooms = room_of(found["NP"]), room_of(found["NP2"])
    return meanings.query(found["SUBJECT"], "room") if all(rooms) else None


FORMS: tuple[tuple[str, Build], ...] = (
    (f"{WHERE} {BE} SUBJECT ADVERBS", queried("place")),
    (f"{WHERE} {CAN} {WE} ( {SEE} | look for ) SUBJECT [at]", queried("place")),
    (f"{WHERE} {DID} {WE} ( {LEAVE} | get|have ) SUBJECT [at|down|away|lying|standing|to]", queried("place")),
    (f"{WHERE} {DID} {WE} {PUT_OFF} SUBJECT", queried("place")),
    (f"[in] {ROOM} {DID} {WE} {PUT_OFF} SUBJECT [in]", queried("room")),
    (f"{WHERE} {DO} SUBJECT {STANDS}", queried("place")),
    (f"{WHERE} can|could SUBJECT be {SEE}", queried("place")),
    (f"{WHERE} SUBJECT {BE} ADVERBS", queried("place")),
    (f"SUBJECT {BE}|stands|sits|lies|hangs where [exactly]", queried("place")),
    (f"SUBJECT {BE} ADVERBS where", queried("place")),
    (f"SUBJECT {BE} ADVERBS {_UPON} {WHAT} [SURFACE]", queried("place")),
    (f"{WHERE} {BE} {WE} ( {LEAVE} | having ) SUBJECT", queried("place")),
    (f"{WHERE} {BE} SUBJECT ADVERBS to be {SEE}", queried("place")),
    (f"{WHERE} {BE} SUBJECT ADVERBS [being] {LEAVE}", queried("place")),
    (f"{WHERE} {WE} [{DO}|have|has|can|could|might|last|had] {SEE} SUBJECT", queried("place")),
    (f"{WHERE} {WE} [{DO}|have|has|last|had|might have] {LEAVE} SUBJECT", queried("place")),
    (
        f"{WHERE} should|would|could|might|ought {WE} [to] ( look|search for | expect|hope to find | go for|to "
        "find ) SUBJECT",
        queried("place"),
    ),
    (f"{WHERE} {BE} SUBJECT 's [usual] place|spot|home|location", queried("place")),
    (f"{WHERE} to ( find | look for | get | search for ) SUBJECT", queried("place")),
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
    (f"{WHERE} [{BE}] SUBJECT ADVERBS at|to", queried("place")),
    (
        f"{WHERE} {BE}|has|have|did SUBJECT ( gone [to] | got to | disappeared [to] | vanished [to] | go | end "
        "up | wandered|run off [to] | hiding )",
        queried("place"),
    ),
    (f"{WHERE} has|have SUBJECT been ADVERBS", queried("place")),
    (f"{WHERE} SUBJECT {BE} ADVERBS to be {SEE}", queried("place")),
    (f"{WHERE} could|can|might|would|may SUBJECT have gone|got|been [to]", queried("place")),
    (f"{WHERE} {BE} it that {WE} [have] {LEAVE} SUBJECT", queried("place")),
    (f"{WHERE} {BE} it that SUBJECT {BE}|{STANDS} ADVERBS", queried("place")),
    (
        f"is there anywhere|somewhere [that|where] {WE} can|could|might {SEE} GROUP",
        lambda found: meanings.query(found["GROUP"], "place"),
    ),
    ("direct|guide|lead|steer me|us to SUBJECT", queried("place")),
    (f"{WHERE} PLACE {BE} SUBJECT ADVERBS", _place_within),
    (f"{WHERE} {BE} there GROUP", lambda found: meanings.query(found["GROUP"], "place")),
    (f"{_UPON} {WHAT} [SURFACE] {BE} SUBJECT ADVERBS", queried("place")),
    (f"{_UPON} {WHAT} [SURFACE] {CAN} {WE} {SEE} SUBJECT", queried("place")),
    (f"{_UPON} {WHAT} [SURFACE] {DO} SUBJECT {STANDS}", queried("place")),
    (f"{WHAT} [SURFACE] {BE} SUBJECT ADVERBS {_UPON}", queried("place")),
    (f"{_UPON} {WHAT} GROUP {BE} SUBJECT ADVERBS", _place_of_kind),
    (
        f"{_UPON} {WHAT} [one] of AMONGST {DO} SUBJECT {STANDS} [ [,] the ADJECTIVES [one] or the ADJECTIVES2 [one] ]",
        queried("place"),
    ),
    (f"{WHERE} would|might|could {WE} [have] {LEAVE} SUBJECT", queried("place")),
    (f"{WHAT} GROUP {BE} SUBJECT ADVERBS {_UPON}", _place_of_kind),
    (f"{WHERE} can|could|might|would|may|should SUBJECT be", queried("place")),
    (f"{WHAT} [SURFACE] {DO} SUBJECT {STANDS} {_UPON}", queried("place")),
    (f"{WHAT} SURFACE HAVE SUBJECT [{WITH_IT}]", queried("place")),
    (f"{WHAT} SURFACE SUBJECT {BE} ADVERBS {_UPON}", queried("place")),
    ("find|locate|spot [me|us] SUBJECT", queried("place")),
    ("( look|search|watch for | point to|at | show [me] ) SUBJECT", queried("place")),
    (f"[in] {ROOM} {BE} SUBJECT ADVERBS [in|at]", queried("room")),
    (f"[in] {ROOM} {BE} SUBJECT ADVERBS [in] , {_THIS_OR_THAT}", queried("room")),
    (f"[in] {ROOM} {DID} {WE} {LEAVE} SUBJECT [in] , {_THIS_OR_THAT}", queried("room")),
    (f"{WHERE} {BE} SUBJECT ADVERBS , {_THIS_OR_THAT}", queried("room")),
    (f"[in] {ROOM} SUBJECT {BE} ADVERBS [in]", queried("room")),
    (f"in {ROOM} {BE} there GROUP", _room_of_any),
    (f"in {ROOM} {CAN} {WE} {SEE} GROUP", _room_of_any),
    (f"{ROOM} {CAN} {WE} {SEE} GROUP in", _room_of_any),
    (f"{ROOM} {DID} {WE} {LEAVE} GROUP in", _room_of_any),
    (f"in {ROOM} {DID} {WE} {LEAVE} GROUP", _room_of_any),
    (f"in {ROOM} can|could GROUP be {SEE}", _room_of_any),
    (f"[in] {ROOM} {DO} SUBJECT {STANDS} [in|to]", queried("room")),
    (f"{ROOM} HAVE GROUP [in it]", _room_of_any),
    (f"{WHAT} {BE} the room ( with | containing | where there is | that|which HAVE ) GROUP", _room_of_any),
    (f"SUBJECT {BE} ADVERBS in {ROOM}", queried("room")),
    (f"[in] {ROOM} would|could|might|can|should SUBJECT be ADVERBS [in]", queried("room")),
    ("SUBJECT , [in] NP or [in] NP2", _room_choice),
    (f"SUBJECT , [in] {ROOM}", queried("room")),
    (f"in {ROOM} {DID} {WE} have|keep GROUP", _room_of_any),
    (f"{ROOM} {DID} {WE} have|keep GROUP in", _room_of_any),
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
