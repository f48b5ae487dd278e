"""The page on which people give recorded answers marks of 1 to 5, without knowing whose they are."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from starlette.requests import Request

from vantage.errors import VantageError
from vantage.html_pages import printable
from vantage.reports import MARK_VALUES, AnswerToMark, MarkFile
from vantage.web import LOOPBACK, WebServer, framed, visitor_of

_RULE = (
    "5: right and complete; 4: right but for a detail; 3: partly right; 2: mostly wrong, yet about what was asked; "
    "1: wrong, or no answer. Where a question is mistaken, what is right is to say so."
)
_KEYS = "Keys: 1 to 5 give the mark, n next, p previous."


def mark_server(
    answers: Sequence[AnswerToMark], file: MarkFile, names: Sequence[str], *, host: str = LOOPBACK, port: int = 0
) -> WebServer:
    """The server of marking, not started yet; ``address`` lets in who is one of ``names``.

    Raises:
        MissingExtraError: the extra ``web`` is not installed.
        UsageError: the address cannot be used.
    """

    async def page(request: Request) -> Any:
        from fastapi import Response

        visitor = visitor_of(request)
        if visitor not in names:
            return Response("There is no such page.", 404)
        _MarkPage(answers, file, visitor).build()
        return None

    return WebServer({"/": page}, host=host, port=port)


class _MarkPage:
    """One open page of one person, which shows one answer at a time."""

    def __init__(self, answers: Sequence[AnswerToMark], file: MarkFile, visitor: str) -> None:
        self._answers, self._file, self._visitor = answers, file, visitor
        given = file.of(visitor)
        waiting = (number for number, item in enumerate(answers) if item.unit.key not in given)
        self._at = next(waiting, 0)
        self._busy = False

    def build(self) -> None:
        from nicegui import ui

        with framed("Marks for answers", f"{self._visitor}. {_RULE}") as self._state:
            self._place = ui.label("").classes("note text").props("id=place")
            self._question, self._gold, self._answer = (
                _titled(*each) for each in (("Question", "question"), ("Right", "gold"), ("Answer", "answer"))
            )
            self._given = ui.label("").classes("text").props("id=given")
            with ui.element("div").classes("bar"):
                for value in MARK_VALUES:
                    ui.button(f"{value}", on_click=partial(self._mark, value)).props(
                        f'aria-label="mark {value}" aria-keyshortcuts="{value}" data-mark={value}'
                    )
                ui.button("Previous", on_click=partial(self._step, -1)).props("outline no-caps")
                ui.button("Next", on_click=partial(self._step, 1)).props("outline no-caps")
            ui.label(_KEYS).classes("note")
            ui.keyboard(on_key=self._key)
        self._show()

    def _show(self) -> None:
        item, given = self._answers[self._at], self._file.of(self._visitor)
        self._place.set_text(f"Answer {self._at + 1} of {len(self._answers)}")
        for label, text in ((self._question, item.question), (self._gold, item.gold), (self._answer, item.answer)):
            label.set_text(printable(text))
        mark = given.get(item.unit.key)
        self._given.set_text(f"Your mark: {'none yet' if mark is None else mark}")
        self._state.set_text(f"{len(given)} of {len(self._answers)} answers are marked")

    def _step(self, by: int) -> None:
        self._at = (self._at + by) % len(self._answers)
        self._show()

    async def _mark(self, value: int) -> None:
        """Keep a mark, then go on to the next answer that has none, or say why it was not kept."""
        if self._busy:
            return
        self._busy = True
        try:
            key = self._answers[self._at].unit.key
            await asyncio.get_running_loop().run_in_executor(None, self._file.mark, self._visitor, key, value)
        except (VantageError, OSError) as error:
            self._state.set_text(printable(f"Not kept: {error}"))
        else:
            given, count = self._file.of(self._visitor), len(self._answers)
            ahead = ((self._at + by) % count for by in range(1, count))
            self._at = next((number for number in ahead if self._answers[number].unit.key not in given), self._at)
            self._show()
        finally:
            self._busy = False

    async def _key(self, event: Any) -> None:
        modified = event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta
        if not event.action.keydown or event.action.repeat or modified:
            return
        name = str(event.key.name).lower()
        if name in map(str, MARK_VALUES):
            await self._mark(int(name))
        elif name in ("n", "p"):
            self._step(1 if name == "n" else -1)


def _titled(title: str, name: str) -> Any:
    """A label for a text, under a heading."""
    from nicegui import ui

    ui.label(title).props("role=heading aria-level=2").classes("note")
    return ui.label("").classes("text").props(f"id={name}")
