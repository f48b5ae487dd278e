import numpy as np
from row_tables import each_row

from vantage.scenes.looks.looks import LOOKS, finish_of
from vantage.scenes.looks.textures import Patch
from vantage.scenes.spec.palette import MATERIALS
from vantage.scenes.spec.spec import ObjectSpec, Part

GRAY = (0.5, 0.45, 0.4)
CUP = Part("cone", (0.0, 0.0, 0.06), (0.07, 0.07, 0.12), (0.1, 0.3, 0.8), ("z+",), ends=(0.8, 1.0))


def side(size=(0.3, 0.3, 0.3), count=90):
    """The side of a part towards its x axis, (count, count): rows go up."""
    step = (np.arange(count) + 0.5) / count - 0.5
    z, y = np.meshgrid(step * size[2], step * size[1], indexing="ij")
    local = np.stack([np.full(z.size, 0.5 * size[0]), y.ravel(), z.ravel()], axis=1)
    n = len(local)
    return Patch(local, local, np.tile(size, (n, 1)), np.tile(GRAY, (n, 1)), np.full(n, 3))


def painted(look, size=(0.3, 0.3, 0.3)):
    patch = side(size)
    return LOOKS[look].paint(patch).mean(axis=1).reshape(90, 90)


def glass(*states):
    return ObjectSpec(1, "glass", "blue", "glass", (0.0, 0.0, 0.0), 0.0, (CUP,), states=states)


def test_every_material_has_a_look_of_its_own():
    surfaces = {}
    for material in MATERIALS:
        finish = LOOKS[material]
        surfaces[material] = (finish.gloss, finish.sharpness, *painted(material)[::7, ::7].ravel())
    assert len({tuple(np.round(surface, 4)) for surface in surfaces.values()}) == len(MATERIALS)


def test_wood_is_grained_along_its_longest_side():
    tall = painted("wood", (0.02, 0.4, 1.0))
    assert np.abs(np.diff(tall, axis=1)).mean() > 3.0 * np.abs(np.diff(tall, axis=0)).mean()
    wide = painted("wood", (0.02, 1.0, 0.4))
    assert np.abs(np.diff(wide, axis=0)).mean() > 3.0 * np.abs(np.diff(wide, axis=1)).mean()


def test_metal_has_upright_bands_and_plastic_has_none():
    assert painted("metal").mean(axis=0).std() > 2.0 * painted("metal").mean(axis=1).std()
    assert painted("metal").std() > 0.04
    assert np.ptp(painted("plastic", (0.5, 0.5, 0.5))) == 0.0


def test_a_weave_repeats_and_leather_has_seams_and_a_sheen():
    found = painted("fabric") - painted("fabric").mean()
    assert abs(found.mean(axis=0)).max() < 0.02  # threads go over and under
    assert found.std() > 0.02
    hide = painted("leather")
    assert hide[:2].mean() < 0.85 * np.median(hide)  # seams
    assert (hide > 1.15 * np.median(hide)).mean() > 0.05  # sheen


def test_stoneware_is_speckled_and_what_food_lies_on_is_not():
    assert (painted("ceramic", (0.09, 0.09, 0.10)) < 0.40).mean() > 0.02
    for size in ((0.24, 0.24, 0.02), (0.6, 0.6, 0.8)):
        assert np.ptp(painted("ceramic", size)) == 0.0


@each_row("states", [(), ("empty",), ("full",)])
def test_a_full_glass_is_deep_in_color_up_to_its_level(states):
    finish = finish_of(glass(*states), CUP)
    colors = finish.paint(side((0.07, 0.07, 0.12))).mean(axis=1).reshape(90, 90).mean(axis=1)
    assert (colors[20:60].mean() < 0.8 * colors[84:].mean()) == ("full" in states)
    assert finish.opacity < 0.5  # one sees into it


def test_only_what_is_open_at_the_top_is_seen_through():
    pane = Part("box", (0.0, 0.0, 0.5), (0.01, 0.5, 1.0), (0.5, 0.6, 0.7))
    bottle = ObjectSpec(1, "bottle", "green", "glass", (0.0, 0.0, 0.0), 0.0, (pane,))
    assert finish_of(bottle, pane).opacity > 0.99


def test_wicker_has_dark_holes_between_its_strands():
    woven = painted("wicker")
    assert 0.02 < (woven < 0.7 * np.median(woven)).mean() < 0.25
