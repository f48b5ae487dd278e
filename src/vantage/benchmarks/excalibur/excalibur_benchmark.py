"""The EXCALIBUR benchmark (Zhu et al., CVPR 2023) on houses of our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.excalibur.question_labels import PHASES
from vantage.benchmarks.protocol import AnswerMarks, Option, Progress, Sections, Told, read_count

if TYPE_CHECKING:
    from vantage.benchmarks.judging import Judge
    from vantage.benchmarks.labelling import VisibilitySettings
    from vantage.benchmarks.sets import EpisodeSet, SetInfo
    from vantage.benchmarks.statistics import EpisodeScore, Figure
    from vantage.config import CameraSettings, Settings
    from vantage.recording import Recording

_MINIATURE = {"houses": 2, "questions": 6, "explore_steps": 250, "reentry_steps": 150, "rooms": 2, "train_houses": 6}


class ExcaliburBenchmark(BaseBenchmark):
    """Explore a house, answer, go in again, answer better. The same seed and settings give the same bytes."""

    name = "excalibur"
    free_manipulation = True
    phases: Sequence[str] = PHASES
    parameters = "excalibur.yaml"
    options = (
        Option(
            "split", "part that houses are of: train, val, test, designed or practice", default="test", metavar="WHICH"
        ),
        Option(
            "houses",
            "number of houses, drawn from the split",
            read_count,
            usual="30, or all designed ones",
            metavar="NUMBER",
            size=True,
        ),
        Option("questions", "number of questions about each house", read_count, default=20, size=True),
        Option("explore_steps", "budget of the exploration", read_count, default=2500, metavar="STEPS", size=True),
        Option("reentry_steps", "safety cap of the re-entry", read_count, default=2500, metavar="STEPS", size=True),
        Option("rooms", "one number of rooms for each house", read_count, usual="3 to 8, by its seed", size=True),
        Option(
            "train_houses",
            "houses of split train in folder `train` of the set, by whose questions agents such as language learn; "
            "none in a set of split train",
            partial(read_count, least=0),
            default=16,
            metavar="NUMBER",
            size=True,
        ),
        Option("workers", "processes", read_count, default=2, changes_set=False),
    )

    def __init__(self, visibility: VisibilitySettings | None = None) -> None:
        self._visibility = visibility

    def make(
        self,
        folder: str | Path,
        *,
        split: str = "test",
        houses: int | None = None,
        questions: int = 20,
        explore_steps: int = 2500,
        reentry_steps: int = 2500,
        rooms: int | None = None,
        train_houses: int = 16,
        workers: int = 2,
        seed: int = 0,
        miniature: bool = False,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> EpisodeSet:
        """Make a set: one episode of four phases for each house.

        Args:
            houses: how many of the split, drawn by the seed; 30 where it is not given, or all that were designed.
            questions: about each house; the same before and after the re-entry.
            explore_steps, reentry_steps: budgets; the paper gives none for the re-entry, so the second is a cap for
                agents that are never done.
            rooms: of each generated house; 3 to 8, by its seed, where it is not given.
            train_houses: how many houses of split ``train`` the folder ``train`` of the set asks about, for agents that
                learn from such a set; none where the set is itself of that split.
            miniature: two houses of two rooms with few questions and steps.

        Raises:
            UsageError: no such split, impossible numbers, or the folder is not empty.
            SceneError: a house does not give that many questions.
        """
        from vantage.benchmarks.excalibur.excalibur_sets import SetRequest, make_set
        from vantage.benchmarks.excalibur.houses import SPLITS, houses_of
        from vantage.benchmarks.labelling import VisibilitySettings
        from vantage.config import Settings
        from vantage.errors import UsageError

        if miniature:
            if split not in SPLITS:
                raise UsageError(f"a miniature has generated houses; leave it out, or split '{split}'")
            houses, questions, rooms = _MINIATURE["houses"], _MINIATURE["questions"], _MINIATURE["rooms"]
            explore_steps, reentry_steps = _MINIATURE["explore_steps"], _MINIATURE["reentry_steps"]
            train_houses = _MINIATURE["train_houses"]
        request = SetRequest(
            houses_of(split, houses, seed, rooms),
            questions,
            explore_steps,
            reentry_steps,
            seed,
            settings or Settings(),
            self._visibility or VisibilitySettings(),
            workers,
        )
        if train_houses < 1 or split == "train":
            return make_set(folder, request, progress)
        training = replace(request, houses=houses_of("train", train_houses, seed, rooms))
        return make_set(folder, request, progress, training)

    def validate(self, folder: str | Path) -> list[str]:
        """Everything that is wrong with a set, one sentence each; see ``excalibur_checks.set_problems``."""
        from vantage.benchmarks.excalibur.excalibur_checks import set_problems

        return set_problems(folder)

    def described(self, episode_sets: Sequence[EpisodeSet]) -> Told | None:
        """Shares of types and relations among the questions."""
        from vantage.benchmarks.excalibur.excalibur_checks import shares

        told = shares([truth for each in episode_sets for truth in self.truths(each).values()])
        text = ", ".join(f"{key} {100 * share:.1f} %" for key, share in told.items())
        return Told(f"of the questions are: {text}", {"shares": told})

    def view_rule_text(self, info: SetInfo, camera: CameraSettings) -> str:
        """None: what an answer rests on may be gathered in any picture."""
        return ""

    def score(self, recording: Recording, judge: Judge) -> EpisodeScore:
        """See ``excalibur_scores``."""
        from vantage.benchmarks.excalibur.excalibur_scores import score_excalibur

        return score_excalibur(recording, judge)

    @property
    def answer_marks(self) -> AnswerMarks | None:
        from vantage.benchmarks.excalibur.excalibur_scores import answer_marks

        return answer_marks

    def figures(self, scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
        """Acc_exp, Acc_ref, T3 and ExQA, by type and relation, and what was gathered."""
        from vantage.benchmarks.excalibur.excalibur_figures import figures

        return figures(scores)

    @property
    def section(self) -> Sections | None:
        from vantage.benchmarks.excalibur.excalibur_tables import section

        return section
