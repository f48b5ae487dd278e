"""What is opened to look for a thing: what usually keeps it, one thing after another, and closed again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vantage.config import Settings
from vantage.goals import Fact, Reason, ReasonKind, Ruling, SceneFacts, SceneObject, object_key
from vantage.perception.map import FREE, OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.agents.doer_deeds import Deeds
from vantage.planning.agents.doer_fronts import free_sides, front_of
from vantage.planning.agents.doer_openings import Openings
from vantage.planning.agents.doer_reading import TaskReader, missing_of, task_of
from vantage.planning.execution import Belief
from vantage.planning.goals import Plan, PlannedAction, Verb
from vantage.planning.guard import Guard, read_robot
from vantage.planning.skills import Failure, SkillResult
from vantage.spatial import Viewpoint
from vantage.types import Command

NAMES = {"fridge_1": 1, "fridge_2": 2, "wardrobe_3": 3}
WISH = "Put the apple on the table."
LOOK = Command(Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0))


SPACE = CoverageMap((-4.0, -4.0, 0.0), (8.0, 4.0, 2.5), 0.1)


def seen(x: float) -> Any:
    return SimpleNamespace(center=(x, 0.0, 1.0), bounds_min=(x, -0.3, 0.0), bounds_max=(x + 0.6, 0.3, 1.8))


class Body:
    """Does everything at once, but what it is told not to."""

    doing = ""

    def __init__(self, fails: Verb | None = None) -> None:
        self._fails = fails
        self._verb = Verb.GO_TO

    def begin(self, action: PlannedAction, belief: Belief) -> None:
        self._verb = action.verb

    def next(self, observation: Any, last: Any) -> SkillResult:
        return SkillResult(Failure.BLOCKED, "stuck") if self._verb is self._fails else SkillResult()


class Hands:
    def __init__(self, passes: bool = True) -> None:
        self.passes, self.asked = passes, 0
        self.fronts: list[Any] = []
        self.done: list[tuple[str, str]] = []
        self.permits: list[tuple[bool, str]] = []

    def permit(self, ruling: Ruling, plan: Plan, observation: Any, goal: str) -> None:
        self.permits.append((ruling.passes, goal))

    def look_inside(self, observation: Any, low: Any, high: Any, front: Any) -> Command | None:
        self.fronts.append(front)
        return LOOK

    def would_pass(self, lost: str) -> bool:
        self.asked += 1
        return self.passes

    def opened(self, action: PlannedAction, result: SkillResult) -> None:
        if result.done:
            self.done.append((action.verb.value, action.objects[0]))


def openings(
    hands: Hands, body: Body, robot: str = "household", doors: int = 1, facts: tuple[Fact, ...] = ()
) -> Openings:
    """Of things with some doors each, which a hand opens one by one."""

    def inside(obj: Any) -> Any:
        opened = sum(verb == "open" for verb, _ in hands.done)
        return SimpleNamespace(opened=opened, shut=(obj.center,) * (doors - opened))

    scene = SceneFacts(tuple(SceneObject(name, ("closed",), ("open", "closed")) for name in NAMES), facts)
    belief = Belief(scene, {object_key(name): key for name, key in NAMES.items()})
    memory: Any = SimpleNamespace(get={1: seen(5.0), 2: seen(2.0), 3: seen(1.0)}.get, inside_of=inside)
    return Openings(hands, body, Guard(read_robot(robot)), memory, SPACE, lambda: belief)


HERE: Any = SimpleNamespace(viewpoint=Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0))


def looked_in(found: Openings, lost: tuple[str, ...]) -> int:
    """Commands until nothing is under way."""
    number = 0
    while found.next(HERE, None, lost) is not None:
        number += 1
        assert number < 50
    assert not found.busy
    return number


def test_the_nearest_that_keeps_it_is_opened_looked_into_and_closed() -> None:
    hands = Hands()
    found = openings(hands, Body())
    assert found.begin(["apple"], HERE, WISH)
    assert hands.permits == [(True, "look for apple in fridge_2")]
    assert 0 < looked_in(found, ("apple",)) < 20
    assert hands.done == [("go_to", "fridge_2"), ("open", "fridge_2"), ("close", "fridge_2")]
    assert found.begin(["apple"], HERE, WISH)
    looked_in(found, ("apple",))
    assert hands.done[-1] == ("close", "fridge_1")
    assert not found.begin(["apple"], HERE, WISH), "each is opened once, and a wardrobe keeps no apples"


def test_what_the_thing_was_in_stays_open_until_the_goal_is_reached() -> None:
    hands = Hands()
    found = openings(hands, Body())
    assert found.begin(["apple"], HERE, WISH)
    assert found.next(HERE, None, ("apple",)) is LOOK
    assert looked_in(found, ()) == 0
    assert hands.done[-1] == ("open", "fridge_2")
    closing = found.to_close(("wardrobe_3",), HERE)
    assert [(each.verb, each.objects) for each in closing] == [
        (Verb.GO_TO, ("fridge_2",)),
        (Verb.CLOSE, ("fridge_2",)),
    ]
    assert hands.permits[-1] == (True, "close fridge_2 again"), "the plan of the goal may close nothing"
    assert found.to_close((), HERE) == []


def test_a_thing_with_two_doors_is_looked_into_behind_both_and_closed_once() -> None:
    hands = Hands()
    found = openings(hands, Body(), doors=2)
    assert found.begin(["apple"], HERE, WISH)
    looked_in(found, ("apple",))
    assert [verb for verb, _ in hands.done] == ["go_to", "open", "open", "close"]
    assert found.open == []


def test_a_door_that_does_not_open_is_not_tried_again_and_the_other_is_closed() -> None:
    class Once(Body):
        def next(self, observation: Any, last: Any) -> SkillResult:
            stuck = self._verb is Verb.OPEN and any(verb == "open" for verb, _ in hands.done)
            return SkillResult(Failure.BLOCKED, "stuck") if stuck else SkillResult()

    hands = Hands()
    found = openings(hands, Once(), doors=2)
    assert found.begin(["apple"], HERE, WISH)
    looked_in(found, ("apple",))
    assert [verb for verb, _ in hands.done] == ["go_to", "open", "close"]
    assert found.open == []


def test_what_the_goal_names_is_not_closed() -> None:
    found = openings(Hands(), Body())
    assert found.begin(["apple"], HERE, WISH)
    assert found.next(HERE, None, ("apple",)) is LOOK
    looked_in(found, ())
    assert found.to_close(("fridge_2",), HERE) == []


def test_what_is_seen_on_the_way_is_not_looked_for_any_more() -> None:
    hands = Hands()
    found = openings(hands, Body())
    assert found.begin(["apple"], HERE, WISH)
    assert looked_in(found, ()) == 0
    assert hands.done == []
    assert not found.open


def test_what_seldom_keeps_it_is_opened_last() -> None:
    hands = Hands()
    found = openings(hands, Body())
    for place in ("fridge_2", "fridge_1", "wardrobe_3"):
        assert found.begin(["apple"], HERE, WISH, seldom=True)
        looked_in(found, ("apple",))
        assert hands.done[-1] == ("close", place)
    assert not found.begin(["apple"], HERE, WISH, seldom=True)
    assert not openings(Hands(), Body()).begin(["unicorn"], HERE, "Put the unicorn on the table.", seldom=True)


def test_what_is_in_something_closed_is_not_opened() -> None:
    found = openings(Hands(), Body(), facts=(Fact("in", ("fridge_2", "wardrobe_3")),))
    assert found.begin(["apple"], HERE, WISH)
    looked_in(found, ("apple",))
    assert not found.begin(["apple"], HERE, WISH), "the other one is out of reach"


def test_what_does_not_open_is_given_up() -> None:
    hands = Hands()
    found = openings(hands, Body(Verb.OPEN))
    assert found.begin(["apple"], HERE, WISH)
    assert looked_in(found, ("apple",)) == 0
    assert hands.done == [("go_to", "fridge_2")]


@pytest.mark.parametrize("lost", [(), ("apple", "cabinet"), ("sofa",), ("unicorn",), ("bed",)])
def test_nothing_is_opened_for_what_is_not_kept_in_closed_things(lost: tuple[str, ...]) -> None:
    hands = Hands()
    assert not openings(hands, Body()).begin(lost, HERE, WISH)
    assert hands.permits == []


def test_a_robot_that_cannot_open_asks_for_no_warrant() -> None:
    hands = Hands()
    assert not openings(hands, Body(), "camera").begin(["apple"], HERE, WISH)
    assert hands.permits == []


@pytest.mark.parametrize(
    "said",
    [
        "Put the apple on the table, but don't open the fridge.",
        "Bring me the apple without opening anything.",
        "Put the apple on the table and leave the fridge closed.",
    ],
)
def test_nothing_is_opened_where_the_task_says_that_it_shall_not_be(said: str) -> None:
    hands = Hands()
    assert not openings(hands, Body()).begin(["apple"], HERE, said)
    assert hands.permits == []


def test_nothing_is_opened_for_a_task_that_would_not_pass_were_the_thing_found() -> None:
    hands = Hands(passes=False)
    found = openings(hands, Body())
    assert not found.begin(["apple"], HERE, WISH)
    assert not found.begin(["apple"], HERE, WISH)
    assert (hands.permits, hands.asked) == ([], 1), "asked once for what is known"


def test_only_what_is_open_and_near_keeps_steps_back() -> None:
    found = openings(Hands(), Body())
    near: Any = SimpleNamespace(viewpoint=Viewpoint(1.5, 0.0, 1.0, 0.0, 0.0))
    far: Any = SimpleNamespace(viewpoint=Viewpoint(-2.0, 0.0, 1.0, 0.0, 0.0))
    assert not found.is_near(near)
    assert found.begin(["apple"], HERE, WISH)
    assert found.next(HERE, None, ("apple",)) is LOOK
    assert found.is_near(near)
    assert not found.is_near(far)


@pytest.mark.parametrize(
    ("opened", "front"),
    [
        (((0.4, 0.0, 0.0), (1.6, 0.6, 1.8)), (-1.0, 0.0, 0.0)),
        (((1.0, -0.05, 0.0), (1.6, 1.1, 1.8)), (0.0, 1.0, 0.0)),
        (((1.0, 0.0, 0.0), (1.6, 0.6, 2.3)), (0.0, 0.0, 1.0)),
        (((1.0, 0.0, 0.0), (1.65, 0.6, 1.8)), None),
    ],
)
def test_the_front_is_where_the_door_or_lid_stands_out(opened: Any, front: Any) -> None:
    assert front_of(((1.0, 0.0, 0.0), (1.6, 0.6, 1.8)), opened) == front


def test_where_no_door_is_seen_the_fronts_are_the_sides_before_which_space_is_free() -> None:
    box = ((0.0, 0.0, 0.0), (0.6, 0.6, 1.8))
    nowhere: Any = SimpleNamespace(state=lambda points: np.full(len(points), UNKNOWN))
    assert free_sides(nowhere, box) == [], "of unknown space nobody knows"
    west: Any = SimpleNamespace(state=lambda points: np.where(points[:, 0] < 0.0, FREE, OCCUPIED))
    assert free_sides(west, box) == [(-1.0, 0.0, 0.0)]
    corner: Any = SimpleNamespace(state=lambda points: np.where(points[:, :2].min(axis=1) < 0.0, FREE, OCCUPIED))
    assert set(free_sides(corner, box)) == {(-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)}


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        ("Put the apple on the table.", True),
        ("Put the apple on the sofa.", False),
        ("Switch the apple on.", False),
        ("Put the apple in the microwave and switch the microwave on.", False),
    ],
)
def test_a_task_would_pass_where_only_the_thing_is_missing(said: str, passes: bool) -> None:
    reader = TaskReader(Settings(), read_robot("household"))
    scene = SceneFacts(tuple(map(SceneObject, ("kitchen", "table_1", "apple_tree_2"))), ())
    assert reader.would_pass(task_of(said), scene, "apple") is passes


def test_what_closes_may_be_found_closed() -> None:
    reader = TaskReader(Settings(), read_robot("household"))
    scene = SceneFacts((SceneObject("bedroom"), SceneObject("chest_1", ("closed",), ("open", "closed"))), ())
    assert reader.would_pass(task_of("Open the box."), scene, "box")
    assert not reader.would_pass(task_of("Open the apple."), scene, "apple")


def test_what_was_seen_since_the_ruling_is_not_missing() -> None:
    task, names = task_of("Put the glass in the basket."), ("basket_1", "glass_2")
    before, after = (
        Belief(SceneFacts(tuple(map(SceneObject, there)), ()), dict.fromkeys(there, 1)) for there in (names[:1], names)
    )
    held = Ruling.of([Reason(ReasonKind.UNSEEN_OBJECT, "glass")])
    assert missing_of(task, before, held, before.labels) == ("glass",)
    assert missing_of(task, after, held, before.labels) == ()
    assert missing_of(task, after, held, after.labels) == ("glass",), "the guard knew it, and means another one"


def test_what_is_in_the_hand_keeps_it_from_closing() -> None:
    deeds = Deeds()
    for verb, names, holding in (
        (Verb.PICK, ("cup_1", "table_2"), True),
        (Verb.GO_TO, ("table_2",), True),
        (Verb.PLACE_ON, ("cup_1", "table_2"), False),
    ):
        deeds.add(1, PlannedAction(verb, names), SkillResult(), SceneFacts(), search=False)
        assert deeds.holding is holding
    deeds.add(
        1, PlannedAction(Verb.PICK, ("cup_1", "table_2")), SkillResult(Failure.BLOCKED), SceneFacts(), search=False
    )
    assert not deeds.holding
