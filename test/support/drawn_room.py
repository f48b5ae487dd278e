"""A drawn room with a table, a bed, a desk, a closed cabinet and an open basket, to be filled with small objects."""

from __future__ import annotations

from box_world import BoxWorld, look_around

from vantage.perception.perceivers.privileged import PrivilegedPerceiver

LOW, HIGH = (0.0, 0.0, 0.0), (5.0, 4.0, 2.6)
TABLE, BED, CABINET, BASKET, DESK = 10, 11, 12, 13, 14
TABLE_TOP, BED_TOP, CABINET_TOP, DESK_TOP = 0.74, 0.5, 0.85, 0.76

# Where the camera can be: between the furniture and above it.
POSITIONS = ((2.5, 0.6, 1.3), (2.5, 3.4, 1.3), (2.6, 2.0, 1.7), (0.8, 2.2, 1.6), (4.3, 2.3, 1.6))


def empty_room() -> BoxWorld:
    world = BoxWorld()
    world.add(1, "floor", (-0.1, -0.1, -0.1), (5.1, 4.1, 0.0), "brown", "wood")
    world.add(2, "ceiling", (-0.1, -0.1, 2.6), (5.1, 4.1, 2.7), "white")
    world.add(3, "wall", (-0.1, -0.1, 0.0), (0.0, 4.1, 2.6), "white")
    world.add(4, "wall", (5.0, -0.1, 0.0), (5.1, 4.1, 2.6), "white")
    world.add(5, "wall", (0.0, -0.1, 0.0), (5.0, 0.0, 2.6), "white")
    world.add(6, "wall", (0.0, 4.0, 0.0), (5.0, 4.1, 2.6), "white")
    world.add(TABLE, "table", (1.2, 1.0, TABLE_TOP - 0.04), (2.0, 2.0, TABLE_TOP), "brown", "wood")
    for x in (1.22, 1.93):
        for y in (1.02, 1.93):
            world.boxes.append((TABLE, (x, y, 0.0), (x + 0.05, y + 0.05, TABLE_TOP - 0.04)))
    world.add(BED, "bed", (3.0, 2.9, 0.1), (4.95, 3.95, BED_TOP), "blue", "fabric")
    world.boxes.append((BED, (4.9, 2.9, 0.1), (4.95, 3.95, 0.95)))
    world.add(CABINET, "cabinet", (3.3, 0.03, 0.0), (4.3, 0.45, CABINET_TOP), "white", "wood", ("closed",))
    world.add_open_box(BASKET, "basket", (0.3, 3.2, 0.0), (0.75, 3.65, 0.3), "orange", "wood")
    world.add(DESK, "desk", (0.05, 0.05, DESK_TOP - 0.04), (0.65, 1.2, DESK_TOP), "black", "wood")
    world.boxes.append((DESK, (0.1, 0.1, 0.0), (0.6, 0.4, DESK_TOP - 0.04)))
    return world


def put(world: BoxWorld, instance_id, label, x, y, z, color="", material="", size=(0.12, 0.12, 0.14), states=()):
    """A small box whose base is centred at (x, y, z)."""
    sx, sy, sz = size
    low, high = (x - sx / 2, y - sy / 2, z), (x + sx / 2, y + sy / 2, z + sz)
    return world.add(instance_id, label, low, high, color, material, states)


def seen_from(world: BoxWorld, positions=POSITIONS, pitches=(-0.9, -0.35), turns=6):
    """Question answering that has looked around from several positions."""
    from vantage.answering.engine import QuestionAnswering

    answering = QuestionAnswering(PrivilegedPerceiver(12), LOW, HIGH)
    for observation in look_around(world, positions, pitches, turns):
        answering.observe(observation)
    return answering
