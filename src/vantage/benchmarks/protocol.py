"""What a benchmark is to the rest of the program: one object that is asked, whatever is special about it.

Runner, bags, scoring, reports and command line know no benchmark by name; they ask the one that is registered under the
name that sets and bags carry. Nothing heavy is imported here, because the command line reads the options of all
benchmarks.
"""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from vantage.wording import shown

if TYPE_CHECKING:
    from vantage.benchmarks.judging import Judge
    from vantage.benchmarks.review import ReviewItem
    from vantage.benchmarks.sections import Section
    from vantage.benchmarks.sets import EpisodeSet, SetInfo
    from vantage.benchmarks.statistics import EpisodeScore, Figure, LabelledQuestion
    from vantage.config import CameraSettings
    from vantage.planning import TaskPictures
    from vantage.recording import Recording
    from vantage.types import Key, Truth

Progress = Callable[[str], None]


@dataclass(frozen=True)
class AnswerMark:
    """Whether one answer is right, and what it could not rest on.

    Attributes:
        missing: instance ids of what was never gathered until then, by what was not done with them: ``not seen``.
    """

    right: bool
    missing: Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Stratum:
    """What kind of episode one is, for whoever draws some of a set by lot.

    Attributes:
        feasible: whether what it asks for can be done.
        name: of what is asked for, the same for episodes that ask for the same.
    """

    feasible: bool
    name: str


@dataclass(frozen=True)
class Told:
    """What a benchmark tells of sets: of several that were made together, or of a stage on the way to them.

    Attributes:
        text: for people.
        data: the same and more as plain data.
    """

    text: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Option:
    """One option that ``make`` or ``validate`` of a benchmark takes.

    Attributes:
        name: of the keyword argument.
        help: what it is, for people. Benchmarks whose options of one flag mean the same say it in the same words.
        read: the value of a text; raises ``argparse.ArgumentTypeError`` or ``ValueError`` for an impossible one.
        default: value where none is given; None leaves it to ``make`` or ``validate``.
        usual: how help shows the default; the default itself where it is empty.
        flag: as it is typed; made from the name where it is empty.
        metavar: what stands for the value in help.
        size: it decides how large a set is, so that ``--miniature`` fixes it.
        in_miniature: it may be given together with ``--miniature``.
        changes_set: another value gives another set; help lists those that do not last.
        named: help says which benchmarks take it.
    """

    name: str
    help: str
    read: Callable[[str], Any] = str
    default: Any = None
    usual: str = ""
    flag: str = ""
    metavar: str | None = None
    size: bool = False
    in_miniature: bool = True
    changes_set: bool = True
    named: bool = True

    @property
    def typed(self) -> str:
        """The flag, such as ``--noise-model``."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def shown(self) -> str:
        """The default as help shows it; empty where it shows none."""
        return self.usual or ("" if self.default is None else str(self.default))


def read_count(text: str, least: int = 1) -> int:
    """A whole number from 1, or another ``least`` one, on.

    Raises:
        ArgumentTypeError: it is none.
    """
    try:
        value = int(text)
    except ValueError as error:
        raise ArgumentTypeError(f"must be a whole number, got {shown(text)}") from error
    if value < least:
        raise ArgumentTypeError(f"must be at least {least}, got {value}")
    return value


def read_scenes(text: str) -> int | Path:
    """A number of homes to generate, or else a file or folder of homes."""
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else Path(text)


def read_room_numbers(text: str) -> tuple[int, int]:
    """``1-4`` as two numbers; a single one stands for both.

    Raises:
        ArgumentTypeError: it is neither.
    """
    low, _, high = text.partition("-")
    try:
        return int(low), int(high or low)
    except ValueError:
        raise ArgumentTypeError(f"expected LOW-HIGH such as 1-4, got '{text}'") from None


def read_areas(text: str) -> tuple[float, float]:
    """``10-60`` as two areas in m2.

    Raises:
        ArgumentTypeError: it is no such range.
    """
    low, _, high = text.partition("-")
    try:
        return float(low), float(high)
    except ValueError:
        raise ArgumentTypeError(f"expected LOW-HIGH in m2 such as 10-60, got {shown(text)}") from None


class ReviewMarks(Protocol):
    """What people made of the items of a set."""

    def problems(self) -> list[str]:
        """One sentence for each item that was rejected."""
        ...

    def summary(self) -> str:
        """How many items got which mark."""
        ...

    def to_json(self) -> dict[str, Any]: ...


class Review(Protocol):
    """How people review the items of a set in the browser, and what becomes of what they made of them.

    ``item`` and ``items`` are what is judged, in words: ``pair`` and ``pairs``. ``rule`` says when one is to be
    accepted, ``group`` by what items can be sifted, and ``reasons`` for what one can be rejected.
    """

    @property
    def item(self) -> str: ...

    @property
    def items(self) -> str: ...

    @property
    def rule(self) -> str: ...

    @property
    def group(self) -> str: ...

    @property
    def reasons(self) -> Sequence[str]: ...

    @property
    def episodes_of(self) -> Callable[[EpisodeSet], Mapping[str, tuple[str, ...]]]:
        """Gives ids of the episodes of each item of a set, by the item's key."""
        ...

    @property
    def items_of(self) -> Callable[[EpisodeSet], Iterator[ReviewItem]]:
        """Gives what is told of each item, in the same order."""
        ...

    def apply(self, folder: str | Path, marks: str | Path, out: str | Path | None = None) -> ReviewMarks:
        """Read what reviewers made of a set and, with ``out``, write the set of what was accepted, with its edits.

        Raises:
            FormatError: it is no file of reviewers, or belongs to another set.
            UsageError: nothing was accepted, or ``out`` is not empty.
        """
        ...


