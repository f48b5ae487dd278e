import itertools

import numpy as np
import pytest
from row_tables import each_row

from vantage.errors import UnknownNameError
from vantage.scenes.catalog.catalog import CATALOG, labels, object_class
from vantage.scenes.generator.object_models import Model, design_model
from vantage.scenes.geometry.design import Style
from vantage.scenes.looks.looks import LOOKS
from vantage.scenes.spec.palette import COLORS, MATERIALS
from vantage.scenes.spec.spec import STRUCTURE_LABELS, ObjectSpec, SceneSpec
from vantage.scenes.spec.spec_checks import check_spec

SHAPE_WORDS = {"", "round", "square", "rectangular", "cylindrical", "spherical", "conical"}
STATE_WORDS = {"open", "closed", "on", "off", "full", "empty", "dirty", "clean"}
THINNEST = 0.002  # m
SMALLEST_LETTERS = 0.016  # m
LETTER_WIDTH = 0.75  # of its height
READABLE_ARC = 0.78  # of a diameter: print on a cylinder beyond it turns away from the reader


def in_every_way(name):
    """One model in each color and each combination of states, from changing seeds."""
    kind = object_class(name)
    combinations = list(itertools.product(*kind.states)) or [()]
    for seed in range(max(len(kind.colors), len(combinations), len(kind.prints), 3)):
        yield design_model(
            name,
            np.random.default_rng(seed),
            color=kind.colors[seed % len(kind.colors)],
            states=combinations[seed % len(combinations)],
            text=kind.prints[seed % len(kind.prints)] if kind.prints else "",
        )


def standing(model: Model) -> ObjectSpec:
    return model.at(1, (0.0, 0.0, 0.0), 0.0)


def test_there_are_many_classes_with_words_of_the_vocabulary():
    assert len(labels()) >= 100
    assert not set(labels()) & set(STRUCTURE_LABELS)
    for entry in CATALOG.values():
        assert entry.label == entry.label.lower().strip()
        assert entry.colors
        assert set(entry.colors) <= set(COLORS)
        assert set(entry.materials) <= {*MATERIALS, ""}
        assert entry.shape in SHAPE_WORDS
        assert {word for axis in entry.states for word in axis} <= STATE_WORDS
        assert 0 < entry.mass[0] < entry.mass[1] < 100, entry.name
        assert 0.5 < entry.sizes[0] <= entry.sizes[1] < 1.5
        for word in entry.prints:
            assert word.isalnum()
            assert word == word.upper()
            assert 3 <= len(word) <= 8


@each_row("name", sorted(CATALOG))
def test_every_class_can_be_built_in_every_color_and_state(name):
    for model in in_every_way(name):
        obj = standing(model)
        check_spec(SceneSpec("one", 0, 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 3.0), (obj,)))
        low, high = model.extent()
        assert low[2] == pytest.approx(0.0, abs=1e-6)
        assert 0.03 < max(high[k] - low[k] for k in range(3)) < 2.5
        assert min(min(part.size) for part in obj.parts) >= THINNEST
        assert obj.kind == name
        assert model.kind.mass[0] <= obj.mass <= model.kind.mass[1]


@each_row("name", sorted(CATALOG))
def test_every_look_can_be_painted(name):
    for model in in_every_way(name):
        assert {part.look or model.style.material for part in model.design.parts} <= set(LOOKS)


@each_row("name", sorted(CATALOG))
def test_surfaces_lie_within_the_object_and_have_names_of_their_own(name):
    for model in in_every_way(name):
        low, high = model.extent()
        surfaces = model.design.surfaces
        assert len({surface.name for surface in surfaces}) == len(surfaces)
        for surface in surfaces:
            assert surface.relation in ("on", "in")
            assert surface.x_max - surface.x_min > 0.05
            assert surface.y_max - surface.y_min > 0.05
            assert surface.clearance > 0.05
            assert low[0] - 1e-9 <= surface.x_min
            assert surface.x_max <= high[0] + 1e-9
            assert low[1] - 1e-9 <= surface.y_min
            assert surface.y_max <= high[1] + 1e-9
            assert low[2] < surface.z <= high[2] + 1e-9


@each_row("name", sorted(CATALOG))
def test_something_solid_carries_what_is_put_on_a_surface(name):
    for model in in_every_way(name):
        for surface in model.design.surfaces:
            x, y = 0.5 * (surface.x_min + surface.x_max), 0.5 * (surface.y_min + surface.y_max)
            carrying = [
                part
                for part in model.design.parts
                if abs(part.center[2] + 0.5 * part.size[2] - surface.z) <= 0.003
                and "z+" not in part.open_faces
                and abs(part.center[0] - x) < 0.5 * part.size[0]
                and abs(part.center[1] - y) < 0.5 * part.size[1]
            ]
            assert carrying, surface


@each_row("name", sorted(CATALOG))
def test_nothing_solid_is_in_the_free_space_above_a_surface(name):
    for model in in_every_way(name):
        for surface in model.design.surfaces:
            low = np.array([surface.x_min, surface.y_min, surface.z]) + 0.004
            high = np.array([surface.x_max, surface.y_max, surface.z + surface.clearance]) - 0.004
            for part in model.design.parts:
                center, half = np.asarray(part.center), 0.5 * np.asarray(part.size)
                if not part.open_faces:
                    assert np.any((center + half <= low) | (center - half >= high)), (surface, part)


@each_row("name", sorted(name for name, kind in CATALOG.items() if kind.prints))
def test_print_fits_its_label_in_letters_that_can_be_read(name):
    for model in in_every_way(name):
        printed = [part for part in model.design.parts if part.text]
        assert [part.text for part in printed] == [model.style.text]
        for part in printed:
            width = part.size[1] if part.shape == "box" else READABLE_ARC * part.size[1]
            height = min(0.8 * part.size[2], 0.95 * width / (LETTER_WIDTH * len(part.text)))
            assert height >= SMALLEST_LETTERS
            assert part.look == "label"
            front = max(other.center[0] + 0.5 * other.size[0] for other in model.design.parts if other.name == "body")
            assert part.center[0] + 0.5 * part.size[0] > front - 0.08


@each_row("name", sorted(name for name, kind in CATALOG.items() if any(len(axis) > 1 for axis in kind.states)))
def test_states_can_be_seen(name):
    kind = object_class(name)
    style = Style(kind.colors[0], kind.materials[0], COLORS[kind.colors[0]], (), (kind.prints or ("",))[0])
    for axis in kind.states:
        shown = []
        for word in axis:
            states = tuple(word if group is axis else group[0] for group in kind.states)
            style = Style(style.color, style.material, style.rgb, states, style.text)
            shown.append(kind.design(style, np.random.default_rng(5)).parts)
        assert len(set(shown)) == len(axis)


def test_an_unknown_class_is_corrected():
    with pytest.raises(UnknownNameError, match="did you mean 'teapot'"):
        object_class("tea pot")
