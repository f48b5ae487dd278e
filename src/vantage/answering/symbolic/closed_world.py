"""Closed-world reasoning: whether the space was seen in which members of a set could be, and the confidence in absence.

Of a place mostly unseen (less than half of it), nothing is called absent even when the search is exhausted or whoever
looks around has given the place up, unless nobody keeps a map of space.

Where contents of closed containers count, nothing is absent either while something that nobody looked into may hold it
(``hidden_contents``); at the end of a search it is, less surely.
"""

from __future__ import annotations

from dataclasses import replace

from vantage.answering.protocol import LookAt, LookFor
from vantage.answering.symbolic import confidence, hidden_contents, wording
from vantage.answering.symbolic.next_views import turned_to
from vantage.answering.symbolic.observed_facts import THOROUGH, ObservedFacts, SeenObject, SeenShare
from vantage.answering.symbolic.predicates import PLACED, amid, around
from vantage.answering.symbolic.three_valued_sets import Looks, SearchCompleteness, Space
from vantage.perception.map import Place
from vantage.questions.lexicon import canonical
from vantage.types import Point

ENOUGH = 0.88  # share of the space in a room or around an object that must be seen: the inside of objects never is
_ALL = 0.92  # the same before something of another kind is taken for what was meant
_LIKELIER = 0.7  # the same before a premise is called false, whose truth is likelier than that of a mere guess
_LARGELY, _BARELY = 0.65, 0.6  # the same when the search can show no more; and where it is said how much was seen
_BESIDE_ANOTHER = 0.4  # the same when it can show no more, and one of the kind was seen that looks otherwise
_MOSTLY = 0.5  # share of a place that must be seen, when the search can show no more of it


def everywhere(facts: ObservedFacts, label: str = "") -> SearchCompleteness:
    """The whole place, as far as an object with this label (anything without) would have been noticed in it."""
    share = facts.searched(label)
    thorough = share >= (_LARGELY if facts.exhausted else THOROUGH) and facts.looked_into(label)
    inside = hidden_contents.hiding(facts, label)
    if not thorough and not (facts.exhausted and share >= _BARELY):
        looks = (LookFor(LookAt.ANYWHERE, label), *hidden_contents.looks_into(facts, inside, label))
        return SearchCompleteness(False, 0.0, Space.EVERYWHERE, "", looks)
    if facts.hidden:
        sure = confidence.ANYWHERE if thorough else confidence.of_absence_in_part(share, True)
        said = "I have seen all there is" if thorough else _share_said(share)
        return _unless_inside(
            facts, inside, label, SearchCompleteness(True, sure, Space.EVERYWHERE, said, searched=share)
        )
    said = "I have seen all the space I could reach" if thorough or facts.coverage is None else _share_said(share)
    sure = confidence.ANYWHERE if thorough else confidence.of_absence_in_part(share, True)
    hidden = wording.closed_ones(facts.closed_containers)
    if not hidden:
        return SearchCompleteness(True, sure, Space.EVERYWHERE, said, searched=share)
    said = f"{said}, but could not look into {hidden}"
    return SearchCompleteness(True, min(sure, confidence.CLOSED_REMAIN), Space.EVERYWHERE, said, searched=share)


def _unless_inside(
    facts: ObservedFacts, containers: tuple[SeenObject, ...], kind: str, closure: SearchCompleteness
) -> SearchCompleteness:
    """What a space comes to that may go on in some containers: not complete, or less surely at the end of a search."""
    if not containers:
        return closure
    looks = hidden_contents.looks_into(facts, containers, kind)
    if not facts.exhausted or not closure.complete:
        return replace(closure, complete=False, confidence=0.0, look_for=(*_open_looks(closure), *looks))
    sure = closure.confidence * hidden_contents.certainty(facts, containers, kind)
    said = f"{closure.said}, but did not look into {wording.closed_ones(containers)}"
    return replace(closure, confidence=sure, said=said)


def _open_looks(closure: SearchCompleteness) -> Looks:
    return () if closure.complete else closure.look_for


def nowhere_else(facts: ObservedFacts, label: str) -> bool:
    """Whether next to no place is left in which an object with a label could still turn up."""
    return facts.exhausted or (facts.searched(label) >= _ALL and facts.looked_into(label))


def likelier_than_another(facts: ObservedFacts, label: str) -> SearchCompleteness | None:
    """The whole place at the end of a search, where so much of it was seen that one object with a label, which looks
    otherwise than is said, is likelier meant than another one in what was not seen; else None.

    With the share s of all places searched, odds of 1 to 2 that a description is false, and every third such object
    being one of several in a home, the odds are (1 / 2) (s / (1 - s)) / (s / 3) = 1.5 / (1 - s): 2.5 at s = 0.4.
    """
    share = facts.searched(label)
    if not facts.exhausted or facts.coverage is None or share < _BESIDE_ANOTHER:
        return None
    sure = confidence.of_absence_in_part(share, True)
    return SearchCompleteness(True, sure, Space.EVERYWHERE, _share_said(share), searched=share)


def outweighs(closure: SearchCompleteness) -> bool:
    """Whether a place was searched so far that what was not seen there is likelier false than overlooked."""
    return closure.searched >= _LIKELIER


def room(facts: ObservedFacts, label: str, kind: str = "") -> SearchCompleteness:
    """All rooms of a kind, as far as objects of some ``kind`` would have been noticed; the first that is found is taken
    for the only one."""
    rooms = [each for each in facts.rooms if each.kind == canonical(label)]
    if rooms:
        closures = [_room(facts, each, kind) for each in rooms]
        return min(closures, key=lambda closure: (closure.complete, closure.confidence))
    if facts.exhausted:
        return SearchCompleteness(True, confidence.ANYWHERE, Space.ROOM, _unseen_kind(label))
    return SearchCompleteness(False, 0.0, Space.ROOM, "", (LookFor(LookAt.LABEL, label),), missing=label)


