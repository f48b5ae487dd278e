from .home_facts import (
    IN as IN,
    ON as ON,
    carriable_masses as carriable_masses,
    object_names as object_names,
    room_names as room_names,
    scene_facts as scene_facts,
)
