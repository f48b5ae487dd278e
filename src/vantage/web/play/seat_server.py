"""The server of a study's pages."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from vantage.web.painter import Painter
from vantage.web.pictures import Pictures
from vantage.web.play.pages import PlayPages
from vantage.web.play.seats import Seat
from vantage.web.server import LOOPBACK, WebServer


@contextmanager
def play_server(
    seats: Mapping[str, Seat], consent: str, mode: str, host: str = LOOPBACK, port: int = 0
) -> Iterator[WebServer]:
    """Serves the pages of seats within the block; the names of seats are those of its visitors.

    Args:
        consent: the text to agree to.
        mode: whose words stand above the question.

    Raises:
        As ``WebServer``.
    """
    with ExitStack() as stack:
        painter = Painter(min(len(seats), os.cpu_count() or 1))  # nothing is rendered here, only encoded
        stack.callback(painter.close)
        pictures = Pictures(painter)
        pages = PlayPages(seats, pictures, consent, mode)
        stack.callback(pages.close)
        yield stack.enter_context(
            WebServer({"/": pages.index}, {Pictures.route: pictures.answer}, host=host, port=port)
        )
