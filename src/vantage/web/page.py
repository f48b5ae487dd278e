"""The frame of every page: heading, main part, a line that says what happens, and a style that all can read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING

from vantage.web.gate import VISITOR

if TYPE_CHECKING:
    from nicegui import ui
    from starlette.requests import Request

_COLORS = {  # of buttons, whose text is white
    "primary": "#0b5394",
    "secondary": "#37506b",
    "accent": "#6a3d9a",
    "negative": "#a3161f",
    "positive": "#1b6e34",
}
_STYLE = """
<style>
:root { --text: #1d2733; --accent: #0b5394; --wrong: #a3161f; --quiet: #4a5561; --line: #c6ccd2; --ground: #ffffff; }
body, body.body--dark { color: var(--text); background: var(--ground); margin: 0; }
body { font: 16px/1.45 system-ui, sans-serif; }
.nicegui-content { padding: 0.75rem; gap: 0.75rem; max-width: 1400px; margin: 0 auto; align-items: stretch; }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0; font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; line-height: 1.3; margin: 0.4rem 0 0; font-weight: 600; }
[role=heading] { font-weight: 600; } .asked { font-size: 1.15rem; font-weight: 600; }
.note { color: var(--quiet); } .wrong { color: var(--wrong); font-weight: 600; }
.text { overflow-wrap: anywhere; white-space: pre-wrap; }
.canvas { width: 100%; background: #101418; } .canvas img { display: block; image-rendering: auto; }
.split { display: flex; flex-wrap: wrap; gap: 0.75rem; width: 100%; }
.split > * { flex: 1 1 320px; min-width: 0; }
.wide .q-table { min-width: 76rem; } .q-table th { white-space: nowrap !important; vertical-align: bottom; }
.q-table .narrow { white-space: nowrap !important; }
.key { display: inline-block; width: 1.1rem; height: 0.7rem; border: 1px solid var(--quiet); margin-right: 0.3rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; }
a { color: var(--accent); } .q-btn { min-height: 2.2rem; }
:focus-visible { outline: 3px solid #d9480f !important; outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 0.5rem; top: 0.5rem; background: var(--ground); z-index: 9; }
</style>
"""
_DARK_STYLE = """
<style>
body.body--dark { --text: #e4e9ee; --accent: #8ec5ff; --wrong: #ff9a9a; --quiet: #aeb9c4; --line: #46505a;
  --ground: #14181c; }
html:has(body.body--dark) { color-scheme: dark; }
.body--dark .text-primary, .body--dark .q-field { --q-primary: var(--accent); }
.body--dark .text-negative { --q-negative: var(--wrong); }
</style>
"""


@contextmanager
def framed(title: str, note: str = "") -> Iterator[ui.label]:
    """The main part of a page, to be filled within the block; gives the label that says what happens.

    What is written to that label is read aloud by screen readers. ``title`` and ``note`` are shown as plain text.
    """
    from nicegui import ui

    ui.page_title(f"{title} - Vantage")
    ui.colors(**_COLORS)
    ui.add_head_html(_STYLE + _DARK_STYLE)
    ui.link("Skip to the content", "#content").classes("skip")
    with ui.element("header"):
        ui.html(escape(title), sanitize=False, tag="h1").classes("text")
        if note:
            ui.label(note).classes("note text")
    with ui.element("main").props("id=content").style("display: contents"):
        state = ui.label("").props("role=status aria-live=polite").classes("note text")
        yield state


def visitor_of(request: Request) -> str:
    """Who opened a page, as named to ``Gate.admit``."""
    return str(request.scope[VISITOR])
