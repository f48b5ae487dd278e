from dataclasses import replace

from row_tables import each_row

from vantage.config import RelationSettings
from vantage.questions.execution import Executor, Outcome, execute
from vantage.questions.programs import program_text, read_program
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.scenes.spec.spec import RoomSpec

KITCHEN = RoomSpec(1, "kitchen", ((0, 0), (4, 0), (4, 4), (0, 4)), 2.5)
BEDROOM = RoomSpec(2, "bedroom", ((4.1, 0), (9, 0), (9, 4), (4.1, 4)), 2.5)
ASKER = (2.0, 0.2, 1.5)  # looks along +y at the table


def node(key, label, at, size, **fields):
    """An object whose base is centred at ``at``."""
    low = (at[0] - size[0] / 2, at[1] - size[1] / 2, at[2])
    high = (at[0] + size[0] / 2, at[1] + size[1] / 2, at[2] + size[2])
    room = 1 if at[0] < 4 else 2
    return replace(GraphNode(key, label, "", "", low, high, room=room), **fields)


NODES = (
    node(1, "floor", (2, 2, -0.1), (4, 4, 0.1), room=1),
    node(2, "wall", (2, 4.05, 0), (4, 0.1, 2.5), room=1),
    node(10, "table", (2, 2, 0), (1.4, 0.9, 0.75), color="brown", material="wood", shape="round", mass=30.0),
    node(11, "mug", (2, 2, 0.75), (0.08, 0.08, 0.1), color="red", states=("full", "dirty"), mass=0.4, text="Best Dad"),
    node(12, "mug", (2.3, 2, 0.75), (0.08, 0.08, 0.1), color="blue", states=("empty",), mass=0.4),
    node(13, "bowl", (1.7, 2, 0.75), (0.28, 0.28, 0.08), color="white", mass=0.6),
    node(14, "apple", (1.7, 2, 0.76), (0.07, 0.07, 0.07), color="red", mass=0.0),
    node(15, "box", (2, 2, 0), (0.3, 0.3, 0.3), color="brown", mass=1.0),
    node(16, "fridge", (3.7, 3.6, 0), (0.6, 0.7, 1.8), color="white", states=("closed",), mass=80.0),
    node(17, "milk carton", (3.7, 3.6, 0.8), (0.1, 0.1, 0.2), color="white", mass=1.0),
    node(18, "chair", (0.7, 2, 0), (0.45, 0.45, 0.9), color="red", mass=5.0),
    node(19, "chair", (3.3, 2, 0), (0.45, 0.45, 0.9), color="green", mass=5.2),
    node(20, "wardrobe", (4.4, 3.6, 0), (0.55, 0.7, 1.9), color="white", states=("open",), mass=60.0),
    node(21, "hat", (4.4, 3.6, 1.0), (0.3, 0.3, 0.2), color="red", mass=0.2),
    node(22, "bed", (7, 2, 0), (2.0, 1.4, 0.5), color="red", mass=50.0),
    node(23, "picture", (2, 3.98, 1.4), (0.6, 0.03, 0.5)),
    node(24, "plant", (2, 3.2, 0), (0.4, 0.4, 1.2), color="green"),
)
PLACES = {
    11: ("on", 10),
    12: ("on", 10),
    13: ("on", 10),
    14: ("in", 13),
    17: ("in", 16),
    21: ("in", 20),
    23: ("on", 2),
}
GRAPH = SceneGraph(
    "home",
    2,
    (0.0, 0.0, 0.0),
    (9.0, 4.0, 2.5),
    tuple(
        replace(
            each, relation=PLACES.get(each.instance_id, ("", 0))[0], parent=PLACES.get(each.instance_id, ("", 0))[1]
        )
        for each in NODES
    ),
    (KITCHEN, BEDROOM),
)


def run(text, **options):
    program = read_program(text)
    assert read_program(program_text(program)) == program
    return execute(program, GRAPH, **{"asker": ASKER, **options})


def the(label, **words):
    return f"unique({every(label, **words)})"


def every(label, **words):
    found = f"filter(scene(), 'label', '{label}')"
    for attribute, value in words.items():
        found = f"filter({found}, '{attribute}', '{value}')"
    return found


def members(step):
    return run(f"count({step})").objects


def room(label):
    return f"unique(filter(rooms(), 'label', '{label}'))"


def test_the_graph_is_sound():
    GRAPH.check()


