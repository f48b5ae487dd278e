"""What all makers of pairs share: the scene with everything hidden in it, what could be meant, and the pair itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from vantage.questions.execution import Executor
from vantage.questions.generation.clean_questions import GeneratedQuestion
from vantage.questions.generation.drafts import Asking, ids
from vantage.questions.generation.phrases import Phrase
from vantage.questions.kinds import STRUCTURE
from vantage.questions.lexicon.appearance import confusable
from vantage.questions.lexicon.related_kinds import may_be_called, related
from vantage.questions.noise.asked import Asked
from vantage.questions.noise.clear_contrasts import called_either
from vantage.questions.noise.pair import NoisyPair, Premise
from vantage.questions.noise.pair_templates import Wording, filled, pick_form
from vantage.questions.noise.rephrasing import loosely_placed, without_noun
from vantage.questions.programs import Program, Things, Unique, program_text
from vantage.scenes.graph.graph import GraphNode
from vantage.types import NoiseType, TruthQuestion


@dataclass(frozen=True)
class Said:
    """How a question names what it is about, and what that takes for granted."""

    the: str
    premise: Premise

    @staticmethod
    def of(phrase: Phrase) -> Said:
        """One thing."""
        return Said(phrase.the, Premise(phrase.things))

    def program(self, asked: Asked) -> Program | None:
        """What is asked; no program asks something of several things."""
        return asked.program(Unique(self.premise.things)) if self.premise.number == 1 else None


@dataclass(frozen=True)
class Claim:
    """What is false about the noisy question, and what is right instead, in two sentences of one build."""

    noise: NoiseType
    false: str
    right: str


@dataclass(frozen=True)
class Pairing(Asking):
    """One scene to make pairs of questions about.

    Attributes:
        wording: the group of templates.
        everything: runs steps over all things, those in closed containers included.
    """

    wording: Wording = "test"
    everything: Executor = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "everything", Executor(self.facts.graph, settings=self.facts.settings, hidden=True))

    @property
    def labels(self) -> tuple[str, ...]:
        """Every kind of thing in the scene, hidden ones and structure included."""
        return tuple(sorted({node.label for node in self.facts.graph.nodes}))

    def by_kind(self, things: Iterable[GraphNode]) -> Iterator[GraphNode]:
        """Things in a random order in which rare kinds come as soon as those of which there are many."""
        return self.evenly(things, lambda thing: thing.label)

    def is_absent(self, word: str) -> bool:
        """Whether nothing in the scene may be called so, nor is of a kind that the word is a kind of."""
        return not any(_may_mean(word, label) for label in self.labels)

    def rivals(self, things: Things, noun: str, looks: bool = False) -> set[int]:
        """Ids of all that a description may mean if its noun is taken loosely.

        Where a hidden thing makes the scene unable to tell, everything may be meant.

        Args:
            things: the description.
            noun: its noun, for which related kinds are put in.
            looks: whether kinds that look alike are put in as well.
        """
        members = self.everything.members(loosely_placed(without_noun(things)))
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
        said: tuple[Said, Said],
        things: Collection[GraphNode],
        must_see: Iterable[GraphNode] = (),
        latent: bool = False,
    ) -> NoisyPair | None:
        """The two questions; None where the scene contradicts what either takes for granted.

        Args:
            said: how the noisy and the clean question name what they are about.
            things: what the clean question is about.
            must_see: further things that must be seen to find the claim false; with ``latent``, the only ones.
        """
        false, true = said
        fits = self.facts.executor.members(true.premise.things)
        wrong = [run.members(false.premise.things) for run in (self.facts.executor, self.everything)]
        if fits is None or set(fits) != {thing.instance_id for thing in things} or len(fits) != true.premise.number:
            return None
        if any(found is None or len(found) == false.premise.number for found in wrong):
            return None
        form = pick_form(self.wording, asked.form, self.rng)
        texts = [filled(form, one.the, one.premise.number != 1, asked.value) for one in said]
        answer, *accepted = asked.answers(self.facts, next(iter(things)))
        if not answer:
            return None
        programs = [one.program(asked) for one in said]
        clean = TruthQuestion(
            question_id="",
            kind=asked.kind,
            answer=answer,
            accepted=tuple(accepted),
            target_instances=ids(things),
            program=_text(programs[1]),
        )
        noisy = replace(
            clean,
            premise_holds=False,
            noise_type=claim.noise,
            false_claim=claim.false,
            correction=claim.right,
            corrected_question=texts[1],
            target_instances=ids([*things, *must_see]),
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


@lru_cache(maxsize=65536)
def _may_mean(word: str, label: str) -> bool:
    return may_be_called(label, word) or may_be_called(word, label) or called_either(word, label)


def _text(program: Program | None) -> str:
    return "" if program is None else program_text(program)
