"""Every kind of object that generated and ProcTHOR homes hold, or that false premises speak of, is understood as such.

A kind is understood where the question about it means what the same question about a mug means.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import cycle, islice

import pytest
from row_tables import each_row

from vantage.questions.lexicon.inflection import plural
from vantage.questions.lexicon.related_kinds import table
from vantage.questions.lexicon.synonyms import canonical
from vantage.questions.noise.pair_templates import FORMS, filled
from vantage.questions.parsing.nouns import name_of
from vantage.questions.parsing.parser import parse
from vantage.questions.programs import program_text
from vantage.scenes.catalog.catalog import labels
from vantage.scenes.procthor.asset_database import CLASSES

KINDS = sorted({*labels(), *table(), *(entry.label for entry in CLASSES.values() if entry.label)})
VALUES = {"is color": "blue", "is material": "glass", "is shape": "round", "is state": "open"}
TEMPLATES = [(form, VALUES.get(kind, "")) for forms in FORMS.values() for kind in forms for form in forms[kind]]
LEADS = ("", "red ", "wooden ", "small ", "large red ", "orange plastic ")
TAILS = ("", " in the living room", " on the red table", " next to the glass bowl")
EACH = 2  # questions of each kind; together they go through all templates several times


def asked(form: str, value: str, noun: str, lead: str, tail: str, several: bool) -> str:
    objects = f"two {lead}{plural(noun)}" if several else f"{lead}{noun}"
    return filled(form, f"the {objects}{tail}", several, value)


def read(text: str) -> tuple[str, int | None] | None:
    parsed = parse(text)
    return None if parsed is None else (program_text(parsed.program), parsed.number)


@lru_cache(maxsize=4096)
def of_a_mug(form: str, value: str, lead: str, tail: str, several: bool) -> tuple[str, int | None] | None:
    return read(asked(form, value, "mug", lead, tail, several))


@each_row("kind", KINDS)
def test_a_name_in_the_singular_and_in_the_plural_is_the_kinds_own(kind: str) -> None:
    for noun in (kind, plural(kind)):
        name = name_of(tuple(noun.split()))
        assert name is not None
        assert name.label == canonical(kind)


def test_nearly_all_forms_of_questions_are_understood() -> None:
    understood = sum(
        of_a_mug(form, value, "", "", several) is not None for form, value in TEMPLATES for several in (False, True)
    )
    assert understood >= 0.95 * 2 * len(TEMPLATES)


def test_every_kind_is_understood_in_every_form_of_question_as_a_mug_is() -> None:
    templates = cycle(TEMPLATES)
    for at, kind in enumerate(KINDS):
        for turn, (form, value) in enumerate(islice(templates, EACH)):
            several = (at + turn) % 2 == 0
            lead, tail = LEADS[(at + 2 * turn) % len(LEADS)], TAILS[(at + turn) % len(TAILS)]
            meant = of_a_mug(form, value, lead, tail, several)
            expected = meant and (meant[0].replace("'mug'", repr(canonical(kind))), meant[1])
            text = asked(form, value, kind, lead, tail, several)
            assert read(text) == expected, text


def test_the_kinds_of_both_worlds_are_among_them_and_words_of_other_classes_are_no_names() -> None:
    assert len(KINDS) > 200
    assert {"disc", "thermos", "cloth", "dog bed", "television stand", "watering can"} < set(KINDS)
    for words in ("delete", "the", "red", "wooden", "something", "red mug"):
        assert name_of(tuple(words.split())) is None


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("Is the towel made of cloth?", "verify(unique(filter(scene(), 'label', 'towel')), 'material', 'fabric')"),
        (
            "Where is the cloth bag?",
            "query(unique(filter(filter(scene(), 'label', 'bag'), 'material', 'fabric')), 'place')",
        ),
        ("Where are my keys?", "query(unique(filter(scene(), 'label', 'key')), 'place')"),
    ],
)
def test_words_with_two_meanings_keep_the_other_one(text: str, program: str) -> None:
    parsed = parse(text)
    assert parsed is not None
    assert program_text(parsed.program) == program
