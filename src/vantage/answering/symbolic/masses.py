"""How heavy things are, as far as that was felt: comparisons of masses of which only the least and largest is known.

What was not weighed may have any mass, so that weighing it is what would decide. Furniture that no hand lifts weighs
more than what one lifts. Where no weighing would decide, and at the end of a search, masses are estimated: from the
inside of what is known, else from size and material. That is a guess, and is told as one (``Judged``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vantage.answering.protocol import LookAt, LookFor
from vantage.answering.symbolic.hidden_contents import looks_for_all
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.three_valued_sets import Looks, Truth, exceeds
from vantage.perception import HEAVY

LIFTABLE = 5.0  # kg that a hand lifts at the most

Span = tuple[float, float]  # kg

_ROUGH = 0.12, 0.35  # kg, and share of a mass: what was weighed no better may be weighed again
_WITHIN = 0.6  # share of an interval at which a mass likeliest is: that a thing weighs much less is rare
_DENSITY = {  # kg per m3 of the box of a thing, for most are hollow or do not fill it
    "fabric": 90.0,
    "leather": 90.0,
    "wicker": 60.0,
    "plastic": 150.0,
    "leaf": 60.0,
    "wood": 180.0,
    "metal": 250.0,
    "paper": 350.0,
    "glass": 350.0,
    "ceramic": 400.0,
    "stone": 700.0,
}
_USUAL_DENSITY = 180.0
_SPREAD = 0.7  # standard deviation of the logarithm of an estimate
_CLOSE = 0.12  # the same of what was weighed
_MOST = 0.75  # how sure it is at the most
_PRESUMED = 0.95  # how sure it is that furniture is heavier than what was lifted


@dataclass(frozen=True)
class Judged:
    """What a comparison came to: None where something can be weighed that would decide; else with its certainty."""

    truth: Truth
    certainty: float = 1.0


def feels(facts: ObservedFacts) -> bool:
    """Whether weight is something to find out: it is, where things may be opened, and where anything was weighed."""
    return facts.hidden or facts.once("feels", lambda: any(obj.mass is not None for obj in facts.memory.objects))


def span_of(facts: ObservedFacts, obj: SeenObject) -> Span:
    """Least and largest mass that an object can have."""
    known = None if obj.seen is None else obj.seen.mass
    if known is not None:
        return known
    return (LIFTABLE, math.inf) if obj.kind in HEAVY else (0.0, math.inf)


def can_be_weighed(obj: SeenObject) -> bool:
    """Whether a weighing would tell more: it was not weighed well, and can be lifted as far as anybody knows."""
    if obj.seen is None or obj.kind in HEAVY:
        return False
    known = obj.seen.mass
    if known is None:
        return True
    return math.isfinite(known[1]) and known[1] - known[0] > max(_ROUGH[0], _ROUGH[1] * known[1])


def weigh(objects: Iterable[SeenObject]) -> Looks:
    """Weighings of those objects for which that tells more, in the order given."""
    return tuple(
        LookFor(LookAt.WEIGH, obj.label, obj.key, (obj.center,), extents=obj.extents)
        for obj in dict.fromkeys(objects)
        if can_be_weighed(obj)
    )


def estimate(obj: SeenObject, span: Span) -> tuple[float, float]:
    """The likeliest mass, kg, and the standard deviation of its logarithm."""
    low, high = span
    if math.isfinite(high):
        return max((1.0 - _WITHIN) * low + _WITHIN * high, 1e-3), max(_CLOSE, (high - low) / max(low + high, 1e-3))
    volume = math.prod(max(extent, 0.01) for extent in obj.extents)
    material = obj.word("material") or obj.likeliest("material")
    return max(volume * _DENSITY.get(material, _USUAL_DENSITY), 1.2 * low, 0.02), _SPREAD


def heavier(facts: ObservedFacts, more: SeenObject, less: SeenObject) -> Judged:
    """Whether one object is clearly heavier than another."""
    ratio = facts.settings.ratio
    first, second = span_of(facts, more), span_of(facts, less)
    told = exceeds(first, second, ratio)
    if told is not None:
        known = all(obj.seen is not None and obj.seen.mass is not None for obj in (more, less))
        return Judged(told, 1.0 if known else _PRESUMED)
    if not facts.exhausted and (can_be_weighed(more) or can_be_weighed(less)):
        return Judged(None)
    chance = _chance(estimate(more, first), estimate(less, second), ratio)
    return Judged(chance >= 0.5, _estimated(max(chance, 1.0 - chance)))


def _estimated(chance: float) -> float:
    """How sure an estimate is that nobody felt."""
    return min(chance, _MOST)


def _chance(more: tuple[float, float], less: tuple[float, float], ratio: float) -> float:
    """That one estimated mass is ``ratio`` times another one, at the least."""
    spread = math.hypot(more[1], less[1])
    return 0.5 * (1.0 + math.erf(math.log(more[0] / (ratio * less[0])) / (spread * math.sqrt(2.0))))


def heaviest(
    facts: ObservedFacts, sure: Sequence[SeenObject], maybe: Sequence[SeenObject], least: bool
) -> tuple[tuple[SeenObject, ...], Looks, float]:
    """Of some objects the one that is heaviest, or the lightest; several where that is not clear.

    Args:
        sure, maybe: members, and what may be one.

    Returns:
        The objects that may be it; what to weigh to decide between them, those likeliest to be it first; and how sure
        it is that it is none of the others.
    """
    spans = {obj: span_of(facts, obj) for obj in (*sure, *maybe)}
    ratio = facts.settings.ratio

    def beaten(obj: SeenObject) -> bool:
        own = spans[obj]
        others = (spans[other] for other in sure if other is not obj)
        return any(own[0] > ratio * each[1] if least else ratio * own[1] < each[0] for each in others)

    rivals = [obj for obj in spans if not beaten(obj)]
    ranked = sorted(rivals, key=lambda obj: estimate(obj, spans[obj])[0], reverse=not least)
    if len(rivals) < 2:
        return tuple(rivals), (), 1.0
    looks = weigh(ranked)
    if looks and not facts.exhausted:
        return tuple(ranked), looks, 0.0
    first, second = (estimate(obj, spans[obj]) for obj in ranked[:2])
    chance = _chance(second, first, 1.0) if least else _chance(first, second, 1.0)
    near = max(first[0], second[0]) < ratio * min(first[0], second[0])
    weighed = all(math.isfinite(spans[obj][1]) for obj in ranked[:2])
    if near and weighed:
        return tuple(ranked[:2]), (), _estimated(chance)
    return (ranked[0],), (), _estimated(chance)


def weight_word(facts: ObservedFacts, obj: SeenObject) -> tuple[str | None, Looks, float]:
    """Light or heavy, in comparison with all things of the label; empty where it is neither or the only one, None while
    nobody knows. Also what to look at or weigh to find out, and how sure the word is."""
    return facts.once(("weight", obj.key, obj.is_room, facts.exhausted), lambda: _weight_word(facts, obj))


def _weight_word(facts: ObservedFacts, obj: SeenObject) -> tuple[str | None, Looks, float]:
    if obj.is_room or not feels(facts):
        return "", (), 1.0
    alike = [other for other in facts.objects if other.kind == obj.kind]
    others = () if facts.exhausted else looks_for_all(facts, obj)
    if others:
        return None, others, 0.0
    if len(alike) < 2:
        return "", (), 1.0
    spans = {other: span_of(facts, other) for other in alike}
    ratio, own = facts.settings.ratio, spans[obj]
    mean = tuple(sum(span[k] for span in spans.values()) / len(alike) for k in (0, 1))
    told = _word(own, (mean[0], mean[1]), ratio)
    if told is not None:
        return told, (), 1.0
    looks = weigh((obj, *alike))
    if looks and not facts.exhausted:
        return None, looks, 0.0
    guessed = {other: estimate(other, spans[other])[0] for other in alike}
    middle = sum(guessed.values()) / len(guessed)
    return _word((guessed[obj], guessed[obj]), (middle, middle), ratio) or "", (), 0.6


def _word(own: Span, mean: Span, ratio: float) -> str | None:
    heavy = own[0] >= ratio * mean[1]
    light = ratio * own[1] <= mean[0]
    if heavy or light:
        return "heavy" if heavy else "light"
    return "" if own[1] < ratio * mean[0] and ratio * own[0] > mean[1] else None
