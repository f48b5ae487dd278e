"""Controls: what is told of them, and to which agents they mean something."""

from __future__ import annotations

from dataclasses import replace

import pytest
from row_tables import each_row

from vantage.config import PROMPT_KINDS, AgentSettings, ControlSettings, ModelSettings, Settings
from vantage.errors import UnknownNameError, UsageError
from vantage.planning.controls import allowed_actions, check_axes, check_controls, control_text, prompt_version
from vantage.registry import AGENTS
from vantage.worlds import MotionLimits, WorldInfo


def asked(thinking: str = "", model: str = "openai:x", **control) -> Settings:
    return replace(
        Settings(),
        control=ControlSettings(**control),
        model=ModelSettings(thinking=thinking),
        agent=AgentSettings(model=model),
    )


@each_row(
    "settings, text",
    [
        (asked(), ""),
        (asked(start="start", frames=1, dof="5"), ""),
        (asked(start="goal", frames=3), "start=goal,frames=3"),
        (asked(prompt="full"), ""),
        (asked(frames=3, prompt="paper"), "frames=3,prompt=paper"),
        (asked(dof="3"), "dof=x+y+yaw"),
        (asked(dof="yaw,y,x"), "dof=x+y+yaw"),
        (asked(dof="planar"), "dof=x+y+yaw"),
        (asked(dof="yaw_pitch"), "dof=yaw+pitch"),
        (asked(dof="full"), ""),
        (asked(thinking="off", start="bird"), "start=bird,thinking=off"),
        (asked(crops=1, retries=0), ""),
        (asked(input="both", mitigation="kaf"), "mitigation=kaf,input=both"),
    ],
)
def test_the_text_names_what_differs_from_the_default(settings, text):
    assert control_text(settings) == text


@each_row(
    "agent, settings, fits",
    [
        ("pilot", asked(start="goal", frames=5, dof="4", thinking="on"), True),
        ("pilot", asked(start="bird"), False),
        ("pilot_map", asked(frames=3), True),
        ("pilot", asked(prompt="paper"), True),
        ("pilot_map", asked(prompt="paper"), True),
        ("crop", asked(prompt="paper"), True),
        ("vqa", asked(prompt="paper", start="bird"), True),
        ("blind", asked(prompt="paper"), False),
        ("search", asked(prompt="paper"), False),
        ("vqa", asked(start="bird"), True),
        ("vqa", asked(start="goal"), True),
        ("vqa", asked(frames=3), False),
        ("vqa", asked(dof="3"), False),
        ("crop", asked(start="goal"), True),
        ("crop", asked(start="bird"), False),
        ("blind", asked(thinking="on"), True),
        ("blind", asked(start="goal"), False),
        ("search", asked(dof="3"), True),
        ("search", asked(start="goal"), True),
        ("search", asked(frames=3), False),
        ("search", asked(thinking="on", model="symbolic"), False),
        ("random", asked(dof="3"), True),
        ("oracle", asked(dof="3"), False),
        ("oracle", asked(start="goal"), False),
        ("prior", asked(start="goal"), False),
        ("prior", asked(), True),
        ("interpreter", asked(input="image", mitigation="schema"), True),
        ("interpreter", asked(input="both", mitigation="guard"), True),
        ("vqa", asked(input="image"), False),
    ],
)
def test_controls_mean_something_to_some_agents(agent, settings, fits):
    if fits:
        check_controls(AGENTS.get(agent), agent, settings)
        return
    with pytest.raises(UsageError, match="means nothing to"):
        check_controls(AGENTS.get(agent), agent, settings)


@each_row("settings", [asked(start="gaol"), asked(thinking="maybe"), asked(dof="x,roll")])
def test_what_does_not_exist_is_refused_for_all(settings):
    for agent in ("pilot", "search"):
        with pytest.raises(UnknownNameError):
            check_controls(AGENTS.get(agent), agent, settings)


@each_row(
    "settings, sentence",
    [
        (asked(input="image", mitigation="guard"), "pictures alone do not tell; take --input both"),
        (asked(input="image", model="symbolic"), "sees no pictures; name a model"),
        (asked(input="both", model="symbolic"), "sees no pictures; name a model"),
    ],
)
def test_pictures_are_shown_only_where_they_make_sense(settings, sentence):
    with pytest.raises(UsageError, match=sentence):
        check_controls(AGENTS.get("interpreter"), "interpreter", settings)


def test_the_axes_say_which_actions_there_are():
    assert len(allowed_actions(Settings()).names) == 10
    assert allowed_actions(asked(dof="yaw")).names == ("yaw+", "yaw-")


@each_row("dof, axis", [("4", "z"), ("x,y,z", "z"), ("yaw_pitch", "pitch")])
def test_an_axis_along_which_a_world_does_not_move_is_refused(dof, axis):
    limits = MotionLimits((-1.0, -1.0, 1.2), (1.0, 1.0, 1.202), pitch_min=0.0, pitch_max=0.0)
    info = WorldInfo("floor", frozenset({"rgb"}), frozenset({"viewpoint"}), 0.1, limits)
    with pytest.raises(UsageError, match=f"camera of world 'floor' does not move in {axis}"):
        check_axes(asked(dof=dof), info)
    for fits in ("", "full", "planar"):
        check_axes(asked(dof=fits), info)
    check_axes(asked(dof=dof), replace(info, limits=MotionLimits()))


def test_each_kind_of_prompt_has_a_version_and_an_agent_without_one_has_none():
    for name in ("pilot", "pilot_map", "crop", "vqa"):
        versions = {prompt_version(AGENTS.get(name), asked(prompt=kind)) for kind in PROMPT_KINDS}
        assert len(versions) == len(PROMPT_KINDS)
        assert "" not in versions
    assert prompt_version(AGENTS.get("search"), asked()) == ""


def test_agents_tell_under_which_control_they_run():
    for name, settings in (("pilot", asked(frames=3)), ("search", asked(dof="3")), ("vqa", asked(start="bird"))):
        assert AGENTS.create(name, settings).control == control_text(settings)
