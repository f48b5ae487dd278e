"""How the guard and the embedded interpreter judge instructions that people wrote who know neither: pairs of an
instruction and a goal in a generated home.

A file has a line for each pair, of four fields with tabs between them: the home as ``SEED/ROOMS``, ``honest`` or
``absent``, the goal, and the instruction. An honest goal is what the instruction asks for; the goal of an instruction
that asks for something absent is what a careless robot might do instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from vantage.benchmarks.statistics import proportion
from vantage.errors import FormatError, UsageError
from vantage.goals import (
    EdgeGoal,
    Feasibility,
    Goal,
    Literal,
    NodeGoal,
    Ruling,
    SceneFacts,
    TaskText,
    ungrounded,
)
from vantage.planning.goals import GoalInterpreter, Interpretation
from vantage.planning.guard import Guard, read_robot
from vantage.scenes.facts import scene_facts
from vantage.scenes.generator import MAX_ROOMS, MIN_ROOMS, generate_home

HONEST, ABSENT = "honest", "absent"
_SHEET = Path(__file__).with_name("guard_pairs_sheet.txt")
_HOME = re.compile(r"(\d{1,9})/(\d{1,2})")
_STATES, _RELATIONS = ("open", "closed", "on", "off"), ("in", "on")
_MOST = 1000  # pairs
_MOST_TEXT = 100_000  # characters of an instruction


@dataclass(frozen=True)
class Pair:
    """An instruction in a home, and a goal.

    Attributes:
        where: file and line.
        home: ``SEED/ROOMS``.
        honest: the goal is what the instruction asks for; otherwise what somebody careless might do, since the home
            lacks something that the instruction asks for.
    """

    where: str
    home: str
    honest: bool
    goal: Goal
    instruction: str


@lru_cache(maxsize=64)
def home_facts(home: str) -> SceneFacts:
    """The facts of a home by its name.

    Raises:
        UsageError: no home has such a name.
    """
    found = _HOME.fullmatch(home)
    if found is None or not MIN_ROOMS <= int(found[2]) <= MAX_ROOMS:
        raise UsageError(f"'{home}' is no home; write SEED/ROOMS, with {MIN_ROOMS} to {MAX_ROOMS} rooms, such as 7/3")
    return scene_facts(generate_home(int(found[1]), int(found[2])))


def sheet(home: str) -> str:
    """What an author of pairs reads: what to write, and what is in a home.

    Raises:
        UsageError: no home has such a name.
    """
    facts = home_facts(home)
    around: dict[str, list[str]] = {}
    for fact in facts.facts:
        if fact.holds and len(fact.objects) == 2:
            around.setdefault(fact.objects[0], []).append(f"{fact.predicate} {fact.objects[1]}")
    lines = [
        "  " + ", ".join((item.name, *(f"is {state}" for state in item.initial), *around.get(item.name, ())))
        for item in sorted(facts.objects, key=lambda each: each.name)
    ]
    text = _SHEET.read_text(encoding="utf-8")
    return f"{text}\nHome {home} has these rooms and things:\n\n" + "\n".join(lines)


def read_pairs(path: str | Path) -> tuple[Pair, ...]:
    """
    Raises:
        FormatError: the file cannot be read, or a line is none of a pair, with the number of the line.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path}: cannot be read as text ({error}); give a file of pairs in UTF-8") from error
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip() and line[0] != "#"]
    if not 0 < len(numbered) <= _MOST:
        raise FormatError(f"{path}: {len(numbered)} pairs; give a file of 1 to {_MOST}")
    return tuple(_pair(line, f"{path}:{number}") for number, line in numbered)


def _pair(line: str, where: str) -> Pair:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != 4 or not all(fields) or fields[1] not in (HONEST, ABSENT) or len(fields[3]) > _MOST_TEXT:
        raise FormatError(
            f"{where}: expected home, {HONEST} or {ABSENT}, goal and instruction with tabs between them; mend the line"
        )
    home, kind, told, instruction = fields
    try:
        facts = home_facts(home)
    except UsageError as error:
        raise FormatError(f"{where}: {error}") from error
    goal = read_goal(told, where)
    if wrong := ungrounded(goal, facts):
        raise FormatError(f"{where}: the goal is not possible in home {home} ({wrong[0].name}); see its sheet")
    return Pair(where, home, kind == HONEST, goal, instruction)


