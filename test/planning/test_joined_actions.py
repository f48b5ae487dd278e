import pytest

from vantage.errors import UnknownNameError
from vantage.planning.actions import GantryActions
from vantage.planning.joined_actions import joined
from vantage.spatial import Viewpoint
from vantage.worlds import MotionLimits

SPACE = GantryActions(0.25, 0.5)
START = Viewpoint(1.0, 2.0, 1.4, 0.5, 0.0)
LIMITS = MotionLimits((-5.0, -5.0, 0.0), (5.0, 5.0, 3.0), -1.0, 1.0, 0.5, 1.0)


@pytest.mark.parametrize(
    ("names", "further"),
    [
        (("x+", "x+", "x+"), 1),  # 0.5 m is the most
        (("yaw+", "yaw+", "pitch-", "x-", "x-", "yaw+"), 4),  # a third turn would be too much
        (("x+", "y+"), 0),  # around a corner something may stand
        (("x+", "yaw-", "y+"), 1),
        (("x+", "x-"), 0),  # not back either
        (("pitch-",), 0),
    ],
)
def test_as_many_actions_as_one_command_may_do(names: tuple[str, ...], further: int) -> None:
    command, joins = joined(SPACE, names, START, LIMITS)
    assert joins == further
    assert command is not None
    assert command.target == SPACE.replay(START, names[: further + 1])[-1]
    assert LIMITS.violation(START, command.target) is None
    assert command.action == ("" if further else names[0])


def test_nothing_is_joined_without_limits_and_beyond_them_the_first_alone_is_given() -> None:
    assert joined(SPACE, ("x+", "x+"), START, None) == (SPACE.decision("x+", START), 0)
    tight = MotionLimits((-5.0, -5.0, 0.0), (5.0, 5.0, 3.0), -0.6, 1.0, 0.5, 1.0)
    assert joined(SPACE, ("pitch-", "pitch-"), START, tight) == (SPACE.decision("pitch-", START), 0)


def test_no_plan_is_no_command_and_an_unknown_action_is_told() -> None:
    assert joined(SPACE, (), START, LIMITS) == (None, 0)
    with pytest.raises(UnknownNameError):
        joined(SPACE, ("x+", "hop"), START, LIMITS)
