"""The page of a seat: the text to agree to, then picture, question, steps left, what became of the last action, and
the form of an answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from vantage.errors import UsageError, VantageError
from vantage.models import prompt
from vantage.planning.agents import MOST_TEXT, VERDICTS, Decided, Sight, WrittenAnswer
from vantage.types import NoiseType, Verdict
from vantage.web.page import framed, visitor_of
from vantage.web.pictures import Canvas, Pictures
from vantage.web.play.controls import HOLD, KEYS, graded_actions, graded_by, in_words, plain_actions
from vantage.web.play.own_replay import OwnReplay
from vantage.web.play.seats import Seat
from vantage.web.play.sight_words import (
    BEGIN,
    FINISH,
    FORM,
    GENTLEST,
    GRASP,
    LEAVE,
    LOADING,
    NOTHING_LEFT,
    axes_of,
    earlier_of,
    evidence_of,
    left_of,
    pseudonym_of,
    restriction_of,
    result_of,
    state_of,
    strength_of,
    told_before,
)

_LOOK = 1.0  # s after which it is seen at the latest that an episode has ended
CANVAS = "what the camera shows now"
GRADED, STRENGTH = "graded", "strength"  # the button of actions that differ in a number, and the field of that
VERDICT_WORDS = {
    Verdict.ANSWERED: "it is answered",
    Verdict.CORRECTED: "the question is mistaken; I put it right and answered",
    Verdict.UNANSWERABLE: "it cannot be answered",
}
NOISES = {noise: noise.name.lower() for noise in NoiseType}


class PlayPages:
    """Pages of seats, by visitor.

    Args:
        seats: by the name of the visitor who sits there.
        consent: the text to agree to.
        mode: whose words stand above the question.
    """

    def __init__(self, seats: Mapping[str, Seat], pictures: Pictures, consent: str, mode: str) -> None:
        self._seats, self._pictures, self._consent, self._mode = dict(seats), pictures, consent, mode
        self._doing = ThreadPoolExecutor(len(self._seats) + 4, thread_name_prefix="page")  # what takes long

    def close(self) -> None:
        """Begin nothing any more."""
        self._doing.shutdown(wait=False, cancel_futures=True)

    async def index(self) -> Any:
        """The page of whoever opened it."""
        from fastapi import Response
        from nicegui import context

        seat = self._seats.get(visitor_of(context.client.request))
        if seat is None:
            return Response("There is no such seat.", 404, media_type="text/plain")
        _SeatPage(seat, self._pictures, self._doing, self._consent, self._mode).build()
        return None


class _SeatPage:
    """One open page of a seat."""

    def __init__(self, seat: Seat, pictures: Pictures, doing: ThreadPoolExecutor, consent: str, mode: str) -> None:
        self._seat, self._pictures, self._doing = seat, pictures, doing
        self._consent, self._mode = consent, mode
        self._sight: Sight | None = None
        self._marked: list[int] = []
        self._offered: tuple[tuple[str, ...], bool] | None = None  # what there are buttons for
        self._earlier: list[Canvas] = []
        self._held = 0.0  # since when the key of a graded action is down, on the monotonic clock
        self._open = True

    def build(self) -> None:
        from nicegui import ui

        with framed("Search and answer") as self._state:
            self._front = ui.column().style("width: 100%")
            self._play = ui.column().style("width: 100%")
            with self._play:
                self._build_play()
            self._play.set_visibility(False)
        self._client = self._front.client
        self._client.on_delete(self._gone)
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"])
        self._show_front()
        ui.timer(0.05, self._follow, once=True)

    def _gone(self) -> None:
        self._open = False

    def _build_play(self) -> None:
        from nicegui import ui

        with ui.element("div").classes("split"):
            with ui.column():
                self._canvas = Canvas(self._pictures, CANVAS)
                self._before = ui.row().classes("bar")
                self._replay = OwnReplay(self._pictures, self._seat.mailbox.awake, self._mark_number)
            with ui.column():
                self._words = ui.label("").classes("text note")
                self._question = ui.label("").classes("text asked").props("id=question")
                self._left = ui.label("").classes("text").props("id=left")
                self._result = ui.label("").classes("text").props("id=result")
                self._restriction = ui.label("").classes("text note").props("id=restriction")
                self._actions = ui.row().classes("bar")
                self._axes = ui.label("").classes("text note")
                self._evidence = ui.label("").classes("text note")
                ui.button("Mark this picture as evidence [m]", on_click=self._mark).props("no-caps outline")
                self._build_answer()

    def _build_answer(self) -> None:
        from nicegui import ui

        with ui.column().style("width: 100%") as self._form:
            ui.label("Answer").props("role=heading aria-level=2")
            self._text = _field("Answer, in a few words", "answer")
            self._verdict = ui.select(
                {verdict: VERDICT_WORDS[verdict] for verdict in VERDICTS},
                value=Verdict.ANSWERED,
                label="Verdict",
                on_change=self._show_wrong,
            )
            self._verdict.props("data-field=verdict").style("width: 100%")
            with ui.column().style("width: 100%") as self._wrong:
                self._noise = ui.select(NOISES, value=NoiseType.NONE, label="What is wrong with the question")
                self._noise.props("data-field=noise").style("width: 100%")
                self._claim = _field("The untrue statement", "claim")
                self._correction = _field("The true statement", "correction")
                self._corrected = _field("The question as it should have been asked", "corrected")
            self._sure = ui.number("How sure are you, in percent", value=100, min=0, max=100, step=5).style(
                "width: 100%"
            )
            ui.button("Give this answer", on_click=self._answer).props("no-caps id=give")

    def _show_front(self) -> None:
        from nicegui import ui

        self._front.clear()
        self._play.set_visibility(False)
        with self._front:
            if self._seat.told:
                ui.label(self._seat.told).classes("text")
            if self._seat.pseudonym is None:
                ui.label(self._consent).classes("text")
                ui.button("I agree and take part", on_click=self._agree).props("no-caps id=agree")
                return
            ui.label(pseudonym_of(self._seat.pseudonym)).classes("text")
            ui.button(BEGIN, on_click=self._begin).props("no-caps id=begin")
            ui.button(LEAVE, on_click=self._leave).props("no-caps outline id=leave")

    async def _agree(self) -> None:
        await self._try(lambda: self._seat.agree(self._consent))
        self._show_front()

    async def _begin(self) -> None:
        begun = await self._try(self._seat.begin)
        if begun is False:
            self._state.set_text(NOTHING_LEFT)
        elif begun:
            self._state.set_text(LOADING)

    async def _leave(self) -> None:
        self._state.set_text("")
        await self._try(self._seat.leave)
        self._sight = None
        self._show_front()

    async def _try(self, do: Callable[[], Any]) -> Any:
        """What it returns, off the event loop; what is wrong is said on the page, and None returned."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._doing, do)
        except VantageError as error:
            self._state.set_text(str(error))
        except OSError as error:
            self._state.set_text(f"This could not be kept: {error.strerror or error}; tell who runs the study.")
        return None

    async def _follow(self) -> None:
        """Show each sight as it comes, as long as the page is open."""
        loop, came = asyncio.get_running_loop(), asyncio.Event()
        mailbox = self._seat.mailbox

        def tell() -> None:
            with suppress(RuntimeError):  # the server stops
                loop.call_soon_threadsafe(came.set)

        mailbox.watch(tell)
        try:
            playing = False
            while self._open:
                came.clear()
                sight = mailbox.look()
                with self._client:
                    if sight is not None and sight is not self._sight and self._client.has_socket_connection:
                        playing = True
                        await self._show(sight)
                        continue
                    if sight is None and playing and not self._seat.busy:
                        playing, self._sight = False, None
                        self._show_front()
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(came.wait(), _LOOK)
        finally:
            mailbox.unwatch(tell)

    async def _show(self, sight: Sight) -> None:
        first = self._sight is None or sight.number <= self._sight.number
        if first:
            self._marked = []
        asked = self._sight is not None and self._sight.question != sight.question
        self._sight = sight
        self._front.clear()
        self._play.set_visibility(True)
        await self._canvas.show(lambda: sight.pictures[-1])
        await self._show_before(sight)
        await self._replay.show(sight.explored)
        words = prompt(self._mode)
        self._words.set_text(told_before(words, sight))
        self._question.set_text(sight.question)
        self._question.set_visibility(bool(sight.question))
        self._left.set_text(left_of(sight))
        self._axes.set_text(axes_of(sight))
        self._axes.set_visibility(bool(axes_of(sight)))
        self._restriction.set_text(restriction_of(sight))
        self._restriction.set_visibility(bool(sight.axes))
        self._result.set_text(result_of(sight))
        self._form.set_visibility(bool(sight.question))
        self._show_wrong()
        self._show_actions(sight)
        self._show_marked()
        if first or asked:
            for field in (self._text, self._claim, self._correction, self._corrected):
                field.set_value("")
            self._verdict.set_value(Verdict.ANSWERED)
            self._noise.set_value(NoiseType.NONE)
        self._state.set_text(state_of(sight))

    async def _show_before(self, sight: Sight) -> None:
        """The pictures before the current one, the oldest first, in canvases that are made once: each keeps pictures as
        long as the page is open."""
        before = sight.pictures[:-1]
        with self._before:
            while len(self._earlier) < len(before):
                self._earlier.append(Canvas(self._pictures, "", width=160, height=120))
                self._earlier[-1].element.style("width: 160px")
        for canvas in self._earlier[len(before) :]:
            canvas.element.set_visibility(False)
        for number, (canvas, rgb) in enumerate(zip(self._earlier, before, strict=False)):
            canvas.describe(earlier_of(len(before) - number))
            canvas.element.set_visibility(True)
            await canvas.show(partial(np.asarray, rgb))

    def _show_actions(self, sight: Sight) -> None:
        """Buttons, made anew only where others are offered: so they keep the focus, and the strength its value."""
        from nicegui import ui

        if self._offered == (sight.actions, sight.can_finish):
            return
        self._offered = sight.actions, sight.can_finish
        self._actions.clear()
        with self._actions:
            for action in plain_actions(sight.actions):
                ui.button(in_words(action), on_click=lambda _, action=action: self._act(action)).props(
                    f'no-caps dense data-action="{action}"'
                )
            graded = graded_actions(sight.actions)
            if graded:
                strength = ui.number(strength_of(len(graded)), value=GENTLEST, min=1, max=len(graded), step=1)
                strength.props(f"data-field={STRENGTH}").style("min-width: 9rem")
                ui.button(
                    GRASP,
                    on_click=lambda: self._act(graded[max(0, min(len(graded), int(strength.value or GENTLEST)) - 1)]),
                ).props(f"no-caps dense data-action={GRADED}")
            if sight.can_finish:
                ui.button(FINISH, on_click=lambda: self._act("")).props("no-caps id=finish")

    def _act(self, action: str) -> None:
        sight = self._sight
        if sight is not None:
            self._decide(sight, Decided(action))

    def _answer(self) -> None:
        sight = self._sight
        if sight is None:
            return
        wrong = self._may_be_wrong()
        answer = WrittenAnswer(
            self._text.value or "",
            self._verdict.value,
            float(self._sure.value or 0) / 100.0,
            tuple(self._marked),
            self._noise.value if wrong else NoiseType.NONE,
            *((field.value or "") if wrong else "" for field in (self._claim, self._correction, self._corrected)),
        )
        self._decide(sight, Decided(answer=answer))

    def _decide(self, sight: Sight, decided: Decided) -> None:
        try:
            self._seat.mailbox.decide(sight.number, decided)
        except UsageError as error:
            self._state.set_text(str(error))

    def _show_wrong(self) -> None:
        self._wrong.set_visibility(self._may_be_wrong())

    def _may_be_wrong(self) -> bool:
        """Whether she is to say what is wrong with the question: the mode asks it, or her verdict says that it is."""
        return FORM in prompt(self._mode).fields or self._verdict.value is not Verdict.ANSWERED

    def _mark(self) -> None:
        if self._sight is not None and self._sight.taken:
            self._mark_number(max(self._sight.taken))

    def _mark_number(self, number: int) -> None:
        self._marked = [*dict.fromkeys([*self._marked, number])]
        self._show_marked()

    def _show_marked(self) -> None:
        self._evidence.set_text(evidence_of(self._marked))

    async def _key(self, event: Any) -> None:
        sight = self._sight
        if sight is None or event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta:
            return
        self._seat.mailbox.awake()
        name = str(event.key.name)
        graded = graded_actions(sight.actions)
        if name == HOLD and graded:
            if event.action.keydown and not event.action.repeat:
                self._held = time.monotonic()
            elif event.action.keyup and self._held:
                held, self._held = time.monotonic() - self._held, 0.0
                self._act(graded_by(held, graded))
            return
        if not event.action.keydown:
            return
        if name == "m":
            self._mark()
        if await self._replay.key(name):
            return
        known = plain_actions((*sight.actions, *sight.left_out))  # what is left out is refused with a reason
        action = next((each for each in known if KEYS.get(each) == name), None)
        if action is not None:
            self._act(action)


def _field(label: str, name: str) -> Any:
    from nicegui import ui

    return ui.input(label).props(f"maxlength={MOST_TEXT} id={name} data-field={name}").style("width: 100%")
