"""The benchmark EXCALIBUR (CVPR 2023) on homes of ours: explore with an arm, answer, go in again, answer better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.protocol import Option, Progress, Sections, Told, read_count
from vantage.errors import UsageError
from vantage.types import Phase

if TYPE_CHECKING:
    from vantage.benchmarks.judging import Judge
    from vantage.benchmarks.sets import EpisodeSet
    from vantage.benchmarks.statistics import EpisodeScore, Figure, LabelledQuestion
    from vantage.config import Settings
    from vantage.recording import Recording

_HOUSES = 30
_MINIATURE_HOUSES, _MINIATURE_ROOMS, _MINIATURE_QUESTIONS = 2, (2, 3), 8
_MINIATURE_EXPLORE, _MINIATURE_REENTRY = 150, 150  # actions
_LEFT_OUT = 3  # times as many houses are tried as are wanted


class ExcaliburBenchmark(BaseBenchmark):
    """Makes and validates sets. The same seed and settings give the same bytes, whatever the workers."""

    name = "excalibur"
    parameters = "excalibur.yaml"
    phases = (Phase.EXPLORE.value, Phase.ANSWER.value, Phase.REENTER.value, Phase.REFINE.value)
    options = (
        Option("split", "train, val, test, designed (by hand) or practice", default="test"),
        Option("houses", "number of houses", read_count, usual="30; all designed ones", size=True),
        Option("workers", "processes (2); they do not change the set", read_count, changes_set=False),
    )
    validation_options = (Option("workers", "processes", read_count, default=2, changes_set=False),)

    def make(
        self,
        folder: str | Path,
        *,
        split: str = "test",
        houses: int | None = None,
        workers: int = 2,
        seed: int = 0,
        miniature: bool = False,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> EpisodeSet:
        """Make a set of one episode a house.

        Args:
            split: that the houses are of; those of one are in no other.
            houses: how many; of generated ones 30 where it is not given, of designed ones all.
            workers: processes.
            miniature: two small houses with few questions and actions.
            progress: is told of each house, and of each that is left out.

        Raises:
            UsageError: no such split or not so many houses, or the folder is not empty.
            SceneError: the houses do not give enough questions.
        """
        from vantage.benchmarks.excalibur.excalibur_sets import SetRequest, make_set
        from vantage.benchmarks.excalibur.houses import SPLITS, houses_of, split_size
        from vantage.benchmarks.labelling import VisibilitySettings

        chosen = settings or _own_settings()
        if seed < 0 or workers < 1:
            raise UsageError(
                f"cannot make a set from seed {seed} with {workers} workers; give a seed from 0 and a worker"
            )
        rooms = chosen.excalibur.rooms_least, chosen.excalibur.rooms_most
        if miniature:
            own = replace(
                chosen.excalibur,
                questions=_MINIATURE_QUESTIONS,
                explore_steps=_MINIATURE_EXPLORE,
                reentry_steps=_MINIATURE_REENTRY,
            )
            chosen, rooms, houses = (
                replace(chosen, excalibur=own),
                _MINIATURE_ROOMS,
                min(_MINIATURE_HOUSES, split_size(split)),
            )
        found = houses_of(split, houses, seed, rooms)
        generated = split in SPLITS
        count = (min(_HOUSES, len(found)) if generated else len(found)) if houses is None else houses
        request = SetRequest(
            found[: _LEFT_OUT * count + 1] if generated else found[:count],
            count,
            seed,
            chosen,
            VisibilitySettings(),
            workers,
            demanded=not generated,
        )
        return make_set(folder, request, progress)

    def validate(self, folder: str | Path, workers: int = 2) -> list[str]:
        """Everything that is wrong with a set, one sentence each; see ``excalibur_checks.set_problems``."""
        from vantage.benchmarks.excalibur.excalibur_checks import set_problems

        return set_problems(folder, workers)

    def labelled_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """Each question once, by type, with its answer."""
        from vantage.benchmarks.excalibur.distribution import asked_in
        from vantage.benchmarks.statistics import LabelledQuestion

        asked = asked_in(episode_set.episodes, self.truths(episode_set), Phase.ANSWER.value)
        return [LabelledQuestion(each.text, each.gold.answer, each.house, each.gold.kind) for each in asked]

    def described(self, episode_sets: Sequence[EpisodeSet]) -> Told | None:
        """Types, relations and answers of all questions, and what their words alone tell."""
        from vantage.benchmarks.excalibur.distribution import asked_in, distribution_of

        asked = [each for one in episode_sets for each in asked_in(one.episodes, self.truths(one), Phase.ANSWER.value)]
        if not asked:
            return None
        found = distribution_of(asked)
        return Told(found.text, found.to_json())

    def score(self, recording: Recording, judge: Judge) -> EpisodeScore:
        """See ``excalibur_scores``."""
        from vantage.benchmarks.excalibur.excalibur_scores import score_excalibur

        return score_excalibur(recording, judge)

    def figures(self, scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
        """Acc_exp, Acc_ref, T3 and ExQA, by type and relation, and what was gathered."""
        from vantage.benchmarks.excalibur.excalibur_figures import figures

        return figures(scores)

    @property
    def section(self) -> Sections | None:
        from vantage.benchmarks.excalibur.excalibur_tables import section

        return section


def _own_settings() -> Settings:
    """Those that come with the program for this benchmark."""
    from vantage.config import load_settings
    from vantage.files import shared_folder

    return load_settings(shared_folder("config") / ExcaliburBenchmark.parameters)
