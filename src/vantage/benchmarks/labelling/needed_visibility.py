"""What a view must show for a question to be answered, as far as words decide it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache

from vantage.questions import Filter, Query, QueryEach, Step, Verify, read_program
from vantage.types import NoiseType, TruthQuestion


@dataclass(frozen=True)
class Needs:
    """What is asked of a view, besides showing enough of every target.

    Attributes:
        absent: the truth is that something is not there, so that the targets are the places where it could be; these
            have to be recognised, whatever is asked of what is not there.
        print: words on the targets have to be read.
        words: those that tell which thing is meant; where there are any, others on the targets need not be read.
        state: the first target's state has to be told.
        among: all that is on the place of the targets has to be seen, to count or compare it.
        pixels: the field of ``VisibilitySettings`` with the pixels that a target needs.
    """

    absent: bool = False
    print: bool = False
    words: frozenset[str] = frozenset()
    state: bool = False
    among: bool = False
    pixels: str = "pixels"


_AMONG = ("count", "sameness", "superlative")  # kinds of questions

_PIXELS = {  # by what is asked
    "color": "colour_pixels",
    "sameness": "colour_pixels",  # of color alone
    "material": "material_pixels",
    "count": "count_pixels",
}


@lru_cache(maxsize=4096)
def needs_of(truth: TruthQuestion) -> Needs:
    """What a question needs.

    Raises:
        FormatError: its program cannot be read.
    """
    program = read_program(truth.program) if truth.program else None
    steps = list(_steps(program)) if program is not None else []
    asked = program.attribute if isinstance(program, (Query, QueryEach, Verify)) else ""
    words = {step.value for step in steps if isinstance(step, Filter) and step.attribute == "text"}
    reads = asked == "text" or bool(words)
    absent = truth.noise_type == NoiseType.LATENT or (truth.kind == "existence" and _first_word(truth.answer) == "no")
    named = frozenset() if asked == "text" else frozenset(words)
    if absent:
        return Needs(absent, reads, named, asked == "state")
    return Needs(
        absent, reads, named, asked == "state", truth.kind in _AMONG, _PIXELS.get(asked or truth.kind, "pixels")
    )


def _steps(step: Step) -> Iterator[Step]:
    yield step
    for item in fields(step):
        value = getattr(step, item.name)
        if is_dataclass(value):
            yield from _steps(value)  # type: ignore[arg-type]


def _first_word(answer: str) -> str:
    return answer.lower().replace(",", " ").replace(".", " ").partition(" ")[0]
