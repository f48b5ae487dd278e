"""Questions about numbers of objects."""

from __future__ import annotations

from dataclasses import replace

from vantage.questions.parsing import meanings
from vantage.questions.parsing.modifiers import SAME, STANDS
from vantage.questions.parsing.patterns import Build, Captures
from vantage.questions.parsing.yes_no_questions import BE, CAN, DID, DO, LEAVE, OWN, SEE, WE, WITH_IT
from vantage.questions.programs import Program

_SUM = "number|quantity|amount|count|total|sum"
_MANY = (
    f"( how many | what|which {_SUM} of | how large|big|great|high|small a {_SUM} of ) "
    "[of | out of | among | from | from among | amongst]"
)
_NUMBER = "[total|exact|overall|precise|full|current] number|count|amount|quantity|tally|total of"
_STATE = (
    f"( what {BE} | what would|might|could be | give|tell|show [me] | "
    "state|report|determine|find|estimate|provide|count|establish | )"
)
_THE_NUMBER = "the number|amount|count of"
_OTHER_NUMBER = "( that of | the number|amount|count of | )"
_SAME_NUMBER = (
    "( ( [exactly|just] the same | an equal | the equal | an identical ) number|amount of | "
    "equal|identical numbers|amounts of | equally|similarly many )"
)
_IN_EQUAL_NUMBERS = "in equal|identical|similar numbers|number|amounts|quantities"
_EQUALLY_MANY = "( [exactly] equal|identical|alike in number|numbers | equally many|numerous|common | as many )"
_THE_SAME = f"( [exactly] equal|identical|alike | {SAME} )"
_MORE_THERE = f"( {BE} there | {CAN} {WE} ( {OWN} | {SEE} ) | have|has {WE} )"
_AS_MANY = "[just|exactly|precisely|equally] as many"


def _count(found: Captures) -> Program | None:
    said = (item for key in ("PREDICATE", "VERBAL", "PLACE", "TOTAL") for item in found.get(key, ()))
    return meanings.count(found["AMONG"] if "AMONG" in found else found["GROUP"], *said)


def _count_elsewise(found: Captures) -> Program | None:
    others = meanings.elsewise(found["PLACE"], found["NP"])
    return None if others is None else meanings.count(found["GROUP"], *others)


def _count_held(found: Captures) -> Program | None:
    place = meanings.held(found["SUBJECT"], found["HAVE"], found.get("RELATION", ""))
    return None if place is None else meanings.count(found["GROUP"], *place)


def _compare(found: Captures, relation: str = "") -> Program | None:
    said = relation or found["NUMERIC"]
    if "PLACE2" in found:  # more books on the shelf than on the desk
        return meanings.compare_numbers(said, found["BARE"], found["BARE"], found["PLACE"], found["PLACE2"])
    if "BARE2" in found and "PLACE" in found:  # more mugs than plates on the table
        return meanings.compare_numbers(said, found["BARE"], found["BARE2"], found["PLACE"])
    first, second = (found[key] for key in (("BARE", "BARE2") if "BARE2" in found else ("GROUP", "GROUP2")))
    return meanings.compare_numbers(said, first, second)


def _equal(found: Captures) -> Program | None:
    return _compare(found, "equal")


def _compare_held(found: Captures) -> Program | None:
    """More chairs in one room than in another, more mugs than plates in one place."""
    place = meanings.held(found["SUBJECT"], found["HAVE"], found.get("RELATION", ""))
    if place is None:
        return None
    if "GROUP2" in found:
        return meanings.compare_numbers(found["NUMERIC"], found["GROUP"], found["GROUP2"], place)
    if found["SUBJECT2"].plural and not found["SUBJECT2"].determiner:  # more chairs than stools
        return None
    other = meanings.held(found["SUBJECT2"], found["HAVE"], found.get("RELATION", ""))
    if other is None:
        return None
    return meanings.compare_numbers(found["NUMERIC"], found["GROUP"], found["GROUP"], place, other)


def _equal_held(found: Captures) -> Program | None:
    return _compare_held({**found, "NUMERIC": "equal"})


def _count_had(found: Captures) -> Program | None:
    return _count_held({**found, "HAVE": "have"})


def _compare_qualities(found: Captures) -> Program | None:
    group = replace(found["GROUP"], number=None)
    first, second = group.narrowed(found["QUALITIES"]), group.narrowed(found["QUALITIES2"])
    return None if first is None or second is None else meanings.compare_numbers(found["NUMERIC"], first, second)


