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
    def shift(thing):
        if thing.instance_id != instance_id:
            return thing
        x, y, z = thing.position
        return replace(thing, position=(x + dx, y + dy, z + dz))

    return replace(spec, objects=tuple(shift(thing) for thing in spec.objects))


def test_every_lifted_thing_is_found_floating(rooms):
    room = rooms[4]
    filling = {opening.instance for opening in room.openings}
    movable = [
        thing
        for thing in room.objects
        if not thing.is_structure and thing.relation in ("", "on") and thing.instance_id not in filling
    ]
    on_walls = {thing.instance_id for thing in room.objects if thing.label == "wall"}
    lifted = [thing for thing in movable if thing.parent not in on_walls]
    assert len(lifted) > 25
    for thing in lifted:
        assert ("floating", thing.instance_id) in kinds(moved(room, thing.instance_id, dz=0.02)), thing.label


def test_every_sunk_thing_is_found(rooms):
    room = rooms[5]
    for thing in room.objects:
        if thing.relation == "on" and room.objects[thing.parent - 1].label != "wall":
            assert kinds(moved(room, thing.instance_id, dz=-0.02)), thing.label


def test_what_comes_off_its_wall_floats(rooms):
    room = rooms[6]
    walls = {thing.instance_id: thing for thing in room.objects if thing.label == "wall"}
    hung = next(thing for thing in room.objects if thing.parent in walls and thing.label in ("picture", "shelf"))
    wall = walls[hung.parent]
    away = 0.05 * math.cos(wall.yaw), 0.05 * math.sin(wall.yaw)
    assert ("floating", hung.instance_id) in kinds(moved(room, hung.instance_id, *away))


def test_furniture_does_not_hang_on_walls(rooms):
    room = rooms[6]
    picture = next(thing for thing in room.objects if thing.label == "picture")
    faults = check_placement(replaced(room, replace(picture, label="sofa")))
    assert any("which such a thing does not" in fault.message for fault in faults)


def test_a_thing_in_another_room_than_it_says(homes):
    home = homes[4]
    other = next(each for each in home.objects if not each.is_structure and not each.parent)
    wrong = next(room.room_id for room in home.rooms if room.room_id != other.room)
    edited = replaced(home, replace(other, room=wrong))
    fault = next(fault for fault in check_placement(edited) if fault.kind == "wrong room")
    assert fault.instance_id == other.instance_id
    assert f"says that it is in room {wrong} and stands in room {other.room}" in fault.message


def replaced(home, thing):
    return replace(
        home, objects=tuple(thing if each.instance_id == thing.instance_id else each for each in home.objects)
    )


def test_a_thing_in_the_wall_and_out_of_its_room(homes):
    home = homes[3]
    room = home.rooms[0]
    chair = next(thing for thing in home.objects if thing.room == 1 and not thing.parent and not thing.is_structure)
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


def test_things_in_containers(block, sample):
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
