"""Questions that some viewpoints answer and others do not, in homes of one or two rooms, after E3VS-Bench.

E3VS-Bench (arXiv 2604.17969) asks about 99 captured scenes, whose questions are not public. Vantage makes such
questions anew, in the same five stages, about generated homes, where every label is exact.
"""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.home_options import ASSETS, PRINTS, scenes_option
from vantage.benchmarks.protocol import Categories, Option, Progress, Sections, Told, read_count, read_room_numbers
from vantage.errors import UsageError

if TYPE_CHECKING:
    from vantage.benchmarks.e3vs.e3vs_plan import LabelSettings
    from vantage.benchmarks.judging import Judge
    from vantage.benchmarks.review import SetReview
    from vantage.benchmarks.sets import EpisodeSet, Home, SetInfo
    from vantage.benchmarks.statistics import EpisodeScore, LabelledQuestion
    from vantage.config import CameraSettings, Settings
    from vantage.recording import Recording

_HOMES, _EPISODES, _PAIRS = 99, 2014, 1290
_MINIATURE_HOMES, _MINIATURE_EPISODES, _MINIATURE_PAIRS = 2, 20, 14
_SPARE = 10  # of homes, one more for each so many, for those that curation refuses
_RULE = (
    "Accept a question that one look at the goal answers, whose description fits one thing, and whose answer is right."
)
_REASONS = (
    "one view does not answer it",
    "the description fits nothing, or several things",
    "the answer is not concise or cannot be seen",
    "counting: something is hidden or cut off",
    "counting: the number is not plausible",
    "counting: it is ambiguous what counts",
)
_STAGES = ("curation", "questions", "invalid", "viewpoints", "answerability")


def read_stage(text: str) -> str:
    """The name of a stage.

    Raises:
        ArgumentTypeError: there is none of that name.
    """
    if text not in _STAGES:
        raise ArgumentTypeError(f"must be one of {', '.join(_STAGES)}, got '{text}'")
    return text