@each_row(
    "step, ids",
    [
        (every("mug"), (11, 12)),
        (every("mug", color="red"), (11,)),
        (every("mug", state="dirty"), (11,)),
        (every("mug", state="full"), (11,)),
        (every("mug", text="best  DAD"), (11,)),
        (every("mug", text="best"), ()),
        (every("mug", text=" "), ()),
        (every("table", shape="round"), (10,)),
        (every("floor"), ()),
        (every("milk carton"), ()),
        (every("Mug"), ()),
        (every("chair", room="kitchen"), (18, 19)),
        (every("chair", room="bedroom"), ()),
        ("filter(rooms(), 'label', 'bedroom')", (-2,)),
        ("rooms()", (-1, -2)),
        (f"union({every('hat')}, {every('mug')})", (21, 11, 12)),
        ("intersect(filter(scene(), 'color', 'red'), filter(scene(), 'room', 'bedroom'))", (21, 22)),
        (f"same({the('mug', color='red')}, 'color')", (14, 18, 21, 22)),
        (f"same({the('mug', color='red')}, 'place')", (12, 13)),
        (f"same({the('bed')}, 'room')", (20, 21)),
        (f"same({the('picture')}, 'color')", ()),
        (f"same({room('kitchen')}, 'label')", ()),
        (f"compared({every('mug')}, 'mass', {the('hat')})", (11, 12)),
        (f"compared({every('mug')}, 'mass', {the('box')})", ()),
        (f"compared({every('mug')}, 'mass', {the('box')}, True)", (11, 12)),
        (f"compared({every('chair')}, 'mass', {the('chair', color='red')})", ()),  # 5.0 and 5.2 kg feel the same
        (f"compared(filter(scene(), 'color', 'red'), 'height', {the('mug', color='red')})", (18, 21, 22)),
        (f"compared(filter(scene(), 'material', 'wood'), 'length', {the('bed')}, True)", (10,)),
        (f"compared(relate(scene(), 'on', {the('table')}), 'size', {the('mug', color='red')})", (13,)),
        (f"compared(rooms(), 'size', {room('bedroom')}, True)", (-1,)),
    ],
)
def test_sets_of_objects(step, ids):
    assert members(step) == ids


@each_row(
    "relation, anchor, ids",
    [
        ("on", the("table"), (11, 12, 13)),
        ("at", the("table"), (11, 12, 13, 14)),
        ("in", the("table"), ()),
        ("in", the("bowl"), (14,)),
        ("in", the("wardrobe"), (21,)),
        ("in", room("bedroom"), (20, 21, 22)),
        ("at", room("bedroom"), (20, 21, 22)),
        ("under", the("table"), (15,)),
        ("under", the("apple"), (10,)),
        ("above", the("table"), ()),
        ("above", the("box"), (10, 11)),
        ("next to", the("table"), (18, 19)),
        ("next to", the("fridge"), ()),  # the wardrobe is behind a wall
        ("near", the("mug", color="red"), (12, 13, 14, 15, 24)),
        ("behind", the("table"), (16, 23, 24)),
        ("in front of", the("table"), ()),
        ("left of", the("table"), (18,)),
        ("right of", the("table"), (16, 19)),
        ("left of", the("mug", color="red"), (13, 14, 18)),
    ],
)
def test_relations(relation, anchor, ids):
    assert members(f"relate(scene(), '{relation}', {anchor})") == ids


def test_sides_from_another_place():
    step = f"relate({every('chair')}, 'left of', {the('table')}, {the('plant')})"
    assert members(step) == (19,)
    assert run(f"count(relate(scene(), 'left of', {the('table')}))", asker=None) == Outcome(None, (), "unknown")
    assert run(f"count(relate(scene(), 'under', {the('table')}))", asker=None).value == 1


def test_between():
    first, second = the("chair", color="red"), the("chair", color="green")
    assert members(f"between(scene(), {first}, {second})") == (10, 11, 12, 13, 14, 15)
    assert members(f"between(scene(), {the('bowl')}, {the('mug', color='blue')})") == (11,)


