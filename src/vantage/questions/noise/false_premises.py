"""Questions with a false premise and what would be right: NoisyEQA's taxonomy (arXiv 2412.10726, section 3).

LATENT asks about an object that is not there. The others start from a fact and replace one attribute of it: its color,
material, number or place. The gold answer is that of the corrected question; a LATENT question has none. As in pairs,
false claims are such as are true of objects of the kind elsewhere, and what the name of a kind tells is not asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from vantage.errors import SceneError
from vantage.questions.generation import (
    Facts,
    GeneratedQuestion,
    Phrase,
    called,
    clean_question,
    groups_at,
    ids,
    shuffled,
    worded,
)
from vantage.questions.kinds import PORTABLE, USUAL_KINDS, QuestionKind
from vantage.questions.lexicon import number_word, plural, with_article
from vantage.questions.noise.clear_contrasts import clearly_other
from vantage.questions.noise.pairing import PairScene
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.questions.programs import Program, Query, program_text
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.types import NoiseType, TruthQuestion

NOISE_TYPES = (NoiseType.LATENT, NoiseType.COLOR, NoiseType.MATERIAL, NoiseType.COUNT, NoiseType.POSITION)

_TRIES = 25
_MOST_TRIED = 40  # objects of a scene, for one question
_ATTRIBUTES = {QuestionKind.COLOR: "color", QuestionKind.MATERIAL: "material", QuestionKind.LOCATION: "place"}
_WHERE = ("place", "relation", "room")  # what tells where an object is


def noisy_question(
    facts: Facts, noise: NoiseType, rng: np.random.Generator, usual: UsualClaims | None = None
) -> GeneratedQuestion | None:
    """A question with one false premise, or None when the scene gives none of this type.

    Args:
        usual: what may be claimed falsely of objects; anything that such objects can be where it is not given.

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
    return next(makers[noise](PairScene(facts, rng, usual=usual)), None)


def make_questions(
    graph: SceneGraph, clean: int, noisy: int, rng: np.random.Generator
) -> tuple[GeneratedQuestion, ...]:
    """Different clean and then noisy questions, with kinds and noise types as even as the scene allows.

    Raises:
        SceneError: the scene does not give that many.
    """
    facts = Facts(graph)
    clean_kinds, noise_types = shuffled(USUAL_KINDS, rng), shuffled(NOISE_TYPES, rng)
    made: dict[str, GeneratedQuestion] = {}
    for wanted, sort in ((clean, "clean"), (clean + noisy, "noisy")):
        for attempt in range(_TRIES * (wanted + 1)):
            if len(made) == wanted:
                break
            if sort == "clean":
                question = clean_question(facts, clean_kinds[attempt % len(clean_kinds)], rng)
            else:
                question = noisy_question(facts, noise_types[attempt % len(noise_types)], rng)
            if question is not None:
                made.setdefault(question.text, question)
        if len(made) < wanted:
            raise SceneError(
                f"scene '{graph.name}' gives fewer than {wanted} different questions; ask for fewer {sort} ones or "
                "use a scene with more things"
            )
    numbered = enumerate(made.values(), start=1)
    return tuple(replace(made_one, truth=replace(made_one.truth, question_id=f"q{n}")) for n, made_one in numbered)


@dataclass(frozen=True)
class _Claim:
    """What a question takes for granted, what is right instead, and the question that asks for the same rightly."""

    false: str
    right: str
    corrected_question: str = ""


def _question(
    text: str,
    program: Program | None,
    noise: NoiseType,
    kind: QuestionKind,
    claim: _Claim,
    targets: Collection[GraphNode],
    answer: tuple[str, ...] = ("",),
) -> GeneratedQuestion:
    """``answer``: the gold answer and other wordings of it."""
    truth = TruthQuestion(
        question_id="",
        kind=kind.value,
        answer=answer[0],
        accepted=answer[1:],
        premise_holds=False,
        noise_type=noise,
        false_claim=claim.false,
        correction=claim.right,
        corrected_question=claim.corrected_question,
        target_instances=ids(targets),
        program="" if program is None else program_text(program),
    )
    return GeneratedQuestion(text, truth, program)


def _latent(asking: PairScene) -> Iterator[GeneratedQuestion]:
    facts = asking.facts
    absent = [label for label in PORTABLE if asking.is_usual(label) and asking.is_absent(label)]
    for support in asking.shuffled(facts.supports) if absent else ():
        anchor = asking.describe(support, "place", "relation")
        fitting = [label for label in absent if asking.is_usual(label, "place", support.label)]
        if anchor is None or not fitting:
            continue
        phrase = called(asking.pick(fitting))
        kinds = (QuestionKind.COLOR, QuestionKind.MATERIAL, QuestionKind.LOCATION)
        kind = kinds[int(asking.rng.choice(3, p=(0.45, 0.35, 0.2)))]
        if not asking.looks.suits(phrase.noun, _ATTRIBUTES[kind]):
            kind = QuestionKind.LOCATION
        located = phrase if kind is QuestionKind.LOCATION else phrase.placed(facts.relation_to(support), anchor)
        if asking.rivals(located.objects, phrase.noun, looks=bool(located.after)):
            continue
        where = " ".join(located.after)
        claim = _Claim(
            f"there is {with_article(phrase.noun)} {where}".strip(), f"there is no {phrase.noun} {where}".strip()
        )
        text, program = asking.worded(kind.value, the=located.the), Query(located.one, _ATTRIBUTES[kind])
        yield _question(text, program, NoiseType.LATENT, kind, claim, [support] if where else [])


