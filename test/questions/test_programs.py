import pytest
from hypothesis import given, settings, strategies as st
from row_tables import each_row
from sampling import examples

from vantage.errors import FormatError
from vantage.questions import programs as steps
from vantage.questions.lexicon import uses
from vantage.questions.programs import Program, program_text, read_program

MUG = steps.Filter(steps.Scene(), "label", "mug")


def test_a_program_reads_as_it_was_written():
    program = steps.Query(steps.Unique(MUG), "color")
    assert program_text(program) == "query(unique(filter(scene(), 'label', 'mug')), 'color')"
    assert read_program(program_text(program)) == program


def test_arguments_that_have_their_default_are_left_out():
    assert program_text(steps.Unique(MUG)) == "unique(filter(scene(), 'label', 'mug'))"
    assert program_text(steps.Most(MUG, "mass")) == "most(filter(scene(), 'label', 'mug'), 'mass')"
    farthest = steps.Most(MUG, "distance", False, steps.Unique(MUG))
    assert program_text(farthest).endswith("'distance', False, unique(filter(scene(), 'label', 'mug')))")


words = st.text("abc '\"\\", max_size=6)
attributes, relations = (
    st.sampled_from([name for name in steps.ATTRIBUTES if name != "use"]),
    st.sampled_from(steps.RELATIONS),
)
quantities, sameness = st.sampled_from(steps.QUANTITIES), st.sampled_from(steps.SAMENESS)


def _grown(objects):
    one = st.one_of(
        st.builds(steps.Unique, objects),
        st.builds(
            steps.Most, objects, quantities, st.booleans(), st.one_of(st.none(), st.builds(steps.Unique, objects))
        ),
    )
    return st.one_of(
        st.builds(steps.Filter, objects, attributes, words),
        st.builds(steps.Filter, objects, st.just("use"), st.sampled_from(sorted(uses()))),
        st.builds(steps.Relate, objects, relations, one, st.one_of(st.none(), one)),
        st.builds(steps.Between, objects, one, one),
        st.builds(steps.Compared, objects, quantities, one, st.booleans()),
        st.builds(steps.Union, objects, objects),
        st.builds(steps.Intersect, objects, objects),
        st.builds(steps.Same, one, sameness),
    )


sets = st.recursive(st.sampled_from([steps.Scene(), steps.Rooms()]), _grown, max_leaves=5)
ones = st.builds(steps.Unique, sets)
programs = st.one_of(
    st.builds(steps.Count, sets),
    st.builds(steps.Exist, sets),
    st.builds(steps.Query, ones, st.sampled_from(steps.QUERIES)),
    st.builds(steps.QueryEach, sets, st.sampled_from(steps.QUERIES)),
    st.builds(steps.Verify, ones, attributes, words),
    st.builds(steps.VerifyRelation, ones, relations, ones, st.one_of(st.none(), ones)),
    st.builds(steps.CompareNumber, st.sampled_from(steps.NUMERIC), sets, sets),
    st.builds(steps.CompareQuantity, quantities, ones, ones, st.booleans()),
    st.builds(steps.CompareAttribute, sameness, ones, ones),
    st.builds(steps.Alike, ones, st.sampled_from(steps.QUERIES)),
)


@settings(max_examples=examples(150), deadline=None)
@given(programs)
def test_every_program_survives_its_words(program: Program):
    text = program_text(program)
    if len(text) <= steps.MAX_LENGTH:
        assert read_program(text) == program


@each_row(
    "text, words",
    [
        ("", "cannot be read"),
        ("count(", "cannot be read"),
        ("count(scene())\x00", "cannot be read"),
        ("scene()", "gives no answer"),
        ("counts(scene())", "did you mean 'count'"),
        ("count()", "takes objects"),
        ("count(scene(), scene())", "takes objects"),
        ("count('mug')", "no step"),
        ("count(unique(scene()))", "must be one of"),
        ("count(things=scene())", "no step"),
        ("count(filter(scene(), 'colour', 'red'))", "did you mean 'color'"),
        ("count(filter(scene(), 'color', 3))", "of type str"),
        ("count(filter(scene(), 'use', 'cut bred'))", "did you mean 'cut bread'"),
        ("query(unique(scene()), 'mass')", "'attribute'"),
        ("query_each(unique(scene()), 'color')", "'objects'"),
        ("query_each(scene(), 'use')", "'attribute'"),
        ("count(compared(scene(), 'weight', unique(scene())))", "'quantity'"),
        ("count(compared(scene(), 'mass', scene()))", "'one'"),
        ("count(compared(scene(), 'mass', unique(scene()), 'yes'))", "of type bool"),
        ("exist(relate(scene(), 'beneath', unique(scene())))", "'relation'"),
        ("query(most(scene(), 'mass', 'yes'), 'label')", "of type bool"),
        ("__import__('os').system('true')", "no step"),
        ("count(scene()) if True else count(scene())", "no step"),
        (f"count({'filter(' * 60}scene(){', 1, 2)' * 60})", "nested deeper"),
        ("count(" + " " * 5000 + "scene())", "at most 4000"),
    ],
)
def test_what_is_no_program_is_refused_in_one_sentence(text, words):
    with pytest.raises(FormatError, match=words) as caught:
        read_program(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 700
