import math
from dataclasses import replace

import pytest

from vantage.errors import SceneError
from vantage.scenes.checks.scene_checks import check_placement, require_placement


def kinds(spec):
    return {(fault.kind, fault.instance_id) for fault in check_placement(spec)}


def test_generated_rooms_could_stand(rooms):
    for room in rooms:
        require_placement(room)


def moved(spec, instance_id, dx=0.0, dy=0.0, dz=0.0):
    def shift(obj):
        if obj.instance_id != instance_id:
            return obj
        x, y, z = obj.position
        return replace(obj, position=(x + dx, y + dy, z + dz))

    return replace(spec, objects=tuple(shift(obj) for obj in spec.objects))


def test_every_lifted_object_is_found_floating(rooms):
    room = rooms[4]
    filling = {opening.instance for opening in room.openings}
    movable = [
        obj
        for obj in room.objects
        if not obj.is_structure and obj.relation in ("", "on") and obj.instance_id not in filling
    ]
    on_walls = {obj.instance_id for obj in room.objects if obj.label == "wall"}
    lifted = [obj for obj in movable if obj.parent not in on_walls]
    assert len(lifted) > 25
    for obj in lifted:
        assert ("floating", obj.instance_id) in kinds(moved(room, obj.instance_id, dz=0.02)), obj.label


def test_every_sunk_object_is_found(rooms):
    room = rooms[5]
    for obj in room.objects:
        if obj.relation == "on" and room.objects[obj.parent - 1].label != "wall":
            assert kinds(moved(room, obj.instance_id, dz=-0.02)), obj.label


def test_what_comes_off_its_wall_floats(rooms):
    room = rooms[6]
    walls = {obj.instance_id: obj for obj in room.objects if obj.label == "wall"}
    hung = next(obj for obj in room.objects if obj.parent in walls and obj.label in ("picture", "shelf"))
    wall = walls[hung.parent]
    away = 0.05 * math.cos(wall.yaw), 0.05 * math.sin(wall.yaw)
    assert ("floating", hung.instance_id) in kinds(moved(room, hung.instance_id, *away))


def test_furniture_does_not_hang_on_walls(rooms):
    room = rooms[6]
    picture = next(obj for obj in room.objects if obj.label == "picture")
    faults = check_placement(replaced(room, replace(picture, label="sofa")))
    assert any("which such a thing does not" in fault.message for fault in faults)


def test_a_object_in_another_room_than_it_says(homes):
    home = homes[4]
    other = next(each for each in home.objects if not each.is_structure and not each.parent)
    wrong = next(room.room_id for room in home.rooms if room.room_id != other.room)
    edited = replaced(home, replace(other, room=wrong))
    fault = next(fault for fault in check_placement(edited) if fault.kind == "wrong room")
    assert fault.instance_id == other.instance_id
    assert f"says that it is in room {wrong} and stands in room {other.room}" in fault.message


def replaced(home, obj):
    return replace(home, objects=tuple(obj if each.instance_id == obj.instance_id else each for each in home.objects))


def test_a_object_in_the_wall_and_out_of_its_room(homes):
    home = homes[3]
    room = home.rooms[0]
    chair = next(obj for obj in home.objects if obj.room == 1 and not obj.parent and not obj.is_structure)
    x = room.outline[0][0] + 0.05
    edited = replaced(home, replace(chair, position=(x, chair.position[1], chair.position[2])))
    assert ("outside", chair.instance_id) in kinds(edited)
    assert any(fault.kind == "overlap" for fault in check_placement(edited))


def test_boxes_by_hand(block, sample):
    table = block(1, (0, 0, 0), (1.0, 1.0, 0.7))
    cup = block(2, (0.2, 0.2, 0.7), (0.1, 0.1, 0.1), relation="on", parent=1)
    assert kinds(sample(table, cup)) == set()
    assert kinds(sample(table, replace(cup, position=(0.2, 0.2, 0.75)))) == {("floating", 2)}
    assert kinds(sample(table, replace(cup, position=(0.5, 0.2, 0.7)))) == {("floating", 2)}  # half over the edge
    assert kinds(sample(table, replace(cup, relation="", parent=0))) == {("floating", 2)}
    assert ("overlap", 2) in kinds(sample(table, replace(cup, position=(0.2, 0.2, 0.6))))
    assert kinds(sample(table, block(2, (1.9, 0, 0), (0.4, 0.4, 0.4)))) == {("outside", 2)}
    assert kinds(sample(table, cup, replace(cup, instance_id=3, position=(0.25, 0.2, 0.7)))) == {("overlap", 3)}
    with pytest.raises(SceneError, match="1 impossible placements; first: box 2"):
        require_placement(sample(table, replace(cup, position=(0.2, 0.2, 0.75))))


def test_objects_in_containers(block, sample):
    base = block(1, (0, 0, 0), (0.4, 0.4, 0.01), label="basket")
    shell = replace(
        base.parts[0], shape="cylinder", center=(0.0, 0.0, 0.15), size=(0.4, 0.4, 0.3), open_faces=("z+", "z-")
    )
    basket = replace(base, parts=(*base.parts, shell))
    toy = block(2, (0, 0, 0.01), (0.1, 0.1, 0.1), relation="in", parent=1)
    assert kinds(sample(basket, toy)) == set()
    assert ("overlap", 2) in kinds(sample(basket, replace(toy, relation="on")))
    assert ("not inside", 2) in kinds(sample(basket, replace(toy, position=(0.17, 0, 0.01))))
    assert ("floating", 2) in kinds(sample(basket, replace(toy, position=(0.0, 0, 0.05))))
    tall = block(2, (0, 0, 0.01), (0.1, 0.1, 0.5), relation="in", parent=1)
    assert kinds(sample(basket, tall)) == set()
    assert ("not inside", 2) in kinds(sample(replace(basket, states=("closed",)), tall))
