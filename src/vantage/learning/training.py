"""Training of EXCALIBUR's learned agents (CVPR 2023, section 4) in rounds, resumable to the last bit.

A round is a number of whole episodes and an update from them. Everything drawn by lot comes from the seed of the
training and the number of the round, so parameters, state of the optimizer and that number are all that a checkpoint
needs. The result is the same with any number of processes.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from vantage.bounded_json import bounded_json
from vantage.config import Settings
from vantage.errors import FormatError, UsageError
from vantage.files import CHECKPOINT, write_whole
from vantage.learning import checkpoint
from vantage.learning.answer_lessons import Lessons
from vantage.learning.frozen_t5 import FrozenT5
from vantage.learning.network_inputs import body_size
from vantage.learning.policy import Policy, PolicyShape, to_bytes
from vantage.learning.ppo import Learner
from vantage.learning.rollouts import Collection, Environment, Rollout, derived, run_episodes
from vantage.learning.segments import cut
from vantage.learning.tiny_t5 import t5_of
from vantage.workers import WorkerPool

NOVELTY, QA = "novelty", "qa"
AGENTS = (NOVELTY, QA, f"{NOVELTY}+{QA}")
LOG, T5 = "log.jsonl", "t5"
_THREADS = 1  # of updates: sums by several threads end otherwise, and networks are too small to gain much by them
_KEPT = (
    "optimizer",
    "round",
    "steps",
    "seed",
    "agent",
    "actions",
    "phases",
    "t5_weights",
    "visual_weights",
    "set",
    "training",
)
_CHANGEABLE = ("learning_rate", "checkpoint_every")  # settings that may be others when a training is gone on with
_ORDER, _EPISODE, _UPDATE = range(3)  # what a seed is for

Progress = Callable[[str], None]


@dataclass(frozen=True)
class TrainingPlan:
    """What to train.

    Attributes:
        agent: one of ``AGENTS``, which says what is rewarded.
        environment: makes an environment as ``EpisodeEnv`` is, of the training houses; can be pickled.
        out: folder for checkpoint, log and the language model.
        steps: actions after which no further round begins.
        features: name of the visual features.
        t5: folder of the language model; empty for a tiny one, trained on the questions of the set.
        settings: group ``training``, and those of the visual features.
    """

    agent: str
    environment: Environment
    out: Path
    steps: int
    features: str = "pixels"
    t5: str = ""
    seed: int = 0
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True)
class Surroundings:
    """What is told of environments before any is run.

    Attributes:
        lessons: of each episode.
    """

    actions: tuple[str, ...]
    phases: tuple[str, ...]
    lessons: tuple[Lessons, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of what is asked in which episode, with the answers."""
        return hashlib.sha256(repr(self.lessons).encode()).hexdigest()

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All questions with their answers."""
        return [pair for each in self.lessons for pair in zip(each.questions, each.answers, strict=True)]


class Training:
    """One training, new or gone on with.

    Args:
        progress: told one line at a time.

    Raises:
        UsageError: no such agent, nothing is asked, or the folder holds the training of something else.
        ModelError: weights are missing.
        FormatError: the checkpoint cannot be read, or is of another version.
    """

    def __init__(self, plan: TrainingPlan, progress: Progress = lambda line: None) -> None:
        if plan.agent not in AGENTS:
            raise UsageError(f"--agent {plan.agent}: choose one of {', '.join(AGENTS)}")
        self.plan, self._progress = plan, progress
        self.surroundings = surroundings_of(plan.environment)
        torch.set_num_threads(_THREADS)
        plan.out.mkdir(parents=True, exist_ok=True)
        kept = checkpoint.load(plan.out) if (plan.out / CHECKPOINT).exists() else None
        self.t5 = self._language()
        self.shape = self._shape()
        self.policy = new_policy(self.shape, plan.seed, plan.settings)
        self.learner = Learner(self.policy, self.t5, plan.settings.training)
        self.round, self.steps = 0, 0
        if kept is not None:
            self._go_on(kept)

    def check_alike(self, other: Surroundings) -> None:
        """
        Raises:
            UsageError: other houses are gone through by other actions or in other phases than those of the training.
        """
        for what in ("actions", "phases"):
            if getattr(other, what) != getattr(self.surroundings, what):
                raise UsageError(f"the held-out set has other {what} than that of the training; make both alike")

    @property
    def collection(self) -> Collection:
        """How episodes of training are run."""
        training = self.plan.settings.training
        return Collection(
            self.plan.environment,
            self.shape,
            self._t5_folder,
            training.segment,
            training.answer_every,
            training.beams,
            QA in self.plan.agent,
            self.plan.settings,
        )

    def train(self, pool: WorkerPool, deadline: float = float("inf")) -> None:
        """Rounds until the steps of the plan are taken, each with a line in the log, and checkpoints.

        Args:
            deadline: of ``time.monotonic()``, after which no further round begins.

        Raises:
            VantageError: a reward or a loss is no number, or the world stopped; the last checkpoint stays.
        """
        self._cut_log()
        while self.steps < self.plan.steps and time.monotonic() < deadline:
            begun = time.monotonic()
            rollouts = self._collect(pool)
            collected = time.monotonic()
            rewards = [self._rewards(each) for each in rollouts]
            training = self.plan.settings.training
            segments = cut(rollouts, rewards, training.segment, training.discount, training.trace)
            losses = self.learner.learn(segments, derived(self.plan.seed, _UPDATE, self.round))
            self.round += 1
            self.steps += sum(each.steps for each in rollouts)
            told = {
                "round": self.round,
                "steps": self.steps,
                "r_novelty": float(np.mean([each.novelty.sum() for each in rollouts])),
                **self._answers_won(rollouts),
                "length": float(np.mean([each.steps for each in rollouts])),
                **losses,
                "collecting_s": round(collected - begun, 2),
                "learning_s": round(time.monotonic() - collected, 2),
            }
            self._log(told)
            over = self.steps >= self.plan.steps or time.monotonic() >= deadline
            if over or self.round % training.checkpoint_every == 0:
                self.save()

    def save(self) -> None:
        """Write the checkpoint anew, whole or not at all."""
        given = Path(self.plan.t5)
        checkpoint.save(
            self.plan.out,
            {
                "agent": self.plan.agent,
                "shape": asdict(self.shape),
                "learned": self.policy.learned(),
                "phases": list(self.surroundings.phases),
                "actions": list(self.surroundings.actions),
                "t5": T5 if not self.plan.t5 else str(given.resolve()) if given.is_dir() else self.plan.t5,
                "t5_weights": self.t5.weights,
                "visual_weights": self.policy.visual.weights,
                "optimizer": self.learner.optimizer.state_dict(),
                "round": self.round,
                "steps": self.steps,
                "seed": self.plan.seed,
                "set": self.surroundings.digest,
                "training": self._lasting(),
            },
        )

    def weights(self) -> bytes:
        """Of the policy, for workers."""
        return to_bytes(self.policy.learned())

    def _collect(self, pool: WorkerPool) -> list[Rollout]:
        """The episodes of a round: each of the set as often as any other, in an order by lot."""
        count, known = self.plan.settings.training.episodes, len(self.surroundings.lessons)
        numbers, seeds = [], []
        for k in range(self.round * count, (self.round + 1) * count):
            order = np.random.default_rng(derived(self.plan.seed, _ORDER, k // known)).permutation(known)
            numbers.append(int(order[k % known]))
            seeds.append(derived(self.plan.seed, _EPISODE, k))
        return run_episodes(pool, self.collection, self.weights(), numbers, seeds)

    def _rewards(self, rollout: Rollout) -> np.ndarray:
        """What the agent is rewarded for."""
        named = {NOVELTY: rollout.novelty, QA: rollout.answering}
        return sum((named[name] for name in self.plan.agent.split("+")), np.zeros(rollout.steps, np.float32))

    def _answers_won(self, rollouts: Sequence[Rollout]) -> dict[str, float]:
        """Mean r_QA of an episode, where beam searches are made."""
        return {"r_qa": float(np.mean([each.answering.sum() for each in rollouts]))} if QA in self.plan.agent else {}

    @property
    def _t5_folder(self) -> str:
        return self.plan.t5 or str(self.plan.out / T5)

    def _language(self) -> FrozenT5:
        if self.plan.t5:
            return FrozenT5.load(self.plan.t5)
        if not Path(self._t5_folder).is_dir():
            self._progress(
                "no --t5 is given: a tiny one is trained on text in the form of the set's questions, then frozen"
            )
        return t5_of(Path(self._t5_folder), self.surroundings.pairs, self.plan.seed)

    def _shape(self) -> PolicyShape:
        training, found = self.plan.settings.training, self.surroundings
        return PolicyShape(
            self.plan.features,
            training.size,
            len(found.actions),
            body_size(found.phases),
            self.t5.size,
            training.prefix,
            training.belief,
        )

    def _lasting(self) -> dict[str, Any]:
        """Settings with which a training has to be gone on with, by name."""
        found = asdict(self.plan.settings.training)
        return {f"training.{key}": value for key, value in found.items() if key not in _CHANGEABLE}

    def _go_on(self, kept: dict[str, Any]) -> None:
        """
        Raises:
            FormatError: the checkpoint lacks what training goes on with.
            UsageError: it is of another training.
        """
        missing = [key for key in (*_KEPT, "shape", "learned") if key not in kept]
        if missing:
            raise FormatError(f"the checkpoint in {self.plan.out} lacks {', '.join(missing)}; choose another --out")
        now = {
            "agent": self.plan.agent,
            "seed": self.plan.seed,
            "t5_weights": self.t5.weights,
            "visual_weights": self.policy.visual.weights,
            "actions": list(self.surroundings.actions),
            "phases": list(self.surroundings.phases),
            "set": self.surroundings.digest,
            **asdict(self.shape),
            **self._lasting(),
        }
        then = {**kept, **kept["shape"], **kept["training"]}
        for key, value in now.items():
            if then.get(key) != value:
                raise UsageError(
                    f"{self.plan.out} holds a training with another {key}; go on with the same, or choose another --out"
                )
        self.policy.load_learned(kept["learned"])
        rates = [group["lr"] for group in self.learner.optimizer.param_groups]
        self.learner.optimizer.load_state_dict(kept["optimizer"])
        for group, rate in zip(self.learner.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate  # as the settings have it now
        self.round, self.steps = kept["round"], kept["steps"]
        self._progress(f"going on after round {self.round}, {self.steps} steps")

    def _cut_log(self) -> None:
        """Leave out lines of rounds that no checkpoint holds: these are run again."""
        path = self.plan.out / LOG
        lines = [line for line in read_log(path) if line["round"] <= self.round] if path.exists() else []
        write_whole(path, _json_lines(lines))

    def _log(self, told: dict[str, Any]) -> None:
        with (self.plan.out / LOG).open("a", encoding="utf-8") as file:
            file.write(_json_lines([told]))
        won = f"r_QA {told['r_qa']:+.3f}, " if "r_qa" in told else ""
        self._progress(
            f"round {told['round']}: {told['steps']} steps, r_novelty {told['r_novelty']:.3f}, "
            f"{won}answers' loss {told.get('answering', float('nan')):.3f}"
        )


def new_policy(shape: PolicyShape, seed: int, settings: Settings) -> Policy:
    """The policy with which a training of this seed begins."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Policy(shape, settings)


def surroundings_of(environment: Environment) -> Surroundings:
    """What an environment tells of itself.

    Raises:
        UsageError: it asks nothing.
    """
    env = environment()
    try:
        told = env.unwrapped
        lessons = tuple(
            Lessons(*zip(*pairs, strict=True)) if pairs else Lessons()
            for pairs in map(told.lessons_of, range(told.episode_count))
        )
        found = Surroundings(tuple(told.action_names), tuple(told.phase_names), lessons)
    finally:
        env.close()
    if not found.pairs:
        raise UsageError("the set has no episode with questions; give one that asks something")
    return found


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a log; a last one that was cut off by the end of its process does not count.

    Raises:
        FormatError: another line is no JSON object of a round.
    """
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.endswith("\n"):
            break
        try:
            told = bounded_json(line)
            found.append({**told, "round": int(told["round"])})
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(f"{path}:{number}: no line of a training's log; move the file away") from error
    return found


def _json_lines(lines: Iterable[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)
