"""Questions that people wrote: asked as they stand, about the homes that they were written for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.home_options import ASSETS, BUDGET, scenes_option
from vantage.benchmarks.protocol import Option, Progress, Sections
from vantage.errors import UsageError

if TYPE_CHECKING:
    from vantage.benchmarks.labelling import StartSettings, VisibilitySettings
    from vantage.benchmarks.sets import EpisodeSet
    from vantage.benchmarks.statistics import LabelledQuestion
    from vantage.config import Settings


_MOST_HOMES = 10_000
_PER_SQUARE_METRE = 3.0  # actions, as in the benchmark of pairs


class WrittenBenchmark(BaseBenchmark):
    """Makes and validates sets of written questions. The same files and seed give the same bytes."""

    name = "written"
    options = (
        Option("source", "the file with the questions", flag="--from", metavar="FILE", size=True),
        scenes_option(usual="must be given"),
        ASSETS,
        BUDGET,
    )

    def __init__(
        self, visibility: VisibilitySettings | None = None, starts: StartSettings | None = None, max_steps: int = 150
    ) -> None:
        self._visibility, self._starts, self._max_steps = visibility, starts, max_steps

    @property
    def section(self) -> Sections:
        """Figures by type of what is false, and by kind."""
        from vantage.benchmarks.written.written_tables import section

        return section

    def make(
        self,
        folder: str | Path,
        *,
        source: str | Path = "",
        scenes: int | str | Path = "",
        assets: str | Path | None = None,
        budget: str | None = None,
        seed: int = 0,
        miniature: bool = False,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> EpisodeSet:
        """A set of all questions of a file, from starts from which they cannot be answered.

        Args:
            source: file of the questions; see ``read_questions``.
            scenes: the homes that they are about, by the names of their folders; of a file of houses FILE_0, FILE_1.
            assets: asset database of imported houses; the usual one where it is not given.
            budget: actions that each question allows, as ``StepBudget.read`` reads it; 3 a
                square metre and at least 150 where it is not given.
            miniature: there is none, because the file decides how large the set is.
            progress: is told of each house and question that is left out.

        Raises:
            UsageError: no file or no scenes are given, a question is about another scene, or the folder is not empty.
            FormatError: the file is damaged.
            SceneError: a target is not in its scene, or none can be seen at all.
        """
        from vantage.benchmarks.labelling import StartSettings, VisibilitySettings
        from vantage.benchmarks.sets import SetPlan, StepBudget, homes_of
        from vantage.benchmarks.written.question_file import read_questions
        from vantage.benchmarks.written.written_sets import WrittenSetRequest, make_set
        from vantage.config import Settings

        if not str(source) or isinstance(scenes, int) or not str(scenes):
            raise UsageError(
                f"benchmark '{self.name}' asks the questions of a file about given homes; give --from FILE and "
                "--scenes FOLDER"
            )
        questions = read_questions(source)
        request = WrittenSetRequest(
            questions,
            homes_of(scenes, (1, 1), seed, _MOST_HOMES, assets, progress),
            seed,
            settings or Settings(),
            self._visibility or VisibilitySettings(),
            self._starts or StartSettings(),
            SetPlan.of(scenes, None, "closed", budget, StepBudget(self._max_steps, _PER_SQUARE_METRE)),
        )
        return make_set(folder, request, progress)

    def validate(self, folder: str | Path) -> list[str]:
        """Everything that is wrong with a set, one sentence each; see ``written_sets.set_problems``."""
        from vantage.benchmarks.written.written_sets import set_problems

        return set_problems(folder)

    def labelled_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """None: what words tell is up to those who wrote them."""
        return ()
