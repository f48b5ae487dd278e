"""Pictures that are drawn on the server and shown in a page: JPEG while they move, PNG, exact, when they rest."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import VantageError
from vantage.web.painter import Painter

_AT_REST = 0.2  # s after the last motion
_DRAWN = 60.0  # s that drawing once more may take
_KEPT = 3  # pictures of one canvas: a browser may still fetch the last but one
_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 80]
_QUICK, _EXACT = "image/jpeg", "image/png"
# Of the ways to encode a rendered picture without loss, that which takes the least time: half of the usual one.
_PNG = [
    *(cv2.IMWRITE_PNG_COMPRESSION, 1),
    *(cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE),
    *(cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP),
]


class Pictures:
    """The pictures that pages fetch, by the secret token of a canvas and their number in it; thread-safe.

    ``Pictures.route`` and ``answer`` go into the routes of a server.
    """

    route = "/picture/{canvas}/{number}"

    def __init__(self, painter: Painter) -> None:
        self.painter = painter
        self._kept: dict[str, OrderedDict[str, tuple[bytes, str]]] = {}
        self._drawings: dict[str, Callable[[], NDArray[np.uint8]]] = {}

    def open(self) -> str:
        """A token for a new canvas."""
        token = secrets.token_urlsafe(24)
        self._kept[token] = OrderedDict()
        return token

    def close(self, token: str) -> None:
        self._kept.pop(token, None)
        self._drawings.pop(token, None)
        self.painter.forget(token)

    def wish(self, token: str, draw: Callable[[], NDArray[np.uint8]]) -> None:
        """Remember what a canvas was last asked to show."""
        if token in self._kept:
            self._drawings[token] = draw

    def drawn_anew(self, token: str) -> NDArray[np.uint8] | None:
        """What a canvas ought to show, drawn once more (H, W, 3); None where it is closed. Not on the event loop.

        Raises:
            VantageError: what the drawing raises.
        """
        draw = self._drawings.get(token)
        return None if draw is None else self.painter.ask(f"{token} anew", draw).result(_DRAWN)

    def put(self, token: str, number: int, data: bytes, kind: str) -> str | None:
        """Keep an encoded picture; returns the address it has, or None where the canvas is closed."""
        kept = self._kept.get(token)
        if kept is None:
            return None
        kept[str(number)] = (data, kind)
        while len(kept) > _KEPT:
            kept.popitem(last=False)
        return f"/picture/{token}/{number}"

    def is_exact(self, address: str) -> bool:
        """Whether that is the last picture of a canvas so far, and not one that was shown quickly."""
        *_, token, number = ("", "", *address.split("/"))
        kept = self._kept.get(token, OrderedDict())
        return bool(kept) and next(reversed(kept)) == number and kept[number][1] == _EXACT

    async def answer(self, canvas: str, number: str) -> Any:
        from fastapi import Response

        kept = self._kept.get(canvas, OrderedDict())
        found = kept.get(number)
        if found is None and _is_before(number, next(reversed(kept), "")):
            found = kept[next(reversed(kept))]  # a browser that is late shall see what is shown by now
        if found is None:
            return Response("There is no such picture any more.", 404, media_type="text/plain")
        return Response(found[0], media_type=found[1], headers={"cache-control": "no-store"})


def _is_before(number: str, newest: str) -> bool:
    return bool(newest) and number.isascii() and number.isdigit() and (len(number), number) < (len(newest), newest)


class Canvas:
    """A picture in a page, with a layer of SVG over it.

    Made within the function that builds a page, on whose event loop all methods are called.

    Args:
        alt: what the picture shows, for those who do not see it.
        on_mouse: told of the events named in ``events``, with ``image_x`` and ``image_y`` in pixels.
        width, height: of the pictures, pixels.

    Attributes:
        element: NiceGUI's ``interactive_image``.
        shown: the last picture drawn (H, W, 3) uint8, None before the first.
    """

    def __init__(
        self,
        pictures: Pictures,
        alt: str,
        *,
        on_mouse: Callable[[Any], Any] | None = None,
        events: tuple[str, ...] = ("mousedown", "mousemove", "mouseup"),
        width: int = 640,
        height: int = 480,
    ) -> None:
        from nicegui import ui

        self._pictures, self._token, self._number = pictures, pictures.open(), 0
        self.element = ui.interactive_image(
            size=(width, height), on_mouse=on_mouse, events=list(events) if on_mouse else [], sanitize=True
        )
        self.element.props(f'role=img tabindex=0 data-canvas="{self._token}"').classes("canvas")
        self.describe(alt)
        self.shown: NDArray[np.uint8] | None = None
        self.error = ""
        self._wanted = 0
        self._client = self.element.client
        self._client.on_delete(lambda: pictures.close(self._token))

    def describe(self, alt: str) -> None:
        """Change the words that stand for the picture."""
        self.element._props["aria-label"] = alt
        self.element.update()

    async def show(
        self,
        draw: Callable[[], NDArray[np.uint8]],
        moving: bool = False,
        over: Callable[[], str] = str,
        quickly: Callable[[], NDArray[np.uint8]] | None = None,
    ) -> bool:
        """Have a picture (H, W, 3) drawn by the painter and show it; false where a later call overtook it.

        A picture that is ``moving`` is shown as JPEG, and exact once nothing has been asked for for 0.2 s.

        Args:
            quickly: draws nearly the same, of the same size, to be shown while the picture is moving.
            over: gives the SVG that lies over the picture from then on, in its pixels, with texts escaped; asked once
                the picture is drawn, on the painter's thread.

        Raises:
            VantageError: what ``draw`` raises.
        """
        self._wanted += 1
        wanted = self._wanted
        self._pictures.wish(self._token, draw)

        def drawn(drawing: Callable[[], NDArray[np.uint8]]) -> tuple[NDArray[np.uint8], bytes, str]:
            rgb = drawing()
            return rgb, encoded(rgb, ".jpg" if moving else ".png"), over()

        done = await self._painted(partial(drawn, quickly if moving and quickly is not None else draw))
        if done is None:
            return False
        self.shown, data, svg = done
        self._lay_over(svg)
        self._set(data, _QUICK if moving else _EXACT)
        if moving:
            await self._rest(wanted, draw if quickly is not None else None, over)
        return True

    async def _rest(self, wanted: int, draw: Callable[[], NDArray[np.uint8]] | None, over: Callable[[], str]) -> None:
        """Show exactly what was shown quickly, once it has been the last wish for a while.

        Args:
            draw: what was not drawn exactly so far; None where only its encoding lacks.
        """
        await asyncio.sleep(_AT_REST)
        rgb = self.shown
        if self._wanted != wanted or rgb is None:
            return
        if draw is not None:
            done = await self._painted(lambda: (draw(), over()))
            if done is None:
                return
            rgb, svg = done
            self.shown = rgb
            self._lay_over(svg)
        exact = await asyncio.get_running_loop().run_in_executor(None, encoded, rgb, ".png")
        if self._wanted == wanted:
            self._set(exact, _EXACT)

    def _lay_over(self, svg: str) -> None:
        if self.element.content != svg:
            self.element.set_content(svg)

    async def _painted(self, draw: Callable[[], Any]) -> Any:
        future: Future[Any] = self._pictures.painter.ask(self._token, draw)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if future.cancelled():
                return None
            raise

    def _set(self, data: bytes, kind: str) -> None:
        self._number += 1
        address = self._pictures.put(self._token, self._number, data, kind)
        if address is not None:
            self.element.set_source(address)


def encoded(rgb: NDArray[np.uint8], suffix: str) -> bytes:
    """A picture (H, W, 3) as ``.png`` or ``.jpg``.

    Raises:
        VantageError: it cannot be encoded.
    """
    done, data = cv2.imencode(suffix, cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), _PNG if suffix == ".png" else _JPEG)
    if not done:
        raise VantageError(f"a picture of shape {rgb.shape} cannot be encoded as {suffix}")
    return data.tobytes()
