"""The part of a seat's page where a person goes through the pictures of her own exploration while she is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vantage.planning.agents import KeptPicture
from vantage.web.pictures import Canvas, Pictures
from vantage.web.play.sight_words import replayed_of

BACK, ON = ",", "."  # keys for the picture before and the one after


class OwnReplay:
    """A picture of an exploration with buttons to go through it; hidden where there is none.

    Made within the function that builds a page.

    Args:
        awake: called whenever she goes to another picture.
        mark: called with the number of the sight that showed the picture which she chooses as evidence.
    """

    def __init__(self, pictures: Pictures, awake: Callable[[], None], mark: Callable[[int], None]) -> None:
        from nicegui import ui

        self._awake, self._mark = awake, mark
        self._kept: Sequence[KeptPicture] = ()
        self._place = 0
        with ui.column().style("width: 100%").props("id=replay") as self._all:
            ui.label("Your exploration").props("role=heading aria-level=2")
            self._canvas = Canvas(pictures, "your exploration", width=320, height=240)
            self._where = ui.label("").classes("text note").props("id=replay-where")
            with ui.row().classes("bar"):
                for words, name, places in (
                    ("First", "first", lambda: -self._place),
                    (f"Back [{BACK}]", "back", lambda: -1),
                    (f"On [{ON}]", "on", lambda: 1),
                    ("Last", "last", lambda: len(self._kept) - 1 - self._place),
                ):
                    ui.button(words, on_click=lambda _, places=places: self._go(places())).props(
                        f"no-caps dense outline data-replay={name}"
                    )
                ui.button("Mark this earlier picture as evidence", on_click=self._chosen).props(
                    "no-caps dense outline data-replay=mark"
                )
        self._all.set_visibility(False)

    async def show(self, kept: Sequence[KeptPicture]) -> None:
        """Show an exploration from its first picture on, or go on with the one that is shown; none hides it."""
        if tuple(kept) != tuple(self._kept):
            self._kept, self._place = tuple(kept), 0
            await self._draw()
        self._all.set_visibility(bool(self._kept))

    async def key(self, name: str) -> bool:
        """Whether a key went to another picture."""
        if not self._kept or name not in (BACK, ON):
            return False
        await self._go(1 if name == ON else -1)
        return True

    async def _go(self, places: int) -> None:
        """Go so many pictures on, at most to the first or the last."""
        self._awake()
        place = max(0, min(len(self._kept) - 1, self._place + places))
        if self._kept and place != self._place:
            self._place = place
            await self._draw()

    async def _draw(self) -> None:
        if not self._kept:
            return
        picture = self._kept[self._place]
        where = replayed_of(self._place, len(self._kept), picture.phase)
        self._canvas.describe(where)
        self._where.set_text(f"{where}.")
        await self._canvas.show(picture.rgb)

    def _chosen(self, _: Any) -> None:
        if self._kept:
            self._mark(self._kept[self._place].number)
