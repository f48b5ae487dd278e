import numpy as np
import pytest

from vantage.errors import UnknownNameError
from vantage.scenes.catalog import CATALOG, labels, object_class
from vantage.scenes.design import Style
from vantage.scenes.palette import COLORS, MATERIALS
from vantage.scenes.placing import Model
from vantage.scenes.spec import STRUCTURE_LABELS, SceneSpec


def test_there_are_many_classes_with_words_of_the_vocabulary():
    assert len(labels()) >= 40
    assert not set(labels()) & set(STRUCTURE_LABELS)
    for entry in CATALOG.values():
        assert entry.label == entry.label.lower()
        assert " " not in entry.label
        assert set(entry.colors) <= set(COLORS)
        assert set(entry.materials) <= {*MATERIALS, ""}


@pytest.mark.parametrize("name", sorted(CATALOG))
def test_every_class_can_be_built_in_every_color(name):
    kind = object_class(name)
    for seed, color in enumerate(kind.colors):
        style = Style(color, kind.materials[0], COLORS[color])
        model = Model(kind, style, kind.build(style, np.random.default_rng(seed)))
        thing = model.at(1, (0.0, 0.0, 0.0), 0.0)
        SceneSpec("one", 0, 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 3.0), (thing,)).check()
        low, high = model.extent()
        assert low[2] == pytest.approx(0.0, abs=1e-6)
        assert 0.03 < max(high[k] - low[k] for k in range(3)) < 2.5
        for surface in model.design.surfaces:
            assert surface.x_min < surface.x_max
            assert surface.y_min < surface.y_max
            assert low[0] - 1e-9 <= surface.x_min
            assert surface.x_max <= high[0] + 1e-9
            assert low[1] - 1e-9 <= surface.y_min
            assert surface.y_max <= high[1] + 1e-9
            assert low[2] < surface.z <= high[2] + 1e-9


def test_an_unknown_class_is_corrected():
    with pytest.raises(UnknownNameError, match="did you mean 'teapot'"):
        object_class("tea pot")
