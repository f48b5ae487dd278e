"""One review that is on: the set, what is shown of its items, and who judged what."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from vantage.benchmarks import make_benchmark
from vantage.benchmarks.review import (
    EDIT,
    Judgement,
    ReviewFile,
    TextField,
    edit_problems,
    judgement_of,
    text_fields,
)
from vantage.benchmarks.sets import load_set
from vantage.bounded_json import bounded_json
from vantage.config import CameraSettings
from vantage.errors import FormatError, UsageError, VantageError
from vantage.web import Opened

LEAD = "lead"  # who decides where reviewers differ
MOST_REVIEWERS = 20


def reviewer_names(count: int) -> tuple[str, ...]:
    """What so many reviewers are called.

    Raises:
        UsageError: they are too many, or none.
    """
    if not 1 <= count <= MOST_REVIEWERS:
        raise UsageError(f"there can be 1 to {MOST_REVIEWERS} reviewers, not {count}; give such a number")
    return tuple(f"reviewer-{number}" for number in range(1, count + 1))


@dataclass(frozen=True)
class Article:
    """What is shown of an item.

    Attributes:
        rows: names and values, plain text.
        figures: HTML of its pictures, in which everything is escaped.
    """

    group: str
    kind: str
    rows: tuple[tuple[str, str], ...]
    figures: tuple[str, ...]


class ReviewSession:
    """Thread-safe. What is shown of items is prepared in a thread, in their order, from the first page on.

    Args:
        folder: of the set.
        out: the file of judgements; one that is there is taken up again.
        reviewers: how many people judge.

    Raises:
        FormatError: the set cannot be read or holds nothing to review, or the file that is there is of another set.
        UsageError: sets of this benchmark are not reviewed, or the file has other reviewers.
    """

    def __init__(self, folder: str | Path, out: str | Path, reviewers: int = 1) -> None:
        self.reviewers = reviewer_names(reviewers)
        self.episode_set = load_set(folder)
        self.benchmark = make_benchmark(self.episode_set.info.benchmark)
        review = self.benchmark.review
        if review is None:
            raise UsageError(f"sets of benchmark '{self.benchmark.name}' are not reviewed; give one of another")
        self.review = review
        self.episodes = dict(review.episodes_of(self.episode_set))
        if not self.episodes:
            raise FormatError(f"{folder} holds no {review.item}; there is nothing to review")
        self.keys = tuple(self.episodes)
        scenes = {episode.episode_id: episode.scene for episode in self.episode_set.episodes}
        by_key = {key: scenes[names[0]] for key, names in self.episodes.items()}
        self.items: Opened[str] = Opened()
        self.ids = {key: self.items.add(key) for key in self.keys}
        self._checking = threading.Lock()
        self.file = ReviewFile(out, self.episode_set, by_key, self.reviewers, review.item)
        self._scratch = tempfile.TemporaryDirectory(prefix="vantage-review-")
        self._prepared: dict[str, Path] = {}
        self._changed = threading.Condition()
        self._ended = False
        self._failure = ""
        self._thread: threading.Thread | None = None

    def _begin(self) -> None:
        """Have the items prepared, from the first page on and not before: as NiceGUI starts, it goes through all
        objects of the process (``gc.get_objects``), and a tuple that another thread is building then fails."""
        with self._changed:
            if self._thread is None and not self._ended:
                self._thread = threading.Thread(target=self._prepare, name="review pictures", daemon=True)
                self._thread.start()

    def _prepare(self) -> None:
        fov = float(self.episode_set.info.settings.get("camera.horizontal_fov", CameraSettings().horizontal_fov))
        try:
            for number, item in enumerate(self.review.items_of(self.episode_set)):
                figures = [str(figure.html(fov)) for figure in item.figures]
                told = {"group": item.group, "kind": item.kind, "rows": item.rows, "figures": figures}
                path = Path(self._scratch.name) / f"{number}.json"
                path.write_text(json.dumps(told), encoding="utf-8")
                with self._changed:
                    if self._ended:
                        return
                    self._prepared[item.key] = path
                    self._changed.notify_all()
        except (VantageError, OSError) as error:
            self._failure = str(error)
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def article(self, key: str, deadline: float = 60.0) -> Article:
        """What is shown of an item, once it is prepared; waits up to ``deadline`` s for that.

        Raises:
            VantageError: it is not prepared yet, or cannot be.
        """
        self._begin()
        with self._changed:
            self._changed.wait_for(lambda: key in self._prepared or self._ended, deadline)
            path = self._prepared.get(key)
            done, ended = len(self._prepared), self._ended
        if path is None:
            if ended:
                why = self._failure or "see what the program printed"
                raise VantageError(f"the pictures of {self.review.item} '{key}' cannot be made: {why}")
            raise VantageError(f"the pictures of {done} of {len(self.keys)} {self.review.items} are ready; try again")
        told = bounded_json(path.read_text(encoding="utf-8"))
        rows = tuple((str(name), str(value)) for name, value in told["rows"])
        return Article(told["group"], told["kind"], rows, tuple(told["figures"]))

    def group(self, key: str) -> str:
        """By what an item can be sifted; empty while it is not prepared."""
        self._begin()
        with self._changed:
            ready = key in self._prepared
        return self.article(key, 0.0).group if ready else ""

    def fields(self, key: str) -> tuple[TextField, ...]:
        """The texts of an item that can be edited."""
        return text_fields(self.episode_set, self.episodes[key])

    def own(self, visitor: str) -> Mapping[str, Judgement]:
        """What a visitor judged, or as the lead decided; never what others did."""
        reviews = self.file.reviews
        if visitor == LEAD:
            return reviews.decisions
        return next((each.judgements for each in reviews.reviewers if each.name == visitor), {})

    def disagreements(self) -> dict[str, dict[str, str]]:
        """Verdicts by reviewer of the items about which they differ; for the lead alone."""
        reviews = self.file.reviews
        return {key: reviews.told(key) for key in self.keys if reviews.differs(key)}

    def judgements(self, key: str) -> dict[str, Judgement]:
        """What each reviewer made of an item; for the lead alone."""
        found = self.file.reviews.reviewers
        return {each.name: each.judgements[key] for each in found if key in each.judgements}

    def judge(self, visitor: str, key: str, value: Any) -> Judgement:
        """Keep what a visitor made of an item; it is on disk when this returns. Edits pass the set's own checks first.

        Args:
            value: plain data as they came, of which nothing is taken on trust.

        Raises:
            FormatError: it is no judgement.
            UsageError: nobody of that name judges here, or the checks find something wrong with an edit.
            OSError: it cannot be written.
        """
        if key not in self.episodes or visitor not in (*self.reviewers, LEAD):
            raise UsageError("nothing of that name is judged here; open the page again")
        judgement = judgement_of(value, f"the mark of {self.review.item} '{key}'", tuple(self.review.reasons))
        if judgement.verdict == EDIT:
            with self._checking:
                problems = edit_problems(self._check, self.episode_set, self.episodes[key], judgement.edits)
            if problems:
                raise UsageError(f"the edit is not kept, as the set's checks find: {'; '.join(problems[:3])}")
        if visitor == LEAD:
            self.file.decide(key, judgement)
        else:
            self.file.record(visitor, key, judgement)
        return judgement

    def _check(self, folder: Path) -> list[str]:
        options = {each.name: each.default for each in self.benchmark.validation_options if each.default is not None}
        return self.benchmark.validate(folder, **options)

    def withdraw(self, key: str) -> None:
        """Take back what the lead decided about an item."""
        self.file.decide(key, None)

    def close(self) -> None:
        """End the thread and let the file go; what was judged stays in it."""
        with self._changed:
            self._ended = True
        if self._thread is not None:
            self._thread.join(60.0)
        self.file.close()
        self._scratch.cleanup()

    def __enter__(self) -> ReviewSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