class E3vsBenchmark(BaseBenchmark):
    """Makes and validates sets of three splits. The same seed and settings give the same bytes for any workers."""

    name = "e3vs"
    parameters = "e3vs.yaml"
    options = (
        scenes_option(default=_HOMES),
        Option("episodes", "number of episodes, of all splits", read_count, usual="20 a home: 2014", size=True),
        Option(
            "pairs", "number of question-answer pairs, of all splits", read_count, usual="13 a home: 1290", size=True
        ),
        Option("rooms", "rooms of the homes", read_room_numbers, (1, 2), usual="1-2", metavar="LOW-HIGH", size=True),
        replace(PRINTS, usual="everywhere"),
        ASSETS,
        Option("stage", f"go no further than a stage: {', '.join(_STAGES)}", read_stage, metavar="NAME"),
        Option(
            "judge_model",
            "model that asks about captures without a graph, and labels their views",
            metavar="NAME:WHICH",
        ),
        Option("workers", "processes (2); they do not change the set", read_count, changes_set=False),
    )
    validation_options = (Option("workers", "processes", read_count, default=2, changes_set=False),)

    def __init__(self, labels: LabelSettings | None = None) -> None:
        self._labels = labels

    @property
    def categories(self) -> Categories:
        """Mean marks by category of question."""
        from vantage.benchmarks.statistics import marks_by_category

        return marks_by_category

    @property
    def section(self) -> Sections:
        """The tables by category, and differences between the agents."""
        from vantage.benchmarks.e3vs.e3vs_tables import section

        return section

    @property
    def review(self) -> SetReview:
        from vantage.benchmarks.review import SetReview, question_episodes, question_items

        return SetReview("question", question_episodes, question_items, _RULE, "category", _REASONS)

    def score(self, recording: Recording, judge: Judge) -> EpisodeScore:
        """The ordinary score, in which the last look alone decides whether an answer is grounded."""
        from vantage.benchmarks.scoring import score_recording

        return score_recording(recording, judge, by_end=True)

    def view_rule_text(self, info: SetInfo, camera: CameraSettings) -> str:
        """By the thresholds of the set, by which the last look is judged."""
        from vantage.benchmarks.labelling import VisibilitySettings, view_rule_text

        return view_rule_text(
            VisibilitySettings.of(info.thresholds, "the thresholds of the set", info.view_rule), camera
        )

    def make(
        self,
        folder: str | Path,
        *,
        scenes: int | str | Path = _HOMES,
        episodes: int | None = None,
        pairs: int | None = None,
        rooms: tuple[int, int] = (1, 2),
        seed: int = 0,
        prints: str | None = None,
        assets: str | Path | None = None,
        stage: str = _STAGES[-1],
        judge_model: str = "",
        workers: int = 2,
        miniature: bool = False,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> Told:
        """Make the splits ``train``, ``val`` and ``test`` in a folder, or go on with what was begun there.

        Args:
            scenes: how many homes to generate, or the file or folder that they are imported from: houses,
                specifications, or captures.
            episodes: of all splits. pairs: of questions and answers. Where they are not given, as many as the shares of
                the usual numbers give for so many homes.
            rooms: least and greatest number of rooms of a generated home.
            prints: in generated homes, as ``HomeLayout`` has it; ``everywhere`` where it is not given, for what lies
                flat can be read from above alone.
            assets: asset database of imported houses; the usual one where it is not given.
            stage: the last one that homes go through; no split is written before the last.
            judge_model: ``NAME:WHICH`` that asks about captures without a graph; without one these are refused.
            workers: processes.
            miniature: two homes, one for training and one for tests.

        Raises:
            UsageError: impossible numbers, or the folder holds something else.
            SceneError: the homes do not give what is asked for.
        """
        from vantage.benchmarks.e3vs.captured_homes import captured_homes
        from vantage.benchmarks.e3vs.e3vs_plan import HomePlan, LabelSettings, SetRequest, quotas_of, split_sizes
        from vantage.benchmarks.e3vs.e3vs_sets import make_set
        from vantage.benchmarks.labelling import VisibilitySettings
        from vantage.benchmarks.sets import homes_of
        from vantage.files import shared_folder
        from vantage.parameter_files import load_settings
        from vantage.scenes.generator import USUAL_LAYOUT, HomeLayout

        if miniature:
            scenes, episodes, pairs = _MINIATURE_HOMES, _MINIATURE_EPISODES, _MINIATURE_PAIRS
        if seed < 0 or workers < 1 or (isinstance(scenes, int) and scenes < 1):
            raise UsageError(
                f"cannot make a set of {scenes} homes from seed {seed} with {workers} workers; give a home, a seed "
                "from 0 and a worker"
            )
        if prints is not None and not isinstance(scenes, int):
            raise UsageError("--prints is about generated homes; leave it out where houses are imported")
        root = Path(folder)
        if root.is_dir() and any(root.iterdir()) and not (root / ".stages").is_dir():
            raise UsageError(f"{root} is not empty; choose another folder or remove it")
        spare = scenes + 1 + scenes // _SPARE if isinstance(scenes, int) else scenes
        most = episodes or _EPISODES
        captures: list[Home] = [] if isinstance(scenes, int) else [*captured_homes(Path(scenes), seed)]
        layout = HomeLayout(prints=prints or "everywhere") if isinstance(scenes, int) else USUAL_LAYOUT
        homes = captures or homes_of(spare, rooms, seed, most, assets, progress, layout)
        number = scenes if isinstance(scenes, int) else len(homes)
        episodes = episodes or -(-_EPISODES * number // _HOMES)
        pairs = pairs or min(episodes, -(-_PAIRS * number // _HOMES))
        sizes = split_sizes(number, episodes, pairs)
        chosen = settings or load_settings(shared_folder("config") / self.parameters)
        visibility = VisibilitySettings().through(chosen.camera)
        labels = self._labels or LabelSettings(visibility)
        threads = min(chosen.world.threads, max(1, (os.cpu_count() or 1) // workers))
        chosen = replace(chosen, world=replace(chosen.world, threads=threads))
        told: Mapping[str, Any] = {
            "seed": seed,
            "model": judge_model,
            "scenes": str(scenes),
            "rooms": list(rooms),
            "prints": layout.prints,
            "sizes": [asdict(size) for size in sizes],
            "labels": asdict(labels),
            "actions": asdict(chosen.actions),
            "camera": asdict(chosen.camera),
            "limits": asdict(chosen.limits),
        }
        plan = HomePlan(root, seed, chosen, labels, quotas_of(sizes), judge_model, layout)
        return make_set(SetRequest(homes, sizes, plan, told), workers, stage, progress)

    def sets_in(self, folder: str | Path) -> Sequence[Path]:
        """The splits that lie in the folder, or else the folder itself."""
        from vantage.benchmarks.e3vs.e3vs_plan import SPLITS
        from vantage.files import EPISODE_SET

        found = [Path(folder) / name for name in SPLITS if (Path(folder) / name / EPISODE_SET).is_file()]
        return found or (Path(folder),)

    def validate(self, folder: str | Path, workers: int = 2) -> list[str]:
        """Everything that is wrong with a split, one sentence each; see ``e3vs_checks``."""
        from vantage.benchmarks.e3vs.e3vs_checks import set_problems

        return set_problems(folder, workers)

    def described(self, episode_sets: Sequence[EpisodeSet]) -> Told:
        """Categories, shares, what limited cameras do not solve, rooms, actions, steps and words, and where gold views
        have their targets; see ``e3vs_description``."""
        from vantage.benchmarks.e3vs.e3vs_description import describe, lines_of
        from vantage.benchmarks.sets import gold_view_line, gold_view_numbers

        numbers, views = describe(episode_sets), gold_view_numbers(episode_sets)
        return Told("\n".join(filter(None, (*lines_of(numbers), gold_view_line(views)))), {**numbers, **views})

    def problems_between(self, episode_sets: Sequence[EpisodeSet]) -> Sequence[str]:
        """Homes that are in two splits."""
        from vantage.benchmarks.e3vs.e3vs_checks import shared_homes

        return list(shared_homes(episode_sets))

    def labelled_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """The question-answer pairs with their answers, by category and kind."""
        from vantage.benchmarks.statistics import LabelledQuestion

        truths = self.truths(episode_set)
        found = {}
        for episode in episode_set.episodes:
            truth = truths[episode.episode_id]
            gold = truth.questions[0]
            group = f"{gold.category} {gold.kind}"
            found[truth.pair_id] = LabelledQuestion(episode.questions[0].text, gold.answer, episode.scene, group)
        return list(found.values())