def read_goal(text: str, where: str) -> Goal:
    """A goal as authors write it: ``open NAME``, ``in NAME PLACE``, with ``and`` and, for a choice, ``or`` between.

    Raises:
        FormatError: it is none; the message begins with ``where``.
    """
    choices = tuple(
        tuple(_literal(each, where) for each in re.split(r"\s+and\s+", choice))
        for choice in re.split(r"\s+or\s+", text)
    )
    return Goal((choices,))


def _literal(text: str, where: str) -> Literal:
    word, *names = text.split()
    if len(names) == 1 and word in _STATES:
        return NodeGoal(names[0], word)
    if len(names) == 2 and word in _RELATIONS:
        return EdgeGoal(names[0], word, names[1])
    raise FormatError(f"{where}: '{text}' is no goal; write such as 'open fridge_40' or 'in mug_59 box_85'")


def bench_pairs(paths: Iterable[str | Path], robot: str = "household") -> dict[str, Any]:
    """How often the guard lets the goals of pairs pass, asks back or refuses, and what the interpreter makes of their
    instructions.

    Raises:
        FormatError: a file is none of pairs.
        ConfigError: there is no such robot.
    """
    guard, interpreter = Guard(read_robot(robot)), GoalInterpreter()
    pairs = [pair for path in paths for pair in read_pairs(path)]
    counts: dict[str, Counter[str]] = {HONEST: Counter(), ABSENT: Counter()}
    judged = []
    for pair in pairs:
        facts, task = home_facts(pair.home), TaskText("", pair.instruction)
        rulings = [guard.judge(task, Goal.of(choice), facts) for choice in pair.goal.parts[0]]
        ruling = next((each for each in rulings if each.passes), rulings[0])
        found = interpreter.interpret(task, facts)
        said, made = _ruled(ruling), _interpreted(found, pair.goal)
        kind = HONEST if pair.honest else ABSENT
        counts[kind].update(("pairs", f"guard {said}", f"interpreter {made}"))
        judged.append(
            {
                "where": pair.where,
                "kind": kind,
                "instruction": pair.instruction,
                "guard": said,
                "ruling": ruling.words,
                "interpreter": made,
                "goal": found.reason or [list(literal.key) for literal in found.goal.literals],
            }
        )
    return {
        "pairs": len(pairs),
        "homes": len({pair.home for pair in pairs}),
        **{kind: dict(sorted(counted.items())) for kind, counted in counts.items()},
        "rates": _rates(judged),
        "judged": judged,
    }


def _ruled(ruling: Ruling) -> str:
    if ruling.passes:
        return "passed"
    return "asked back" if ruling.feasibility is Feasibility.NEEDS_CONFIRMATION else "refused"


def _interpreted(found: Interpretation, goal: Goal) -> str:
    if found.refused:
        return "refused"
    told = {literal.key for choice in product(*found.goal.parts) for part in choice for literal in part}
    same = any({literal.key for literal in choice} == told for choice in goal.parts[0])
    return "the same goal" if same else "another goal"


def _rates(judged: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Shares with 95 % intervals."""
    listed = list(judged)
    asked = {
        "honest_passed": (HONEST, "guard", "passed"),
        "honest_asked_back": (HONEST, "guard", "asked back"),
        "honest_refused": (HONEST, "guard", "refused"),
        "repurposed_passed": (ABSENT, "guard", "passed"),
        "interpreter_right": (HONEST, "interpreter", "the same goal"),
        "interpreter_false_refusal": (HONEST, "interpreter", "refused"),
        "interpreter_refusal": (ABSENT, "interpreter", "refused"),
    }
    found = {}
    for name, (kind, who, what) in asked.items():
        figure = proportion(name, name, [each[who] == what for each in listed if each["kind"] == kind])
        if figure.n:
            found[name] = {"share": figure.value, "low": figure.low, "high": figure.high, "n": figure.n}
    return found
