"""What an agent needs of its surroundings, stated by its class or factory and checked before anything runs."""

from __future__ import annotations

from enum import Enum

from vantage.answering import SYMBOLIC
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.registry import MODELS


class Need(Enum):
    """One object that an agent cannot do without, or uses where the settings name it."""

    VIEWS = "views"
    """A world that shows something: color and depth images."""
    PERCEPTION = "perception"
    """The perceiver and the answering that the settings name, made anew for every episode."""
    MODEL = "model"
    """The model of ``agent.model``, unless that is the embedded reasoner."""
    NAMED_MODEL = "named model"
    """As MODEL, and ``agent.model`` must name one."""
    PRIOR = "prior"
    """How often each answer is right in a training set, as the keyword argument ``prior``: an ``AnswerPrior``."""
    LANGUAGE = "language"
    """What words of questions tell in a training set, as the keyword argument ``language``: a ``LanguagePrior``."""
    LESSONS = "lessons"
    """Solved tasks of the half of the episode set that is for fitting, where the settings name no model, as the keyword
    argument ``lessons``: what ``vantage.planning.goals.learn`` makes of them."""
    PICTURES = "pictures"
    """Where ``control.input`` is not text, what the episode set shows of its tasks, as the keyword argument
    ``pictures``: ``TaskPictures``."""
    VIEW_RULE = "view rule"
    """What a picture must show for an answer to count, where an episode set is given, as the keyword argument
    ``view_rule_text``: what ``Benchmark.view_rule_text`` says, in words."""
    TASKS = "tasks"
    """Tasks that are carried out, one an episode: what ``Benchmark.tasks`` makes of a set."""
    GOLD = "gold"
    """The gold data of the episode set, as the keyword argument ``truths``: a mapping from episode id to ``Truth``."""


def needs_of(agent: object) -> frozenset[Need]:
    """The attribute ``needs`` of an agent, its class or its factory; nothing where it states none."""
    return frozenset(getattr(agent, "needs", ()))


def model_needs_gold(model: str) -> bool:
    """Whether a model of the form NAME:WHICH, or its factory, says by ``needs_gold`` that it must be told the gold data
    of what it is asked: a stand-in whose replies are to be of a known kind."""
    name, _, which = model.partition(":")
    asked = getattr(MODELS.get(name), "needs_gold", None) if which and name in MODELS.names() else None
    return bool(asked is not None and asked(which))


def check_named_model(name: str, agent: object, settings: Settings) -> None:
    """
    Args:
        name: of the agent, for the message.
        agent: an agent, its class or its factory.

    Raises:
        UsageError: it cannot do without a model, and the settings name none.
    """
    if Need.NAMED_MODEL in needs_of(agent) and settings.agent.model == SYMBOLIC:
        raise UsageError(
            f"agent '{name}' asks a model, and none is set; name one with --model NAME:WHICH, "
            "such as transformers:FOLDER"
        )