def _color(asking: PairScene) -> Iterator[GeneratedQuestion]:
    facts = asking.facts
    for obj in islice(asking.shuffled(facts.objects), _MOST_TRIED):
        false = [color for color in _claimable(asking, obj, "color") if not facts.of(obj.label, color)]
        if not false or obj.color == obj.label:
            continue
        kind, answer = QuestionKind.LOCATION, (facts.place(obj), *facts.other_places(obj))
        base = asking.describe(obj, "color", "material", *_WHERE)
        if asking.looks.suits(obj.label, "material", obj.material) and (base is None or asking.chance(0.6)):
            kind, answer = QuestionKind.MATERIAL, (obj.material,)
            base = asking.describe(obj, "color", "material")
        if base is not None:
            yield _replaced(asking, NoiseType.COLOR, kind, obj, base, asking.pick(false), answer)


def _claimable(asking: PairScene, obj: GraphNode, attribute: str) -> list[str]:
    """Clearly false values that objects of the kind have elsewhere."""
    values = sorted(asking.looks.of(obj.label, attribute))
    others = clearly_other(attribute, asking.facts.truths.word(obj, attribute), values)
    return [value for value in others if asking.is_usual(obj.label, attribute, value)]


def _material(asking: PairScene) -> Iterator[GeneratedQuestion]:
    facts = asking.facts
    for obj in islice(asking.shuffled(facts.objects), _MOST_TRIED):
        false = [
            material
            for material in _claimable(asking, obj, "material")
            if material != obj.label and not facts.of(obj.label, material=material)
        ]
        if not false or not asking.looks.suits(obj.label, "color", obj.color):
            continue
        base = asking.describe(obj, "color", "material")
        if base is not None:
            answer = (obj.color,)
            yield _replaced(asking, NoiseType.MATERIAL, QuestionKind.COLOR, obj, base, asking.pick(false), answer)


def _replaced(
    asking: PairScene,
    noise: NoiseType,
    kind: QuestionKind,
    obj: GraphNode,
    base: Phrase,
    claimed: str,
    answer: tuple[str, ...],
) -> GeneratedQuestion:
    """A question about an object of which a wrong color or material is said."""
    attribute, verb = ("color", "is") if noise == NoiseType.COLOR else ("material", "is made of")
    true = obj.color if noise == NoiseType.COLOR else obj.material
    wrong, right = base.with_words(attribute, claimed), base.with_words(attribute, true)
    claim = _Claim(f"{base.the} {verb} {claimed}", f"{base.the} {verb} {true}", worded(kind.value, None, the=right.the))
    text = asking.worded(kind.value, the=wrong.the)
    return _question(text, Query(wrong.one, _ATTRIBUTES[kind]), noise, kind, claim, [obj], answer)


def _count(asking: PairScene) -> Iterator[GeneratedQuestion]:
    facts = asking.facts
    options = []
    for support in facts.supports:
        for group in groups_at(asking, support):
            for kind, values in (
                (QuestionKind.COLOR, {node.color for node in group}),
                (QuestionKind.MATERIAL, {node.material for node in group}),
            ):
                if len(values) == 1 and not values & {"", group[0].label}:
                    options.append((kind, values.pop(), support, group))
    several = [option for option in options if len(option[3]) > 1]
    for kind, answer, support, group in asking.shuffled(several or options):
        anchor = asking.describe(support, "place", "relation")
        if anchor is None:
            continue
        true, label = len(group), group[0].label
        claimed = int(asking.rng.choice([n for n in range(2, true + 3) if n != true]))
        place = f"{group[0].relation or 'on'} {anchor.the}"
        said, right = _counted(claimed, label), _counted(true, label)
        corrected = (
            worded(kind.value, None, the=f"the {label} {place}")
            if true == 1
            else worded(f"{kind.value} of several", None, the=f"the {right} {place}")
        )
        claim = _Claim(f"there are {said} {place}", f"there {'is' if true == 1 else 'are'} {right} {place}", corrected)
        text = asking.worded(f"{kind.value} of several", the=f"the {said} {place}")
        yield _question(text, None, NoiseType.COUNT, kind, claim, group, (answer,))


def _counted(number: int, label: str) -> str:
    return f"{number_word(number)} {label if number == 1 else plural(label)}"


def _position(asking: PairScene) -> Iterator[GeneratedQuestion]:
    facts = asking.facts
    for obj in islice(asking.shuffled(facts.objects), _MOST_TRIED):
        kinds = [
            (kind, answer)
            for kind, answer in ((QuestionKind.COLOR, obj.color), (QuestionKind.MATERIAL, obj.material))
            if answer not in ("", obj.label) and asking.looks.suits(obj.label, kind.value, answer)
        ]
        others = [
            other
            for other in facts.supports
            if obj not in facts.at(other)
            and other.label not in (obj.label, *facts.place(obj).split()[-1:])
            and asking.is_usual(obj.label, "place", other.label)
        ]
        if not kinds or not others:
            continue
        kind, answer = asking.pick(kinds)
        base = asking.describe(obj, kind.value, *_WHERE)
        other = asking.pick(others)
        anchor = asking.describe(other, "place", "relation", kind.value)
        if base is None or anchor is None:
            continue
        wrong, place = base.placed(facts.relation_to(other), anchor), facts.place(obj)
        claim = _Claim(
            f"{base.the} is {wrong.after[-1]}",
            f"{base.the} is {place}",
            worded(kind.value, None, the=f"{base.the} {place}"),
        )
        text, program = asking.worded(kind.value, the=wrong.the), Query(wrong.one, _ATTRIBUTES[kind])
        yield _question(text, program, NoiseType.POSITION, kind, claim, [obj], (answer,))
