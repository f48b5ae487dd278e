"""Controls: conditions under which an agent is run to see what its score rests on, such as fewer axes or another start.

An agent's class says in ``controls`` which of them mean something to it; a run under another one is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Protocol, runtime_checkable

from vantage.answering import SYMBOLIC
from vantage.config import PROMPT_KINDS, ControlSettings, Settings
from vantage.errors import UnknownNameError, UsageError
from vantage.models import version_of
from vantage.planning.actions import ActionSpace, make_actions
from vantage.planning.restricted_actions import RestrictedActions, axes_named
from vantage.planning.task_pictures import IMAGE, TEXT
from vantage.registry import did_you_mean
from vantage.worlds import WorldInfo

START, GOAL, BIRD = "start", "goal", "bird"
STARTS = (START, GOAL, BIRD)
FULL, PAPER = PROMPT_KINDS
GUARD = "guard"  # the mitigation that holds back goals that cannot be pursued
SCHEMA = "schema"  # the mitigation that keeps a model's replies to what a scene has
_THINKING = ("", "on", "off")


@runtime_checkable
class _Prompting(Protocol):
    """Who has ``Control.PROMPT``."""

    def prompts_for(self, settings: Settings) -> tuple[str, ...]: ...


class Control(Enum):
    """One condition that an agent can be run under; the values stand in ``controls`` of an agent or its class."""

    GOAL = "start=goal"
    """It may begin where the answer is seen."""
    BIRD = "start=bird"
    """It answers from its first picture, which may be one from above."""
    FRAMES = "frames"
    """It shows its model as many pictures as ``control.frames`` says."""
    PROMPT = "prompt"
    """It tells its model what ``control.prompt`` says, and states by ``prompts_for(settings)`` the names of the prompts
    that it does so with."""
    THINKING = "thinking"
    """It asks a model as ``agent.model`` names it."""
    MITIGATION = "mitigation"
    """It does with a reply of its model what ``control.mitigation`` says."""
    ROBOT = "robot"
    """Its guard goes by the robot that ``control.robot`` names."""
    INPUT = "input"
    """It tells its model a scene in words, shows pictures of it, or both, as ``control.input`` says."""
    DOF = "dof"
    """It takes the actions of ``allowed_actions`` alone."""


def controls_of(agent: object) -> frozenset[Control]:
    """The attribute ``controls`` of an agent, its class or its factory; nothing where it states none."""
    return frozenset(getattr(agent, "controls", ()))


def prompt_version(agent: object, settings: Settings) -> str:
    """One version of all prompts that an agent asks its model with under a control; empty where it does not state them.

    Args:
        agent: an agent, its class or its factory.
    """
    return version_of(agent.prompts_for(settings)) if isinstance(agent, _Prompting) else ""


def control_text(settings: Settings) -> str:
    """The conditions that differ from the default, such as ``start=goal,frames=3``; empty where none does."""
    return ",".join(f"{key}={value}" for key, value in _asked(settings).items())


def check_controls(agent: object, name: str, settings: Settings) -> None:
    """
    Args:
        agent: an agent, its class or its factory.
        name: of the agent, for the message.

    Raises:
        UnknownNameError: a start or an axis does not exist, or thinking is neither on nor off.
        UsageError: a condition that the settings ask for means nothing to this agent, or an axis is named twice.
    """
    start, thinking = settings.control.start, settings.model.thinking
    if start not in STARTS:
        raise UnknownNameError(f"--start {start}: there is none of that name{did_you_mean(start, list(STARTS))}")
    if thinking not in _THINKING:
        raise UnknownNameError(f"--thinking {thinking}: expected on or off")
    axes_named(settings.control.dof)
    known = {control.value for control in controls_of(agent)}
    for key, value in _asked(settings).items():
        if key not in known and f"{key}={value}" not in known:
            raise UsageError(f"{key}={value} means nothing to agent '{name}'; leave it out, or take another agent")
    if thinking and settings.agent.model == SYMBOLIC:
        raise UsageError(f"--thinking {thinking} means nothing to the embedded reasoner; name a model with --model")
    _check_input(settings)


def _check_input(settings: Settings) -> None:
    """
    Raises:
        UsageError: pictures are to be shown to what sees none, or a guard is to rule by them alone.
    """
    shown = settings.control.input
    if shown != TEXT and settings.agent.model == SYMBOLIC:
        raise UsageError(f"--input {shown}: the embedded reasoner sees no pictures; name a model with --model")
    if shown == IMAGE and settings.control.mitigation == GUARD:
        raise UsageError(
            "--input image --mitigation guard: a guard rules by the facts of a scene, which pictures alone do not "
            "tell; take --input both"
        )


def allowed_actions(settings: Settings) -> ActionSpace:
    """The action space that the settings name, with the actions that ``control.dof`` leaves.

    Raises:
        UnknownNameError: there is no such space or axis.
        UsageError: no action moves one of the axes alone.
    """
    actions = make_actions(settings.actions)
    axes = axes_named(settings.control.dof)
    return actions if axes is None else RestrictedActions(actions, axes)


def check_axes(settings: Settings, info: WorldInfo) -> None:
    """
    Raises:
        UsageError: ``control.dof`` names an axis along which the world's camera cannot move.
    """
    for axis in axes_named(settings.control.dof) or ():
        if axis in info.limits.fixed:
            raise UsageError(
                f"--dof {settings.control.dof}: the camera of world '{info.name}' does not move in {axis}; leave "
                f"{axis} out, or take another --world"
            )


def _asked(settings: Settings) -> Mapping[str, object]:
    """Conditions that differ from the default, by name."""
    control, axes = settings.control, axes_named(settings.control.dof)
    every: dict[str, tuple[object, object]] = {
        "start": (control.start, START),
        "frames": (control.frames, ControlSettings().frames),
        "prompt": (control.prompt, FULL),
        "dof": ("" if axes is None else "+".join(axes), ""),
        "thinking": (settings.model.thinking, ""),
        "mitigation": (_mitigation(control), ControlSettings().mitigation),
        "robot": (control.robot, ControlSettings().robot),
        "input": (control.input, ControlSettings().input),
    }
    return {key: value for key, (value, usual) in every.items() if value != usual}


def _mitigation(control: ControlSettings) -> str:
    """Such as ``kaf``, or ``kaf-2-always`` of two rounds whatever the reply."""
    usual = ControlSettings()
    if control.mitigation == usual.mitigation:
        return control.mitigation
    if control.mitigation == SCHEMA:
        return SCHEMA
    rounds = "" if control.mitigation_rounds == usual.mitigation_rounds else f"-{control.mitigation_rounds}"
    return f"{control.mitigation}{rounds}{'-always' if control.mitigation_always else ''}"
