"""Bags with one flipped bit each: whether they are refused by name, or scored as if nothing had happened."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from vantage.errors import RecordingError, VantageError
from vantage.recording import read_bag_raw
from vantage.reports import score_bag

_METADATA_SHARE = 0.1  # of the flips
_TELL_EVERY = 100


def bench_flipped_bags(bag: Path, count: int, seed: int, folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Flip a bit of a copy of a bag so many times, each time another one alone, and score it.

    ``unnoticed`` counts those that are scored although a message of theirs differs, ``other_scores`` those of them with
    another score; ``crashed`` those that raise something else than an error in words.

    Args:
        bag: a complete bag, which is left alone.
        folder: for the copy.

    Raises:
        VantageError: the bag itself is not scored.
    """
    sound, messages = score_bag(bag), _messages(bag)
    if not sound.complete:
        raise VantageError(f"{bag} is not scored as it is ({sound.incomplete_reason}); give a complete bag")
    copy = folder / bag.name
    shutil.copytree(bag, copy)
    files = {suffix: next(path for path in copy.iterdir() if path.suffix == suffix) for suffix in (".mcap", ".yaml")}
    draw, found = random.Random(seed), Counter[str]()
    places: dict[str, list[str]] = {"unnoticed": [], "other_scores": [], "crashed": []}
    for number in range(count):
        path = files[".yaml" if draw.random() < _METADATA_SHARE else ".mcap"]
        data = path.read_bytes()
        at, bit = draw.randrange(len(data)), draw.randrange(8)
        path.write_bytes(data[:at] + bytes((data[at] ^ 1 << bit,)) + data[at + 1 :])
        try:
            outcomes = _outcomes(copy, sound, messages)
        finally:
            path.write_bytes(data)
        found.update(outcomes)
        for outcome in places.keys() & outcomes:
            places[outcome].append(f"bit {bit} of byte {at} of {path.name}")
        if (number + 1) % _TELL_EVERY == 0 or number + 1 == count:
            say(f"flipped bits {number + 1}/{count}: {dict(found)}")
    return {
        "flips": count,
        "refused_bags": found["refused"],
        **{key: found[key] for key in ("same", "unnoticed", "other_scores", "crashed")},
        "places": places,
    }


def _outcomes(bag: Path, sound: Any, messages: list[Any] | None) -> set[str]:
    try:
        score = score_bag(bag)
    except VantageError:
        return {"refused"}
    except Exception:  # what it is, the count says: nothing of this kind may come
        return {"crashed"}
    if not score.complete:
        return {"refused"}
    outcomes = {"same"} if _messages(bag) == messages else {"unnoticed"}
    if repr(replace(score, bag=sound.bag)) != repr(sound):  # a score may hold NaN, which equals nothing
        outcomes |= {"other_scores", "unnoticed"}
        outcomes -= {"same"}
    return outcomes


def _messages(bag: Path) -> list[Any] | None:
    """All that is in a bag; None where it cannot be read to its end."""
    try:
        return list(read_bag_raw(bag))
    except RecordingError:
        return None
