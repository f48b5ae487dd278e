"""Values in the sentences of errors."""

from __future__ import annotations

import reprlib
from typing import Any

MOST_SHOWN = 160  # characters

_repr = reprlib.Repr()
_repr.maxlevel, _repr.maxlist, _repr.maxtuple, _repr.maxdict = 3, 6, 6, 6
_repr.maxstring = _repr.maxother = MOST_SHOWN


def shown(value: Any) -> str:
    """As ``repr``, but of at most ``MOST_SHOWN`` characters, however large or deep the value is."""
    try:
        text = _repr.repr(value)
    except (ValueError, RecursionError):  # integers of thousands of digits are not written out
        text = f"a huge {type(value).__name__}"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."
