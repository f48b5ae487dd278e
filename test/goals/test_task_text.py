"""The task in a prompt, in words."""

from __future__ import annotations

from row_tables import each_row

from vantage.goals import TaskText, read_task


@each_row(
    "prompt, name, text",
    [
        ("Goal name: Light\n\nGoal description: switch it on", "Light", "switch it on"),
        ('    "Task Name": "a_b",\n    "Goal Instructions": "Put \\"it\\" there."\n}', "a b", 'Put "it" there.'),
        ("Task name: Light\nTask description: switch it on", "Light", "switch it on"),
        ("Task description: switch it on", "", "switch it on"),
        ("Task name: In an example\nGoal name: Light\nGoal description: on", "Light", "on"),
        ('"Goal Instructions": "half \\"', "", '"half \\"'),
        ("Where is the lamp?", "", ""),
        ("", "", ""),
    ],
)
def test_the_task_is_read_in_every_way_of_writing(prompt: str, name: str, text: str) -> None:
    assert read_task(prompt) == TaskText(name, text)
