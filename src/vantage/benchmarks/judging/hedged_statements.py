"""What an answer leaves open: what was not seen yet, not all of it, or not known, denies nothing."""

from __future__ import annotations

import re

_NOT = r"(?:\b(?:not|cannot|never|no|none|nothing)\b|n['\u2019]t\b)"
_LOOKING = (
    r"(?:see|seen|saw|look|looked|search|searched|explore|explored|check|checked|find|found|visit|visited|inspect|"
    r"inspected|view|viewed|visible|been|cover|covered|observe|observed|scan|scanned)"
)
_WHOLE = r"(?:all|everything|everywhere|every|whole|entire|fully|completely|entirely)"
_OPEN = re.compile(
    rf"{_NOT}[^\n]*\b{_LOOKING}\b[^\n]*\b(?:yet|so far)\b|{_NOT}\s+yet\b|"
    rf"{_NOT}\s+(?:\w+\s+){{0,2}}?(?:{_WHOLE}\s+)?{_LOOKING}\s+(?:\w+\s+)?{_WHOLE}\b|"
    rf"\bnot\s+(?:the\s+)?{_WHOLE}\b[^\n]*\b{_LOOKING}\b|{_NOT}\s+(?:\w+\s+)?(?:fully|completely|entirely)\s+{_LOOKING}\b|"
    rf"{_NOT}\s+(?:\w+\s+){{0,2}}?(?:sure|certain|know|tell|determine|judge)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"([.,;:!?\n]+(?:\s|$)|\b(?:because|since|but|although|though|and)\b)", re.IGNORECASE)


_LONGEST, _LONGEST_CLAUSE = 8000, 200  # characters that are read; a longer clause hedges nothing


def settled(text: str) -> str:
    """A text without the clauses that leave something open: "I have not seen all of the desk yet"."""
    parts = _CLAUSE.split(text[:_LONGEST])
    kept = [part for part in parts if len(part) > _LONGEST_CLAUSE or not _OPEN.search(part)]
    return "".join(kept) if len(kept) < len(parts) else text
