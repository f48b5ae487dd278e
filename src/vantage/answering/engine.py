"""Question answering over a stream of observations: perceive, remember, answer; safe to call from several threads.

Text format. A plain answer is the bare answer: ``blue``, ``ceramic``, ``2``, ``yes``, ``on the table``. An answer that
needs explaining is ``<explanation> Answer: <answer>.``, for instance "The mug on the table is blue, not red. Answer:
ceramic." Where there is no answer (nothing of the kind exists, more must be seen, several objects may be meant), the
text is a sentence without ``Answer:``. Where a person has to agree to a correction first, the text is what is wrong and
the corrected question, again without ``Answer:``.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from vantage.answering.compound_answers import together
from vantage.answering.protocol import NACOT, NOT_UNDERSTOOD, Assessment, LookFor, as_answer
from vantage.answering.symbolic import SymbolicReasoner, TextMemory, TextReader, wording
from vantage.config import RelationSettings
from vantage.perception import Perceiver
from vantage.perception.map import CoverageMap, ObservedScene
from vantage.questions import ParsedQuestion
from vantage.questions.parsing import NotUnderstood, understand
from vantage.types import Answer, Detection, NoiseReport, NoiseType, Observation, Point, Question, StepResult, Verdict

LONGEST = 1200  # characters; longer texts are no questions, and are neither read nor remembered


def understood(text: object) -> ParsedQuestion | None:
    """The question that a text asks; None when it was not understood."""
    found = _understood(text) if isinstance(text, str) and len(text) <= LONGEST else None
    return found if isinstance(found, ParsedQuestion) else None


WriteProgram = Callable[[str], ParsedQuestion | NotUnderstood]
_understood = lru_cache(maxsize=256)(understand)  # a search asks the same question at every step


def not_understood(text: object, told: str = "") -> Assessment:
    """Why a text was not understood, in words; of the text itself, single words at most are repeated.

    Args:
        told: why nobody else understood it either, as the end of a sentence.
    """
    reason = _unreadable(text) or told or _unread(text)
    if not reason:
        return NOT_UNDERSTOOD
    said = f"I did not understand the question: {reason}."
    return replace(NOT_UNDERSTOOD, text=said, noise=replace(NOT_UNDERSTOOD.noise, explanation=reason))


def _unreadable(text: object) -> str:
    if not isinstance(text, str):
        return "it is no text"
    if len(text) > LONGEST:
        return f"it has {len(text)} characters, and I read at most {LONGEST}"
    if not text.strip():
        return "it is empty"
    if not all(letter.isprintable() or letter.isspace() for letter in text):
        return "it holds bytes that are no letters"
    if sum(letter.isascii() for letter in text) < 0.9 * len(text):
        return "I only understand English"
    return ""


def _unread(text: object) -> str:
    """What stands in the way of a text that can be read."""
    found = _understood(str(text))
    reason = "" if isinstance(found, ParsedQuestion) else found.reason
    return f"{reason}; a language model is needed to answer it" if reason else ""


_GUESSED, _SUREST_GUESS = 0.9, 0.75  # of how sure a guess is by itself, and at the most
_MOST_OPEN = 256  # corrections that wait for a person; older ones are worked out anew
_HALF_EXTENT = (10.0, 10.0, 2.5)  # m around the first viewpoint, where nobody gives the bounds


def ocr_reader() -> TextReader:
    """The reader of print; see ``vantage.perception.perceivers.ocr``.

    Raises:
        MissingExtraError: it is not installed.
    """
    from vantage.perception.perceivers import OcrReader

    return OcrReader()


class QuestionAnswering:
    """Memory, coverage and reasoner behind one lock.

    Attributes:
        perceiver: through which it sees.
        memory: observed objects. Guarded by the lock: read it from the thread that observes.
    """

    def __init__(
        self,
        perceiver: Perceiver,
        bounds_min: Point | None = None,
        bounds_max: Point | None = None,
        voxel: float = 0.1,
        coverage: CoverageMap | None = None,
        relations: RelationSettings | None = None,
        make_reader: Callable[[], TextReader] = ocr_reader,
        mode: str = NACOT.name,
        require_confirmation: bool = False,
        write_program: WriteProgram | None = None,
        hidden_contents: bool = False,
    ) -> None:
        """
        Args:
            bounds_min, bounds_max: of the place, world frame, m; without them, 20 m x 20 m x 5 m around the first view.
            coverage: a map that someone else carves, shared with this; then ``observe`` does not carve it again.
            relations: when objects count as next to each other and so on, the usual settings when not given.
            make_reader: of print; called when a question turns on print for the first time.
            mode: how premises are treated, see ``vantage.answering.protocol``.
            require_confirmation: of a corrected question, do not tell the answer before ``confirm``.
            write_program: makes something of questions that the parser does not understand; asked once for each.
            hidden_contents: what is inside closed containers counts, so that they have to be opened, and things may be
                weighed. The last answer to a question is a guess, then, where evidence is missing.

        Raises:
            UnknownNameError: there is no such mode.
        """
        self.perceiver = perceiver
        self.memory = ObservedScene(min_pixels=getattr(perceiver, "min_pixels", 60))
        self._reading = TextMemory(self.memory, make_reader)
        self._reasoner = SymbolicReasoner(relations, mode, hidden_contents)
        self._guesses = hidden_contents
        self._require_confirmation = require_confirmation
        self._open: OrderedDict[Question, tuple[bool, bool]] = OrderedDict()  # how these were asked
        self._bounds = None if bounds_min is None or bounds_max is None else (bounds_min, bounds_max)
        self._voxel = voxel
        self._shared = coverage
        self._coverage = coverage
        self._lock = threading.RLock()
        self._write_program = None if write_program is None else lru_cache(maxsize=_MOST_OPEN)(write_program)

    @property
    def coverage(self) -> CoverageMap | None:
        """What was seen free and filled; None before the first depth image."""
        return self._coverage

    def reset(self, bounds_min: Point | None = None, bounds_max: Point | None = None) -> None:
        """Forget everything; optionally for a place with other bounds. A shared coverage map is left alone."""
        with self._lock:
            self.memory.reset()
            self._reading.reset()
            self._open.clear()
            self._coverage = self._shared
            if bounds_min is not None and bounds_max is not None:
                self._bounds = (bounds_min, bounds_max)

    def observe(self, observation: Observation) -> tuple[Detection, ...]:
        """Take in one view.

        Raises:
            VantageError: the perceiver cannot work with this observation.
        """
        detections = self.perceiver.perceive(observation)
        with self._lock:
            detections = self._reading.take_in(observation, detections)
            if self._shared is None and observation.depth is not None:
                if self._coverage is None:
                    self._coverage = self._new_coverage(observation)
                self._coverage.add(observation, self.memory.held_box)
        return detections

    def acted(self, result: StepResult) -> None:
        """Take in what became of a command of a robot with a hand, before the view after it is taken in."""
        with self._lock:
            self.memory.acted(result, self._coverage)

    def restored(self) -> None:
        """Take in that the place is as it was found: what was moved, opened or held is where and as it was."""
        with self._lock:
            self.memory.restored(self._coverage)

    def _new_coverage(self, observation: Observation) -> CoverageMap:
        if self._bounds is not None:
            return CoverageMap(*self._bounds, voxel=self._voxel)
        at = observation.viewpoint
        (x, y, z), (dx, dy, dz) = (at.x, at.y, at.z), _HALF_EXTENT
        return CoverageMap((x - dx, y - dy, z - dz), (x + dx, y + dy, z + dz), voxel=self._voxel)

    def assess(self, text: str, exhausted: bool = False) -> Assessment:
        """Everything that can be said about a question now; never moves, never raises, whatever the text is."""
        question = understood(text)
        if question is not None or self._write_program is None or _unreadable(text):
            return not_understood(text) if question is None else self.assess_parsed(question, exhausted)
        written = self._write_program(text)
        if isinstance(written, ParsedQuestion):
            return self.assess_parsed(written, exhausted)
        return not_understood(text, written.reason)

    def assess_parsed(self, question: ParsedQuestion | None, exhausted: bool = False) -> Assessment:
        """The same for a question that was parsed before."""
        if question is None:
            return NOT_UNDERSTOOD
        with self._lock:
            found = together([self._assess(part, exhausted) for part in (question, *question.further)])
        return replace(found, text=wording.taken(question.corrections, found.text, found.answer))

    def _assess(self, question: ParsedQuestion, exhausted: bool) -> Assessment:
        self._reading.want_for(question.program)
        unprinted, unreadable = self._reading.unprinted, self._reading.unreadable
        return self._reasoner.assess(question, self.memory, self._coverage, exhausted, unprinted, unreadable)

    def ask(self, question: Question, exhausted: bool = False, last: bool = False) -> Answer:
        """The answer from memory; where it needs a person's consent, what is asked of them.

        Args:
            exhausted: all reachable space has been looked at, so that what was not seen may be called absent.
            last: no other look can be taken; where one would be needed, the likeliest answer is given, half as sure.
                That something is not there is said only where its place was seen for the most part (``closing``).
        """
        found = self._found(question.text, exhausted, last)
        if self._require_confirmation and found.verdict is Verdict.CORRECTED:
            self._keep_open(question, exhausted, last)
            found = replace(found, text=wording.proposal(found.noise), verdict=Verdict.NEEDS_CONFIRMATION, answer="")
        return as_answer(question, found, self.perceiver.name, self._reasoner.name)

    def confirm(self, question: Question, accept: bool) -> Answer:
        """What follows once a person has agreed to the correction of a question, or has not.

        By then more may have been seen: it is looked into anew. Where nothing is to be corrected, or not any more, the
        answer is that of ``ask``, whatever the person said.
        """
        with self._lock:
            exhausted, last = self._open.pop(question, (False, False))
        found = self._found(question.text, exhausted, last)
        if found.verdict is Verdict.CORRECTED and not accept:
            said = wording.refused(found.noise)
            found = replace(found, text=said, verdict=Verdict.UNANSWERABLE, answer="", look_for=())
        return as_answer(question, found, self.perceiver.name, self._reasoner.name)

    def _found(self, text: str, exhausted: bool, last: bool) -> Assessment:
        """What can be said, in the end also where another look would be needed."""
        found = self.assess(text, exhausted)
        if last and self._guesses and not found.answer:
            return self._guess(text, found)
        if not last or found.verdict is not Verdict.NEEDS_LOOK:
            return found
        guess = self.assess(text, exhausted=True)
        if guess.verdict is Verdict.ANSWERED:
            said = wording.finished(self._doubt(found, understood(text)), guess.answer)  # never that all was seen
            return replace(guess, text=said, confidence=0.5 * guess.confidence)
        if guess.verdict is Verdict.CORRECTED:
            noise = replace(guess.noise, confidence=0.5 * guess.noise.confidence)
            return replace(guess, noise=noise, confidence=0.5 * guess.confidence)
        return found

    def _guess(self, text: str, found: Assessment) -> Assessment:
        """The likeliest answer where there is none; what was found where the question was not understood."""
        guess = self.assess(text, exhausted=True)
        question = understood(text)
        if not guess.answer and question is not None:
            with self._lock:
                self._reading.want_for(question.program)
                unprinted, unreadable = self._reading.unprinted, self._reading.unreadable
                guess = self._reasoner.guess(question, self.memory, self._coverage, unprinted, unreadable)
        if not guess.answer:
            return found
        said = wording.finished(self._doubt(found, question), guess.answer)
        sure = min(_GUESSED * guess.confidence, _SUREST_GUESS)
        return replace(guess, text=said, verdict=Verdict.ANSWERED, confidence=sure, look_for=found.look_for)

    def _doubt(self, found: Assessment, question: ParsedQuestion | None) -> str:
        """What was left to look at when the answer had to be given; one who trusts premises has no doubts."""
        if not self._reasoner.mode.checks:
            return ""
        lost = any(look.is_lost for look in found.look_for)
        corrections = () if question is None else question.corrections
        return wording.taken(corrections, "I could not look everywhere.", "") if lost else found.text

    @property
    def open_corrections(self) -> int:
        """How many corrections wait for a person."""
        return len(self._open)

    def _keep_open(self, question: Question, exhausted: bool, last: bool) -> None:
        with self._lock:
            self._open[question] = exhausted, last
            self._open.move_to_end(question)
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)

    def check(self, text: str) -> tuple[bool, bool, NoiseReport]:
        """Check the premises of a question without answering it; one who trusts them verifies none.

        Returns:
            Whether it was understood; whether each premise was verified; what is wrong with them
            (``NoiseType.UNKNOWN`` while more must be seen).
        """
        found = self.assess(text)
        understood = found.verdict is not Verdict.NEEDS_MODEL
        if understood and not self._reasoner.mode.checks:
            return True, False, NoiseReport(NoiseType.UNKNOWN, explanation="premises are trusted, not checked")
        return understood, found.verdict is Verdict.ANSWERED, found.noise

    def look_for(self, text: str) -> tuple[LookFor, ...]:
        """What to look at to answer a question, most useful first; empty when nothing would help."""
        return self.assess(text).look_for
