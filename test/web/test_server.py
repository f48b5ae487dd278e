"""One server after another in a process: pages, pictures, and nothing that others can reach."""

from __future__ import annotations

import asyncio
import http.client
from urllib.parse import urlsplit

import numpy as np
import pytest
from browsers import console_errors, first, picture, requested, until

from vantage.errors import UsageError
from vantage.web import Canvas, Painter, Pictures, WebServer, framed

pytestmark = pytest.mark.needs("web")


@pytest.fixture
def pictures():
    painter = Painter()
    yield Pictures(painter)
    painter.close()


def board(shade):
    rgb = np.full((48, 64, 3), shade, np.uint8)
    rgb[::2, ::3] = (200, 10, 90)
    return rgb


def paged(pictures, title="Board", **options):
    """A server of one page: where the mouse goes down, the picture gets that shade."""

    async def index():
        with framed(title) as state:

            async def pressed(event):
                state.set_text(f"at {event.image_x:.0f}")
                await canvas.show(lambda: board(100), moving=True)

            canvas = Canvas(pictures, "a board", on_mouse=pressed, events=("mousedown",), width=64, height=48)
            await canvas.show(lambda: board(7))

    return WebServer({"/": index}, {Pictures.route: pictures.answer}, **options)


def asked(address, path=None, headers=()):
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    connection.request("GET", path or f"{parts.path}?{parts.query}", headers=dict(headers))
    response = connection.getresponse()
    return response.status, response.read().decode(), response.headers


def test_the_token_becomes_a_cookie_and_only_that_opens_a_page(pictures):
    with paged(pictures) as server:
        address = server.address()
        assert asked(address, "/")[0] == 403
        status, body, headers = asked(address)
        assert status == 200
        assert "token" not in body
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        status, body, headers = asked(address, "/", {"cookie": cookie.split(";")[0]})
        assert status == 200
        assert "a board" in body
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        for path in ("/no", "/picture/x/1", "/../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/picture/..%2f/1"):
            assert asked(address, path, {"cookie": cookie.split(";")[0]})[0] == 404


def test_two_at_once_are_refused_and_one_after_another_is_not(pictures):
    with paged(pictures):
        for _ in range(2):  # what was refused, and is stopped, lets no other one in
            refused = paged(pictures)
            with pytest.raises(UsageError, match="already"):
                refused.start()
            refused.stop()
    with paged(pictures, "Second") as server:
        address = server.address()
        cookie = asked(address)[2]["set-cookie"].split(";")[0]
        assert "Second" in asked(address, "/", {"cookie": cookie})[1]


@pytest.mark.parametrize(("host", "port"), [("no.such.host.invalid", 0), ("127.0.0.1", 99999), ("203.0.113.7", 0)])
def test_an_address_that_cannot_be_is_one_sentence(pictures, host, port):
    with pytest.raises(UsageError, match="cannot serve at"):
        paged(pictures, host=host, port=port)


def test_only_loopback_is_not_open_to_others(pictures):
    servers = [paged(pictures, host=host) for host in ("127.0.0.1", "localhost", "0.0.0.0")]
    assert [server.is_open_to_others for server in servers] == [False, False, True]
    for server in servers:
        server.stop()


def pixels(driver):
    """What the browser shows of the picture, (H, W, 3) uint8; no rows while the next one is being loaded."""
    script = """
    const image = document.querySelector('.canvas img'), canvas = document.createElement('canvas');
    if (!image.complete || !image.naturalWidth) return [];
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d'); context.drawImage(image, 0, 0);
    return Array.from(context.getImageData(0, 0, canvas.width, canvas.height).data);
    """
    flat = np.array(driver.execute_script(script), np.uint8)
    return flat.reshape(-1, 64, 4)[..., :3]


def test_a_page_in_chromium_shows_exact_pictures_and_asks_nobody_else(pictures, browser):
    with paged(pictures, "<b>bold</b>") as server:
        browser.get(server.address())
        picture(browser)
        assert "token" not in browser.current_url
        assert browser.find_element("css selector", "h1").text == "<b>bold</b>"
        until(lambda: np.array_equal(pixels(browser), board(7)), "the first picture")
        picture(browser).click()
        until(lambda: "at" in first(browser, "[role=status]").text, "the click")
        until(lambda: np.array_equal(pixels(browser), board(100)), "the exact picture")
        assert console_errors(browser) == []
        elsewhere = [url for url in requested(browser) if urlsplit(url).port != server.port and url[:4] == "http"]
        assert elsewhere == []


def test_a_browser_that_is_late_gets_what_is_shown_by_now(pictures):
    canvas = pictures.open()
    for number in range(1, 13):
        pictures.put(canvas, number, bytes([number]), "image/png")

    def got(token, number):
        answer = asyncio.run(pictures.answer(token, number))
        return answer.status_code, answer.body[:1]

    assert got(canvas, "11") == (200, b"\x0b")
    assert got(canvas, "2") == got(canvas, "9") == got(canvas, "12") == (200, b"\x0c")
    for number in ("13", "007", "-1", "", "x", "\u0663", "9" * 5000):
        assert got(canvas, number)[0] == 404, number
    assert got("another", "2")[0] == 404
    pictures.close(canvas)
    assert got(canvas, "12")[0] == 404
