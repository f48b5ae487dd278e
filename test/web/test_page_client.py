"""A page opened without a browser: what it shows, what is done on it, and what all of that sends."""

from __future__ import annotations

from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest

from vantage.errors import VantageError
from vantage.web import Canvas, Painter, Pictures, WebServer, framed
from vantage.web.page_client import PageClient, described

pytestmark = pytest.mark.needs("web")
RGB = np.random.default_rng(0).integers(0, 256, (48, 64, 3)).astype(np.uint8)


def plain():
    from fastapi import Response

    return Response("no page")


@pytest.fixture
def server():
    from nicegui import ui

    painter = Painter()
    pictures = Pictures(painter)

    async def index():
        with framed("Form") as state:
            name = ui.input("Name").props("data-field=name")
            kind = ui.select({"a": "first kind", "b": "second kind"}, value="a").props("data-field=kind")
            told = ui.label("").props("id=told")
            with ui.column() as column:
                ui.label("hidden").props("id=hidden")
            column.set_visibility(False)
            canvas = Canvas(pictures, "noise", width=64, height=48)

            async def pressed():
                await canvas.show(lambda: RGB)
                told.set_text(f"{name.value} of the {kind.value} <b>`${{kind}}`</b>")
                state.set_text("done")

            ui.button("Go", on_click=pressed).props("id=go")

    with WebServer({"/": index}, {Pictures.route: pictures.answer, "/plain": plain}) as found:
        yield found
    painter.close()


def test_what_is_done_on_a_page_changes_it_and_all_that_is_sent_is_heard(server):
    heard = []
    with PageClient(server.address("somebody"), lambda *piece: heard.append(piece)) as page:
        assert page.found("id", "hidden") is None, "it lies in something that is not shown"
        page.write("data-field", "name", "Ada <&`$>")
        page.choose("data-field", "kind", "second kind")
        page.press("id", "go")
        page.wait(lambda: page.text("role", "status") == "done", "that it is done")
        assert page.text("id", "told") == "Ada <&`$> of the b <b>`${kind}`</b>"
        source = page.elements[page.found("aria-label", "noise")]["props"]["src"]
        sent = page.get(source)
        bgr = cv2.imdecode(np.frombuffer(sent, np.uint8), cv2.IMREAD_COLOR)
        assert np.array_equal(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), RGB)
        assert ("picture", sent) in heard
        assert {kind for kind, _ in heard} == {"header", "page", "picture", "message"}
        assert any(kind == "message" and b"Ada" in piece for kind, piece in heard)
        page.open()  # loaded again: a page of its own
        assert page.text("id", "told") == ""


def test_what_is_not_there_is_one_sentence(server):
    with PageClient(server.address("somebody")) as page:
        with pytest.raises(VantageError, match="shows nothing of id 'nothing'; wait until it does"):
            page.press("id", "nothing")
        with pytest.raises(VantageError, match="no 'third kind' to choose"):
            page.choose("data-field", "kind", "third kind")
        with pytest.raises(VantageError, match="listens to no 'update:'"):
            page.write("id", "go", "text")
        with pytest.raises(VantageError, match="answered 404"):
            page.get("/picture/none/1")
        with pytest.raises(VantageError, match=r"did not show a miracle within 0\.1 s"):
            page.wait(lambda: False, "a miracle", 0.1)


def test_who_is_not_let_in_and_what_is_no_page_are_told(server):
    address = server.address("somebody")
    with pytest.raises(VantageError, match="answered 403"):
        PageClient(address[:-4] + "none").open()
    parts = urlsplit(server.address("somebody", "/plain"))
    with pytest.raises(VantageError, match="no page of NiceGUI"):
        PageClient(parts.geturl()).open()
    assert described("<p>no page</p>") == ({}, "<p>no page</p>")


def test_a_server_that_ended_is_told():
    from nicegui import ui

    server = WebServer({"/": lambda: ui.label("x").props("id=x")}).start()
    try:
        page = PageClient(server.address("somebody"))
        page.open()
    finally:
        server.stop()
    with pytest.raises(VantageError, match=r"the connection of a page to .* ended"):
        page.wait(lambda: False, "anything")
    page.close()