@each_row(
    "program, value, ids",
    [
        (f"count({every('mug')})", 2, (11, 12)),
        (f"exist({every('mug', color='green')})", False, ()),
        (f"exist({every('mug', color='blue')})", True, (12,)),
        (f"query({the('bed')}, 'color')", "red", (22,)),
        (f"query({the('bed')}, 'label')", "bed", (22,)),
        (f"query({the('mug', color='red')}, 'state')", "full and dirty", (11,)),
        (f"query({the('mug', color='red')}, 'text')", "Best Dad", (11,)),
        (f"query({the('bed')}, 'room')", "bedroom", (22, -2)),
        (f"query({the('bed')}, 'place')", "in the bedroom", (22, -2)),
        (f"query({the('apple')}, 'place')", "in the bowl", (14, 13)),
        (f"query({the('picture')}, 'place')", "on the wall", (23, 2)),
        (f"verify({the('bed')}, 'color', 'blue')", False, (22,)),
        (f"verify({the('wardrobe')}, 'state', 'open')", True, (20,)),
        (f"verify({the('picture')}, 'color', '')", False, (23,)),
        (f"verify_relation({the('apple')}, 'at', {the('table')})", True, (14, 10)),
        (f"verify_relation({the('apple')}, 'on', {the('table')})", False, (14, 10)),
        (f"verify_relation({the('bed')}, 'in', {room('bedroom')})", True, (22, -2)),
        (f"verify_relation({room('kitchen')}, 'next to', {room('bedroom')})", True, (-1, -2)),
        (f"compare_number('more', {every('mug')}, {every('bowl')})", True, (11, 12, 13)),
        (f"compare_number('fewer', {every('mug')}, {every('bowl')})", False, (11, 12, 13)),
        (f"compare_number('equal', {every('mug')}, {every('chair')})", True, (11, 12, 18, 19)),
        (f"compare_quantity('mass', {the('bed')}, {the('table')})", True, (22, 10)),
        (f"compare_quantity('mass', {the('bed')}, {the('table')}, True)", False, (22, 10)),
        (f"compare_quantity('height', {the('bed')}, {the('table')}, True)", True, (22, 10)),
        (f"compare_quantity('size', {room('bedroom')}, {room('kitchen')})", True, (-2, -1)),
        (f"compare_quantity('distance', {the('bed')}, {the('table')})", True, (22, 10)),
        (f"compare_attribute('color', {the('bed')}, {the('hat')})", True, (22, 21)),
        (f"compare_attribute('room', {the('bed')}, {the('table')})", False, (22, 10)),
        (f"compare_attribute('material', {the('bed')}, {the('hat')})", False, (22, 21)),
        ("query(most(filter(scene(), 'room', 'bedroom'), 'mass'), 'label')", "wardrobe", (20,)),
        ("query(most(filter(scene(), 'room', 'bedroom'), 'height', True), 'label')", "hat", (21,)),
        (f"query(most({every('chair')}, 'distance', True, {the('fridge')}), 'color')", "green", (19,)),
        ("query(most(rooms(), 'size'), 'label')", "bedroom", (-2,)),
    ],
)
def test_answers(program, value, ids):
    outcome = run(program)
    assert outcome == Outcome(value, ids)
    assert type(outcome.value) is type(value)


@each_row(
    "program, problem, ids",
    [
        (f"query({the('zebra')}, 'color')", "none", ()),
        (f"query({the('mug')}, 'color')", "several", (11, 12)),
        (f"exist(relate(scene(), 'on', {the('chair')}))", "several", (18, 19)),
        (f"query({the('milk carton')}, 'color')", "none", ()),
        (f"query({the('picture')}, 'material')", "unknown", (23,)),
        (f"query({the('bed')}, 'size')", "unknown", (22,)),
        (f"query({room('kitchen')}, 'place')", "unknown", (-1,)),
        (f"compare_quantity('mass', {the('apple')}, {the('bed')})", "unknown", (14,)),
        ("query(most(scene(), 'mass'), 'label')", "unknown", (14,)),
        ("query(most(filter(scene(), 'label', 'zebra'), 'size'), 'label')", "none", ()),
        (f"query(most({every('chair')}, 'mass'), 'color')", "several", (18, 19)),  # 5.0 and 5.2 kg feel the same
        (f"query(most({every('bed')}, 'distance', True, {the('bed')}), 'color')", "none", ()),
    ],
)
def test_problems(program, problem, ids):
    assert run(program) == Outcome(None, ids, problem)


@each_row(
    "step, problem, ids",
    [
        (f"compared({every('apple')}, 'mass', {the('bed')}, True)", "unknown", (14,)),
        (f"compared({every('mug')}, 'mass', {the('apple')})", "unknown", (14,)),
        (f"compared({every('mug')}, 'mass', {the('chair')})", "several", (18, 19)),
    ],
)
def test_what_keeps_a_set_from_being_compared(step, problem, ids):
    assert run(f"count({step})") == Outcome(None, ids, problem)


