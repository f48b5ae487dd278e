"""Question answering by a model: which remembered view suffices, what it answers from it, and what supports that.

A model is asked in one of three modes: plain, NAP (it is told that questions may be mistaken) and NACoT (it checks step
by step), as in NoisyEQA, section 4 (arXiv 2412.10726). The prompts are this project's own words.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from weakref import WeakKeyDictionary

from vantage.answering.engine import QuestionAnswering
from vantage.answering.protocol import NACOT, PLAIN, Assessment, LookFor, as_answer, mode_of
from vantage.answering.symbolic import wording
from vantage.answering.vlm.model_text import SCHEMAS, Reply, bare_reply, prompt_question, read_reply
from vantage.answering.vlm.verdicts import (
    NEGATIVE,
    PRESENCE_PROMPT,
    STATEMENT_PROMPT,
    Findings,
    NamedObjects,
    evidence_of,
    findings,
    is_open,
    no_model,
    undecided,
    verdict_of,
    view_confidence,
)
from vantage.answering.vlm.view_choice import Choice, choose
from vantage.answering.vlm.view_confidence import CONFIDENCE_PROMPT, YesNo, filled
from vantage.answering.vlm.view_memory import View, ViewMemory
from vantage.errors import ModelError
from vantage.models import Model, SeesSeveral, prompt, version_of
from vantage.perception import Perceiver
from vantage.perception.map import CoverageMap, ObservedScene
from vantage.types import Answer, Detection, NoiseReport, Observation, Point, Question, StepResult, Verdict

LINES_PROMPT = "reply_lines"
_CHECKS = (LINES_PROMPT, STATEMENT_PROMPT, PRESENCE_PROMPT)


@cache
def prompt_version(mode: str) -> str:
    """One version of all prompts that a mode uses, 8 hexadecimal digits: another word in one of them changes it."""
    names = (CONFIDENCE_PROMPT, mode, *(_CHECKS if mode != PLAIN.name else ()))
    return version_of(names)


def ask_in_mode(model: Model, mode: str, question: str, views: Sequence[View]) -> Reply:
    """The model's reply about one view, or several. Where it keeps to no schema, it is asked once more in words.

    Raises:
        ModelError: the model cannot be asked.
    """
    images, number = tuple(view.image for view in views), len(views)
    if mode == PLAIN.name:
        return bare_reply(model.chat(filled(mode, number, question=question), images))
    try:
        return read_reply(model.chat(filled(mode, number, question=question, form=""), images, SCHEMAS[mode]))
    except ModelError:
        in_lines = filled(mode, number, question=question, form=prompt(LINES_PROMPT).text)
        return read_reply(model.chat(in_lines, images))


_BLANK: WeakKeyDictionary[Model, dict[tuple[int, ...], float]] = WeakKeyDictionary()  # what they say of nothing
_CHECKED_AGAIN = 8  # new views after which an absence is looked for again while the search goes on
_MOST_KEPT = 256  # replies, and corrections that wait for a person
_WHETHER_THERE = re.compile(r"\b(?:there|any|how many)\b", re.IGNORECASE)


class _Said:
    """What a model said since the last reset."""

    def __init__(self, model: Model, blank: dict[tuple[int, ...], float]) -> None:
        self.yes_no = YesNo(model, blank)
        self.replies: OrderedDict[tuple[str, ...], Reply] = OrderedDict()
        self.findings: dict[tuple[str, ...], tuple[Findings, int]] = {}  # and how many views had come until then

    def keep(self, key: tuple[str, ...], reply: Reply) -> Reply:
        self.replies[key] = reply
        while len(self.replies) > _MOST_KEPT:
            self.findings.pop(self.replies.popitem(last=False)[0], None)
        return reply


class ModelAnswering:
    """Remembers views, and asks a model about them. Safe to call from several threads; one asks the model at a time.

    A model is asked again only where a view suffices better than the one it spoke about before. What it says is never
    taken further than it goes: until the search ends, nothing is absent.
    """

    def __init__(
        self,
        model: Model,
        seen: QuestionAnswering,
        mode: str = NACOT.name,
        enough: float = 0.8,
        require_confirmation: bool = False,
        patience: float = 120.0,
        every_view: bool = False,
    ) -> None:
        """
        Args:
            seen: takes in views and says where to look; it is never asked for an answer.
            mode: plain, nap or nacot.
            enough: probability that a view suffices from which on the model is asked while the search goes on.
            require_confirmation: of a corrected question, do not tell the answer before ``confirm``.
            patience: how long a question waits for those before it, s.
            every_view: the model is asked about each view, in a call of its own.

        Raises:
            UnknownNameError: there is no such mode.
        """
        self._model, self._seen, self._mode, self._enough = model, seen, mode_of(mode).name, enough
        self._views = ViewMemory()
        self._named = NamedObjects()
        self._require_confirmation = require_confirmation
        self._open: OrderedDict[Question, bool] = OrderedDict()
        self._blank = _BLANK.setdefault(model, {})
        self._said = _Said(model, self._blank)
        self._patience, self._every_view = patience, every_view
        self._lock = threading.Lock()  # of what is remembered
        self._asking = threading.Lock()  # of what the model said

    @property
    def model_name(self) -> str:
        """As answers name it: model, mode and version of the prompts."""
        return f"{self._model.name}/{self._mode}#{prompt_version(self._mode)}"

    @property
    def perceiver(self) -> Perceiver:
        return self._seen.perceiver

    @property
    def memory(self) -> ObservedScene:
        return self._seen.memory

    @property
    def coverage(self) -> CoverageMap | None:
        return self._seen.coverage

    def reset(self, bounds_min: Point | None = None, bounds_max: Point | None = None) -> None:
        """Forget everything; optionally for a place with other bounds."""
        with self._lock:
            self._seen.reset(bounds_min, bounds_max)
            self._views.reset()
            self._named.reset()
            self._said = _Said(self._model, self._blank)  # who is being answered goes on with what was
            self._open.clear()

    def observe(self, observation: Observation) -> tuple[Detection, ...]:
        """Take in one view; one without a pose is left out, and answers say so.

        Raises:
            VantageError: the perceiver cannot work with this observation.
        """
        posed = observation.viewpoint.is_finite
        detections = self._seen.observe(observation) if posed else ()
        labels = [detection.label for detection in detections]
        with self._lock:
            self._views.add(observation, labels)
            self._named.add(detections)
        return detections

    def acted(self, result: StepResult) -> None:
        """Take in what became of a command of a robot with a hand, before the view after it is taken in."""
        self._seen.acted(result)

    def restored(self) -> None:
        """Take in that the place is as it was found: what was moved, opened or held is where and as it was."""
        self._seen.restored()

    def assess(self, text: str, exhausted: bool = False) -> Assessment:
        """What the model makes of a question now. A model that cannot be asked is a verdict too: NEEDS_MODEL."""
        question = prompt_question(text)
        if not question.text:
            return no_model(f"{question.note} Ask in words.")
        with self._lock:
            views, notes, said = self._views.views, (question.note, *self._view_notes()), self._said
        if not views:
            return undecided("I have not seen anything yet.", 0.0, notes)
        if not self._asking.acquire(timeout=self._patience):
            return no_model(f"The model was busy with other questions for {self._patience:g} s; ask again later.")
        try:
            return self._assess(question.text, said, views, notes, exhausted)
        except ModelError as error:
            return no_model(f"The model could not answer: {error}")
        finally:
            self._asking.release()

    def ask(self, question: Question, exhausted: bool = False, last: bool = False) -> Answer:
        """The answer from the most reliable view.

        Args:
            exhausted: all reachable space has been looked at.
            last: no other look can be taken.
        """
        found = self.assess(question.text, exhausted or last)
        if self._require_confirmation and wording.asks_consent(found.verdict, found.noise):
            with self._lock:
                self._open[question] = exhausted or last
                while len(self._open) > _MOST_KEPT:
                    self._open.popitem(last=False)
            found = replace(found, text=wording.proposal(found.noise), verdict=Verdict.NEEDS_CONFIRMATION, answer="")
        return as_answer(question, found, self.perceiver.name, self.model_name)

    def confirm(self, question: Question, accept: bool) -> Answer:
        """What follows once a person has agreed to the correction of a question, or has not."""
        with self._lock:
            final = self._open.pop(question, False)
        found = self.assess(question.text, final)
        asked = wording.asks_consent(found.verdict, found.noise)
        if asked and accept:
            found = replace(found, verdict=Verdict.CORRECTED)
        elif asked:
            said = wording.refused(found.noise)
            found = replace(found, text=said, verdict=Verdict.UNANSWERABLE, answer="", look_for=())
        return as_answer(question, found, self.perceiver.name, self.model_name)

    def check(self, text: str) -> tuple[bool, bool, NoiseReport]:
        """Whether the model could be asked; whether it finds nothing wrong with the question; what is wrong with it."""
        found = self.assess(text)
        return found.verdict is not Verdict.NEEDS_MODEL, found.verdict is Verdict.ANSWERED, found.noise

    def look_for(self, text: str) -> tuple[LookFor, ...]:
        """Where to look by what the perceiver named, and what is unknown where that says nothing."""
        return self._seen.look_for(text) or self.assess(text).look_for

    def _assess(
        self, question: str, said: _Said, views: tuple[View, ...], notes: tuple[str, ...], final: bool
    ) -> Assessment:
        choice = choose(question, views, said.yes_no, self._enough, self._pictures, final, self._every_view)
        sure = view_confidence(choice)
        if not final and sure < self._enough:
            text = f"None of the {choice.asked} views that I asked about shows enough yet."
            return undecided(text, sure, notes, evidence_of(choice.views))
        choice, reply, found = self._judged_views(question, said, choice, views, final)
        if reply.cannot_tell:
            said.yes_no.does_not_suffice(question, choice.views)
        negative = not reply.objects and reply.answer.lower() in NEGATIVE and _WHETHER_THERE.search(question)
        if negative and not final and reply.place_shown is not True:
            return undecided("I have not seen it yet.", sure, notes, evidence_of(choice.views))
        return verdict_of(reply, found, choice, notes, final, trusting=self._mode == PLAIN.name)

    @property
    def _pictures(self) -> int:
        """How many go into one call."""
        if self._every_view or not isinstance(self._model, SeesSeveral):
            return 1
        return self._model.pictures

    def _judged_views(
        self, question: str, said: _Said, choice: Choice, views: tuple[View, ...], final: bool
    ) -> tuple[Choice, Reply, Findings]:
        """What the model says of the chosen views, or of others that show what it did not find there."""
        reply, found = self._judge(question, said, choice.views, views, final)
        if found.views and found.views != choice.views:
            other, checked = self._judge(question, said, found.views, views, final)
            if not checked.contradicted:
                return replace(choice, views=found.views), other, checked
        return choice, reply, found

    def _judge(
        self, question: str, said: _Said, shown: tuple[View, ...], views: tuple[View, ...], final: bool
    ) -> tuple[Reply, Findings]:
        """Asked once of the same views; an absence is checked again in the views that came since. What stays open is
        not checked."""
        key = question, *(view.key for view in shown)
        reply = said.replies.get(key)
        if reply is None:
            reply = said.keep(key, ask_in_mode(self._model, self._mode, question, shown))
        if self._mode == PLAIN.name or (not final and is_open(reply)):
            return reply, Findings()
        found, until = said.findings.get(key, (None, 0))
        if found is None or views[-1].number - until >= (_CHECKED_AGAIN if not final else 1):
            found = findings(said.yes_no, reply, shown, views, self._named, self._pictures)
            said.findings[key] = found, views[-1].number
        return reply, found

    def _view_notes(self) -> list[str]:
        notes = []
        if self._views.unposed:
            notes.append(f"Views without a pose were left out: {self._views.unposed}.")
        if self._views.jumps:
            notes.append(f"The clock of the views went back, times: {self._views.jumps}.")
        return notes
