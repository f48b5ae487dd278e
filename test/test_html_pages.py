"""Pages from templates: what is put in is escaped, shortened and printable."""

from __future__ import annotations

import numpy as np
import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from vantage.html_pages import jpeg_url, printable, render, write_page


def test_text_of_any_kind_can_be_shown():
    assert printable("\x07\ud800\u202e") == "\ufffd\ufffd\ufffd"
    assert printable("a\n\tb") == "a\n\tb"
    assert len(printable("z" * 10**6)) < 1600
    assert printable("z" * 10**6).endswith("(1000000 characters)")


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "a_package_of_pages" / "templates"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "a.html").write_text(
        '{% extends "page.html" %}{% block body %}<p title="{{ a }}">{{ b }}</p>{% endblock %}'
    )
    monkeypatch.syspath_prepend(tmp_path)
    return "a_package_of_pages"


def test_values_are_escaped_and_markup_is_not(package):
    page = render(package, "a.html", a="\"'<&", b=Markup("<b>bold</b>"))
    assert '<p title="&#34;&#39;&lt;&amp;"><b>bold</b></p>' in page
    assert page.startswith("<!doctype html>")
    assert "\ufffd" in render(package, "a.html", a="", b="\x1b")


def test_a_name_without_a_value_is_an_error(package):
    with pytest.raises(UndefinedError, match="'b' is undefined"):
        render(package, "a.html", a="")


def test_pictures_become_narrow_enough():
    urls = [jpeg_url(np.zeros((100, width, 3), np.uint8), 200) for width in (200, 400)]
    assert all(url.startswith("data:image/jpeg;base64,") for url in urls)
    assert isinstance(urls[0], Markup)
    assert len(urls[1]) < len(urls[0])


def test_half_of_a_character_stops_no_page(tmp_path):
    assert write_page(tmp_path / "deep" / "page.html", "a\ud800b").read_text() == "a?b"
