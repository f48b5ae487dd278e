"""What a person accepted is what is answered; another correction waits in turn."""

from __future__ import annotations

import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from colored_views import colored
from honest_model import honest, honest_reply, honest_yes
from scripted_models import RuleModel

from vantage.answering.engine import QuestionAnswering
from vantage.answering.vlm.model_answering import ModelAnswering
from vantage.config import AgentSettings
from vantage.errors import ModelError, UsageError, VantageError
from vantage.models.budget import check_cutoff
from vantage.nodes.qa.observed_views import ObservedViews
from vantage.nodes.qa.pending_corrections import Correction
from vantage.nodes.qa.question_services import QuestionServices, RequestQueue
from vantage.perception.protocol import BlindPerceiver
from vantage.runs.confirmation import Ruling
from vantage.types import Question, Verdict


def eventually(condition, timeout=10.0):
    ends = time.monotonic() + timeout
    while time.monotonic() < ends:
        if condition():
            return
        time.sleep(0.005)
    raise AssertionError(f"not within {timeout} s")


@pytest.mark.real_time
def test_fifty_at_once_are_all_served_and_never_more_than_so_many_work():
    requests, lock, working, most = RequestQueue(10.0, at_once=3), threading.Lock(), [], []

    def job(number):
        with lock:
            working.append(number)
            most.append(len(working))
        time.sleep(0.002)
        with lock:
            working.remove(number)
        return number

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda n: requests.run("", f"q{n}", lambda: job(n)), range(50)))
    assert answers == list(range(50))
    assert 1 <= max(most) <= 3
    assert (requests.served, requests.open) == (50, 0)


def test_what_a_job_raises_is_raised():
    def job():
        raise UsageError("there is no question")

    requests = RequestQueue(1.0)
    with pytest.raises(UsageError, match="there is no question"):
        requests.run("", "q", job)
    assert requests.run("", "q", lambda: 7) == 7, "the next one is served"


@pytest.mark.real_time
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_job_that_breaks_is_said_and_the_next_one_is_served():
    def job():
        raise RecursionError("too deep")

    requests = RequestQueue(1.0, at_once=1)
    with pytest.raises(VantageError, match="could not be worked on; the node's log says why"):
        requests.run("", "q", job)
    assert requests.run("", "q", lambda: 7) == 7
    eventually(lambda: not [thread for thread in threading.enumerate() if thread.name == "request"])
    gc.collect()  # what the thread left behind is told now


@pytest.mark.real_time
def test_a_full_line_refuses_and_a_late_request_is_told():
    hold = threading.Event()
    requests = RequestQueue(0.3, most=2, at_once=1)
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(requests.run, "", f"q{n}", lambda: hold.wait(60.0)) for n in range(2)]
        eventually(lambda: requests.open == 2)
        with pytest.raises(VantageError, match="2 requests wait already"):
            requests.run("", "third", lambda: 1)
        for item in waiting:
            with pytest.raises(VantageError, match=r"no answer within 0\.3 s"):
                item.result(5.0)
        hold.set()
    assert (requests.refused, requests.late, requests.open) == (1, 2, 0)
    eventually(lambda: not [t for t in threading.enumerate() if t.name == "request"])
    assert requests.run("", "later", lambda: 1) == 1, "a job that was given up takes no place for ever"


@pytest.mark.real_time
def test_waiting_and_working_requests_are_taken_back():
    hold, begun = threading.Event(), []
    requests = RequestQueue(10.0, at_once=1)

    def job(name):
        begun.append(name)
        return hold.wait(60.0)

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(requests.run, "e", "working", lambda: job("working"))
        eventually(lambda: begun == ["working"])
        second = pool.submit(requests.run, "e", "waiting", lambda: job("waiting"))
        third = pool.submit(requests.run, "f", "other", lambda: job("other"))
        eventually(lambda: requests.open == 3)
        assert requests.cancel("e", "nobody") == 0
        assert requests.cancel("e", "") == 2
        for item in (first, second):
            with pytest.raises(VantageError, match="was taken back"):
                item.result(30.0)
        assert not hold.is_set(), "nobody waited for the job"
        hold.set()
        assert third.result(30.0) is True
    assert begun == ["working", "other"], "a request that was taken back is never begun"


@pytest.mark.real_time
def test_closing_ends_all_and_refuses_others():
    hold = threading.Event()
    requests = RequestQueue(10.0)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(requests.run, "", "q", lambda: hold.wait(60.0))
        eventually(lambda: requests.open == 1)
        requests.close("qa_node is shutting down")
        with pytest.raises(VantageError, match="shutting down"):
            first.result(30.0)
        hold.set()
    with pytest.raises(VantageError, match="shutting down"):
        requests.run("", "q", lambda: 1)