@each_row(
    "program, value, ids",
    [
        (f"query_each(relate(scene(), 'on', {the('table')}), 'color')", ("blue", "red", "white"), (11, 12, 13)),
        (f"query_each({every('chair')}, 'label')", ("chair",), (18, 19)),
        (f"query_each({every('mug')}, 'state')", ("dirty", "empty", "full"), (11, 12)),
        (f"query_each({every('mug')}, 'place')", ("on the table",), (11, 12)),
        ("query_each(filter(scene(), 'color', 'white'), 'room')", ("bedroom", "kitchen"), (13, 16, 20)),
        ("query_each(rooms(), 'label')", ("bedroom", "kitchen"), (-1, -2)),
    ],
)
def test_several_answers(program, value, ids):
    assert run(program) == Outcome(value, ids)


def test_several_answers_need_one_at_least():
    assert run(f"query_each({every('zebra')}, 'color')") == Outcome(None, (), "none")
    assert run(f"query_each({every('picture')}, 'material')") == Outcome(None, (23,), "unknown")
    in_fridge = f"query_each(relate(scene(), 'in', {the('fridge')}), 'label')"
    assert run(in_fridge).problem == "none"
    assert run(in_fridge, hidden=True).value == ("milk carton",)


def test_weights_are_relative_to_others_with_the_same_label():
    masses = [1.0, 1.1, 2.0, 0.0]
    boxes = tuple(node(k + 1, "box", (k, 1, 0), (0.2, 0.2, 0.2), mass=mass) for k, mass in enumerate(masses))
    graph = SceneGraph("boxes", 2, (0.0, 0.0, 0.0), (4.0, 4.0, 2.5), boxes)
    executor = Executor(graph)
    assert executor.run(read_program(f"count({every('box', weight='heavy')})")).objects == (3,)
    assert executor.run(read_program(f"count({every('box', weight='light')})")).objects == (1, 2)
    assert executor.run(read_program(f"verify({the('box', weight='heavy')}, 'weight', 'light')")).value is False
    assert executor.run(read_program(f"query_each({every('box')}, 'weight')")).value == ("heavy", "light")
    assert execute(read_program(f"query({the('mug', color='red')}, 'weight')"), GRAPH).problem == "unknown"


def test_hidden_objects_are_in_the_truth():
    assert run(f"count({every('milk carton')})", hidden=True).value == 1
    assert run(f"query({the('milk carton')}, 'place')", hidden=True).value == "in the fridge"
    deep = replace(GRAPH, nodes=tuple(replace(n, states=("closed",)) if n.label == "bowl" else n for n in GRAPH.nodes))
    assert execute(read_program(f"count({every('apple')})"), deep).value == 0


def test_sizes_are_relative_to_others_with_the_same_label():
    sizes = [0.1, 0.1, 0.2]
    cups = tuple(node(k + 1, "cup", (k, 1, 0), (0.05, 0.05, size)) for k, size in enumerate(sizes))
    graph = SceneGraph("cups", 2, (0.0, 0.0, 0.0), (4.0, 4.0, 2.5), cups)
    executor = Executor(graph)
    assert executor.run(read_program(f"count({every('cup', size='large')})")).objects == (3,)
    assert executor.run(read_program(f"count({every('cup', size='small')})")).objects == (1, 2)
    assert executor.run(read_program(f"query({the('cup', size='large')}, 'size')")).value == "large"
    lenient = execute(read_program(f"count({every('cup', size='large')})"), graph, settings=RelationSettings(ratio=2.0))
    assert lenient.value == 0


def test_members_of_a_set_for_whoever_generates_questions():
    executor = Executor(GRAPH, ASKER)
    on_table = read_program(f"count(relate(scene(), 'on', {the('table')}))").objects
    on_chair = read_program(f"count(relate(scene(), 'on', {the('chair')}))").objects
    assert executor.members(on_table) == (11, 12, 13)
    assert executor.members(on_chair) is None


def test_objects_on_the_bare_floor_of_a_scene_without_rooms():
    graph = SceneGraph("hall", 2, (0.0, 0.0, 0.0), (4.0, 4.0, 2.5), (node(1, "bed", (1, 1, 0), (1, 1, 1), room=0),))
    assert execute(read_program(f"query({the('bed')}, 'place')"), graph).value == "on the floor"
    assert execute(read_program(f"query({the('bed')}, 'room')"), graph).problem == "unknown"
    assert execute(read_program("count(rooms())"), graph).value == 0
