"""Foreign text as people read it."""

import io
import unicodedata

import pytest
from hostile import HALVES, HOSTILE, KINDS, LONG, assert_tame
from hypothesis import given, strategies as st

from vantage.untrusted_text import MOST, say, visible


@pytest.mark.parametrize("text", KINDS.values(), ids=KINDS)
def test_no_foreign_text_is_obeyed(text):
    shown = visible(text)
    assert_tame(shown, lines=1)
    assert visible(shown) == shown
    shown.encode()


def test_what_is_hidden_stands_as_its_escape():
    assert visible("a\x1b[2J\u202eb\nc\td\x00\ud800\U000e0001") == (
        r"a\x1b[2J\u202eb\nc\td\x00\ud800\U000e0001"  # as Python writes it
    )


def test_plain_text_of_any_language_stays_as_it_is():
    text = "Where is the caf\xe9 sign? \u4e2d\u6587 \u0627\u0644\u0639 \U0001f600 C:\\new 'x' \"y\" \xa0 \xbd"
    assert visible(text) == text


def test_an_overlong_line_keeps_its_beginning_its_end_and_its_length():
    shown = visible("x.mcap " + "y" * 100_000 + "; remove it")
    assert len(shown) <= MOST
    assert shown.startswith("x.mcap yy")
    assert shown.endswith("yy; remove it")
    assert "[... 100018 characters in all ...]" in shown
    assert len(visible("\x1b" * MOST)) <= MOST, "escapes are longer than what they stand for"


@given(st.text(st.characters()), st.integers(100, 300))
def test_any_text_is_one_line_that_can_be_written(text, most):
    shown = visible(text, most)
    assert len(shown) <= most
    assert not any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") for sign in shown)
    assert visible(shown, most) == shown
    if len(text) <= most // 10:
        assert shown == "".join(
            sign if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else repr(sign)[1:-1]
            for sign in text
        )


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "cp1252"])
def test_streams_of_any_encoding_take_it(encoding):
    data = io.BytesIO()
    stream = io.TextIOWrapper(data, encoding=encoding, errors="strict", newline="\n")
    say("one \u4e2d", HOSTILE, LONG, HALVES, stream=stream)
    written = data.getvalue().decode(encoding)
    assert_tame(written, lines=4)
    assert ("\u4e2d" in written) == (encoding == "utf-8")
    assert ("\\u4e2d" in written) == (encoding != "utf-8")


def test_a_stream_without_an_encoding_and_another_end(capsys):
    stream = io.StringIO()
    say("y or n? ", stream=stream, end="")
    say(f"y or n?{HOSTILE}", end="")
    assert stream.getvalue() == "y or n? "
    assert_tame(capsys.readouterr().err, lines=1)
