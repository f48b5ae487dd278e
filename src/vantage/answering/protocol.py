"""What agents and the QA node use of whoever answers: the embedded reasoner, a model, or one of them calibrated."""

from __future__ import annotations

from typing import Protocol

from vantage.answering.assessment import Assessment, LookFor
from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.protocol import Perceiver
from vantage.types import Answer, Detection, NoiseReport, Observation, Point, Question


class Answering(Protocol):
    """Takes in views and answers from them; never moves. Safe to call from several threads."""

    @property
    def perceiver(self) -> Perceiver:
        """Through which it sees."""
        ...

    @property
    def memory(self) -> ObservedScene:
        """Observed things; read it from the thread that observes."""
        ...

    @property
    def coverage(self) -> CoverageMap | None:
        """What was seen free and filled; None before the first depth image."""
        ...

    def reset(self, bounds_min: Point | None = None, bounds_max: Point | None = None) -> None:
        """Forget everything; optionally for a place with other bounds."""
        ...

    def observe(self, observation: Observation) -> tuple[Detection, ...]:
        """Take in one view.

        Raises:
            VantageError: the perceiver cannot work with this observation.
        """
        ...

    def assess(self, text: str, exhausted: bool = False) -> Assessment:
        """Everything that can be said about a question now."""
        ...

    def ask(self, question: Question, exhausted: bool = False, last: bool = False) -> Answer:
        """The answer from memory; ``exhausted``: all was looked at, ``last``: no other look can be taken."""
        ...

    def confirm(self, question: Question, accept: bool) -> Answer:
        """What follows once a person has agreed to what ``ask`` proposed, or has not."""
        ...

    def check(self, text: str) -> tuple[bool, bool, NoiseReport]:
        """Whether a question was understood, whether its premises were verified, and what is wrong with them."""
        ...

    def look_for(self, text: str) -> tuple[LookFor, ...]:
        """What to look at to answer a question, most useful first; empty when nothing would help."""
        ...
