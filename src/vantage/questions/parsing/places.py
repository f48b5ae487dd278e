"""Where objects are said to be: "on the desk", "left of the sofa as seen from the door", "in the kitchen"."""

from __future__ import annotations

from collections.abc import Iterator

from vantage.questions.parsing.descriptions import Either, Has, LiesBetween, Modifier, Shares, Stands
from vantage.questions.parsing.modifiers import STANDS
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.patterns import Captures, Chart, Found, Rule, either, rule, table
from vantage.questions.parsing.vocabulary import EVERYWHERE, HERE, PLACE_NOUNS, RELATION_WORDS, SIDED
from vantage.questions.parsing.word_classes import ADVERBS

Places = tuple[Modifier, ...]  # empty where nothing is said: "in the house"

# What is seen in them is not there.
_DEPICTING = frozenset({"mirror", "picture", "photo", "poster", "television", "monitor", "window"})
_WITHIN = "in|inside|within|of|from|around|throughout|at|across"
_SOMEBODY = "i|you|we|one|somebody|someone|anybody|anyone"
_FACING = "[am|are|is|was|were] ( face|faces|faced|facing | look|looks|looked|looking at|to|towards|toward|over )"
_LOOKING = either(
    *("seen", "as seen", "when seen", "if seen", "viewed", "as viewed", "when viewed", "if viewed", "looking"),
    *("when looking", "if you look", "when you look", "as you look", "if i look", "when i look", "observed"),
    *("as observed", "when looked at", "looking at it", "when facing it", "seeing it", "judged"),
)
_STANDING = either(
    *("standing", "when standing", "if you stand", "when you stand", "if i stand", "when i stand", "if one stands"),
    *("if you are standing", "if i am standing", "for somebody", "for someone", "for someone standing", "to someone"),
    *("for somebody standing", "for a viewer", "for an observer", "to a viewer", "if you were standing", "if you are"),
)
_FROM = f"( [{_LOOKING}] from [the perspective|viewpoint|position|side|view of|from] | {_STANDING} at|by|in|near )"
_IF = f"( if|when|while|as|suppose|imagine|say|assuming {_SOMEBODY} | when|while|by )"
_BEING_AT = (
    "( [am|are|is|was|were] stand|stands|stood|standing | am|are|is|was|were ) [right|just] at|by|in|near|beside"
)
_STANDS_AT = f"[{_IF}] {_BEING_AT} [to]"
_THEN = f"[and|while] [{_SOMEBODY}] {_FACING}"
_TO_THE = "[to|on|at] [the]"
_EITHER_SIDE = f"( {_TO_THE} left [side] or {_TO_THE} right [side] | {_TO_THE} right [side] or {_TO_THE} left [side] )"
_POINT = "perspective|viewpoint|position|side|view|place"
_ASKER = either(
    *("me", "here", "us", "you", f"my|your|this {_POINT}", "my|your point of view", "where i|you am|are|stand|started"),
    *("where i|you am|are standing", "the start", "the|your|my starting point", "the camera"),
)
_BE = f"( is|are|was|were|'s|{STANDS} )"
_WHERE = "( where | [on|in|at|upon] which | that | )"
_ON = "[on|in|at]"
_ASKING = either("as i see it", "as you see it", "for me", "to me", "as seen by me", f"{_LOOKING} from {_ASKER}")

_AMID = either(
    *("[in] between", "in the middle of", "in the middle [,] between", "midway between", "halfway between"),
)


def _nowhere(chart: Chart, start: int) -> Iterator[Found]:
    for end in chart.after(start, *HERE):
        yield Found((), end)


def _adverbs(chart: Chart, start: int) -> Iterator[Found]:
    """Words that say nothing, however many; also none at all."""
    yield Found((), start)
    end = start
    while chart.word(end) in ADVERBS:
        end += 1
        yield Found((), end)


def room_of(phrase: Phrase) -> Places | None:
    """What it says of an object to be in a room: nothing of "the room"; None where the phrase means no kind of room."""
    description = phrase.description
    told = phrase.other or phrase.claimed is not None or phrase.determiner == "every"
    if not description.of_rooms or not description.is_plain or told:
        return None
    return (Has("room", description.label),) if description.label else ()


def _standing(relation: str, phrase: Phrase) -> Places | None:
    room = room_of(phrase) if relation in ("in", "at") else None
    if room is not None:
        return room
    one = phrase.one()
    if one is None or (relation == "in" and phrase.description.kind in _DEPICTING):
        return None
    if phrase.description.of_rooms and relation in ("behind", "in front of"):  # at that end of it
        return None
    if phrase.description.of_rooms and relation in ("on", "in", "at"):
        return (Stands("in", one),) if phrase.description.is_told_room and relation != "on" else None
    return (Stands(relation, one),)


def _viewed(found: Captures) -> Places | None:
    one = found["NP"].one()
    viewer, *faced = found["VIEW"]
    if one is None or found["RELATION"] not in SIDED or any(other != one for other in faced):
        return None
    return (Stands(found["RELATION"], one, viewer),)


