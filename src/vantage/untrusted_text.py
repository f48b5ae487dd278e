"""Untrusted text made safe to display: on a terminal, in a table, over an object in RViz.

Questions, answers, names and reasons come from data sets, models, bags and strangers on the network. Printed as they
are, they could move the cursor, clear the screen, set its title, or turn the direction of what stands beside them.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from typing import TextIO

MOST = 2000  # characters of a line
_SHOWN = re.compile(r"[ -~]*")
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, formats (bidi), halves of characters, ends of lines and paragraphs


def visible(text: str, most: int = MOST) -> str:
    r"""One line in which what would not be seen stands as its escape, such as ``\x1b`` or ``\u202e``.

    A line of more than ``most`` characters, at least 100, loses its middle and says how long it was: what to do about
    an error stands at the end. Applied again, it changes nothing.
    """
    if len(text) <= most and len(shown := _escaped(text)) <= most:
        return shown
    note = f" [... {len(text)} characters in all ...] "
    last = most // 4
    first = most - last - len(note)
    return f"{_escaped(text[:first])[:first]}{note}{_escaped(text[-last:])[-last:]}"


def say(*lines: str, stream: TextIO | None = None, end: str = "\n") -> None:
    """Print lines as ``visible`` shows them; characters that the stream's encoding lacks become escapes, too.

    Args:
        stream: standard error where none is given: standard output belongs to the result.
        end: after the last line.
    """
    out = sys.stderr if stream is None else stream
    text = "\n".join(visible(line) for line in lines)
    encoding = getattr(out, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), end=end, file=out, flush=True)


def _escaped(text: str) -> str:
    if _SHOWN.fullmatch(text):
        return text
    return "".join(
        sign.encode("unicode_escape").decode() if unicodedata.category(sign) in _HIDDEN else sign for sign in text
    )
