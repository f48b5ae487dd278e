"""Times of day in answers: "10:30", "half past ten" and "ten thirty" are one."""

from __future__ import annotations

import re

from vantage.benchmarks.judging.answer_words import NUMBERS

_HALF_DAY = 720  # minutes
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER = rf"\d{{1,2}}|{_HOURS}"
_FEW = f"{_NUMBER}|twenty[ -]five|twenty"
_MINUTES = {"quarter": 15, "half": 30, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_MINUTES |= {"twenty five": 25, "thirty five": 35, "forty five": 45, "fifty five": 55}
_LATE = re.compile(r"\b(?:p\.?\s?m\b|in the (?:afternoon|evening)|at night)")
_EARLY = re.compile(r"\b(?:a\.?\s?m\b|in the morning)")
_AFTER = re.compile(
    rf"\b(?:a )?(?P<minutes>half|quarter|{_FEW})(?: minutes?)? (?P<side>past|after|to|before|till) "
    rf"(?P<hour>{_NUMBER})\b"
)
_DIGITS = re.compile(r"(?<![\d:.])(?P<hour>[01]?\d|2[0-4])\s?[:.h]\s?(?P<minutes>[0-5]\d)(?![\d:])")
_WORDS = re.compile(
    rf"\b(?P<hour>{_HOURS})[ -](?P<minutes>fifteen|thirty[ -]five|thirty|twenty[ -]five|twenty|forty[ -]five|forty|"
    r"fifty[ -]five|fifty)\b"
)
_WHOLE = re.compile(rf"\b(?P<hour>{_NUMBER})\s?(?:o\W?clock|(?:[ap]\.?m\b))")
_ONLY = re.compile(r"\s*(?:about |at )?(?:[01]?\d|2[0-4]):[0-5]\d(?:\s?[ap]\.?m\.?)?\s*[.]?\s*", re.IGNORECASE)


def is_time(gold: str) -> bool:
    """Whether a reference answer is a time of day in digits, and nothing else."""
    return _ONLY.fullmatch(gold) is not None


def tells_time(said: str, gold: str) -> bool:
    """Whether a text names one time of day, and that is the one of a reference answer; without "am" or "pm" on one of
    both, as a clock shows it."""
    times, (wanted,) = _times(said), _times(gold)
    if len(times) != 1:
        return False
    time = next(iter(times))
    return time[0] == wanted[0] and (None in (time[1], wanted[1]) or time[1] == wanted[1])


def _times(text: str) -> set[tuple[int, bool | None]]:
    """Minutes after twelve, and whether that is after noon, of each time in a text; None where it leaves that open."""
    said = " ".join(text.casefold().split())
    late = True if _LATE.search(said) else False if _EARLY.search(said) else None
    found = set()
    for pattern in (_AFTER, _DIGITS, _WORDS, _WHOLE):
        for match in pattern.finditer(said):
            hour, minutes = _value(match["hour"]), _value(match.groupdict().get("minutes") or "0")
            if match.groupdict().get("side") in ("to", "before", "till"):
                hour, minutes = hour - 1, 60 - minutes
            found.add(((60 * hour + minutes) % _HALF_DAY, True if 12 < hour < 24 else late))
        said = pattern.sub(" ", said)
    return found


def _value(word: str) -> int:
    word = word.replace("-", " ")
    return _MINUTES[word] if word in _MINUTES else int(NUMBERS.get(word, word))
