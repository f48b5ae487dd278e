"""Few frames that show everything that an answer rests on."""

from hypothesis import given, strategies as st

from vantage.answering.symbolic.observed_facts import SeenObject
from vantage.answering.symbolic.premise_checking import MOST_FRAMES, frames_of
from vantage.spatial import Viewpoint
from vantage.types import Evidence


class Seen:
    def __init__(self, stamps):
        self.evidence = tuple(Evidence(stamp, Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)) for stamp in stamps)


def objects(*stamps):
    origin = (0.0, 0.0, 0.0)
    return [SeenObject(key, "thing", origin, origin, Seen(shown)) for key, shown in enumerate(stamps, start=1)]


def chosen(*stamps):
    return [frame.stamp for frame in frames_of(objects(*stamps))]


def test_a_frame_that_shows_both_comes_before_the_best_of_each():
    assert chosen((1, 2), (3, 2)) == [2, 1, 3]


def test_each_object_is_shown_and_the_first_once_more():
    assert chosen((1, 2, 3), (7, 8)) == [1, 7, 2]


def test_objects_without_frames_are_left_out():
    assert chosen((), (5,)) == [5]
    assert chosen() == []


@given(st.lists(st.lists(st.integers(1, 6), unique=True, max_size=5), max_size=5))
def test_frames_are_few_and_different_and_show_the_first_object(stamps):
    found = chosen(*stamps)
    assert len(found) == len(set(found)) <= MOST_FRAMES
    shown = [set(each) for each in stamps if each]
    if shown:
        covered = sum(bool(each & set(found)) for each in shown)
        assert covered >= min(len(shown), MOST_FRAMES) or covered == len(shown)
