"""Whether an object can be meant by the name of another kind, alone of all there, in words that suit such a kind."""

from __future__ import annotations

from vantage.questions.generation import Phrase
from vantage.questions.kinds import STRUCTURE, SUPPORTS
from vantage.questions.lexicon import alike_in_form
from vantage.questions.noise.asked import Asked
from vantage.questions.noise.pairing import PairScene, loosely_placed, noun_of, without_noun
from vantage.questions.programs import Filter, ObjectSet, Relate
from vantage.scenes.graph import GraphNode


def is_meant(pairing: PairScene, obj: GraphNode, wrong: Phrase, asked: Asked) -> bool:
    """Whether an object is the only one that can be meant by a wrong name, by meaning or by looks.

    On or in the object that a description names, nothing else may look remotely like it, nor be what is asked whether
    this one is: a blue globe beside the yellow pot of which it is asked whether the lantern is blue.
    """
    if pairing.rivals(wrong.objects, wrong.noun, looks=True) != {obj.instance_id}:
        return False
    if not _is_placed(wrong.objects):
        return True
    there = pairing.everything.members(loosely_placed(without_noun(wrong.objects))) or ()
    others = [pairing.facts.node(key) for key in there if key != obj.instance_id]
    others = [node for node in others if node.label not in (*STRUCTURE, *SUPPORTS)]
    return not any(
        alike_in_form(node.label, wrong.noun)
        or (asked.value and pairing.facts.truths.has(node, asked.attribute, asked.value))
        for node in others
    )


def _is_placed(objects: ObjectSet) -> bool:
    while isinstance(objects, Filter):
        objects = objects.objects
    return isinstance(objects, Relate)


def suits_kind(pairing: PairScene, word: str, objects: ObjectSet) -> bool:
    """Whether people may say of objects of a kind what a description says: where such are, and how such look."""
    if isinstance(objects, Relate):
        anchor = noun_of(objects.anchor.objects)
        placed = objects.relation not in ("on", "in") or pairing.is_usual(word, "place", anchor)
        return placed and suits_kind(pairing, word, objects.objects)
    if not isinstance(objects, Filter):
        return True
    attribute, value = objects.attribute, objects.value
    known = attribute not in ("color", "material", "shape") or value in pairing.looks.of(word, attribute)
    return known and suits_kind(pairing, word, objects.objects)
