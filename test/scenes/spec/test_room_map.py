from small_home import CABINET, TABLE, WINDOW, small_home

from vantage.scenes.spec.room_map import RoomMap, rooms_of
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec


def test_a_scene_without_rooms_is_one_room():
    part = Part("box", (0, 0, 0), (1, 1, 1), (1, 1, 1))
    spec = SceneSpec("s", 0, 2, (-2, -1, 0), (2, 1, 2.4), (ObjectSpec(1, "x", "", "", (0, 0, 0), 0.0, (part,)),))
    (room,) = rooms_of(spec)
    assert room.outline == ((-2, -1), (2, -1), (2, 1), (-2, 1))
    assert RoomMap((room,)).number(spec.objects[0]) == 0


def test_objects_belong_to_the_room_they_name_or_to_the_nearest():
    spec = small_home()
    where = RoomMap(rooms_of(spec))
    objects = {obj.instance_id: obj for obj in spec.objects}
    assert [where.number(objects[k]) for k in (TABLE, WINDOW, CABINET)] == [0, 0, 1]
    lost = ObjectSpec(99, "x", "", "", (3.0, 0.0, 0.0), 0.0, objects[TABLE].parts)
    assert where.number(lost) == 1
