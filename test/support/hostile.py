"""Text that strangers may put into questions, ids, scene names, answers and reasons, and what must not come of it."""

from __future__ import annotations

import unicodedata

ESCAPES = "\x1b[2J\x1b]0;owned\x07\x9b31m"  # clears the screen, sets its title, turns red
BIDI = "\u202etxt.exe\u2066\u200b\ufeff"  # turns the direction of writing, hides
LINES = "\r12 of 12 episodes finished\nvantage: all is well\u2028\x0b\x0c\x85"  # looks as if it was the program's own
MARKUP = "</dd></svg><script>alert('x')</script><img src=x onerror=alert(1)>\"'"
WAY_OUT = "../../../tmp/owned"
HOSTILE = f"{MARKUP}{ESCAPES}{BIDI}{LINES}\x00{WAY_OUT}"
LONG = HOSTILE + "y" * 100_000
HALVES = "\ud800 and \udfff"  # lone surrogates: no encoding takes them

KINDS = {
    "escapes": ESCAPES,
    "bidi": BIDI,
    "lines": LINES,
    "markup": MARKUP,
    "way out": WAY_OUT,
    "nul": "a\x00b",
    "long": LONG,
    "halves": HALVES,
}
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def assert_tame(text: str, lines: int | None = None, longest: int = 2000) -> None:
    """Nothing in what was printed is obeyed by a terminal; ``lines`` of it, each of at most ``longest`` characters."""
    wild = sorted({sign for sign in text if sign != "\n" and unicodedata.category(sign) in _HIDDEN})
    assert not wild, f"{wild} in {text[:400]!r}"
    printed = text.removesuffix("\n").split("\n")
    assert max(map(len, printed)) <= longest
    assert lines is None or len(printed) == lines, printed
