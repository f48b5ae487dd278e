"""The ordinary behaviour of a benchmark, on which others build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.benchmarks.protocol import (
    AnswerMarks,
    Categories,
    Option,
    Review,
    ScoreGold,
    ScorePredictions,
    Sections,
    Stratum,
    Told,
)
from vantage.errors import UsageError
from vantage.types import Phase

if TYPE_CHECKING:
    from vantage.benchmarks.judging import Judge
    from vantage.benchmarks.sets import EpisodeSet, SetInfo
    from vantage.benchmarks.statistics import EpisodeScore, Figure, LabelledQuestion
    from vantage.config import CameraSettings
    from vantage.planning import TaskPictures
    from vantage.recording import Recording
    from vantage.types import Truth


class BaseBenchmark:
    """One phase, gold data in the set, marks of 1 to 5, success at 5, and no tables of its own.

    It also stands for a benchmark that is not installed, so that bags of it can be scored.
    """

    name = ""
    options: Sequence[Option] = ()
    validation_options: Sequence[Option] = ()
    phases: Sequence[str] = (Phase.ANSWER.value,)
    free_manipulation = False
    parameters = "vantage.yaml"

    @property
    def categories(self) -> Categories | None:
        return None

    @property
    def section(self) -> Sections | None:
        return None

    @property
    def answer_marks(self) -> AnswerMarks | None:
        return None

    @property
    def review(self) -> Review | None:
        return None

    @property
    def predictions(self) -> ScorePredictions | None:
        return None

    @property
    def gold(self) -> ScoreGold | None:
        return None

    def sets_in(self, folder: str | Path) -> Sequence[Path]:
        """The folder itself."""
        return (Path(folder),)

    def described(self, episode_sets: Sequence[EpisodeSet]) -> Told | None:
        """Nothing."""
        return None

    def problems_between(self, episode_sets: Sequence[EpisodeSet]) -> Sequence[str]:
        """Nothing."""
        return ()

    def make(self, folder: str | Path, *args: Any, **options: Any) -> EpisodeSet | Told:
        """
        Raises:
            UsageError: always; each benchmark makes sets in its own way.
        """
        raise UsageError(f"sets of benchmark '{self.name}' cannot be made here")

    def validate(self, folder: str | Path, *args: Any, **options: Any) -> list[str]:
        """What is missing or changed among the files of a set."""
        from vantage.benchmarks.sets import check_files, load_set

        episode_set = load_set(folder)
        return check_files(episode_set, self.truths(episode_set))

    def labelled_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """Questions whose premise holds, by their kinds, with their answers."""
        from vantage.benchmarks.statistics import LabelledQuestion

        truths = self.truths(episode_set)
        return [
            LabelledQuestion(question.text, gold.answer, episode.scene, gold.kind)
            for episode in episode_set.episodes
            for question in episode.questions
            for gold in truths[episode.episode_id].questions
            if gold.question_id == question.question_id and gold.premise_holds
        ]

    def premise_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """None."""
        return ()

    def truths(self, episode_set: EpisodeSet) -> Mapping[str, Truth]:
        from vantage.benchmarks.sets import load_truths

        return load_truths(episode_set.folder, episode_set.episodes)

    def pictures(self, episode_set: EpisodeSet, shown: str) -> TaskPictures | None:
        """None."""
        return None

    def tasks(self, episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> tuple[EpisodeSet, Mapping[str, Truth]]:
        """The set as it is."""
        return episode_set, truths

    def strata(self, episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> Mapping[str, Stratum]:
        """None."""
        return {}

    def score(self, recording: Recording, judge: Judge) -> EpisodeScore:
        from vantage.benchmarks.scoring import score_recording

        return score_recording(recording, judge)

    def view_rule_text(self, info: SetInfo, camera: CameraSettings) -> str:
        """The share of each target that the rule judge asks for."""
        from vantage.benchmarks.judging import GROUNDED_AT
        from vantage.benchmarks.labelling import share_rule

        return share_rule(GROUNDED_AT)

    def figures(self, scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
        """Success, marks, steps, paths and the like, and the mean of every named figure of the episodes."""
        from vantage.benchmarks.statistics import aggregate

        return aggregate(scores)
