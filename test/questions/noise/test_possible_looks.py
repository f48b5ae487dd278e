"""What the name of a kind leaves open, and what people may ask and claim of it."""

from __future__ import annotations

from row_tables import each_row

from vantage.questions.noise.possible_looks import PossibleLooks
from vantage.questions.noise.usual_claims import UsualClaims

LOOKS = PossibleLooks(
    UsualClaims(
        frozenset(
            {
                ("potato", "color", "gray"),
                ("potato", "color", "green"),
                ("lunch box", "color", "red"),
                ("lunch box", "color", "blue"),
                ("lunch box", "material", "metal"),
                ("bowl", "material", "glass"),
            }
        )
    )
)


@each_row(
    "kind, attribute, is_open",
    [
        ("mug", "color", True),
        ("plant", "color", False),
        ("banana", "color", False),
        ("potato", "color", False),
        ("mirror", "color", False),
        ("lunch box", "color", True),
        ("lunch box", "material", False),
        ("book", "material", False),
        ("lamp", "material", False),
        ("vase", "material", False),
        ("bowl", "material", True),
        ("table", "shape", True),
        ("clock", "shape", True),
        ("bookshelf", "shape", False),
        ("disc", "shape", False),
        ("orange", "shape", False),
        ("remote", "shape", False),
        ("unicorn", "color", True),
        ("unicorn", "material", False),
    ],
)
def test_some_names_tell_what_could_be_asked(kind: str, attribute: str, is_open: bool) -> None:
    assert LOOKS.leaves_open(kind, attribute) == is_open
    assert LOOKS.suits(kind, attribute) == is_open


@each_row(
    "kind, attribute, value, suits",
    [
        ("apple", "color", "gray", False),
        ("apple", "color", "green", True),
        ("mug", "color", "gray", False),
        ("bookshelf", "shape", "round", False),
        ("table", "shape", "round", True),
        ("table", "shape", "spherical", False),
        ("bowl", "material", "paper", False),
        ("candle", "state", "on", False),
        ("lamp", "state", "on", True),
        ("candle", "state", "empty", False),
        ("glass", "state", "empty", True),
        ("plate", "state", "dirty", False),
        ("radio", "text", "", False),
        ("binder", "text", "", True),
        ("anything", "place", "", True),
    ],
)
def test_only_what_such_objects_can_be_is_said_of_them(kind: str, attribute: str, value: str, suits: bool) -> None:
    assert LOOKS.suits(kind, attribute, value) == suits


@each_row(
    "kind, rooms, suits",
    [
        ("mug", ("kitchen", "office"), True),
        ("mug", ("kitchen",), False),
        ("towel", ("bathroom", "bedroom"), False),  # which everybody looks for in the bathroom
        ("bed", ("bedroom", "living room"), False),
    ],
)
def test_rooms_are_asked_only_of_what_is_in_several(kind: str, rooms: tuple[str, ...], suits: bool) -> None:
    looks = PossibleLooks(UsualClaims(frozenset((kind, "room", room) for room in rooms)))
    assert looks.suits(kind, "room") == suits


def test_people_own_furniture_of_several_materials() -> None:
    assert {"wood", "metal", "glass"} <= LOOKS.of("table", "material")
    assert LOOKS.leaves_open("table", "material")
