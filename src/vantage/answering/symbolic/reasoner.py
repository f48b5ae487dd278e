"""Answers from the observed scene: a program is run on what was seen, with three values: yes, no and not known yet.

What was not seen is absent only where seeing was complete (``closing``). A description that fits nothing is put right
where one wrong condition explains that (``premises``), or another object must be meant (``substitutes``); the answer is
then that to the corrected question. Where several objects may be meant and would be answered differently, the question
back is which. All of this depends on how premises are treated (``modes``).
"""

from __future__ import annotations

from vantage.answering.protocol import NACOT, NOT_UNDERSTOOD, Assessment, mode_of
from vantage.answering.symbolic.answer_selection import AnswerSelection
from vantage.answering.symbolic.guesses import best_guess
from vantage.answering.symbolic.observed_facts import ObservedFacts
from vantage.answering.symbolic.premise_checking import CheckedPremises, answered
from vantage.answering.symbolic.trusted_premises import TrustedPremises
from vantage.config import RelationSettings
from vantage.perception.map import CoverageMap, ObservedScene
from vantage.questions import ParsedQuestion

_MOST_KEPT = 1000  # assessments of one state of the memory


class SymbolicReasoner:
    """Everything it knows is in its arguments; it only keeps what it worked out for the last state of a memory.

    Attributes:
        name: with its mode, such as ``symbolic/nacot``.
    """

    def __init__(
        self, settings: RelationSettings | None = None, mode: str = NACOT.name, hidden_contents: bool = False
    ) -> None:
        """
        Args:
            mode: how premises are treated, see ``vantage.answering.protocol``.
            hidden_contents: what is inside closed containers counts, so that they have to be opened, and things may be
                weighed.

        Raises:
            UnknownNameError: there is no such mode.
        """
        self.mode = mode_of(mode)
        self.name = f"symbolic/{self.mode.name}"
        self._settings = settings or RelationSettings()
        self._hidden = hidden_contents
        self._state: tuple[object, ...] = ()
        self._sights: dict[bool, ObservedFacts] = {}
        self._known: dict[object, object] = {}
        self._assessed: dict[tuple[ParsedQuestion, bool], Assessment] = {}

    def assess(
        self,
        question: ParsedQuestion | None,
        memory: ObservedScene,
        coverage: CoverageMap | None = None,
        exhausted: bool = False,
        unprinted: frozenset[int] = frozenset(),
        unreadable: str = "",
    ) -> Assessment:
        """What can be said about a question now.

        Args:
            question: None when it was not understood.
            coverage: makes "looked at completely" strict; without it, a support seen clear of the image border counts
                as known up to its edges.
            exhausted: all reachable space has been looked at.
            unprinted: keys of objects that were looked at from near enough and bear no print.
            unreadable: why print cannot be read, in a sentence; empty when it can.
        """
        if question is None:
            return NOT_UNDERSTOOD
        self._begin(memory, coverage, exhausted, unprinted, unreadable)
        case = question, exhausted
        if case not in self._assessed:
            if len(self._assessed) >= _MOST_KEPT:
                self._assessed.clear()
            settling = AnswerSelection(question.program, question.number, self._sights[exhausted])
            way = CheckedPremises(settling, self.mode) if self.mode.checks else TrustedPremises(settling)
            self._assessed[case] = way.assess()
        return self._assessed[case]

    def guess(
        self,
        question: ParsedQuestion,
        memory: ObservedScene,
        coverage: CoverageMap | None = None,
        unprinted: frozenset[int] = frozenset(),
        unreadable: str = "",
    ) -> Assessment:
        """The likeliest answer when no more can be seen, of the type that the question asks for; as ``assess``."""
        self._begin(memory, coverage, True, unprinted, unreadable)
        return answered(best_guess(question.program, self._sights[True]))

    def _begin(
        self,
        memory: ObservedScene,
        coverage: CoverageMap | None,
        exhausted: bool,
        unprinted: frozenset[int],
        unreadable: str,
    ) -> None:
        """Keep what was worked out as long as nothing changed."""
        given_up = frozenset(memory.given_up)
        state = (memory.frames, memory.changes, memory.objects, memory, coverage, unprinted, unreadable, given_up)
        if state != self._state:
            self._state = state
            self._sights.clear()
            self._known = {}
            self._assessed.clear()
        if exhausted not in self._sights:
            self._sights[exhausted] = ObservedFacts(
                memory, coverage, exhausted, self._settings, unprinted, unreadable, self._known, self._hidden
            )
