"""The HEAL benchmark: goals of tasks that a scene cannot support, of the EAI data and in generated homes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.protocol import Option, Progress, ScoreGold, Sections, Stratum, Told, read_count
from vantage.errors import UsageError

if TYPE_CHECKING:
    from vantage.benchmarks.judging import Judge
    from vantage.benchmarks.sets import EpisodeSet, SetInfo
    from vantage.benchmarks.statistics import EpisodeScore, Figure, LabelledQuestion
    from vantage.config import CameraSettings, Settings
    from vantage.planning import TaskPictures
    from vantage.recording import Recording
    from vantage.types import Truth


class HealBenchmark(BaseBenchmark):
    """Makes probing sets from data and homes by rules; the same data and seed give the same bytes."""

    name = "heal"
    options = (
        Option("source", "the folder with eai-virtualhome and eai-behavior", flag="--from", metavar="DIR", size=True),
        Option(
            "prompt",
            "published, as it comes with the data, or clean, which names nothing that is absent",
            default="published",
            metavar="WHICH",
        ),
        Option(
            "homes",
            "number of homes to generate, with tasks in them",
            read_count,
            usual="none",
            metavar="NUMBER",
            size=True,
        ),
        Option("workers", "processes (2); they do not change the set", read_count, changes_set=False),
    )

    def make(
        self,
        folder: str | Path,
        *,
        source: str | Path = "",
        prompt: str = "published",
        homes: int | None = None,
        seed: int = 0,
        workers: int = 2,
        miniature: bool = False,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> EpisodeSet:
        """A set with one episode for each task that has a goal.

        Args:
            source: folder of the data; where neither it nor ``homes`` is given, that which ``VANTAGE_DATA`` names.
            prompt: whose words the model is sent about the data.
            homes: how many to generate; without ``source``, tasks in them alone.
            workers: processes that make homes.
            miniature: two homes, and no data.

        Raises:
            UsageError: neither data nor homes, a single home, no such prompt, or the folder is not empty.
            FormatError: the data are damaged.
        """
        from vantage.benchmarks.heal.eai_data import read_data
        from vantage.benchmarks.heal.heal_sets import make_set
        from vantage.benchmarks.heal.home_sets import LEAST_HOMES, ROOMS
        from vantage.benchmarks.heal.prompts import STYLES
        from vantage.benchmarks.sets import homes_of
        from vantage.files import refuse_used_folder

        if prompt not in STYLES:
            raise UsageError(f"--prompt {prompt}: there is none of that name; give one of {', '.join(STYLES)}")
        number = LEAST_HOMES if miniature else homes
        if seed < 0 or workers < 1 or (number is not None and number < LEAST_HOMES):
            raise UsageError(
                f"cannot make {number} homes from seed {seed} with {workers} workers; give a seed from 0, a "
                f"worker and at least {LEAST_HOMES} homes, because another one stands in for that of a task"
            )
        refuse_used_folder(Path(folder))
        data = read_data(source) if source or number is None else ()
        generated = [] if number is None else homes_of(number, ROOMS, seed, number)
        return make_set(folder, data, generated, prompt, seed, workers, progress)

    def validate(self, folder: str | Path) -> list[str]:
        """Everything that is wrong with a set, one sentence each; see ``heal_sets.set_problems``."""
        from vantage.benchmarks.heal.heal_sets import set_problems

        return set_problems(folder)

    def described(self, episode_sets: Sequence[EpisodeSet]) -> Told | None:
        """How many items of each transformation there are and how many of them are feasible, and of how many tasks
        pictures show what they name."""
        from vantage.benchmarks.heal.probing_items import TITLES, TRANSFORMATIONS
        from vantage.planning import IMAGE

        golds = [gold for each in episode_sets for truth in self.truths(each).values() for gold in truth.questions]
        counts = {
            name: {
                "items": sum(gold.kind == name for gold in golds),
                "feasible": sum(gold.kind == name and gold.premise_holds for gold in golds),
            }
            for name in TRANSFORMATIONS
        }
        told = ", ".join(
            f"{TITLES[name]} {each['items']} ({each['feasible']} feasible)" for name, each in counts.items()
        )
        shown = [self.pictures(each, IMAGE) for each in episode_sets]
        tasks = [
            (pictures, episode) for each, pictures in zip(episode_sets, shown, strict=True) for episode in each.episodes
        ]
        pictured = sum(pictures.shows(episode.episode_id) for pictures, episode in tasks)
        return Told(
            f"items: {told}; pictures show what {pictured} of {len(tasks)} tasks name, the others are left out of "
            "--input image and both",
            {"items": counts, "tasks": len(tasks), "pictured": pictured},
        )

    def premise_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """From where pictures are taken of items that are feasible or not."""
        from vantage.benchmarks.heal.heal_sets import view_questions

        return view_questions(episode_set, self.truths(episode_set))

    def pictures(self, episode_set: EpisodeSet, shown: str) -> TaskPictures:
        """Pictures of generated homes; of tasks of the data there are none."""
        from vantage.benchmarks.heal.home_pictures import HomePictures

        return HomePictures(episode_set, self.truths(episode_set), shown)

    def labelled_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """Instructions in generated homes, feasible or not; those with distractors, which are all feasible, are a group
        of their own. Of the data, none."""
        from vantage.benchmarks.heal.heal_sets import home_instructions

        return home_instructions(episode_set, self.truths(episode_set))

    def tasks(self, episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> tuple[EpisodeSet, Mapping[str, Truth]]:
        """Tasks in homes, one an episode; see ``errand_sets``."""
        from vantage.benchmarks.heal.errand_sets import errands_of

        return errands_of(episode_set, truths)

    def strata(self, episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> Mapping[str, Stratum]:
        """Of tasks in homes, one an episode; of other items none."""
        from vantage.benchmarks.heal.errand_sets import strata_of

        return strata_of(episode_set, truths)

    def view_rule_text(self, info: SetInfo, camera: CameraSettings) -> str:
        """None: no picture decides; goals and deeds do."""
        return ""

    def score(self, recording: Recording, judge: Judge) -> EpisodeScore:
        """By the goals alone, whatever the judge (see ``heal_scores``), or by what was done (``errand_scores``)."""
        from vantage.benchmarks.heal.errand_scores import is_errand, score_errand
        from vantage.benchmarks.heal.heal_scores import score_heal

        return score_errand(recording) if is_errand(recording) else score_heal(recording)

    def figures(self, scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
        """C_O, P_O, refusal and F1 of each transformation; of tasks that were carried out the share achieved."""
        from vantage.benchmarks.heal.errand_tables import errand_figures
        from vantage.benchmarks.heal.heal_figures import headline

        return (*headline(scores), *errand_figures(scores))

    @property
    def section(self) -> Sections | None:
        from vantage.benchmarks.heal.heal_sections import all_sections

        return all_sections

    @property
    def gold(self) -> ScoreGold:
        """Gold goals scored against themselves, with goals of absent things added or goals left out."""
        from vantage.benchmarks.heal.gold_scores import score_gold

        return score_gold
