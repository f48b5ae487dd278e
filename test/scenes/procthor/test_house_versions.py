"""Houses of schema 0.0.1, and empty values."""

from row_tables import each_row
from small_house import imported, make_house

from vantage.scenes.procthor.house_versions import in_current_form


def older():
    """The small house as schema 0.0.1 writes it."""
    house = make_house()
    house["metadata"]["schema"] = "0.0.1"
    for each in house["rooms"]:
        each["floorMaterial"] = each["floorMaterial"]["name"]
    for each in house["walls"]:
        each["color"], each["material"] = each["material"]["color"], each["material"]["name"]
    for each in (*house["doors"], *house["windows"]):
        low, high = each.pop("holePolygon")
        each |= {"boundingBox": {"min": low, "max": high}, "assetOffset": {"x": 0, "y": 0, "z": 0}}
    return house


def test_an_older_house_is_the_same_home(tmp_path):
    assert imported(older(), tmp_path).spec == imported(make_house(), tmp_path).spec


def test_the_house_itself_is_not_changed():
    house = older()
    in_current_form(house)
    assert house == older()


@each_row(
    "change",
    [
        lambda house: house["rooms"][0].update(floorMaterial=None),
        lambda house: house["walls"][0].update(material=None, empty=None),
        lambda house: house["doors"][0].update(assetId=None, openness=None, openable=None),
        lambda house: house["objects"][0].update(children=None, isDirty=None, openness=None),
        lambda house: house["objects"][0]["rotation"].update(x=None),
        lambda house: house.update(windows=None, proceduralParameters=None),
    ],
)
def test_what_has_no_value_is_as_if_it_were_not_there(tmp_path, change):
    house = make_house()
    change(house)
    assert len(imported(house, tmp_path).spec.rooms) == 2