@pytest.mark.real_time
@pytest.mark.parametrize("how", ["canceled", "late"])
def test_a_job_that_nobody_waits_for_begins_no_further_call_to_a_model(how):
    requests = RequestQueue(timeout=30.0 if how == "canceled" else 0.3)
    working, told_off, ended = threading.Event(), threading.Event(), threading.Event()
    calls, told = [], []

    def job():
        try:
            while len(calls) < 2000:
                check_cutoff()
                calls.append(time.monotonic())
                working.set()
                time.sleep(0.01)
        except ModelError as error:
            told.append(str(error))
            told_off.wait(5.0)  # its end must not come before who waits for it notices that time is over
        finally:
            ended.set()

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(requests.run, "", "q1", job)
        assert working.wait(5.0)
        if how == "canceled":
            assert requests.cancel(question_id="q1") == 1
        with pytest.raises(VantageError, match="taken back" if how == "canceled" else "no answer within"):
            asked.result(10.0)
        told_off.set()
    assert ended.wait(5.0)
    assert len(calls) < 2000
    assert "no further call to a model was made" in told[0]


ASKED = "What is the red box made of?"
SETTINGS = AgentSettings(require_confirmation=True, confirmation_timeout=30.0)


class PendingCorrections:
    """A QA node's services with a model that sees colored boxes.

    Attributes:
        told: what was told of corrections: who waits, and the ruling.
    """

    def __init__(self, model: RuleModel) -> None:
        self.engine = ModelAnswering(model, QuestionAnswering(BlindPerceiver()))
        self.told: list[tuple[str, Ruling]] = []
        observed = ObservedViews(self.engine, lambda *report: None, assesses=False)
        self.question_services = QuestionServices("qa_node", observed, SETTINGS, 10.0, self._tell)

    def _tell(self, item: Correction, ruling: Ruling) -> None:
        self.told.append((item.source, ruling))


@pytest.fixture
def pending():
    found = PendingCorrections(honest())
    found.engine.observe(colored(0, "blue"))
    return found


def bare(prompt, image):
    """The honest reply without the corrected question."""
    return honest_reply(prompt, image).replace("What is the blue box made of?", "")


def test_what_was_accepted_is_answered(pending):
    proposed = pending.question_services.ask("", "q", ASKED)
    assert proposed.text.startswith("The box is blue, not red.")
    assert proposed.text.endswith('Did you mean: "What is the blue box made of?"')
    answer = pending.question_services.confirm("", "q", True)
    assert (answer.verdict, answer.text) == (Verdict.CORRECTED, "The box is blue, not red. Answer: wood.")
    assert [ruling for _, ruling in pending.told] == [Ruling.OPEN, Ruling.ACCEPTED]


def test_another_correction_than_was_accepted_waits_in_turn(pending):
    pending.question_services.ask("", "q", ASKED)
    pending.engine.observe(colored(1, "green"))
    again = pending.question_services.confirm("", "q", True)
    assert again.verdict is Verdict.NEEDS_CONFIRMATION
    assert again.text.endswith('Did you mean: "What is the green box made of?"')
    assert "wood" not in again.text
    assert [ruling for _, ruling in pending.told] == [Ruling.OPEN, Ruling.ACCEPTED, Ruling.OPEN]
    assert pending.question_services.confirm("", "q", True).text == "The box is green, not red. Answer: wood."


def test_a_question_that_holds_by_now_is_answered(pending):
    pending.question_services.ask("", "q", ASKED)
    pending.engine.observe(colored(1, "red"))
    answer = pending.question_services.confirm("", "q", True)
    assert (answer.verdict, answer.text) == (Verdict.ANSWERED, "wood")


def test_a_correction_without_its_question_waits_too():
    pending = PendingCorrections(RuleModel(bare, honest_yes))
    pending.engine.observe(colored(0, "blue"))
    assert pending.question_services.ask("", "q", ASKED).text.endswith('Did you mean: "the box is blue"')
    assert pending.question_services.confirm("", "q", False).verdict is Verdict.UNANSWERABLE
    assert pending.question_services.check("", "checked", ASKED)[:2] == (True, False)
    assert pending.question_services.confirm("", "checked", True).text == "The box is blue, not red. Answer: wood."


def test_what_is_taken_back_is_counted_in_words(pending):
    with pytest.raises(UsageError, match=r"^no question 'nope' waits"):
        pending.question_services.cancel("", "nope")
    with pytest.raises(UsageError, match=r"^no question waits"):
        pending.question_services.cancel("", "")
    pending.question_services.ask("", "q", ASKED)
    assert pending.question_services.cancel("", "q") == "1 correction was taken back"
    pending.question_services.ask("", "q", ASKED)
    pending.question_services.ask("", "r", ASKED)
    assert pending.question_services.cancel("", "") == "2 corrections were taken back"


def test_in_another_place_own_corrections_wait_no_more_and_those_of_others_do(pending):
    proposed = pending.question_services.ask("", "q", ASKED)
    others = replace(proposed, question_id="other")
    pending.question_services.pending.propose("e", Question("other", ASKED), others, 30.0, "planner_node")
    pending.question_services.begin()
    assert pending.told[-1] == ("qa_node", Ruling.CANCELED)
    assert [item.source for item in pending.question_services.pending.open] == ["planner_node"]
    with pytest.raises(UsageError, match="was taken back before; ask again"):
        pending.question_services.confirm("", "q", True)
