"""How far one gets by guessing: the commonest answers of a set of questions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from vantage.types import TruthQuestion


@dataclass(frozen=True)
class Guess:
    """The commonest answer to some questions.

    Attributes:
        about: the kind of the questions, empty for all kinds together.
        answer: the commonest one.
        hits: questions that it answers. number: of all these questions.
    """

    about: str
    answer: str
    hits: int
    number: int

    @property
    def share(self) -> float:
        """Of the questions that are answered by always saying the same, 0..1."""
        return self.hits / self.number


def guesses(questions: Iterable[TruthQuestion]) -> tuple[Guess, ...]:
    """For all questions whose premise holds, and then for each kind of them, the commonest answer."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for question in questions:
        if question.premise_holds:
            by_kind[question.kind].append(question.answer)
    everything = [answer for answers in by_kind.values() for answer in answers]
    groups = [("", everything), *sorted(by_kind.items())] if everything else []
    return tuple(Guess(kind, *Counter(answers).most_common(1)[0], len(answers)) for kind, answers in groups)


def blind_share(questions: Iterable[TruthQuestion]) -> float:
    """Share of the questions with a true premise answered by the commonest answer to their kind; NaN without any."""
    by_kind = [guess for guess in guesses(questions) if guess.about]
    number = sum(guess.number for guess in by_kind)
    return sum(guess.hits for guess in by_kind) / number if number else float("nan")
