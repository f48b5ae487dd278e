"""Scores of bags beside what the paper published, in the paper's forms, with what of it compares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vantage.benchmarks.e3vs.e3vs_plan import SHARES
from vantage.benchmarks.e3vs.published import (
    CONTROLS,
    FRAMES,
    MAIN,
    PILOT,
    SPEARMAN,
    TEST_CATEGORIES,
    TEST_EPISODES,
    TEST_PAIRS,
    TEST_SCENES,
    PublishedControl,
)
from vantage.benchmarks.e3vs.setups import ALL, Figures, Setup, figure_named
from vantage.benchmarks.sections import Table
from vantage.benchmarks.statistics import COLUMNS, EpisodeScore, Figure, cells, difference, same_episodes

NOTES = (
    "Rows that begin with 'paper:' are published figures (arXiv 2604.17969, from its text and a third party's reading "
    "note of the whole); all others are of the bags that were scored here. Marks do not compare in size: the paper's "
    "questions are about captured scenes, and its marks are GPT-5.1's, whose ranks agree with those of people by "
    f"{SPEARMAN:g} (Spearman); here scenes and questions are others, and so are judge and models. What compares is the "
    "order of setups, and what a control takes away or adds to them. The judge 'rules' knows marks 1 and 5 alone. "
    "Ranges are over the models that the paper tried; a dash: not published where it could be read."
)
_SAME = "the same protocol; other model, scenes and judge"
_OTHER_PROMPT = "the same protocol; other prompt, model, scenes and judge"
_COMPARES = {
    "random": "a walk by lot as well; another one answers",
    "crop": "the same limits; other method, model, scenes and judge",
}
_CONTROL_KEYS = ("mark", *(column.key for column in COLUMNS), "steps")
RULES = "rules"  # the judge that marks without a model
_OURS_ALONE = "not in the paper"
_STANDING = frozenset({"blind", "vqa", "crop", "prior", "static"})  # agents that are controls, as they do not search
_FREE = ("frames", "prompt", "thinking")  # settings that leave a run what it is


def published_tables(setups: Mapping[Setup, Sequence[EpisodeScore]], figures: Figures) -> Iterator[Table]:
    """Main results, controls, numbers of frames and what was asked, beside those of one judge's setups."""
    yield _main(figures)
    yield _controls(figures)
    yield _frames(setups, figures)
    yield _asked(setups)


def _main(figures: Figures) -> Table:
    rows: list[tuple[str, ...]] = [
        (f"paper: {each.name}", *(f"{each.marks[name]:.2f}" for name in SHARES), f"{each.mean:.2f}", "")
        for each in MAIN
    ]
    for setup, found in figures.items():
        if setup.agent not in _STANDING and not setup.without(*_FREE).control:
            marks = (_told(found.get(name, ()), "mark") for name in (*SHARES, ALL))
            rows.append((setup.name, *marks, _main_note(setup)))
    return Table("Main results, mark 1-5 (table 2 of the paper)", ("", *SHARES, ALL, "Compares"), tuple(rows))


def _controls(figures: Figures) -> Table:
    rows: list[tuple[str, ...]] = []
    taken: set[Setup] = set()
    for control in CONTROLS:
        range_ = f"{control.low:.2f}" if control.low == control.high else f"{control.low:.2f} to {control.high:.2f}"
        rows.append((f"paper: {control.name}", range_, *("-" for _ in _CONTROL_KEYS[1:]), ""))
        for setup, found in figures.items():
            if _is_under(setup, control):
                taken.add(setup)
                rows.append((setup.name, *_overall(found, _CONTROL_KEYS), _control_note(setup)))
    for setup, found in figures.items():
        if setup not in taken and (setup.agent in _STANDING or setup.without(*_FREE).control):
            rows.append((setup.name, *_overall(found, _CONTROL_KEYS), _OURS_ALONE))
    head = ("", "Mark, 1-5", *(f"{column.title}, %" for column in COLUMNS), "Steps", "Compares")
    return Table("Controls (tables 3 to 5 of the paper)", head, tuple(rows))


def _main_note(setup: Setup) -> str:
    """What of a search's figures compares."""
    return _prompt_note(setup) if setup.agent == PILOT else _COMPARES.get(setup.agent, _OURS_ALONE)


def _prompt_note(setup: Setup) -> str:
    """What of a model's figures compares; its prompt has the paper's fields only where the control says so."""
    return _SAME if setup.agent != PILOT or setup.conditions.get("prompt") == "paper" else _OTHER_PROMPT


def _control_note(setup: Setup) -> str:
    """What of a control's figures compares."""
    if setup.conditions.get("start") == "bird" and setup.judge == RULES:
        return "nothing: to rules, which know the ceiling, a look from above shows no answer"
    return _COMPARES.get(setup.agent) or _prompt_note(setup)


def _is_under(setup: Setup, control: PublishedControl) -> bool:
    """Whether a setup is the agent that is run so, but for settings that the published figure leaves open."""
    start = f"start={control.start}" if control.start else ""
    thinks = control.thinking is None or setup.conditions.get("thinking") == control.thinking
    return setup.agent == control.here and setup.without(*_FREE).control == start and thinks


def _frames(setups: Mapping[Setup, Sequence[EpisodeScore]], figures: Figures) -> Table:
    keys = ("mark", "steps", "collisions", "collision_rate")
    paper = ("paper: 3 or 5 frames against 1", FRAMES["mark"], FRAMES["steps"], "-", FRAMES["collisions"])
    rows: list[tuple[str, ...]] = [paper]
    for setup, found in figures.items():
        base = setup.without("frames")
        several = {each for each in figures if each.without("frames") == base}
        if len(several) < 2 or setup.agent in _STANDING:
            continue
        rows.append((setup.name, *_overall(found, keys)))
        if setup != base and base in setups:
            pairs = same_episodes(setups[setup], setups[base])
            gaps = (
                difference("mark", "Mark", pairs, lambda score: score.judge_score),
                difference("steps", "Steps", pairs, lambda score: float(score.steps)),
                difference("collisions", "Collisions", pairs, lambda score: float(score.collisions)),
            )
            rows.append((f"{setup.name}, minus 1 frame", *cells(gaps), "-"))
    head = ("", "Mark, 1-5", "Steps", "Collisions", "Collided steps, %")
    return Table("Pictures at each step (figure 6 of the paper, in words)", head, tuple(rows))


def _asked(setups: Mapping[Setup, Sequence[EpisodeScore]]) -> Table:
    scores = {score.episode_id: score for members in setups.values() for score in members}.values()
    shares = (f"{count} ({count / TEST_EPISODES:.0%})" for count in TEST_CATEGORIES.values())
    counts = [sum(score.category == name for score in scores) for name in SHARES]
    ours = (
        "scored here",
        str(len({score.scene for score in scores})),
        str(len(scores)),
        str(len({score.pair_id for score in scores})),
        *(f"{count} ({count / len(scores):.0%})" for count in counts),
    )
    published = ("paper: split test", str(TEST_SCENES), str(TEST_EPISODES), str(TEST_PAIRS), *shares)
    return Table("What was asked", ("", "Scenes", "Episodes", "Pairs", *SHARES), (published, ours))


def _overall(found: Mapping[str, Sequence[Figure]], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(_told(found[ALL], key) for key in keys)


def _told(figures: Sequence[Figure], key: str) -> str:
    figure = figure_named(figures, key)
    return "-" if figure is None else cells((figure,))[0]
