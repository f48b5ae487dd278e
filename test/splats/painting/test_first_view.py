import numpy as np
from small_home import small_home

from vantage.scenes.generator.generator import generate_home
from vantage.scenes.spec.spec import object_bounds
from vantage.splats.painting.first_view import first_view
from vantage.splats.painting.rooms import within


def test_the_first_view_is_free_and_in_the_largest_room():
    for spec in (small_home(), generate_home(3, 1), generate_home(4, 4)):
        view = first_view(spec)
        for thing in spec.objects:
            if not thing.is_structure:
                low, high = object_bounds(thing)
                gap = np.maximum(np.maximum(np.subtract(low, view.position), view.position - high), 0.0)
                assert np.linalg.norm(gap) > 0.15
        outlines = [np.array(room.outline) for room in spec.rooms]
        sizes = [float(np.ptp(each, axis=0).prod()) for each in outlines]
        assert within(outlines[int(np.argmax(sizes))], view.position[None, :2])[0]
