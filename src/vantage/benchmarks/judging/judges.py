"""Judges by the name that a command line or a node gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from vantage.benchmarks.judging.case import Case
from vantage.benchmarks.judging.rule_judge import Judgement
from vantage.registry import JUDGES

if TYPE_CHECKING:
    from vantage.config import Settings

NAMES = "rules, or model:NAME:WHICH such as model:openai:llama"


class Judge(Protocol):
    """Marks one answer, 1 to 5."""

    @property
    def name(self) -> str: ...

    def judge(self, case: Case) -> Judgement:
        """
        Raises:
            ModelError: there is no mark; why not, in words.
        """
        ...


def make_judge(name: str, settings: Settings) -> Judge:
    """``rules``, ``model:openai:NAME``, or ``model`` for the model of ``agent.model``.

    Raises:
        UnknownNameError: no such judge.
        UsageError: no model is named.
    """
    kind, _, which = name.partition(":")
    if kind == "model":
        judge: Judge = JUDGES.create(kind, which or settings.agent.model, settings)
        return judge
    return JUDGES.create(name)  # type: ignore[no-any-return]
