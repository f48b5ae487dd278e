"""A question with a false premise next to its twin, of which the premise is true."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.questions.execution import Executor
from vantage.questions.generation.clean_questions import GeneratedQuestion
from vantage.questions.programs import Things
from vantage.scenes.graph.graph import SceneGraph


@dataclass(frozen=True)
class Premise:
    """What a question takes for granted: that so many things are there, and no more.

    Attributes:
        things: the description of what the question is about, as a step of a program.
        number: how many it speaks of; 1 for "the mug on the desk".
    """

    things: Things
    number: int = 1

    def holds(self, graph: SceneGraph, hidden: bool = False) -> bool:
        """Whether it is true in a scene; things in closed containers count only where ``hidden``."""
        found = Executor(graph, hidden=hidden).members(self.things)
        return found is not None and len(found) == self.number


@dataclass(frozen=True)
class NoisyPair:
    """Two questions in the same words, but for what is false in the noisy one.

    Both ask for the same of the same thing; with noise of type LATENT the clean one asks it of a thing that is there.
    The noisy one holds the false claim, its correction and, but for LATENT, the clean text as the corrected question.

    Attributes:
        false, true: what the noisy and the clean question take for granted.
    """

    noisy: GeneratedQuestion
    clean: GeneratedQuestion
    false: Premise
    true: Premise
