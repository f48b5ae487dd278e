"""Questions with a false premise and what would be right: NoisyEQA's taxonomy (arXiv 2412.10726, section 3).

LATENT asks about a thing that is not there. The others start from a fact and replace one attribute of it: its color,
material, number or place. The gold answer is that of the corrected question; a LATENT question has none.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vantage.errors import SceneError
from vantage.questions.facts import Facts
from vantage.questions.generate import GeneratedQuestion, alone_at, clean_question, shuffled
from vantage.questions.kinds import COLORS, MATERIAL_ADJECTIVES, MATERIALS, PORTABLE, QuestionKind
from vantage.questions.wording import ask, ask_several, described, number_word, plural, with_article
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.types import NoiseType, TruthQuestion

NOISE_TYPES = (NoiseType.LATENT, NoiseType.COLOR, NoiseType.MATERIAL, NoiseType.COUNT, NoiseType.POSITION)

_TRIES = 25


def noisy_question(graph: SceneGraph, noise: NoiseType, rng: np.random.Generator) -> GeneratedQuestion | None:
    """A question with one false premise, or None when the scene gives none of this type.

    Raises:
        SceneError: a noise type that cannot be made from a scene graph.
    """
    makers = {
        NoiseType.LATENT: _latent,
        NoiseType.COLOR: _color,
        NoiseType.MATERIAL: _material,
        NoiseType.COUNT: _count,
        NoiseType.POSITION: _position,
    }
    if noise not in makers:
        known = ", ".join(kind.name for kind in NOISE_TYPES)
        raise SceneError(f"{noise.name} questions cannot be made from a scene graph; choose one of {known}")
    return makers[noise](Facts(graph), rng)


def make_questions(
    graph: SceneGraph, clean: int, noisy: int, rng: np.random.Generator
) -> tuple[GeneratedQuestion, ...]:
    """Different clean and then noisy questions, with kinds and noise types as even as the scene allows.

    Raises:
        SceneError: the scene does not give that many.
    """
    clean_kinds, noise_types = shuffled(tuple(QuestionKind), rng), shuffled(NOISE_TYPES, rng)
    made: dict[str, GeneratedQuestion] = {}
    for wanted, sort in ((clean, "clean"), (clean + noisy, "noisy")):
        for attempt in range(_TRIES * (wanted + 1)):
            if len(made) == wanted:
                break
            if sort == "clean":
                question = clean_question(graph, clean_kinds[attempt % len(clean_kinds)], rng)
            else:
                question = noisy_question(graph, noise_types[attempt % len(noise_types)], rng)
            if question is not None:
                made.setdefault(question.text, question)
        if len(made) < wanted:
            raise SceneError(
                f"scene '{graph.name}' gives fewer than {wanted} different questions; ask for fewer {sort} ones or "
                "use a scene with more things"
            )
    numbered = enumerate(made.values(), start=1)
    return tuple(replace(made_one, truth=replace(made_one.truth, question_id=f"q{n}")) for n, made_one in numbered)


def _truth(
    kind: QuestionKind,
    answer: str,
    noise: NoiseType,
    false_claim: str,
    correction: str,
    corrected_question: str,
    targets: tuple[GraphNode, ...],
    accepted: tuple[str, ...] = (),
) -> TruthQuestion:
    return TruthQuestion(
        question_id="",
        kind=kind.value,
        answer=answer,
        accepted=accepted,
        premise_holds=False,
        noise_type=noise,
        false_claim=false_claim,
        correction=correction,
        corrected_question=corrected_question,
        target_instances=tuple(node.instance_id for node in targets),
    )


def _latent(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    present = {node.label for node in facts.graph.nodes}
    absent = [label for label in PORTABLE if label not in present]
    if not absent or not facts.supports:
        return None
    label = absent[int(rng.integers(len(absent)))]
    support = facts.supports[int(rng.integers(len(facts.supports)))]
    kinds = (QuestionKind.COLOR, QuestionKind.MATERIAL, QuestionKind.LOCATION)
    kind = kinds[int(rng.choice(3, p=(0.45, 0.35, 0.2)))]
    if kind is QuestionKind.LOCATION:
        text, where = ask(kind, label, "", rng), ""
    else:
        where = f" {facts.relation_to(support)} the {support.label}"
        text = ask(kind, label, where.strip(), rng)
    targets = (support,) if where else ()
    false_claim = f"there is {with_article(label)}{where}"
    correction = f"there is no {label}{where}"
    return GeneratedQuestion(text, _truth(kind, "", NoiseType.LATENT, false_claim, correction, "", targets))


def _color(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    for thing in shuffled(facts.things, rng):
        false = [c for c in COLORS if not facts.of(thing.label, c)]
        if not thing.color or not false:
            continue
        claimed = false[int(rng.integers(len(false)))]
        accepted: tuple[str, ...] = ()
        if thing.material and alone_at(facts, thing):
            kind, where, answer = QuestionKind.MATERIAL, facts.place(thing), thing.material
        elif len(facts.of(thing.label)) == 1 and facts.place(thing):
            kind, where, answer, accepted = QuestionKind.LOCATION, "", facts.place(thing), facts.other_places(thing)
        else:
            continue
        subject = f"the {thing.label} {where}".strip()
        truth = _truth(
            kind,
            answer,
            NoiseType.COLOR,
            f"{subject} is {claimed}",
            f"{subject} is {thing.color}",
            ask(kind, described(thing.label, thing.color), where, None),
            (thing,),
            accepted,
        )
        return GeneratedQuestion(ask(kind, described(thing.label, claimed), where, rng), truth)
    return None


def _material(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    for thing in shuffled(facts.things, rng):
        false = [m for m in MATERIALS if not facts.of(thing.label, material=m)]
        if not (thing.material and thing.color and false and alone_at(facts, thing)):
            continue
        claimed = false[int(rng.integers(len(false)))]
        where = facts.place(thing)
        subject = f"the {thing.label} {where}"
        truth = _truth(
            QuestionKind.COLOR,
            thing.color,
            NoiseType.MATERIAL,
            f"{subject} is made of {claimed}",
            f"{subject} is made of {thing.material}",
            ask(QuestionKind.COLOR, described(thing.label, material=thing.material), where, None),
            (thing,),
        )
        text = ask(QuestionKind.COLOR, f"{MATERIAL_ADJECTIVES[claimed]} {thing.label}", where, rng)
        return GeneratedQuestion(text, truth)
    return None


def _count(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    options = []
    for thing in facts.things:
        support = facts.named_support(thing)
        if support is None:
            continue
        group = facts.at(support, thing.label)
        if group[0] is not thing or len({(node.parent, node.relation) for node in group}) != 1:
            continue
        for kind, values in (
            (QuestionKind.COLOR, {node.color for node in group}),
            (QuestionKind.MATERIAL, {node.material for node in group}),
        ):
            if len(values) == 1 and "" not in values:
                options.append((kind, values.pop(), group))
    several = [option for option in options if len(option[2]) > 1]
    options = several or options
    if not options:
        return None
    kind, answer, group = options[int(rng.integers(len(options)))]
    true, label, where = len(group), group[0].label, facts.place(group[0])
    claimed = int(rng.choice([n for n in range(2, true + 3) if n != true]))
    truth = _truth(
        kind,
        answer,
        NoiseType.COUNT,
        f"there are {number_word(claimed)} {plural(label)} {where}",
        f"there {'is' if true == 1 else 'are'} {number_word(true)} {label if true == 1 else plural(label)} {where}",
        ask_several(kind, true, label, where, None),
        group,
    )
    return GeneratedQuestion(ask_several(kind, claimed, label, where, rng), truth)


def _position(facts: Facts, rng: np.random.Generator) -> GeneratedQuestion | None:
    for thing in shuffled(facts.things, rng):
        support, place = facts.support(thing), facts.place(thing)
        if not place or len(facts.of(thing.label)) != 1:
            continue
        others = [
            other
            for other in facts.supports
            if other is not support and thing not in facts.at(other) and other.label != thing.label
        ]
        kinds = [
            (kind, answer)
            for kind, answer in ((QuestionKind.COLOR, thing.color), (QuestionKind.MATERIAL, thing.material))
            if answer
        ]
        if not others or not kinds:
            continue
        other = others[int(rng.integers(len(others)))]
        kind, answer = kinds[int(rng.integers(len(kinds)))]
        claimed = f"{facts.relation_to(other)} the {other.label}"
        truth = _truth(
            kind,
            answer,
            NoiseType.POSITION,
            f"the {thing.label} is {claimed}",
            f"the {thing.label} is {place}",
            ask(kind, thing.label, place, None),
            (thing,),
        )
        return GeneratedQuestion(ask(kind, thing.label, claimed, rng), truth)
    return None
