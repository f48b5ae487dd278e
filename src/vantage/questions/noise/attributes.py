"""Memory noise of color, material and shape: a thing that is there is said to look otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from vantage.questions.kinds import COLORS, MATERIALS
from vantage.questions.lexicon.related_kinds import related
from vantage.questions.noise.askable import has_one_material, may_seem
from vantage.questions.noise.asked import SHAPES, askable
from vantage.questions.noise.clear_contrasts import clearly_other
from vantage.questions.noise.pair import NoisyPair
from vantage.questions.noise.pairing import Claim, Pairing, Said
from vantage.questions.noise.rephrasing import with_adjective
from vantage.types import NoiseType

_ATTRIBUTES: dict[NoiseType, tuple[str, str, tuple[str, ...]]] = {
    NoiseType.COLOR: ("color", "is", COLORS),
    NoiseType.MATERIAL: ("material", "is made of", MATERIALS),
    NoiseType.SHAPE: ("shape", "is", tuple(shape for shape in SHAPES if shape != "spherical")),  # nobody errs so far
}
_MOST_TRIED = 60  # things of a scene, for one pair


def misremembered_looks(pairing: Pairing, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What is the blue mug on the desk made of? (It is red.)"""
    facts = pairing.facts
    attribute, verb, values = _ATTRIBUTES[noise]
    for thing in islice(pairing.by_kind(facts.in_sight), _MOST_TRIED):
        true = facts.truths.word(thing, attribute)
        of_others = {
            facts.truths.word(node, attribute) for node in facts.graph.objects() if related(node.label, thing.label)
        }
        false = [
            value
            for value in clearly_other(attribute, true, values, of_others)
            if value not in thing.label.split() and (attribute != "shape" or may_seem(thing, value))
        ]
        if not false or true in thing.label.split() or (attribute == "material" and not has_one_material(thing.label)):
            continue
        for asked in askable(pairing, thing, (attribute,)):
            where = ("place", "relation", "room") if asked.attribute in ("place", "room") else ()
            base = pairing.describe(thing, attribute, asked.attribute, "state", *where)
            if base is None:
                continue
            claimed = pairing.pick(false)
            wrong, right = with_adjective(base, attribute, claimed), with_adjective(base, attribute, true)
            if not pairing.rivals(wrong.things, thing.label, looks=bool(base.after)):
                claim = Claim(noise, f"{base.the} {verb} {claimed}", f"{base.the} {verb} {true}")
                yield pairing.pair(claim, asked, (Said.of(wrong), Said.of(right)), [thing])
