"""English questions about things in a room, understood by grammar alone.

The grammar covers five kinds of questions in many wordings and any noun. What it does not understand it says so
about, by returning None; it never guesses and never raises.
"""

from __future__ import annotations

import re
import unicodedata

from vantage.questions import grammar
from vantage.questions.kinds import QuestionKind
from vantage.questions.nouns import NounPhrase, color_word, material_word, noun_phrase
from vantage.questions.parsed import ParsedQuestion, Place, Subject

MAX_LENGTH = 300  # characters; a question about one thing is shorter, and this bounds the time

_INSIDE = ("in", "inside", "inside of", "within", "into")
_HOLDS = re.compile(r"\b(?:contain|hold)\b")


def parse(text: str) -> ParsedQuestion | None:
    """What a question asks and takes for granted, or None when it is not understood.

    Understood are existence, color, material, count and location of things, with a color, material, number and a
    place "on" or "in" something claimed of them. Relations such as "under" or "next to" are not.
    """
    plain = _normalized(text)
    if plain is None:
        return None
    place_first = grammar.PLACE_FIRST.match(plain)
    leading = None
    if place_first is not None:
        leading = _place(place_first["relation"], place_first["support"])
        plain = place_first["rest"]
    for core in _cores(plain):
        found = _match(core, text.strip(), leading)
        if found is not None:
            return found
    return None


def _normalized(text: str) -> str | None:
    if not isinstance(text, str) or len(text) > 4 * MAX_LENGTH:
        return None
    plain = unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'").replace("\u2018", "'")
    plain = " ".join(plain.split())
    if not 0 < len(plain) <= MAX_LENGTH or not plain.isascii() or not plain.isprintable():
        return None
    plain = re.sub(r"[\"()]", "", plain).rstrip("?!. ,;:")
    for pattern, replacement in grammar.CONTRACTIONS:
        plain = pattern.sub(replacement, plain)
    return " ".join(plain.split())


def _cores(plain: str) -> list[str]:
    """The question without the polite words around it, most of them removed first."""
    found = [plain]
    while (shorter := grammar.OPENING.sub("", plain, count=1)) != plain:
        plain = shorter
        found.append(plain)
    for core in list(found):
        while (shorter := grammar.CLOSING.sub("", core)) != core and shorter:
            core = shorter
            found.append(core)
    return sorted({grammar.ROOM.sub("", core) for core in found}, key=len)


def _match(core: str, text: str, leading: Place | None) -> ParsedQuestion | None:
    if re.search(r"[,.;:?!]", core) or grammar.OTHER_RELATIONS.search(core):
        return None
    for kind, pattern in grammar.SENTENCES:
        match = pattern.match(core)
        if match is None:
            continue
        groups = match.groupdict()
        phrase = groups["np"] + (groups.get("tail") or "")
        holder = groups.get("holder")
        at = None
        if holder is not None:
            at = _place("in" if _HOLDS.search(core) else "on", holder)
            if at is None:
                continue
        found = _question(text, kind, phrase, at or leading)
        if found is not None:
            return found
    return _yes_no(core, text, leading)


def _question(
    text: str, kind: QuestionKind, phrase: str, known_place: Place | None, proposed: str = ""
) -> ParsedQuestion | None:
    thing, place = _located(phrase)
    if thing is None:
        return None
    place = place or known_place
    number, definite = thing.number, thing.definite
    if kind is QuestionKind.EXISTENCE and number is not None and number != 1:
        kind, proposed, number = QuestionKind.COUNT, str(number), None
    if kind in (QuestionKind.EXISTENCE, QuestionKind.COUNT):
        number = None
    subject = Subject(thing.label, thing.color, thing.material, number, thing.plural, definite)
    return ParsedQuestion(text, kind, subject, place, proposed)


def _yes_no(core: str, text: str, leading: Place | None) -> ParsedQuestion | None:
    made_of = grammar.YES_NO_MADE_OF.match(core)
    if made_of is not None and material_word(made_of["value"]):
        found = _question(text, QuestionKind.MATERIAL, made_of["np"], leading, material_word(made_of["value"]))
        if found is not None:
            return found
    value = grammar.YES_NO_VALUE.match(core)
    if value is not None:
        said = value["value"]
        for kind, word in ((QuestionKind.COLOR, color_word(said)), (QuestionKind.MATERIAL, material_word(said))):
            found = _question(text, kind, value["np"], leading, word) if word else None
            if found is not None and not _is_indefinite(value["np"]):
                return found
    for pattern in (grammar.INDIRECT_PLACE, grammar.YES_NO_PLACE):
        match = pattern.match(core)
        if match is None:
            continue
        phrase = match["np"] + (match.groupdict().get("tail") or "")
        found = _question(text, QuestionKind.EXISTENCE, phrase, leading)
        if found is not None and found.place is not None:
            return found
    return None


def _is_indefinite(phrase: str) -> bool:
    return phrase.split()[0] in ("a", "an", "any", "some", "there")


def _located(phrase: str) -> tuple[NounPhrase | None, Place | None]:
    """Split "the red mug on the table" into the thing and its place."""
    material = ""
    made_of = grammar.MADE_OF.match(phrase)
    if made_of is not None and material_word(made_of["material"]):
        material, phrase = material_word(made_of["material"]), made_of["head"] + made_of["tail"]
    match = grammar.LOCATED.match(phrase)
    thing, place = noun_phrase(phrase if match is None else match["np"]), None
    if match is not None:
        place = _place(match["relation"], match["support"])
        if place is None:
            return None, None
    if thing is not None and material:
        thing = NounPhrase(thing.label, thing.color, material, thing.number, thing.plural, thing.definite)
    return thing, place


def _place(relation: str, support: str) -> Place | None:
    thing = noun_phrase(re.sub(r"^(?:the )?(?:top|surface|inside) of ", "", support))
    if thing is None or thing.number not in (None, 1):
        return None
    return Place("in" if relation in _INSIDE else "on", thing.label, thing.color, thing.material)
