"""The page of runs: a table that fills while it is read; and two runs side by side, from where they part."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.benchmarks.statistics import EpisodeScore, interval, number, run_differences
from vantage.web.bag_page import BagPages, BagView, facts
from vantage.web.bag_story import Story
from vantage.web.opened import Opened
from vantage.web.page import framed
from vantage.web.runs_index import RunsIndex, row_of

_REFRESH = 1.0  # s
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
    ("success", "Success"),
    ("steps", "Steps"),
    ("collisions", "Collisions"),
    ("state", "State"),
)
_OF_TRUTH = ("mark", "success")
_CELL = """
<q-td :props="props"><a :href="props.row.link">{{ props.value }}</a></q-td>
"""


@dataclass(frozen=True)
class Runs:
    """The runs that a server shows.

    Attributes:
        other: to be compared with; None where none is.
        with_truth: whether marks and gold are shown.
    """

    index: RunsIndex
    other: RunsIndex | None
    opened: Opened[Path]
    with_truth: bool


class RunsPages:
    """Builds the table and pairs of bags."""

    def __init__(self, runs: Runs, bags: BagPages) -> None:
        self._runs, self._bags = runs, bags
        self._others = {} if runs.other is None else {bag.name: bag for bag in runs.other.bags}

    async def table(self) -> None:
        """``/``."""
        from nicegui import ui

        runs = self._runs
        with framed("Runs", "Click a heading to sort; what is typed below filters all columns.") as state:
            if runs.other is not None and runs.with_truth:
                paired = ui.label().classes("text")
            search = ui.input("Filter").props("clearable outlined dense").style("max-width: 30rem; width: 100%")
            columns = [
                {"name": key, "label": label, "field": key, "sortable": True, "align": "left"}
                for key, label in _COLUMNS
                if runs.with_truth or key not in _OF_TRUTH
            ]
            table = ui.table(columns=columns, rows=[], row_key="id", pagination=25)
            table.props('dense wrap-cells aria-label="Bags"').style("width: 100%; overflow-x: auto")
            table.add_slot("body-cell-episode", _CELL)
            search.on_value_change(lambda event: table.set_filter(str(event.value or "")[:200]))
            shown = 0

            def fill() -> None:
                nonlocal shown
                scores = dict(runs.index.scores)
                done = runs.index.done.is_set() and (runs.other is None or runs.other.done.is_set())
                if len(scores) != shown:
                    shown = len(scores)
                    table.rows = self._rows(scores)
                told = f"{len(scores)} of {len(runs.index.bags)} bags read"
                state.set_text(told if not done else f"{len(scores)} bags")
                if done:
                    timer.deactivate()
                    if runs.other is not None and runs.with_truth:
                        paired.set_text(self._differences(runs.other))

            timer = ui.timer(_REFRESH, fill)
            fill()

    def _rows(self, scores: Mapping[Path, EpisodeScore]) -> list[dict[str, Any]]:
        rows = []
        for bag in self._runs.index.bags:
            score = scores.get(bag)
            if score is not None:
                bag_id = self._runs.opened.add(bag)
                row = row_of(bag_id, score, self._runs.with_truth)
                other = self._others.get(bag.name)
                link = f"/bag/{bag_id}" if other is None else f"/pair/{bag_id}/{self._runs.opened.add(other)}"
                rows.append({**row, "link": link})
        return rows

    def _differences(self, other: RunsIndex) -> str:
        figures = run_differences(self._runs.index.scores.values(), other.scores.values())
        parts = [
            f"{figure.title} {number(figure.value, figure.percent)} {interval(figure)}"
            for figure in figures
            if figure.n
        ]
        return "First run minus the second, on the episodes that both completed: " + (
            "; ".join(parts) if parts else "there are none."
        )

    async def pair(self, first_id: str, second_id: str, step: int = 0) -> Any:
        """``/pair/{first_id}/{second_id}?step=3``: two bags side by side, with one timeline."""
        from fastapi import Response
        from nicegui import ui

        paths = [self._runs.opened.get(bag_id) for bag_id in (first_id, second_id)]
        if None in paths:
            return Response("There is no such bag.", 404, media_type="text/plain")
        loop = asyncio.get_running_loop()
        stories = [await loop.run_in_executor(None, self._bags.story, path) for path in paths if path is not None]
        parting = parted(*stories)
        views: list[BagView] = []
        with framed(f"Two runs of {paths[0].name if paths[0] else ''}", "Both go step by step.") as state:
            longest = max(len(story.steps) for story in stories)
            ui.label(_parting_words(parting)).classes("text")

            async def go(event: Any) -> None:
                for view in views:
                    await view.go(int(event.value))

            with ui.element("div").classes("bar"):
                slider = ui.slider(min=0, max=max(1, longest - 1), value=step, on_change=go)
                slider.props('aria-label="Step of both runs" label')
                if parting is not None:
                    ui.button(f"Go to step {parting}", on_click=lambda: slider.set_value(parting))
            with ui.element("div").classes("split"):
                for bag_id, story in zip((first_id, second_id), stories, strict=True):
                    with ui.element("section"):
                        ui.link(f"{story.path.parent.name}: {story.agent}", f"/bag/{bag_id}").classes("text")
                        view = self._bags.view(story, "", state)
                        views.append(view)
                        await view.build(step)
                        facts(story, self._bags.judged(story.path))
        return None


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
