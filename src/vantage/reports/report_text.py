"""Texts from bags as HTML: an answer may hold anything."""

from __future__ import annotations

import unicodedata
from html import escape

_LONGEST = 1500  # characters of one text
_HIDDEN = ("Cc", "Cf", "Cs")  # control characters, marks that turn the direction of writing, halves of characters


def text(value: str) -> str:
    """Any text as HTML: escaped, shortened, and without characters that cannot be shown."""
    shown = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}\u2026 ({len(value)} characters)"
    clean = "".join("\ufffd" if unicodedata.category(c) in _HIDDEN and c not in "\n\t" else c for c in shown)
    return escape(clean)
