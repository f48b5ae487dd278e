"""What questions need of a view, told from their gold data."""

from __future__ import annotations

import pytest

from vantage.benchmarks.labelling.needed_visibility import Needs, needs_of
from vantage.errors import FormatError
from vantage.types import NoiseType, TruthQuestion

BOX = "unique(filter(scene(), 'label', 'box'))"
OPENED = "unique(filter(scene(), 'state', 'open'))"


def truth(kind: str, answer: str, program: str = "") -> TruthQuestion:
    return TruthQuestion("q", kind, answer, program=program)


@pytest.mark.parametrize(
    ("question", "needs"),
    [
        (truth("existence", "No, there is none."), Needs(absent=True)),
        (TruthQuestion("q", "color", "", (), False, NoiseType.LATENT), Needs(absent=True)),
        (TruthQuestion("q", "count", "", (), False, NoiseType.LATENT), Needs(absent=True)),
        (truth("existence", "yes"), Needs()),
        (truth("state", "no"), Needs()),
        (truth("text", "BOOKS", f"query({BOX}, 'text')"), Needs(print=True)),
        (
            truth("location", "on the bed", "query(unique(filter(scene(), 'text', 'TOYS')), 'place')"),
            Needs(print=True, words=frozenset({"TOYS"})),
        ),
        (truth("state", "no", f"verify({BOX}, 'state', 'open')"), Needs(state=True)),
        (truth("state", "open", f"query({BOX}, 'state')"), Needs(state=True)),
        (
            truth("color", "red", "query(unique(filter(scene(), 'state', 'open')), 'color')"),
            Needs(pixels="colour_pixels"),
        ),
        (truth("color", "red"), Needs(pixels="colour_pixels")),
        (truth("color", "yes", f"verify({BOX}, 'color', 'red')"), Needs(pixels="colour_pixels")),
        (truth("material", "wood", f"query({BOX}, 'material')"), Needs(pixels="material_pixels")),
        (truth("count", "2", "count(filter(scene(), 'label', 'box'))"), Needs(among=True, pixels="count_pixels")),
        (truth("sameness", "2"), Needs(among=True, pixels="colour_pixels")),
        (truth("superlative", "box"), Needs(among=True)),
        (truth("superlative", "red", f"query({BOX}, 'color')"), Needs(among=True, pixels="colour_pixels")),
        (truth("comparison", "yes"), Needs()),
    ],
)
def test_needs(question: TruthQuestion, needs: Needs) -> None:
    assert needs_of(question) == needs


def test_a_program_that_is_none_is_an_error() -> None:
    with pytest.raises(FormatError, match="unknown step 'look'"):
        needs_of(truth("color", "red", "look()"))
