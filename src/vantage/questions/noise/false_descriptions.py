"""Questions of every kind with a false premise: a clean question, one description in which is made false.

An object that a clean question speaks of is described with one more word or place than it takes: "Is the blue mug on
the desk larger than the bowl?" Its twin says something else there, which such objects are elsewhere, and is the same
question otherwise. So kind, wording and all other words tell nothing of whether the premise holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from vantage.errors import SceneError
from vantage.questions.generation import Facts, GeneratedQuestion, Phrase, QuestionScene, answered_drafts, called, ids
from vantage.questions.kinds import QuestionKind
from vantage.questions.noise.loose_reference import may_be_meant
from vantage.questions.noise.misplaced import elsewhere
from vantage.questions.noise.noisy_pairs import LOOKS, carried_kinds, claimed_there, missed
from vantage.questions.noise.pairing import Claim, NoisyPair, PairScene, Premise, is_or_are, with_adjective
from vantage.questions.noise.places import places_of
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.questions.program_parts import inner_steps, substituted
from vantage.questions.programs import program_text
from vantage.scenes.graph import GraphNode
from vantage.types import NoiseType

_MOST_TRIED = 4  # false places or nouns, for one object
_ASKED = ("color", "material", "shape", "text")  # of which there must be something in what is not there


@dataclass(frozen=True)
class _Said:
    """A description that holds, with a fact that may be false, and the same with another one in its place.

    Attributes:
        seen: of what is not there at all, where it is said to be.
    """

    true: Phrase
    false: Phrase
    claim: Claim
    seen: tuple[GraphNode, ...] = ()


@dataclass(frozen=True)
class _DescribingScene(QuestionScene):
    """A scene in which objects are described with a fact that may be false.

    Attributes:
        pairing: the same scene for pairs of questions.
        said: descriptions so far, by their words.
    """

    pairing: PairScene = field(kw_only=True)
    noise: NoiseType = field(kw_only=True)
    said: dict[str, _Said] = field(default_factory=dict, kw_only=True)

    def describe(self, obj: GraphNode, *avoid: str) -> Phrase | None:
        """As ``QuestionScene.describe``, with a fact of the noise type where there is one."""
        found = next(_MAKERS[self.noise](self.pairing, self.noise, obj, avoid), None)
        if found is None:
            return self.pairing.describe(obj, *avoid)
        self.said[found.true.the] = found
        return found.true

    def falsified(self, question: GeneratedQuestion) -> NoisyPair | None:
        """A question and its twin with a false description; None where no description can be told from the rest."""
        for said in self.pairing.shuffled(list(self.said.values())):
            pair = self._with(said, question)
            if pair is not None:
                return pair
        return None

    def _with(self, said: _Said, question: GeneratedQuestion) -> NoisyPair | None:
        if question.program is None or said.true.one not in inner_steps(question.program):
            return None
        if question.text.count(said.true.the) != 1 or question.text.count(said.true.noun) != 1:
            return None
        program = substituted(question.program, said.true.one, said.false.one)
        runs = (self.facts.executor, self.pairing.everything)
        if any(run.run(program).problem != "none" for run in runs):
            return None
        truth = replace(
            question.truth,
            premise_holds=False,
            noise_type=said.claim.noise,
            false_claim=said.claim.false,
            correction=said.claim.right,
            corrected_question=question.text,
            program=program_text(program),
        )
        if said.seen:
            truth = replace(truth, answer="", accepted=(), corrected_question="", target_instances=ids(said.seen))
        text = question.text.replace(said.true.the, said.false.the)
        noisy = GeneratedQuestion(text, truth, program)
        return NoisyPair(noisy, question, Premise(said.false.objects), Premise(said.true.objects))


def falsified_questions(
    facts: Facts, kind: QuestionKind, noise: NoiseType, rng: np.random.Generator, usual: UsualClaims | None = None
) -> Iterator[NoisyPair]:
    """Some questions of a kind with one false description, each with its clean twin; none when the scene gives none.

    Args:
        usual: what may be claimed falsely of objects; anything that such objects can be where it is not given.

    Raises:
        SceneError: a noise type that no description holds.
    """
    if noise not in _MAKERS:
        known = ", ".join(each.name for each in DESCRIBED_TYPES)
        raise SceneError(f"no description is false by {noise.name}; choose one of {known}")
    pairing = PairScene(facts, rng, usual=usual)
    yes = pairing.chance(0.5)
    for wanted in (yes, not yes):
        asking = _DescribingScene(facts, rng, wanted, pairing=pairing, noise=noise)
        for question in answered_drafts(asking, kind):
            pair = asking.falsified(question)
            if pair is not None:
                yield pair


def _looks(pairing: PairScene, noise: NoiseType, obj: GraphNode, avoid: Collection[str]) -> Iterator[_Said]:
    attribute, preposition = LOOKS[noise]
    false = [] if attribute in avoid else pairing.false_looks(obj, attribute)
    base = pairing.describe(obj, *avoid, attribute) if false else None
    if base is None:
        return
    true, claimed = pairing.facts.truths.word(obj, attribute), pairing.pick(false)
    wrong, right = with_adjective(base, attribute, claimed), with_adjective(base, attribute, true)
    said = f"{base.the} {is_or_are(base)} {preposition}"
    if _is_nothing(pairing, wrong, obj.label, bool(base.after)):
        yield _Said(right, wrong, Claim(noise, f"{said}{claimed}", f"{said}{true}"))


def _place(pairing: PairScene, noise: NoiseType, obj: GraphNode, avoid: Collection[str]) -> Iterator[_Said]:
    base = pairing.describe(obj, *avoid, "place", "relation", "room", "text")
    for true in places_of(pairing, obj, avoid) if base is not None else ():
        if base is None or ("room" if true.support is None else "place") in avoid:
            continue
        for claimed in islice(elsewhere(pairing, obj, true, avoid), _MOST_TRIED):
            wrong = claimed.of(base)
            anyone = claimed.of(called(obj.label))
            if not pairing.rivals(anyone.objects, obj.label) and _is_nothing(pairing, wrong, obj.label, True):
                right = pairing.facts.place(obj) if true.support is not None else true.words
                said = f"{base.the} {is_or_are(base)} "
                yield _Said(true.of(base), wrong, Claim(noise, f"{said}{claimed.words}", f"{said}{right}"))


def _nothing(pairing: PairScene, noise: NoiseType, obj: GraphNode, avoid: Collection[str]) -> Iterator[_Said]:
    carried = obj.label in carried_kinds() and obj in pairing.facts.objects
    if not carried or {"place", "state"} & set(avoid):
        return
    asked = [attribute for attribute in _ASKED if attribute in avoid]
    absent = [
        noun
        for noun in carried_kinds()
        if pairing.is_usual(noun)
        and pairing.is_absent(noun)
        and all(pairing.looks.suits(noun, attribute) for attribute in asked)
    ]
    for place in places_of(pairing, obj, avoid):
        right = place.of(called(obj.label))
        if place.support is None or pairing.facts.executor.members(right.objects) != (obj.instance_id,):
            continue
        for noun in islice(missed(pairing, absent, place), _MOST_TRIED):
            wrong = place.of(called(noun))
            if _is_nothing(pairing, wrong, noun, True):
                yield _Said(right, wrong, claimed_there(noun, place), place.seen)


def _is_nothing(pairing: PairScene, wrong: Phrase, noun: str, looks: bool) -> bool:
    """Whether nothing can be meant by a description, even taken loosely; with ``looks``, by what looks alike either."""
    return not pairing.rivals(wrong.objects, noun, looks) and not may_be_meant(wrong.objects, pairing.with_hidden)


_MAKERS: dict[NoiseType, Callable[[PairScene, NoiseType, GraphNode, Collection[str]], Iterator[_Said]]] = {
    NoiseType.LATENT: _nothing,
    NoiseType.COLOR: _looks,
    NoiseType.POSITION: _place,
    NoiseType.MATERIAL: _looks,
}
DESCRIBED_TYPES = tuple(_MAKERS)
