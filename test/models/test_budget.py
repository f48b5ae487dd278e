"""The end of a request, and that no call of a model begins after it."""

import contextvars
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from vantage.config import ModelSettings
from vantage.errors import ModelError
from vantage.models.budget import Ledger, check_cutoff, cutoff, seconds_left
from vantage.models.model_factory import CheckedModel
from vantage.models.protocol import Reply


class Counter:
    """A back end that keeps the deadlines it was given."""

    name, identity = "counter", {}

    def __init__(self):
        self.deadlines = []

    def reply(self, call, deadline):
        self.deadlines.append(deadline.seconds)
        return Reply("A mug.")


def counted(**settings):
    backend = Counter()
    return CheckedModel(backend, ModelSettings(**settings), Ledger()), backend


def test_without_an_end_calls_take_what_they_may():
    model, backend = counted(timeout=4.0)
    assert model.chat("What is there?") == "A mug."
    assert backend.deadlines == [4.0]
    assert seconds_left() == float("inf")


def test_no_call_begins_once_the_request_is_canceled(tmp_path):
    model, backend = counted(cache=str(tmp_path))
    canceled = threading.Event()
    with cutoff(60.0, canceled):
        model.chat("What is there?")
        canceled.set()
        assert model.chat("What is there?") == "A mug.", "what is known already costs nothing"
        for ask in (model.chat, model.yes_probability):
            with pytest.raises(ModelError, match="the request was canceled"):
                ask("What else?")
    assert model.usage.calls == len(backend.deadlines) == 1
    assert model.chat("What else?") == "A mug.", "the next request is another one"


@pytest.mark.real_time
def test_no_call_begins_once_the_request_is_late():
    model, backend = counted()
    with cutoff(0.05):
        time.sleep(0.1)
        with pytest.raises(ModelError, match=r"the 0\.05 s of the request are over"):
            model.chat("What is there?")
    assert backend.deadlines == []


def test_a_call_takes_no_longer_than_is_left_of_the_request():
    model, backend = counted(timeout=60.0)
    with cutoff(5.0), cutoff(20.0):
        model.chat("What is there?")
        assert 0.0 < seconds_left() <= 5.0
    assert 0.0 < backend.deadlines[0] <= 5.0


def test_one_within_another_does_not_outlive_it():
    outer = threading.Event()
    with cutoff(60.0, outer), cutoff(60.0):
        check_cutoff()
        outer.set()
        with pytest.raises(ModelError, match="canceled"):
            check_cutoff()


def test_it_holds_for_the_thread_that_set_it_and_for_copies_of_its_context():
    canceled = threading.Event()
    canceled.set()
    with ThreadPoolExecutor(1) as pool, cutoff(60.0, canceled):
        pool.submit(check_cutoff).result()
        with pytest.raises(ModelError, match="canceled"):
            pool.submit(contextvars.copy_context().run, check_cutoff).result()
