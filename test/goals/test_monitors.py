"""Monitors of temporal goals: tables, and random formulas and traces against evaluation of whole traces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hypothesis import given, settings, strategies as st
from row_tables import each_row
from sampling import examples

from vantage.goals import Formula, Monitor, Step, Verdict, read_formula

OFF, ON = {("OFF", "lamp.1")}, {("ON", "lamp.1")}
GRAB, OPEN = {("GRAB", "cup.2")}, {("OPEN", "door.3"), ("ON", "lamp.1")}
NAMED = ("lamp.1", "cup.2", "door.3")


def followed(text: str, trace: Sequence[Step], objects: Sequence[str] = ()) -> Monitor:
    monitor = Monitor(read_formula(text), objects)
    for step in trace:
        monitor.observe(step)
    return monitor


@each_row(
    "text, trace, expected",
    [
        ("ON(lamp.1)", [OFF, ON], True),
        ("ON(lamp.1)", [OFF, ON, OFF], True),
        ("ON(lamp.1)", [], False),
        ("ON(lamp.1) and OPEN(door.3)", [ON, {("OPEN", "door.3")}], False),
        ("ON(lamp.1) and OPEN(door.3)", [OFF, OPEN], True),
        ("ON(lamp.1) then GRAB(cup.2)", [GRAB, ON], False),
        ("ON(lamp.1) then GRAB(cup.2)", [ON, GRAB], True),
        ("ON(lamp.1) then ON(lamp.1)", [ON], False),
        ("exists x. (GRAB(x) or TOUCH(x))", [OFF, GRAB], True),
        ("exists x. (TOUCH(x)) then ON(lamp.1)", [OFF, GRAB, ON], False),
        ("forall x. (ON(x))", [ON, OFF], False),
        ("forall x. (ON(x))", [{("ON", name) for name in NAMED}], True),
        ("not ON(lamp.1)", [ON], False),
        ("not ON(lamp.1)", [ON, OFF], True),
        ("not (ON(lamp.1) then OFF(lamp.1))", [OFF, ON], True),
        ("exists x. (ON(x) then OPEN(x))", [ON, {("OPEN", "lamp.1")}], True),
        ("(ON(lamp.1) then GRAB(cup.2)) or OPEN(door.3)", [OPEN], True),
        ("Toggled_On(fan.1)", [{("ToggledOn", "fan.1")}], True),
    ],
)
def test_a_formula_holds_of_a_trace(text, trace, expected):
    assert followed(text, trace, NAMED).holds is expected


@each_row(
    "text, trace, expected",
    [
        ("ON(lamp.1)", [], Verdict.OPEN),
        ("ON(lamp.1)", [OFF], Verdict.OPEN),
        ("ON(lamp.1)", [OFF, ON], Verdict.SATISFIED),
        ("ON(lamp.1) then GRAB(cup.2)", [ON], Verdict.OPEN),
        ("ON(lamp.1) then GRAB(cup.2)", [ON, OFF, GRAB], Verdict.SATISFIED),
        ("not (ON(lamp.1) then OFF(lamp.1))", [ON], Verdict.OPEN),
        ("not (ON(lamp.1) then OFF(lamp.1))", [ON, OFF], Verdict.VIOLATED),
        ("GRAB(cup.2) and not (ON(lamp.1) then OFF(lamp.1))", [ON, OFF], Verdict.VIOLATED),
        ("GRAB(cup.2) or not (ON(lamp.1) then OFF(lamp.1))", [ON, OFF], Verdict.OPEN),
    ],
)
def test_what_follows_may_still_decide(text, trace, expected):
    assert followed(text, trace, NAMED).verdict is expected


def test_a_quantifier_over_nothing_holds_of_nothing() -> None:
    assert not followed("exists x. (ON(x))", [ON]).holds
    assert followed("exists x. (ON(x) then ON(x))", [ON]).verdict is Verdict.VIOLATED


def test_steps_may_name_what_the_monitor_does_not_know() -> None:
    assert followed("exists x. (ON(x))", [{("ON", "ghost.9")}], NAMED).verdict is Verdict.OPEN


PREDICATES, THINGS, VARIABLES = ("p", "q"), ("a", "b"), ("x", "y")
ATOMS = st.builds(
    lambda name, names: Formula("atom", name, tuple(names)),
    st.sampled_from(PREDICATES),
    st.lists(st.sampled_from((*THINGS, *VARIABLES)), min_size=1, max_size=1),
)
FORMULAS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds(lambda part: Formula("not", parts=(part,)), inner),
        st.builds(
            lambda kind, parts: Formula(kind, parts=tuple(parts)),
            st.sampled_from(("and", "or", "then")),
            st.lists(inner, min_size=2, max_size=3),
        ),
        st.builds(
            lambda kind, name, part: Formula(kind, name, parts=(part,)),
            st.sampled_from(("exists", "forall")),
            st.sampled_from(VARIABLES),
            inner,
        ),
    ),
    max_leaves=6,
)
STEPS = st.sets(st.tuples(st.sampled_from(PREDICATES), st.sampled_from(THINGS)), max_size=3)
TRACES = st.lists(STEPS, max_size=6)


@settings(max_examples=examples(200), deadline=None)
@given(FORMULAS, TRACES, TRACES)
def test_a_monitor_agrees_with_whole_traces(formula: Formula, trace: list[Step], rest: list[Step]) -> None:
    known = sorted({*THINGS, *_free(formula)})
    monitor = Monitor(formula, THINGS)
    decided: Verdict | None = None
    for end in range(len(trace) + len(rest) + 1):
        steps = [*trace, *rest][:end]
        verdict = monitor.observe(steps[-1]) if steps else monitor.verdict
        told = holds(formula, steps, known)
        assert monitor.holds is told
        assert decided in (None, verdict)
        if verdict is not Verdict.OPEN:
            decided = verdict
            assert told is (verdict is Verdict.SATISFIED)


def _free(formula: Formula) -> set[str]:
    """Names that are no variables anywhere in a formula."""
    return _all_names(formula) - _all_variables(formula)


def _all_names(formula: Formula) -> set[str]:
    return {*formula.names}.union(*map(_all_names, formula.parts))


def _all_variables(formula: Formula) -> set[str]:
    own = {formula.name} if formula.kind in ("exists", "forall") else set()
    return own.union(*map(_all_variables, formula.parts))


def holds(formula: Formula, trace: Sequence[Step], known: Sequence[str]) -> bool:
    """Whether a formula holds of a whole trace, by trying every beginning."""
    return _prefix(formula, trace, 0, known, {}) is not None


def _prefix(
    formula: Formula, steps: Sequence[Step], start: int, known: Sequence[str], bound: Mapping[str, str]
) -> int | None:
    """Where the shortest beginning, from ``start`` on, ends of which a formula holds; None where it holds of none."""

    def of(part: Formula, begin: int, given: Mapping[str, str] = bound) -> int | None:
        return _prefix(part, steps, begin, known, given)

    if not _is_ordered(formula):
        ends = (end for end in range(start, len(steps)) if _fulfilled(formula, steps[end], known, bound))
        found = next(ends, None)
        return None if found is None else found + 1
    if formula.kind == "then":
        reached: int | None = start
        for part in formula.parts:
            reached = None if reached is None else of(part, reached)
        return reached
    if formula.kind == "not":
        return None if of(formula.parts[0], start) is not None else start
    if formula.kind in ("exists", "forall"):
        found_ends = [of(formula.parts[0], start, {**bound, formula.name: name}) for name in known]
    else:
        found_ends = [of(part, start) for part in formula.parts]
    return _joined_end(found_ends, max if formula.kind in ("and", "forall") else min)


def _joined_end(ends: Sequence[int | None], chosen: Callable[[list[int]], int]) -> int | None:
    """All ends must be there where the last counts, one where the first does."""
    there = [end for end in ends if end is not None]
    if not there or (chosen is max and len(there) < len(ends)):
        return None
    return chosen(there)


def _is_ordered(formula: Formula) -> bool:
    return formula.kind == "then" or any(map(_is_ordered, formula.parts))


def _fulfilled(formula: Formula, step: Step, known: Sequence[str], bound: Mapping[str, str]) -> bool:
    """Whether one step fulfils a formula without ``then``."""
    if formula.kind == "atom":
        names = tuple(bound.get(name, name) for name in formula.names)
        return (formula.name, *names) in step
    if formula.kind == "not":
        return not _fulfilled(formula.parts[0], step, known, bound)
    if formula.kind in ("exists", "forall"):
        found = (_fulfilled(formula.parts[0], step, known, {**bound, formula.name: name}) for name in known)
        return any(found) if formula.kind == "exists" else all(found)
    each = (_fulfilled(part, step, known, bound) for part in formula.parts)
    return all(each) if formula.kind == "and" else any(each)
