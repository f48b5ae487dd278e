"""What beliefs are worth for answering: cross-entropy of gold answers, and the share that beam search gets right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from vantage.benchmarks.judging import words
from vantage.learning.frozen_t5 import FrozenT5

if TYPE_CHECKING:
    from vantage.learning.policy import Policy

_BATCH = 512  # pairs of a belief and a question at once


@dataclass(frozen=True)
class Lessons:
    """Questions of an episode and their gold answers."""

    questions: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.questions)


def says_the_same(said: str, gold: str) -> bool:
    """Whether an answer has the words of the gold answer, in any order."""
    return sorted(words(said)) == sorted(words(gold))


def correctness(policy: Policy, t5: FrozenT5, beliefs: torch.Tensor, lessons: Lessons, beams: int) -> np.ndarray:
    """The share of questions that is answered rightly with each belief; (N,)."""
    pairs = [(row, k) for row in range(len(beliefs)) for k in range(len(lessons))]
    right = np.zeros(len(pairs))
    for begin in range(0, len(pairs), _BATCH):
        part = pairs[begin : begin + _BATCH]
        prefix = policy.network.prefix(beliefs[[row for row, _ in part]])
        said = t5.answers(prefix, [lessons.questions[k] for _, k in part], beams)
        right[begin : begin + len(part)] = [
            says_the_same(text, lessons.answers[k]) for text, (_, k) in zip(said, part, strict=True)
        ]
    shares: np.ndarray = right.reshape(len(beliefs), len(lessons)).mean(1)
    return shares


def answer_loss(
    policy: Policy, t5: FrozenT5, beliefs: torch.Tensor, lessons: Iterable[tuple[str, str]]
) -> torch.Tensor:
    """Cross-entropy of each answer after its belief; (N,)."""
    questions, answers = zip(*lessons, strict=True)
    return t5.loss(policy.network.prefix(beliefs), questions, answers)


def language_loss(t5: FrozenT5, lessons: Iterable[tuple[str, str]]) -> torch.Tensor:
    """Cross-entropy of each answer where the language model is given the question alone; (N,)."""
    questions, answers = zip(*lessons, strict=True)
    return t5.loss(torch.zeros(len(questions), 0, t5.size), questions, answers)
