"""What the generators of pairs share: the scene, rephrased descriptions, and the pair itself.

A ``NoisyPair`` is a question with a false premise next to its twin, whose premise is true. Descriptions are rephrased
with one more adjective, with another noun or none, or with a looser place.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from vantage.questions.execution import Executor, Truths
from vantage.questions.generation import (
    GeneratedQuestion,
    Phrase,
    QuestionScene,
    ids,
    looks_unlike,
    shows_its,
)
from vantage.questions.kinds import COLORS, MATERIAL_ADJECTIVES, STRUCTURE
from vantage.questions.lexicon import ALWAYS_SEVERAL, confusable, read_alike, related
from vantage.questions.noise.asked import Asked
from vantage.questions.noise.clear_contrasts import clearly_other
from vantage.questions.noise.loose_reference import may_be_meant, may_be_seen
from vantage.questions.noise.pair_templates import Wording, filled, pick_form
from vantage.questions.noise.possible_looks import OF_ONE_ROOM, PossibleLooks
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.questions.programs import Filter, ObjectSet, Program, Relate, Scene, Unique, program_text
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.types import NoiseType, TruthQuestion


@dataclass(frozen=True)
class Premise:
    """What a question takes for granted: that so many objects are there, and no more.

    Attributes:
        objects: the description of what the question is about, as a step of a program.
        number: how many it speaks of; 1 for "the mug on the desk".
    """

    objects: ObjectSet
    number: int = 1

    def holds(self, graph: SceneGraph, hidden: bool = False) -> bool:
        """Whether it is true in a scene; objects in closed containers count only where ``hidden``."""
        found = Executor(graph, hidden=hidden).members(self.objects)
        return found is not None and len(found) == self.number


@dataclass(frozen=True)
class NoisyPair:
    """Two questions in the same words, but for what is false in the noisy one.

    Both ask for the same of the same object; with noise of type LATENT the clean one asks it of an object that is
    there. The noisy one holds the false claim, its correction and, but for LATENT, the clean text as the corrected
    question.

    Attributes:
        false, true: what the noisy and the clean question take for granted.
    """

    noisy: GeneratedQuestion
    clean: GeneratedQuestion
    false: Premise
    true: Premise


TOYS = ("bear", "car")  # which nobody calls so without saying that they are toys
_COLOR_WORDS = frozenset(COLORS)
_MATERIAL_WORDS = frozenset(MATERIAL_ADJECTIVES.values())


def with_adjective(phrase: Phrase, attribute: str, value: str) -> Phrase:
    """With one more adjective where people put it: size and shape, then color, then material."""
    adjective = MATERIAL_ADJECTIVES.get(value, value) if attribute == "material" else value
    later = {"shape": (*_COLOR_WORDS, *_MATERIAL_WORDS), "color": _MATERIAL_WORDS}.get(attribute, frozenset())
    place = next((k for k, word in enumerate(phrase.before) if word in later), len(phrase.before))
    before = (*phrase.before[:place], adjective, *phrase.before[place:])
    return replace(phrase, before=before, objects=Filter(phrase.objects, attribute, value))


def renamed(phrase: Phrase, noun: str) -> Phrase:
    """The same words with another noun."""
    return replace(phrase, noun=noun, objects=with_noun(phrase.objects, noun))


def with_noun(objects: ObjectSet, noun: str) -> ObjectSet:
    """A description with another noun; what it is placed by keeps its own."""
    if isinstance(objects, Filter) and objects.attribute == "label" and isinstance(objects.objects, Scene):
        return replace(objects, value=noun)
    if isinstance(objects, (Filter, Relate)):
        return replace(objects, objects=with_noun(objects.objects, noun))
    return objects


def is_or_are(phrase: Phrase) -> str:
    """The verb that agrees with a phrase."""
    return "are" if phrase.noun in ALWAYS_SEVERAL else "is"


def noun_of(objects: ObjectSet) -> str:
    """The noun of a description; empty where it has none."""
    while isinstance(objects, (Filter, Relate)):
        if isinstance(objects, Filter) and objects.attribute == "label":
            return objects.value
        objects = objects.objects
    return ""


def without_noun(objects: ObjectSet) -> ObjectSet:
    """A description of objects of any kind."""
    if isinstance(objects, Filter) and objects.attribute == "label" and isinstance(objects.objects, Scene):
        return objects.objects
    if isinstance(objects, (Filter, Relate)):
        return replace(objects, objects=without_noun(objects.objects))
    return objects


def loosely_placed(objects: ObjectSet) -> ObjectSet:
    """A description in which all that is on or in something at any depth counts as being on or in it."""
    if isinstance(objects, Filter):
        return replace(objects, objects=loosely_placed(objects.objects))
    if isinstance(objects, Relate):
        relation = "at" if objects.relation in ("on", "in") else objects.relation
        return replace(objects, objects=loosely_placed(objects.objects), relation=relation)
    return objects


@dataclass(frozen=True)
class Mention:
    """How a question names what it is about, and what that takes for granted.

    Attributes:
        several: whether the name is in the plural.
    """

    the: str
    premise: Premise
    several: bool = False

    @staticmethod
    def of(phrase: Phrase) -> Mention:
        """One object."""
        return Mention(phrase.the, Premise(phrase.objects), phrase.noun in ALWAYS_SEVERAL)

    def program(self, asked: Asked) -> Program | None:
        """What is asked; no program asks something of several objects."""
        return asked.program(Unique(self.premise.objects)) if self.premise.number == 1 else None


@dataclass(frozen=True)
class Claim:
    """What is false about the noisy question, and what is right instead, in two sentences of one build."""

    noise: NoiseType
    false: str
    right: str


@dataclass(frozen=True)
class PairScene(QuestionScene):
    """One scene to make pairs of questions about.

    Attributes:
        wording: the group of templates.
        usual: what false claims are taken from; None for any.
        looks: what may be said of the looks of a kind.
        everything: runs steps over all objects, those in closed containers included. with_hidden: the same as a scene.
    """

    wording: Wording = "test"
    usual: UsualClaims | None = None
    looks: PossibleLooks = field(init=False)
    everything: Executor = field(init=False)
    with_hidden: Truths = field(init=False)

    def __post_init__(self) -> None:
        graph, settings = self.facts.graph, self.facts.settings
        claims = UsualClaims.of(self.facts) if self.usual is None else self.usual
        object.__setattr__(self, "looks", PossibleLooks(claims))
        object.__setattr__(self, "everything", Executor(graph, settings=settings, hidden=True))
        object.__setattr__(self, "with_hidden", Truths(graph, settings, hidden=True))

    def describe(self, obj: GraphNode, *avoid: str) -> Phrase | None:
        """See ``Describer.describe``; sizes depend on what else one has seen, and states change."""
        return super().describe(obj, *avoid, "size", "state")

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every kind of object in the scene, hidden ones and structure included."""
        return tuple(sorted({node.label for node in self.facts.graph.nodes}))

    def by_kind(self, objects: Iterable[GraphNode]) -> Iterator[GraphNode]:
        """Objects in a random order in which rare kinds come as soon as those of which there are many; no toys."""
        return self.evenly((obj for obj in objects if obj.label not in TOYS), lambda obj: obj.label)

    def is_usual(self, kind: str, attribute: str = "", value: str = "") -> bool:
        """Whether there are such objects, or with an attribute such ones of the value, somewhere in the set."""
        if self.usual is None:
            return attribute != "room" or kind not in OF_ONE_ROOM
        return self.usual.has(kind, attribute, value) if attribute else kind in self.usual.kinds

    def false_looks(self, obj: GraphNode, attribute: str) -> list[str]:
        """Colors, materials or shapes that are clearly false of an object and of all that may be taken for it."""
        word, true = self.facts.truths.word, self.facts.truths.word(obj, attribute)
        mistakable = operator.eq if attribute == "shape" else related  # no pillow is meant by what a blanket looks like
        others = {word(node, attribute) for node in self.facts.graph.objects() if mistakable(node.label, obj.label)}
        told = obj.label.split()
        if attribute != "material" and not shows_its(self.facts, obj, attribute):
            return []
        return [
            value
            for value in clearly_other(attribute, true, sorted(self.looks.of(obj.label, attribute)), others)
            if value not in told and true not in told and self.may_be_claimed(obj, attribute, value)
        ]

    def is_absent(self, word: str) -> bool:
        """Whether nothing in the scene, nor a part of it, may be called so, or by a word of which this is a kind.

        Nor anything that people in a room take for it.
        """
        return not any(may_be_seen(word, label) or read_alike(label, word) for label in self.labels)

    def may_be_claimed(self, obj: GraphNode, attribute: str, value: str) -> bool:
        """Whether a look may be said falsely of an object: a material that it clearly is not of, else a usual look."""
        return looks_unlike(obj, value) if attribute == "material" else self.is_usual(obj.label, attribute, value)

    def rivals(self, objects: ObjectSet, noun: str, looks: bool = False) -> set[int]:
        """Ids of all that a description may mean if its noun is taken loosely.

        Where a hidden object makes the scene unable to tell, everything may be meant.

        Args:
            objects: the description.
            noun: its noun, for which related kinds are put in.
            looks: whether kinds that look alike are put in as well.
        """
        members = self.everything.members(loosely_placed(without_noun(objects)))
        if members is None:
            return {node.instance_id for node in self.facts.graph.nodes}
        labels = {key: self.facts.node(key).label for key in members}
        return {
            key
            for key, label in labels.items()
            if label not in STRUCTURE and (_near(label, noun) or (looks and _alike(label, noun)))
        }

    def pair(
        self,
        claim: Claim,
        asked: Asked,
        said: tuple[Mention, Mention],
        objects: Collection[GraphNode],
        must_see: Iterable[GraphNode] = (),
        latent: bool = False,
    ) -> NoisyPair | None:
        """The two questions; None where the scene contradicts what either takes for granted.

        Args:
            said: how the noisy and the clean question name what they are about.
            objects: what the clean question is about.
            must_see: further objects that must be seen to find the claim false; with ``latent``, the only ones.
        """
        false, true = said
        fits = self.facts.executor.members(true.premise.objects)
        wrong = [run.members(false.premise.objects) for run in (self.facts.executor, self.everything)]
        if fits is None or set(fits) != {obj.instance_id for obj in objects} or len(fits) != true.premise.number:
            return None
        if any(found is None or len(found) == false.premise.number for found in wrong):
            return None
        if may_be_meant(true.premise.objects, self.facts.truths) != set(fits):
            return None
        mistakable = may_be_meant(false.premise.objects, self.with_hidden)
        if len(mistakable) == false.premise.number or (false.premise.number == 1 and mistakable):
            return None
        form = pick_form(self.wording, asked.form, self.rng)
        texts = [filled(form, one.the, one.several, asked.value) for one in said]
        answer, *accepted = asked.answers(self.facts, next(iter(objects)))
        if not answer:
            return None
        programs = [one.program(asked) for one in said]
        clean = TruthQuestion(
            question_id="",
            kind=asked.kind,
            answer=answer,
            accepted=tuple(accepted),
            target_instances=ids(objects),
            program=_text(programs[1]),
        )
        noisy = replace(
            clean,
            premise_holds=False,
            noise_type=claim.noise,
            false_claim=claim.false,
            correction=claim.right,
            corrected_question=texts[1],
            target_instances=ids([*objects, *must_see]),
            program=_text(programs[0]),
        )
        if latent:
            noisy = replace(noisy, answer="", accepted=(), corrected_question="", target_instances=ids(list(must_see)))
        questions = [
            GeneratedQuestion(text, truth, program)
            for text, truth, program in zip(texts, (noisy, clean), programs, strict=True)
        ]
        return NoisyPair(questions[0], questions[1], false.premise, true.premise)


@lru_cache(maxsize=65536)
def _near(label: str, noun: str) -> bool:
    return label == noun or related(label, noun)


@lru_cache(maxsize=65536)
def _alike(label: str, noun: str) -> bool:
    return noun in confusable(label) or label in confusable(noun)


def _text(program: Program | None) -> str:
    return "" if program is None else program_text(program)
