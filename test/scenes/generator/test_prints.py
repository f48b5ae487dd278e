"""Print on tops, in open containers and in large letters: only where it is wanted, and nothing else is changed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from vantage.errors import SceneError
from vantage.scenes.checks import check_placement
from vantage.scenes.generator import HomeLayout, generate_home
from vantage.scenes.generator.prints import with_prints
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec, check_spec
from vantage.scenes.spec.spec_file import spec_from_json, spec_to_json

EVERYWHERE = HomeLayout(prints="everywhere")


@cache
def home(seed: int, layout: HomeLayout = EVERYWHERE) -> SceneSpec:
    return generate_home(seed, 2, layout=layout)


def printed(spec: SceneSpec) -> list[tuple[ObjectSpec, Part]]:
    return [(obj, part) for obj in spec.objects for part in obj.parts if part.text]


def test_homes_have_usual_print_unless_more_is_asked_for() -> None:
    assert generate_home(2, 2, layout=HomeLayout(prints="usual")) == generate_home(2, 2)
    assert all(part.print_face == "x+" and not part.letter for _, part in printed(generate_home(2, 2)))


def test_print_on_tops_and_large_letters_are_added_and_nothing_is_moved() -> None:
    found = []
    for seed in (2, 4, 5, 8, 10):
        plain, spec = generate_home(seed, 2), home(seed)
        assert [replace(obj, parts=()) for obj in spec.objects] == [replace(obj, parts=()) for obj in plain.objects]
        assert check_placement(spec) == ()
        check_spec(spec)
        found += printed(spec)
    tops = {obj.label for obj, part in found if part.print_face == "z+"}
    large = {obj.label for obj, part in found if part.print_face == "x+" and part.letter >= 0.05}
    assert len(tops) > 1
    assert "book" in tops
    assert "picture" in large


def test_an_object_bears_one_word_in_one_place() -> None:
    for obj, part in printed(home(4)):
        if part.letter:
            assert [each.text for each in obj.parts if each.text] == [obj.text]


def test_an_open_container_bears_it_on_its_bottom() -> None:
    floor = Part("box", (0.0, 0.0, 0.01), (0.3, 0.4, 0.02), (0.5, 0.4, 0.3))
    side = Part("box", (0.15, 0.0, 0.15), (0.01, 0.4, 0.3), (0.5, 0.4, 0.3))
    crate = ObjectSpec(7, "crate", "brown", "wood", (0.0, 0.0, 0.0), 0.0, (side, floor), states=("open",))
    spec = replace(home(2), objects=tuple(replace(crate, instance_id=k) for k in range(1, 8)))
    bearing = printed(with_prints(spec))
    assert bearing
    assert all(part.center == floor.center and part.print_face == "z+" for _, part in bearing)
    assert len({part.text for _, part in bearing}) == len(bearing)


def test_a_top_that_carries_something_stays_bare() -> None:
    for seed in (2, 4, 5):
        spec = home(seed)
        carrying = {obj.parent for obj in spec.objects if obj.relation == "on"}
        for obj, part in printed(spec):
            assert not (part.print_face == "z+" and obj.instance_id in carrying and "open" not in obj.states)


def test_it_is_kept_in_files_and_in_the_graph() -> None:
    spec = home(4)
    assert spec_from_json(spec_to_json(spec)) == spec
    graph = SceneGraph.from_spec(spec)
    assert all(graph.node(obj.instance_id).text == obj.text for obj, _ in printed(spec))


def test_unknown_prints_and_faces_are_refused() -> None:
    with pytest.raises(SceneError, match="no print 'all over'"):
        HomeLayout(prints="all over")
    spec = home(4)
    number, obj = next((k, obj) for k, obj in enumerate(spec.objects) if obj.text)
    for change, said in (({"print_face": "y+"}, "face 'y\\+'"), ({"letter": 2.0}, "letters of 2.0 m")):
        parts = tuple(replace(part, **change) if part.text else part for part in obj.parts)
        objects = (*spec.objects[:number], replace(obj, parts=parts), *spec.objects[number + 1 :])
        with pytest.raises(SceneError, match=said):
            check_spec(replace(spec, objects=objects))
