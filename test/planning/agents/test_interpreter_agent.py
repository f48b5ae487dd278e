"""The agent that puts tasks before a model: raw replies, each in a conversation of its own, and feedback on them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from faulty_server import Step
from row_tables import each_row
from scripted_server import ScriptedServer

from vantage.config import AgentSettings, ControlSettings, ModelSettings, Settings
from vantage.errors import ConfigError, EpisodeError, ModelError, UsageError
from vantage.goals import (
    Goal,
    NodeGoal,
    ReplyForm,
    SceneFacts,
    TaskTruth,
    read_known,
    read_reply,
    read_scene,
    task_from_json,
    vocabulary_lines,
)
from vantage.models import Turn, make_model
from vantage.models.model_factory import CheckedModel
from vantage.planning import ShownTask, TaskPictures, check_controls, control_text, model_needs_gold
from vantage.planning.agents import single_view_agents
from vantage.planning.agents.interpreter_agent import InterpreterAgent
from vantage.planning.goals import Lessons, scene_schema
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Answer, Episode, EpisodeState, Question, Truth, TruthQuestion, Verdict
from vantage.worlds.blind import BlindWorld

TASK = "Things in the scene:\n- lamp | is OFF | can be OFF, ON\n\nTask description: Light the oven."
LISTED = f"{vocabulary_lines(('lamp', 'oven'))}\nStates that goals may ask for: ON, OFF\n\nTask description: Light it."
GOOD = '{"node goals": [{"name": "lamp", "state": "ON"}]}'
ABSENT = '{"node goals": [{"name": "oven", "state": "ON"}, {"name": "sink", "state": "ON"}]}'
IMPOSSIBLE = '{"node goals": [{"name": "lamp", "state": "FROZEN"}]}'
EVERYTHING = '{"node goals": [{"name": "lamp", "state": "ON"}], "edge goals": [], "action goals": []}'
EMPTY = '{"node goals": []}'


class Scripted:
    """Gives replies in their order, the last one for ever, and keeps what it was asked."""

    name = "scripted"

    def __init__(self, *replies: str | ModelError) -> None:
        self.replies, self.calls = list(replies), list[tuple[str, str, tuple[Turn, ...]]]()

    def chat(self, prompt: str, system: str = "", earlier: Any = ()) -> str:
        self.calls.append((prompt, system, tuple(earlier)))
        found = self.replies[min(len(self.calls), len(self.replies)) - 1]
        if isinstance(found, ModelError):
            raise found
        return found


def answers(
    monkeypatch: pytest.MonkeyPatch,
    model: Any,
    *texts: str,
    truths: Any = None,
    pictures: TaskPictures | None = None,
    **control: Any,
) -> tuple[Answer, ...]:
    monkeypatch.setattr(single_view_agents, "shared_model", lambda which, settings: model)
    settings = replace(Settings(), agent=AgentSettings(model="openai:scripted"), control=ControlSettings(**control))
    asked = tuple(Question(f"q{number}", text) for number, text in enumerate(texts))
    episode = Episode("e", "heal", "home", Viewpoint(0, 0, 0, 0, 0), asked, 0)
    outcome = EpisodeRunner(BlindWorld(), InterpreterAgent(settings, truths, pictures=pictures)).run(episode, 0)
    assert outcome.state is EpisodeState.FINISHED
    return outcome.answers


def test_every_question_is_a_conversation_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Scripted(GOOD, EMPTY)
    found = answers(monkeypatch, model, TASK, "Another task.")
    assert [answer.text for answer in found] == [GOOD, EMPTY]
    assert [answer.verdict for answer in found] == [Verdict.ANSWERED, Verdict.UNANSWERABLE]
    assert model.calls == [(TASK, "", ()), ("Another task.", "", ())]
    assert found[0].model == "scripted/interpreter"


class Seeing(Scripted):
    """Is shown pictures; its calls keep their names."""

    def __init__(self, *replies: str) -> None:
        super().__init__(*replies)
        self.shown, self.schemas = list[tuple[str, ...]](), list[Any]()

    def chat(self, prompt: str, system: str = "", earlier: Any = (), **given: Any) -> str:
        assert len(given["images"]) == len(given["image_names"])
        self.shown.append(tuple(given["image_names"]))
        self.schemas.append(given.get("schema"))
        return super().chat(prompt, system, earlier)


class TwoPictures:
    """Shows the first task of an episode in two pictures."""

    def shows(self, episode_id: str) -> bool:
        return True

    def shown(self, episode_id: str, question_id: str) -> ShownTask:
        if question_id != "q0":
            raise EpisodeError(f"no pictures of {episode_id}, {question_id}")
        return ShownTask(LISTED, (np.zeros((4, 4, 3), np.uint8),) * 2, ("VIEW_1", "VIEW_2"))


@pytest.mark.needs("goals")
def test_every_round_shows_the_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Seeing(ABSENT, GOOD)
    found = answers(monkeypatch, model, TASK, pictures=TwoPictures(), input="image", mitigation="scw")
    assert found[0].text == GOOD
    assert model.shown == [("VIEW_1", "VIEW_2")] * 2
    assert model.calls[0] == (LISTED, "", ())
    assert model.calls[1][0].startswith("The scene does not contain sink.")  # the oven is in the list
    assert model.calls[1][2] == (Turn(LISTED, ABSENT),)


def test_where_pictures_alone_show_a_scene_a_schema_has_the_names_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Seeing(EVERYTHING)
    answers(monkeypatch, model, TASK, pictures=TwoPictures(), input="image", mitigation="schema")
    assert model.schemas == [scene_schema(read_known(LISTED), instances=True)]
    assert "oven" in str(model.schemas)


def test_without_a_set_no_pictures_can_be_shown() -> None:
    with pytest.raises(UsageError, match="--input both shows pictures of tasks; give their episode set"):
        InterpreterAgent(replace(Settings(), control=ControlSettings(input="both")))


@pytest.mark.needs("goals")
def test_a_model_is_told_which_things_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Scripted(ABSENT, GOOD)
    found = answers(monkeypatch, model, TASK, mitigation="scw")
    assert found[0].text == GOOD
    prompt, _, earlier = model.calls[1]
    assert prompt.startswith("The scene does not contain oven, sink.")
    assert earlier == (Turn(TASK, ABSENT),)


@pytest.mark.needs("goals")
@each_row(
    "control, replies, calls",
    [
        ({"mitigation": "none"}, [ABSENT], 1),
        ({"mitigation": "scw"}, [GOOD], 1),
        ({"mitigation": "scw"}, [IMPOSSIBLE], 1),
        ({"mitigation": "kaf"}, [IMPOSSIBLE], 2),
        ({"mitigation": "kaf"}, [ABSENT], 2),
        ({"mitigation": "kaf"}, [GOOD], 1),
        ({"mitigation": "kaf", "mitigation_always": True}, [GOOD], 2),
        ({"mitigation": "scw", "mitigation_rounds": 3}, [ABSENT], 4),
        ({"mitigation": "scw", "mitigation_rounds": 3}, [ABSENT, GOOD], 2),
    ],
)
def test_feedback_comes_as_often_as_is_set(control: dict[str, Any], replies: list[str], calls: int) -> None:
    model = Scripted(*replies)
    with pytest.MonkeyPatch.context() as patch:
        answers(patch, model, TASK, **control)
    assert len(model.calls) == calls


@pytest.mark.needs("goals")
def test_a_guard_holds_back_what_cannot_be_pursued(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [TASK.replace("oven", "lamp"), TASK, TASK.replace("Light", "Heat"), TASK]
    found = answers(monkeypatch, Scripted(GOOD, ABSENT, GOOD, "No."), *asked, mitigation="guard")
    passed, missing, repurposed, words = found
    assert (passed.text, passed.verdict) == (GOOD, Verdict.ANSWERED)
    assert (missing.verdict, missing.noise.false_claim) == (Verdict.UNANSWERABLE, "oven, sink")
    assert missing.text.startswith("infeasible: 'oven': it is not there")
    assert (repurposed.verdict, repurposed.text[:18]) == (Verdict.NEEDS_CONFIRMATION, "needs confirmation")
    assert (words.text, words.noise.explanation) == ("No.", "")
    assert [each.reply for each in found] == ["", ABSENT, GOOD, ""]
    assert [each.ruling and each.ruling.feasibility.name for each in found] == [
        "FEASIBLE",
        "INFEASIBLE",
        "NEEDS_CONFIRMATION",
        None,
    ]
    assert [len(each.goal.parts) for each in found] == [1, 2, 1, 0]


@pytest.mark.needs("goals")
def test_a_guard_needs_a_robot_that_is_known() -> None:
    settings = replace(
        Settings(),
        agent=AgentSettings(model="stand-in:oracle"),
        control=ControlSettings(mitigation="guard", robot="nobody"),
    )
    assert control_text(settings) == "mitigation=guard,robot=nobody"
    with pytest.raises(ConfigError, match="nobody"):
        InterpreterAgent(settings)


def test_a_model_that_fails_and_an_empty_task_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    failed, empty = answers(monkeypatch, Scripted(ModelError("it is late")), TASK, " ")
    assert (failed.verdict, empty.verdict) == (Verdict.NEEDS_MODEL, Verdict.UNANSWERABLE)


def test_gold_data_go_to_stand_ins_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = TaskTruth(SceneFacts(), Goal(), False)
    truths = {"e": Truth("e", (TruthQuestion("q0", "base", "", task=gold),))}
    model = Scripted(GOOD)
    answers(monkeypatch, model, TASK, truths=truths)
    assert task_from_json(json.loads(model.calls[0][1]), "here") == gold
    needs = ("stand-in:oracle", "stand-in:noisy-0.3", "stand-in:refuser", "openai:oracle", "symbolic")
    assert [model_needs_gold(name) for name in needs] == [True, True, False, False, False]


def test_the_control_says_how_a_model_is_told() -> None:
    settings = replace(
        Settings(), control=ControlSettings(mitigation="kaf", mitigation_rounds=2, mitigation_always=True)
    )
    assert control_text(settings) == "mitigation=kaf-2-always"
    check_controls(InterpreterAgent, "interpreter", settings)
    with pytest.raises(UsageError, match="mitigation"):
        check_controls(object(), "blind", settings)


def embedded(*texts: str, lessons: Lessons | None = None, **control: Any) -> tuple[Answer, ...]:
    asked = tuple(Question(f"q{number}", text) for number, text in enumerate(texts))
    episode = Episode("e", "heal", "home", Viewpoint(0, 0, 0, 0, 0), asked, 0)
    settings = replace(Settings(), control=ControlSettings(**control))
    return EpisodeRunner(BlindWorld(), InterpreterAgent(settings, lessons=lessons)).run(episode, 0).answers


@each_row("control", [{}, {"mitigation": "kaf", "mitigation_always": True}, {"mitigation": "schema"}])
def test_without_a_model_it_interprets_tasks_itself(control: dict[str, Any]) -> None:
    scene = TASK.partition("\n\n")[0]
    done, refused, empty = embedded(f"{scene}\n\nTask description: Turn on the lamp.", TASK, " ", **control)
    assert read_reply(done.text).goals == (NodeGoal("lamp", "ON"),)
    assert (done.verdict, refused.verdict, empty.verdict) == (Verdict.ANSWERED, *(2 * [Verdict.UNANSWERABLE]))
    assert read_reply(refused.text).form is ReplyForm.REFUSED
    assert done.model == "symbolic/interpreter"


KEYED = TASK + ' Reply with "action goals", too.'


@pytest.mark.needs("openai")
def test_a_server_is_asked_to_keep_to_what_the_scene_has() -> None:
    with ScriptedServer(lambda asked: EVERYTHING) as server:
        model = make_model("openai:kept", replace(Settings(), model=ModelSettings(url=server.url, cache="")))
        with pytest.MonkeyPatch.context() as patch:
            (answer,) = answers(patch, model, KEYED, mitigation="schema")
        schema = server.asked[0].body["response_format"]["json_schema"]["schema"]
    assert schema == scene_schema(read_scene(KEYED), instances=False)
    assert read_reply(answer.text).goals == (NodeGoal("lamp", "ON"),)
    assert not answer.noise.explanation


@pytest.mark.needs("openai")
def test_a_server_that_keeps_to_no_schema_is_told_of() -> None:
    refusal = Step({"error": {"message": "response_format json_schema is not supported"}}, status=400)
    steps = iter((refusal, EVERYTHING, ABSENT, ABSENT))
    with ScriptedServer(lambda asked: next(steps)) as server:
        model = make_model("openai:free", replace(Settings(), model=ModelSettings(url=server.url, cache="")))
        with pytest.MonkeyPatch.context() as patch:
            good, wrong = answers(patch, model, KEYED, KEYED, mitigation="schema")
    assert "only checked" in good.noise.explanation
    assert wrong.verdict is Verdict.NEEDS_MODEL


@each_row(
    "which, goals",
    [("stand-in:obedient", 0), ("stand-in:refuser", 0), ("stand-in:repurposer", 1), ("stand-in:copycat", 1)],
)
def test_stand_ins_leave_out_what_follows_no_schema(which: str, goals: int) -> None:
    model = make_model(which, Settings())
    model.require_limits()
    with pytest.MonkeyPatch.context() as patch:
        (answer,) = answers(patch, model, KEYED, mitigation="schema")
    assert len(read_reply(answer.text).goals) == goals


def test_a_model_that_can_never_be_kept_to_a_schema_is_refused() -> None:
    class Free:
        name, identity = "free", {}

    with pytest.raises(UsageError, match="cannot be kept to a schema"):
        CheckedModel(Free(), ModelSettings(cache="")).require_limits()
