"""Questions of other data sets, whose homes are not here: what is common to reading them and to making sets of them.

Such a set has no scenes. It is run in world ``none`` by agent ``blind``, which answers from the question alone: the
text-only control of these benchmarks, and a lower bound for every agent that looks.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.protocol import Categories, Option, Progress
from vantage.benchmarks.sets import (
    CLEAN,
    NOISY,
    QUESTION_ID,
    TYPES,
    EpisodeSet,
    SceneBounds,
    SetInfo,
    checked_shares,
    episode_name,
    is_unchanged,
    load_set,
    new_set_folder,
    numbers_of,
    save_set,
    shares_of,
)
from vantage.benchmarks.statistics import EpisodeScore, Figure, LabelledQuestion, marks_by_category
from vantage.config import CameraSettings, Settings
from vantage.errors import FormatError, ModelError, NoServerError, UsageError
from vantage.files import SAFE_NAME, opened, refuse_used_folder, unreadable
from vantage.planning import make_actions
from vantage.spatial import Viewpoint
from vantage.types import Episode, NoiseType, Question, Truth, TruthQuestion

MOST_BYTES = 64 << 20  # of a file of questions
_MOST_UNREACHED = 3  # questions on end for which the model's server was not there
_NOTE = "mean of 100 * (mark - 1) / 4; no answer counts 0"
_NOWHERE = SceneBounds((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))


@dataclass(frozen=True)
class ImportedQuestion:
    """One question of another data set.

    Attributes:
        where: file and line, for messages.
        question_id: its name in the data set.
        scene: the home that it is about.
        text: as it is put to an agent, with choices where there are some.
        bare: without the choices.
        kind: what it asks for, in our words where we have one.
        answer: the right one. accepted: other right ones.
    """

    where: str
    question_id: str
    scene: str
    text: str
    bare: str
    kind: str
    answer: str
    accepted: tuple[str, ...] = ()

    def truth(self) -> TruthQuestion:
        """The gold data, with a true premise."""
        return TruthQuestion(QUESTION_ID, self.kind, self.answer, self.accepted)


def read_source(path: str | Path) -> str:
    """The text of a file of questions.

    Raises:
        FormatError: it is missing, empty, far too large or no UTF-8 text.
    """
    source = Path(path)
    try:
        with opened(source) as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot read the questions in {source}: {unreadable(error)}") from error
    if len(data) > MOST_BYTES:
        raise FormatError(f"{source} has more than {MOST_BYTES} bytes, so it holds no questions; check the path")
    if not text.strip():
        raise FormatError(f"{source} is empty; give the file with the questions")
    return text


def checked(questions: Iterator[ImportedQuestion], path: str | Path) -> tuple[ImportedQuestion, ...]:
    """All questions.

    Raises:
        FormatError: there is none, or one whose name cannot be a file's or was there before.
    """
    known: dict[str, str] = {}
    found = []
    for question in questions:
        if not SAFE_NAME.fullmatch(question.question_id):
            raise FormatError(
                f"{question.where}: the id {question.question_id[:60]!r} cannot name a file; use letters and digits"
            )
        if question.question_id in known:
            raise FormatError(
                f"{question.where}: the id '{question.question_id}' was there before, at {known[question.question_id]}"
            )
        known[question.question_id] = question.where
        found.append(question)
    if not found:
        raise FormatError(f"{path} holds no question; give the file with the questions")
    return tuple(found)


def scene_name(*parts: str) -> str:
    """The name of a home as one word; ``/`` becomes ``__``."""
    return "__".join(part for whole in parts for part in whole.split("/") if part)


class ImportedBenchmark(BaseBenchmark):
    """Makes and validates sets of questions without scenes. The same file gives the same bytes."""

    options = (
        Option(
            "shares",
            "of the noise types: paper (the default), even, or weights such as latent=2,color=1",
            metavar="WHICH",
            named=False,
        ),
        Option("source", "the file with the questions", flag="--from", metavar="FILE", size=True),
        Option("noise_model", "a model that makes a false twin of each question", metavar="NAME:WHICH", size=True),
    )

    @property
    def categories(self) -> Categories:
        """OpenEQA's C by category of question."""
        return match_by_category

    def labelled_questions(self, episode_set: EpisodeSet) -> Sequence[LabelledQuestion]:
        """None: what words tell of the answers is up to the data set."""
        return ()

    def view_rule_text(self, info: SetInfo, camera: CameraSettings) -> str:
        """None: nothing is known of what pictures must show."""
        return ""

    @abstractmethod
    def read(self, path: str | Path) -> tuple[ImportedQuestion, ...]:
        """Every question of a file; subclasses say how.

        Raises:
            FormatError: the file is damaged; says where.
        """

    def make(
        self,
        folder: str | Path,
        *,
        source: str | Path = "",
        noise_model: str = "",
        shares: str | Mapping[NoiseType, float] = "paper",
        seed: int = 0,
        miniature: bool = False,
        settings: Settings | None = None,
        progress: Progress = lambda line: None,
    ) -> EpisodeSet:
        """A set of all questions of a file.

        Args:
            source: the file.
            noise_model: ``NAME:WHICH`` of a model that makes a noisy twin of each question; none when empty. Questions
                of which it makes none are told of and left out.
            shares: of the noise types; ``paper``, ``even`` or weights.
            miniature: there is none, because the file decides how large the set is.

        Raises:
            UsageError: no file is given, or the folder is not empty.
            FormatError: the file is damaged.
            ModelError: the model made no noisy question at all.
        """
        root, settings = Path(folder), settings or Settings()
        if not str(source):
            raise UsageError(f"benchmark '{self.name}' asks the questions of a file; give it with --from")
        questions = self.read(source)
        refuse_used_folder(root)
        if noise_model:
            noisy = noisy_truths(questions, noise_model, shares, seed, settings, progress)
            halves = [
                half
                for question in questions
                if question.question_id in noisy
                for half in (
                    (episode_name(question.question_id, NOISY), question.scene, *noisy[question.question_id]),
                    (episode_name(question.question_id, CLEAN), question.scene, question.text, question.truth()),
                )
            ]
        else:
            halves = [(item.question_id, item.scene, item.text, item.truth()) for item in questions]
        return self._save(root, halves, seed, settings)

    def _save(
        self, root: Path, halves: Sequence[tuple[str, str, str, TruthQuestion]], seed: int, settings: Settings
    ) -> EpisodeSet:
        spot = Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)
        episodes = [
            Episode(key, self.name, scene, spot, (Question(QUESTION_ID, text),), 0) for key, scene, text, _ in halves
        ]
        truths = [Truth(key, (replace(truth, question_id=QUESTION_ID),)) for key, _, _, truth in halves]
        actions = make_actions(settings.actions)
        scenes = dict.fromkeys((scene for _, scene, _, _ in halves), _NOWHERE)
        with new_set_folder(root):
            return save_set(root, SetInfo(self.name, actions, scenes, {"set": seed}), episodes, truths)

    def validate(self, folder: str | Path) -> list[str]:
        """What is wrong with a set, one sentence each; its homes are elsewhere, so only words are checked.

        Raises:
            FormatError: the set cannot be read at all.
        """
        episode_set = load_set(folder)
        truths = self.truths(episode_set)
        problems = []
        for key, truth in truths.items():
            for question in truth.questions:
                if question.premise_holds and not question.answer.strip():
                    problems.append(f"episode '{key}': a question whose premise holds needs an answer")
                if not question.premise_holds and not (question.false_claim and question.correction):
                    problems.append(f"episode '{key}': a false premise needs a false claim and a correction")
        if not (episode_set.info.content_hash and is_unchanged(episode_set)):
            problems.append(
                "the files do not match the content hash in set.json; the set was changed after it was made"
            )
        return problems


