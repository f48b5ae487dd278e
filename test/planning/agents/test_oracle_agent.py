"""The oracle: it replays what is stored, says what is known, and so shows that labels and judge agree."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from box_room import BoxRoom, furnished_room

from vantage.benchmarks.judging.judges import Case
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.planning.actions import GantryActions
from vantage.planning.agents.oracle_agent import OracleAgent
from vantage.planning.protocol import Agent
from vantage.recording.events import EpisodeListener, Outcome
from vantage.registry import AGENTS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import (
    Answer,
    Command,
    Episode,
    EpisodeState,
    NoiseType,
    Question,
    Truth,
    TruthQuestion,
    Verdict,
)

SETTINGS = Settings()
SPACE = GantryActions(SETTINGS.actions.translation, SETTINGS.actions.rotation)
START = Viewpoint(2.7, 2.2, 1.2, math.pi / 2, 0.0)  # with its back to the table
ACTIONS = ("y-", "y-", "yaw-", "yaw-", "yaw-", "yaw-", "yaw-", "pitch-")
EPISODE = Episode("e", "search", "boxes", START, (Question("q1", "What color is the mug?"),), 40, 5)
CLEAN = TruthQuestion("q1", "color", "red")
FALSE = replace(CLEAN, premise_holds=False, correction="the mug is red", corrected_question="Is the red mug here?")
COLOR = replace(FALSE, kind="existence", answer="yes", noise_type=NoiseType.COLOR, false_claim="the mug is blue")
LATENT = replace(
    FALSE, answer="", noise_type=NoiseType.LATENT, false_claim="there is a cup", correction="there is no cup"
)


def truth(question: TruthQuestion = CLEAN, actions: tuple[str, ...] | None = ACTIONS) -> dict[str, Truth]:
    goal = None if actions is None else SPACE.replay(START, actions)[-1]
    return {"e": Truth("e", (question,), goal, actions, 0.0)}


class Log(EpisodeListener):
    """Remembers commands and answers."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.answers: list[Answer] = []

    def commanded(self, command: Command, stamp: int) -> None:
        self.commands.append(command)

    def answered(self, answer: Answer, stamp: int) -> None:
        self.answers.append(answer)


def run(truths: dict[str, Truth], episode: Episode = EPISODE) -> tuple[Outcome, Log]:
    log = Log()
    room = BoxRoom(furnished_room(), 160, 120)
    return EpisodeRunner(room, OracleAgent(SETTINGS, truths), [log]).run(episode, 0), log


def test_it_follows_its_actions_and_answers_with_the_last_frame_as_evidence() -> None:
    outcome, log = run(truth())
    assert outcome.state == EpisodeState.FINISHED
    assert tuple(command.action for command in log.commands) == ACTIONS
    assert [command.target for command in log.commands] == SPACE.replay(START, ACTIONS)[1:]
    (answer,) = log.answers
    assert (answer.text, answer.verdict, answer.perception) == ("red", Verdict.ANSWERED, "")
    assert answer.evidence[-1].viewpoint == SPACE.replay(START, ACTIONS)[-1]


@pytest.mark.parametrize("question", [CLEAN, COLOR, LATENT])
def test_what_it_says_is_exact_for_the_judge(question: TruthQuestion) -> None:
    _, log = run(truth(question))
    assert RuleJudge().judge(Case(question, log.answers[0], 1.0)).score == 5


def test_each_of_several_questions_is_answered() -> None:
    both = replace(EPISODE, questions=(Question("q2", "How many?"), *EPISODE.questions))
    gold = {"e": replace(truth()["e"], questions=(CLEAN, TruthQuestion("q2", "count", "3")))}
    _, log = run(gold, both)
    assert [(answer.question_id, answer.text) for answer in log.answers] == [("q2", "3"), ("q1", "red")]


def test_it_answers_once_the_budget_of_the_phase_is_used_up() -> None:
    outcome, log = run(truth(), replace(EPISODE, max_steps=1))
    assert (outcome.state, outcome.reason, outcome.steps) == (EpisodeState.FINISHED, "", 1)
    assert [answer.text for answer in log.answers] == ["red"]


def test_without_an_oracle_it_answers_from_the_first_view() -> None:
    outcome, log = run(truth(actions=None))
    assert (outcome.steps, [answer.text for answer in log.answers]) == (0, ["red"])


def test_an_episode_without_gold_data_is_refused() -> None:
    outcome, _ = run({})
    assert outcome.state == EpisodeState.FAILED
    assert "no gold data for episode 'e'" in outcome.reason
    with pytest.raises(EpisodeError, match="no gold data"):
        OracleAgent(SETTINGS).begin(EPISODE, BoxRoom(furnished_room()).info, 0)


def test_it_is_a_registered_agent() -> None:
    agent = AGENTS.create("oracle", SETTINGS, truths=truth())
    assert isinstance(agent, Agent)
    assert (agent.name, agent.perception) == ("oracle", "")
