"""The three columns of every table of answers: right in words, shown, and both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from vantage.benchmarks.statistics.episode_score import EpisodeScore


@dataclass(frozen=True)
class AnswerColumn:
    """One column.

    Attributes:
        key: of its figure, for JSON.
        title: for people.
        meaning: what counts, in words.
        flag: whether an episode counts; None where that cannot be told, and the episode is left out.
    """

    key: str
    title: str
    meaning: str
    flag: Callable[[EpisodeScore], bool | None]

    def known(self, scores: Iterable[EpisodeScore]) -> list[EpisodeScore]:
        """The episodes that are not left out."""
        return [score for score in scores if self.flag(score) is not None]

    def flags(self, scores: Iterable[EpisodeScore]) -> list[bool]:
        """Whether each episode that is not left out counts."""
        return [bool(self.flag(score)) for score in self.known(scores)]

    def told(self, score: EpisodeScore) -> str:
        """Of one episode: ``yes``, ``no`` or ``-`` where that cannot be told."""
        return {None: "-", True: "yes", False: "no"}[self.flag(score)]


RIGHT = AnswerColumn("right", "Right in words", "the words alone earn mark 5", lambda score: score.right)
SHOWN = AnswerColumn("shown", "Shown", "the look that counts shows what the question needs", lambda score: score.shown)
BOTH = AnswerColumn("success", "Both (success)", "mark 5", lambda score: score.success)
COLUMNS: Sequence[AnswerColumn] = (RIGHT, SHOWN, BOTH)
COLUMN_RULES = (
    f"{RIGHT.title}: {RIGHT.meaning}, whatever was seen. {SHOWN.title}: {SHOWN.meaning}, by the view rule; episodes in "
    f"which no look has to, such as those with a false premise, are left out. {BOTH.title}: {BOTH.meaning}."
)
