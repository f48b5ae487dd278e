"""What a thing is for, said of it or asked for: "the thing to cut bread with", "where could I sit down"."""

from __future__ import annotations

from collections.abc import Iterator

from vantage.questions.parsing import meanings, use_phrases
from vantage.questions.parsing.attribute_questions import WHAT
from vantage.questions.parsing.descriptions import Description, Has
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.patterns import Build, Captures, Chart, Found, Rule, either, rule, table
from vantage.questions.parsing.yes_no_questions import BE, CAN, WE
from vantage.questions.programs import Program


def _said(form: str) -> Rule:
    def read(chart: Chart, start: int) -> Iterator[Found]:
        for name, end in use_phrases.uses_at(chart.words, start, form):
            yield Found((Has("use", name),), end)

    return read


def _use(found: Captures) -> tuple[Has, ...]:
    said: tuple[Has, ...] = next(found[key] for key in ("USE", "USING", "USES", "SERVING", "SERVES") if key in found)
    return said


def _which(found: Captures) -> Program | None:
    """What it is, of a thing with a use; of "which thing in the kitchen", of one there."""
    place = (*found.get("PLACE", ()), *found.get("PLACE2", ()), *found.get("AHEAD", ()))
    return meanings.identify(found.get("GROUP", Phrase(Description(), "the")), *_use(found), *place)


def _how_many(found: Captures) -> Program | None:
    return meanings.count(found["GROUP"], *_use(found), *found.get("PLACE2", ()))


_MAY = "( can|could|may|might|would|should|will|must|do|usually|normally | [would] want|need|like to )"
_WHOM = f"( me|us|you|him|her|them|one|people | {WE} )"
_TO = "( to USE | [in order] to USE | for|in|when|while USING )"

RULES: dict[str, Rule] = {
    "USE": _said("base"),
    "USING": _said("ing"),
    "USES": _said("s"),
    "USED": table(dict.fromkeys(use_phrases.USED, True)),
    "EMPLOY": table(dict.fromkeys(use_phrases.EMPLOY, True)),
    "FITTING": table(dict.fromkeys(use_phrases.FITTING, True)),
    "HELPING": table(dict.fromkeys(use_phrases.HELPING, True)),
    "AIM": table(dict.fromkeys(use_phrases.AIM, True)),
    "WANTING": table(dict.fromkeys(use_phrases.WANTING, True)),
    # Behind "is" or a noun: "used to cut bread", "for cutting bread".
    "SERVING": rule(
        (f"ADVERBS ( USED | FITTING ) [for {_WHOM}] {_TO}", _use),
        (f"to be USED {_TO}", _use),
        ("for USING", _use),
    ),
    # What a thing does, or what is done with it.
    "SERVES": rule(
        ("USES", _use),
        (f"HELPING [{_WHOM}] [to|in|with|for] USE", _use),
        (f"HELPING [{_WHOM}] in|with|for|by USING", _use),
        (f"{_MAY} USE", _use),
        (f"{_MAY} be ( USED | FITTING ) {_TO}", _use),
        (f"gets|get|has|have been USED {_TO}", _use),
    ),
    # Behind a noun alone.
    "PURPOSE": rule(
        ("to USE", _use),
        (f"[that|which] {WE} [{_MAY}] USE", _use),
        (f"[that|which] {WE} [{_MAY}] EMPLOY {_TO}", _use),
        (f"with|on|in|at|from|under|into which {WE} [{_MAY}] USE", _use),
        (f"where {WE} [{_MAY}] USE", _use),
        ("whose AIM is ( to USE | USING )", _use),
    ),
}

_THING = "[SORTED] [PLACE]"
_ASKED = either(f"{WHAT} {_THING}", f"{WHAT} kind|sort|type of {_THING}", f"{WHAT} [one] of the things [PLACE]")
_WISH = f"{WE} [would|do|am|are|'d|really] WANTING to USE [PLACE]"

FORMS: tuple[tuple[str, Build], ...] = (
    (f"{_ASKED} {CAN} {WE} USE [PLACE2]", _which),
    (f"{_ASKED} {CAN} {WE} EMPLOY [PLACE2] {_TO} [PLACE2]", _which),
    (f"{_ASKED} {CAN} {WE} WANTING to USE [PLACE2]", _which),
    (f"{_ASKED} {WE} {_MAY} USE [PLACE2]", _which),
    (f"{_ASKED} {WE} {_MAY} EMPLOY [PLACE2] {_TO} [PLACE2]", _which),
    (f"where {WE} {_MAY} [go to] USE [PLACE2]", _which),
    (f"{WHAT} GROUP {CAN} {WE} USE [PLACE2]", _which),
    (f"{WHAT} GROUP {CAN} {WE} EMPLOY {_TO} [PLACE2]", _which),
    (f"how many GROUP {CAN} {WE} USE [PLACE2]", _how_many),
    (f"how many GROUP {CAN} {WE} EMPLOY {_TO} [PLACE2]", _how_many),
    (f"{_ASKED} SERVES [PLACE2]", _which),
    (f"{_ASKED} {BE} [there] [PLACE2] ( to USE | SERVING )", _which),
    (f"{_ASKED} {BE} ( to USE | SERVING ) [PLACE2]", _which),
    (f"{_ASKED} {BE} there [PLACE2] [that|which] {WE} {_MAY} USE", _which),
    (f"{_ASKED} {_MAY} be [the] SERVING [PLACE2]", _which),
    (f"with|on|in|at|from|under|into {WHAT} [SORTED] {CAN} {WE} USE [PLACE2]", _which),
    (f"where [PLACE] {CAN} {WE} [go to] USE [PLACE2]", _which),
    (f"where [PLACE] {CAN} {WE} ( EMPLOY | go|turn ) [PLACE2] [in order] to USE", _which),
    (f"where {BE} the|a FITTING place|spot to USE [PLACE2]", _which),
    (f"where {BE} [it] FITTING to USE [PLACE2]", _which),
    ("where|what to USE [PLACE2]", _which),
    (f"{_WISH} , {WHAT} [SORTED] {CAN} {WE} EMPLOY [for that|it] [PLACE2]", _which),
    (f"{_WISH} , {WHAT} [SORTED] {BE} there [for that|it] [PLACE2]", _which),
    (f"{_WISH} , where {CAN} {WE} [do that|it] [PLACE2]", _which),
    (f"[in order] to USE [PLACE] [,] {WHAT} [SORTED] {CAN} {WE} EMPLOY [PLACE2]", _which),
    (f"for USING [PLACE] [,] {WHAT} [SORTED] {CAN} {WE} EMPLOY [PLACE2]", _which),
)
