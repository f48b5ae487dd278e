"""What is known of the attributes of an observed thing: a word, none, or not made out yet."""

from __future__ import annotations

from difflib import SequenceMatcher

from vantage.answering.symbolic.logic import Truth
from vantage.answering.symbolic.observed_facts import Sight, Thing
from vantage.answering.symbolic.predicates import noise
from vantage.perception.label_confusions import alike, mixed_up
from vantage.questions.kinds import OPPOSITES
from vantage.questions.lexicon.synonyms import canonical, loosely
from vantage.scenes.geometry.relations import measure

_MADE_OUT_PIXELS, _MADE_OUT_VIEWS = 1500, 3  # seen so well, a thing of which no word is told has none
_SAID = 0.15  # share of the views that must say a word for it to be taken in a wider sense
_UNDISPUTED = 0.75  # share of the views that call a thing by one name, below which others may be right
_ALIKE = 0.8  # share of letters in common at which print that was read is print that was asked for


def word_of(sight: Sight, thing: Thing, attribute: str) -> str | None:
    """The value of an attribute in words; empty where it surely has none, None while nobody knows."""
    if attribute == "label":
        return thing.label
    if attribute == "room":
        room = sight.room_of(thing)
        return ("" if sight.exhausted else None) if room is None else room.label or None
    if attribute == "place":
        return place_of(sight, thing)
    if attribute == "size":
        return _size(sight, thing)
    if attribute == "text":
        no_print = sight.exhausted or thing.key in sight.unprinted or thing.is_room
        return thing.word("text") or ("" if no_print else None)
    word = thing.word(attribute)
    made_out = thing.is_room or (thing.pixels >= _MADE_OUT_PIXELS and thing.views >= _MADE_OUT_VIEWS)
    return word or (thing.likeliest(attribute) if made_out or sight.exhausted else "") or ("" if made_out else None)


def has(sight: Sight, thing: Thing, attribute: str, value: str, loose: bool = False) -> Truth:
    """Whether an attribute has a value.

    Args:
        loose: take labels that people mix up for the same, and what some views say for true.
    """
    if attribute == "label":
        kind = canonical(value)
        if thing.kind == kind or (loose and thing.kind in loosely(kind)):
            return True
        return None if _may_be(thing, kind) else False
    known = word_of(sight, thing, attribute)
    if known is None:
        return None
    if attribute == "room":
        return canonical(known) == canonical(value)
    if attribute == "state":
        return value in thing.states
    if attribute == "text":
        return bool(known) and reads_as(known, value)
    if known == value or (loose and thing.said(attribute, value) >= _SAID):
        return True
    plain = thing.is_plain(attribute) and (thing.pixels >= _MADE_OUT_PIXELS or not mixed_up(known, value))
    return False if sight.exhausted or plain else None


def _may_be(thing: Thing, kind: str) -> bool:
    """Whether some views call a thing by the name of a kind, or all by several that are taken for it."""
    votes = None if thing.seen is None or thing.key > 0 else thing.seen.votes.get("label")
    if votes is None:
        return False
    disputed = votes.share((votes.first,)) < _UNDISPUTED and any(alike(kind, label) for label in votes.words)
    return disputed or votes.share((kind,)) >= _SAID


def same(sight: Sight, one: Thing, other: Thing, attribute: str) -> Truth:
    """Whether two things share an attribute that both have; rooms and places are the same, not just alike."""
    if attribute == "room":
        rooms = sight.room_of(one), sight.room_of(other)
        return (False if sight.exhausted else None) if None in rooms else rooms[0] is rooms[1]
    if attribute == "place":
        places = sight.placement(one), sight.placement(other)
        if places[0] is None or places[1] is None or None in (place_of(sight, one), place_of(sight, other)):
            return False if sight.exhausted else None
        if places[0].support == places[1].support == "floor":
            return same(sight, one, other, "room")
        return (places[0].relation, places[0].key) == (places[1].relation, places[1].key)
    words = word_of(sight, one, attribute), word_of(sight, other, attribute)
    if "" in words or (sight.exhausted and None in words):
        return False
    return None if None in words else canonical(str(words[0])) == canonical(str(words[1]))


def place_of(sight: Sight, thing: Thing) -> str | None:
    """``on the table``, for things on a floor ``on the floor in the kitchen``; None while that is not known."""
    if thing.is_room:
        return ""
    placement = sight.placement(thing)
    if placement is None or (placement.guess and not sight.exhausted):
        return None
    place = f"{placement.relation} the {placement.support}"
    room = sight.room_of(thing) if placement.support == "floor" else None
    return place if room is None or not room.label else f"{place} in the {room.label}"


def name_of(sight: Sight, thing: Thing) -> str:
    """``the blue mug on the table``: what tells a thing from others of its kind."""
    words = ("the", thing.word("color"), thing.label, place_of(sight, thing))
    return " ".join(word for word in words if word)


def opposite(state: str) -> str:
    """``closed`` for ``open``; empty for a word without an opposite."""
    return OPPOSITES.get(state, "")


def reads_as(printed: str, asked: str) -> bool:
    """Whether print that was read, letters of which may be wrong, is what was asked for."""
    first, second = ("".join(filter(str.isalnum, text.casefold())) for text in (printed, asked))
    return bool(second) and SequenceMatcher(None, first, second, autojunk=False).ratio() >= _ALIKE


def amount(thing: Thing, quantity: str) -> float:
    """A measure of its box, see ``scenes.geometry.relations.measure``; of rooms, size is the area of the floor, m^2."""
    if thing.is_room and quantity == "size":
        return measure("volume", thing) / max(measure("height", thing), 1e-9)
    return measure(quantity, thing)


def _size(sight: Sight, thing: Thing) -> str | None:
    """Small and large are said in comparison with all things of the same label, of which two must be known at least."""
    alike = [other for other in (sight.rooms if thing.is_room else sight.things) if other.kind == thing.kind]
    settled = sight.exhausted or (len(alike) > 1 and all(noise(sight, other) == 0.0 for other in alike))
    if len(alike) < 2:
        return "" if sight.exhausted else None
    own, ratio = amount(thing, "size"), sight.settings.ratio
    mean = sum(amount(other, "size") for other in alike) / len(alike)
    if own >= ratio * mean:
        return "large"
    if ratio * own <= mean:
        return "small"
    return "" if settled else None  # a nearer look would not tell, others of the kind might
