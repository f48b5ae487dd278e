"""The page of runs: a table that fills while it is read; and two runs side by side, from where they part."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.benchmarks.statistics import COLUMNS, EpisodeScore, Figure, interval, number, run_differences
from vantage.web.bag_page import BagPages, BagView
from vantage.web.bag_story import Story
from vantage.web.bag_words import facts
from vantage.web.opened import Opened
from vantage.web.page import framed
from vantage.web.runs_index import RunsIndex, row_of

_REFRESH = 1.0  # s
_GROWN = 1.1  # times as many rows as before, from which on a table that fills is sent anew
_COLUMNS = (
    ("episode", "Episode"),
    ("benchmark", "Benchmark"),
    ("scene", "Scene"),
    ("agent", "Agent"),
    ("perception", "Perception"),
    ("question", "Question"),
    ("answer", "Answer"),
    ("verdict", "Verdict"),
    ("mark", "Mark (0-5)"),
    *((column.key, column.title) for column in COLUMNS),
    ("steps", "Steps"),
    ("collisions", "Collisions"),
    ("state", "State"),
)
_OF_TRUTH = ("mark", *(column.key for column in COLUMNS))
_NAMES = {"c": "Marks, C (0-100)", "spl": "Success by path length, SPL (0-1)", "steps": "Steps"}  # of paired figures
_PAIR_KEYS = "Both go step by step: left and right arrow step, Home and End jump, space plays."
_PLAYED = 0.7  # s for each step
_CELL = """
<q-td :props="props" class="narrow"><a :href="props.row.link">{{ props.value }}</a></q-td>
"""


@dataclass(frozen=True)
class Runs:
    """The runs that a server shows.

    Attributes:
        other: to be compared with; None where none is.
        with_truth: whether marks and gold are shown.
        pairs: the bag of the other runs that goes with a bag.
    """

    index: RunsIndex
    other: RunsIndex | None
    opened: Opened[Path]
    with_truth: bool
    pairs: Mapping[Path, Path]


class RunsPages:
    """Builds the table and pairs of bags."""

    def __init__(self, runs: Runs, bags: BagPages) -> None:
        self._runs, self._bags = runs, bags

    async def table(self) -> None:
        """``/``."""
        from nicegui import ui

        runs = self._runs
        with framed("Runs", "Click a heading to sort; what is typed below filters all columns.") as state:
            if runs.other is not None and runs.with_truth:
                paired = ui.element("section")
            search = ui.input("Filter").props("clearable outlined dense").style("max-width: 30rem; width: 100%")
            columns = [
                {"name": key, "label": label, "field": key, "sortable": True, "align": "left"}
                for key, label in _COLUMNS
                if runs.with_truth or key not in _OF_TRUTH
            ]
            table = ui.table(columns=columns, rows=[], row_key="id", pagination=25)
            table.props('dense wrap-cells aria-label="Bags"').classes("wide").style("width: 100%; overflow-x: auto")
            table.add_slot("body-cell-episode", _CELL)
            search.on_value_change(lambda event: table.set_filter(str(event.value or "")[:200]))
            shown = 0

            def fill() -> None:
                nonlocal shown
                scores = dict(runs.index.scores)
                done = runs.index.done.is_set() and (runs.other is None or runs.other.done.is_set())
                if len(scores) != shown and (done or len(scores) >= _GROWN * shown):  # all rows are sent each time
                    shown = len(scores)
                    table.rows = self._rows(scores)
                told = f"{len(scores)} of {len(runs.index.bags)} bags read"
                state.set_text(told if not done else f"{len(scores)} bags")
                if done:
                    timer.deactivate()
                    if runs.other is not None and runs.with_truth:
                        with paired:
                            _tell_differences(run_differences(runs.index.scores.values(), runs.other.scores.values()))

            timer = ui.timer(_REFRESH, fill)
            fill()

    def _rows(self, scores: Mapping[Path, EpisodeScore]) -> list[dict[str, Any]]:
        rows = []
        for bag in self._runs.index.bags:
            score = scores.get(bag)
            if score is not None:
                bag_id = self._runs.opened.add(bag)
                row = row_of(bag_id, score, self._runs.with_truth)
                other = self._runs.pairs.get(bag)
                link = f"/bag/{bag_id}" if other is None else f"/pair/{bag_id}/{self._runs.opened.add(other)}"
                rows.append({**row, "link": link})
        return rows

    async def pair(self, first_id: str, second_id: str, step: int = 0) -> Any:
        """``/pair/{first_id}/{second_id}?step=3``: two bags side by side, with one timeline."""
        from fastapi import Response
        from nicegui import ui

        paths = [self._runs.opened.get(bag_id) for bag_id in (first_id, second_id)]
        if None in paths:
            return Response("There is no such bag.", 404, media_type="text/plain")
        loop = asyncio.get_running_loop()
        stories = [await loop.run_in_executor(None, self._bags.story, path) for path in paths if path is not None]
        with framed(f"Two runs of {paths[0].name if paths[0] else ''}", _PAIR_KEYS) as state:
            pair = _Pair(stories, f"/pair/{first_id}/{second_id}", max(0, step))
            pair.lay_out_timeline()
            with ui.element("div").classes("split"):
                for bag_id, story in zip((first_id, second_id), stories, strict=True):
                    with ui.element("section"):
                        ui.link(f"{story.path.parent.name}: {story.agent}", f"/bag/{bag_id}").classes("text")
                        view = self._bags.view(story, "", state)
                        pair.views.append(view)
                        view.lay_out(pair.step)
                        facts(story, self._bags.judged(story.path))
            await pair.show()
        return None


def _tell_differences(figures: Sequence[Figure]) -> None:
    """A table of what one run has more than another."""
    from nicegui import ui

    ui.label("First run minus the second, on the episodes that both completed").classes("text")
    known = [figure for figure in figures if figure.n]
    if not known:
        ui.label("There are none.").classes("note")
        return
    heads = (("figure", "Figure"), ("value", "Difference"), ("interval", "95 % interval"), ("n", "Episodes"))
    table = ui.table(
        columns=[{"name": key, "label": label, "field": key, "align": "left"} for key, label in heads],
        rows=[
            {
                "figure": _NAMES.get(figure.key, figure.title),
                "value": number(figure.value, figure.percent),
                "interval": interval(figure) if math.isfinite(figure.low) else "too few episodes",
                "n": figure.n,
            }
            for figure in known
        ],
        row_key="figure",
    )
    table.props('dense flat bordered hide-pagination aria-label="Paired difference"').style("max-width: 36rem")


class _Pair:
    """One timeline of two bags; on the event loop."""

    def __init__(self, stories: list[Story], address: str, step: int) -> None:
        self._stories, self._address = stories, address
        self._last = max(0, max(len(story.steps) for story in stories) - 1)
        self._parting = parted(*stories)
        self.step = min(step, self._last)
        self.views: list[BagView] = []
        self._shown: list[BagView] = []

    def lay_out_timeline(self) -> None:
        from nicegui import ui

        ui.label(_parting_words(self._parting)).classes("text")
        with ui.element("div").classes("bar").style("flex-wrap: nowrap"):
            self._play = ui.button(icon="play_arrow", on_click=self._toggle).props('aria-label="Play or pause"')
            self._slider = ui.slider(min=0, max=max(1, self._last), value=self.step, on_change=self._slid)
            self._slider.props('aria-label="Step of both runs" label')
            if self._parting is not None:
                # A mark on the timeline, where the runs part.
                self._slider.props(
                    f""":markers='true' :marker-labels='[{{"value": {self._parting}, "label": "part"}}]'"""
                )
                ui.button("Where they part", on_click=lambda: self._slider.set_value(self._parting)).style(
                    "flex-shrink: 0"
                )
        self._said = ui.label().classes("text").props("role=status")
        self._timer = ui.timer(_PLAYED, self._next, active=False)
        ui.keyboard(on_key=self._key)

    async def go(self, number: int) -> None:
        """Show a step of both, of the shorter one its last."""
        number = min(max(0, number), self._last)
        if number != self.step:
            self.step = number
            self._slider.value = number
            await self.show()

    async def show(self) -> None:
        from nicegui import ui

        self._said.set_text(f"Step {self.step} of {self._last}: {self._difference()}")
        ui.navigate.history.replace(f"{self._address}?step={self.step}")
        await asyncio.gather(*(view.go(self.step) for view in self.views), *(view.show() for view in self._unshown()))

    def _unshown(self) -> list[BagView]:
        """The views that have no picture so far, as at the beginning."""
        new = [view for view in self.views if view not in self._shown]
        self._shown = list(self.views)
        return new

    def _difference(self) -> str:
        one, other = (story.steps[self.step] if self.step < len(story.steps) else None for story in self._stories)
        if one is None or other is None:
            return "only one of them goes on."
        if one.action == other.action and one.viewpoint == other.viewpoint:
            return "both do the same."
        names = [step.action or "nothing" for step in (one, other)]
        return (
            f"{names[0]} against {names[1]}" + ("" if one.viewpoint == other.viewpoint else ", from other places") + "."
        )

    async def _slid(self, event: Any) -> None:
        if isinstance(event.value, int | float) and math.isfinite(event.value):
            await self.go(int(event.value))

    async def _key(self, event: Any) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.alt:
            return
        key = str(event.key)
        ways = {"ArrowLeft": self.step - 1, "ArrowRight": self.step + 1, "Home": 0, "End": self._last}
        if key == " " and not event.action.repeat:
            self._toggle()
        elif key in ways:
            await self.go(ways[key])

    def _toggle(self) -> None:
        self._timer.active = not self._timer.active
        self._play.props(f"icon={'pause' if self._timer.active else 'play_arrow'}")
        if self._timer.active and self.step == self._last:
            self.step = -1

    async def _next(self) -> None:
        if self.step >= self._last:
            self._toggle()
        else:
            await self.go(self.step + 1)


def parted(first: Story, second: Story) -> int | None:
    """The first step at which two recordings differ in action or place; None where they never do."""
    for at in range(max(len(first.steps), len(second.steps))):
        if at >= len(first.steps) or at >= len(second.steps):
            return at
        one, other = first.steps[at], second.steps[at]
        if one.action != other.action or one.viewpoint != other.viewpoint:
            return at
    return None


def _parting_words(at: int | None) -> str:
    return "They do the same at every step." if at is None else f"They part at step {at}."
