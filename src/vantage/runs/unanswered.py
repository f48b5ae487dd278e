"""Episodes that ended needing a model: they are finished, and yet nothing was answered in them."""

from __future__ import annotations

from vantage.answering import SYMBOLIC
from vantage.recording import Outcome
from vantage.types import Answer, Verdict


def said_by_model(answer: Answer) -> bool:
    """Whether a model was to answer, and not the embedded reasoner."""
    return bool(answer.model) and not answer.model.startswith(f"{SYMBOLIC}/")


class Unanswered:
    """Counts episodes with a question that takes a model that is not at hand, or to which one gave no usable reply.

    Attributes:
        count: of such episodes.
    """

    def __init__(self) -> None:
        self.count = 0
        self._models: set[str] = set()

    def add(self, outcome: Outcome) -> None:
        """Take an episode into account."""
        lacking = [answer for answer in outcome.answers if answer.verdict is Verdict.NEEDS_MODEL]
        self.count += bool(lacking)
        self._models |= {answer.model.partition("/")[0] for answer in lacking if said_by_model(answer)}

    def told(self, episodes: int) -> str:
        """What to add to "0 failed" after so many episodes, beginning with a comma; empty where nothing is lacking."""
        if not self.count:
            return ""
        of = f", but {self.count} of {episodes}"
        if not self._models:
            return (
                f"{of} ended with a question that needs a model (their answers say which; --model NAME:WHICH names one)"
            )
        names = " and ".join(f"'{name}'" for name in sorted(self._models))
        return f"{of} ended without a usable reply of model {names} (their answers say why)"
