"""What a person accepted is what is answered; another correction waits in turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from colored_views import colored
from honest_model import honest, honest_reply, honest_yes
from scripted_models import RuleModel

from vantage.answering.engine import QuestionAnswering
from vantage.answering.vlm.model_answering import ModelAnswering
from vantage.config import AgentSettings
from vantage.errors import UsageError
from vantage.nodes.qa.observed_views import Watcher
from vantage.nodes.qa.pending_corrections import Correction
from vantage.nodes.qa.question_services import Asking
from vantage.perception.blind import BlindPerceiver
from vantage.runs.confirmation import Ruling
from vantage.types import Question, Verdict

ASKED = "What is the red box made of?"
SETTINGS = AgentSettings(require_confirmation=True, confirmation_timeout=30.0)


class Desk:
    """A QA node's services with a model that sees colored boxes.

    Attributes:
        told: what was told of corrections: who waits, and the ruling.
    """

    def __init__(self, model: RuleModel) -> None:
        self.engine = ModelAnswering(model, QuestionAnswering(BlindPerceiver()))
        self.told: list[tuple[str, Ruling]] = []
        watcher = Watcher(self.engine, lambda *report: None, assesses=False)
        self.asking = Asking("qa_node", watcher, SETTINGS, 10.0, self._tell)

    def _tell(self, item: Correction, ruling: Ruling) -> None:
        self.told.append((item.source, ruling))


@pytest.fixture
def desk():
    found = Desk(honest())
    found.engine.observe(colored(0, "blue"))
    return found


def bare(prompt, image):
    """The honest reply without the corrected question."""
    return honest_reply(prompt, image).replace("What is the blue box made of?", "")


def test_what_was_accepted_is_answered(desk):
    proposed = desk.asking.ask("", "q", ASKED)
    assert proposed.text.startswith("The box is blue, not red.")
    assert proposed.text.endswith('Did you mean: "What is the blue box made of?"')
    answer = desk.asking.confirm("", "q", True)
    assert (answer.verdict, answer.text) == (Verdict.CORRECTED, "The box is blue, not red. Answer: wood.")
    assert [ruling for _, ruling in desk.told] == [Ruling.OPEN, Ruling.ACCEPTED]


def test_another_correction_than_was_accepted_waits_in_turn(desk):
    desk.asking.ask("", "q", ASKED)
    desk.engine.observe(colored(1, "green"))
    again = desk.asking.confirm("", "q", True)
    assert again.verdict is Verdict.NEEDS_CONFIRMATION
    assert again.text.endswith('Did you mean: "What is the green box made of?"')
    assert "wood" not in again.text
    assert [ruling for _, ruling in desk.told] == [Ruling.OPEN, Ruling.ACCEPTED, Ruling.OPEN]
    assert desk.asking.confirm("", "q", True).text == "The box is green, not red. Answer: wood."


def test_a_question_that_holds_by_now_is_answered(desk):
    desk.asking.ask("", "q", ASKED)
    desk.engine.observe(colored(1, "red"))
    answer = desk.asking.confirm("", "q", True)
    assert (answer.verdict, answer.text) == (Verdict.ANSWERED, "wood")


def test_a_correction_without_its_question_waits_too():
    desk = Desk(RuleModel(bare, honest_yes))
    desk.engine.observe(colored(0, "blue"))
    assert desk.asking.ask("", "q", ASKED).text.endswith('Did you mean: "the box is blue"')
    assert desk.asking.confirm("", "q", False).verdict is Verdict.UNANSWERABLE
    assert desk.asking.check("", "checked", ASKED)[:2] == (True, False)
    assert desk.asking.confirm("", "checked", True).text == "The box is blue, not red. Answer: wood."


def test_what_is_taken_back_is_counted_in_words(desk):
    with pytest.raises(UsageError, match=r"^no question 'nope' waits"):
        desk.asking.cancel("", "nope")
    with pytest.raises(UsageError, match=r"^no question waits"):
        desk.asking.cancel("", "")
    desk.asking.ask("", "q", ASKED)
    assert desk.asking.cancel("", "q") == "1 correction was taken back"
    desk.asking.ask("", "q", ASKED)
    desk.asking.ask("", "r", ASKED)
    assert desk.asking.cancel("", "") == "2 corrections were taken back"


def test_in_another_place_own_corrections_wait_no_more_and_those_of_others_do(desk):
    proposed = desk.asking.ask("", "q", ASKED)
    others = replace(proposed, question_id="other")
    desk.asking.desk.propose("e", Question("other", ASKED), others, 30.0, "planner_node")
    desk.asking.begin()
    assert desk.told[-1] == ("qa_node", Ruling.CANCELED)
    assert [item.source for item in desk.asking.desk.open] == ["planner_node"]
    with pytest.raises(UsageError, match="was taken back before; ask again"):
        desk.asking.confirm("", "q", True)
