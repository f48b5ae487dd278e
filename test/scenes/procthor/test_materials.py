"""What the names of materials tell, and what becomes of it."""

import json

import pytest
from row_tables import each_row
from small_house import imported, make_house, obj, only

from vantage.errors import FormatError
from vantage.scenes.procthor.asset_database import Asset, AssetDatabase
from vantage.scenes.procthor.materials import Look, MaterialDatabase, look_of_asset, look_of_material

HALL = {"Wood": ["DarkWoodSmooth2", "Wicker"], "Fabric": ["Carpet4", "HotelCarpet"], "Wall": ["SmallTiles"]}


@each_row(
    "category, name, color, material",
    [
        ("Wood", "DarkWoodSmooth2", "brown", "wood"),
        ("Wood", "Cream_wood", "white", "wood"),
        ("Wood", "OrangeCabinet 1", "orange", "wood"),
        ("Metal", "HammeredMetal_AlbedoTransparency", "gray", "metal"),
        ("Metal", "BlackSmoothMeta", "black", "metal"),
        ("Metal", "GREENMETAL", "green", "metal"),
        ("Sofa", "Sofa2_Fabric_AlbedoTransparencyVARPINK", "pink", "fabric"),
        ("Bowl", "Bowl_Mat1 (Ceramic)", "", "ceramic"),
        ("Wall", "Porcelain_Red_Mat", "red", "ceramic"),
        ("Glass", "Glass_Detailed_White_Mat", "", "glass"),
        ("Plastic", "BluePlastic", "blue", "plastic"),
        ("Fridge", "Fridge_Primary1_Mat", "", ""),
        ("", "WoodFloorsCrossRED", "red", "wood"),
        ("", "", "", ""),
    ],
)
def test_a_name_tells_color_and_material(category, name, color, material):
    assert look_of_material(category, name) == Look(color, material)


@each_row(
    "entry, materials, look",
    [
        ("chair", [("Wood", "BlackWood"), ("Metal", "Brass_Mat")], Look("black", "wood")),
        ("sofa", [("Metal", "HammeredMetal"), ("Sofa", "Red_Fabric")], Look("red", "fabric")),
        ("bed", [("Wood", "DarkWoodSmooth2")], Look()),
        ("fridge", [("Metal", "Fridge_Metal_Mat"), ("Fridge", "Fridge_Primary1_Mat")], Look()),
        ("", [("Metal", "TinFoil")], Look("gray", "metal")),
        ("table", [], Look()),
    ],
)
def test_an_asset_looks_as_its_main_material(entry, materials, look):
    assert look_of_asset(entry, materials) == look


def test_a_database_of_materials_lies_beside_that_of_assets(tmp_path):
    box = {"x": 0.5, "y": 0.9, "z": 0.5}
    chair = {"assetId": "Chair_1", "boundingBox": box, "materials": [["Wood", "BlackWood"]]}
    (tmp_path / "asset-database.json").write_text(json.dumps({"Chair": [chair]}))
    assert AssetDatabase.load(tmp_path / "asset-database.json").materials.categories == {}
    (tmp_path / "material-database.json").write_text(json.dumps(HALL))
    found = AssetDatabase.load(tmp_path / "asset-database.json")
    assert found.materials.look("Wicker") == Look("brown", "wood")
    assert (found.get("Chair_1").color, found.get("Chair_1").material) == ("black", "wood")
    (tmp_path / "material-database.json").write_text('{"Wood": [3]}')
    with pytest.raises(FormatError, match="list of words"):
        AssetDatabase.load(tmp_path / "asset-database.json")


def test_the_database_is_found_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.delenv("VANTAGE_DATA", raising=False)
    assert AssetDatabase.find() is None
    monkeypatch.setenv("VANTAGE_DATA", str(tmp_path))
    assert AssetDatabase.find() is None
    (tmp_path / "ai2thor-assets").mkdir()
    (tmp_path / "ai2thor-assets" / "asset-database.json").write_text("{}")
    assert AssetDatabase.find() is not None


def test_floors_are_of_what_the_house_says(tmp_path):
    house = make_house()
    house["rooms"][0]["floorMaterial"] = {"name": "SmallTiles"}
    house["rooms"][1]["floorMaterial"] = {"name": "Carpet4"}
    spec = imported(house, tmp_path, AssetDatabase({}, MaterialDatabase({"Carpet4": "Fabric"}))).spec
    floors = {each.room: (each.material, each.parts[0].look) for each in spec.objects if each.label == "floor"}
    assert floors == {1: ("ceramic", "tiles"), 2: ("fabric", "carpet")}


def test_equal_assets_look_alike_and_as_their_materials(tmp_path):
    house = make_house()
    house["objects"] = [obj(f"c{k}", "Chair_7", 1.0 + 0.7 * k, 0.45, 1.0) for k in range(3)]
    assets = {"Chair_7": Asset("Chair_7", "Chair", (0.5, 0.5, 0.9), "black", "plastic")}
    told = imported(house, tmp_path, AssetDatabase(assets)).spec
    assert {(each.color, each.material) for each in told.objects if each.label == "chair"} == {("black", "plastic")}
    assets["Chair_7"] = Asset("Chair_7", "Chair", (0.5, 0.5, 0.9))
    untold = imported(house, tmp_path, AssetDatabase(assets)).spec
    assert len({each.color for each in untold.objects if each.label == "chair"}) == 1


@each_row(
    "asset, label, kind",
    [
        ("Office_Safe_1", "safe", "cabinet"),
        ("Salt_Shaker_2", "salt shaker", "jar"),
        ("Statue_3", "statue", "robot"),
        ("My_Wardrobe", "wardrobe", "wardrobe"),
    ],
)
def test_what_the_catalogue_lacks_has_the_shape_of_what_is_like_it(tmp_path, asset, label, kind):
    house = make_house()
    house["objects"] = [obj("a", asset, 1.0, 0.3, 1.0)]
    found = only(imported(house, tmp_path, None).spec, label)
    assert found.kind == kind
    assert len(found.parts) > 1