def _compare_adjectives(found: Captures) -> Program | None:
    """More red than blue mugs."""
    return _compare_qualities({**found, "QUALITIES": found["ADJECTIVES"], "QUALITIES2": found["ADJECTIVES2"]})


def _equal_adjectives(found: Captures) -> Program | None:
    return _compare_adjectives({**found, "NUMERIC": "equal"})


def _compare_places(found: Captures) -> Program | None:
    group = found["GROUP"]
    return meanings.compare_numbers(found["NUMERIC"], group, group, found["PLACE"], found["PLACE2"])


def _comparisons() -> tuple[tuple[str, Build], ...]:
    found: list[tuple[str, Build]] = []
    for there in (
        f"{BE} [n't] there",
        f"IF there {BE}",
        f"{CAN} {WE} {SEE}",
        f"{DID} {WE} {OWN}",
        f"have|has {WE}",
        f"IF {WE} {OWN}",
    ):
        found += [
            (f"{there} NUMERIC BARE than BARE2 PLACE", _compare),
            (f"{there} NUMERIC BARE PLACE than [there are] PLACE2", _compare),
            (f"{there} NUMERIC GROUP than [there are] GROUP2", _compare),
            (f"{there} {_AS_MANY} BARE as BARE2 PLACE", _equal),
            (f"{there} {_AS_MANY} BARE PLACE as [there are] PLACE2", _equal),
            (f"{there} {_AS_MANY} GROUP as [there are] GROUP2", _equal),
            (f"{there} BARE and BARE2 [PLACE] {_IN_EQUAL_NUMBERS}", _equal),
            (f"{there} {_SAME_NUMBER} BARE and|as|to BARE2 PLACE", _equal),
            (f"{there} {_SAME_NUMBER} BARE PLACE and|as PLACE2", _equal),
            (f"{there} {_SAME_NUMBER} ADJECTIVES and|as|to ADJECTIVES2 GROUP", _equal_adjectives),
            (f"{there} ADJECTIVES and ADJECTIVES2 GROUP {_IN_EQUAL_NUMBERS}", _equal_adjectives),
            (f"{there} {_SAME_NUMBER} GROUP and|as|to GROUP2", _equal),
        ]
    return tuple(found)