def noisy_truths(
    questions: Sequence[ImportedQuestion],
    which: str,
    shares: str | Mapping[NoiseType, float],
    seed: int,
    settings: Settings,
    progress: Progress,
) -> dict[str, tuple[str, TruthQuestion]]:
    """Text and gold data of a noisy twin by the id of the question; questions without one are told of and left out.

    The twin of a multiple-choice question keeps the choices.

    Raises:
        ModelError: the model cannot be made, its server is not there, or it made no question at all.
    """
    from vantage.models import make_model
    from vantage.questions.noise import noise_by_model

    model = make_model(which, settings)
    weights = shares_of(shares) if isinstance(shares, str) else checked_shares(shares)
    numbers = numbers_of(len(questions), weights)
    kinds = [kind for kind in TYPES for _ in range(numbers[kind])]
    order = np.random.default_rng(seed).permutation(len(questions))
    made: dict[str, tuple[str, TruthQuestion]] = {}
    unreached = 0
    for question, place in zip(questions, order, strict=True):
        try:
            noised = noise_by_model(model, question.bare, question.answer, kinds[int(place)])
        except ModelError as error:
            unreached = unreached + 1 if isinstance(error, NoServerError) else 0
            if unreached == min(_MOST_UNREACHED, len(questions)):
                raise
            progress(f"{question.where}: left out: {error}")
            continue
        unreached = 0
        choices = question.text.removeprefix(question.bare)
        truth = noised.truth(QUESTION_ID, question.kind, question.accepted)
        made[question.question_id] = noised.text + choices, truth
    if not made:
        raise ModelError(f"the model '{model.name}' made no noisy question of {len(questions)}; use another model")
    progress(f"{len(made)} of {len(questions)} questions have a noisy twin, by {model.name}")
    return made


def match_by_category(scores: Iterable[EpisodeScore]) -> tuple[Figure, ...]:
    """OpenEQA's figure (Majumdar et al. 2024): C of every category, by name, and then over all questions.

    It is their LLM-Match where a model gave the marks; by the rule judge it is another measure of the same scale.

    C is the mean over questions of 100 * (clip(mark, 1, 5) - 1) / 4. A question without an answer counts 0, as a mark
    of 1 does; one to which the judge gave no mark is left out and reported. Noisy twins are not part of the data sets.
    """
    return marks_by_category((score for score in scores if not score.noisy), lambda score: score.kind, _NOTE)
