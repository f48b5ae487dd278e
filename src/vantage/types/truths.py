"""Gold data of episodes, never given to an agent."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vantage.goals import TaskTruth
from vantage.spatial import Viewpoint
from vantage.types.decisions import Answer, NoiseType
from vantage.types.episodes import Question


@dataclass(frozen=True)
class TruthQuestion:
    """Gold data of one question. Never given to an agent.

    ``program`` is what the question asks, in the words of ``questions.programs``; empty where no program says it.
    ``phase`` is the one in which it is asked; it may be empty where the episode has one phase. ``category`` is what the
    benchmark counts it among; empty where it has no categories. Evidence are instance ids: ``target_instances`` of what
    must be seen, ``to_weigh`` of objects whose weight must be felt, ``to_open`` of containers that must be opened.
    ``task`` is there where what is asked is a task in words.
    """

    question_id: str
    kind: str
    answer: str
    accepted: tuple[str, ...] = ()
    premise_holds: bool = True
    noise_type: NoiseType = NoiseType.NONE
    false_claim: str = ""
    correction: str = ""
    corrected_question: str = ""
    target_instances: tuple[int, ...] = ()
    program: str = ""
    phase: str = ""
    category: str = ""
    to_weigh: tuple[int, ...] = ()
    to_open: tuple[int, ...] = ()
    task: TaskTruth | None = None

    def is_about(self, item: Question | Answer) -> bool:
        """Whether these are the gold data of a question, or of the question that an answer names."""
        return item.question_id == self.question_id and self.phase in ("", item.phase)


@dataclass(frozen=True)
class Gathered:
    """What a search came to know of a place with one look; gold data, never given to an agent.

    Attributes:
        seen: instance ids of things of which this look, as the first, shows enough to recognise them.
        opened: likewise, of things that stand open and did not before.
        floor_seen: m2 of floor that has been in view so far.
        things, openable: how many there are in the place, and how many of them can be opened.
        floor_area: m2 of floor on which nothing stands.
    """

    seen: tuple[int, ...] = ()
    opened: tuple[int, ...] = ()
    floor_seen: float = 0.0
    things: int = 0
    openable: int = 0
    floor_area: float = 0.0


@dataclass(frozen=True)
class Truth:
    """Gold data of one episode: answers and the shortest action sequence to an answerable viewpoint.

    Attributes:
        oracle_path_length: m.
        pair_id: what episodes have in common that ask the same of the same scene from different starts; empty without
            such pairs of question and answer.
        split: the part of the benchmark that the episode belongs to, such as ``test``; empty where it has no parts.
        oracle_is_bound: the oracle's actions need not be the fewest; they are only an upper bound of these.
        solved_by: names of limited ways to move that reach an answering view within the budget too, such as ``start``,
            ``rotation``, ``x,y,yaw`` or ``all``; empty where that was not looked into.
    """

    episode_id: str
    questions: tuple[TruthQuestion, ...]
    goal: Viewpoint | None = None
    oracle_actions: tuple[str, ...] | None = None
    oracle_path_length: float = math.nan
    pair_id: str = ""
    split: str = ""
    oracle_is_bound: bool = False
    solved_by: tuple[str, ...] = ()
