"""What stages hand on: questions about a home, the views that are labelled for them, and episodes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from vantage.benchmarks.labelling import HEIGHT, LEVEL, PITCHED
from vantage.benchmarks.sets import QUESTION_ID, episode_of, to_line, truth_of
from vantage.types import Episode, Truth, TruthQuestion

_ACTIONS_PER_AXIS = 4.0


@dataclass(frozen=True)
class CandidateView:
    """A viewpoint of the lattice, by its numbers there, and whether it answers."""

    position: int
    heading: int
    answers: bool


@dataclass(frozen=True)
class Candidate:
    """A question about a home.

    Attributes:
        pair_id: of the question and its answer.
        views: labelled for it; none before that.
    """

    pair_id: str
    text: str
    question: TruthQuestion
    views: tuple[CandidateView, ...] = ()

    def to_json(self) -> dict[str, Any]:
        gold = Truth(self.pair_id, (replace(self.question, question_id=QUESTION_ID),))
        views = [[view.position, view.heading, int(view.answers)] for view in self.views]
        return {"text": self.text, "gold": json.loads(to_line(gold)), "views": views}

    @staticmethod
    def of_json(value: Mapping[str, Any], where: str) -> Candidate:
        """
        Raises:
            FormatError: the gold data are none; begins with ``where``.
        """
        gold = truth_of(json.dumps(value["gold"]), where)
        views = tuple(CandidateView(position, heading, bool(yes)) for position, heading, yes in value["views"])
        return Candidate(gold.episode_id, value["text"], gold.questions[0], views)


@dataclass(frozen=True)
class Offer:
    """An episode that the set may choose; those of one question have the same ``pair_id`` in their gold data."""

    episode: Episode
    truth: Truth

    def to_json(self) -> dict[str, Any]:
        return {"episode": json.loads(to_line(self.episode)), "truth": json.loads(to_line(self.truth))}

    @staticmethod
    def of_json(value: Mapping[str, Any], where: str, actions: tuple[str, ...]) -> Offer:
        """
        Args:
            actions: names of the actions of the set.

        Raises:
            FormatError: it is no episode with gold data; begins with ``where``.
        """
        episode = episode_of(json.dumps(value["episode"]), where)
        return Offer(episode, truth_of(json.dumps(value["truth"]), where, actions))

    @property
    def question(self) -> TruthQuestion:
        return self.truth.questions[0]

    def ease(self, wanted: float, hard: bool = True) -> float:
        """What is least for the offers that are taken first: those whose oracle takes about ``wanted`` actions, and
        those that a camera fails at which keeps its pitch, for little else does.

        Args:
            hard: failing with the height kept, with or without the pitch, counts as well. One kept axis weighs as much
                as a few actions.
        """
        level, pitched, height = (way not in self.truth.solved_by for way in (LEVEL, PITCHED, HEIGHT))
        axes = 2 * height + (level + pitched if hard else 0)
        return abs(len(self.truth.oracle_actions or ()) - wanted) / _ACTIONS_PER_AXIS - axes