FORMS: tuple[tuple[str, Build], ...] = (
    (f"{_MANY} GROUP", _count),
    (f"{_MANY} GROUP {BE} [there] [PREDICATE]", _count),
    (f"{_MANY} GROUP {BE} [there] PLACE BESIDES NP", _count_elsewise),
    (f"BESIDES NP , {_MANY} GROUP {BE} [there] PLACE", _count_elsewise),
    (f"{_MANY} GROUP {BE} there that|which ( {BE} PREDICATE | VERBAL )", _count),
    (f"{_MANY} GROUP there {BE} [PREDICATE]", _count),
    (f"{_MANY} GROUP {CAN} {WE} {SEE} [PREDICATE]", _count),
    (f"{_MANY} GROUP {DID} {WE} {OWN} [PREDICATE]", _count),
    (f"{_MANY} GROUP {WE} [can] {SEE} [PREDICATE]", _count),
    (f"{_MANY} GROUP have|has {WE} [got] [PREDICATE]", _count),
    (f"{_MANY} GROUP {CAN} {WE} count|counted [PREDICATE]", _count),
    (f"{_MANY} GROUP can be {SEE} [PREDICATE]", _count),
    (f"{_MANY} GROUP VERBAL", _count),
    (f"{_MANY} GROUP {DO} SUBJECT HAVE [{WITH_IT}]", _count_held),
    (f"{_MANY} GROUP SUBJECT HAVE [{WITH_IT}]", _count_held),
    (f"{_STATE} [the|a] {_NUMBER} GROUP", _count),
    (f"{_STATE} [the|a] {_NUMBER} GROUP PREDICATE", _count),
    (f"{_MANY} GROUP {DID} {WE} {LEAVE} [PREDICATE]", _count),
    (f"{_MANY} GROUP {WE} {LEAVE}|{OWN} [PREDICATE]", _count),
    (f"{_MANY} GROUP has|have SUBJECT [got] [{WITH_IT}]", _count_had),
    (f"{_MANY} GROUP make|makes|form|forms up|in [the|this|our|my] EVERYWHERE", _count),
    (f"how many {BE} there of GROUP", _count),
    (f"how large|big|great|high|small {BE} [the|a] {_NUMBER} GROUP [PREDICATE]", _count),
    (f"how numerous {BE} GROUP", _count),
    (f"{_MANY} GROUP would|might|could|may|should be PREDICATE", _count),
    (f"[the] {_NUMBER} GROUP {BE} what", _count),
    (f"AMONG how many [of them|these|those] {DID} {WE} {OWN} [PREDICATE]", _count),
    (f"{DO} NUMERIC GROUP {STANDS} PLACE than PLACE2", _compare_places),
    (f"IF {_MORE_THERE} NUMERIC ADJECTIVES than ADJECTIVES2 GROUP", _compare_adjectives),
    (f"IF {_MORE_THERE} {_AS_MANY} ADJECTIVES as ADJECTIVES2 GROUP", _equal_adjectives),
    ("IF NUMERIC GROUP than GROUP2", _compare),
    (f"{DO} NUMERIC BARE than BARE2 {STANDS} PLACE", _compare),
    (f"{BE} NUMERIC BARE than BARE2 PLACE", _compare),
    (f"{_MANY} GROUP {BE} {WE} talking|speaking about", _count),
    (f"{BE} NUMERIC [of] GROUP QUALITIES than [are] QUALITIES2", _compare_qualities),
    (f"{BE} NUMERIC [of] GROUP PLACE than [are] PLACE2", _compare_places),
    ("how many of GROUP there are", _count),
    (f"GROUP , [and] how many [of them] [{BE} there|they]", _count),
    (f"what [the] {_NUMBER} GROUP [PREDICATE] {BE}", _count),
    ("count|tally [up] [all] [of] GROUP", _count),
    ("count|tally [up] [all] [of] GROUP PREDICATE", _count),
    (f"{_MANY} GROUP {BE} [there] TOTAL", _count),
    (f"{_MANY} GROUP {CAN} {WE} ( have | {SEE} ) TOTAL", _count),
    (f"AMONG how many [of them|these|those] ( {BE} [there] [PREDICATE] | VERBAL )", _count),
    (f"AMONG how many [of them|these|those] ( {CAN} {WE} {SEE} | there {BE} ) [PREDICATE]", _count),
    *_comparisons(),
    (
        f"{BE} the number of GROUP AMOUNT ( the number|amount|count of | that of | ) GROUP2",
        lambda f: _compare(f, f["AMOUNT"]),
    ),
    (
        f"IF the number of GROUP {BE} AMOUNT ( the number|amount|count of | that of | ) GROUP2",
        lambda f: _compare(f, f["AMOUNT"]),
    ),
    (f"{DO} GROUP outnumber GROUP2", lambda found: _compare(found, "more")),
    (f"{BE} GROUP outnumbered by GROUP2", lambda found: _compare(found, "fewer")),
    (f"{DO} {_THE_NUMBER} GROUP exceed|surpass|top|outnumber {_OTHER_NUMBER} GROUP2", lambda f: _compare(f, "more")),
    (f"{DO} {_THE_NUMBER} GROUP equal|match {_OTHER_NUMBER} GROUP2", _equal),
    (f"{BE} GROUP more numerous than GROUP2", lambda found: _compare(found, "more")),
    (f"{BE} GROUP less numerous than GROUP2", lambda found: _compare(found, "fewer")),
    (f"{DO} [n't] SUBJECT HAVE {_AS_MANY} GROUP as SUBJECT2 [{DO}] [{WITH_IT}]", _equal_held),
    (f"{DO} [n't] SUBJECT HAVE {_AS_MANY} GROUP as GROUP2 [{WITH_IT}]", _equal_held),
    (f"{BE} BARE and BARE2 {_EQUALLY_MANY}", _equal),
    (f"{BE} [the] ADJECTIVES and [the] ADJECTIVES2 GROUP {_EQUALLY_MANY}", _equal_adjectives),
    (f"{BE} the number of ADJECTIVES and [of] ADJECTIVES2 GROUP {_THE_SAME}", _equal_adjectives),
    (f"{DO} BARE and BARE2 exist|occur|come {_IN_EQUAL_NUMBERS}", _equal),
    (f"{DO} ADJECTIVES and ADJECTIVES2 GROUP exist|occur|come {_IN_EQUAL_NUMBERS}", _equal_adjectives),
    (f"{BE} GROUP as numerous as GROUP2", _equal),
    (f"{BE} the number of GROUP and ( the number of | that of | of | ) GROUP2 {_THE_SAME}", _equal),
    (f"{DO} [n't] SUBJECT HAVE NUMERIC GROUP than SUBJECT2 [{DO}] [{WITH_IT}]", _compare_held),
    (f"{DO} [n't] SUBJECT HAVE NUMERIC GROUP than GROUP2 [{WITH_IT}]", _compare_held),
)
