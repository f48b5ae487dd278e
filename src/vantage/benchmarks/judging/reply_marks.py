"""What a model's reply says: the mark of a judge, or an answer.

A mark is never guessed: a reply without one, with one off the scale or with several different ones has none.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Any

from vantage.bounded_json import bounded_json
from vantage.errors import ModelError
from vantage.models import apart
from vantage.wording import shown

LOW, HIGH = 1, 5
_WORDS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_LONGEST_REPLY = 8_000  # characters that are read, from the end
_NUMBER = (
    rf"(?P<number>(?<!\d)[-+]?(?<!\d)(?<!\d[-\u2013\u2014])\d{{1,9}}(?:[.,]\d{{1,9}})?(?![.,]?\d)"
    rf"|\b(?:{'|'.join(_WORDS)})\b)"
)
_OUT_OF = r"(?:\s?(?:/|out of|of)\s?(?P<of>\d{1,9}(?:\.\d{1,9})?|five|ten))?"
_OTHER = r"(?:\d|(?:one|two|three|four|five)\b)"
_ALSO = (  # another mark beside it; "4 - two details are missing" gives a reason instead
    rf"(?P<also>\s?(?:or|to|and|/)\s?(?:an?\s)?{_OTHER}|[-\u2013\u2014]{_OTHER}"
    rf"|(?:\s?[,\u2013\u2014]\s?|\s-\s?|-\s){_OTHER}(?!\w*\s+(?!or\b)[^\W\d]))?"
)
_VALUE = rf"{_NUMBER}{_OUT_OF}{_ALSO}"
_CHINESE = (
    "\u8bc4\u5206|\u5f97\u5206|\u5206\u6570|\u6253\u5206|\u8a55\u5206|\u8a55\u4fa1"  # words for a mark, in Japanese too
)
_TAGGED = re.compile(
    rf"\b(?:marks?|scores?|ratings?|grades?|note|bewertung|punktzahl|puntuaci\u00f3n|{_CHINESE})\b[\s:=\u2013\u2014]{{0,9}}(?:-\s)?(?:(?:is|are|of|as|a|an|the|would|be|it)\b\s?){{0,4}}"
    rf"[\s:=(<\[]{{0,9}}{_VALUE}",
    re.IGNORECASE,
)
_FORMAL = re.compile(rf"^\s?your mark\s?[:=]\s?(?:n\s?=\s?)?[(<\[]?\s?{_VALUE}", re.IGNORECASE | re.MULTILINE)
_GIVEN = re.compile(
    rf"\b(?:give|gives|giving|assign|assigns|award|awards|deserves?)\b(?:\s(?:it|this|the|that|answer|response|a|an)){{0,4}}"
    rf"\s(?:(?:mark|score|rating|grade)\sof\s)?{_VALUE}",
    re.IGNORECASE,
)
_OF_FIVE = re.compile(rf"{_NUMBER}\s*(?:/|out of)\s*(?P<of>5|five)\b(?P<also>(?!))?", re.IGNORECASE)
_ALONE = re.compile(rf"\s*{_VALUE}(?:\s?(?:stars?|points?))?\s*[.!]?\s*", re.IGNORECASE)
_SCALE = re.compile(
    r"\(?\b(?:on |using )?(?:an? |the )?(?:scale (?:of|from) )?(?:from )?(?:1|one)\s*(?:-|\u2013|\u2014|to|through)\s*"
    r"(?:5|five)\b\)?|\b1\s*,\s*2\s*,\s*3\s*,\s*4\s*,?\s*(?:or|and)?\s*5\b",
    re.IGNORECASE,
)
_DRESSING = re.compile(r"[*_`#$]|\\boxed|[{}]")
_BLANKS = re.compile(r"[^\S\n]+")
_KEYS = ("mark", "score", "rating", "grade", "your_mark")
_ANSWER = re.compile(r"(?:^|\n)\s*\**\s*(?:a|answer|final answer)\s*\**\s*:\s*\**[ \t]*", re.IGNORECASE)


class UnclearMarkError(ModelError):
    """A reply without exactly one mark of the scale."""


def mark_of(reply: str) -> int:
    """The mark, 1 to 5, that a judge's reply gives.

    A JSON object's ``mark`` comes first, then marks that are called so ("Your mark: 4/5", "I give it four"), then
    "4/5", then a number on a line of its own. Numbers in reasoning are none.

    Raises:
        UnclearMarkError: the reply gives no mark, one that is not 1, 2, 3, 4 or 5, or several different ones.
    """
    text = unicodedata.normalize("NFKC", apart(reply)[1][-_LONGEST_REPLY:])
    told = _of_json(text)
    if told is None:
        told = _of_words(_BLANKS.sub(" ", _SCALE.sub(" ", _DRESSING.sub(" ", text))))
    values = list(dict.fromkeys(told))
    if not values:
        raise UnclearMarkError(f"the judge gave no mark in {shown(reply)}; it must reply with one of {LOW} to {HIGH}")
    if len(values) > 1:
        given = " and ".join(f"{value:g}" for value in values)
        raise UnclearMarkError(f"the judge gave several marks ({given}) in {shown(reply)}; it must give one")
    if values[0] == math.inf:
        raise UnclearMarkError(
            f"the judge gave no mark of the scale {LOW} to {HIGH} in {shown(reply)}; it must use that scale"
        )
    if values[0] not in range(LOW, HIGH + 1):
        raise UnclearMarkError(f"the judge gave the mark {values[0]:g} in {shown(reply)}; the scale is {LOW} to {HIGH}")
    return int(values[0])


def _of_json(text: str) -> list[float] | None:
    """Marks of the JSON objects in a text; None where no object has one."""
    found: list[float] = []
    for piece in re.findall(r"\{[^{}]*\}", text):
        try:
            value = bounded_json(piece)
        except ValueError:
            continue
        for key in _KEYS:
            if isinstance(value, dict) and key in value:
                found += _of_value(value[key])
    return found or None


def _of_value(value: Any) -> list[float]:
    if isinstance(value, str):
        return _of_words(f"mark: {value}")
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return []
    return [float(value) if abs(value) < 1e6 else math.inf]


def _of_words(text: str) -> list[float]:
    found = [value for match in _FORMAL.finditer(text) for value in _values(match)]
    if found:
        return found
    for pattern in (_TAGGED, _GIVEN, _OF_FIVE):
        found = [value for match in pattern.finditer(text) for value in _values(match)]
        if found:
            return found
    lines = [_ALONE.fullmatch(line) for line in text.splitlines()]
    return [value for match in lines if match for value in _values(match)]


def _values(match: re.Match[str]) -> list[float]:
    """The value of a match; two where another follows it ("3 or 4"), infinity for one of another scale ("4 of 10")."""
    word = match["number"].lower()
    value = float(_WORDS[word]) if word in _WORDS else float(word.replace(",", "."))
    if match["of"] and match["of"].lower() not in ("5", "5.0", "five"):
        return [math.inf]
    if match["also"]:
        tail = re.search(r"\d+(?:\.\d+)?|[a-z]+$", match["also"], re.IGNORECASE)
        other = tail[0].lower() if tail else ""
        return [value, float(_WORDS.get(other, 0)) if other in _WORDS else float(other or "nan")]
    return [value]


def answer_of(reply: str) -> str:
    """The answer in a reply: what follows the last ``A:`` or ``Answer:`` at the beginning of a line, up to the end of
    that line, or else the whole reply. It is never cut at a period, which may be a decimal point."""
    text = apart(reply)[1]
    marks = list(_ANSWER.finditer(text))
    if not marks:
        return text
    lines = text[marks[-1].end() :].strip().splitlines()
    return lines[0].strip().removesuffix("**").strip() if lines else ""
