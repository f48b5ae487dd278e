"""Clean questions with gold answers, from a scene graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from vantage.questions.facts import Facts
from vantage.questions.kinds import COLORS, PORTABLE, QuestionKind
from vantage.questions.wording import ask, described, number_word
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.types import TruthQuestion

T = TypeVar("T")


@dataclass(frozen=True)
class GeneratedQuestion:
    """A question in words with its gold data."""

    text: str
    truth: TruthQuestion


def clean_question(graph: SceneGraph, kind: QuestionKind, rng: np.random.Generator) -> GeneratedQuestion | None:
    """A question whose premises hold, or None when the scene gives none of this kind.

    Existence questions are answered "yes" or "no" with even chances; a "no" asks about something that is elsewhere in
    the scene, that has another color, or that such a place often holds.
    """
    facts = Facts(graph)
    if kind is QuestionKind.EXISTENCE:
        makers = (_exists, _does_not_exist) if rng.random() < 0.5 else (_does_not_exist, _exists)
        return makers[0](facts, rng) or makers[1](facts, rng)
    maker = {
        QuestionKind.COLOR: _color,
        QuestionKind.MATERIAL: _material,
        QuestionKind.COUNT: _count,
        QuestionKind.LOCATION: _location,
    }[kind]
    return maker(facts, rng)


def shuffled(items: Sequence[T], rng: np.random.Generator) -> list[T]:
    """The items in a random order."""
    return [items[int(k)] for k in rng.permutation(len(items))]


def alone_at(facts: Facts, thing: GraphNode) -> GraphNode | None:
    """The named support on or in which the thing is the only one with its label, or None."""
    support = facts.named_support(thing)
    if support is None or len(facts.at(support, thing.label)) != 1:
        return None
    return support


def _truth(
    kind: QuestionKind, answer: str, targets: Sequence[GraphNode], accepted: tuple[str, ...] = ()
) -> TruthQuestion:
    return TruthQuestion(
        question_id="",
        kind=kind.value,
        answer=answer,
        accepted=accepted,
        target_instances=tuple(node.instance_id for node in targets),
    )


def _exists(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    for thing in shuffled(facts.things, rng):
        support = facts.named_support(thing)
        if support is None:
            continue
        color = thing.color if rng.random() < 0.7 else ""
        text = ask(QuestionKind.EXISTENCE, described(thing.label, color), facts.place(thing), rng)
        if len([node for node in facts.at(support, thing.label) if color in ("", node.color)]) == 1:
            return GeneratedQuestion(text, _truth(QuestionKind.EXISTENCE, "yes", [thing]))
    return None


def _does_not_exist(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    for support in shuffled(facts.supports, rng):
        there = {(node.label, node.color) for node in facts.at(support)}
        labels = {label for label, _ in there}
        elsewhere = [thing for thing in facts.things if thing.label not in labels | {support.label}]
        recolored = [
            (label, color)
            for label, known in sorted(there)
            for color in COLORS
            if known and (label, color) not in there and label in PORTABLE
        ]
        options = [(thing.label, thing.color if rng.random() < 0.7 else "") for thing in elsewhere]
        if recolored and (not options or rng.random() < 0.5):
            options = recolored
        if not options:
            options = [(label, "") for label in PORTABLE if label not in labels]
        label, color = options[int(rng.integers(len(options)))]
        text = ask(QuestionKind.EXISTENCE, described(label, color), _at(facts, support), rng)
        return GeneratedQuestion(text, _truth(QuestionKind.EXISTENCE, "no", [support]))
    return None


def _at(facts: Facts, support: GraphNode) -> str:
    return f"{facts.relation_to(support)} the {support.label}"


def _color(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    for thing in shuffled(facts.things, rng):
        if thing.color and alone_at(facts, thing):
            text = ask(QuestionKind.COLOR, thing.label, facts.place(thing), rng)
            return GeneratedQuestion(text, _truth(QuestionKind.COLOR, thing.color, [thing]))
    return None


def _material(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    for thing in shuffled(facts.things, rng):
        if not thing.material:
            continue
        if alone_at(facts, thing):
            color = thing.color if rng.random() < 0.5 else ""
            text = ask(QuestionKind.MATERIAL, described(thing.label, color), facts.place(thing), rng)
        elif thing.color and len(facts.of(thing.label, thing.color)) == 1:
            text = ask(QuestionKind.MATERIAL, described(thing.label, thing.color), "", rng)
        else:
            continue
        return GeneratedQuestion(text, _truth(QuestionKind.MATERIAL, thing.material, [thing]))
    return None


def _count(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    groups: dict[tuple[int, str], tuple[GraphNode, ...]] = {}
    for thing in facts.things:
        support = facts.named_support(thing)
        if support is not None:
            group = facts.at(support, thing.label)
            if len({(node.parent, node.relation) for node in group}) == 1:
                groups[support.instance_id, thing.label] = group
    several = [group for group in groups.values() if len(group) > 1]
    single = [group for group in groups.values() if len(group) == 1]
    options = several if several and (not single or rng.random() < 0.8) else single
    if not options:
        return None
    group = options[int(rng.integers(len(options)))]
    text = ask(QuestionKind.COUNT, group[0].label, facts.place(group[0]), rng)
    accepted = (number_word(len(group)),)
    return GeneratedQuestion(text, _truth(QuestionKind.COUNT, str(len(group)), group, accepted))


def _location(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    for thing in shuffled(facts.things, rng):
        place = facts.place(thing)
        if not place:
            continue
        if len(facts.of(thing.label)) == 1:
            color = thing.color if rng.random() < 0.5 else ""
        elif thing.color and len(facts.of(thing.label, thing.color)) == 1:
            color = thing.color
        else:
            continue
        text = ask(QuestionKind.LOCATION, described(thing.label, color), "", rng)
        truth = _truth(QuestionKind.LOCATION, place, [thing], facts.other_places(thing))
        return GeneratedQuestion(text, truth)
    return None
