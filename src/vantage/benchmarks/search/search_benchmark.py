"""The search benchmark: clean and noisy questions about generated homes, asked where they cannot be answered yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.home_options import ASSETS, BUDGET, LAYOUT, ROOM_AREA, scenes_option
from vantage.benchmarks.protocol import Option, Progress, read_room_numbers

if TYPE_CHECKING:
    from vantage.benchmarks.labelling import StartSettings, VisibilitySettings
    from vantage.benchmarks.sets import EpisodeSet
    from vantage.benchmarks.statistics import LabelledQuestion
    from vantage.config import Settings

_MINIATURE_ROOMS = (2, 2)
_PER_SQUARE_METRE = 1.5  # actions: 60 in the largest homes of usual sizes


class SearchBenchmark(BaseBenchmark):
    """Makes and validates episode sets. The same seed and settings give the same bytes."""

    name = "search"
    free_manipulation = True
    options = (
        scenes_option(default=2),
        Option("episodes", "number of episodes", int, default=12, size=True),
        Option("noisy", "how many of them ask a false question", int, usual="a third", size=True),
        Option("rooms", "rooms of the homes", read_room_numbers, (1, 4), usual="1-4", metavar="LOW-HIGH", size=True),
        ASSETS,
        ROOM_AREA,
        LAYOUT,
        BUDGET,
        Option("world", "registered name of the world that starts and oracles are found in", str, "splat"),
    )

    def __init__(
        self, visibility: VisibilitySettings | None = None, starts: StartSettings | None = None, max_steps: int = 60
    ) -> None:
        self._visibility, self._starts, self._max_steps = visibility, starts, max_steps

    def make(
        self,
        folder: str | Path,
        *,
        scenes: int | str | Path = 2,
        episodes: int = 12,
        noisy: int | None = None,
        rooms: tuple[int, int] = (1, 4),
        seed: int = 0,
        assets: str | Path | None = None,
        room_area: tuple[float, float] | None = None,
        layout: str = "closed",
        budget: str | None = None,
        world: str = "splat",
        miniature: bool = False,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> EpisodeSet:
        """Make a set of ``episodes`` questions, ``noisy`` of them with a false premise, spread over ``scenes`` homes.

        Args:
            scenes: how many homes to generate, or the file or folder that they are imported from.
            noisy: a third of the episodes where it is not given.
            rooms: least and greatest number of rooms of a home; the homes take all numbers between in turn.
            miniature: homes of two rooms each.
            assets: asset database of imported houses; the usual one where it is not given.
            room_area: least and largest floor of a room of generated homes, m2; usual sizes where it is not given.
            layout: of generated homes: ``closed``, ``open``, ``l-shaped`` or ``mixed``.
            budget: actions that each question allows, as ``StepBudget.read`` reads it; where it is not given, 60, and
                in rooms of given areas and imported houses 1.5 for each m2 that the camera reaches, if that is more.
            world: registered name of the world that starts and oracles are found in.
            progress: is told of each house that is left out.

        Raises:
            UsageError: impossible numbers, or the folder is not empty.
            SceneError: the homes do not give that many questions.
        """
        from vantage.benchmarks.labelling import StartSettings, VisibilitySettings
        from vantage.benchmarks.search.search_sets import SearchSetRequest, make_set
        from vantage.benchmarks.sets import SetPlan, StepBudget, homes_of
        from vantage.config import Settings

        usual = StepBudget(self._max_steps, _PER_SQUARE_METRE)
        plan = SetPlan.of(scenes, room_area, layout, budget, usual)
        numbers = _MINIATURE_ROOMS if miniature else rooms
        homes = homes_of(scenes, numbers, seed, episodes, assets, progress, plan.layout)
        request = SearchSetRequest(
            homes,
            episodes,
            episodes // 3 if noisy is None else noisy,
            seed,
            settings or Settings(),
            self._visibility or VisibilitySettings(),
            self._starts or StartSettings(),
            plan,
            world,
        )
        return make_set(folder, request)

    def validate(self, folder: str | Path) -> list[str]:
        """Everything that is wrong with a set, one sentence each; see ``search_sets.set_problems``."""
        from vantage.benchmarks.search.search_sets import set_problems

        return set_problems(folder)

    def premise_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """All questions, noisy or clean, where a set has both."""
        from vantage.benchmarks.sets import CLEAN, NOISY
        from vantage.benchmarks.statistics import LabelledQuestion

        truths = self.truths(episode_set)
        found = [
            LabelledQuestion(question.text, CLEAN if gold.premise_holds else NOISY, episode.scene)
            for episode in episode_set.episodes
            for question in episode.questions
            for gold in truths[episode.episode_id].questions
            if gold.question_id == question.question_id
        ]
        return found if len({each.label for each in found}) > 1 else ()