def related(facts: ObservedFacts, relation: str, anchor: SeenObject, kind: str = "") -> SearchCompleteness:
    """Where objects, of some ``kind`` if one is named, can be that stand in a relation to an anchor."""
    if anchor.is_room:
        return _room(facts, anchor, kind)
    if relation in PLACED:
        found = _support(facts, relation, anchor)
        inside = hidden_contents.hiding_at(facts, anchor, kind) if relation == "at" else ()
        return _unless_inside(facts, inside, kind, found)
    if anchor.cut_off and not facts.exhausted:
        return SearchCompleteness(False, 0.0, Space.REGION, "", (turned_to(anchor),))
    box = around(facts, relation, anchor)
    found = _region(facts, anchor, facts.region_seen(*box), (anchor.key, relation, 0))
    return _unless_inside(facts, hidden_contents.hiding_in(facts, *box, (anchor,), kind), kind, found)


def between(facts: ObservedFacts, first: SeenObject, second: SeenObject) -> SearchCompleteness:
    """The space between two objects."""
    box = amid(facts, first, second)
    found = _region(facts, first, facts.region_seen(*box), (first.key, "between", second.key))
    return _unless_inside(facts, hidden_contents.hiding_in(facts, *box, (first, second)), "", found)


def _support(facts: ObservedFacts, relation: str, support: SeenObject) -> SearchCompleteness:
    if relation == "in" and facts.hidden and (support.closed or hidden_contents.inside_of(facts, support).seen > 0.0):
        return _inside(facts, support)
    if relation == "in" and support.closed:
        said = f"I cannot look into the closed {support.label}."
        return SearchCompleteness(False, 0.0, Space.SUPPORT, said, support=support)
    inspection = facts.inspection(support, relation)
    seen, place = min(inspection.seen, 1.0), (support.key, relation, 0)
    if inspection.complete:
        return SearchCompleteness(
            True, confidence.of_absence_on(seen), Space.SUPPORT, "I have seen all of it", support=support
        )
    if _is_enough(facts, seen, place):
        sure = confidence.of_absence_in_part(seen, facts.exhausted)
        return SearchCompleteness(True, sure, Space.SUPPORT, _share_said(seen), support=support)
    look = _rest_of(support, place, seen, inspection.unseen)
    return SearchCompleteness(False, 0.0, Space.SUPPORT, "", (look,), support)


def _inside(facts: ObservedFacts, container: SeenObject) -> SearchCompleteness:
    """The inside of what the hand opens."""
    inside = hidden_contents.inside_of(facts, container)
    said = "I have seen all of it"
    found = SearchCompleteness(True, confidence.of_absence_on(inside.seen), Space.SUPPORT, said, support=container)
    return _unless_inside(facts, (container,) if hidden_contents.hides(facts, container) else (), "", found)


def _room(facts: ObservedFacts, place: SeenObject, kind: str) -> SearchCompleteness:
    found = _room_in_sight(facts, place, kind)
    return _unless_inside(facts, hidden_contents.hiding(facts, kind, place), kind, found)


def _room_in_sight(facts: ObservedFacts, place: SeenObject, kind: str) -> SearchCompleteness:
    hidden = not facts.hidden and any(facts.room_of(obj) in (place, None) for obj in facts.closed_containers)
    found = _space(facts, facts.room_seen(place), Space.ROOM, f"I have seen all of the {place.label}", hidden)
    found = replace(found, searched=facts.searched(kind, place))
    thorough = facts.exhausted or found.searched >= THOROUGH
    if found.complete and thorough and facts.looked_into(kind, place):
        return found
    found = replace(found, complete=False)
    return replace(found, look_for=(LookFor(LookAt.ANYWHERE, "", 0, facts.room_unseen(place)),))


def _region(facts: ObservedFacts, anchor: SeenObject, looked: SeenShare, place: Place) -> SearchCompleteness:
    found = _space(facts, looked.share, Space.REGION, "I have looked all around it", False, place)
    if found.complete:
        return found
    return replace(found, look_for=(_rest_of(anchor, place, looked.share, looked.unseen),))


def _rest_of(obj: SeenObject, place: Place, seen: float, unseen: tuple[Point, ...]) -> LookFor:
    """A look at what was not seen of a place beside an object."""
    return LookFor(LookAt.SURFACE, obj.label, obj.key, unseen or (obj.center,), left=1.0 - seen, place=place)


def _space(
    facts: ObservedFacts, seen: float, space: Space, said: str, hidden: bool, place: Place | None = None
) -> SearchCompleteness:
    share, most = min(seen, 1.0), confidence.CLOSED_REMAIN if hidden else 1.0
    if share >= ENOUGH:
        return SearchCompleteness(True, min(confidence.of_absence_in(share), most), space, said)
    if _is_enough(facts, share, place):
        sure = confidence.of_absence_in_part(share, facts.exhausted)
        return SearchCompleteness(True, min(sure, most), space, _share_said(share))
    return SearchCompleteness(False, 0.0, space, "")


def _is_enough(facts: ObservedFacts, share: float, place: Place | None) -> bool:
    """Whether no more of a place can be seen, and most of it was."""
    looked_out = facts.exhausted if place is None else facts.is_looked_out(place)
    return looked_out and (facts.coverage is None or share >= _MOSTLY)


def _share_said(share: float) -> str:
    return f"as far as I could see it ({share:.0%})"


def _unseen_kind(label: str) -> str:
    return f"I have seen no {label} in all the space I could reach"
