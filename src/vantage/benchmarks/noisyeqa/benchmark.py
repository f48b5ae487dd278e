"""Questions with false premises in pairs: every noisy question has a clean twin, asked from the same place.

After NoisyEQA (arXiv 2412.10726), whose questions are not public, for agents that move: what the question takes for
granted can be checked from viewpoints that the camera can reach, but not from where it starts. The twins tell a careful
agent from one that always objects.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from vantage.benchmarks.labelling.oracle_views import StartSettings
from vantage.benchmarks.labelling.visibility import VisibilitySettings
from vantage.benchmarks.noisyeqa.homes import BENCHMARK, HomeOrder, HomeSettings, HomeYield, asked_before, make_home
from vantage.benchmarks.noisyeqa.noisyeqa_checks import set_problems
from vantage.benchmarks.noisyeqa.review import Review, apply_review
from vantage.benchmarks.noisyeqa.review_page import write_review_page
from vantage.benchmarks.sets.episodes_io import EpisodeSet, SetInfo, save_set
from vantage.benchmarks.sets.noise_shares import EVEN, TYPES, checked_shares, dealt, dealt_again, numbers_of, shares_of
from vantage.benchmarks.sets.set_making import check_room_numbers, homes, refuse_used_folder, stored_values
from vantage.config import Settings
from vantage.errors import SceneError, UsageError
from vantage.planning.actions import ActionSpace
from vantage.questions.noise.pair_templates import WORDINGS
from vantage.registry import did_you_mean
from vantage.types import NoiseType
from vantage.workers import WorkerPool

MINIATURE_SCENES, MINIATURE_PAIRS = 2, 16
_TRIPS = 4  # how often what one home did not give is asked of others

Progress = Callable[[str], None]


class NoisyEqaBenchmark:
    """Makes and validates sets of pairs. The same seed and settings give the same bytes, whatever the workers."""

    name = BENCHMARK
    usual_rooms = (1, 3)

    def __init__(
        self, visibility: VisibilitySettings | None = None, starts: StartSettings | None = None, max_steps: int = 150
    ) -> None:
        self._visibility = visibility or VisibilitySettings()
        self._starts = starts or StartSettings()
        self._max_steps = max_steps

    def make(
        self,
        folder: str | Path,
        *,
        scenes: int = 60,
        pairs: int = 500,
        rooms: tuple[int, int] = (1, 3),
        seed: int = 0,
        shares: str | Mapping[NoiseType, float] = "paper",
        phrasing: str = "test",
        workers: int = 2,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> EpisodeSet:
        """Make ``pairs`` noisy questions and as many clean ones, spread over ``scenes`` homes.

        Args:
            rooms: least and greatest number of rooms of a home; the homes take all numbers between in turn.
            shares: of the noise types; ``paper``, ``even`` or weights.
            phrasing: group of wordings: ``test``, which the parser was not built on, or ``dev``.
            workers: processes.
            progress: is told of each home.

        Raises:
            UsageError: impossible numbers or shares, or the folder is not empty.
            SceneError: the homes do not give that many pairs of every type.
        """
        return self._checked_make(
            folder, scenes, pairs, rooms, seed, shares, phrasing, workers, settings, progress, True
        )

    def make_miniature(
        self,
        folder: str | Path,
        *,
        seed: int = 0,
        phrasing: str = "test",
        workers: int = 2,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> EpisodeSet:
        """Two homes, and two pairs of every type that they give.

        Raises:
            UsageError: the folder is not empty.
        """
        sizes = MINIATURE_SCENES, MINIATURE_PAIRS, (2, 3)
        return self._checked_make(folder, *sizes, seed, EVEN, phrasing, workers, settings, progress, False)

    def validate(self, folder: str | Path, workers: int = 2) -> list[str]:
        """Everything that is wrong with a set, one sentence each; see ``noisyeqa_checks``."""
        return set_problems(folder, workers)

    def write_review_page(self, folder: str | Path, path: str | Path) -> int:
        """Write the page on which people accept or reject each pair; see ``review_page``."""
        return write_review_page(folder, path)

    def apply_review(self, folder: str | Path, marks: str | Path, out: str | Path | None = None) -> Review:
        """Read the marks of people and, with ``out``, write the set of what they accepted; see ``review``."""
        return apply_review(folder, marks, out)

    def _checked_make(
        self,
        folder: str | Path,
        scenes: int,
        pairs: int,
        rooms: tuple[int, int],
        seed: int,
        shares: str | Mapping[NoiseType, float],
        phrasing: str,
        workers: int,
        settings: Settings | None,
        progress: Progress,
        exactly: bool,
    ) -> EpisodeSet:
        root, settings = Path(folder), settings or Settings()
        if scenes < 1 or pairs < scenes or seed < 0 or workers < 1:
            raise UsageError(
                f"cannot make {pairs} pairs in {scenes} scenes from seed {seed} with {workers} workers; "
                "give at least one pair a scene, a seed from 0 and a worker"
            )
        if phrasing not in WORDINGS:
            raise UsageError(f"unknown phrasing '{phrasing}'{did_you_mean(phrasing, list(WORDINGS))}")
        check_room_numbers(rooms)
        weights = shares_of(shares) if isinstance(shares, str) else checked_shares(shares)
        refuse_used_folder(root)
        share = max(1, (os.cpu_count() or 1) // workers)
        world = replace(settings.world, threads=min(settings.world.threads, share))
        common = HomeSettings(
            root,
            seed,
            replace(settings, world=world),
            self._visibility,
            self._starts,
            phrasing,
            self._max_steps,
        )
        try:
            given = _ask_homes(
                common, homes(scenes, rooms, seed), numbers_of(pairs, weights), workers, progress, exactly
            )
            return self._save(common, given)
        except BaseException:
            shutil.rmtree(root, ignore_errors=True)
            raise

    def _save(self, common: HomeSettings, given: Sequence[Sequence[HomeYield]]) -> EpisodeSet:
        made = [half for trips in given for trip in trips for half in trip.made]
        if not made:
            raise SceneError("the homes give no pair of questions at all; use more scenes or rooms")
        bounds = {episode.scene: trip.bounds for trips in given for trip in trips for episode, _ in trip.made}
        settings = common.settings
        actions = ActionSpace(settings.actions.translation, settings.actions.rotation)
        thresholds = {key: float(value) for key, value in asdict(self._visibility).items()}
        info = SetInfo(BENCHMARK, actions, bounds, {"set": common.seed}, thresholds, stored_values(settings))
        return save_set(common.root, info, [episode for episode, _ in made], [truth for _, truth in made])


def _ask_homes(
    common: HomeSettings,
    places: Sequence[tuple[int, int]],
    numbers: Mapping[NoiseType, int],
    workers: int,
    progress: Progress,
    exactly: bool,
) -> list[list[HomeYield]]:
    """What each home gave, trip by trip: first all are asked for their share, then for what others did not give."""
    given: list[list[HomeYield]] = [[] for _ in places]
    refused: list[set[NoiseType]] = [set() for _ in places]
    hands, left = dealt(numbers, len(places)), []
    workers = min(workers, len(places))
    with WorkerPool(workers) if workers > 1 else nullcontext() as pool:
        each = map if pool is None else pool.map
        for trip in range(_TRIPS):
            orders = [_order(k, *places[k], trip, hand, given[k]) for k, hand in enumerate(hands) if hand or trip == 0]
            missing: list[NoiseType] = []
            for number, result in enumerate(each(partial(make_home, common), orders), start=1):
                given[result.place].append(result)
                refused[result.place] |= set(result.missing)
                missing += result.missing
                said = f"trip {trip + 1}: home {number} of {len(orders)}, {len(result.made) // 2} pairs"
                progress(said + (f", {len(result.missing)} not found" if result.missing else ""))
            counts = [sum(len(result.made) // 2 for result in results) for results in given]
            hands, hopeless = dealt_again(missing, refused, counts)
            left += hopeless
            if not any(hands):
                break
    left += [kind for hand in hands for kind in hand]
    if left and exactly:
        lacking = ", ".join(f"{left.count(kind)} of {numbers[kind]} {kind.name}" for kind in TYPES if kind in left)
        raise SceneError(
            f"{len(places)} homes do not give enough pairs: {lacking} are missing; "
            "ask for more scenes, fewer pairs or other shares"
        )
    return given


def _order(
    place: int, seed: int, rooms: int, trip: int, wanted: Sequence[NoiseType], before: Sequence[HomeYield]
) -> HomeOrder:
    made = [half for result in before for half in result.made]
    return HomeOrder(place, seed, rooms, trip, tuple(wanted), asked_before(made), len(made) // 2 + 1)
