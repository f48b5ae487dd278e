import pytest
from small_home import small_home

from vantage.scenes.generator.generator import generate_home
from vantage.splats.synthesis.cell_sizes import coarseness
from vantage.splats.synthesis.from_spec import cloud_from_spec


@pytest.mark.parametrize(("seed", "rooms"), [(1, 1), (6, 4), (7, 10)])
def test_homes_of_all_sizes_stay_within_the_budget(seed, rooms):
    assert 90_000 < len(cloud_from_spec(generate_home(seed, rooms))) < 400_000


def test_larger_homes_have_larger_cells_and_empty_ones_have_the_finest():
    assert coarseness(small_home()) < coarseness(generate_home(1, 2)) < coarseness(generate_home(1, 10))
