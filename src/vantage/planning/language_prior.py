"""What the words of a question alone tell of its answer: a logistic model over runs of words, fitted on a training set.

Each of the commonest answers of the training set is a class. Runs of one to three words, of which the first ones of the
question are told apart from those within it, are what it looks at. It is fitted by AdaGrad (Duchi, Hazan and Singer,
2011) in an order that is always the same, so that the same questions give the same model.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.files import read_json, write_whole
from vantage.jit import kernel

_VERSION = 1
_MOST_FEATURES, _MOST_ANSWERS = 4000, 64  # keep a file under 1 MB
_LEAST_FEATURE, _LEAST_ANSWER = 3, 2  # questions that have it
_MOST_WORDS = 60  # of a question
_LONGEST = 3  # words in a run
_EPOCHS = 12
_RATE, _DECAY, _EASE = 0.02, 1e-3, 1.0  # step size, pull of each weight to 0, and what keeps first steps small
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]


class LanguagePrior:
    """How likely each answer is, by the words of the question.

    Args:
        features: runs of words, in the order of the rows of ``weights``.
        answers: the classes.
        weights: (1 + features, answers); the first row is of every question.
        questions: how many it was fitted on.
    """

    def __init__(self, features: Sequence[str], answers: Sequence[str], weights: Floats, questions: int) -> None:
        self._row = {feature: row for row, feature in enumerate(features, start=1)}
        self._features, self._answers, self._weights = tuple(features), tuple(answers), weights
        self.questions = questions

    @property
    def answers(self) -> tuple[str, ...]:
        """All that it may answer."""
        return self._answers

    @classmethod
    def fit(cls, pairs: Iterable[tuple[str, str]]) -> LanguagePrior:
        """Of questions with their right answers; one of no questions knows no answer."""
        known = [(_runs(question), answer.strip()) for question, answer in pairs]
        counted = Counter(answer for _, answer in known)
        often = sorted(counted, key=lambda answer: (-counted[answer], answer))[:_MOST_ANSWERS]
        answers = [answer for answer in often if counted[answer] >= _LEAST_ANSWER] or often[:1]
        number = {answer: column for column, answer in enumerate(answers)}
        learned = [(runs, number[answer]) for runs, answer in known if answer in number]
        seen = Counter(run for runs, _ in learned for run in runs)
        features = sorted((run for run in seen if seen[run] >= _LEAST_FEATURE), key=lambda run: (-seen[run], run))
        features = features[:_MOST_FEATURES]
        row = {feature: place for place, feature in enumerate(features, start=1)}
        rows = [[0, *(row[run] for run in runs if run in row)] for runs, _ in learned]
        weights = np.zeros((len(features) + 1, len(answers)), np.float32)
        if rows:
            ends = np.cumsum([len(each) for each in rows], dtype=np.int64)
            flat = np.concatenate([np.array(each, np.int64) for each in rows])
            classes = np.array([column for _, column in learned], np.int64)
            rng = np.random.default_rng(0)
            order = np.concatenate([rng.permutation(len(rows)) for _ in range(_EPOCHS)])
            _descend(flat, ends, classes, order, weights, _RATE, _DECAY, _EASE)
        return cls(features, answers, weights.astype(np.float16).astype(np.float32), len(known))

    def answer(self, text: str) -> tuple[str, float]:
        """The likeliest answer to a question, and how likely the model holds it, 0..1; nothing where none was learned.

        Of answers that are equally likely it is the one that was commoner in training.
        """
        likely = self.likely(text)
        if not len(likely):
            return "", 0.0
        best = int(np.argmax(likely))
        return self._answers[best], float(likely[best])

    def likely(self, text: str) -> NDArray[np.float64]:
        """How likely each of ``answers`` is, (A,); the sum is 1."""
        rows = [0, *(self._row[run] for run in _runs(text) if run in self._row)]
        if not self._answers:
            return np.zeros(0)
        sums = self._weights[rows].astype(np.float64).sum(axis=0)
        shares = np.exp(sums - sums.max())
        return np.asarray(shares / shares.sum(), np.float64)

    def write(self, path: str | Path) -> None:
        """Write it whole, or not at all; less than 1 MB."""
        packed = zlib.compress(self._weights.astype("<f2").tobytes(), 9)
        document = {
            "language_version": _VERSION,
            "questions": self.questions,
            "answers": self._answers,
            "features": self._features,
            "weights": base64.b64encode(packed).decode("ascii"),
        }
        write_whole(Path(path), json.dumps(document, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: str | Path) -> LanguagePrior:
        """From a file of ``write``.

        Raises:
            FormatError: it cannot be read, is none, or was written by another version.
        """
        document = read_json(Path(path))
        if not isinstance(document, dict) or "language_version" not in document:
            raise FormatError(
                f"{path} holds no model of answers by words; make it with `vantage episodes prior --language`"
            )
        if document["language_version"] != _VERSION:
            raise FormatError(
                f"{path} is of version {document['language_version']!r}, this program reads {_VERSION}; fit it anew "
                "with `vantage episodes prior --language`"
            )
        try:
            return cls._of(document)
        except (KeyError, TypeError, ValueError, zlib.error) as error:
            raise FormatError(f"{path} is damaged; fit it anew with `vantage episodes prior --language`") from error

    @classmethod
    def _of(cls, document: dict[str, Any]) -> LanguagePrior:
        """
        Raises:
            KeyError, TypeError, ValueError, zlib.error: the document is damaged.
        """
        features, answers = document["features"], document["answers"]
        if not (_are_texts(features, _MOST_FEATURES) and _are_texts(answers, _MOST_ANSWERS)):
            raise ValueError("features or answers")
        size = (len(features) + 1) * len(answers) * 2
        packed = base64.b64decode(document["weights"], validate=True)
        data = zlib.decompressobj().decompress(packed, size + 1)
        weights = np.frombuffer(data, "<f2").astype(np.float32).reshape(len(features) + 1, len(answers))
        if not np.isfinite(weights).all() or type(document["questions"]) is not int or document["questions"] < 0:
            raise ValueError("weights or questions")
        return cls(features, answers, weights, document["questions"])


def _are_texts(value: object, most: int) -> bool:
    return isinstance(value, list) and len(value) <= most and all(isinstance(item, str) for item in value)


def _runs(question: str) -> list[str]:
    """Runs of one to three words, each once; those that begin the question have a mark before them."""
    words = _WORD.findall(question[:1000].lower())[:_MOST_WORDS]
    found = dict.fromkeys(
        " ".join(words[first : first + length])
        for length in range(1, _LONGEST + 1)
        for first in range(len(words) - length + 1)
    )
    found.update(dict.fromkeys("^" + " ".join(words[:length]) for length in range(1, min(_LONGEST, len(words)) + 1)))
    return list(found)


@kernel
def _descend(
    flat: Whole, ends: Whole, classes: Whole, order: Whole, weights: Floats, rate: float, decay: float, ease: float
) -> None:
    """Fit ``weights`` (F, A) in place.

    Args:
        flat: rows of the features of all questions. ends: (N,) where those of each question end in it.
        classes: (N,) the column of the right answer. order: in which questions are visited.
        rate, decay, ease: as above.
    """
    squares = np.zeros_like(weights)
    count = weights.shape[1]
    shares = np.empty(count)
    for visit in range(len(order)):
        n = order[visit]
        first = 0 if n == 0 else ends[n - 1]
        top = -1e300
        for a in range(count):
            total = 0.0
            for k in range(first, ends[n]):
                total += weights[flat[k], a]
            shares[a] = total
            top = max(top, total)
        whole = 0.0
        for a in range(count):
            shares[a] = np.exp(shares[a] - top)
            whole += shares[a]
        for a in range(count):
            slope = shares[a] / whole - (1.0 if a == classes[n] else 0.0)
            for k in range(first, ends[n]):
                row = flat[k]
                step = slope + decay * weights[row, a]
                squares[row, a] += step * step
                weights[row, a] -= rate * step / (np.sqrt(squares[row, a]) + ease)
