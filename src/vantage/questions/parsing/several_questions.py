"""Questions with several answers: "what colors are the cups in the kitchen", "which rooms have a plant"."""

from __future__ import annotations

from dataclasses import replace

from vantage.questions.parsing.attribute_questions import KIND, NAMING, WHAT
from vantage.questions.parsing.descriptions import Description
from vantage.questions.parsing.modifiers import MADE
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.patterns import Build, Captures, Rule, table
from vantage.questions.parsing.yes_no_questions import BE, CAN, DID, DO, LEAVE, OWN, SEE, WE
from vantage.questions.programs import Program, QueryEach, Rooms

_ASPECTS = {
    **dict.fromkeys(("colors", "hues"), "color"),
    **dict.fromkeys(("materials", "substances", "kinds of material", "types of material"), "material"),
    **dict.fromkeys(("shapes",), "shape"),
    **dict.fromkeys(("sizes",), "size"),
    **dict.fromkeys(("states",), "state"),
}
_LIST = f"{NAMING}|list|enumerate"
_OF = "of|from|with|in|out"
_ALL = "[all|different|various] [the] [different|various]"


def _each(phrase: Phrase, attribute: str) -> Program | None:
    """The values of an attribute among several objects that are not said to be so many."""
    objects = replace(phrase, determiner="the").objects() if phrase.plural and not phrase.joined else None
    return None if objects is None else QueryEach(objects, attribute)


def _values(found: Captures) -> Program | None:
    rooms = found["SUBJECT"].description.of_rooms
    return None if rooms else _each(found["SUBJECT"], found["ASPECT"])


def _materials(found: Captures) -> Program | None:
    return _values(found) if found["ASPECT"] == "material" else None


def _members(found: Captures) -> Program | None:
    """What things or rooms they are, of which something is said."""
    phrase = found["GROUP"] if "GROUP" in found else found["SUBJECT"]
    said = tuple(item for key in ("PREDICATE", "VERBAL") for item in found.get(key, ()))
    narrowed = phrase.narrowed(said)
    if narrowed is None or phrase.description.label:
        return None
    if not phrase.description.of_rooms and narrowed.description == Description():  # everything there is
        return None
    if "GROUP" in found and phrase.determiner:  # "what the things are on"
        return None
    return _each(narrowed, "label")


def _rooms_with(found: Captures) -> Program | None:
    """In which rooms there are such objects."""
    phrase = found["GROUP"] if "GROUP" in found else found["SUBJECT"]
    if phrase.description.of_rooms or (phrase.determiner == "the" and not phrase.plural):  # one is in one room
        return None
    return _each(replace(phrase, plural=True), "room")


RULES: dict[str, Rule] = {"ASPECT": table(_ASPECTS, True)}
_ROOMS = f"[in] {WHAT} [of the] rooms"
FORMS: tuple[tuple[str, Build], ...] = (
    (f"[in|of] {WHAT} [different] ASPECT {BE} [all] SUBJECT [in|of]", _values),
    (f"{WHAT} {BE} {_ALL} ASPECT of SUBJECT", _values),
    (f"{_LIST} [me|us] {_ALL} ASPECT of SUBJECT", _values),
    (f"{WHAT} [different] ASPECT {DO} SUBJECT have|come [in]", _values),
    (f"{WHAT} [different] ASPECT SUBJECT {BE}", _values),
    (f"[{_OF}] {WHAT} [different] ASPECT {BE} SUBJECT {MADE} [out] [{_OF}]", _materials),
    (f"{WHAT} [different] ASPECT {BE} [used|found|seen] for|in|on|among SUBJECT", _values),
    (f"{WHAT} GROUP {BE} [there] PREDICATE", _members),
    (f"{WHAT} GROUP {BE} there that|which ( {BE} PREDICATE | VERBAL )", _members),
    (f"{WHAT} GROUP VERBAL", _members),
    (f"{WHAT} kinds|types|sorts of GROUP {BE} [there] PREDICATE", _members),
    (f"{WHAT} GROUP {BE} there", _members),
    (f"{WHAT} GROUP {CAN} {WE} {SEE} [PREDICATE]", _members),
    (f"{WHAT} GROUP {DO} {WE} {OWN} [PREDICATE]", _members),
    (f"{WHAT} {BE} [all] SUBJECT", _members),
    (f"{_LIST} [me|us] [all] SUBJECT", _members),
    (f"{_ROOMS} HAVE GROUP [in it|them]", _rooms_with),
    (f"{_ROOMS} {BE} there GROUP [in]", _rooms_with),
    (f"{_ROOMS} {BE} SUBJECT [in]", _rooms_with),
    (f"{_ROOMS} {CAN} {WE} {SEE} GROUP [in]", _rooms_with),
    (f"{_ROOMS} {DID} {WE} {OWN}|{LEAVE} GROUP [in]", _rooms_with),
    (f"{_ROOMS} can|could GROUP be {SEE} [in]", _rooms_with),
    (f"{WHAT} {KIND} rooms {BE} there", lambda found: QueryEach(Rooms(), "label")),
)
