"""Training: it learns, goes on to the last bit, and says what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from toy_houses import MakeRing

from vantage.config import Settings
from vantage.errors import FormatError, ModelError, UsageError, VantageError
from vantage.learning import checkpoint
from vantage.learning.comparison import compare
from vantage.learning.tiny_t5 import make_tiny_t5
from vantage.learning.training import LOG, Training, TrainingPlan, read_log, surroundings_of
from vantage.workers import WorkerPool

pytestmark = pytest.mark.needs("learning")

SMALL = {"size": 36, "belief": 24, "episodes": 6, "segment": 4, "batch": 8, "lessons": 32, "answer_every": 5}


def settings(**changed: float) -> Settings:
    values = {"learning_rate": 3e-3, **SMALL, **changed}
    return Settings().with_values({f"training.{key}": value for key, value in values.items()}, "test")


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1) as found:
        yield found


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> str:
    ring = MakeRing()()
    folder = tmp_path_factory.mktemp("words") / "t5"
    make_tiny_t5(folder, [pair for number in range(ring.episode_count) for pair in ring.lessons_of(number)], steps=40)
    return str(folder)


def plan(out: Path, t5: str, **changed: object) -> TrainingPlan:
    return replace(TrainingPlan("novelty+qa", MakeRing(), out, 10**9, t5=t5, settings=settings()), **changed)


def trained(out: Path, t5: str, pool: WorkerPool, rounds: int, **changed: object) -> Training:
    """A training until the end of a round."""
    found = Training(plan(out, t5, **changed))
    while found.round < rounds:
        found.plan = replace(found.plan, steps=found.steps + 1)
        found.train(pool)
    return found


def test_reward_rises_and_the_loss_of_answers_falls(tmp_path: Path, t5: str, pool: WorkerPool) -> None:
    training = trained(tmp_path, t5, pool, 10, agent="novelty")
    log = read_log(tmp_path / LOG)
    assert [line["round"] for line in log] == list(range(1, 11))
    assert log[-1]["answering"] < 0.7 * log[0]["answering"]
    found = compare(training, pool, "training", MakeRing(), 12)
    assert found.ratio > 1.3
    assert found.answer_loss < found.language_loss
    assert found.episodes == 12


def test_what_is_gone_on_with_after_a_kill_ends_as_if_nothing_had_happened(
    tmp_path: Path, t5: str, pool: WorkerPool
) -> None:
    whole = trained(tmp_path / "whole", t5, pool, 3)
    trained(tmp_path / "parts", t5, pool, 1)
    log = tmp_path / "parts" / LOG
    log.write_text(log.read_text() + json.dumps({"round": 2, "steps": 1}) + '\n{"round": 3, "st')  # killed meanwhile
    parts = trained(tmp_path / "parts", t5, pool, 3)
    assert whole.steps == parts.steps
    for name, value in whole.policy.learned().items():
        assert torch.equal(value, parts.policy.learned()[name]), name

    def lines(of: str) -> list[dict[str, float]]:
        found = read_log(tmp_path / of / LOG)
        return [{key: value for key, value in line.items() if not key.endswith("_s")} for line in found]

    assert lines("whole") == lines("parts")


def test_a_reward_that_is_no_number_ends_training_and_leaves_the_checkpoint(
    tmp_path: Path, t5: str, pool: WorkerPool
) -> None:
    trained(tmp_path, t5, pool, 1)
    before = (tmp_path / "checkpoint.pt").read_bytes()
    with pytest.raises(VantageError, match=r"r_novelty after step 3 of episode 'ring_\d' is nan; mend"):
        trained(tmp_path, t5, pool, 2, environment=MakeRing(spoiled_after=3))
    assert (tmp_path / "checkpoint.pt").read_bytes() == before


def test_the_rate_of_learning_is_that_of_the_settings_when_a_training_is_gone_on_with(
    tmp_path: Path, t5: str, pool: WorkerPool
) -> None:
    trained(tmp_path, t5, pool, 1)
    again = Training(plan(tmp_path, t5, settings=settings(learning_rate=1e-5)))
    assert {group["lr"] for group in again.learner.optimizer.param_groups} == {1e-5}


def test_what_is_not_measured_is_not_told(tmp_path: Path, t5: str, pool: WorkerPool) -> None:
    trained(tmp_path / "novelty", t5, pool, 1, agent="novelty")
    trained(tmp_path / "both", t5, pool, 1)
    told = [read_log(tmp_path / name / LOG)[0] for name in ("novelty", "both")]
    assert ["r_qa" in line for line in told] == [False, True]


def test_held_out_houses_need_the_same_actions_and_phases(tmp_path: Path, t5: str) -> None:
    training = Training(plan(tmp_path, t5))
    training.check_alike(surroundings_of(MakeRing(steps=3)))
    other = replace(training.surroundings, phases=("explore",))
    with pytest.raises(UsageError, match="the held-out set has other phases than that of the training"):
        training.check_alike(other)


def test_bad_input_ends_with_a_sentence(tmp_path: Path, t5: str, pool: WorkerPool) -> None:
    with pytest.raises(UsageError, match="--agent curious: choose one of novelty, qa, novelty"):
        Training(plan(tmp_path / "a", t5, agent="curious"))
    with pytest.raises(UsageError, match="no episode with questions"):
        Training(plan(tmp_path / "b", t5, environment=MakeRing(asks=False)))
    with pytest.raises(ModelError, match="no T5 can be loaded"):
        Training(plan(tmp_path / "c", str(tmp_path / "nothing")))
    checkpoint.save(tmp_path / "e", {"agent": "novelty+qa"})
    with pytest.raises(FormatError, match=r"the checkpoint in .* lacks optimizer, round, "):
        Training(plan(tmp_path / "e", t5))
    trained(tmp_path / "d", t5, pool, 1)
    with pytest.raises(UsageError, match="holds a training with another belief; go on with the same"):
        Training(plan(tmp_path / "d", t5, settings=settings(belief=25)))
    with pytest.raises(UsageError, match=r"holds a training with another training\.discount"):
        Training(plan(tmp_path / "d", t5, settings=settings(discount=0.5)))
    with pytest.raises(UsageError, match="holds a training with another set"):
        Training(plan(tmp_path / "d", t5, environment=MakeRing(first="When were the walls painted?")))
    (tmp_path / "d" / "checkpoint.pt").write_bytes(b"no archive")
    with pytest.raises(FormatError, match="damaged"):
        Training(plan(tmp_path / "d", t5))
    (tmp_path / "d" / LOG).write_text("no log\n")
    with pytest.raises(FormatError, match=r"log\.jsonl:1: no line of a training's log"):
        read_log(tmp_path / "d" / LOG)
