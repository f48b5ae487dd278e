"""Templates: two groups without a sentence in common, and sentences that are good English."""

from __future__ import annotations

import re

import numpy as np
import pytest
from row_tables import each_row

from vantage.errors import SceneError
from vantage.questions.generation.question_templates import FORMS as OF_THE_SEARCH_SET
from vantage.questions.noise.pair_templates import FORMS, WORDINGS, filled, pick_form

KINDS = sorted(FORMS["dev"])


def test_both_groups_word_the_same_kinds() -> None:
    assert set(FORMS) == set(WORDINGS)
    assert set(FORMS["dev"]) == set(FORMS["test"])


@each_row("kind", KINDS)
def test_no_template_is_in_both_groups(kind: str) -> None:
    assert not set(FORMS["dev"][kind]) & set(FORMS["test"][kind])
    for wording in WORDINGS:
        assert len(set(FORMS[wording][kind])) == len(FORMS[wording][kind]) >= 2


def test_what_is_reported_on_is_no_template_of_the_search_set() -> None:
    others = {form.replace("{state}", "{value}") for forms in OF_THE_SEARCH_SET.values() for form in forms}
    for forms in FORMS["test"].values():
        for form in forms:
            assert re.sub(r"\{(is|does|has|it|Is|Does)\}", r"\1", form) not in others


@each_row("wording", WORDINGS)
@each_row("kind", KINDS)
def test_sentences_are_whole(wording: str, kind: str) -> None:
    for form in FORMS[wording][kind]:  # type: ignore[index]
        for several, the in ((False, "the mug on the desk"), (True, "the two mugs on the desk")):
            text = filled(form, the, several, "blue")
            assert text[0].isupper()
            assert text[-1] in ".?"
            assert the in text.lower()
            assert not re.search(r"[{}]|  ", text)
            assert ("blue" in text) == kind.startswith("is ")
            if several:
                assert not re.search(r"\b(desk (is|has|does)|(is|does|has) the two)\b", text)
                assert not text.startswith("Are blue")


def test_picks_every_template() -> None:
    rng = np.random.default_rng(0)
    assert {pick_form("dev", "color", rng) for _ in range(200)} == set(FORMS["dev"]["color"])


def test_refuses_an_unknown_group() -> None:
    with pytest.raises(SceneError, match=r"'best'.*dev, test"):
        pick_form("best", "color", np.random.default_rng(0))  # type: ignore[arg-type]