def _either_relation(found: Captures) -> Places | None:
    """Behind or in front of something."""
    viewed = {**found, "VIEW": found.get("VIEW", (None,))}
    said = [_viewed({**viewed, "RELATION": relation}) for relation in (found["RELATION"], found["RELATION2"])]
    if None in said and "VIEW" not in found:
        said = [_standing(found[key], found["NP"]) for key in ("RELATION", "RELATION2")]
    return _either(*said)


def _either_side(found: Captures) -> Places | None:
    return _either_relation({**found, "RELATION": "left of", "RELATION2": "right of"})


def _either(first: Places | None, second: Places | None) -> Places | None:
    if not first or not second:
        return None
    choices = [item.choices if isinstance(item, Either) else (item,) for item in (*first, *second)]
    return (Either(tuple(choice for group in choices for choice in group)),)


def _together(found: Captures) -> Places | None:
    relation = found["RELATION"]
    if found.get("RELATION2", relation) != relation:
        return None
    return _either(_standing(relation, found["NP"]), _standing(relation, found["NP2"]))


def _same_place(found: Captures) -> Places | None:
    """Where another object is: at the same place; next to that, above it and so on: next to that object, above it."""
    relation = found.get("RELATION", "at")
    if relation in ("on", "in", "at"):
        return (Shares("place", found["ONE"]),)
    return (Stands(relation, found["ONE"]),)


def _in_room(phrase: Phrase) -> Places | None:
    return room_of(phrase) or None


RULES: dict[str, Rule] = {
    "ADVERBS": _adverbs,
    "RELATION": table(RELATION_WORDS),
    "EVERYWHERE": table(dict.fromkeys(EVERYWHERE, ())),
    "NOWHERE": _nowhere,
    # A tuple with one viewer in it, or None for the asker, and what is looked at where that is said.
    "VIEW": rule(
        (f"[,] {_STANDS_AT} ONE {_THEN} it|there", lambda found: (found["ONE"],)),
        (f"[,] {_STANDS_AT} ONE {_THEN} ONE2", lambda found: (found["ONE"], found["ONE2"])),
        (f"[,] [{_IF}] {_FACING} ONE2 from ONE", lambda found: (found["ONE"], found["ONE2"])),
        (f"[,] [{_IF}] {_FACING} ONE", lambda found: (None, found["ONE"])),
        (f"[,] {_FROM} ONE ['s {_POINT}|point [of view]]", lambda found: (found["ONE"],)),
        (f"[,] {_FROM} {_ASKER}", lambda found: (None,)),
        (f"[,] {_ASKING}", lambda found: (None,)),
    ),
    "HOME": rule(
        ("NOWHERE", lambda found: ()),
        (f"{_WITHIN} [all|of|in] [the|this|my|our|that|your] [whole|entire] EVERYWHERE", lambda found: ()),
    ),
    "SPOT": rule(
        ("ADVERBS NOWHERE", lambda found: ()),
        ("HOME", lambda found: ()),
        (
            f"ADVERBS {_AMID} ONE and ONE2",
            lambda found: (LiesBetween(found["ONE"], found["ONE2"]),),
        ),
        ("ADVERBS in|inside the [very] same room as ONE", lambda found: (Shares("room", found["ONE"]),)),
        ("ADVERBS on|in|at the [very] same THING as ONE", lambda found: (Shares("place", found["ONE"]),)),
        ("in|inside the room ( with | that has | containing ) ONE", lambda found: (Shares("room", found["ONE"]),)),
        (
            f"in|inside the room {_WHERE} ONE {_BE} ADVERBS [in]",
            lambda found: (Shares("room", found["ONE"]),),
        ),
        (
            f"ADVERBS RELATION the [very|exact|same] {'|'.join(PLACE_NOUNS)} {_WHERE} ONE {_BE} ADVERBS {_ON}",
            _same_place,
        ),
        ("ADVERBS RELATION NP", lambda found: _standing(found["RELATION"], found["NP"])),
        ("ADVERBS RELATION NP VIEW", _viewed),
        ("ADVERBS in|at|into the corner RELATION NP", lambda found: _standing(found["RELATION"], found["NP"])),
        ("ADVERBS [either] RELATION or RELATION2 NP [VIEW]", _either_relation),
        (f"ADVERBS [either] {_EITHER_SIDE} of NP [VIEW]", _either_side),
        (
            "ADVERBS RELATION [either] NP or NP2",
            lambda found: _either(
                _standing(found["RELATION"], found["NP"]), _standing(found["RELATION"], found["NP2"])
            ),
        ),
        ("ADVERBS among|amongst [all] [of] the THINGS [that are] PLACE", lambda found: found["PLACE"]),
        ("of|from NP", lambda found: _in_room(found["NP"])),
        ("leading|that leads to|into NP", lambda found: _in_room(found["NP"])),
    ),
    "WHEREVER": rule((f"ADVERBS where ONE {_BE} ADVERBS", lambda found: (Shares("place", found["ONE"]),))),
    # Places that are taken together.
    "TOTAL": rule(
        (
            "ADVERBS [both] RELATION NP and [RELATION2] NP2 [ADVERBS] [together|combined]",
            _together,
        ),
    ),
    "PLACE": rule(
        ("[either] SPOT", lambda found: found["SPOT"]),
        ("[either] SPOT [,] or PLACE", lambda found: _either(found["SPOT"], found["PLACE"])),
    ),
}