ScorePredictions = Callable[[str | Path, str | Path, "Judge"], "tuple[EpisodeScore, ...]"]


class ScoreGold(Protocol):
    """Scores gold data against themselves."""

    def __call__(self, data: str | Path, ghosts: int = 0, drop: float = 0.0) -> Told:
        """
        Args:
            data: folder of published data.
            ghosts: made-up parts that are added to each answer.
            drop: share of the answers' parts that is left out, 0..1.
        """
        ...


Sections = Callable[["Sequence[EpisodeScore]"], "Section | None"]
AnswerMarks = Callable[["Recording"], "Mapping[Key, AnswerMark]"]
Categories = Callable[["Sequence[EpisodeScore]"], "tuple[Figure, ...]"]


@runtime_checkable
class Benchmark(Protocol):
    """One benchmark. ``BaseBenchmark`` has ordinary behaviour for all but ``make``.

    What not every benchmark has is None where it has none: ``review``, ``section``, ``categories``, ``predictions``,
    ``answer_marks``, ``gold``.
    """

    @property
    def name(self) -> str:
        """The registered name, which sets and bags carry."""
        ...

    @property
    def options(self) -> Sequence[Option]:
        """What ``make`` takes besides the arguments that every benchmark takes."""
        ...

    @property
    def validation_options(self) -> Sequence[Option]:
        """What ``validate`` takes besides the folder."""
        ...

    @property
    def phases(self) -> Sequence[str]:
        """Names of the phases that its episodes go through, in order."""
        ...

    @property
    def free_manipulation(self) -> bool:
        """Whether its task is to open, take and feel as the agent likes, so that starting an episode allows that.
        Otherwise an arm does what the guard issued a warrant for, and nothing else."""
        ...

    @property
    def parameters(self) -> str:
        """Name of the parameter file among those that come with the program, by which sets are made where nobody gives
        another."""
        ...

    def sets_in(self, folder: str | Path) -> Sequence[Path]:
        """The folders of the sets that belong together in a folder: itself, or its splits."""
        ...

    def described(self, episode_sets: Sequence[EpisodeSet]) -> Told | None:
        """What ``show`` and ``validate`` tell of sets besides, with the data under its name; None for nothing."""
        ...

    def problems_between(self, episode_sets: Sequence[EpisodeSet]) -> Sequence[str]:
        """What is wrong with sets that belong together, besides what is with each; one sentence each."""
        ...

    def make(self, folder: str | Path, *args: Any, **options: Any) -> EpisodeSet | Told:
        """Make a set in an empty or new folder, or several. The same arguments give the same bytes.

        Args:
            seed (int): of all that is random.
            miniature (bool): make a small set in a minute; ``options`` of a size are left out then.
            settings (Settings): those that gold data depend on are stored in the set.
            progress (Progress): may be told how far it is.
            options: values of the declared options by name.

        Raises:
            UsageError: impossible options, or the folder is not empty.
            SceneError: scenes do not give what was asked for.
        """
        ...

    def validate(self, folder: str | Path, *args: Any, **options: Any) -> list[str]:
        """Everything that is wrong with a set, one sentence each.

        Raises:
            FormatError: the set cannot be read at all.
        """
        ...

    def labelled_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """The questions of a set with what their words alone must not tell; none where words may tell anything."""
        ...

    def premise_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """Noisy and clean questions, where words must not tell these from each other and ``labelled_questions`` holds
        something else.
        """
        ...

    def truths(self, episode_set: EpisodeSet) -> Mapping[str, Truth]:
        """Gold data by episode id, one for each episode; for the evaluator alone.

        Raises:
            FormatError: the gold data are damaged, or not those of the episodes.
        """
        ...

    def pictures(self, episode_set: EpisodeSet, shown: str) -> TaskPictures | None:
        """Pictures with which its tasks can be put; None where it has none.

        Args:
            shown: ``image`` for pictures alone, ``both`` for words and pictures.

        Raises:
            FormatError: the gold data are damaged.
        """
        ...

    def tasks(self, episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> tuple[EpisodeSet, Mapping[str, Truth]]:
        """The episodes of a set for an agent that carries tasks out (``Need.TASKS``), with their gold data."""
        ...

    def strata(self, episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> Mapping[str, Stratum]:
        """Of each episode of a set, by its id, whether it is feasible and what it asks for; empty where a benchmark
        does not tell that."""
        ...

    def score(self, recording: Recording, judge: Judge) -> EpisodeScore:
        """The score of one recording: from the recording and the judge alone, the same for ever."""
        ...

    def view_rule_text(self, info: SetInfo, camera: CameraSettings) -> str:
        """What the picture in which an agent answers must show for ``score`` to count the answer, in words for a model
        that chooses it; empty where no single picture decides.

        Args:
            camera: through which the agent sees.

        Raises:
            FormatError: the thresholds of the set are none.
        """
        ...

    def figures(self, scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
        """Figures over the complete episodes of one setup."""
        ...

    @property
    def categories(self) -> Categories | None:
        """Gives figures by category of question, over the complete episodes of one setup."""
        ...

    @property
    def section(self) -> Sections | None:
        """Gives tables and plots over all complete episodes, of this and other benchmarks; None of them where there is
        nothing to tell."""
        ...

    @property
    def answer_marks(self) -> AnswerMarks | None:
        """Gives the mark of each question of a recording that was put in a phase that ended, for pages."""
        ...

    @property
    def review(self) -> Review | None:
        """How people review its sets."""
        ...

    @property
    def predictions(self) -> ScorePredictions | None:
        """Scores a file of answers to a file of questions, without bags."""
        ...

    @property
    def gold(self) -> ScoreGold | None:
        """Scores its gold data against themselves, which shows that the scorer gives them all there is."""
        ...
