"""Pages of a review: the items with one's own marks, one item with its pictures, and what the lead decides."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from starlette.requests import Request

from vantage.benchmarks.review import ACCEPT, EDIT, MOST_TEXT, REJECT
from vantage.errors import VantageError
from vantage.html_pages import printable
from vantage.web import LOOPBACK, VISITOR, WebServer, framed
from vantage.web.review.review_session import LEAD, ReviewSession

_OPEN, _DIFFERS, _ALL = "none yet", "not agreed on", "all"
_KEYS = "Keys: a accept, r reject, e edit, n next, p previous, o outlines, l list."
_STYLE = """
figure { margin: 0 0 0.5rem; } figcaption { font-size: .875rem; color: var(--quiet); overflow-wrap: anywhere; }
.picture { position: relative; width: fit-content; max-width: 100%; }
.picture img { max-width: 100%; height: auto; display: block; }
.picture svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.picture rect { fill: none; stroke: #ff4fd8; stroke-width: 3; } .picture rect.under { stroke: #000; stroke-width: 5; }
.picture text { fill: #fff; stroke: #000; stroke-width: 3; paint-order: stroke; font-family: sans-serif; }
.picture .place rect:not(.under) { stroke: #ffc400; stroke-dasharray: 12 7; }
.picture .there rect:not(.under) { stroke: #7fe3ff; stroke-width: 1.5; } .picture .there rect.under { stroke-width: 3; }
.bare svg { display: none; }
.told { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: .2rem .9rem; }
.items > div { display: flex; flex-wrap: wrap; gap: 0 1rem; } .items a { padding: .2rem 0; min-width: 12rem; }
"""


def review_server(session: ReviewSession, *, host: str = LOOPBACK, port: int = 0) -> WebServer:
    """The server of a review, not started yet; ``address`` lets in who is named in ``session.reviewers``, or ``LEAD``.

    Raises:
        MissingExtraError: the extra ``web`` is not installed.
        UsageError: the address cannot be used.
    """

    async def overview(request: Request) -> Any:
        return await _overview(session, request)

    async def item(item_id: str, request: Request) -> Any:
        return await _item(session, item_id, request)

    return WebServer({"/": overview, "/item/{item_id}": item}, host=host, port=port)


def _who(session: ReviewSession, request: Request) -> str:
    """The visitor, if one of this review; else empty."""
    visitor = str(request.scope.get(VISITOR, ""))
    return visitor if visitor in (*session.reviewers, LEAD) else ""


def _nothing() -> Any:
    from fastapi import Response

    return Response("There is no such page.", 404)


async def _overview(session: ReviewSession, request: Request) -> Any:
    from nicegui import ui

    visitor = _who(session, request)
    if not visitor:
        return _nothing()
    review = session.review
    with framed(f"Review of {session.episode_set.folder.name}", f"{visitor}. {review.rule}") as state:
        ui.add_css(_STYLE)
        own = session.own(visitor)
        differing = session.disagreements() if visitor == LEAD else {}
        state.set_text(_progress(session, visitor))
        groups = sorted({session.group(key) for key in session.keys} - {""})
        states = [_ALL, _OPEN, ACCEPT, EDIT, REJECT, *([_DIFFERS] if visitor == LEAD else [])]
        with ui.element("div").classes("bar"):
            start = ui.button("Go on", on_click=partial(_go_on, session, visitor, ""))
            start.props('no-caps aria-keyshortcuts="n"')
            group = ui.select([_ALL, *groups], value=_ALL, label=review.group).style("min-width: 10rem")
            chosen = _DIFFERS if differing else _ALL
            mark = ui.select(states, value=chosen, label="Marks").style("min-width: 10rem")
        ui.label(f"Key: n goes on with the first {review.item} without a mark.").classes("note")
        listed = ui.element("div").classes("items")

        def fill() -> None:
            listed.clear()
            with listed:
                for key in session.keys:
                    verdict = own[key].verdict if key in own else _OPEN
                    shown = mark.value in (_ALL, verdict) or (mark.value == _DIFFERS and key in differing)
                    if not shown or group.value not in (_ALL, session.group(key)):
                        continue
                    told = ", ".join(f"{name} {value}" for name, value in differing.get(key, {}).items())
                    with ui.element("div"):
                        ui.link(printable(key), f"/item/{session.ids[key]}")
                        ui.label(f"{verdict}{f' ({told})' if told else ''}").classes("note text")

        group.on_value_change(fill)
        mark.on_value_change(fill)
        fill()
        ui.keyboard(on_key=lambda event: _on_key(event, {"n": partial(_go_on, session, visitor, "")}))
    return None


def _progress(session: ReviewSession, visitor: str) -> str:
    own = session.own(visitor)
    if visitor == LEAD:
        return f"{len(session.disagreements())} {session.review.items} not agreed on, {len(own)} decided"
    return f"{len(own)} of {len(session.keys)} {session.review.items} judged"


def _go_on(session: ReviewSession, visitor: str, after: str) -> None:
    """To the next item without a mark, for the lead to the next that is not agreed on; else to the overview."""
    from nicegui import ui

    at = session.keys.index(after) + 1 if after else 0
    own = session.own(visitor)
    waiting = session.disagreements() if visitor == LEAD else session.keys
    ahead = [key for key in (*session.keys[at:], *session.keys[:at]) if key in waiting and key not in own]
    ui.navigate.to(f"/item/{session.ids[ahead[0]]}" if ahead else "/")


def _on_key(event: Any, actions: dict[str, Any]) -> Any:
    modified = event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta
    if not event.action.keydown or event.action.repeat or modified:
        return None
    act = actions.get(str(event.key.name).lower())
    return act() if act is not None else None


async def _item(session: ReviewSession, item_id: str, request: Request) -> Any:
    from nicegui import ui

    visitor, key = _who(session, request), session.items.get(item_id)
    if not visitor or key is None:
        return _nothing()
    loop = asyncio.get_running_loop()
    number = session.keys.index(key)
    with framed(printable(key), f"{visitor}, {number + 1} of {len(session.keys)}. {session.review.rule}") as state:
        ui.add_css(_STYLE)
        state.set_text(_progress(session, visitor))
        try:
            article = await loop.run_in_executor(None, session.article, key)
            fields = await loop.run_in_executor(None, session.fields, key)
        except VantageError as error:
            ui.label(str(error)).classes("wrong text")
            return None
        with ui.element("div").classes("split"):
            with ui.element("div"):
                ui.label(printable(f"{article.group}, {article.kind}")).classes("note text")
                with ui.element("dl").classes("told"):
                    for name, value in article.rows:
                        with ui.element("dt"):
                            ui.label(printable(name)).classes("note")
                        with ui.element("dd").style("margin: 0"):
                            ui.label(printable(value)).classes("text")
            with ui.element("div") as figures:
                for figure in article.figures:  # made by a template that escapes everything in it
                    ui.html(figure, sanitize=False)
        form = _Form(session, visitor, key, fields, state)

        def outlines() -> None:
            figures.classes(toggle="bare")

        with ui.element("div").classes("bar"):
            ui.button("Outlines", on_click=outlines).props("no-caps outline")
            ui.button("Previous", on_click=partial(_step, session, key, -1)).props("no-caps outline")
            ui.button("Next", on_click=partial(_step, session, key, 1)).props("no-caps outline")
            ui.link("List", "/")
        ui.label(_KEYS).classes("note")
        actions = {
            "a": partial(form.judge, ACCEPT),
            "r": partial(form.judge, REJECT),
            "e": form.begin_edit,
            "n": partial(_step, session, key, 1),
            "p": partial(_step, session, key, -1),
            "o": outlines,
            "l": partial(ui.navigate.to, "/"),
        }
        ui.keyboard(on_key=lambda event: _on_key(event, actions), ignore=["input", "select", "textarea"])
    return None


def _step(session: ReviewSession, key: str, by: int) -> None:
    from nicegui import ui

    ahead = session.keys[(session.keys.index(key) + by) % len(session.keys)]
    ui.navigate.to(f"/item/{session.ids[ahead]}")


class _Form:
    """Where a visitor judges one item: note, reason, the texts, and the buttons."""

    def __init__(self, session: ReviewSession, visitor: str, key: str, fields: Any, state: Any) -> None:
        from nicegui import ui

        self._session, self._visitor, self._key, self._state = session, visitor, key, state
        self._now = {field.name: field.text for field in fields}
        self._busy = False
        mark = session.own(visitor).get(key)
        if visitor == LEAD:
            self._tell_all()
        self._mark = ui.label(f"Your mark: {mark.verdict if mark is not None else _OPEN}").classes("text")
        self._note = ui.input("Note", value=mark.note if mark is not None else "").props(f"maxlength={MOST_TEXT}")
        self._note.classes("w-full").style("width: 100%")
        self._reason: Any = None
        if session.review.reasons:
            offered = {"": "none given", **{reason: reason for reason in session.review.reasons}}
            self._reason = ui.select(offered, value=mark.reason if mark is not None else "", label="Reason to reject")
            self._reason.style("min-width: 14rem")
        with ui.element("div").classes("bar"):
            ui.button("Accept", on_click=partial(self.judge, ACCEPT)).props("no-caps color=positive")
            ui.button("Reject", on_click=partial(self.judge, REJECT)).props("no-caps color=negative")
            ui.button("Edit", on_click=self.begin_edit).props("no-caps outline")
            if visitor == LEAD:
                ui.button("Withdraw", on_click=self._withdraw).props("no-caps outline")
        self._edits = ui.element("div").style("width: 100%")
        self._edits.set_visibility(mark is not None and mark.verdict == EDIT)
        with self._edits:
            before = mark.edits if mark is not None else {}
            self._texts = {
                field.name: ui.textarea(field.title, value=before.get(field.name, field.text))
                .props(f"maxlength={MOST_TEXT} rows=2")
                .style("width: 100%")
                for field in fields
            }
            ui.button("Accept as edited", on_click=partial(self.judge, EDIT)).props("no-caps color=positive")

    def _tell_all(self) -> None:
        from nicegui import ui

        for name, judgement in self._session.judgements(self._key).items():
            words = "; ".join(filter(None, (judgement.reason, judgement.note)))
            edits = "; ".join(f"{field}: {text}" for field, text in judgement.edits.items())
            told = " - ".join(filter(None, (f"{name}: {judgement.verdict}", words, edits)))
            ui.label(printable(told)).classes("text")

    def begin_edit(self) -> None:
        """Show the texts, with the first ready to be written in."""
        self._edits.set_visibility(True)
        for text in list(self._texts.values())[:1]:
            text.run_method("focus")

    async def judge(self, verdict: str) -> None:
        """Keep this verdict and go on to the next item, or say why it was not kept."""
        if self._busy:
            return
        edits = {name: text.value for name, text in self._texts.items() if text.value != self._now[name]}
        value = {"verdict": verdict, "note": self._note.value}
        value |= {"edits": edits} if verdict == EDIT else {}
        if verdict == REJECT and self._reason is not None:
            value["reason"] = self._reason.value
        if verdict == EDIT and not edits:
            self._state.set_text("Nothing was edited; change a text, or accept it as it is.")
            return
        self._busy = True
        self._state.set_text("The edit is checked as the set is ..." if verdict == EDIT else "")
        try:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(None, self._session.judge, self._visitor, self._key, value)
        except (VantageError, OSError) as error:
            self._state.set_text(printable(f"Not kept: {error}"))
        else:
            self._mark.set_text(f"Your mark: {verdict}")
            _go_on(self._session, self._visitor, self._key)
        finally:
            self._busy = False

    async def _withdraw(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(None, self._session.withdraw, self._key)
        except OSError as error:
            self._state.set_text(printable(f"Not kept: {error}"))
            return
        self._mark.set_text(f"Your mark: {_OPEN}")
        self._state.set_text(_progress(self._session, self._visitor))
