"""What is asked of the things in a scene names each of them alone and offers no look-alikes."""

from __future__ import annotations

import numpy as np

from vantage.panel import KINDS, Ask, asks_of
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec


def thing(number: int, label: str, color: str = "", text: str = "", look: str = "", **more: object) -> ObjectSpec:
    part = Part("box", (0.0, 0.0, 0.1), (0.2, 0.2, 0.2), (0.5, 0.5, 0.5), text=text, look=look)
    values = {"material": "", "position": (float(number), 0.0, 0.0), "yaw": 0.0, "parts": (part,), **more}
    return ObjectSpec(number, label, color, **values)  # type: ignore[arg-type]


HOME = SceneSpec(
    "home",
    0,
    1,
    (-9.0, -9.0, 0.0),
    (9.0, 9.0, 2.5),
    (
        thing(1, "laundry basket", "white", material="plastic"),
        thing(2, "basket", "brown", states=("closed",)),
        thing(3, "binder", "red", "BILLS"),
        thing(4, "binder", "blue", "TAXES"),
        thing(5, "binder", "blue", "HOUSE"),
        thing(6, "shelf", "black"),
        thing(7, "candle", "white", relation="on", parent=6),
        thing(8, "candle", "white", relation="on", parent=6),
        thing(9, "lamp", "green", states=("on",)),
        thing(10, "wall", "white"),
        thing(11, "monitor", "black", look="screen", states=("off",)),
    ),
)


def asks() -> dict[str, list[Ask]]:
    return asks_of(HOME, ["CIRCUS", "2024", "RIVER"], np.random.default_rng(0))


def test_only_kinds_are_asked_of_which_there_are_things() -> None:
    found = asks()
    assert set(found) <= set(KINDS)
    assert "letter" not in found  # none of its words is given


def test_prints_are_asked_for_where_a_name_suffices() -> None:
    found = asks_of(HOME, ["BILLS", "TAXES", "HOUSE", "CINEMA"], np.random.default_rng(0))
    (ask,) = found["letter"]  # two binders are blue
    assert ask.question == "What is printed on the red binder?"
    assert (ask.answer, ask.targets, ask.alike) == ("BILLS", (3,), (3, 4, 5))
    assert len(ask.replies) == 4
    assert "query" in ask.program


def test_things_that_may_be_called_alike_are_no_foils_and_no_wrong_replies() -> None:
    found = asks()
    baskets = [ask for ask in found["size"] if "basket" in ask.answer]
    assert [ask.alike for ask in baskets] == [(1, 2), (1, 2)]
    for ask in found["size"]:
        wrong = [reply for reply in ask.replies if reply != ask.answer]
        assert len(wrong) == 3
        assert not any({"basket", "binder", "candle", "lamp", "monitor"} & set(reply.split()) for reply in wrong)


def test_states_and_numbers_offer_what_there_can_be() -> None:
    found = asks()
    assert {ask.question: ask.replies for ask in found["state"]} == {
        "Is the basket open or closed?": ("open", "closed"),
        "Is the lamp on or off?": ("on", "off"),
        "Is the monitor on or off?": ("on", "off"),
    }
    assert [ask.targets for ask in found["front"]] == [(11,)], "a lamp has no front"
    (count,) = found["count"]
    assert count.question == "How many things of the kind 'candle' are on the shelf?"
    assert (count.answer, len(count.replies), count.targets) == ("2", 4, (7, 8))
    assert "2" in count.replies


def test_the_building_is_not_asked_about() -> None:
    assert all(10 not in ask.targets for each in asks().values() for ask in each)


def test_what_is_asked_of_a_top_is_nowhere_in_the_scene() -> None:
    [top] = asks()["top"]
    assert (top.answer, top.replies, top.targets) == ("no", ("yes", "no"), (6,))
    assert top.question.endswith("on the shelf?")
    labels = {obj.label for obj in HOME.objects}
    assert not any(label in top.question.removesuffix("on the shelf?") for label in labels)


def test_a_place_is_asked_about_as_what_is_counted_on_it() -> None:
    [count], [place] = asks()["count"], asks()["place"]
    assert (place.question, place.answer, place.targets) == (count.question, "2", (7, 8))
