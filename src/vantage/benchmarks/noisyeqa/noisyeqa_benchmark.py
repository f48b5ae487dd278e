"""Questions with false premises in pairs: every noisy question has a clean twin, asked from the same place.

After NoisyEQA (arXiv 2412.10726), whose questions are not public, for agents that move: what the question takes for
granted can be checked from viewpoints that the camera can reach, but not from where it starts. The twins tell a careful
agent from one that always objects.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.home_options import ASSETS, BUDGET, LAYOUT, ROOM_AREA, scenes_option
from vantage.benchmarks.protocol import Option, Progress, Review, Sections, Told, read_count, read_room_numbers
from vantage.errors import UsageError
from vantage.registry import did_you_mean

if TYPE_CHECKING:
    from vantage.benchmarks.labelling import StartSettings, VisibilitySettings
    from vantage.benchmarks.review import ReviewItem
    from vantage.benchmarks.sets import EpisodeSet
    from vantage.benchmarks.statistics import LabelledQuestion
    from vantage.config import Settings
    from vantage.types import NoiseType

_PAIRS, _PAIRS_OF_A_FILED_HOME = 500, 8
_HOMES, _PAIRS_OF_A_HOME = 120, 4
_MINIATURE_SCENES, _MINIATURE_PAIRS, _MINIATURE_ROOMS = 2, 16, (2, 3)
_PER_SQUARE_METRE = 3.0  # actions: a little less than 150 in the largest homes of usual sizes
_REVIEW_RULE = (
    "Accept a pair when the noisy question takes something false for granted, its twin nothing, the correction is "
    "right and the answer follows from the picture and the facts. A solid outline is what a question is about, a "
    "dashed one the place that it names; outlines go through what stands before them."
)


class NoisyEqaBenchmark(BaseBenchmark):
    """Makes and validates sets of pairs. The same seed and settings give the same bytes, whatever the workers."""

    name = "noisyeqa"
    options = (
        scenes_option(usual=f"one for {_PAIRS_OF_A_HOME} pairs, {_HOMES} at most"),
        Option(
            "pairs",
            "number of false questions, each with a true twin",
            int,
            usual="500; 8 a home of files",
            size=True,
        ),
        Option(
            "shares",
            "of the noise types: paper (the default), even, or weights such as latent=2,color=1",
            metavar="WHICH",
            in_miniature=False,
            named=False,
        ),
        Option("phrasing", "how questions are worded: test (the default) or dev", metavar="GROUP"),
        Option("rooms", "rooms of the homes", read_room_numbers, (1, 3), usual="1-3", metavar="LOW-HIGH", size=True),
        ASSETS,
        ROOM_AREA,
        LAYOUT,
        BUDGET,
        Option("workers", "processes (2); they do not change the set", read_count, changes_set=False),
    )
    validation_options = (Option("workers", "processes", read_count, default=2, changes_set=False),)

    def __init__(
        self, visibility: VisibilitySettings | None = None, starts: StartSettings | None = None, max_steps: int = 150
    ) -> None:
        self._visibility, self._starts, self._max_steps = visibility, starts, max_steps

    @property
    def section(self) -> Sections:
        """The tables of pairs, those of other benchmarks too."""
        from vantage.benchmarks.noisyeqa.noisyeqa_tables import section

        return section

    @property
    def review(self) -> Review:
        """Pair by pair."""
        from vantage.benchmarks.review import SetReview

        return SetReview("pair", _pair_episodes, _pair_items, _REVIEW_RULE, group="Noise")

    def make(
        self,
        folder: str | Path,
        *,
        scenes: int | str | Path | None = None,
        pairs: int | None = None,
        rooms: tuple[int, int] = (1, 3),
        seed: int = 0,
        shares: str | Mapping[NoiseType, float] = "paper",
        phrasing: str = "test",
        assets: str | Path | None = None,
        room_area: tuple[float, float] | None = None,
        layout: str = "closed",
        budget: str | None = None,
        workers: int = 2,
        miniature: bool = False,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> EpisodeSet:
        """Make ``pairs`` noisy questions and as many clean ones, spread over ``scenes`` homes.

        Args:
            scenes: how many homes to generate, or the file or folder that they are imported from; where it is not
                given, one for 4 pairs, 120 at most.
            pairs: where it is not given, 500, or 8 for each home of files if that is less.
            rooms: least and greatest number of rooms of a home; the homes take all numbers between in turn.
            shares: of the noise types; ``paper``, ``even`` or weights.
            phrasing: group of wordings: ``test``, which the parser was not built on, or ``dev``.
            assets: asset database of imported houses; the usual one where it is not given.
            room_area: least and largest floor of a room of generated homes, m2; usual sizes where it is not given.
            layout: of generated homes: ``closed``, ``open``, ``l-shaped`` or ``mixed``.
            budget: actions that each question allows, as ``StepBudget.read`` reads it; where it is not given, 150, and
                in rooms of given areas and imported houses 3 for each m2 that the camera reaches, if that is more.
            workers: processes.
            miniature: two homes, and two pairs of every type that they give.
            progress: is told of each home, and of houses that are left out.

        Raises:
            UsageError: impossible numbers or shares, or the folder is not empty.
            SceneError: the homes do not give that many pairs of every type.
        """
        from vantage.benchmarks.labelling import StartSettings, VisibilitySettings
        from vantage.benchmarks.noisyeqa.noisyeqa_sets import HomeSettings, make_set
        from vantage.benchmarks.sets import (
            EVEN,
            SetPlan,
            StepBudget,
            checked_shares,
            homes_of,
            quotas_of,
            shares_of,
        )
        from vantage.config import Settings
        from vantage.questions.noise import WORDINGS

        if miniature:
            scenes, pairs, rooms, shares = _MINIATURE_SCENES, _MINIATURE_PAIRS, _MINIATURE_ROOMS, EVEN
        most = _PAIRS if pairs is None else pairs
        if scenes is None:
            scenes = min(_HOMES, max(1, most // _PAIRS_OF_A_HOME))
        least = scenes if isinstance(scenes, int) else 1
        if least < 1 or most < least or seed < 0 or workers < 1:
            raise UsageError(
                f"cannot make {most} pairs in {scenes} scenes from seed {seed} with {workers} workers; "
                "give at least one pair a scene, a seed from 0 and a worker"
            )
        if phrasing not in WORDINGS:
            raise UsageError(f"unknown phrasing '{phrasing}'{did_you_mean(phrasing, list(WORDINGS))}")
        plan = SetPlan.of(scenes, room_area, layout, budget, StepBudget(self._max_steps, _PER_SQUARE_METRE))
        homes = homes_of(scenes, rooms, seed, most, assets, progress, plan.layout)
        if pairs is None and not isinstance(scenes, int):
            most = min(_PAIRS, _PAIRS_OF_A_FILED_HOME * len(homes))
            progress(f"{len(homes)} homes: {most} pairs; --pairs asks for more or fewer")
        weights = shares_of(shares) if isinstance(shares, str) else checked_shares(shares)
        chosen = settings or Settings()
        threads = min(chosen.world.threads, max(1, (os.cpu_count() or 1) // workers))
        common = HomeSettings(
            Path(folder),
            seed,
            replace(chosen, world=replace(chosen.world, threads=threads)),
            self._visibility or VisibilitySettings(),
            self._starts or StartSettings(),
            phrasing,
            plan,
        )
        return make_set(common, homes, quotas_of(most, weights), workers, progress, exactly=not miniature)

    def validate(self, folder: str | Path, workers: int = 2) -> list[str]:
        """Everything that is wrong with a set, one sentence each; see ``noisyeqa_checks``."""
        from vantage.benchmarks.noisyeqa.noisyeqa_checks import set_problems

        return set_problems(folder, workers)

    def described(self, episode_sets: Sequence[EpisodeSet]) -> Told | None:
        """The types of a large set beside the paper's shares, and where they are not near these."""
        from vantage.benchmarks.noisyeqa.noisyeqa_checks import paper_mix
        from vantage.benchmarks.sets import pairs_of

        pairs = [pair for one in episode_sets for pair in pairs_of(one, self.truths(one))[0].values()]
        return paper_mix(Counter(pair.noisy.gold.noise_type for pair in pairs))

    def labelled_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """Both questions of every pair, noisy or clean, by the type of the noise."""
        from vantage.benchmarks.sets import CLEAN, NOISY, pairs_of
        from vantage.benchmarks.statistics import LabelledQuestion

        pairs, _ = pairs_of(episode_set, self.truths(episode_set))
        return [
            LabelledQuestion(member.text, half, member.episode.scene, pair.noisy.gold.noise_type.name, key)
            for key, pair in pairs.items()
            for half, member in ((NOISY, pair.noisy), (CLEAN, pair.clean))
        ]


def _pair_episodes(episode_set: EpisodeSet) -> Mapping[str, tuple[str, ...]]:
    from vantage.benchmarks.noisyeqa.pair_review import pair_episodes

    return pair_episodes(episode_set)


def _pair_items(episode_set: EpisodeSet) -> Iterator[ReviewItem]:
    from vantage.benchmarks.noisyeqa.pair_review import pair_items

    return pair_items(episode_set)
