"""Questions about numbers of things."""

from __future__ import annotations

from vantage.questions.parsing import meanings
from vantage.questions.parsing.forms_yes_no import BE, CAN, DO, SEE, WE, WITH_IT
from vantage.questions.parsing.patterns import Build, Captures
from vantage.questions.programs import Program

_MANY = "( how many | what number of ) [of]"
_NUMBER = "[total|exact] number|count|amount|quantity of"
_THE_NUMBER = "the number|amount|count of"
_OTHER_NUMBER = "[that|the number|amount|count of]"
_SAME_NUMBER = "( [exactly] the same | an equal | the equal ) number|amount of"


def _count(found: Captures) -> Program | None:
    said = (item for key in ("PREDICATE", "VERBAL", "PLACE", "TOTAL") for item in found.get(key, ()))
    return meanings.count(found["AMONG"] if "AMONG" in found else found["GROUP"], *said)


def _count_held(found: Captures) -> Program | None:
    place = meanings.held(found["SUBJECT"], found["HAVE"], found.get("RELATION", ""))
    return None if place is None else meanings.count(found["GROUP"], *place)


def _compare(found: Captures, relation: str = "") -> Program | None:
    said = relation or found["NUMERIC"]
    if "PLACE2" in found:  # more books on the shelf than on the desk
        return meanings.compare_numbers(said, found["BARE"], found["BARE"], found["PLACE"], found["PLACE2"])
    if "BARE2" in found:  # more mugs than plates on the table
        return meanings.compare_numbers(said, found["BARE"], found["BARE2"], found["PLACE"])
    return meanings.compare_numbers(said, found["GROUP"], found["GROUP2"])


def _equal(found: Captures) -> Program | None:
    return _compare(found, "equal")


def _compare_held(found: Captures) -> Program | None:
    """More chairs in one room than in another, more mugs than plates in one place."""
    place = meanings.held(found["SUBJECT"], found["HAVE"], found.get("RELATION", ""))
    if place is None:
        return None
    if "GROUP2" in found:
        return meanings.compare_numbers(found["NUMERIC"], found["GROUP"], found["GROUP2"], place)
    other = meanings.held(found["SUBJECT2"], found["HAVE"], found.get("RELATION", ""))
    if other is None:
        return None
    return meanings.compare_numbers(found["NUMERIC"], found["GROUP"], found["GROUP"], place, other)


def _comparisons() -> tuple[tuple[str, Build], ...]:
    found: list[tuple[str, Build]] = []
    for there in (f"{BE} [n't] there", f"IF there {BE}", f"{CAN} {WE} {SEE}", f"{DO} {WE} have"):
        found += [
            (f"{there} NUMERIC BARE than BARE2 PLACE", _compare),
            (f"{there} NUMERIC BARE PLACE than [there are] PLACE2", _compare),
            (f"{there} NUMERIC GROUP than [there are] GROUP2", _compare),
            (f"{there} [just] as many BARE as BARE2 PLACE", _equal),
            (f"{there} [just] as many BARE PLACE as [there are] PLACE2", _equal),
            (f"{there} [just] as many GROUP as [there are] GROUP2", _equal),
            (f"{there} {_SAME_NUMBER} BARE and|as|to BARE2 PLACE", _equal),
            (f"{there} {_SAME_NUMBER} BARE PLACE and|as PLACE2", _equal),
            (f"{there} {_SAME_NUMBER} GROUP and|as|to GROUP2", _equal),
        ]
    return tuple(found)


FORMS: tuple[tuple[str, Build], ...] = (
    (f"{_MANY} GROUP", _count),
    (f"{_MANY} GROUP {BE} [there] [PREDICATE]", _count),
    (f"{_MANY} GROUP there {BE} [PREDICATE]", _count),
    (f"{_MANY} GROUP {CAN} {WE} {SEE} [PREDICATE]", _count),
    (f"{_MANY} GROUP {CAN} {WE} have [PREDICATE]", _count),
    (f"{_MANY} GROUP {WE} [can] {SEE} [PREDICATE]", _count),
    (f"{_MANY} GROUP can be {SEE} [PREDICATE]", _count),
    (f"{_MANY} GROUP VERBAL", _count),
    (f"{_MANY} GROUP {DO} SUBJECT HAVE [{WITH_IT}]", _count_held),
    (f"{_MANY} GROUP SUBJECT HAVE [{WITH_IT}]", _count_held),
    (f"[what {BE}|give|state|report|determine|find|estimate] [the] {_NUMBER} GROUP", _count),
    (f"[what {BE}|give|state|report|determine|find|estimate] [the] {_NUMBER} GROUP PREDICATE", _count),
    (f"what [the] {_NUMBER} GROUP [PREDICATE] {BE}", _count),
    ("count [up] [all] [of] GROUP", _count),
    ("count [up] [all] [of] GROUP PREDICATE", _count),
    (f"{_MANY} GROUP {BE} [there] TOTAL", _count),
    (f"{_MANY} GROUP {CAN} {WE} ( have | {SEE} ) TOTAL", _count),
    (f"AMONG how many [of them|these|those] ( {BE} [there] [PREDICATE] | VERBAL )", _count),
    (f"AMONG how many [of them|these|those] ( {CAN} {WE} {SEE} | there {BE} ) [PREDICATE]", _count),
    *_comparisons(),
    (f"{BE} the number of GROUP AMOUNT [the number|amount|that of] GROUP2", lambda f: _compare(f, f["AMOUNT"])),
    (f"IF the number of GROUP {BE} AMOUNT [the number|amount|that of] GROUP2", lambda f: _compare(f, f["AMOUNT"])),
    (f"{DO} GROUP outnumber GROUP2", lambda found: _compare(found, "more")),
    (f"{BE} GROUP outnumbered by GROUP2", lambda found: _compare(found, "fewer")),
    (f"{DO} {_THE_NUMBER} GROUP exceed|surpass|top|outnumber {_OTHER_NUMBER} GROUP2", lambda f: _compare(f, "more")),
    (f"{DO} {_THE_NUMBER} GROUP equal|match {_OTHER_NUMBER} GROUP2", _equal),
    (f"{BE} GROUP more numerous than GROUP2", lambda found: _compare(found, "more")),
    (f"{BE} GROUP less numerous than GROUP2", lambda found: _compare(found, "fewer")),
    (f"{DO} [n't] SUBJECT HAVE NUMERIC GROUP than SUBJECT2 [{DO}] [{WITH_IT}]", _compare_held),
    (f"{DO} [n't] SUBJECT HAVE NUMERIC GROUP than GROUP2 [{WITH_IT}]", _compare_held),
)
