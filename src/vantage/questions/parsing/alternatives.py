"""Questions about several objects at once, and those that put an alternative in words of their own.

"Are the two mugs the same color?", "Which of the towels is bigger, the green or the white one?", "Is it empty, or is
there still coffee in it?".
"""

from __future__ import annotations

from dataclasses import replace

from vantage.questions.lexicon import canonical
from vantage.questions.parsing import meanings
from vantage.questions.parsing.descriptions import Has
from vantage.questions.parsing.modifiers import SAME
from vantage.questions.parsing.nouns import is_kind, singular
from vantage.questions.parsing.patterns import Build, Captures
from vantage.questions.parsing.yes_no_questions import ALIKE, BE, DID, DO, IN_COMMON, WE
from vantage.questions.programs import Program


def _alike(found: Captures) -> Program | None:
    return meanings.all_alike(found["SHARED"], found["GROUP"])


def _print_alike(found: Captures) -> Program | None:
    return meanings.all_alike("text", found["GROUP"])


def _which_of(found: Captures) -> Program | None:
    """Which of the towels is bigger, the green or the white one?"""
    group = replace(found["GROUP"], determiner="the", number=None)
    pair = group.narrowed(found["ADJECTIVES"]), group.narrowed(found["ADJECTIVES2"])
    quantity = found["MORE"] if "MORE" in found else found["MOST"]
    return None if pair[0] is None or pair[1] is None else meanings.most_of_two(quantity, *pair)


def _state_or(found: Captures) -> Program | None:
    """Did I switch it off, or is it on?"""
    return meanings.query(found["SUBJECT"], "state") if _is_state(found["QUALITIES2"]) and _alone(found) else None


def _state_or_else(found: Captures) -> Program | None:
    """Is it empty, or is there still coffee in it?"""
    one = found["SUBJECT"].claimed is None
    return (
        meanings.query(found["SUBJECT"], "state") if one and _is_state(found["QUALITIES"]) and _alone(found) else None
    )


def _alone(found: Captures) -> bool:
    """Whether the other words speak of no other object."""
    kinds = {canonical(singular(word)[0]) for key in ("REST", "ELSE") for word in found.get(key, ()) if is_kind(word)}
    return kinds <= {found["SUBJECT"].description.kind}


def _is_state(said: meanings.Modifiers) -> bool:
    return all(isinstance(item, Has) and item.attribute == "state" for item in said)


def _sought(found: Captures) -> Program | None:
    """Has anyone seen my keys?"""
    sought = found["SUBJECT"]
    told = sought.determiner == "the" and not sought.description.whereabouts
    return meanings.query(sought, "place") if told else None


_EITHER = "[,] the ADJECTIVES [one] or [the] ADJECTIVES2 [one]"
_TURN = "turn|switch|put|leave|pull|shut|blow"

FORMS: tuple[tuple[str, Build], ...] = (
    (
        "[has|have] ( anyone|anybody|someone|somebody [of you] | any of you ) seen SUBJECT [anywhere|lately|around]",
        _sought,
    ),
    (f"{BE} [n't] GROUP [all|both] {ALIKE}", _alike),
    (f"{BE} [n't] GROUP [all|both] [exactly] alike|identical in SHARED", _alike),
    (f"{DO} [n't] GROUP [all|both] ( have|share|come in|with {ALIKE} | match in SHARED | {IN_COMMON} )", _alike),
    (f"has|have [n't] GROUP [all|both] [got] {ALIKE}", _alike),
    (f"IF GROUP are|have|share [all|both] {ALIKE}", _alike),
    (
        f"{DO} [n't] GROUP [all|both] ( say|read | have|bear|show|carry [WRITTEN] ) {SAME} PRINTED [on them|it]",
        _print_alike,
    ),
    (f"{DO} [n't] GROUP [all|both] say|read {SAME} [thing]", _print_alike),
    (f"[on|in] what|which [one] of GROUP {BE} [the] ( MORE | MOST ) [one] {_EITHER}", _which_of),
    (f"what|which GROUP {BE} [the] ( MORE | MOST ) [one] {_EITHER}", _which_of),
    (f"GROUP , what|which [one] [of them] {BE} [the] ( MORE | MOST ) [one] {_EITHER}", _which_of),
    (f"{BE} SUBJECT QUALITIES [,] or REST", _state_or_else),
    (f"{BE}|{DO}|has|have ELSE or {BE} SUBJECT QUALITIES", _state_or_else),
    (f"{DID} {WE} ELSE or {BE} SUBJECT ADVERBS QUALITIES", _state_or_else),
    (f"{BE}|{DO}|has|have SUBJECT ELSE [,] or {BE} it|they ADVERBS QUALITIES2", _state_or),
    (
        f"did|has|have {WE} [forget|remember|manage to] {_TURN} SUBJECT ( QUALITIES | out | up ) "
        f"or {BE} it ADVERBS QUALITIES2",
        _state_or,
    ),
)
