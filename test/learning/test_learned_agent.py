"""The agent that acts and answers by a checkpoint, through all phases of episodes in the open field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from made_checkpoints import made_checkpoint
from open_field import OpenFieldWorld, make_episode
from phased import REENTER, REFINE, Log, look_answer_look_again
from tiny_clip import tiny_clip

from vantage.config import Settings
from vantage.errors import FormatError, ModelError, UsageError, VantageError
from vantage.learning import checkpoint
from vantage.learning.tiny_t5 import make_tiny_t5
from vantage.planning import Agent, make_actions
from vantage.recording import Outcome
from vantage.registry import AGENTS
from vantage.runs import EpisodeRunner
from vantage.types import Episode, EpisodeState, Verdict

pytestmark = pytest.mark.needs("learning")

PHASES = ("explore", "answer", "reenter", "refine")
NEVER, SURELY = {"done": -1e6}, {"done": 1e6}
EPISODE = look_answer_look_again(cap=6)


def settings(folder: Path, **values: object) -> Settings:
    given = {"agent.checkpoint": str(folder), "actions.space": "mobile", "actions.frame": "heading", **values}
    return Settings().with_values(given, "test")


Make = Callable[..., Path]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    names = make_actions(settings(Path()).actions).names
    return lambda likes=NEVER, **options: made_checkpoint(
        tmp_path_factory.mktemp("trained"), names, PHASES, likes, **options
    )


@pytest.fixture(scope="module")
def folder(make: Make) -> Path:
    """Of an agent that is never done."""
    return make()


def agent_of(folder: Path, **values: object) -> Agent:
    agent: Agent = AGENTS.create("learned", settings(folder, **values))
    return agent


def run(agent: Agent, episode: Episode = EPISODE, seed: int = 0) -> tuple[Outcome, Log]:
    log = Log()
    return EpisodeRunner(OpenFieldWorld(), agent, [log]).run(episode, seed), log


def named(log: Log) -> list[str]:
    return [text for text in log.told if text.startswith("Command")]


def test_it_keeps_to_the_budget_and_answers_every_question(folder: Path) -> None:
    agent = agent_of(folder)
    outcome, _ = run(agent)
    assert isinstance(agent, Agent)
    assert agent.name == "novelty+qa"
    assert agent.perception == "none"
    assert outcome.state is EpisodeState.FINISHED
    assert outcome.phase_steps == {"explore": 4, "answer": 1, REENTER: 6, REFINE: 0}
    assert outcome.reason == "phase 'reenter': agent 'novelty+qa' was not done within the 6 steps that it had at most"
    assert [(answer.phase, answer.question_id) for answer in outcome.answers] == [
        (phase, key) for phase in ("answer", REFINE) for key in ("q1", "q2")
    ]
    for answer in outcome.answers:
        assert answer.verdict is (Verdict.ANSWERED if answer.text else Verdict.UNANSWERABLE)
        assert 0.0 <= answer.confidence <= 1.0


def test_its_word_that_it_is_done_ends_phases_without_a_step(make: Make) -> None:
    outcome, _ = run(agent_of(make(SURELY, agent="qa")))
    assert outcome.state is EpisodeState.FINISHED
    assert outcome.reason == ""
    assert not any(outcome.phase_steps.values())
    assert len(outcome.answers) == 4


def test_the_same_seed_gives_the_same_episode_and_another_one_another(folder: Path) -> None:
    first, again = agent_of(folder), agent_of(folder)
    told = named(run(first)[1])
    assert told == named(run(again)[1]) == named(run(first)[1])
    assert told != named(run(first, seed=1)[1])
    assert told != named(run(first, replace(EPISODE, seed=1))[1])


def asked_otherwise(episode: Episode) -> Episode:
    phases = tuple(
        replace(phase, questions=tuple(replace(each, text=f"How heavy is {each.text}") for each in phase.questions))
        for phase in episode.phases
    )
    return Episode.of_phases(episode.episode_id, episode.benchmark, episode.scene, episode.start, phases)


def probabilities(agent: Agent, episode: Episode) -> list[np.ndarray]:
    """Of the actions, at each step that the agent took."""
    found = []
    trained = agent._trained
    usual = trained.probabilities

    def noted(belief: object) -> np.ndarray:
        found.append(usual(belief))
        return found[-1]

    trained.probabilities = noted
    run(agent, episode)
    trained.probabilities = usual
    return found


def test_questions_enter_only_when_they_are_asked(folder: Path) -> None:
    silent = look_answer_look_again(cap=6)
    silent = Episode.of_phases(
        *(silent.episode_id, silent.benchmark, silent.scene, silent.start),
        tuple(replace(phase, max_steps=0) if phase.name == "answer" else phase for phase in silent.phases),
    )
    usual = probabilities(agent_of(folder), silent)
    other = probabilities(agent_of(folder), asked_otherwise(silent))
    assert len(usual) == len(other) == 10
    assert all(map(np.array_equal, usual[:4], other[:4]))
    assert not np.array_equal(usual[4], other[4])


def test_a_phase_with_questions_and_steps_is_acted_in_before_it_is_answered(folder: Path) -> None:
    outcome, _ = run(agent_of(folder), make_episode(questions=3, max_steps=5))
    assert outcome.state is EpisodeState.FINISHED
    assert outcome.steps == 5
    assert len(outcome.answers) == 3


def test_it_remembers_what_it_saw_before_the_place_was_restored(folder: Path) -> None:
    agent = agent_of(folder)
    whole = probabilities(agent, EPISODE)
    alone = probabilities(agent, replace(EPISODE.in_phase(2), restored=False))
    assert not np.allclose(whole[-6], alone[0])


def test_it_sees_through_the_perceiver_that_its_features_need(make: Make) -> None:
    given = {"agent.perception": "degraded"}
    agent = agent_of(make(features="detections", settings=settings(Path(), **given)), **given)
    assert agent.perception == "degraded"
    outcome, _ = run(agent)
    assert outcome.state is EpisodeState.FINISHED
    assert {answer.perception for answer in outcome.answers} == {"degraded"}


def test_what_is_missing_or_does_not_fit_is_told_in_a_sentence(make: Make, folder: Path, tmp_path: Path) -> None:
    def refused(kind: type[VantageError], match: str, where: Path | str, **values: object) -> None:
        with pytest.raises(kind, match=match) as error:
            agent_of(Path(where), **values)
        assert "\n" not in str(error.value)

    with pytest.raises(UsageError, match=r"name its folder with --set agent\.checkpoint=DIR$"):
        AGENTS.create("learned", Settings())
    refused(FormatError, "there is no checkpoint .*name the folder that `vantage train` was given", tmp_path)
    refused(UsageError, r"was trained with 122 actions, others than those of action space 'gantry'", folder, **GANTRY)
    make_tiny_t5(tmp_path / "other", [("Is it?", "yes")], steps=1)
    wrong = {"learning.t5": str(tmp_path / "other")}
    refused(ModelError, r"is not the one it was trained with; name that one with --set learning\.t5", folder, **wrong)
    found = checkpoint.load(folder)
    checkpoint.save(tmp_path, found)
    refused(ModelError, r"no T5 can be loaded from 't5': .*--set learning\.t5=FOLDER$", tmp_path)
    assert agent_of(tmp_path, **{"learning.t5": str(folder / "t5")}).name == "novelty+qa"
    given = {"learning.t5": str(folder / "t5")}
    checkpoint.save(tmp_path, {key: value for key, value in found.items() if key != "actions"})
    refused(FormatError, r"checkpoint\.pt lacks actions; train anew", tmp_path, **given)
    checkpoint.save(tmp_path, found | {"shape": {"features": "pixels"}})
    refused(FormatError, r"describes no policy \(.*\); train anew", tmp_path, **given)
    checkpoint.save(tmp_path, found | {"learned": {"weight": torch.ones(1)}})
    refused(FormatError, "promises a policy larger than the 1 weights that it holds; train anew", tmp_path, **given)
    enough = sum(value.numel() for value in found["learned"].values())
    checkpoint.save(tmp_path, found | {"learned": {"weight": torch.ones(enough)}})
    refused(FormatError, "the weights are of a policy of another shape", tmp_path, **given)


GANTRY = {"actions.space": "gantry", "actions.frame": "world"}


def test_pictures_are_looked_at_by_the_clip_model_of_the_training(make: Make, tmp_path: Path) -> None:
    same, other = ({"learning.clip": tiny_clip(tmp_path / str(seed), seed)} for seed in (0, 1))
    folder = make(features="clip", settings=settings(Path(), **same))
    assert agent_of(folder, **same).name == "novelty+qa"
    with pytest.raises(ModelError, match=r"the CLIP model is not the one .*--set learning\.clip=FOLDER$"):
        agent_of(folder, **other)
