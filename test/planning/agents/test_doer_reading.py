"""What the doer says of a task: done, failed, or put somewhere and not seen there."""

import pytest

from vantage.goals import EdgeGoal, End, Errand, Feasibility, Goal, Ruling
from vantage.planning.agents.doer_reading import errand_answer
from vantage.types import Question, Verdict

UNSEEN = "the cup was put in the basket and was not seen there; look there"
GOAL = Goal.of([EdgeGoal("cup_1", "in", "basket_2")])


@pytest.mark.parametrize(
    ("errand", "unseen", "verdict", "text"),
    [
        (Errand(End.DONE), "", Verdict.ANSWERED, "Done: cup_1, basket_2."),
        (Errand(End.FAILED, reason=UNSEEN), UNSEEN, Verdict.NEEDS_LOOK, f"Not seen to be done: {UNSEEN}"),
        (Errand(End.FAILED, reason="it fell"), "", Verdict.UNANSWERABLE, "Not done, failed: it fell"),
        (Errand(End.BUDGET, reason="no steps"), UNSEEN, Verdict.UNANSWERABLE, "Not done, out of steps: no steps"),
    ],
)
def test_what_was_not_seen_to_be_done_is_not_told_done(errand, unseen, verdict, text):
    told = errand_answer(Question("q", "x"), errand, GOAL, Ruling(Feasibility.FEASIBLE), "m", unseen)
    assert (told.verdict, told.text) == (verdict, text)
    assert told.errand == errand
