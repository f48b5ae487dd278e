"""Pictures of a canvas: quickly while they move, exactly at rest, and never an older one after a newer."""

from __future__ import annotations

import asyncio
import http.client

import cv2
import numpy as np
import pytest

from vantage.web import Canvas, Painter, Pictures, WebServer, framed

pytestmark = pytest.mark.needs("web")


def built(show):
    """What a page's ``show(canvas, pictures)`` returns, with the canvas."""
    painter, told = Painter(), []
    pictures = Pictures(painter)

    async def index():
        with framed("Board"):
            canvas = Canvas(pictures, "a board", width=64, height=48)
            told.append((await show(canvas), canvas))
            encoded = next(reversed(next(iter(pictures._kept.values())).values()))
            told.append(encoded)
            [[token, kept]] = pictures._kept.items()
            newest = f"/picture/{token}/{next(reversed(kept))}"
            assert pictures.is_exact(newest) is (encoded[1] == "image/png")
            assert not any(map(pictures.is_exact, (f"/picture/{token}/0", newest.replace(token, "x"), "", "/")))

    with WebServer({"/": index}, {Pictures.route: pictures.answer}) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        address = server.address()
        connection.request("GET", address[address.index("/", 8) :])
        cookie = connection.getresponse().headers["set-cookie"].split(";")[0]
        connection.close()
        connection.request("GET", "/", headers={"cookie": cookie})
        assert connection.getresponse().status == 200
    painter.close()
    [(result, canvas), (data, kind)] = told[:2]
    return result, canvas, cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)[..., ::-1], kind


def shade(value, drawn=None):
    def draw():
        if drawn is not None:
            drawn.append(value)
        return np.full((48, 64, 3), value, np.uint8)

    return draw


def test_what_moves_is_drawn_quickly_and_then_exactly():
    drawn = []

    async def show(canvas):
        return await canvas.show(shade(9, drawn), moving=True, quickly=shade(7, drawn))

    done, canvas, picture, kind = built(show)
    assert done
    assert drawn == [7, 9]
    assert kind == "image/png"
    assert np.array_equal(canvas.shown, picture)
    assert (picture == 9).all()


def test_what_rests_is_not_drawn_quickly():
    drawn = []

    async def show(canvas):
        return await canvas.show(shade(9, drawn), quickly=shade(7, drawn))

    assert (built(show)[2] == 9).all()
    assert drawn == [9]


def test_only_the_last_of_several_is_drawn_exactly():
    drawn = []

    async def show(canvas):
        wishes = [canvas.show(shade(9 + n, drawn), moving=True, quickly=shade(n, drawn)) for n in range(3)]
        return await asyncio.gather(*wishes)

    picture = built(show)[2]
    assert (picture == 11).all()
    assert [value for value in drawn if value >= 9] == [11]
