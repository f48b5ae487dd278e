"""What a reader may take a name for."""

from __future__ import annotations

from row_tables import each_row

from vantage.questions.lexicon.names_read import could_be_called
from vantage.scenes.catalog.catalog import labels


@each_row(
    "label, name, could",
    [
        ("mug", "cup", True),
        ("glass", "cup", True),
        ("desk", "table", True),
        ("couch", "sofa", True),
        ("lamp", "floor lamp", True),
        ("basket", "laundry basket", True),
        ("laundry basket", "basket", True),
        ("shelf", "bookcase", True),
        ("television", "monitor", True),
        ("mugs", "cups", True),
        ("chair", "stool", True),
        ("bowl", "cup", False),
        ("counter", "table", False),
        ("bed", "sofa", False),
        ("vase", "lamp", False),
        ("gizmo", "cup", False),
        ("gizmo", "gizmo", True),
        ("", "cup", False),
    ],
)
def test_synonyms_wider_and_narrower_words_may_be_meant(label: str, name: str, could: bool) -> None:
    assert could_be_called(label, name) == could
    assert could_be_called(name, label) == could


def test_few_kinds_of_the_catalogue_share_a_name() -> None:
    shared = {name: [each for each in labels() if could_be_called(each, name)] for name in labels()}
    assert all(name in kinds for name, kinds in shared.items())
    assert max(map(len, shared.values())) <= 7
    assert sum(len(kinds) == 1 for kinds in shared.values()) > len(shared) / 3
